"""Generates the rooms of the package and the frozen evaluation set again, byte by byte the same.

python -m tests.text.freeze rooms FILE
python -m tests.text.freeze evaluation FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from pushworld.design.analysis import SKILLS, analyze
from pushworld.design.budget import DESIGNING
from pushworld.design.plan_features import plan_features
from pushworld.files import write_text
from pushworld.puzzle import Puzzle
from pushworld.text.evaluation_set import NAME, Row, file_of
from pushworld.text.questions import asked
from pushworld.text.steps import ROOM_STEPS, SLIDER_STEPS, STEPS, Generated, generate_step
from pushworld.text.tasks import Task

ROOMS_PER_STEP = 50
QUICK_STATES = 6_000
"""Rooms with more states take too long to explore."""

TOOLS_PER_STEP, OTHERS_PER_STEP, SLIDERS_PER_STEP = 20, 9, 24
"""The puzzles of each step of the evaluation set: of rooms that need a tool, of others, of sliders."""

PAPER = tuple(SKILLS)[:6]
"""The skills of the paper."""

LACKING = {1: {"path-planning", "assembly"}, 2: {"assembly"}}
"""Those that plans of a step are too short for; each other one is in each step."""

RARE = {
    1: ("multiple-goals", "movable-obstacle", "manipulation-planning"),
    2: ("multiple-goals", "path-planning"),
    4: ("assembly",),
}
"""Those that would be missing in a step, if no puzzle were drawn for them."""


def quick_rooms(step: int) -> Iterator[str]:
    """Yields rooms that suit a step and are explored quickly."""
    generated = generate_step(step, "rooms")
    return (f"{step} {rows_of(each.puzzle)}" for each in generated if each.states <= QUICK_STATES)


def entries(step: int) -> Iterator[Row]:
    """Yields the puzzles of a step of the evaluation set: first those for rare skills."""
    if step in SLIDER_STEPS:
        for each in islice(generate_step(step, NAME), SLIDERS_PER_STEP):
            yield _entry(step, each, each.facts)
        return
    left = {True: TOOLS_PER_STEP, False: OTHERS_PER_STEP}
    for wanted in RARE.get(step, ()):
        each, skills = next(drawn for drawn in _crowded(step, wanted) if wanted in drawn[1])
        left["tool-use" in skills] -= 1
        yield _entry(step, each, _proved(each, skills))
    for needs_tool in (True, False):
        plain = replace(ROOM_STEPS[step], chains=needs_tool)
        for each in generate_step(step, f"{NAME} {needs_tool}", step=plain):
            if not left[needs_tool]:
                break
            skills = _skills_of(each)
            if ("tool-use" in skills) == needs_tool:
                left[needs_tool] -= 1
                yield _entry(step, each, _proved(each, skills))


def _crowded(step: int, wanted: str) -> Iterator[tuple[Generated, tuple[str, ...]]]:
    """Yields puzzles of a step in which a skill is likelier than in others, and their skills."""
    goals = (2, 2) if wanted == "multiple-goals" else (1, 1)
    chains, least = wanted in ("assembly", "path-planning"), 3 if wanted == "assembly" else 0
    crowd = replace(ROOM_STEPS[step], goals=goals, others=(2, 3), chains=chains)
    for each in generate_step(step, f"{NAME} {wanted}", step=crowd):
        carried = plan_features(each.puzzle, each.plan).carried
        if max(map(len, carried), default=0) >= least:
            yield each, _skills_of(each)


def _skills_of(each: Generated) -> tuple[str, ...]:
    return analyze(each.puzzle, DESIGNING, planners=("default",), known_plan=each.plan).skills


def _proved(each: Generated, skills: tuple[str, ...]) -> Mapping[str, Any]:
    """Returns what is found out about the puzzle of a room."""
    task = Task("", each.puzzle, best_known=len(each.plan), shortest=True)
    judged, pushed = asked(task, "judge"), asked(task, "push")
    return {
        "skills": skills,
        "walk": judged.walk if judged else "",
        "dead_after": judged.dead_after if judged else None,
        "pushes": pushed.pushes if pushed else (),
    }


def _entry(step: int, each: Generated, facts: Mapping[str, Any]) -> Row:
    return {
        "name": f"{NAME}/{step}-{each.digest}",
        "step": step,
        "skills": list(facts["skills"]),
        "plan": each.plan,
        "puzzle": rows_of(each.puzzle),
        "walk": facts["walk"],
        "dead_after": facts["dead_after"],
        "pushes": list(facts["pushes"]),
    }


def rows_of(puzzle: Puzzle) -> str:
    """Returns a puzzle on one line."""
    return "/".join(" ".join(row.split()) for row in puzzle.to_pwp().splitlines())


def main(what: str, path: str) -> None:
    """Writes one of the files."""
    if what == "rooms":
        rooms = (islice(quick_rooms(step), ROOMS_PER_STEP) for step in ROOM_STEPS)
        text = "".join(f"{line}\n" for lines in rooms for line in lines)
    else:
        text = file_of(entry for step in STEPS for entry in entries(step))
    write_text(Path(path), text)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("rooms", "evaluation"):
        sys.exit("usage: python -m tests.text.freeze rooms|evaluation FILE")
    main(*sys.argv[1:])
