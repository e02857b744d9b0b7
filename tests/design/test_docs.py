"""The example of docs/guides/design.md works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "design.md"


def test_python_example_prints_what_keyhole_demands(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    exec(code, {})
    printed = capsys.readouterr().out
    assert "tool-use" in printed
    assert "('M2',)" in printed
