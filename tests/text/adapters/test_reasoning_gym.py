"""The dataset ``pushworld`` inside reasoning-gym."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
import reasoning_gym
from reasoning_gym.dataset import ReseedingDataset
from reasoning_gym.factory import create_curriculum

from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.text import NOTATIONS, read_answer
from pushworld.text.adapters import reasoning_gym as adapter


def made(**options: Any) -> Any:
    """Returns a dataset as users make it."""
    return reasoning_gym.create_dataset(adapter.NAME, **options)


def test_entries_depend_only_on_seed_and_index() -> None:
    entries = list(made(seed=7, size=4))
    again = made(seed=7, size=4)
    assert [again[index] for index in (3, 1, 2, 0)] == [entries[index] for index in (3, 1, 2, 0)]
    assert made(seed=7, size=400)[3] == entries[3]
    questions = {entry["question"] for entry in (*entries, *made(seed=8, size=4))}
    assert len(questions) == 8
    with pytest.raises(IndexError):
        again[4]


def test_it_has_no_end() -> None:
    endless = ReseedingDataset(made(seed=7, size=2), chunk_size=2)
    puzzles = [entry["metadata"]["puzzle"] for entry in islice(endless, 5)]
    assert len(set(puzzles)) == 5


@pytest.mark.parametrize("notation", NOTATIONS)
def test_answers_are_replayed(notation: str) -> None:
    dataset = made(seed=1, size=1, min_step=2, max_step=2, notation=notation)
    (entry,) = dataset
    puzzle = Puzzle.parse(entry["metadata"]["puzzle"])
    plan = read_answer(entry["answer"], notation)
    assert puzzle.validate(plan)
    assert dataset.score_answer(entry["answer"], entry) == 1.0

    block = entry["answer"].removeprefix("<plan>").removesuffix("</plan>")
    assert dataset.score_answer(block, entry) == 1.0
    assert dataset.score_answer(f"Look:\n{entry['answer']}\nDone.", entry) == 1.0

    first = block.split()[0] if notation != "letters" else block[0]
    back = {"L": "R", "R": "L", "U": "D", "D": "U", "left": "right", "right": "left"}
    back |= {"up": "down", "down": "up", "0": "1", "1": "0", "2": "3", "3": "2"}
    there_and_back = f"{first} {back[first]} {block}"
    if puzzle.validate(read_answer(f"<plan>{there_and_back}</plan>", notation)):
        assert 0.5 < dataset.score_answer(there_and_back, entry) < 1
    assert dataset.score_answer(first, entry) <= 0.25


@pytest.mark.parametrize(
    "answer", [None, "", "I do not know", "<plan></plan>", "<plan>L", "x" * 3_000_000]
)
def test_no_answer_scores_nothing(answer: str | None) -> None:
    dataset = made(seed=1, size=1)
    assert dataset.score_answer(answer, dataset[0]) == 0.0


def test_steps_of_difficulty() -> None:
    entries = list(made(seed=3, size=6, min_step=1, max_step=2))
    assert {entry["metadata"]["difficulty"]["step"] for entry in entries} == {1, 2}
    curriculum = create_curriculum(adapter.NAME)
    curriculum.increment_attr_level("step")
    configuration = curriculum.generate_configuration({"size": 5, "seed": 1})
    assert (configuration.min_step, configuration.max_step) == (1, 2)


@pytest.mark.parametrize(
    "options", [{"min_step": 0}, {"max_step": 9}, {"format": "xml"}, {"notation": "x"}, {"size": 0}]
)
def test_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(PushWorldError):
        made(**options)
