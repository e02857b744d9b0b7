"""People as contestants: a study that asks them what models are asked, and what they made of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pushworld.datasets import HumanSolutions
from pushworld.files import make_folder, replaced, write_text
from pushworld.text import Task, picture, question_of, score_answer
from pushworld.text.answers import ANSWER, block
from pushworld.text.prompts import PICTURE, rules

STUDY = """\
title = "PushWorld: pushing objects"
consent = "My moves and my answers may be stored, without my name."
instructions = {instructions}
block_order = "random"

[participants]
anonymous = true
"""
BLOCK = """
[[blocks]]
name = "{kind}"
puzzles = {puzzles}
order = "random"
"""


Games = tuple[int, int] | None
"""How many games or answers of people were right, and how many there were; None of others."""


def write_study(chosen: Iterable[Task], folder: Path) -> Path:
    """Writes a study file with its puzzles and pictures into a folder; returns its path.

    It has a block for each kind of task: plans are found by playing, all else is asked about a picture.
    """
    make_folder(folder)
    told, *_ = rules().partition("\n\nExamples")
    about = f"{told}\n{PICTURE}".replace("\n", "\n\n")
    blocks: dict[str, list[str]] = {}
    asks: dict[str, list[str]] = {}
    for task in chosen:
        name = task.name.rpartition("/")[2]
        write_text(folder / f"{name}.pwp", task.puzzle.to_pwp())
        blocks.setdefault(task.kind, []).append(f"{name}.pwp")
        if task.kind != "plan":
            with replaced(folder / f"{name}.png") as new:
                new.write_bytes(picture(task.puzzle))
            question = question_of(task)
            text = f"{question.text}\nFor example: {question.example}"
            asks.setdefault(task.kind, []).append(f'"{name}.pwp" = {json.dumps(text)}\n')
    parts = [STUDY.format(instructions=json.dumps(about))]
    for kind, names in blocks.items():
        parts.append(BLOCK.format(kind=kind, puzzles=json.dumps(names)))
        if kind in asks:
            parts += ["[blocks.asks]\n", *asks[kind]]
    write_text(folder / "study.toml", "".join(parts))
    return folder / "study.toml"


def answer_of_people(task: Task, solutions: HumanSolutions) -> tuple[str | None, Games]:
    """Returns the shortest plan of people or their most frequent answer, and how many were right of how many."""
    if task.kind == "plan":
        plan = solutions.plan_of(replace(task.puzzle, name=task.name), task.set)
        return plan and block(plan), solutions.games_of(task.puzzle)
    given = Counter(block(each, ANSWER) for each in solutions.answers_to(task.puzzle, task.kind))
    right = sum(given[each] for each in given if score_answer(task, each).solved)
    return next((each for each, _ in given.most_common(1)), None), (right, given.total())
