"""What a benchmark prints where no terminal is."""

from __future__ import annotations

from contextlib import closing
from io import StringIO

import pytest
from rich.console import Console

from pushworld.bench.contestants import Contestant
from pushworld.bench.progress import ProgressDisplay
from pushworld.bench.single_run import Job
from pushworld.bench.tasks import Task
from tests.bench.samples import CORRIDOR, SAMPLE_RUN, SAMPLE_SETTINGS
from tests.waiting import wait_until


def test_lines_come_while_one_run_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pushworld.bench.progress.SECONDS_BETWEEN_LINES", 0.01)
    file = StringIO()
    job = Job(Contestant("fast", "1", "fast"), Task("level1", CORRIDOR), SAMPLE_SETTINGS)
    with closing(ProgressDisplay(Console(file=file, width=100))) as display:
        display.on_plan([job], [])
        display.on_start(job)
        wait_until(lambda: file.getvalue().count("0 of 1 runs, 0 solved, 1 running") > 2)
        display.on_end(SAMPLE_RUN)
    lines = file.getvalue().splitlines()
    assert lines[0] == "0 of 1 runs, 0 solved"
    assert "1 of 1 runs, 1 solved" in lines
    with closing(ProgressDisplay(Console(file=file))):
        pass  # a benchmark that fails before it begins
