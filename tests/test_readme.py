"""The README's examples do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Returns the code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Returns the commands of all console blocks, each with the output that is shown below it."""
    pairs = []
    for block in blocks("console"):
        for chunk in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = chunk.partition("\n")
            pairs.append((command, output))
    return pairs


def test_python_examples_run(tmp_path: Path) -> None:
    assert blocks("python")
    subprocess.run(
        [sys.executable, "-c", "\n".join(blocks("python"))], cwd=tmp_path, check=True, timeout=600
    )


def test_commands_run_and_print_what_is_shown(tmp_path: Path) -> None:
    assert sessions()
    scripts = os.fspath(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    for command, shown in sessions():
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert done.stdout
        if shown:
            assert done.stdout == shown


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
