"""The code of docs/guides/add-a-heuristic.md fits into the files that it names, and nothing else is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "add-a-heuristic.md").read_text("utf-8")
FOLDER = Path("native") / "search" / "action"
FILES = ("evaluators.h", "action_planners.h", "action_planners.cc")
END = "}  // namespace pushworld"


@pytest.mark.large
def test_the_heuristic_compiles_where_the_guide_puts_it(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    for name, code in zip(FILES, blocks(GUIDE, "cpp"), strict=False):
        assert name in GUIDE
        text = (ROOT / FOLDER / name).read_text("utf-8")
        (tmp_path / FOLDER).mkdir(parents=True, exist_ok=True)
        (tmp_path / FOLDER / name).write_text(text.replace(END, code + END), "utf-8")
    tables = Path("native") / "search" / "push"
    (tmp_path / tables).mkdir()
    # What comes before the first row of each table.
    starts = {
        "push_evaluators.h": "std::to_array<PushEvaluator>({\n",
        "push_features.h": "std::tuple(\n",
    }
    for row, (name, start) in zip(
        blocks(GUIDE, "cpp")[len(FILES) + 1 :], starts.items(), strict=True
    ):
        text = (ROOT / tables / name).read_text("utf-8").replace(start, f"{start}{row}\n", 1)
        assert row in text
        (tmp_path / tables / name).write_text(text, "utf-8")
    (tmp_path / "table.cc").write_text('#include "search/push/push_search.cc"\n', "utf-8")
    # The changed headers come first.
    command = [compiler, "-std=c++20", "-Wall", "-fsyntax-only", f"-I{tmp_path / 'native'}"]
    sources = [tmp_path / FOLDER / name for name in FILES if name.endswith(".cc")]
    sources.append(tmp_path / "table.cc")
    subprocess.run([*command, f"-I{ROOT / 'native'}", *sources], check=True, timeout=300)


def test_the_binding_is_like_its_siblings() -> None:
    binding = blocks(GUIDE, "cpp")[len(FILES)]
    bindings = (ROOT / "native" / "bindings" / "search.cc").read_text("utf-8")
    assert binding.replace("goal_distance", "cea") in bindings


def test_building_installs_no_extra_but_that_of_figures() -> None:
    (target,) = (
        line for block in blocks(GUIDE, "bash") for line in re.findall("^make .*", block, re.M)
    )
    make = shutil.which("make")
    if make is None:
        pytest.skip("needs make")
    shown = subprocess.run(
        [make, "--dry-run", "--always-make", *target.split()[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert re.findall(r"tools/install\.py (.*)", shown) == ["plot"]
