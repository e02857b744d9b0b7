"""The memory that a search reports is the memory that it takes from the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
from pushworld import solve
from tests.planners.test_solving import ENDLESS
from tests.waiting import PATIENCE

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

before = peak()
result = solve(ENDLESS, sys.argv[1], time_limit=PATIENCE, memory_limit_gb=0.03)
assert result.status == "memory-limit", result
print(result.peak_memory_bytes, peak() - before)
"""
OTHER = 4e6
"""What the search's thread, the result and the allocator take besides the tables."""


@pytest.mark.parametrize("planner", ["default", "novelty-rgd", "bfs"])
def test_the_process_grows_by_what_the_search_reports(planner: str) -> None:
    command = [sys.executable, "-c", PROGRAM, planner]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    reported, grown = map(int, output.split())
    assert 0.5 * 0.03e9 < reported <= 0.03e9
    assert 0.8 * reported < grown < 1.1 * reported + OTHER
