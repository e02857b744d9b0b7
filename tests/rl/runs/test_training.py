"""Training runs: puzzles that must be learned, and runs that continue exactly after a kill."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from pushworld.files import locked_folder
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.rl.algorithms.devices import on_first_device
from pushworld.rl.algorithms.learner import initial_training_state
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.evaluation.agents import AgentError, load_agent, make_learner
from pushworld.rl.evaluation.solve_rates import evaluate
from pushworld.rl.runs import training
from pushworld.rl.runs.checkpoints import CheckpointError, Checkpoints, RunProgress
from pushworld.rl.runs.metrics import DivergedError, Report, read_metrics
from pushworld.rl.runs.puzzles import RunPuzzles
from pushworld.rl.runs.training import share_of_speed, train
from tests.rl.conftest import ROUNDS, Done, with_ppo
from tests.waiting import PATIENCE, wait_until


def test_two_corridors_are_learned(done: Done) -> None:
    assert done.report["train_greedy"] == 1


def test_a_killed_run_continues_exactly(done: Done, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(done.config, tmp_path, RunPuzzles.of_sets(done.config), show=_killed_after(3))
    train(done.config, tmp_path, RunPuzzles.of_sets(done.config))

    whole, killed = _metrics(done.folder), _metrics(tmp_path)
    assert len(whole) >= ROUNDS
    assert whole == killed
    weights = [load_agent(folder).weights for folder in (done.folder, tmp_path)]
    same = jax.tree.map(np.array_equal, *weights)
    assert all(jax.tree.leaves(same))


@with_ppo
def test_a_run_killed_after_its_last_checkpoint_still_gets_its_last_evaluation(
    done: Done, tmp_path: Path
) -> None:
    config = replace(
        done.config,
        steps=done.config.log_every,
        evaluate_every=10**9,
        checkpoint_every=done.config.log_every,
    )
    puzzles = RunPuzzles.of_sets(config)
    train(config, tmp_path / "whole", puzzles)
    *rounds, evaluation = whole = _metrics(tmp_path / "whole")
    assert "train_greedy" in evaluation
    with pytest.raises(KeyboardInterrupt):
        train(config, tmp_path / "killed", puzzles, show=_killed_after(len(rounds)))
    assert _metrics(tmp_path / "killed") == rounds
    for _ in range(2):  # the second finds everything done
        train(config, tmp_path / "killed", puzzles)
        assert _metrics(tmp_path / "killed") == whole


@with_ppo
def test_a_run_that_is_interrupted_loses_no_round(done: Done, tmp_path: Path) -> None:
    endless = replace(done.config, steps=10**9, evaluate_every=10**9, checkpoint_every=10**9)
    endless.save(tmp_path / "endless.json")
    command = ["train", "--config", str(tmp_path / "endless.json"), "-o", str(tmp_path / "run")]
    running = subprocess.Popen(
        [sys.executable, "-m", "pushworld", *command], stderr=subprocess.PIPE, text=True
    )
    metrics = tmp_path / "run" / "metrics.csv"
    wait_until(lambda: running.poll() is not None or len(read_metrics(metrics)) > 1)
    running.terminate()
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 13
    assert "run the same command again to continue" in err

    rows = read_metrics(tmp_path / "run" / "metrics.csv")
    assert load_agent(tmp_path / "run").steps == rows[-1]["steps"]
    longer = replace(endless, steps=int(rows[-1]["steps"]) + 1)
    train(longer, tmp_path / "run", RunPuzzles.of_sets(longer))
    assert read_metrics(tmp_path / "run" / "metrics.csv")[: len(rows)] == rows


IMPATIENT = """
from pushworld.cli import consoles, main
consoles.PATIENCE = 0.2
main()
"""


@with_ppo
def test_a_run_ends_soon_in_an_iteration_that_takes_hours(done: Done, tmp_path: Path) -> None:
    endless = replace(done.config, ppo=replace(done.config.ppo, epochs=10**6))
    endless.save(tmp_path / "endless.json")
    command = ["train", "--config", str(tmp_path / "endless.json"), "-o", str(tmp_path / "run")]
    running = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *command], stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: running.poll() is not None or (tmp_path / "run" / "metrics.csv").exists())
    running.terminate()
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 13
    assert "run the same command again to continue" in err


@with_ppo
def test_progress_is_shown_before_the_first_round_has_ended(done: Done, tmp_path: Path) -> None:
    reports: list[Report] = []
    steps: list[float] = []
    config = replace(done.config, steps=1 + training.CPU_STEPS)
    puzzles = RunPuzzles.of_sets(config)
    train(config, tmp_path, puzzles, show=reports.append, advance=steps.append)
    assert 0 < steps[0] < steps[1] == reports[0]["steps"]


@with_ppo
def test_a_slow_run_saves_its_rounds(
    done: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SAVE_SECONDS", 0.0)
    config = replace(done.config, checkpoint_every=10**9)
    with pytest.raises(KeyboardInterrupt):
        train(config, tmp_path, RunPuzzles.of_sets(config), show=_killed_after(1))
    (row,) = read_metrics(tmp_path / "metrics.csv")
    assert load_agent(tmp_path).steps == row["steps"]


@with_ppo
def test_a_run_says_what_its_speed_is_short_of(done: Done) -> None:
    params = RunPuzzles.of_sets(done.config).train_params
    said = share_of_speed(done.config, params, 1234.5)
    assert re.match(r"1,23[45] steps a second; its 64 environments alone make [\d,]+: ", said)
    assert "network centred, and in bfloat16 it is faster" in said
    assert "more environments at a time are faster (ppo.environments)" in said


@with_ppo
def test_an_evaluation_is_compiled_once(done: Done, caplog: pytest.LogCaptureFixture) -> None:
    puzzles = RunPuzzles.of_sets(done.config)
    learner = make_learner(replace(done.config, ppo=replace(done.config.ppo, clip=0.19)))
    weights = on_first_device(load_agent(done.folder).weights)
    with jax.log_compiles():
        for exploring in (False, True):
            evaluate(learner, weights, jax.random.key(0), puzzles.params, puzzles.train, exploring)
    compiled = [line for line in caplog.messages if line.startswith("Compiling jit(_advance)")]
    assert len(compiled) == 1


@with_ppo
def test_a_folder_belongs_to_one_run(done: Done) -> None:
    other = replace(done.config, seed=5, ppo=replace(done.config.ppo, epochs=9))
    with pytest.raises(CheckpointError, match=r"configuration \(seed 1, ppo\.epochs 2\)"):
        train(other, done.folder, RunPuzzles.of_sets(done.config))


@with_ppo
def test_a_folder_without_a_checkpoint_is_taken_over(done: Done, tmp_path: Path) -> None:
    replace(done.config, seed=5).save(tmp_path / "config.json")
    train(replace(done.config, steps=1), tmp_path, RunPuzzles.of_sets(done.config))
    assert RunConfig.load(tmp_path / "config.json").seed == done.config.seed


@with_ppo
def test_two_runs_do_not_share_a_folder(done: Done) -> None:
    with locked_folder(done.folder), pytest.raises(PushWorldError, match="another process"):
        train(done.config, done.folder, RunPuzzles.of_sets(done.config))


@with_ppo
def test_a_run_does_not_continue_with_other_puzzles(done: Done) -> None:
    others = RunPuzzles.of_puzzles(done.config, [Puzzle.parse("A M1 . . . G1")] * 2, [])
    with pytest.raises(CheckpointError, match="other puzzles"):
        train(done.config, done.folder, others)


def test_a_checkpoint_is_restored_as_it_was_saved_or_not_at_all(tmp_path: Path) -> None:
    saved = {"weights": jnp.arange(1000.0), "key": jax.random.key(3)}
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(saved, RunProgress(7, 1.5, 1))
    path = tmp_path / "1"
    data = path.read_bytes()
    assert checkpoints.restore(saved) is not None
    for changed in (data.replace(b'"steps": 7', b'"steps": 8'), data[:-1]):
        assert path.write_bytes(changed)
        with pytest.raises(CheckpointError, match="is damaged"):
            checkpoints.restore(saved)


@with_ppo
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(
    done: Done, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(done.folder, folder)
    *_, before, last = sorted((folder / "checkpoints").iterdir(), key=lambda each: int(each.name))
    last.write_bytes(last.read_bytes()[: last.stat().st_size // 2])
    with pytest.raises(CheckpointError, match=f"checkpoints/{last.name} is damaged"):
        train(done.config, folder, RunPuzzles.of_sets(done.config))
    last.unlink()
    assert before.exists()
    train(done.config, folder, RunPuzzles.of_sets(done.config))
    assert _metrics(folder) == _metrics(done.folder)


def test_a_checkpoint_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    checkpoints = Checkpoints(folder)
    shutil.rmtree(folder)
    folder.write_text("in the way")
    with pytest.raises(CheckpointError, match="cannot be written"):
        checkpoints.save({"weights": jax.numpy.zeros(3)}, RunProgress())


@with_ppo
def test_a_run_whose_losses_are_not_finite_ends(done: Done, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(done.folder, folder)
    agent = (folder / "agent.zip").read_bytes()
    puzzles = RunPuzzles.of_sets(done.config)
    learner = make_learner(done.config)
    like = initial_training_state(learner, jax.random.key(0), puzzles.train_params)
    checkpoints = Checkpoints(folder / "checkpoints")
    state, progress = checkpoints.restore(like) or pytest.fail("there is no checkpoint")
    huge = jax.tree.map(lambda leaf: leaf + np.float32(1e38), state.weights)
    checkpoints.save(
        dataclasses.replace(state, weights=huge),
        dataclasses.replace(progress, reports=progress.reports + 1),
    )
    with pytest.raises(DivergedError, match="value_loss is"):
        train(replace(done.config, steps=10**9), folder, puzzles)
    assert (folder / "agent.zip").read_bytes() == agent


@with_ppo
def test_settings_from_python_are_checked_too(done: Done, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="log_every: expected int >= 1"):
        train(replace(done.config, log_every=0), tmp_path, RunPuzzles.of_sets(done.config))


@with_ppo
def test_puzzles_that_are_too_large_are_not_played_and_count_as_not_solved(
    done: Done, tmp_path: Path
) -> None:
    config = replace(done.config, steps=1, max_size=8)
    small = [Puzzle.parse(text) for text in ("A M1 . . . G1", "A . M1 . . G1")]
    large = Puzzle.parse("A M1 . . . . . . . . . . . . . . G1")
    puzzles = RunPuzzles.of_puzzles(config, [small[0], large, small[1]], [large])
    assert (puzzles.params.frame.width, puzzles.params.puzzles) == (8, 2)
    assert puzzles.played == (2 / 3, 0)
    whole = RunPuzzles.of_puzzles(config, small, [])
    rates = [train(config, tmp_path / each.digest, each) for each in (puzzles, whole)]
    assert rates[0]["train_sampled"] == pytest.approx(rates[1]["train_sampled"] * 2 / 3)
    assert rates[0]["train_sampled"] > 0
    with pytest.raises(ConfigError, match="all training puzzles are larger"):
        RunPuzzles.of_puzzles(replace(config, max_size=3), small, [])


@with_ppo
def test_a_run_keeps_an_agent_of_each_round_that_passes_a_power_of_two(done: Done) -> None:
    (family,) = (done.folder / "family").glob("*.zip")
    steps = load_agent(family).steps
    assert family.name == f"agent-{steps}.zip"
    assert 2**14 <= steps < 2**14 + 2 * done.config.log_every
    heading, *_, row = (done.folder / "family" / "card.md").read_text("utf-8").splitlines()
    assert heading.startswith(f"# {done.folder.name}: ")
    assert row.startswith(f"| `{family.name}` | {steps:,} | ")
    (report,) = (row for row in read_metrics(done.folder / "metrics.csv") if row["steps"] == steps)
    assert row.split(" | ")[2] == f"{100 * report['solve_rate']:.1f}"


def test_a_file_that_is_no_agent_is_refused(tmp_path: Path) -> None:
    (tmp_path / "agent.zip").write_text("nonsense")
    with pytest.raises(AgentError, match="no agent"):
        load_agent(tmp_path)
    with pytest.raises(AgentError, match="cannot be read"):
        load_agent(tmp_path / "elsewhere.zip")
    with zipfile.ZipFile(tmp_path / "agent.zip", "w") as archive:
        archive.writestr("agent.json", '{"config": {"sed": 1}}')
    with pytest.raises(AgentError, match="did you mean seed"):
        load_agent(tmp_path)


@with_ppo
def test_an_agent_file_that_is_cut_or_changed_is_refused(done: Done, tmp_path: Path) -> None:
    whole = (done.folder / "agent.zip").read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 3] ^= 255
    for data in (whole[: len(whole) // 2], changed):
        (tmp_path / "agent.zip").write_bytes(data)
        with pytest.raises(AgentError, match="no agent"):
            load_agent(tmp_path)


def _killed_after(reports: int) -> Callable[[Report], None]:
    """Returns a function that interrupts the run at the given report."""
    left = [reports]

    def show(report: Report) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return show


def _metrics(folder: Path) -> list[dict[str, float]]:
    """Returns the rows of metrics without the times."""
    times = ("seconds", "steps_per_second")
    rows = read_metrics(folder / "metrics.csv")
    return [{key: value for key, value in row.items() if key not in times} for row in rows]
