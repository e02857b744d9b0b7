"""Writes `constraints/`: one version of every package that tests and builds install, for every supported Python.

    python -m pip install uv && python tools/lock.py

The newest versions that fit the ranges of pyproject.toml and each other. `main.txt` holds all extras that go together;
the others exclude something there, and have a file and an environment of their own.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APART = ("inspect", "lm-eval", "openenv", "record-video", "textarena")
EXTRAS = {"main": ("dev", "sb3")} | {name: (name,) for name in APART}
"""The files, and the extras whose packages each of them holds."""


def main() -> None:
    for name, extras in EXTRAS.items():
        file = ROOT / "constraints" / f"{name}.txt"
        options = ["--universal", "--python-version=3.11", "--upgrade", "--no-annotate", "--quiet"]
        compile_ = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", *options]
        wanted = [f"--extra={extra}" for extra in extras]
        command = [*compile_, *wanted, "--no-header", f"--output-file={file}"]
        subprocess.run(command, cwd=ROOT, check=True)
        print(f"{file.relative_to(ROOT)}: {file.read_text('utf-8').count('==')} versions")


if __name__ == "__main__":
    main()
