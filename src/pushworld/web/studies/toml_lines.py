"""Where the keys of a TOML file are; Python's own parser does not say."""

from __future__ import annotations

import re
import tomllib
from typing import Any

Path = tuple[str | int, ...]
"""The way to a value: keys of tables, and places in arrays."""

_HEADER = re.compile(r"\s*(\[\[?)(.*?)\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:"[^"\n]*"|'[^'\n]*'|[^=\n])+?)\s*=\s*""")
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|#[^\n]*|[\[\]{},\n]|[^\[\]{},\n\"'#]+",
    re.DOTALL,
)


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Returns the line of a value, or of the nearest table around it that has one."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def key_lines(text: str) -> dict[Path, int]:
    """Returns the line of each key, of each table, and of each item of an array.

    Args:
        text: valid TOML. Values in inline tables have the line of the table's key.
    """
    lines: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    position, line = 0, 1
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        content = text[position:end].strip()
        if not content or content.startswith("#"):
            pass
        elif header := _HEADER.fullmatch(text, position, end):
            table = _current(_keys(f"[{header[2]}]"), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines[table] = line
        elif key := _KEY.match(text, position):
            path = (*table, *_keys(f"{key[1]} = 0"))
            lines[path] = line
            end = _skip_value(text, key.end(), line, path, lines)
        line += text.count("\n", position, end + 1)
        position = end + 1
    return lines


def _skip_value(text: str, position: int, line: int, path: Path, lines: dict[Path, int]) -> int:
    """Returns the end of a value's last line, and notes the lines of an array's items."""
    nesting: list[str] = []
    item, is_new = 0, True
    while token := _TOKEN.match(text, position):
        found = token[0]
        if found == "\n" and not nesting:
            break
        if nesting == ["["] and found.strip() and found[0] not in "#],":
            if is_new:
                lines[*path, item] = line
            is_new = False
        if found in ("[", "{"):
            nesting.append(found)
        elif found in ("]", "}"):
            nesting.pop()
        elif found == "," and nesting == ["["]:
            item, is_new = item + 1, True
        line += found.count("\n")
        position = token.end()
    return position


def _keys(line: str) -> Path:
    """Returns the keys that a header or the left side of a pair names."""
    value: Any = tomllib.loads(line)
    keys: list[str] = []
    while isinstance(value, dict) and value:
        ((key, value),) = value.items()
        keys.append(key)
    return tuple(keys)


def _current(keys: Path, counts: dict[Path, int]) -> Path:
    """Returns the path of a table, through the last item of each array of tables on the way."""
    path: Path = ()
    for index, key in enumerate(keys):
        path = (*path, key)
        if path in counts and index < len(keys) - 1:
            path = (*path, counts[path])
    return path
