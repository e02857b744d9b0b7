"""Generates the rooms of the package and the frozen evaluation set again, byte by byte the same.

python -m tests.text.freeze rooms FILE
python -m tests.text.freeze evaluation FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pushworld.design.analysis import analyze
from pushworld.design.budget import DESIGNING
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


def quick_rooms(step: int) -> Iterator[str]:
    """Yields rooms that suit a step and are explored quickly."""
    generated = generate_step(step, "rooms")
    return (f"{step} {rows_of(each.puzzle)}" for each in generated if each.states <= QUICK_STATES)


def entries(step: int) -> Iterator[Row]:
    """Yields the puzzles of a step of the evaluation set."""
    if step in SLIDER_STEPS:
        found = islice(generate_step(step, NAME), SLIDERS_PER_STEP)
        yield from (_entry(step, each, _slider_skills(each)) for each in found)
        return
    left = {True: TOOLS_PER_STEP, False: OTHERS_PER_STEP}
    for needs_tool in (True, False):
        for each in generate_step(step, f"{NAME} {needs_tool}", chains=needs_tool):
            if not left[needs_tool]:
                break
            plan = each.plan
            skills = analyze(each.puzzle, DESIGNING, planners=("default",), known_plan=plan).skills
            if ("tool-use" in skills) == needs_tool:
                left[needs_tool] -= 1
                yield _entry(step, each, skills)


def _slider_skills(sliders: Generated) -> tuple[str, ...]:
    """Returns what sliders demand by their construction: where only one has a goal, the others are in its way."""
    return ("movable-obstacle",) if len(sliders.puzzle.goal) == 1 else ()


def _entry(step: int, generated: Generated, skills: tuple[str, ...]) -> Row:
    puzzle, plan = generated.puzzle, generated.plan
    # In a world of sliders, random walks meet no dead ends.
    task = Task("", puzzle, best_known=len(plan), shortest=True, proved=step in SLIDER_STEPS)
    judged, pushed = asked(task, "judge"), asked(task, "push")
    return {
        "name": f"{NAME}/{step}-{generated.digest}",
        "step": step,
        "skills": list(skills),
        "plan": plan,
        "puzzle": rows_of(puzzle),
        "walk": judged.walk if judged else "",
        "dead_after": judged.dead_after if judged else None,
        "pushes": list(pushed.pushes) if pushed else [],
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
