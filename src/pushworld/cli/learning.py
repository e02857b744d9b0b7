"""Commands about learning: train and evaluate."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pushworld.cli.arguments import JsonOption
from pushworld.cli.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from pushworld.rl.agents import Assessment
    from pushworld.rl.config import RunConfig


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(epilog="Exit code: 0 finished, 13 interrupted, 2 bad input.")(train)
    app.command()(evaluate)


def train(
    algorithm: Annotated[
        str | None, typer.Argument(metavar="ALGO", help="ppo or dqn.", show_default="ppo")
    ] = None,
    set_name: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="SET|DIR",
            help="Puzzles to learn from: base trains on base/train and tests on base/test, as does "
            "a folder with folders train and test.",
            show_default="base",
        ),
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="SET|DIR", help="Other puzzles to test on.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="paper, or cpu: a small run for a laptop.", show_default="paper"),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A run as JSON or TOML, such as a run's config.json."),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Environment steps.", show_default="the preset's")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of all random choices.", show_default="0")
    ] = None,
    centred: Annotated[
        bool,
        typer.Option(
            "--centred",
            help="Show puzzles in the middle of a world as large as the largest one, not anywhere "
            "in it: a small set is learnt sooner.",
        ),
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after so long; run again to go on.")
    ] = None,
    devices: Annotated[
        int | None,
        typer.Option(min=1, help="How many GPUs share the work.", show_default="all there are"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="The folder of the run.",
            show_default="runs/ALGO-SET-SEED",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train an agent, with checkpoints, metrics.csv, TensorBoard events and config.json in a folder.

    Whatever stops it, the same command goes on from the last checkpoint as if it had never stopped.

    [bold]Examples[/]

    pushworld train ppo --set base --preset cpu

    pushworld train dqn --set walls --seed 1 --steps 350000000 -o runs/walls

    pushworld train ppo --set level1 --centred --seconds 600

    pushworld train ppo --set my-puzzles --test level1

    pushworld train --config runs/walls/config.json -o runs/again
    """
    from pushworld.rl.events import events_are_possible
    from pushworld.rl.presets import described_run, folder_of
    from pushworld.rl.progress import TrainingDisplay
    from pushworld.rl.training import World
    from pushworld.rl.training import train as train_agent

    settings = {
        "algorithm": algorithm,
        "test": test,
        "steps": steps,
        "seed": seed,
        "devices": devices,
        "random_placement": False if centred else None,
    }
    run = described_run(config, preset, set_name, settings)
    folder = output or folder_of(run)
    console = Console(stderr=True)
    if not events_are_possible():
        console.print("no TensorBoard events: pip install 'pushworld[jax]' adds tensorboardX")
    _warn_of_slowness(run, console)
    title = f"{run.algorithm} {run.train}"
    try:
        with closing(TrainingDisplay(console, title, run.steps)) as display:
            last = train_agent(run, folder, World.of_sets(run), seconds, display.show)
    except KeyboardInterrupt:
        typer.echo(f"interrupted: the same command goes on from {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps({"folder": str(folder), **last}))
        return
    rates = [
        f"{last[f'{part}_sampled']:.1%} of {part} ({last[f'{part}_greedy']:.1%} with best actions)"
        for part in _parts(run)
    ]
    typer.echo(
        f"{folder}: {last['steps']:,.0f} steps in {last['seconds']:.0f} s, "
        f"solves {' and '.join(rates)}"
    )


def evaluate(
    checkpoint: Annotated[
        Path, typer.Argument(metavar="CHECKPOINT", help="The folder of a run, or its agent.zip.")
    ],
    set_name: Annotated[
        str | None,
        typer.Option(
            "--set", metavar="SET|DIR", help="Puzzles to play.", show_default="the run's test set"
        ),
    ] = None,
    sampled: Annotated[
        bool, typer.Option("--sampled", help="Draw actions as in training, not the best ones.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of places and of drawn actions.")] = 0,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each puzzle.")
    ] = None,
    videos: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write videos of puzzles it solved and failed."),
    ] = None,
    count: Annotated[
        int, typer.Option("--count", min=1, help="Videos of either kind with --videos.")
    ] = 3,
    mp4: Annotated[bool, typer.Option("--mp4", help="Videos as MP4 instead of GIF.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play puzzles with a trained agent: how many it solves, and which.

    Each puzzle is played once through every symmetry that the agent was trained with. The interval
    is Wilson's at 95 %, and counts each puzzle as one trial.

    [bold]Examples[/]

    pushworld evaluate runs/ppo-base-0

    pushworld evaluate runs/ppo-base-0 --set base/train --json

    pushworld evaluate agent.zip --set my-puzzles --csv results.csv --videos videos --count 5
    """
    from pushworld.datasets import load_set
    from pushworld.rl.agents import assess
    from pushworld.rl.checkpoints import load_agent

    agent = load_agent(checkpoint)
    name = set_name or agent.config.test or agent.config.train
    assessment = assess(agent, load_set(name), exploring=sampled, seed=seed)
    if csv_file:
        assessment.save_csv(csv_file)
    written = assessment.save_videos(videos, count, ".mp4" if mp4 else ".gif") if videos else []
    if as_json:
        about = {"agent": str(checkpoint), "set": name, "steps": agent.steps}
        files = [str(path) for path in written]
        typer.echo(json.dumps({**about, **assessment.to_dict(), "videos": files}))
        return
    typer.echo(_summary(assessment, name))
    for path in written:
        typer.echo(f"wrote {path}")


def _summary(assessment: Assessment, name: str) -> str:
    told = assessment.to_dict()
    low, high = told["interval_95"]
    return (
        f"{name}: {told['solve_rate']:.1%} of {told['episodes']} episodes solved "
        f"(95 % interval {low:.1%} to {high:.1%}); "
        f"{told['solved_as_given']} of {told['puzzles']} puzzles as they are in their files"
    )


def _parts(run: RunConfig) -> list[str]:
    return ["train", "test"] if run.test else ["train"]


def _warn_of_slowness(run: RunConfig, console: Console) -> None:
    import jax

    if jax.default_backend() == "cpu" and run.network.kind == "paper":
        console.print("the paper's network is slow without a GPU: --preset cpu is made for it")
