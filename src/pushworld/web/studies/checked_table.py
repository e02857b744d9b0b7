"""Tables of a TOML file: values are taken one by one, and everything that is wrong is noted."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar, cast

KeyPath = tuple[str | int, ...]
"""The way to a value: keys of tables, and places in arrays."""

MAX_TEXT = 50_000
NAME_IS = "a letter, then at most 63 letters, digits, '-' or '_'"
_CLOSINGS = ("", "]", '"""', "'''")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

Value = TypeVar("Value")


@dataclass
class CheckedTable:
    """A table of the file."""

    values: dict[str, Any]  # what the file says
    path: KeyPath  # the way to the table
    problems: list[
        tuple[KeyPath, str]
    ]  # what is wrong, with the way to it; shared by all tables of the file
    known: list[str] = field(default_factory=list)  # the keys that were asked for

    def wrong(self, key: str | int | tuple[str | int, ...], problem: str) -> None:
        rest = key if isinstance(key, tuple) else (key,)
        self.problems.append(((*self.path, *rest), problem))

    def take(self, key: str, default: Value, accepts: Callable[[Any], bool], must_be: str) -> Value:
        """Returns a value, or the default if it is missing or wrong."""
        self.known.append(key)
        if key not in self.values:
            return default
        if not accepts(self.values[key]):
            self.wrong(key, f"must be {must_be}")
            return default
        return cast("Value", self.values[key])

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        if required and key not in self.values:
            self.wrong(key, "is missing")
        must_be = f"a text of at most {MAX_TEXT:,} characters, without control characters"
        found = self.take(key, default, is_text, must_be)
        if required and key in self.values and not found.strip():
            self.wrong(key, "must not be empty")
        return found

    def name(self, key: str) -> str:
        if key not in self.values:
            self.wrong(key, "is missing")
        return self.take(key, "", is_name, NAME_IS)

    def flag(self, key: str, default: bool) -> bool:
        return self.take(key, default, lambda value: isinstance(value, bool), "true or false")

    def number(
        self, key: str, default: Any, low: float, high: float, *, whole: bool = False
    ) -> Any:
        def fits(value: Any) -> bool:
            kinds = int if whole else (int, float)
            return isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high

        kind = "whole number" if whole else "number"
        return self.take(key, default, fits, f"a {kind} from {low:,.16g} to {high:,.16g}")

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        must_be = f"one of {', '.join(options)}"
        return self.take(key, default, lambda value: value in options, must_be)

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Returns a list of texts that differ."""
        found = self.take(key, list(default), lambda value: isinstance(value, list), "a list")
        for index, each in enumerate(found):
            if not is_text(each) or not each.strip():
                self.wrong((key, index), "must be a text")
            elif each in found[:index]:
                self.wrong((key, index), f"{each!r} is in this list twice")
        return tuple(each for each in found if isinstance(each, str))

    def table(self, key: str) -> CheckedTable:
        values: dict[str, Any] = self.take(
            key, {}, lambda value: isinstance(value, dict), f"a table: [{key}]"
        )
        return CheckedTable(values, (*self.path, key), self.problems)

    def tables(self, key: str, unique: str = "") -> list[CheckedTable]:
        """Returns the tables of a list, which must differ in what one of their keys says."""

        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(each, dict) for each in value)

        header = ".".join(map(str, (*self.path, key)))
        found: list[dict[str, Any]] = self.take(key, [], fits, f"tables: [[{header}]]")
        for index, each in enumerate(found):
            value = each.get(unique)
            if value is not None and value in [one.get(unique) for one in found[:index]]:
                self.wrong((key, index, unique), f"{value!r} is taken by an earlier one")
        return [
            CheckedTable(each, (*self.path, key, index), self.problems)
            for index, each in enumerate(found)
        ]

    def end(self) -> None:
        """Notes the keys that nothing has taken."""
        for key in self.values.keys() - set(self.known):
            close = get_close_matches(key, self.known, 1)
            meant = f"did you mean {close[0]}?" if close else f"known: {', '.join(self.known)}"
            self.wrong(key, f"there is no such key: {meant}")


def is_name(value: Any) -> bool:
    """Returns whether a value is a name as `NAME_IS` says."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_text(value: Any) -> bool:
    """Returns whether a value is a text that can be shown."""
    return (
        isinstance(value, str)
        and len(value) <= MAX_TEXT
        and not any(
            unicodedata.category(each) in ("Cc", "Cs") for each in value if each not in "\n\t"
        )
    )


def line_of(text: str, path: KeyPath) -> int:
    """Returns the line of a value in valid TOML, or of the nearest table around it.

    Python's own parser does not say, so it is the first line without which the value is not there.
    """
    lines = text.split("\n")

    def has(end: int) -> bool:
        for cut in range(end, len(lines)):
            for closing in _CLOSINGS:
                with suppress(tomllib.TOMLDecodeError):
                    return _holds(tomllib.loads("\n".join([*lines[:cut], closing])), path)
        return True

    values = tomllib.loads(text)
    while path and not _holds(values, path):
        path = path[:-1]
    return bisect_left(range(1, len(lines)), True, key=has) + 1 if path else 1


def _holds(value: Any, path: KeyPath) -> bool:
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True
