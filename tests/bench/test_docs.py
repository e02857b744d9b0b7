"""The examples of docs/guides/benchmark.md and add-a-planner.md work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import run

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
TEXT = (GUIDES / "benchmark.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = TEXT) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python")
    exec(code, {})


@pytest.mark.large
def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^\$ pushworld (.*)$", "".join(blocks("console")), re.MULTILINE):
        assert run(*shlex.split(command)).exit_code == 0
    assert (tmp_path / "results" / "report" / "report.html").is_file()
    assert (tmp_path / "tables" / "scores.tex").is_file()


def test_the_planner_of_the_guide_takes_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    guide = (GUIDES / "add-a-planner.md").read_text(encoding="utf-8")
    (code,) = blocks("python", guide)
    Path("mine.py").write_text(code)
    (shown,) = blocks("console", guide)
    done = run(*shlex.split(shown)[2:])
    assert done.exit_code == 0, done.err
    assert "random-walk" in done.out
