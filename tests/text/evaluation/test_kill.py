"""An evaluation that is killed at any moment loses no answer, and asks for none twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from pushworld.text.evaluation import read_evaluation
from pushworld.text.evaluation.journal import JOURNAL
from pushworld.text.evaluation.outcomes import outcome_of
from tests.text.evaluation.evaluating import LIMIT, SET, scripted
from tests.waiting import PATIENCE, wait_until

KILLS = 2


def start(address: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pushworld", "llm", "evaluate", SET, f"--limit={LIMIT}"]
    options = ["--mode=interactive", f"--url={address}", "--model=slow", f"--output={folder}"]
    return subprocess.Popen(
        [*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def stored(folder: Path) -> set[tuple[str, int]]:
    if not (folder / JOURNAL).exists():
        return set()
    turns = read_evaluation(folder).turns.values()
    return {(turn.task, turn.number) for each in turns for turn in each}


def test_killed_evaluations_continue_within_their_episodes(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    with scripted(delay=0.02) as (server, address):
        answers = 0
        for _ in range(KILLS):
            known = stored(folder)
            runner = start(address, folder)
            wait_until(lambda: len(server.asked) > answers + 4)  # noqa: B023
            os.kill(runner.pid, signal.SIGKILL)
            assert runner.wait(PATIENCE) == -signal.SIGKILL, "it was still at work"
            asked_now = {(digest, turn) for _, digest, turn in server.asked[answers:]}
            assert not asked_now & known, "an answer that was stored was asked again"
            assert stored(folder) >= known, "an answer was lost"
            answers = len(server.asked)
        known = stored(folder)
        assert any(number > 0 for _, number in known), "no kill came within an episode"
        assert start(address, folder).wait(PATIENCE) == 0
        asked_now = {(digest, turn) for _, digest, turn in server.asked[answers:]}
        assert not asked_now & known
    found = read_evaluation(folder)
    assert [outcome_of(found, digest).status for digest in found.tasks] == ["solved"] * LIMIT
