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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases-1.jsonl")

Case = dict[str, Any]


def load_cases() -> list[Case]:
    """Returns all cases."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def question(case: Case) -> Case:
    """Returns what a port is asked."""
    return {"puzzle": case["puzzle"], "actions": case.get("actions", "")}


def differences(cases: list[Case], answers: list[Any]) -> Iterator[tuple[Case, str]]:
    """Yields each case that was answered otherwise than it should be, and how."""
    for case, answer in zip(cases, answers, strict=True):
        if not isinstance(answer, dict):
            yield case, f"the answer is no JSON object: {answer!r:.80}"
            continue
        answer["refused"] = bool(answer.get("refused"))
        for name, right in ({"refused": False} | case["answer"]).items():
            if (found := answer.get(name)) != right:
                if isinstance(right, list) and isinstance(found, list) and len(right) == len(found):
                    step = next(i for i, each in enumerate(right) if each != found[i])
                    name, found, right = f"{name}[{step}]", found[step], right[step]
                yield case, f"{name} is {found!s:.80}, not {right!s:.80}"
                break


def parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line


def main(command: list[str]) -> int:
    if not command:
        sys.exit(__doc__)
    cases = load_cases()
    asked = "".join(json.dumps(question(case)) + "\n" for case in cases)
    try:
        done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, encoding="utf-8")
    except OSError as error:
        print(f"{command[0]} does not start: {error}")
        return 2
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(cases):
        print(f"{len(lines)} answers to {len(cases)} questions, exit code {done.returncode}")
        return 2
    wrong: Counter[str] = Counter()
    for case, problem in differences(cases, [*map(parsed, lines)]):
        wrong[case["rule"]] += 1
        print(f"{case['rule']}, {case['name']}: {problem}")
    print(f"{len(cases) - wrong.total()} of {len(cases)} cases right", end="")
    print(f"; wrong rules: {', '.join(wrong)}" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
