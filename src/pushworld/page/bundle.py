"""One script from modules that import each other: a page that loads dozens of files is slow on slow lines."""

import posixpath
import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*[\s\S]*?\*/|// .*)\n", re.MULTILINE)


def bundled(modules: Mapping[str, str], *entries: str) -> str:
    """Returns a script that does what loading the entries does.

    Each module becomes a function that returns what it exports, after those that it imports.

    Args:
        modules: the texts of all modules by path. They import by name (``import { a } from "./b.js";``),
            export declarations, and do not import each other in circles.
        entries: the paths of the modules that are loaded.
    """
    names: dict[str, str] = {}
    parts: list[str] = []

    def add(path: str) -> str:
        if path in names:
            return names[path]

        def imported(found: re.Match[str]) -> str:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))
            return f"const {{{found[1].replace(' as ', ': ')}}} = {add(target)};\n"

        body = _IMPORT.sub(imported, _COMMENT.sub("", modules[path]))
        exports = ", ".join(_EXPORT.findall(body))
        names[path] = f"$module{len(names)}"
        parts.append(
            f"const {names[path]} = (() => {{\n{_EXPORT.sub('', body)}return {{ {exports} }};\n}})();\n"
        )
        return names[path]

    for entry in entries:
        add(entry)
    return "".join(parts)
