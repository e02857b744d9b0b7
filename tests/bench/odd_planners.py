"""Planners that misbehave, each in one way; the tests name them as ``tests.bench.odd_planners:X``."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pushworld import Puzzle, SolveResult
from pushworld.planners import get_planner
from pushworld.planners.protocol import MOST_ACTIONS
from pushworld.puzzle import PushWorldError
from tests.waiting import PATIENCE

BEGINNINGS = "PUSHWORLD_TEST_BEGINNINGS"
"""Names the file to which `GATED` appends its process id when it begins."""

GATE = "PUSHWORLD_TEST_GATE"
"""Names the file that `GATED` then waits for, and that `ORPHANED` creates."""


@dataclass(frozen=True)
class OddPlanner:
    """Calls a function and returns the result of `bfs`, with the changes that the function returned.

    Attributes:
        act: the function.
        heeds_time: whether `bfs` gets the time limit.
    """

    act: Callable[[], dict[str, Any] | None]
    heeds_time: bool = True
    name: str = "odd"
    description: str = "odd"
    complete: bool = False
    optimal: bool = False
    version: str = "7"

    def solve(self, puzzle: Puzzle, **options: Any) -> SolveResult:
        changes = self.act()
        if not self.heeds_time:
            options["time_limit"] = PATIENCE
        result = get_planner("bfs").solve(puzzle, **options)
        return SolveResult(**vars(result) | (changes or {}))


def _raise(error: BaseException) -> None:
    raise error


def _burn() -> None:
    while True:
        pass


def _delegate() -> None:
    """Uses CPU time in another session, and leaves a process behind in a third one."""
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", burn], start_new_session=True, check=True)
    stay = "while True: pass  # left behind"
    subprocess.Popen([sys.executable, "-c", stay], start_new_session=True)


def _fill_memory() -> None:
    hoard = [b"x" * 10_000_000 for _ in range(50)]
    while hoard:
        time.sleep(1)


def _litter() -> None:
    mkdtemp()
    os.kill(os.getpid(), 9)


def _wait_at_the_gate() -> None:
    with Path(os.environ[BEGINNINGS]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    while not Path(os.environ[GATE]).exists():
        time.sleep(0.01)


def _kill_the_supervisor_once() -> None:
    marker = Path(os.environ[GATE])
    if not marker.exists():
        marker.touch()
        os.kill(os.getppid(), 9)
        _burn()


HONEST = OddPlanner(lambda: None)
LATE = OddPlanner(lambda: None, heeds_time=False)
WRONG = OddPlanner(lambda: {"plan": "L"})
GIBBERISH = OddPlanner(lambda: {"plan": "pickup crate_7"})
UNHEARD_OF = OddPlanner(lambda: {"status": "puzzled"})
UNCOUNTED = OddPlanner(lambda: {"states": "many"})
HUGE = OddPlanner(lambda: {"plan": "L" * (MOST_ACTIONS + 1)})
LONG = OddPlanner(lambda: {"plan": "LR" * 1_000_000})
TIMELESS = OddPlanner(lambda: {"seconds": math.nan, "representation_seconds": math.inf})
HALF_A_CHARACTER = OddPlanner(lambda: _raise(OSError("no file \ud800" + "!" * 10**6)))
ABORTING = OddPlanner(os.abort)
EXITING = OddPlanner(lambda: os._exit(3))
LITTERING = OddPlanner(_litter)
FAILING = OddPlanner(lambda: _raise(RuntimeError("the heuristic is on strike")))
DECLINING = OddPlanner(lambda: _raise(PushWorldError("this planner takes no such puzzles")))
OUT_OF_MEMORY = OddPlanner(lambda: _raise(MemoryError()))
GREEDY = OddPlanner(_fill_memory)
BURNING = OddPlanner(_burn)
SLEEPING = OddPlanner(lambda: time.sleep(PATIENCE))
DOZING = OddPlanner(lambda: time.sleep(0.5))
DELEGATING = OddPlanner(_delegate)
GATED = OddPlanner(_wait_at_the_gate)
ORPHANED = OddPlanner(_kill_the_supervisor_once)
NOT_A_PLANNER = "default"
