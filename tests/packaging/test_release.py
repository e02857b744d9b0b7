"""The release checklist: nothing to do in a complete folder, and each missing thing is named."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone that is ready to be released."""
    for name in release.FILES:
        made = tmp_path / name
        made.parent.mkdir(parents=True, exist_ok=True)
        if (release.ROOT / name).is_file():
            shutil.copy(release.ROOT / name, made)
        else:
            made.touch()
    project = (release.ROOT / "pyproject.toml").read_text("utf-8")
    urls = '[project.urls]\nSource = "https://example.org"\n\n[project.scripts]'
    (tmp_path / "pyproject.toml").write_text(project.replace("[project.scripts]", urls))
    citation = (tmp_path / "CITATION.cff").read_text("utf-8")
    (tmp_path / "CITATION.cff").write_text(citation.replace(release.PLACEHOLDER, "10.1000/182"))
    about = release.read_citation(tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(f"## [{about['version']}] - {about['date-released']}\n")
    (tmp_path / ".gitignore").write_text("build/\n")
    release.git(tmp_path, "init", "-q")
    release.git(tmp_path, "add", "-A")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    release.git(tmp_path, *who, "commit", "-qm", "ready")
    (tmp_path / "build").mkdir()
    (tmp_path / release.GREEN).write_text(release.git(tmp_path, "rev-parse", "HEAD"))
    return tmp_path


def test_a_complete_folder_has_nothing_to_do(folder: Path) -> None:
    assert list(release.problems(folder)) == []


def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "SECURITY.md").unlink(), "SECURITY.md is missing"),
        (lambda folder: (folder / release.GREEN).unlink(), "have not passed here: .ci/run"),
        (edit("CITATION.cff", "version: 0", "version: 9"), "CITATION.cff is not of version"),
        (edit("CITATION.cff", "10.1000/182", release.PLACEHOLDER), "placeholder for the DOI"),
        (edit(release.RECIPE, 'version: "0', 'version: "9'), "recipe.yaml is not of version"),
        (edit("CHANGELOG.md", "## [", "## Unreleased\n\n- new\n\n## ["), "unreleased changes"),
        (edit("CHANGELOG.md", " - 2", " - 1"), "CHANGELOG.md has no section"),
        (edit("pyproject.toml", "[project.urls]", "[project.others]"), "no [project.urls]"),
        (edit("README.md", "PushWorld", "Pushworld"), "changes that are not committed"),
    ],
)
def test_what_is_missing_is_named(
    change: Callable[[Path], object], message: str, folder: Path
) -> None:
    change(folder)
    assert any(message in problem for problem in release.problems(folder))


def test_zenodo_shows_what_the_citation_says() -> None:
    stored = json.loads((release.ROOT / ".zenodo.json").read_text("utf-8"))
    citation = release.read_citation(release.ROOT)
    assert (stored["title"], stored["license"]) == (citation["title"], citation["license"])


def test_conda_installs_what_pip_does() -> None:
    recipe = (release.ROOT / release.RECIPE).read_text("utf-8").partition("  run:\n")[2]
    project = tomllib.loads((release.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {each.replace(">=", " >=") for each in project["dependencies"]}
    assert needed == set(re.findall(r"^    - (\w+ >=\S+)$", recipe, re.MULTILINE))
