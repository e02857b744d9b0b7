"""Commands for learning: train and evaluate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pushworld.cli.arguments import JsonOption, output_option
from pushworld.cli.consoles import ended_soon, interruptible, progress_bar
from pushworld.puzzle import PushWorldError
from pushworld.rl import require_jax
from pushworld.rl.agents import agent_file

if TYPE_CHECKING:
    from pushworld.rl.evaluation.assessment import Assessment


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(epilog="Exit code: 0 finished, 13 interrupted, 2 bad input.")(train)
    app.command()(evaluate)


def train(
    algorithm: Annotated[
        str | None,
        typer.Argument(metavar="ALGO", help="ppo, dqn or imitation.", show_default="ppo"),
    ] = None,
    set_name: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="SET|DIR",
            help="The training set. base trains on base/train and tests on base/test; so does "
            "a folder with the folders train and test.",
            show_default="base",
        ),
    ] = None,
    test: Annotated[str | None, typer.Option(metavar="SET|DIR", help="Another test set.")] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="paper; cpu, a small run for a laptop; or gpu, minutes on one GPU.",
            show_default="cpu or gpu, whichever this machine has",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A run as JSON or TOML, such as a run's config.json."),
    ] = None,
    suite: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Train the runs of a suite, a JSON file, in DIR."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at the same time, with --suite.")] = 1,
    only: Annotated[
        str, typer.Option(metavar="TEXT", help="Runs of --suite whose names contain this.")
    ] = "",
    start_from: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="AGENT",
            help="Start with the network of a trained agent: the folder of a run, its agent.zip, or a name.",
        ),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Environment steps.", show_default="the preset's")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The seed of all random numbers.", show_default="0")
    ] = None,
    centred: Annotated[
        bool,
        typer.Option(
            "--centred",
            help="Place puzzles in the centre of the grid, not at a random place: "
            "faster to learn for small sets.",
        ),
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after this time; run again to continue.")
    ] = None,
    devices: Annotated[
        int | None, typer.Option(min=1, help="Number of GPUs.", show_default="all")
    ] = None,
    output: Annotated[
        Path | None, output_option("The folder of the run.", default="runs/ALGO-SET-SEED")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train an agent; write checkpoints, metrics.csv, TensorBoard events and config.json to a folder.

    If it is stopped, the same command continues from the last checkpoint as if it had never stopped.

    [bold]Examples[/]

    pushworld train ppo --set base
    pushworld train dqn --set walls --preset paper --seed 1 --steps 350000000 -o runs/walls
    pushworld train imitation --set base --preset cpu
    pushworld train ppo --set level1 --centred --seconds 600
    pushworld train ppo --set my-puzzles --test level1
    pushworld train ppo --set my-puzzles --from level0-policy
    pushworld train --config runs/walls/config.json -o runs/again
    pushworld train --suite benchmarks/suites/level0.json -o runs --jobs 7 --seconds 3600
    """
    started = monotonic()
    require_jax()
    if suite is not None:
        if algorithm or set_name or preset or config or start_from:
            raise PushWorldError(
                "a suite has all settings of its runs in its file: give --suite alone"
            )
        from pushworld.rl.runs.suite import load_suite, run_suite

        folder = output or Path("runs")
        with interruptible(f"run the same command again to continue in {folder}"):
            run_suite(load_suite(suite), folder, jobs, seconds, only=only)
        return
    from pushworld.rl.algorithms.devices import has_accelerator, keep_compiled
    from pushworld.rl.evaluation.agents import load_agent
    from pushworld.rl.runs.metrics import has_tensorboard
    from pushworld.rl.runs.presets import configure_run, default_folder, machine_preset
    from pushworld.rl.runs.puzzles import RunPuzzles
    from pushworld.rl.runs.training import train as train_agent

    if has_accelerator():  # where compiling takes most of a minute
        keep_compiled()
    overrides = {
        "algorithm": algorithm,
        "test": test,
        "steps": steps,
        "seed": seed,
        "devices": devices,
        "random_placement": False if centred else None,
    }
    if start_from is not None:
        path = agent_file(start_from)
        network = load_agent(path).config.to_dict()["network"]
        overrides |= {"start_from": str(path), "network": network}
        words = network["kind"]
        if words == "iterated":
            words += f" with {network['channels']} channels and {network['repeats']} repeats"
        typer.echo(f"the network is that of {start_from}, not that of a preset: {words}", err=True)
    if preset is None and config is None:
        preset = machine_preset()
        typer.echo(f"the preset is {preset}, for this machine", err=True)
    run = configure_run(config, preset, set_name, overrides)
    folder = output or default_folder(run)
    if not has_tensorboard():
        typer.echo(
            "no TensorBoard events: pip install 'pushworld[jax]' adds tensorboardX", err=True
        )
    again = f"interrupted: run the same command again to continue in {folder}"
    columns = TextColumn("{task.fields[detail]}"), TimeRemainingColumn()
    with progress_bar(*columns) as progress, ended_soon(progress, again):
        display = TrainingDisplay(progress, f"{run.algorithm} {run.train}", run.steps)
        puzzles = RunPuzzles.of_sets(run)
        left = None if seconds is None else seconds - (monotonic() - started)
        last = train_agent(run, folder, puzzles, left, display.show, display.warn, display.advance)
    if as_json:
        typer.echo(json.dumps({"folder": str(folder), **last}))
        return
    rates = [
        f"{last[f'{part}_sampled']:.1%} of {part} ({last[f'{part}_greedy']:.1%} with best actions)"
        for part in ("train", "test")
        if f"{part}_greedy" in last
    ]
    typer.echo(
        f"{folder}: {last['steps']:,.0f} steps in {last['seconds']:.0f} s, "
        f"solves {' and '.join(rates)}"
    )


def evaluate(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="The folder of a run, its agent.zip, or a name: see 'pushworld agents'.",
        ),
    ],
    set_name: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="SET|DIR",
            help="The puzzles to play.",
            show_default="the run's test set",
        ),
    ] = None,
    every: Annotated[
        int, typer.Option(metavar="N", min=1, help="Take the first of every N puzzles.")
    ] = 1,
    sampled: Annotated[
        bool,
        typer.Option("--sampled", help="Sample actions as in training, instead of the best ones."),
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="The seed of placements and sampled actions.")
    ] = 0,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How often an iterated network applies its block.",
            show_default="as configured",
        ),
    ] = None,
    symmetric: Annotated[
        bool,
        typer.Option("--symmetric", help="Take the mean of the scores over all symmetric views."),
    ] = False,
    remember: Annotated[
        bool,
        typer.Option(
            "--remember",
            help="Remember the episode: back in a state, take another action than before.",
        ),
    ] = False,
    output: Annotated[
        Path | None, output_option("Add to a results folder, for 'pushworld report'.")
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write videos of solved and failed puzzles.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Videos of either kind, with --videos.")] = 3,
    mp4: Annotated[bool, typer.Option("--mp4", help="Videos as MP4 instead of GIF.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play puzzles with a trained agent, and report which it solves.

    Each puzzle is played once under every symmetry of the agent's training. The confidence interval
    is Wilson's at 95 %, with each puzzle as one trial.

    [bold]Examples[/]

    pushworld evaluate runs/ppo-base-0
    pushworld evaluate runs/ppo-base-0 --set base/train --json
    pushworld evaluate level0-policy --set all/test --every 10 --symmetric --remember
    pushworld evaluate level1-policy --set classic -o results
    pushworld evaluate agent.zip --set my-puzzles --videos videos --count 5
    """
    require_jax()
    from pushworld.bench.runner import keep_played
    from pushworld.bench.tasks import choose_tasks
    from pushworld.rl.config import AGENT_FILE
    from pushworld.rl.evaluation.agents import load_agent
    from pushworld.rl.evaluation.assessment import assess

    agent = load_agent(agent_file(checkpoint))
    name = set_name or agent.config.test or agent.config.train
    tasks = choose_tasks([name], every)
    with progress_bar(TimeElapsedColumn()) as progress:
        task = progress.add_task("playing", total=None)
        assessment = assess(
            agent,
            [each.puzzle for each in tasks],
            exploring=sampled,
            seed=seed,
            repeats=repeats,
            symmetric=symmetric,
            remember=remember,
            show=lambda done, total: progress.update(task, completed=done, total=total),
        )
    options: dict[str, bool | int | None] = {"sampled": sampled, "repeats": repeats}
    options |= {"symmetric": symmetric, "remember": remember}
    if output:
        words = [
            f"{key} {value}" if key == "repeats" else key for key, value in options.items() if value
        ]
        plans = [result.plan for result in assessment.results]
        path = agent_file(checkpoint)
        keep_played(
            output,
            " ".join([checkpoint, *words]),
            path / AGENT_FILE if path.is_dir() else path,
            dict(zip(tasks, plans, strict=True)),
            agent.config.max_steps,
            seed,
        )
    written = assessment.save_videos(videos, count, ".mp4" if mp4 else ".gif") if videos else []
    if as_json:
        about = {"agent": str(checkpoint), "set": name, "steps": agent.steps, **options}
        files = [str(path) for path in written]
        typer.echo(json.dumps({**about, **assessment.to_dict(), "videos": files}))
        return
    typer.echo(_summary(assessment, name))
    for path in written:
        typer.echo(f"wrote {path}")


def _summary(assessment: Assessment, name: str) -> str:
    results = assessment.to_dict()
    low, high = results["interval_95"]
    return (
        f"{name}: {results['solve_rate']:.1%} of {results['episodes']} episodes solved "
        f"(95 % interval {low:.1%} to {high:.1%}); "
        f"{results['solved_as_given']} of {results['puzzles']} puzzles as given"
    )


class TrainingDisplay:
    """A progress bar with speed and return, and a line with the solve rates of each evaluation.

    Solve rates are those of sampled actions, and in brackets those of the best actions.
    """

    def __init__(self, progress: Progress, title: str, steps: int) -> None:
        self._progress = progress
        self._bar = progress.add_task(title, total=steps, detail="compiling")
        self._detail = ""

    def warn(self, message: str) -> None:
        """Shows a line above the progress bar."""
        self._progress.console.print(message, highlight=False, soft_wrap=True)

    def advance(self, steps: float) -> None:
        """Shows the steps so far."""
        self._progress.update(self._bar, completed=steps, detail=self._detail)

    def show(self, report: Mapping[str, float]) -> None:
        """Shows a row of metrics."""
        if "train_greedy" in report:
            rates = [
                f"{part} {report[f'{part}_sampled']:.1%} ({report[f'{part}_greedy']:.1%})"
                for part in ("train", "test")
                if f"{part}_greedy" in report
            ]
            place = f"{report['steps']:>13,.0f} steps {report['seconds']:>7.0f} s"
            self.warn(f"{place}  solved: {', '.join(rates)}")
        parts = []
        if "steps_per_second" in report:
            parts.append(f"{report['steps_per_second']:,.0f}/s")
        if "return" in report:
            parts.append(f"return {report['return']:.2f}")
            parts.append(f"solving {report['solve_rate']:.1%}")
        self._detail = " ".join(parts)
        self.advance(report["steps"])
