"""Reads three habits of our code.

One line may describe several arguments: ``width, height: the size``. Pages are named by their files:
docs/explanation/planners.md. Fields are described by a comment behind or above them.
"""

import re
from pathlib import Path
from typing import Any

import griffe

SHARED = re.compile(r"^( {4,})(\w+(?:, \w+)+): ", re.MULTILINE)

PAGE = re.compile(r"`*docs/([\w/-]+/)([\w-]+)\.md`*")
BEHIND = re.compile(r"  # (?!type:|noqa)(.+)$")
ABOVE = re.compile(r"^    # (.+)$")


class Habits(griffe.Extension):
    """Repeats such a line for each of its names, makes links of pages and docstrings of comments, before docstrings
    are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Changes the docstring of one object."""
        if isinstance(obj, griffe.Class) and obj.docstring and (fields := described_fields(obj)):
            obj.docstring.value += "\n\nAttributes:\n" + "\n".join(fields)
        if obj.docstring:
            obj.docstring.value = PAGE.sub(r"[\2](../../\1\2.md)", obj.docstring.value)
        if obj.docstring and SHARED.search(obj.docstring.value):
            lines = obj.docstring.value.splitlines()
            obj.docstring.value = "\n".join(
                copy
                for number, line in enumerate(lines)
                for copy in copies(line, lines[number + 1 :])
            )


def described_fields(obj: griffe.Class) -> list[str]:
    """Returns a line for each field of a class that a comment describes."""
    assert isinstance(obj.filepath, Path)
    lines = obj.lines_collection[obj.filepath]
    found: dict[str, None] = {}
    for name, field in obj.attributes.items():
        if field.lineno is None or field.endlineno is None or field.docstring:
            continue
        if behind := BEHIND.search(lines[field.endlineno - 1]):
            found[f"    {name}: {behind[1]}"] = None
            continue
        first = field.lineno - 1
        while ABOVE.match(lines[first - 1]):
            first -= 1
        if above := " ".join(line.strip("# ") for line in lines[first : field.lineno - 1]):
            names = SHARED.match(f"    {above}")
            found[f"    {above}" if names else f"    {name}: {above}"] = None
    return list(found)


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
