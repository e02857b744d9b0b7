"""Exact rewards, the curriculum, and the corpus."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest

from pushworld.puzzle import Puzzle
from pushworld.puzzle.transform import canonical_hash
from pushworld.text import (
    Curriculum,
    Episode,
    Reward,
    Task,
    describe,
    episode_reward,
    exact_reward,
    tasks,
)
from pushworld.text.corpus import held_out, texts_of, write_corpus
from pushworld.text.evaluation_set import frozen_digests
from tests.cli.running import run
from tests.text.readers import read_grid


def block(plan: str) -> str:
    return f"<plan>{plan}</plan>"


ROOM = Task(
    "",
    Puzzle.parse(". . . . . . .\nA . M1 . . G1 .\n. . . . . . ."),
    best_known=4,
    shortest=True,
)


@pytest.mark.parametrize(
    ("plan", "value", "progress", "dead_end"),
    [
        ("R", 0.25 / 4, 0.25, False),
        ("RRR", 0.25 * 0.75, 0.75, False),
        ("URRD", 0.0, 0.0, True),
        ("RL", 0.0, 0.0, False),
    ],
)
def test_rewards_are_proved(plan: str, value: float, progress: float, dead_end: bool) -> None:
    episode = Episode(ROOM.puzzle, budget=20)
    episode.reply(block(plan))
    for reward in (exact_reward(ROOM, block(plan)), episode_reward(ROOM, episode)):
        assert not reward.solved
        assert reward.value == value
        assert reward.progress == progress
        assert reward.dead_end is dead_end


def test_solved_and_illegal_answers() -> None:
    assert exact_reward(ROOM, block("RRRR")) == Reward(1.0, True, 1.0, False)
    assert exact_reward(ROOM, "no plan").value == 0.0
    assert exact_reward(ROOM, block("0 1"), notation="numbers").progress == 0.25


def test_progress_grows_along_a_shortest_plan() -> None:
    for task in tasks("stream", limit=4, seed="progress"):
        assert task.plan is not None
        shares = [exact_reward(task, block(task.plan[:end])).progress for end in range(1, 4)]
        assert (
            shares == [pytest.approx(end / len(task.plan)) for end in range(1, 4)] or None in shares
        )


def test_the_stream_takes_the_steps_in_turn() -> None:
    assert [task.difficulty for task in tasks("stream", limit=9, seed=1)] == [*range(1, 9), 1]


def test_the_curriculum_follows_the_solve_rate() -> None:
    drawn = Curriculum(seed=3, steps=(1, 2, 3))
    first = [task.name for task in islice(drawn, 5)]
    assert [task.name for task in islice(Curriculum(seed=3, steps=(1, 2, 3)), 5)] == first
    for task in islice(drawn, 200):  # who solves step 1 always, step 2 at times, and step 3 never
        drawn.record(
            task, task.difficulty == 1 or (task.difficulty == 2 and int(task.digest, 16) % 2 == 0)
        )
    rates = drawn.solve_rates
    assert rates[1] > 0.9 > rates[2] > 0.1 > rates[3]
    steps = [task.difficulty for task in islice(drawn, 60)]
    assert steps.count(2) > 40


@pytest.mark.large
def test_a_corpus_without_puzzles_of_evaluation_sets(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.jsonl" for number in range(2)]
    for file, workers in zip(files, (1, 2), strict=True):
        *_, (puzzles, texts) = write_corpus(file, 60, seed="test", workers=workers)
        assert puzzles == 60
    assert files[0].read_bytes() == files[1].read_bytes(), "it depends on the seed alone"
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    assert len(rows) == texts
    digests = {row["puzzle"] for row in rows}
    assert len(digests) == 60
    assert not digests & held_out()
    assert frozen_digests() <= held_out()
    assert {canonical_hash(task.puzzle) for task in tasks("bundled")} <= held_out()
    assert {row["kind"] for row in rows} == {"plan", "trace", "proof"}
    for row in rows:
        grid, _, text = row["text"].partition("\n\n")
        puzzle = read_grid(grid)
        if row["kind"] == "proof":
            walk = re.match("After ([LRUD]+) ", text)
            assert walk is not None
            verdict = exact_reward(Task("", puzzle), block(walk[1]))
            assert verdict.dead_end
        else:
            plan = re.search("<plan>([LRUD]+)</plan>", text)
            assert plan is not None
            assert puzzle.validate(plan[1])


def test_texts_describe_the_puzzle() -> None:
    task = next(tasks("stream:2", limit=1, seed=5))
    for text in texts_of(task).values():
        assert text.startswith(describe(task.puzzle, legend=False))


def test_the_command(tmp_path: Path) -> None:
    outcome = run("llm", "corpus", "-o", str(tmp_path / "c.jsonl"), "--puzzles", "10")
    assert outcome.exit_code == 0
    assert "about 10 puzzles" in outcome.out
