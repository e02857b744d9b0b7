"""Checks an implementation of PushWorld against the cases of this folder. It needs Python alone.

    python check.py COMMAND...

The command reads one JSON object in each line of its standard input, ``{"puzzle": TEXT, "actions": "LRUD..."}``, and
answers each with a line: ``{"refused": true}`` if the puzzle is not valid, else ``{"states": [...], "achieved": [...],
"solved": BOOL}`` (see README.md).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases-1.jsonl")

Case = dict[str, Any]


def load_cases(file: Path = CASES) -> list[Case]:
    """Returns all cases."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def question(case: Case) -> Case:
    """Returns what a port is asked."""
    return {"puzzle": case["puzzle"], "actions": case.get("actions", "")}


def differences(cases: Iterable[Case], answers: Iterable[Any]) -> Iterator[tuple[Case, str]]:
    """Yields each case that was answered otherwise than it should be, and how."""
    for case, answer in zip(cases, answers, strict=True):
        expected = case["answer"]
        if not isinstance(answer, dict):
            yield case, f"the answer is no JSON object: {answer!r}"
        elif bool(answer.get("refused")) != bool(expected.get("refused")):
            yield case, "refused" if answer.get("refused") else "not refused"
        elif not expected.get("refused"):
            for name in ("states", "achieved", "solved"):
                if answer.get(name) != expected[name]:
                    yield case, _first_difference(name, answer.get(name), expected[name])
                    break


def _first_difference(name: str, found: Any, expected: Any) -> str:
    if isinstance(expected, list) and isinstance(found, list):
        for step, (theirs, right) in enumerate(zip(found, expected, strict=False)):
            if theirs != right:
                return f"{name} after {step} actions: {theirs}, not {right}"
    return f"{name}: {found!s:.80}, not {expected!s:.80}"


def main(command: list[str]) -> int:
    if not command:
        sys.exit(__doc__)
    cases = load_cases()
    asked = "".join(json.dumps(question(case)) + "\n" for case in cases)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8")
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(cases):
        print(f"{len(lines)} answers to {len(cases)} questions, exit code {done.returncode}")
        print(done.stderr[-2000:])
        return 2
    wrong: Counter[str] = Counter()
    for case, problem in differences(cases, map(json.loads, lines)):
        wrong[case["rule"]] += 1
        print(f"{case['rule']}, {case['name']}: {problem}")
    print(f"{len(cases) - wrong.total()} of {len(cases)} cases right", end="")
    print(f"; wrong rules: {', '.join(wrong)}" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
