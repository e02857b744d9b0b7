"""The start of the package and of its command: only what is needed is loaded, and every command is found."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import typer

from pushworld.cli.application import COMMANDS

SLOW = ("PIL", "asyncio", "numpy", "pushworld.datasets", "pushworld.planners", "rich")
PYPROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))

COMMAND = """\
def register(app):
    @app.command()
    def greet(name: str):
        "Say hello."
        print("hello", name)
"""


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        ("import pushworld", (*SLOW, "importlib.metadata", "typer")),
        ("import sys; sys.argv[1:] = ['--help']; from pushworld.cli import main; main()", SLOW),
    ],
)
def test_what_takes_long_is_not_loaded(program: str, unwanted: tuple[str, ...]) -> None:
    told = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, sep='\\n')); {program}"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True).stdout
    assert "pushworld.puzzle" in loaded.split()
    assert set(loaded.split()).isdisjoint(unwanted)


def test_help_lists_what_the_modules_register() -> None:
    for module, commands in COMMANDS.items():
        assert registered(f"pushworld.cli.{module}") == set(commands)


def test_entry_points_name_commands_of_optional_parts() -> None:
    for name, reference in PYPROJECT["project"]["entry-points"]["pushworld.commands"].items():
        module, _, function = reference.partition(":")
        assert (function, registered(module)) == ("register", {name})


def registered(module: str) -> set[str]:
    app = typer.Typer()
    import_module(module).register(app)
    return set(typer.main.get_group(app).commands)


def test_another_package_adds_a_command(tmp_path: Path) -> None:
    package = tmp_path / "greetings-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: greetings\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[pushworld.commands]\ngreet = greetings:register\n")
    (tmp_path / "greetings.py").write_text(COMMAND)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}

    def pushworld(*arguments: str) -> str:
        command = [sys.executable, "-m", "pushworld", *arguments]
        return subprocess.check_output(command, env=environment, text=True)

    assert pushworld("greet", "you") == "hello you\n"
    assert "greet       Say hello." in pushworld("--help")
