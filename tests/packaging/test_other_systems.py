"""Systems without POSIX modules, such as Windows: what must work there, and what says that it needs Linux."""

from __future__ import annotations

import subprocess
import sys

# Modules and names that Windows lacks. The standard library and other packages are imported before
# they go, because here they use some of them themselves.
WITHOUT_POSIX = """
import asyncio, concurrent.futures.process, multiprocessing.sharedctypes, os, signal, sqlite3, subprocess
import sys, tempfile
import gymnasium, numpy, platformdirs, rich.console, starlette.applications, typer, uvicorn

for name in ("fcntl", "grp", "posix", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "getuid", "killpg", "posix_spawn", "pread", "sched_getaffinity", "setsid", "sysconf"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "pthread_sigmask"):
    delattr(signal, name)
sys.platform = "win32"
"""


def run(program: str) -> str:
    """Returns what a program prints on a system without POSIX modules."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + program],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.strip()


def test_every_module_for_users_can_be_imported() -> None:
    assert (
        run("""
import pushworld.bench, pushworld.design, pushworld.engine, pushworld.envs, pushworld.export
from pushworld.cli.application import COMMANDS, load_command
for name in (name for names in COMMANDS.values() for name in names):
    load_command(name)
import pushworld.planners, pushworld.process, pushworld.render, pushworld.web
import pushworld.web.solver_pool
print("imported")
""")
        == "imported"
    )


def test_puzzles_are_solved_and_environments_step() -> None:
    assert (
        run("""
import gymnasium, pushworld, pushworld.envs
from pushworld.datasets import load_set

puzzle = next(iter(load_set("bundled")))
result = pushworld.solve(puzzle, threads=2)
env = gymnasium.make("PushWorld/Classic-v0")
env.reset(seed=0)
env.step(1)
print(result.status, puzzle.validate(result.plan))
""")
        == "solved True"
    )


def test_what_needs_linux_says_so() -> None:
    assert run("""
import pushworld.bench
from pushworld.process import Limits, run_limited

for start in (
    lambda: pushworld.bench.run("results", puzzles="bundled", planners="default", time_limit=1),
    lambda: run_limited(["true"], Limits()),
):
    try:
        start()
    except pushworld.PushWorldError as error:
        print("run only on Linux" in str(error))
""").split() == ["True", "True"]
