"""Reads two habits of our docstrings.

One line may describe several arguments: ``width, height: the size``. Pages are named by their files:
docs/explanation/planners.md.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

SHARED = re.compile(r"^( {4,})(\w+(?:, \w+)+): ", re.MULTILINE)


PAGE = re.compile(r"`*docs/([\w/-]+/)([\w-]+)\.md`*")


class Habits(griffe.Extension):
    """Repeats such a line for each of its names and makes links of pages, before docstrings are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Changes the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = PAGE.sub(r"[\2](../../\1\2.md)", obj.docstring.value)
        if obj.docstring and SHARED.search(obj.docstring.value):
            lines = obj.docstring.value.splitlines()
            obj.docstring.value = "\n".join(
                copy
                for number, line in enumerate(lines)
                for copy in copies(line, lines[number + 1 :])
            )


def copies(line: str, following: list[str]) -> list[str]:
    """Returns a line once for each name that it describes, with what follows it in the source."""
    found = SHARED.match(line)
    if not found:
        return [line]
    indent, names = found[1], found[2].split(", ")
    rest = []
    for each in following:
        if not each.startswith(indent + "    "):
            break
        rest.append(each)
    described = line[found.end() :]
    return [
        *(part for name in names[:-1] for part in (f"{indent}{name}: {described}", *rest)),
        f"{indent}{names[-1]}: {described}",
    ]
