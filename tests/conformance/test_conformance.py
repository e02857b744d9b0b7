"""The conformance kit: our implementations pass it, and a port with any rule wrong does not."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pushworld.engine import Engine
from pushworld.puzzle import Puzzle
from tests.conformance.cases import KIT, check, of_reference, of_steps, port

CASES = check.load_cases()
SOURCE = (KIT / "port.py").read_text(encoding="utf-8")

GOAL_IN_A_CELL = """\
    found = told(states, world.goals)
    for state, achieved in zip(states, found["achieved"], strict=True):
        cells = {name: moved(shape(each), state[name]) for name, each in world.objects.items()}
        achieved[:] = sorted(name for name, goal in world.goals.items() if goal in cells[name])
    return found | {"solved": bool(world.goals) and len(achieved) == len(world.goals)}
"""
MUTANTS = {
    "directions swapped": ('"U": (0, -1), "D": (0, 1)', '"U": (0, 1), "D": (0, -1)'),
    "only the agent pushes": ("for name in moving:\n            entered", 'for name in ["A"]:\n            entered'),
    "only one object is pushed": ("moving.append(other)", "moving.append(other)\n                    break"),
    "walls do not stop objects": ("if entered & self.walls or", 'if (name == "A" and entered & self.walls) or'),
    "walls do not stop the agent": ("if entered & self.walls or", 'if (name != "A" and entered & self.walls) or'),
    "the border does not stop": ("set()) | (border - inside)", "set())"),
    "agent walls stop nothing": ('(name == "A" and entered & self.agent_walls)', "False"),
    "agent walls stop everything": ('(name == "A" and entered & self.agent_walls)', "entered & self.agent_walls"),
    "agent walls stop the agent's corner alone": ('(name == "A" and entered & self.agent_walls)', '(name == "A" and corner(entered) in self.agent_walls)'),
    "objects before the one that is stopped move": ("                return\n", "                moving = moving[: moving.index(name)]\n                break\n"),
    "any goal is enough": ("len(reached[-1]) == len(goals)", "len(reached[-1]) > 0"),
    "the first goal is enough": ("len(reached[-1]) == len(goals)", "reached[-1][:1] == sorted(goals)[:1]"),
    "the last goal is enough": ("len(reached[-1]) == len(goals)", "reached[-1][-1:] == sorted(goals)[-1:]"),
    "without goals all is solved": ("bool(goals) and ", ""),
    "once achieved, always achieved": ("if state[name] == goals[name])", "if any(each[name] == goals[name] for each in states[: 1 + [*map(id, states)].index(id(state))]))"),
    "the goal is one of its cells": ("    return told(states, world.goals)\n", GOAL_IN_A_CELL),
    "the corner is the first cell": ("return min(x for x, _ in cells), min(y for _, y in cells)", "return min(cells, key=lambda cell: cell[::-1])"),
    "ids have one case": ("cell.upper().split", "cell.split"),
    "ids are spelt in one way": ("if any(not re.fullmatch", 'ids = {each[1:] for each in re.split(r"[\\s+]+", text)}\n        if len(ids) > len({each.upper() for each in ids}) or any(not re.fullmatch'),
    "spaces at both ends are cells": ("line.split()", r're.split(r"\s+", line.rstrip("\r"))'),
    "ids are numbers": ('"A|W|AW|[MG].+"', r'r"A|W|AW|[MG]\d+"'),
    "any id": ('"A|W|AW|[MG].+"', '".*"'),
    "ids without a number": ('"A|W|AW|[MG].+"', '"A|W|AW|[MG].*"'),
    "cells are parted by one space": ("line.split()", 'line.split(" ")'),
    "the last line ends the file": ("text.rstrip().split", "text.split"),
    "only single elements": ('cell.upper().split("+")', '[cell.upper().split("+")[0]]'),
    "ragged rows": ("any(len(row) != width for row in rows)", "False"),
    "no agent": ('"A" not in cells or not', "not"),
    "goals without objects": ("not set(outlines) <= set(cells)", "False"),
    "goals of any shape": ("shape(each) != shape(cells[name]) for", "False for"),
    "objects may overlap": ("len(taken) > len(set(taken)) or", "False or"),
    "objects may stand in walls": ("self.walls & set(taken)", "False"),
    "the agent may stand in agent walls": ('if cells["A"] & self.agent_walls:', "if False:"),
    "goals of as many cells": ("shape(each) != shape(cells[name]) for", "len(each) != len(cells[name]) for"),
    "outlines may not overlap walls": ("self.walls & set(taken)", "self.walls & {cell for each in (*cells.values(), *outlines.values()) for cell in each}"),
    "outlines may not overlap objects": ("taken = [cell for each in cells.values()", "taken = [cell for each in (*cells.values(), *outlines.values())"),
    "objects may not start on agent walls": ('if cells["A"] & self.agent_walls:', "if set(taken) & self.agent_walls:"),
    "the border has no place": ("enumerate(row, 1)", "enumerate(row, 0)"),
    "blank lines between rows are skipped": (r'for line in text.rstrip().split("\n")]', r'for line in text.rstrip().split("\n") if line.strip()] or [[]]'),
    "without goals a puzzle is refused": ('if "A" not in cells or', 'if not outlines or "A" not in cells or'),
    "actions without effect do not count": ("        states.append(world.state())\n", "        if world.state() == states[-1]:\n            continue\n        states.append(world.state())\n"),
    "the agent pushes, but not twice": ("        world.step(action)\n", "        world.step(action)\n        world.step(action)\n"),
    "a plan ends when it is solved": ("        world.step(action)\n", "        if told(states, world.goals)[\"solved\"]:\n            break\n        world.step(action)\n"),
    "connected parts are objects": ("entered & self.objects[other]", "entered & set(sorted(self.objects[other])[:1])"),
    "the agent stops what it pushes": ("            for other in self.objects:\n", "            if name != 'A' and entered & self.objects['A']:\n                return\n            for other in self.objects:\n"),
    "chains of at most five": ("        for name in moving:\n            entered", "        for name in itertools.islice(moving, 6):\n            entered"),
    "ids of letters and digits": ('"A|W|AW|[MG].+"', r'r"A|W|AW|[MG]\w+"'),
    "ids of two characters": ('"A|W|AW|[MG].+"', '"A|W|AW|[MG]."'),
    "walls may have numbers": ('"A|W|AW|[MG].+"', r'r"A|A?W\d*|[MG].+"'),
    "agents may have numbers": ('"A|W|AW|[MG].+"', r'r"A\d*|W|AW|[MG].+"'),
    "lines end in one way": ("line.split()", r're.findall("[^ \t]+", line)'),
    "tabs are no white space": ("line.split()", 're.findall("[^ ]+", line)'),
    "blank lines before the rows are skipped": ("text.rstrip()", "text.strip()"),
    "outlines may not overlap outlines": ("if len(taken) > len(set(taken))", "if sum(map(len, outlines.values())) > len(set().union(*outlines.values())) or len(taken) > len(set(taken))"),
    "outlines may not overlap agent walls": ("if cells[\"A\"] & self.agent_walls:", "if self.agent_walls & cells[\"A\"].union(*outlines.values()):"),
}  # fmt: skip


def wrong(answer: Callable[[Any], Any]) -> list[str]:
    """Returns the names of the cases that a port answers otherwise."""
    answers = []
    for case in CASES:
        try:
            answers.append(json.loads(json.dumps(answer(check.question(case)))))
        except Exception as error:  # of a mutant
            answers.append(f"{error!r}")
    return [case["name"] for case, _ in check.differences(CASES, answers)]


def native_batch(puzzle: Puzzle) -> Callable[[Any, int], Any]:
    import numpy as np

    engine = Engine(puzzle)

    def move(state: Any, action: int) -> Any:
        states = np.array([state], np.int16)
        engine.step_batch(states, np.array([action], np.uint8))
        return tuple(map(tuple, states[0].tolist()))

    return move


def test_the_cases_are_those_of_the_reference() -> None:
    assert wrong(of_reference) == []
    assert all(case.get("actions") or case["rule"] == "refused" for case in CASES)


@pytest.mark.parametrize(
    "answer",
    [port.answer, of_steps(lambda puzzle: Engine(puzzle).step), of_steps(native_batch)],
    ids=["example", "native", "native batch"],
)
def test_our_implementations_pass(answer: Callable[[Any], Any]) -> None:
    assert wrong(answer) == []


def test_jax_passes() -> None:
    pytest.importorskip("jax", reason="needs JAX")
    import port_jax

    answers = port_jax.answers([check.question(case) for case in CASES])
    assert [case["name"] for case, _ in check.differences(CASES, answers)] == []


def test_the_page_passes() -> None:
    playwright = pytest.importorskip("playwright", reason="needs the Node.js of Playwright")
    node = Path(playwright.__file__).parent / "driver" / "node"
    done = subprocess.run(
        [sys.executable, KIT / "check.py", node, KIT / "port.mjs"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout == f"{len(CASES)} of {len(CASES)} cases right\n"


def test_the_readme_counts_cases_and_rules() -> None:
    text = (KIT / "README.md").read_text(encoding="utf-8")
    counted = {
        rule: int(count) for rule, count in re.findall(r"\| `([a-z ]+)` \|.* (\d+) \|", text)
    }
    assert counted == Counter(case["rule"] for case in CASES)
    assert f"any of {len(MUTANTS)} rules" in text


@pytest.mark.parametrize("name", MUTANTS)
def test_a_port_with_a_wrong_rule_is_caught(name: str) -> None:
    old, new = MUTANTS[name]
    assert SOURCE.count(old) == 1
    mutant: dict[str, Any] = {"__name__": "mutant", "itertools": itertools}
    exec(SOURCE.replace(old, new), mutant)
    assert wrong(mutant["answer"])


def test_a_program_that_fails_is_reported() -> None:
    done = subprocess.run(
        [sys.executable, KIT / "check.py", sys.executable, "-c", "raise SystemExit('broken')"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stdout == f"0 answers to {len(CASES)} questions, exit code 1\n"
    assert done.stderr == "broken\n"


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        (["no-such-port"], 2, "no-such-port does not start: "),
        ([sys.executable, "-c", f"print('hello\\n' * {len(CASES)}, end='')"], 1, "no JSON object: 'hello'"),
    ],
)  # fmt: skip
def test_what_is_no_port_is_told_in_a_line(command: list[str], code: int, told: str) -> None:
    done = subprocess.run(
        [sys.executable, KIT / "check.py", *command], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (code, "")
    assert told in done.stdout.splitlines()[0]
