"""The examples of docs/guides/benchmark.md work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import run

TEXT = (Path(__file__).parents[2] / "docs" / "guides" / "benchmark.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python")
    exec(code, {})


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^\$ pushworld (.*)$", "".join(blocks("console")), re.MULTILINE):
        assert run(*shlex.split(command)).exit_code == 0
    assert (tmp_path / "results" / "report" / "report.html").is_file()
    assert (tmp_path / "tables" / "scores.tex").is_file()
