"""Runs a command on a machine that stutters: some of its processes stop at random, for up to some seconds.

    python -m tests.stutter .venv/bin/python -m pytest -m '' -n 2
    python -m tests.stutter --share 0.3 --seconds 3 make test

It finds tests that depend on time, which fail on a busy machine once in many runs. Linux only. Supervisors of
planners are left alone: one that stops is what they report.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--share", type=float, default=0.15, help="of the processes (default: 0.15)"
    )
    parser.add_argument(
        "--seconds", type=float, default=1.5, help="of a stop at most (default: 1.5)"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with subprocess.Popen(options.command) as child:
        while child.poll() is None:
            time.sleep(random.uniform(0, 0.5))
            chosen = [each for each in descendants(child.pid) if random.random() < options.share]
            send(chosen, signal.SIGSTOP)
            time.sleep(random.uniform(0, options.seconds))
            send(chosen, signal.SIGCONT)
    return child.returncode


def descendants(ancestor: int) -> list[int]:
    """Returns the running processes that a process has started, and those that these have."""
    children = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(") ")[2].split()[:2]
            supervises = b"supervisor" in (folder / "cmdline").read_bytes()
            children[int(parent)].append((int(folder.name), state not in "TZ" and not supervises))
    found, waiting = [], [ancestor]
    while waiting:
        for process, may_stop in children[waiting.pop()]:
            waiting.append(process)
            found += [process] if may_stop else []
    return found


def send(processes: list[int], sent: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, sent)


if __name__ == "__main__":
    sys.exit(main())
