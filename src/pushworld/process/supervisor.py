"""The supervisor: a small process that starts a command, watches it and ends it.

It runs as a script that needs only the standard library, so that it starts fast. It reads a job as a
line of JSON from standard input and writes lines of JSON: usage, and finally the outcome. The end of
its standard input, or the death of its parent, ends the command.

The supervisor is a "subreaper": all descendants of the command become its children when their parents
die. So none escapes the limits, and the times of all of them are known.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from typing import Any

POLL_SECONDS = 0.1
FIRST_POLL_SECONDS = 0.01
PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Runs one job."""
    parent = os.getppid()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.set_blocking(1, False)  # limits must hold even if the caller is suspended or busy
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        return  # the caller was killed
    job = json.loads(line)
    limits = job["limits"]
    start = time.monotonic()
    try:
        leader = spawn(job)
    except (OSError, ValueError) as error:
        report({"error": getattr(error, "strerror", None) or str(error)})
        return
    exit_code: int | None = None
    limit: str | None = None
    peak = 0
    pause = FIRST_POLL_SECONDS
    while True:
        asked_to_end = bool(select.select([0], [], [], pause)[0]) or os.getppid() != parent
        pause = min(2 * pause, POLL_SECONDS)
        status = reap().get(leader)
        alive = listed_descendants()
        wall, cpu = time.monotonic() - start, cpu_seconds(alive)
        memory = resident_bytes(alive, limits["memory_bytes"])
        peak = max(peak, memory)
        if status is not None:
            exit_code = os.waitstatus_to_exitcode(status)
            break
        for name, used, key in (
            ("memory", memory, "memory_bytes"),
            ("cpu", cpu, "cpu_seconds"),
            ("wall", wall, "wall_seconds"),
        ):
            if limit is None and limits[key] is not None and used > limits[key]:
                limit = name
        if limit is not None or asked_to_end:
            break
        report({"wall_seconds": wall, "cpu_seconds": cpu, "memory_bytes": memory})
    grace = limits["grace_seconds"] if exit_code is None and limit != "memory" else 0
    statuses = end_all(grace)
    if exit_code is None:
        exit_code = os.waitstatus_to_exitcode(statuses[leader])
    used_by_all = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.set_blocking(1, True)
    report(
        {
            "exit_code": exit_code,
            "limit": limit,
            "wall_seconds": time.monotonic() - start,
            "cpu_seconds": used_by_all.ru_utime + used_by_all.ru_stime,
            "peak_memory_bytes": max(peak, used_by_all.ru_maxrss * 1024),
        }
    )
    if not os.read(0, 1) and job["scratch"]:  # the caller was killed, and cannot tidy up
        shutil.rmtree(job["scratch"], ignore_errors=True)


def spawn(job: dict[str, Any]) -> int:
    """Starts the command in a new session and returns its process id."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for path in {job["stdout"], job["stderr"]} - {os.devnull}:
        os.close(os.open(path, flags | os.O_TRUNC, 0o666))
    return os.posix_spawnp(
        job["command"][0],
        job["command"],
        job["environment"],
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, job["stdout"], flags, 0o666),
            (os.POSIX_SPAWN_OPEN, 2, job["stderr"], flags, 0o666),
        ],
        setsid=True,
        setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE],
    )


def report(message: dict[str, object]) -> None:
    """Writes a line for the caller, which may have ended or not read for a while."""
    with contextlib.suppress(OSError):
        os.write(1, (json.dumps(message) + "\n").encode())


def descendants(root: int) -> dict[int, list[str]]:
    """Returns the fields of /proc/PID/stat after the name, of all descendants of a process."""
    children: dict[int, list[tuple[int, list[str]]]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := status_of(entry)):
            children.setdefault(int(fields[1]), []).append((int(entry), fields))
    found: dict[int, list[str]] = {}
    frontier = [root]
    while frontier:
        for process, fields in children.get(frontier.pop(), ()):
            found[process] = fields
            frontier.append(process)
    return found


def listed_descendants() -> dict[int, list[str]]:
    """Returns the same from the lists of children in /proc, if the system has them.

    This is fast however many processes the machine runs, but a process that is changing its parent at
    this moment may be missing.
    """
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        return descendants(os.getpid())
    found: dict[int, list[str]] = {}
    frontier = [str(os.getpid())]
    while frontier:
        for process in children_of(frontier.pop()):
            if fields := status_of(process):
                found[int(process)] = fields
                frontier.append(process)
    return found


def children_of(process: str) -> list[str]:
    """Returns the children of all threads of a process; none if it ended."""
    children: list[str] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                children += file.read().split()
    return children


def status_of(process: str) -> list[str]:
    """Returns the fields of /proc/PID/stat after the name; none if the process ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []


def cpu_seconds(alive: dict[int, list[str]]) -> float:
    """Returns the CPU time of all processes, including those that ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = sum(int(ticks) for fields in alive.values() for ticks in fields[11:15])
    return ended.ru_utime + ended.ru_stime + ticks / TICKS


def resident_bytes(alive: dict[int, list[str]], limit: int | None) -> int:
    """Returns the resident memory of all processes; shared memory counts once if it matters."""
    resident = sum(int(fields[21]) for fields in alive.values()) * PAGE
    if len(alive) > 1 and limit is not None and resident > limit:
        return sum(proportional_bytes(process) for process in alive)
    return resident


def proportional_bytes(process: int) -> int:
    """Returns a process's memory with its share of shared pages; 0 if it ended."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def reap() -> dict[int, int]:
    """Returns the wait statuses of the children that have ended since the last call."""
    statuses: dict[int, int] = {}
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return statuses
        if process == 0:
            return statuses
        statuses[process] = status


def end_all(grace: float) -> dict[int, int]:
    """Ends all descendants, with SIGKILL after the grace, and returns their wait statuses."""
    statuses: dict[int, int] = {}
    deadline = time.monotonic() + grace
    signalled: set[int] = set()
    while alive := descendants(os.getpid()):
        late = time.monotonic() >= deadline
        for process in alive:
            if late or process not in signalled:
                signalled.add(process)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL if late else signal.SIGTERM)
        time.sleep(0.005)
        statuses |= reap()
    return statuses | reap()


if __name__ == "__main__":
    main()
