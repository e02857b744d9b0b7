"""The Typer application of ``pushworld``, which loads the module of a command when it is called."""

import re
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points, version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

ENTRY_POINTS = "pushworld.commands"
"""The entry points of optional parts: functions that add the command of that name to a Typer application."""

COMMANDS = {
    "solve": {
        "solve": "Find a plan.",
        "planners": "List the planners and what they promise.",
        "strategies": "List the strategies of the default planner.",
    },
    "puzzles": {
        "info": "Show the parts of a puzzle.",
        "validate": "Replay a plan, and say whether it solves the puzzle.",
        "transform": "Write a puzzle turned, mirrored, cropped or padded.",
    },
    "pictures": {
        "show": "Show a puzzle in the terminal.",
        "render": "Write a picture of a puzzle or a plan to a file.",
    },
    "play": {"play": "Play, watch, edit and solve puzzles in the browser."},
    "benchmark": {
        "benchmark": "Run planners on puzzles under limits.",
        "report": "Report results: tables, a figure and a page.",
    },
    "export": {"export": "Export puzzles for other planners, and read their plans."},
    "data": {"data": "List, import and download sets of puzzles."},
    "generate": {"generate": "Generate random puzzles, each with a shortest plan."},
    "learning": {"train": "Train an agent.", "evaluate": "Play puzzles with a trained agent."},
    "agents": {"agents": "List trained agents, show their cards, export them to ONNX."},
    "design": {
        "analyze": "Analyse what a puzzle demands, and how hard it is.",
        "design": "Design puzzles of a level that demand certain skills.",
    },
}
"""What help says about the commands of each module."""

EXIT_CODES = """\
\b
Exit codes:
0 success: a puzzle is solved, a plan is valid
1 no success: a plan is not valid, data is missing
2 bad input: one line on standard error says what is wrong
10 unsolvable, 11 time limit, 12 memory limit, 13 interrupted, 14 state limit
"""


class LazyCommands(TyperGroup):
    """The commands by name, of which only the one that is called is loaded."""

    def list_commands(self, ctx: Any) -> list[str]:
        for name in optional_commands():
            self.commands[name] = load_command(name)
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            self.list_commands(ctx)
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load_command(args[0]), rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes plain text: what draws boxes takes longer to load than all the rest."""
        super(TyperGroup, self).format_help(ctx, formatter)


@cache
def optional_commands() -> dict[str, Any]:
    """Returns the entry points of optional parts by name; finding them reads a file of each installed package."""
    return {each.name: each for each in entry_points(group=ENTRY_POINTS)}


@cache
def load_command(name: str) -> Any:
    """Returns a command of this package or of an entry point."""
    for module, commands in COMMANDS.items():
        if name in commands:
            register = import_module(f"pushworld.cli.{module}").register
            break
    else:
        register = optional_commands()[name].load()
    loaded = typer.Typer(rich_markup_mode="rich")
    register(loaded)
    return _with_flowing_help(get_group(loaded).commands[name])


def _with_flowing_help(command: Any) -> Any:
    """Joins the lines of each paragraph of a command's help, but not its examples: terminals break them where they end."""
    text, mark, examples = (command.help or "").partition("[bold]Examples")
    command.help = re.sub(r"(?<!\n)\n(?!\n)", " ", text) + mark + examples
    for each in getattr(command, "commands", {}).values():
        _with_flowing_help(each)
    return command


app = typer.Typer(
    name="pushworld",
    cls=LazyCommands,
    help="PushWorld: puzzles about pushing things, to play, to plan and to learn.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pushworld {version('pushworld')}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


def _placeholder() -> None:
    """Stands in the list of commands until `load_command` takes its place."""


for _commands in COMMANDS.values():
    for _name, _help in _commands.items():
        app.command(_name, help=_help)(_placeholder)
