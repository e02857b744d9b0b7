"""The examples of docs/guides/environments.md run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
TEXT = (GUIDES / "environments.md").read_text(encoding="utf-8")


@pytest.mark.large
def test_python_examples_run(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="needs moviepy: make test-record-video")
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, check=True, timeout=600)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT)
    assert links
    assert all((GUIDES / link).exists() for link in links)
