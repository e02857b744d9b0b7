"""The commands show and render: pictures in the terminal and in files."""

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from pushworld.cli.arguments import JsonOption, PuzzleArgument, output_option, read_plan
from pushworld.cli.consoles import status_line
from pushworld.datasets import resolve_puzzle
from pushworld.puzzle import PlanError, Puzzle, State, format_plan, parse_plan
from pushworld.render import Timing, render_terminal, save_picture, states_of_plan
from pushworld.render.animation import STEPS_PER_SECOND
from pushworld.render.raster import DEFAULT_PIXELS_PER_CELL
from pushworld.render.terminal import LEGEND, play, supports_colour

PlanOption = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="The plan to carry out: actions such as LLURD, a file with them, - for standard input, or human.",
    ),
]
StepOption = Annotated[
    int | None,
    typer.Option("--step", min=0, help="Carry out only the first N actions of the plan."),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command()(show)
    app.command()(render)


def show(
    name: PuzzleArgument,
    plan: PlanOption = "",
    step: StepOption = None,
    animate: Annotated[
        bool, typer.Option("--animate", help="Play the plan; the last state stays.")
    ] = False,
    fps: Annotated[
        float, typer.Option("--fps", min=0.1, max=50, help="Steps a second with --animate.")
    ] = STEPS_PER_SECOND,
    colour: Annotated[
        bool | None,
        typer.Option(
            "--colour/--no-colour",
            "--color/--no-color",
            help="24-bit colours or letters; by default colours on a terminal without NO_COLOR.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a puzzle in the terminal, or the state that a plan leads to.

    [bold]Examples[/]

    pushworld show first-push
    pushworld show maze.pwp --plan LLURD --animate
    pushworld show maze.pwp --plan LLURD --step 3 --no-colour
    """
    puzzle = resolve_puzzle(name)
    actions = _first_actions(puzzle, plan, step)
    states = states_of_plan(puzzle, actions)
    if as_json:
        typer.echo(json.dumps(_describe(puzzle, actions, states[-1])))
        return
    in_colour = supports_colour(sys.stdout) if colour is None else colour
    size = shutil.get_terminal_size()
    first = 0 if animate else len(states) - 1
    pictures = [
        _caption(puzzle, states[done], done, len(actions))
        + render_terminal(
            puzzle, states[done], colour=in_colour, columns=size.columns, rows=size.lines - 2
        )
        for done in range(first, len(states))
    ]
    if animate and sys.stdout.isatty():
        play(pictures, sys.stdout, fps)
    else:
        typer.echo("\n".join(pictures), nl=False, color=True)
    if not in_colour:
        typer.echo(LEGEND)


def render(
    name: PuzzleArgument,
    output: Annotated[Path, output_option("The file to write: .png, .svg, .gif or .mp4.", "FILE")],
    plan: PlanOption = "",
    step: StepOption = None,
    pixels_per_cell: Annotated[
        int, typer.Option("--pixels-per-cell", help="The side of a cell, 3 or more.")
    ] = DEFAULT_PIXELS_PER_CELL,
    border: Annotated[
        int | None,
        typer.Option(
            help="The width of borders in pixels.",
            show_default="2, or 1 in cells smaller than 5 pixels",
        ),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option(
            help="Frames a second of a GIF or MP4, up to 50.",
            show_default=f"{STEPS_PER_SECOND} for each frame of a step",
        ),
    ] = None,
    smooth: Annotated[
        int, typer.Option("--smooth", metavar="FRAMES", help="Frames for each step of the plan.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Write a picture of a puzzle or a plan to a file.

    PNG and SVG show the state after the plan, GIF and MP4 play it.

    [bold]Examples[/]

    pushworld render first-push -o first-push.svg
    pushworld render maze.pwp --plan LLURD --step 3 -o third.png --pixels-per-cell 40 --border 4
    pushworld render maze.pwp --plan LLURD -o maze.gif --smooth 5
    pushworld solve maze.pwp | pushworld render maze.pwp --plan - -o maze.gif
    """
    puzzle = resolve_puzzle(name)
    actions = _first_actions(puzzle, plan, step)
    with status_line("drawing"):
        save_picture(
            output,
            puzzle,
            plan=actions,
            pixels_per_cell=pixels_per_cell,
            border_width=border,
            timing=Timing(fps=fps, frames_per_step=smooth),
        )
    if as_json:
        typer.echo(json.dumps({"puzzle": puzzle.name, "file": str(output), "plan": actions}))
    else:
        typer.echo(f"wrote {output}")


def _first_actions(puzzle: Puzzle, plan: str, step: int | None) -> str:
    """Returns a plan, or its first `step` actions, in capital letters."""
    actions = format_plan(parse_plan(read_plan(plan, puzzle)))
    if step is not None and step > len(actions):
        raise PlanError(
            f"there is no step {step}: the plan has {len(actions)} actions, give them with --plan"
        )
    return actions[:step]


def _caption(puzzle: Puzzle, state: State, done: int, actions: int) -> str:
    """Returns the line above a picture."""
    parts = [f"{puzzle.width} x {puzzle.height} cells"]
    if puzzle.goal:
        parts.append(f"{puzzle.achieved_goals(state)} of {len(puzzle.goal)} goals")
    if actions:
        parts.append(f"step {done} of {actions}")
    return f"{puzzle.name or 'puzzle'}: {', '.join(parts)}\n"


def _describe(puzzle: Puzzle, actions: str, state: State) -> dict[str, object]:
    """Returns a state as data for JSON."""
    names = (thing.name for thing in puzzle.objects)
    return {
        "puzzle": puzzle.name,
        "width": puzzle.width,
        "height": puzzle.height,
        "plan": actions,
        "state": dict(zip(names, state, strict=True)),
        "goals": {thing.name: thing.goal for thing in puzzle.objects if thing.goal is not None},
        "achieved_goals": puzzle.achieved_goals(state),
        "solved": puzzle.is_solved(state),
    }
