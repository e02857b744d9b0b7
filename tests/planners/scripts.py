"""Planners that are small scripts, described by a TOML file."""

from __future__ import annotations

import stat
from pathlib import Path

from pushworld import Puzzle

PUZZLE = Puzzle.parse("A . M1 . G1", name="row")
PLAN = """\
(move p-1-1 p-2-1 right)
(move p-2-1 p-3-1 right)
(push m1 p-3-1 p-4-1 right)
(move p-3-1 p-4-1 right)
(push m1 p-4-1 p-5-1 right)
"""


def write_planner(folder: Path, script: str, toml: str) -> str:
    """Returns the name of a TOML file next to a script called planner."""
    program = folder / "planner"
    program.write_text(script)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    file = folder / "mine.toml"
    file.write_text(toml)
    return str(file)


def shell_planner(folder: Path, commands: str, more: str = "") -> str:
    """Returns a planner that does shell commands; $1, $2 and $3 are domain, problem and plan."""
    toml = f'command = "planner {{domain}} {{problem}} {{plan}}"\n{more}'
    return write_planner(folder, f"#!/bin/sh\n{commands}\n", toml)
