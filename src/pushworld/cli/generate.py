"""``pushworld generate``: folders of random puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pushworld.cli.arguments import JsonOption, output_option
from pushworld.cli.consoles import shown_progress
from pushworld.cli.output import counted, echo_report

if TYPE_CHECKING:
    from pushworld.datasets.generated import PuzzleDistribution, Split

OutputOption = Annotated[Path, output_option("The folder to write, or to continue.")]
CountOption = Annotated[int, typer.Option(min=1, help="The number of puzzles.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same files.")]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, help="The number of cores to use; it does not change the result."),
]
SplitOption = Annotated[
    str, typer.Option(help="train, test or any; train and test share no puzzle.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")
    group.command("level0")(level0)
    group.command("custom")(custom)
    app.add_typer(
        group, name="generate", help="Generate random puzzles, each with a shortest plan."
    )


def level0(
    set_name: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="base, size, walls, obstacles, shapes, goals or all, as in the paper.",
        ),
    ],
    output: OutputOption,
    split: SplitOption = "train",
    count: CountOption = 2000,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Generate a Level 0 set of the paper. Run the command again to continue after an interruption.

    [bold]Examples[/]

    pushworld generate level0 base --split train --count 2000 --seed 1 -o base/train
    pushworld generate level0 base --split test --count 200 --seed 1 -o base/test
    """
    from pushworld.datasets.generated import level0_distribution

    distribution = level0_distribution(set_name)
    _generate(output, distribution, set_name, count, seed, split, threads, as_json)


def custom(
    output: OutputOption,
    width: Annotated[str, typer.Option(help="Columns of the interior, such as 8 or 5-10.")] = "5",
    height: Annotated[str, typer.Option(help="Rows of the interior.")] = "5",
    walls: Annotated[str, typer.Option(help="Wall cells in the interior.")] = "3",
    obstacles: Annotated[str, typer.Option(help="Movables without a goal.")] = "1",
    goals: Annotated[str, typer.Option(help="Movables with a goal.")] = "1",
    cells: Annotated[
        str, typer.Option(help="Cells of each object; all shapes of that size are used.")
    ] = "1",
    same_shapes: Annotated[
        bool, typer.Option("--same-shapes", help="Objects with goals may have the same shape.")
    ] = False,
    margin: Annotated[
        int, typer.Option(help="Cells between objects with goals and the border.")
    ] = 1,
    length: Annotated[str, typer.Option(help="Length of a shortest plan.")] = "1-60000",
    max_states: Annotated[
        int, typer.Option(help="Reject puzzles whose search visits more states.")
    ] = 15_000,
    name: Annotated[
        str, typer.Option(help="The name that the names of the puzzles start with.")
    ] = "custom",
    split: SplitOption = "any",
    count: CountOption = 1000,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Generate a set of your own. Numbers may be ranges, whose values are equally likely.

    [bold]Examples[/]

    pushworld generate custom --width 8 --height 8 --walls 10-16 --count 500 -o mazes
    pushworld generate custom --goals 2 --same-shapes --length 20-60000 -o long
    pushworld generate custom --cells 1-4 --obstacles 0-3 --width 7-9 --height 7-9 -o shapes
    """
    from pushworld.datasets.generated import PuzzleDistribution, polyominoes
    from pushworld.datasets.generated.distribution import parse_range

    shapes = polyominoes(*parse_range(cells))
    distribution = PuzzleDistribution(
        width=parse_range(width),
        height=parse_range(height),
        walls=parse_range(walls),
        obstacles=parse_range(obstacles),
        goals=parse_range(goals),
        agent_shapes=shapes,
        goal_shapes=(shapes,),
        obstacle_shapes=shapes,
        different_goal_shapes=not same_shapes,
        goal_object_margin=margin,
        plan_length=parse_range(length),
        max_states=max_states,
    )
    _generate(output, distribution, name, count, seed, split, threads, as_json)


def _generate(
    output: Path,
    distribution: PuzzleDistribution,
    name: str,
    count: int,
    seed: int,
    split: str,
    threads: int | None,
    as_json: bool,
) -> None:
    """Writes a set with progress on standard error, and prints a report."""
    from pushworld.datasets.generated import as_split, generate_folder

    chosen: Split = as_split(split)
    description = f"{name} {split}"
    with shown_progress(description, count) as show:
        report = generate_folder(
            output,
            distribution,
            count,
            name=name,
            seed=seed,
            split=chosen,
            threads=threads,
            on_progress=lambda made: show(made, description),
        )
    echo_report(report, counted(report.tally["candidates"], "draw"), as_json=as_json)
