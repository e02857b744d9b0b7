"""Installs with pip and shows how far it is: packages as they are collected, C++ files as they are compiled.

pip itself shows neither while it builds. The arguments are those of `pip install`. On a terminal one
line changes; elsewhere every tenth file is a line. If pip fails, the end of its output follows.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque

COMPILED = re.compile(r"\[(\d+)/(\d+)\] (Building|Linking)")
STEPS = {
    "Collecting ": "collecting {}",
    "Installing collected packages": "installing packages",
    "Building editable for": "compiling {}, which takes a minute or two",
    "Building wheel for": "compiling {}, which takes a minute or two",
}


def main() -> int:
    """Returns pip's exit code."""
    is_terminal = sys.stdout.isatty()
    last_lines: deque[str] = deque(maxlen=80)
    shown = ""
    command = [sys.executable, "-m", "pip", "install", "--verbose", *sys.argv[1:]]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            last_lines.append(line)
            text = progress(line, all_files=is_terminal)
            if text and text != shown:
                shown = text
                print(f"\r\x1b[2K{text}" if is_terminal else f"{text}\n", end="", flush=True)
    if is_terminal:
        print("\r\x1b[2K", end="")
    if pip.returncode != 0:
        sys.stderr.writelines(last_lines)
    return pip.returncode


def progress(line: str, *, all_files: bool) -> str:
    """Returns what a line of pip's output says about its progress, or nothing."""
    if found := COMPILED.search(line):
        done, total = int(found[1]), int(found[2])
        return f"compiling: {done} of {total} files" if all_files or done % 10 == 0 else ""
    for start, text in STEPS.items():
        if line.lstrip().startswith(start):
            name = line.lstrip().removeprefix(start).split()
            return text.format(re.split(r"[<>=!~;\[( ]", name[0])[0] if name else "")
    return ""


if __name__ == "__main__":
    sys.exit(main())
