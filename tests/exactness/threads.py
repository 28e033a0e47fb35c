"""Work in eight threads at once."""

import threading

THREADS = 8


def run_together(work, patience=None):
    """work(number) in each thread; the first failure is raised.

    After `patience` seconds threads that still run are taken to be locked for ever.
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
        thread.join(patience)
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
    if failures:
        raise failures[0]
