"""Runs with several seeds: rows, agents and events of each seed, which are those of its own run."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np
import pytest
from msgspec.structs import replace

from pushworld.rl.evaluation.agents import AgentError, load_agent
from pushworld.rl.runs.metrics import Report, read_metrics
from pushworld.rl.runs.puzzles import RunPuzzles
from pushworld.rl.runs.suite import SuiteRun, collect, unfinished
from pushworld.rl.runs.training import train
from tests.rl.conftest import Done, with_ppo

SEEDS = (1, 4)
TIMES = ("seconds", "steps_per_second")


@with_ppo
def test_several_seeds_continue_after_a_kill_and_each_learns_what_it_learns_alone(
    done: Done, tmp_path: Path
) -> None:
    steps = done.config.log_every
    config = replace(
        done.config, seeds=SEEDS, steps=2 * steps, evaluate_every=10**9, checkpoint_every=steps // 2
    )
    puzzles = RunPuzzles.of_sets(config)
    reports: list[Report] = []

    def killed(report: Report) -> None:
        reports.append(report)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(config, tmp_path / "run", puzzles, show=killed)
    first = read_metrics(tmp_path / "run" / "metrics.csv")
    last = train(config, tmp_path / "run", puzzles)

    rows = read_metrics(tmp_path / "run" / "metrics.csv")
    assert rows[:2] == first
    assert [row["seed"] for row in rows] == [*SEEDS] * (len(rows) // 2)
    assert rows[-1]["steps"] >= config.steps
    assert last["train_greedy"] == pytest.approx(sum(row["train_greedy"] for row in rows[-2:]) / 2)
    together = reports[0]["steps_per_second"]
    assert together == pytest.approx(sum(row["steps_per_second"] for row in first), rel=1e-3)

    alone = read_metrics(done.folder / "metrics.csv")[0]
    shared = [name for name in first[0] if name in alone and name not in TIMES]
    assert "value_loss" in shared
    for name in shared:
        assert first[0][name] == pytest.approx(alone[name], rel=1e-3, abs=1e-4), name
    assert first[0] != first[1]

    agents = {seed: load_agent(tmp_path / "run" / f"agent-{seed}.zip") for seed in SEEDS}
    for seed, agent in agents.items():
        own = [row for row in rows if row["seed"] == seed]
        assert (agent.config.all_seeds, agent.steps) == ((seed,), own[-1]["steps"])
    with pytest.raises(AgentError, match=r"several seeds: use one of agent-1\.zip, agent-4\.zip"):
        load_agent(tmp_path / "run")
    assert all(list((tmp_path / "run" / "events" / str(seed)).iterdir()) for seed in SEEDS)

    again = replace(config, start_from=str(tmp_path / "run" / "agent-{seed}.zip"), steps=1)
    train(again, tmp_path / "again", puzzles, seconds=0)
    for seed, agent in agents.items():
        copy = load_agent(tmp_path / "again" / f"agent-{seed}.zip")
        assert jax.tree.all(jax.tree.map(np.array_equal, copy.weights, agent.weights))

    of_suite = SuiteRun("run", config, 1.0)
    assert unfinished([of_suite], tmp_path) == []
    longer = SuiteRun("run", replace(config, steps=int(rows[-1]["steps"]) + 10**6), 1.0)
    assert unfinished([longer], tmp_path) == [longer]
    collect([of_suite], tmp_path)
    header, *lines = (tmp_path / "metrics.csv").read_text().splitlines()
    assert header.startswith("run,steps,seed,")
    assert len(lines) == len(rows)
