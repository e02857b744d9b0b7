"""Commands under limits: each is enforced on all that a command starts, and nothing stays behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.process import Limits, Usage, limited, run_limited
from pushworld.puzzle import PushWorldError
from tests.waiting import growing_limits, wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")

MEGABYTE = 10**6
LONG = 600.0

# Writes its number, starts two more that leave its session, and then all three do the work.
# (With PYTHONUNBUFFERED, print writes a number and the end of its line apart.)
FAMILY = """
import os, time
os.write(1, b"%d\\n" % os.getpid())
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        os.write(1, b"%d\\n" % os.getpid())
        break
"""
SPIN = "while True: pass"
SLEEP = "time.sleep(600)"
FILL = "x = bytearray(60 * 10**6); x[::4096] = b'1' * len(x[::4096])\ntime.sleep(600)"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for_end_of(process: int) -> None:
    """Fails if the process, which is not a child of ours, does not end soon."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    ended, _, _ = select.select([handle], [], [], LONG)
    os.close(handle)
    assert ended


def numbers_in(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()]


def assert_ended(file: Path) -> None:
    """Of the processes whose numbers the file holds, none is left."""
    processes = numbers_in(file)
    assert processes
    assert not any(map(is_alive, processes))


def test_exit_code_and_output_of_a_command(tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    outcome = run_limited(
        ["sh", "-c", "pwd; echo $COLOUR; cat; echo oops >&2; exit 3"],
        Limits(wall_seconds=LONG),
        folder=tmp_path,
        environment={**os.environ, "COLOUR": "red"},
        stdout=out,
        stderr=err,
    )
    assert (outcome.exit_code, outcome.limit) == (3, None)
    assert out.read_text() == f"{tmp_path}\nred\n"
    assert err.read_text() == "oops\n"


def test_one_file_takes_both_outputs_and_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "log"
    for _ in range(2):
        run_limited(["sh", "-c", "echo a; echo b >&2; echo c"], Limits(), stdout=file, stderr=file)
    assert file.read_text() == "a\nb\nc\n"


def test_a_signal_is_a_negative_exit_code() -> None:
    outcome = run_limited(["sh", "-c", "kill -SEGV $$"], Limits(wall_seconds=LONG))
    assert (outcome.exit_code, outcome.limit) == (-signal.SIGSEGV, None)


@pytest.mark.parametrize(
    ("work", "limits", "limit"),
    [
        (SPIN, Limits(cpu_seconds=0.3, wall_seconds=LONG), "cpu"),
        (FILL, Limits(memory_bytes=150 * MEGABYTE, wall_seconds=LONG), "memory"),
    ],
)
def test_limits_are_for_the_whole_family(
    tmp_path: Path, work: str, limits: Limits, limit: str
) -> None:
    out = tmp_path / "out"
    outcome = run_limited(python(FAMILY + work), limits, stdout=out)
    assert outcome.limit == limit
    assert outcome.exit_code == (-signal.SIGKILL if limit == "memory" else -signal.SIGTERM)
    assert_ended(out)
    if limit == "cpu":
        assert outcome.cpu_seconds > 0.3
    if limit == "memory":
        assert outcome.peak_memory_bytes > 150 * MEGABYTE


def test_a_limit_on_wall_time_is_for_the_whole_family(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for seconds in growing_limits():
        outcome = run_limited(python(FAMILY + SLEEP), Limits(wall_seconds=seconds), stdout=out)
        assert (outcome.exit_code, outcome.limit) == (-signal.SIGTERM, "wall")
        if len(numbers_in(out)) == 3:
            break
    assert_ended(out)


def test_who_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN); print(os.getpid(), flush=True)"
    outcome = run_limited(
        python(f"import os, signal, time\n{stubborn}\n{SLEEP}"),
        Limits(wall_seconds=LONG, grace_seconds=0.1),
        stdout=out,
        on_usage=lambda _: bool(numbers_in(out)),
    )
    assert (outcome.exit_code, outcome.limit) == (-signal.SIGKILL, None)
    assert_ended(out)


def test_time_and_memory_of_ended_processes_count() -> None:
    work = "import time\nx = bytearray(80 * 10**6)\nwhile time.process_time() < 0.2: pass"
    child = python(work)
    outcome = run_limited(["sh", "-c", '"$@"; "$@"; true', "sh", *child], Limits(wall_seconds=LONG))
    assert outcome.cpu_seconds >= 0.4
    assert outcome.peak_memory_bytes > 80 * MEGABYTE


def test_what_outlives_the_command_is_ended(tmp_path: Path) -> None:
    out = tmp_path / "out"
    left_behind = ["sh", "-c", "sleep 600 & echo $!"]
    outcome = run_limited(left_behind, Limits(wall_seconds=LONG), stdout=out)
    assert (outcome.exit_code, outcome.limit) == (0, None)
    assert not any(map(is_alive, numbers_in(out)))


def test_an_exception_of_the_caller_ends_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    seen: list[Usage] = []

    def stop(usage: Usage) -> None:
        seen.append(usage)
        if out.exists() and len(numbers_in(out)) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_limited(python(FAMILY + SLEEP), Limits(wall_seconds=LONG), stdout=out, on_usage=stop)
    assert not any(map(is_alive, numbers_in(out)))
    assert seen[-1].memory_bytes > MEGABYTE


def test_the_caller_can_end_it_and_learn_what_it_used() -> None:
    outcome = run_limited(["sleep", "600"], Limits(wall_seconds=LONG), on_usage=lambda _: True)
    assert (outcome.exit_code, outcome.limit) == (-signal.SIGTERM, None)


def test_a_killed_caller_takes_the_command_with_it(tmp_path: Path) -> None:
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    caller = f"""
from pathlib import Path
from pushworld.process import Limits, run_limited
def tell(usage):
    if len(Path({str(out)!r}).read_text().split()) == 3:
        print("running", flush=True)
run_limited(
    {python(FAMILY + SLEEP)!r}, Limits(), stdout=Path({str(out)!r}), scratch=Path({str(scratch)!r}),
    on_usage=tell,
)
"""
    with subprocess.Popen(python(caller), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    for number in numbers_in(out):
        wait_for_end_of(number)
    wait_until(lambda: not scratch.exists())


def test_a_command_that_stops_its_supervisor_is_ended(tmp_path: Path) -> None:
    out = tmp_path / "out"
    stop = "setsid sleep 600 & echo $! $$; kill -STOP $PPID; sleep 600"
    with pytest.raises(RuntimeError, match="was killed or stopped"):
        run_limited(["sh", "-c", stop], Limits(wall_seconds=LONG), stdout=out)
    assert len(numbers_in(out)) == 2
    for number in numbers_in(out):
        wait_for_end_of(number)


def test_a_supervisor_without_a_caller_is_silent() -> None:
    command = [sys.executable, "-I", "-S", str(limited.SUPERVISOR)]
    for begun in ("", '{"command": ["tr'):
        ended = subprocess.run(command, input=begun, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_command_that_does_not_exist_is_reported() -> None:
    with pytest.raises(PushWorldError, match=r"no-such-planner cannot be run: No such file"):
        run_limited(["no-such-planner"], Limits())
    with pytest.raises(PushWorldError, match=r"true cannot be run: embedded null byte"):
        run_limited(["true", "a\0b"], Limits())
