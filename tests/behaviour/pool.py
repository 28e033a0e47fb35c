"""Worker processes that may crash or hang: the job is reported, the worker replaced."""

import json
import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

TESTS = Path(__file__).parents[1]
SECONDS_PER_JOB = 20


class Worker:
    def __init__(self):
        path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "behaviour.worker"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def judge(self, job, seconds):
        """The complaint, or None; `is_alive` tells whether another job may follow."""
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return self._cause_of_death()
        # One answer is in the pipe at a time, so nothing of it is held back in a buffer.
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            self.process.kill()
            self.process.wait()
            return f"TIMEOUT after {seconds} s"
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else self._cause_of_death()

    def _cause_of_death(self):
        code = self.process.wait()
        return f"CRASH with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"

    @property
    def is_alive(self):
        return self.process.poll() is None

    def close(self):
        self.process.communicate()  # closes its input, which ends it


def judge_all(jobs, *, workers=0, seconds=SECONDS_PER_JOB):
    """The complaints about the jobs, in their order; None for each that is as expected."""
    jobs = list(jobs)
    complaints = [None] * len(jobs)
    queue = SimpleQueue()
    for index in range(len(jobs)):
        queue.put(index)

    def serve():
        worker = Worker()
        with suppress(Empty):
            while True:
                index = queue.get_nowait()
                if not worker.is_alive:
                    worker.close()
                    worker = Worker()
                complaints[index] = worker.judge(jobs[index], seconds)
        worker.close()

    count = workers or min(os.cpu_count() or 1, 4)
    with ThreadPoolExecutor(count) as threads:
        for served in [threads.submit(serve) for _ in range(count)]:
            served.result()
    return complaints
