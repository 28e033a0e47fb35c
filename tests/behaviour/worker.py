"""A process that judges rows: a job per line on standard input, a complaint per line back."""

import json
import os
import sys

from .judge import judge
from .rows import outcome_of_job


def main():
    # What an expression prints must not be taken for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    for line in sys.stdin:
        job = json.loads(line)
        try:
            complaint = judge(job["text"], job["type"], outcome_of_job(job))
        except Exception as error:
            complaint = f"cannot be judged: {error!r}"
        print(json.dumps(complaint), file=answers)


if __name__ == "__main__":
    main()
