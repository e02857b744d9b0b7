"""What a benchmark prints where no terminal is."""

from __future__ import annotations

import pytest

from pushworld.bench.contestants import Contestant
from pushworld.bench.single_run import Job
from pushworld.bench.tasks import Task
from pushworld.cli.benchmark import RunsLine
from pushworld.cli.consoles import status_line
from tests.bench.samples import CORRIDOR, SAMPLE_RUN, SAMPLE_SETTINGS
from tests.waiting import wait_until


def test_lines_come_while_one_run_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pushworld.cli.consoles.SECONDS_BETWEEN_LINES", 0.01)
    job = Job(Contestant("fast", "1", "fast"), Task("level1", CORRIDOR), SAMPLE_SETTINGS)
    printed: list[str] = []

    def lines() -> list[str]:
        printed.extend(capsys.readouterr().err.splitlines())
        return printed

    with status_line("starting") as show:
        display = RunsLine(show)
        display.on_plan([job], [])
        display.on_start(job)
        running = ": 0 of 1 runs, 0 solved, 1 running"
        wait_until(lambda: sum(line.endswith(running) for line in lines()) > 2)
        display.on_end(SAMPLE_RUN)
    assert "0 of 1 runs, 0 solved" in lines()
    assert "1 of 1 runs, 1 solved" in printed
