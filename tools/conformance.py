"""Writes the cases of `conformance/`: puzzles, actions, and what the reference dynamics makes of them.

    python tools/conformance.py

Cases by hand show one rule each; random rooms show all of them together. A change of the cases is a new version of the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.puzzle import Puzzle, PuzzleError, parse_plan, reference

FILE = Path(__file__).resolve().parent.parent / "conformance" / "cases-1.jsonl"
RANDOM_ROOMS, ACTIONS = 60, 40

# rule, name, rows parted by slashes, actions
PLAYED = (
    ("actions", "each direction and back", ". . ./. A ./. . .", "LRRLUDDU"),
    ("actions", "an action without effect", "A . M1 G1", "LLUDRR"),
    ("pushing", "a single object", "A M1 . G1", "RR"),
    ("pushing", "a chain", "A M1 M2 . .", "RRRL"),
    ("pushing", "two objects at once", ". M1 ./A . ./A M2 .", "RRR"),
    ("pushing", "nothing is pulled", ". A M1 .", "LR"),
    ("pushing", "an object pushes two, one of which is stopped", "A M1 M2 ./. M1 M3 W/. . . .", "RDRL"),
    ("pushing", "one of two branches is stopped, and nothing moves", ". . A . ./. M1 M1 M1 ./. M2 . M3 ./. . . W .", "DDLD"),
    ("pushing", "a long chain around a corner", ". . M2 M2/A M1 M1 M2/. . M3 ./. . . .", "RDRR"),
    ("walls", "a wall stops the agent", "A W .", "RRL"),
    ("walls", "a wall stops an object, and so the agent", "A M1 W", "RR"),
    ("walls", "a wall stops the end of a chain", "A M1 M2 W", "RR"),
    ("walls", "the border stops", "A M1", "RRLUDL"),
    ("agent walls", "the agent is stopped", "A AW .", "RR"),
    ("agent walls", "an object is not", "A M1 AW .", "RRR"),
    ("agent walls", "an object starts on one", "A . M1+AW .", "RRR"),
    ("agent walls", "a cell of a large agent is stopped", "A . ./A AW ./. . .", "RDRU"),
    ("shapes", "cells that do not touch are one object", "A M1 . M1 ./. . . . .", "RRDR"),
    ("shapes", "an agent of two parts", "A . A ./. M1 . ./. . . .", "DRRD"),
    ("shapes", "the corner of a ring without a corner cell", ". . M1 . ./A M1 . M1 ./. . M1 . ./. . . . .", "RRU"),
    ("shapes", "an object in a ring moves when it is touched", "A M1 M1 M1 ./. M1 M2 M1 ./. M1 M1 M1 ./. . . . .", "DRRR"),
    ("shapes", "a hook", ". M1 M1 ./A . M1 ./. M1 M1 ./. . . .", "RRLR"),
    ("shapes", "objects that interlock", ". M1 M1 . ./A M1 M2 M2 ./. M1 M1 M2 ./. . . M2 .", "RRDR"),
    ("goals", "one object", "A M1 . G1 .", "RRR"),
    ("goals", "all must hold", "A M1 G1 . ./. . . . ./A M2 . G2 .", "RRR"),
    ("goals", "a goal that holds at the start", "A . M1+G1 .", "LRRR"),
    ("goals", "only the last state counts", "A M1 G1 . .", "RR"),
    ("goals", "an outline under the agent, a wall and another goal", "A+G1 M1 . W+G2 M2/. . . . .", "RLDR"),
    ("goals", "the position counts, not the cells", ". . . . ./A M1 . M1 ./. G1 . G1 .", "RDR"),
    ("goals", "without goals nothing is solved", "A M1 . .", "RR"),
    ("goals", "an object without a goal may stand on an outline", "A M2 G1 . ./. M1 . . .", "RDR"),
    ("files", "ids in small letters", "a m1 g1 w aw", "R"),
    ("files", "long ids", "A Mfoo . Gfoo M12 .", "RRR"),
    ("files", "several spaces and tabs", "A\t M1   .\tG1", "RR"),
    ("files", "no final newline and blank lines at the end", "A . ./. . .//", "RD"),
    ("files", "cells of several elements", "A+G1 . M1/. . ./. . .", "RRDL"),
    ("files", "the border is added", "A", "LRUD"),
)  # fmt: skip

# rule, name, rows
REFUSED = (
    ("refused", "rows of different lengths", "A . ./. ."),
    ("refused", "an empty file", ""),
    ("refused", "blank lines alone", "//"),
    ("refused", "a blank line between rows", "A .//. ."),
    ("refused", "no agent", ". M1 ."),
    ("refused", "a goal without its object", "A . G1"),
    ("refused", "a goal of another shape", "A M1 . G1 G1"),
    ("refused", "a goal of the same cells in another order", "A M1 M1 ./. M1 . ./G1 G1 . ./. G1 . ."),
    ("refused", "an unknown id", "A X ."),
    ("refused", "an id without a number", "A M ."),
    ("refused", "two objects in one cell", "A M1+M2 ."),
    ("refused", "an object in a wall", "A M1+W ."),
    ("refused", "the agent in a wall", "A+W . ."),
    ("refused", "the agent in an object", "A+M1 . ."),
    ("refused", "the agent in an agent wall", "A+AW . ."),
)  # fmt: skip


def cases() -> Iterator[dict[str, Any]]:
    """Yields all cases."""
    for rule, name, rows, actions in PLAYED:
        yield played(rule, name, rows.replace("/", "\n"), actions)
    for rule, name, rows in REFUSED:
        text = rows.replace("/", "\n")
        try:
            Puzzle.parse(text)
        except PuzzleError:
            yield {"rule": rule, "name": name, "puzzle": text, "answer": {"refused": True}}
        else:
            sys.exit(f"{name}: the puzzle is not refused")
    random = Random(1)
    for number in range(RANDOM_ROOMS):
        level, side = random.randint(1, 3), random.randint(4, 8)
        room = random_room(room_plan(level, side, side, 0.3), random)
        actions = "".join(random.choices("LRUD", k=ACTIONS // 4))
        actions = "".join(each * random.randint(1, 4) for each in actions)
        yield played("all", f"room {number}", room.to_pwp(), actions)


def played(rule: str, name: str, text: str, actions: str) -> dict[str, Any]:
    """Returns a case with the answer of the reference dynamics."""
    puzzle = Puzzle.parse(text)
    goals = {thing.name.upper(): thing.goal for thing in puzzle.objects}
    states = [puzzle.initial_state]
    for action in parse_plan(actions):
        states.append(reference.step(puzzle, states[-1], action))
    shown = [dict(zip(goals, state, strict=True)) for state in states]
    achieved = [sorted(each for each in goals if state[each] == goals[each]) for state in shown]
    answer = {"states": shown, "achieved": achieved, "solved": puzzle.is_solved(states[-1])}
    return {"rule": rule, "name": name, "puzzle": text, "actions": actions, "answer": answer}


if __name__ == "__main__":
    lines = [json.dumps(case) + "\n" for case in cases()]
    FILE.write_text("".join(lines), encoding="utf-8")
    print(f"{FILE.name}: {len(lines)} cases, {sum(map(len, lines)):,} bytes")
