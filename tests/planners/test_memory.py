"""The memory that a search reports is the memory that it takes from the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from pathlib import Path
from pushworld import solve
from tests.planners.test_solving import ENDLESS
from tests.waiting import PATIENCE

def peak():
    status = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return 1024 * int(status["VmHWM"].removesuffix("kB"))

before = peak()
result = solve(ENDLESS, sys.argv[1], time_limit=PATIENCE, memory_limit_gb=0.03)
assert result.status == "memory-limit", result
print(result.peak_memory_bytes, peak() - before)
"""
OTHER = 4e6
"""What the search's thread, the result and the allocator take besides the tables."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
@pytest.mark.parametrize("planner", ["default", "novelty-rgd", "bfs"])
def test_the_process_grows_by_what_the_search_reports(planner: str) -> None:
    command = [sys.executable, "-c", PROGRAM, planner]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    reported, grown = map(int, output.split())
    assert 0.5 * 0.03e9 < reported <= 0.03e9
    assert 0.4 * reported < grown < 1.1 * reported + OTHER
