"""The examples of docs/guides/jax.md run as they stand, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "jax.md"


@pytest.mark.large
def test_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    exec("\n".join(blocks), {})
    assert "episodes ended in 25600 steps" in capsys.readouterr().out
