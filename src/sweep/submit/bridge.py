"""Runs jobs of a plan on a Dask cluster: python3 1.py HOST:PORT, in the folder of the plan, with numbers of jobs on standard input.

Every job is a task. The scheduler gives those of lost workers to others. Whether a job is done says its shard alone, so nothing is
returned, and what is printed here is for people. SIGTERM takes back what waits and ends what runs: a task looks for the file `stop`,
since nobody can interrupt a thread of a worker.

Exit codes: 0 all tasks ended well, 1 some did not, 3 there is no package `distributed`, 4 no scheduler answers.
"""

import os
import signal
import sys
import uuid


def run(folder, number, stop):
    """On a worker: one job, with what it prints in a file of its own."""
    import os
    import subprocess

    if os.path.exists(stop):
        return
    with open(os.path.join(folder, "logs", f"{number}.log"), "ab") as log:
        command = ["./selvedge", "job", ".", str(number)]
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while True:
            try:
                code = process.wait(timeout=0.5)
                break
            except subprocess.TimeoutExpired:
                if os.path.exists(stop):
                    process.terminate()
    if code != 0 and not os.path.exists(stop):
        raise RuntimeError(f"job {number} ended with {code}; {log.name} says why")


def main():
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        print(f"{error} ({sys.executable}; `pip install distributed` brings it, and PYTHON names another Python)", file=sys.stderr)
        return 3
    folder = os.getcwd()
    jobs = [int(line) for line in sys.stdin]
    name = f"selvedge-{uuid.uuid4().hex}"
    stop = os.path.join(folder, "submit", f"{name}.stop")
    try:
        client = Client(sys.argv[1], timeout=20)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 4

    def ended(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(stop, "w", encoding="utf-8"):
            pass
        raise SystemExit(1)

    signal.signal(signal.SIGTERM, ended)
    tasks = []
    try:
        for job in jobs:
            tasks.append(client.submit(run, folder, job, stop, key=f"{name}-{job}", pure=False))
        failed = 0
        for task in as_completed(tasks):
            if task.status != "finished":
                failed += 1
                print(f"{task.key}: {task.status}", file=sys.stderr)
        return 1 if failed else 0
    finally:
        if os.path.exists(stop):
            client.cancel(tasks)
        client.close()


if __name__ == "__main__":
    sys.exit(main())
