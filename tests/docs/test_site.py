"""The site builds without warnings, all its links lead somewhere, and its reference is whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("zensical", reason="needs zensical")
pytest.importorskip("mkdocstrings_handlers.python", reason="needs mkdocstrings-python")

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"


@pytest.fixture(scope="module")
def site() -> Path:
    """Returns the folder of the site, built anew."""
    shutil.rmtree(SITE, ignore_errors=True)
    command = [sys.executable, "docs/site/build.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return SITE


def test_every_part_of_the_package_and_every_command_has_its_reference(site: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers, *_ = settings["tool"]["importlinter"]["contracts"]
    internal = {"cli", "errors", "files", "journal", "page"}
    parts = set(re.findall(r"\w+", " ".join(layers["layers"]))) - internal
    assert parts <= {page.stem for page in (site / "reference" / "api").iterdir()}
    solve = (site / "reference" / "api" / "planners.html").read_text("utf-8")
    assert 'id="pushworld.planners.solve"' in solve
    assert "seconds of wall time" in solve
    commands = (site / "reference" / "command-line.html").read_text("utf-8")
    assert 'id="data-download"' in commands
    assert "--memory-limit" in commands


def test_every_public_class_and_function_has_a_docstring(monkeypatch: pytest.MonkeyPatch) -> None:
    griffe = pytest.importorskip("griffe")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    from build import API

    package = griffe.load("pushworld", search_paths=[ROOT / "src"], resolve_aliases=True)
    modules = [
        package[name.removeprefix("pushworld.")]
        for module, parts in API.values()
        for name in (module, *(f"{module}.{part}" for part in parts))
    ]
    silent = {
        each.path
        for module in modules
        for name, member in module.members.items()
        if member.is_public and (member.is_class or member.is_function)
        for each in (member, *member.members.values())
        if not each.name.startswith("_")
        and (each.is_class or each.is_function)
        and not each.has_docstring
    }
    assert silent == set()


def test_broken_links_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    from links import broken_links

    (tmp_path / "other.html").write_text('<p id="here"></p>', "utf-8")
    (tmp_path / "index.html").write_text(
        '<a href="other.html#here"></a><a href="other.html#gone"></a><img src="gone.png">', "utf-8"
    )
    assert broken_links(tmp_path) == [
        "index.html: no file gone.png",
        "index.html: no anchor other.html#gone",
    ]
