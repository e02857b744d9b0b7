"""The examples of docs/design.md run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "design.md"


def test_python_example_prints_what_keyhole_demands() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "tool-use" in told.stdout
    assert "('M2',)" in told.stdout
