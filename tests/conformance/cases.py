"""Writes the answers of the conformance kit's cases again, as the reference dynamics give them.

    python -m tests.conformance.cases

A new case is a line with its rule, name, puzzle and actions. A change of the cases is a new version of the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pushworld.puzzle import Puzzle, PuzzleError, parse_plan, reference

KIT = Path(__file__).parents[2] / "conformance"
sys.path.insert(0, str(KIT))

import check as check  # noqa: E402
import port as port  # noqa: E402

Case = dict[str, Any]


def of_steps(step: Callable[[Puzzle], Callable[[Any, int], Any]]) -> Callable[[Case], Case]:
    """Returns a port with this package's parser and the given dynamics."""

    def answer(question: Case) -> Case:
        try:
            puzzle = Puzzle.parse(question["puzzle"])
        except PuzzleError:
            return {"refused": True}
        names = [thing.name.upper() for thing in puzzle.objects]
        states, move = [puzzle.initial_state], step(puzzle)
        for action in parse_plan(question["actions"]):
            states.append(move(states[-1], action))
        goals = dict(zip(names[1:], puzzle.goal, strict=False))
        found = port.told([dict(zip(names, state, strict=True)) for state in states], goals)
        return found | {"solved": puzzle.is_solved(states[-1])}

    return answer


of_reference = of_steps(lambda puzzle: lambda state, action: reference.step(puzzle, state, action))


def main() -> None:
    cases = [case | {"answer": of_reference(check.question(case))} for case in check.load_cases()]
    check.CASES.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")


if __name__ == "__main__":
    main()
