"""Commands about trained agents: list, show, install and export."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from pushworld.cli.arguments import JsonOption, complete_name
from pushworld.puzzle import PushWorldError
from pushworld.rl import require_jax
from pushworld.rl.agents import agent_file, agents, find_agent, install_agent

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="See 'pushworld agents'.", autocompletion=complete_name(agents)
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    group = typer.Typer(help="List trained agents, show their cards, export them to ONNX.")
    group.callback(invoke_without_command=True)(list_agents)
    for command in (show, install, export):
        group.command()(command)
    app.add_typer(group, name="agents")


def list_agents(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the trained agents that come with the package or are installed.

    [bold]Examples[/]

    pushworld agents
    pushworld agents show level0-policy
    pushworld agents export level0-policy policy.onnx
    """
    if context.invoked_subcommand is not None:
        return
    if as_json:
        rows = [
            {"name": each.name, "description": each.description, "path": str(each.path)}
            for each in agents()
        ]
        typer.echo(json.dumps(rows))
        return
    table = Table("agent", "description", box=None)
    for each in agents():
        table.add_row(each.name, each.description)
    Console().print(table)
    typer.echo("'pushworld evaluate NAME' plays puzzles with an agent")


def show(name: NameArgument) -> None:
    """Show the model card of an agent: its training, its results, its licence."""
    console, card = Console(), find_agent(name).card
    if console.is_terminal:
        console.print(Markdown(card))
    else:
        typer.echo(card.rstrip())


def install(
    file: Annotated[Path, typer.Argument(help="An agent.zip of pushworld train.")],
    name: Annotated[str, typer.Option(help="The name that it gets.")],
    card: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its model card, as Markdown.")
    ] = None,
) -> None:
    """Give an agent a name, so that other commands find it.

    [bold]Example[/]

    pushworld agents install runs/ppo-base-0/agent.zip --name my-agent --card card.md
    """
    try:
        text = card.read_text(encoding="utf-8") if card else f"# {name}: installed from {file}\n"
    except UnicodeDecodeError as error:
        raise PushWorldError(f"{card} is no text in UTF-8") from error
    typer.echo(f"installed {install_agent(file, name, text).path}")


def export(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An agent, or its file.")],
    file: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write the network of an agent as an ONNX file, for ONNX Runtime and other programs.

    [bold]Examples[/]

    pushworld agents export level0-policy policy.onnx
    """
    require_jax()
    from pushworld.rl.agents.onnx_file import export_policy
    from pushworld.rl.evaluation.agents import load_agent

    inputs, outputs = export_policy(load_agent(agent_file(name)), file)
    typer.echo(f"wrote {file}: {inputs} -> {outputs}")
