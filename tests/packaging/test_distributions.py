"""What is published: the files of the source distribution, the metadata, and one version everywhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from email.message import Message
from email.parser import Parser
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FOR_DEVELOPERS = re.compile(r"\.ci/|\.github/|(.*/)?\.gitignore$|\.gitattributes$")


def build(hook: str, folder: Path) -> Path:
    """Returns what a hook of the build backend writes into the folder; nothing is compiled."""
    pytest.importorskip("scikit_build_core", reason="needs the build backend")
    program = f"from scikit_build_core import build; print(build.{hook}({str(folder)!r}))"
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return folder / output.splitlines()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the source distribution."""
    archive = build("build_sdist", tmp_path_factory.mktemp("sdist"))
    with tarfile.open(archive) as files:
        names = [member.name for member in files if not member.isdir()]
    (top,) = {name.split("/")[0] for name in names}
    assert top == f"pushworld-{PROJECT['version']}"
    return {name.removeprefix(f"{top}/") for name in names}


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a wheel's metadata."""
    return build("prepare_metadata_for_build_wheel", tmp_path_factory.mktemp("metadata"))


def headers(path: Path) -> Message:
    return Parser().parsestr(path.read_text("utf-8"))


def test_the_source_distribution_holds_the_files_of_the_repository(source: set[str]) -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("needs a git checkout")
    files = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    expected = {name for name in files if not FOR_DEVELOPERS.match(name)}
    built = {"PKG-INFO", "src/pushworld/page/static/wasm/planner.wasm"}  # the latter by `make page`
    assert source - built == expected - built
    assert "PKG-INFO" in source


def test_the_source_distribution_can_be_built_and_tested(source: set[str]) -> None:
    assert {
        "CMakeLists.txt",
        "LICENSE",
        "Makefile",
        "pyproject.toml",
        "tests/conftest.py",
    } <= source
    assert {
        "native/bindings/module.cc",
        "src/pushworld/py.typed",
        "tests/packaging/check_install.py",
    } <= source


def test_metadata_of_a_wheel(metadata: Path) -> None:
    found = headers(metadata / "METADATA")
    assert found["Version"] == PROJECT["version"]
    assert found["Requires-Python"] == ">=3.11"
    assert found["License-Expression"] == "Apache-2.0"
    assert set(found.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    assert "pushworld = pushworld.cli:main" in (metadata / "entry_points.txt").read_text("utf-8")


def test_a_wheel_serves_one_old_or_all_new_versions_of_python(metadata: Path) -> None:
    tag = headers(metadata / "WHEEL")["Tag"]
    assert tag.startswith("cp311-cp311-" if sys.version_info < (3, 12) else "cp312-abi3-")


def test_one_version_everywhere() -> None:
    import pushworld

    printed = subprocess.run(
        [sys.executable, "-m", "pushworld", "--version"], check=True, capture_output=True, text=True
    ).stdout
    assert printed.split() == ["pushworld", PROJECT["version"]]
    assert pushworld.__version__ == version("pushworld") == PROJECT["version"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [PROJECT["version"]]


def test_the_changelog_begins_with_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    changes = changes.replace("## Unreleased\n", "", 1)
    releases = re.findall(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)
    assert releases[0][0] == PROJECT["version"]
    assert len(releases) == len(re.findall(r"^## ", changes, re.MULTILINE))
    assert all(newer[1] > older[1] for newer, older in pairwise(releases))
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"date-released: {releases[0][1]}" in citation
