"""The page's modules: every import resolves, every export is used; oxlint checks the rest."""

from __future__ import annotations

import re
from pathlib import Path

from pushworld.page.drawing import STATIC_FOLDER

MODULES = sorted((STATIC_FOLDER / "js").rglob("*.js"))
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]*)";$', re.MULTILINE)


def test_every_import_resolves_and_every_export_is_used() -> None:
    exported: set[tuple[Path, str]] = set()
    imported: set[tuple[Path, str]] = set()
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        imports = IMPORT.findall(text)
        assert len(imports) == len(re.findall("^import ", text, re.MULTILINE)), module
        exported |= {(module, name) for name in EXPORT.findall(text)}
        for names, path in imports:
            target = (module.parent / path).resolve()
            imported |= {(target, name.strip()) for name in names.split(",") if name.strip()}
    assert imported == exported
