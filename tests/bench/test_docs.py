"""The examples of docs/benchmark.md do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_python_runs(tmp_path: Path) -> None:
    (code,) = blocks("python")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_commands_run(tmp_path: Path) -> None:
    scripts = os.fspath(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    (block,) = blocks("console")
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "results" / "report" / "report.html").is_file()
