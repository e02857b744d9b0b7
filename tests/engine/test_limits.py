"""The tables of the engine are made within the limits of a search."""

from __future__ import annotations

import pytest

from pushworld import _native
from pushworld.engine import Engine
from pushworld.puzzle import Puzzle

WORLD = Puzzle.parse("A . . M1\n. M2 M2 .\n. . G1 .")
ENOUGH = 10**9


def test_the_time_limit_ends_the_work() -> None:
    with pytest.raises(_native.SearchStopped, match="time-limit"):
        Engine(WORLD, _native.Control(0.0, ENOUGH))


def test_an_interrupt_ends_the_work() -> None:
    control = _native.Control(1e9, ENOUGH)
    control.interrupt()
    with pytest.raises(_native.SearchStopped, match="interrupted"):
        Engine(WORLD, control)


def test_the_memory_counts_for_the_search() -> None:
    with pytest.raises(_native.SearchStopped, match="memory-limit"):
        Engine(WORLD, _native.Control(1e9, 100))
    control = _native.Control(1e9, ENOUGH)
    engine = Engine(WORLD, control)
    assert 0 < control.used_bytes < 10_000
    found = _native.solve_breadth_first(engine.native, control, seed=0, threads=1)
    assert found.peak_bytes > control.used_bytes - 1
