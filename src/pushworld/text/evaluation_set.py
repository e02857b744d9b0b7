"""The frozen evaluation set: generated puzzles of all steps, in one file of the package.

    python -m pushworld.text.evaluation_set FILE

generates the set again and writes it to a file, byte by byte the same.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from pushworld.design.analysis import analyze
from pushworld.design.budget import DESIGNING
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.text.canary import CANARY
from pushworld.text.steps import STEPS, Generated, generate_step

NAME = "evaluation-v1"
"""The name of the set, its file and its seed. Another content needs another name."""

PUZZLES_PER_STEP = 40


@cache
def evaluation_set() -> tuple[dict[str, Any], ...]:
    """Returns the entries of the set's file, from easy to hard.

    Raises:
        PushWorldError: if the file is not the one that was published.
    """
    text = (files(__package__) / f"{NAME}.jsonl").read_text(encoding="utf-8")
    header, _, body = text.partition("\n")
    if json.loads(header)["sha256"] != _digest(body):
        raise PushWorldError(f"the file of the set {NAME} is damaged: install the package again")
    return tuple(json.loads(line) for line in body.splitlines())


def entry_of(step: int, generated: Generated) -> dict[str, Any]:
    """Returns the entry of a puzzle in the file."""
    skills = analyze(
        generated.puzzle, DESIGNING, planners=("default",), known_plan=generated.plan
    ).skills
    rows = (" ".join(row.split()) for row in generated.puzzle.to_pwp().splitlines())
    return {
        "name": f"{NAME}/{step}-{generated.digest}",
        "step": step,
        "skills": skills,
        "plan": generated.plan,
        "puzzle": "/".join(rows),
    }


def puzzle_of(entry: dict[str, Any]) -> Puzzle:
    """Returns the puzzle of an entry."""
    return Puzzle.parse(entry["puzzle"].replace("/", "\n"), name=entry["name"])


def entries(step: int, count: int) -> Iterable[dict[str, Any]]:
    """Yields the first entries of a step, generated anew."""
    return (entry_of(step, each) for each in islice(generate_step(step, NAME), count))


def file_of(lines: Iterable[dict[str, Any]]) -> str:
    """Returns the text of the set's file: a header with the canary string, then one entry a line."""
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    header = {"set": NAME, "canary": CANARY, "sha256": _digest(body)}
    return json.dumps(header) + "\n" + body


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def main(path: str) -> None:
    """Generates the set and writes its file."""
    lines = []
    for step in STEPS:
        for entry in entries(step, PUZZLES_PER_STEP):
            lines.append(entry)
            print(entry["name"], len(entry["plan"]), flush=True)
    Path(path).write_text(file_of(lines), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m {__spec__.name} FILE")
    main(sys.argv[1])
