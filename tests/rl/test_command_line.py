"""``pushworld train`` and ``pushworld evaluate`` as a user runs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from PIL import Image, ImageSequence

from pushworld.bench import read_results
from pushworld.bench.archives import verified
from pushworld.puzzle import Puzzle
from pushworld.rl.evaluation.agents import load_agent, save_agent
from pushworld.rl.runs.metrics import read_metrics
from pushworld.rl.runs.presets import PRESETS, machine_preset
from pushworld.statistics import Share
from tests.cli.running import run
from tests.rl.conftest import ROUNDS, Done, with_ppo


@with_ppo
def test_a_run_leaves_settings_metrics_events_and_an_agent(done: Done, corridors: Path) -> None:
    assert done.config.seed == 1
    assert done.config.algorithm == done.command[1]
    assert done.config.train == f"{corridors}/train"
    assert done.config.test == f"{corridors}/test"
    rows = read_metrics(done.folder / "metrics.csv")
    assert len(rows) >= ROUNDS
    assert rows[-1]["test_sampled"] == pytest.approx(done.report["test_sampled"], rel=1e-5)
    assert (done.folder / "agent.zip").exists()
    events = b"".join(path.read_bytes() for path in (done.folder / "events").iterdir())
    assert b"evaluation/test_greedy" in events


@with_ppo
def test_the_settings_that_a_run_leaves_repeat_it(done: Done, tmp_path: Path) -> None:
    config = str(done.folder / "config.json")
    steps = str(done.config.log_every)
    again = run("train", "--config", config, "--steps", steps, "-o", str(tmp_path))
    assert again.exit_code == 0, again.err
    assert "of train (" in again.out
    first, second = (read_metrics(each / "metrics.csv") for each in (done.folder, tmp_path))
    assert second[0]["return"] == first[0]["return"]
    assert second[0]["entropy"] == first[0]["entropy"]


@with_ppo
def test_more_steps_continue_the_run(done: Done, tmp_path: Path) -> None:
    longer = tmp_path / "longer"
    shutil.copytree(done.folder, longer)
    before = read_metrics(longer / "metrics.csv")
    steps = int(before[-1]["steps"]) + 1
    assert run(*done.command, "--steps", str(steps), "-o", str(longer)).exit_code == 0
    after = read_metrics(longer / "metrics.csv")
    assert after[: len(before)] == before
    assert after[-1]["steps"] >= steps


@with_ppo
def test_centred_puzzles_are_another_run(done: Done) -> None:
    outcome = run(*done.command, "--centred", "-o", str(done.folder))
    assert outcome.exit_code == 2
    assert "another configuration (random_placement True)" in outcome.err


@with_ppo
def test_evaluate_reports_rates_and_every_puzzle(
    done: Done, corridors: Path, tmp_path: Path
) -> None:
    table, videos = tmp_path / "results.csv", tmp_path / "videos"
    outcome = run(
        *("evaluate", str(done.folder), "--set", str(corridors / "train"), "--json"),
        *("-o", str(table), "--videos", str(videos), "--count", "1"),
    )
    assert outcome.exit_code == 0, outcome.err
    report = json.loads(outcome.out)
    assert (report["puzzles"], report["episodes"], report["solve_rate"]) == (2, 2, 1)
    assert report["interval_95"] == pytest.approx(Share(2, 2).interval)
    for result in report["results"]:
        puzzle = Puzzle.load(corridors / "train" / f"{result['puzzle']}.pwp")
        assert puzzle.validate(result["plan"])
        assert (result["views"], result["solved_views"]) == (1, 1)
    rows = verified(read_results(table)).runs
    assert {row.status for row in rows} == {"solved"}
    assert [row.plan for row in rows] == [each["plan"] for each in report["results"]]
    (video,) = report["videos"]
    assert Path(video).name == f"solved-{rows[0].puzzle}.gif"
    with Image.open(video) as frames:
        assert len(ImageSequence.all_frames(frames)) == (rows[0].length or 0) + 1


@with_ppo
def test_evaluate_with_a_memory_leaves_the_wall(done: Done, tmp_path: Path) -> None:
    """A network of zeros likes all actions equally, so it goes left for ever without a memory."""
    trained = load_agent(done.folder)
    zeros = jax.tree.map(np.zeros_like, trained.weights)
    save_agent(tmp_path / "agent.zip", replace(trained, weights=zeros))
    (tmp_path / "trap.pwp").write_text(". A M1 G1\n")
    command = ["evaluate", str(tmp_path / "agent.zip"), "--set", str(tmp_path), "--json"]
    for options, plan in (([], None), (["--remember"], "LLRR")):
        outcome = run(*command, *options)
        assert outcome.exit_code == 0, outcome.err
        (result,) = json.loads(outcome.out)["results"]
        assert result["plan"] == plan


@with_ppo
def test_puzzles_with_similar_names_have_a_video_each(done: Done, tmp_path: Path) -> None:
    for name in ("a/b.pwp", "a-b.pwp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("A . . . G1 M1\n")
    outcome = run(
        *("evaluate", str(done.folder), "--set", str(tmp_path), "--json"),
        *("--videos", str(tmp_path / "videos")),
    )
    assert outcome.exit_code == 0, outcome.err
    assert len({Path(each) for each in json.loads(outcome.out)["videos"]}) == 2
    assert len(list((tmp_path / "videos").iterdir())) == 2


@with_ppo
def test_evaluate_prints_a_summary(done: Done, tmp_path: Path) -> None:
    (tmp_path / "hopeless.pwp").write_text("A . . . G1 M1\n")
    (tmp_path / "mirrored.pwp").write_text("M1 G1 . . . A\n")
    outcome = run("evaluate", str(done.folder), "--set", str(tmp_path), "--videos", str(tmp_path))
    assert outcome.exit_code == 0, outcome.err
    assert "0.0% of 2 episodes solved (95 % interval 0.0% to 65.8%)" in outcome.out
    assert (tmp_path / "failed-hopeless.gif").exists()
    outcome = run("evaluate", str(done.folder), "--set", str(tmp_path), "--every", "2")
    assert "0 of 1 puzzles as given" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "sarsa"], "algorithm is 'sarsa': use ppo or dqn"),
        (["train", "--preset", "tiny"], "there is no preset 'tiny': use paper, cpu or gpu"),
        (["train", "--preset", "cpu", "--config", "a.json"], "exclude each other"),
        (["train", "--config", "missing.json"], "missing.json cannot be read"),
        (["train", "--set", "nowhere"], "nowhere"),
        (["evaluate", "nowhere"], "there is no agent 'nowhere'"),
    ],
)
def test_mistakes_are_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    options = ["-o", str(tmp_path / "run")] if arguments[0] == "train" else []
    done = run(*arguments, *options)
    assert done.exit_code == 2
    assert message in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_a_run_from_an_agent_says_which_network_it_takes(tmp_path: Path) -> None:
    command = ("train", "ppo", "--set", str(tmp_path), "--preset", "cpu", "--from", "level0-policy")
    outcome = run(*command, "-o", str(tmp_path / "run"))
    assert "not that of a preset: iterated with 128 channels and 12 repeats" in outcome.err


@with_ppo
def test_only_what_a_network_has_is_said_of_it(done: Done, tmp_path: Path) -> None:
    command = ("train", "ppo", "--set", str(tmp_path), "--from", str(done.folder))
    outcome = run(*command, "-o", str(tmp_path / "run"))
    assert "not that of a preset: centred\n" in outcome.err


@pytest.mark.large
def test_a_run_without_a_preset_has_that_of_the_machine(corridors: Path, tmp_path: Path) -> None:
    outcome = run("train", "--set", str(corridors), "--seconds", "0", "-o", str(tmp_path / "run"))
    assert f"the preset is {machine_preset()}, for this machine" in outcome.err
    settings = json.loads((tmp_path / "run" / "config.json").read_text())
    assert settings["network"]["kind"] == PRESETS[machine_preset()]["network"]["kind"]


@with_ppo
def test_a_puzzle_too_large_for_the_agent_is_named(done: Done, tmp_path: Path) -> None:
    (tmp_path / "long.pwp").write_text("A M1 . . . . . G1\n")
    outcome = run("evaluate", str(done.folder), "--set", str(tmp_path))
    assert outcome.exit_code == 2
    assert "the agent was trained on a grid of" in " ".join(outcome.err.split())


COMMANDS = (
    "pushworld train",
    "pushworld evaluate agent.zip",
    "pushworld train --suite suite.json -o work",
)
WITHOUT_JAX = f"""
import runpy, sys
sys.modules["jax"] = None
for command in {COMMANDS}:
    sys.argv = command.split()
    try:
        runpy.run_module(sys.argv[0], run_name="__main__")
    except SystemExit as ended:
        print(ended.code)
"""


def test_without_jax_the_extra_is_named(tmp_path: Path) -> None:
    environment = {**os.environ, "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_JAX],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert done.stdout.split() == ["2"] * len(COMMANDS), done.stderr
    message = "error: learning needs jax, not installed here: pip install 'pushworld[jax]'"
    assert done.stderr.splitlines() == [message] * len(COMMANDS)
    assert list(tmp_path.iterdir()) == []
