"""Work in eight threads at once."""

import threading

THREADS = 8


def run_together(work):
    """work(number) in each thread; the first failure is raised.

    Threads that wait for each other end the run: faulthandler_timeout in pyproject.toml.
    """
    together = threading.Barrier(THREADS)
    failures = []

    def run(number):
        together.wait()
        try:
            work(number)
        except BaseException as error:  # a thread has nobody to raise to
            failures.append(error)

    threads = [threading.Thread(target=run, args=[i], daemon=True) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
