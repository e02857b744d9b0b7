"""Words that several commands print."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number with the word for what it counts."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
