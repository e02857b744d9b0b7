"""Short runs of every kind of fault, as a user starts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.planners.external.fast_downward import find_fast_downward
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]

RUNS = {
    "files": ("--count", "2000"),
    "steps": ("--count", "16384", "--only", "painted"),
    "planners": ("--count", "20"),
    "exports": ("--count", "1", "--only", "sas"),
    "kills of generate": ("--count", "3", "--only", "generate"),
    "kills of import": ("--count", "3", "--only", "import"),
    "disks": ("--count", "1", "--only", "opened"),
    "programs": ("--count", "3", "--only", "becomes-a-daemon,prints-without-end,stops-its-parent"),
    "results": ("--count", "50"),
    "archives": ("--count", "40", "--only", "escape,links,duplicates,damage,wrong-type"),
    "weights": ("--count", "60", "--only", "flipped,cut,flipped-inside,pickled,huge,wrong-arrays"),
    "servers": ("--count", "12"),
    "checkpoints": ("--count", "20"),
    "mirrors": ("--count", "12"),
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_short_run_finds_nothing(kind: str, tmp_path: Path) -> None:
    name = kind.split()[0]
    if name == "exports" and not find_fast_downward().command:
        pytest.skip("needs Fast Downward (Linux x86_64)")
    if name in ("kills", "disks", "programs") and not sys.platform.startswith("linux"):
        pytest.skip("needs Linux")
    rows = tmp_path / "rows.jsonl"
    finished = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.laboratory",
            name,
            *RUNS[kind],
            "--jobs",
            "1",
            "--output",
            rows,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert sum(json.loads(line)["trials"] for line in rows.open()) == int(RUNS[kind][1])
