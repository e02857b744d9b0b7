"""Makes the fault laboratory importable, as its own command does."""

from __future__ import annotations

import sys
from pathlib import Path

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
if BENCHMARKS not in sys.path:
    sys.path.append(BENCHMARKS)
