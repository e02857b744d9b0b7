"""Commands under limits: a supervisor process starts them, watches them and ends them."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pushworld.puzzle import PushWorldError

Limit = Literal["wall", "cpu", "memory"]

SUPERVISOR = Path(__file__).with_name("supervisor.py")
"""The script that starts, watches and ends a command. Only Linux can import it."""

SILENCE_SECONDS = 1.0
"""How long a supervisor may be silent before its caller looks whether it was stopped."""


@dataclass(frozen=True)
class Limits:
    """Limits for a command and everything it starts together; None is no limit.

    Attributes:
        wall_seconds: wall time since its start.
        cpu_seconds: CPU time of all its processes, including those that ended.
        memory_bytes: resident memory of all its processes at one moment; shared memory counts once.
        grace_seconds: between SIGTERM and SIGKILL; beyond the memory limit there is no grace.
    """

    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    memory_bytes: int | None = None
    grace_seconds: float = 1.0


@dataclass(frozen=True)
class Usage:
    """The resources that a command and everything it started use at one moment."""

    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and the resources that it used.

    Attributes:
        exit_code: as in `subprocess`: the negative number of the signal if one ended it.
        limit: the limit that it exceeded, or None.
        wall_seconds: from its start to the end of its last process.
        cpu_seconds: of all processes that it started.
        peak_memory_bytes: the maximum of ten samples per second, and at least the peak of its largest
            process.
    """

    exit_code: int
    limit: Limit | None
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int

    @property
    def ending(self) -> str:
        """How the command ended, as text: ``exit code 3`` or ``signal SIGSEGV``."""
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        number = -self.exit_code
        known = {each.value: each.name for each in signal.Signals}
        return f"signal {known.get(number, number)}"


def check_that_processes_can_be_limited() -> None:
    """Raises a PushWorldError where `run_limited` cannot work."""
    if not sys.platform.startswith("linux"):
        raise PushWorldError(
            "benchmarks and planners of other projects run only on Linux, because they need its limits "
            "on processes"
        )


def run_limited(
    command: Sequence[str],
    limits: Limits,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdout: Path | None = None,
    stderr: Path | None = None,
    scratch: Path | None = None,
    on_usage: Callable[[Usage], bool | None] | None = None,
) -> Outcome:
    """Runs a command and returns its outcome when everything that it started has ended.

    The command runs in a new session with empty standard input. All processes that it started are
    ended, even those in other sessions, when the command ends, exceeds a limit, or when the caller
    ends (even by SIGKILL) or raises an exception in `on_usage`.

    Args:
        command: the program and its arguments; the program is searched in PATH.
        folder: the working directory; the current one if not given.
        environment: the environment variables; those of this process if not given.
        stdout, stderr: files for its output, which may be the same; discarded if not given.
        scratch: a folder that is removed if the caller is killed.
        on_usage: called about ten times a second; if it returns True, the command is ended.

    Raises:
        PushWorldError: if the command cannot be started, or this is not Linux.
        RuntimeError: if the command stopped or killed its supervisor.
    """
    check_that_processes_can_be_limited()
    job = {
        "command": list(command),
        "limits": asdict(limits),
        "environment": dict(os.environ if environment is None else environment),
        "stdout": str(stdout.absolute()) if stdout else os.devnull,
        "stderr": str(stderr.absolute()) if stderr else os.devnull,
        "scratch": scratch and str(scratch.absolute()),
    }
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(SUPERVISOR)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        start_new_session=True,
    ) as child:
        assert child.stdin is not None
        try:
            with suppress(BrokenPipeError):  # of a supervisor that was killed
                child.stdin.write(json.dumps(job).encode() + b"\n")
                child.stdin.flush()
            for line in _lines(child):
                report = json.loads(line)
                if "exit_code" in report:
                    return Outcome(**report)
                if "error" in report:
                    raise PushWorldError(f"{command[0]} cannot be run: {report['error']}")
                if on_usage is not None and not child.stdin.closed and on_usage(Usage(**report)):
                    _ask_to_end(child)
        finally:
            _ask_to_end(child)
            while child.returncode is None:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(SILENCE_SECONDS)
                _end_if_stopped(child)
    raise RuntimeError(f"the supervisor of {command[0]} was killed or stopped")


def _ask_to_end(child: subprocess.Popen[bytes]) -> None:
    """Makes the supervisor end the command and itself, and tells it that its caller is alive."""
    assert child.stdin is not None
    if not child.stdin.closed:
        with suppress(BrokenPipeError):
            child.stdin.write(b"\n")
            child.stdin.flush()
        with suppress(BrokenPipeError):
            child.stdin.close()


def _lines(child: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Yields what the supervisor writes; ends it and the command if the command has stopped it."""
    assert child.stdout is not None
    rest = b""
    while True:
        if select.select([child.stdout], [], [], SILENCE_SECONDS)[0]:
            if not (read := os.read(child.stdout.fileno(), 1 << 16)):
                return
            *whole, rest = (rest + read).split(b"\n")
            yield from whole
        else:
            _end_if_stopped(child)


def _end_if_stopped(child: subprocess.Popen[bytes]) -> None:
    """Kills a supervisor that is stopped, after all that it watched: it would never keep a limit."""
    from pushworld.process.supervisor import descendants, status_of

    if status_of(str(child.pid))[:1] not in (["T"], ["t"]):
        return
    while alive := [pid for pid, fields in descendants(child.pid).items() if fields[0] != "Z"]:
        for process in alive:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.005)
    child.kill()
