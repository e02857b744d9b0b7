"""The memory that a search reports is the memory that it takes from the system."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pushworld.datasets import load_set
from pushworld.puzzle import Puzzle
from tests.large import large
from tests.planners.test_solving import ENDLESS

PROGRAM = """
import sys
from pushworld import solve
from pushworld.planners import default_strategies
from tests.planners.test_memory import PUZZLES, memory
from tests.waiting import PATIENCE

planner, puzzle = sys.argv[1], PUZZLES[sys.argv[2]]()
named = [each for each in default_strategies() if each.name == planner]
chosen = {"strategies": named} if named else {"planner": planner}
before = memory("VmHWM")
result = solve(puzzle, **chosen, time_limit=PATIENCE, memory_limit_gb=0.03)
assert result.status == "memory-limit", result
print(result.peak_memory_bytes, memory("VmHWM") - before)
"""
WITHOUT_THREADS = """
import resource
from pushworld import solve
from tests.planners.test_memory import ENDLESS, memory
from tests.waiting import PATIENCE

room = memory("VmSize") + 7 * 2**29  # for three threads of 1 GB: that of the planner and two more
resource.setrlimit(resource.RLIMIT_AS, (room, room))
before = memory("VmHWM")
try:
    solve(ENDLESS, time_limit=PATIENCE, max_states=3_000_000, threads=8)
except RuntimeError as error:
    print(memory("VmHWM") - before, error)
"""
STATUS = Path("/proc/self/status")
MANY = 70


def memory(kind: str) -> int:
    """Returns bytes of this process, of a kind of which the system keeps account."""
    status = dict(line.split(":") for line in STATUS.read_text().splitlines())
    return 1024 * int(status[kind].removesuffix("kB"))


def with_many_objects() -> Puzzle:
    """Returns the endless puzzle with movables around it; the tables for pairs of them are large."""
    rows = [["."] * 24 for _ in range(24)]
    for y, line in enumerate(ENDLESS.to_pwp().splitlines()):
        rows[y][10:] = line.split()
    empty = [(x, y) for y in range(16, 24, 2) for x in range(0, 24, 2)]
    empty += [(x, y) for y in range(0, 16, 2) for x in range(0, 10, 2)]
    for index, (x, y) in enumerate(empty[:MANY], start=100):
        rows[y][x] = f"M{index}"
    return Puzzle.parse("\n".join(" ".join(row) for row in rows))


PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "few": lambda: ENDLESS,
    "many": with_many_objects,
    # The goals need layouts, so there are many sub-puzzles.
    "narrow-boat": lambda: next(each for each in load_set("classic") if each.name == "narrow-boat"),
}

OTHER = 4e6
"""What the search's thread, the result and the allocator take besides the tables."""


NEEDS_LINUX = pytest.mark.skipif(not STATUS.exists(), reason="needs Linux")


@NEEDS_LINUX
@pytest.mark.parametrize(
    ("planner", "puzzle"),
    [
        ("default", "few"),
        ("astar", "few"),
        large("novelty-rgd", "few"),
        large("bfs", "few"),
        large("default", "many"),
        large("goals-in-turn", "narrow-boat"),
    ],
)
def test_the_process_grows_by_what_the_search_reports(planner: str, puzzle: str) -> None:
    command = [sys.executable, "-c", PROGRAM, planner, puzzle]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    reported, grown = map(int, output.split())
    assert 0.5 * 0.03e9 < reported <= 0.03e9
    assert 0.4 * reported < grown < 1.1 * reported + OTHER


@NEEDS_LINUX
def test_a_search_that_gets_too_few_threads_ends_those_that_it_has() -> None:
    command = [
        "sh",
        "-c",
        'ulimit -s 1048576; exec "$@"',
        "-",
        sys.executable,
        "-c",
        WITHOUT_THREADS,
    ]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    grown, error = output.split(maxsplit=1)
    assert error == "Resource temporarily unavailable\n"
    assert int(grown) < 0.02e9
