"""The layers of the package and the scripts: the documents show them as they are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("src/pushworld", "native")
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Where things live\n")[1]
LAYERS, FOLDERS = re.findall(r"(?:^ {4}.+\n)+", SECTION.split("\n## ")[0], re.MULTILINE)


@pytest.mark.large
def test_imports_keep_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    linter = pytest.importorskip("importlinter.cli", reason="needs import-linter")
    monkeypatch.chdir(ROOT)
    assert linter.lint_imports(no_cache=True, no_logo=True) == linter.EXIT_STATUS_SUCCESS


def test_contributing_shows_the_layers_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers, *_ = settings["tool"]["importlinter"]["contracts"]
    assert [line.strip() for line in LAYERS.splitlines()] == layers["layers"]


def test_contributing_names_every_folder() -> None:
    assert folders_shown() == folders_on_the_disk()


def test_every_script_is_named_in_a_document_or_used_by_another() -> None:
    scripts = {path.stem: path.read_text("utf-8") for path in (ROOT / "benchmarks").glob("*.py")}
    documents = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")]
    named = {name for text in documents for name in re.findall(r"benchmarks/(\w+)\.py", text)}
    used = {
        name
        for text in scripts.values()
        for name in re.findall(r"^from (\w+) import", text, re.MULTILINE)
    }
    assert named <= set(scripts) <= named | used


def folders_shown() -> set[str]:
    shown: set[str] = set()
    path: list[str] = []
    for indent, name in re.findall(r"^ {4}( *)(\S+)/ ", FOLDERS, re.MULTILINE):
        path = [*path[: len(indent) // 2], name]
        shown.add("/".join(path))
    return shown


def folders_on_the_disk() -> set[str]:
    return {
        folder.relative_to(ROOT).as_posix()
        for top in TOPS
        for file in (ROOT / top).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
        for folder in file.parents
        if folder.is_relative_to(ROOT / top)
    }
