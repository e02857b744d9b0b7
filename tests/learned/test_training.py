"""Learning from solved puzzles: labels against breadth-first search, the two networks, training."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld import Puzzle, solve
from pushworld.datasets.generated import generate
from pushworld.engine import Engine
from pushworld.learned import GuidedSearch, Network, Observer
from pushworld.learned.network import (
    CLASS_DISTANCES,
    DEAD_END,
    DISTANCES,
    new_weights,
)
from pushworld.learned.training.__main__ import main
from pushworld.learned.training.examples import (
    DEAD,
    UNKNOWN,
    Examples,
    choose_groups,
    examples_of_placements,
    examples_of_plan,
)
from pushworld.learned.training.making import Teaching, examples_of, from_state
from pushworld.learned.training.network import apply
from pushworld.learned.training.placements import Placements, place_objects
from pushworld.learned.training.pools import make_pools
from pushworld.learned.training.symmetries import Batch, mirrored, transposed
from pushworld.learned.training.training import ImitationConfig, Training, distance_targets
from pushworld.puzzle import PushWorldError, Symmetry, parse_plan, transform
from pushworld.rl.metrics import read_metrics
from tests.planners.tiny_puzzles import random_state, tiny_puzzle
from tests.waiting import PATIENCE, wait_until

TINY = ImitationConfig(
    width=6, repeats=2, steps=60, cells_a_batch=400, log_every=20, learning_rate=1e-2, warm_up=5
)


@pytest.mark.parametrize("seed", range(12))
def test_distances_are_those_of_breadth_first_search(seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    placements = place_objects(puzzle, 100_000)
    assert placements is not None
    random = Random(seed)
    for steps in (0, 5, 20, 60):
        state = random_state(random, puzzle, steps)
        number = placements.number_of(np.array(state, np.int16))
        length = solve(from_state(puzzle, state), "bfs").length
        assert placements.distances[number] == (DEAD if length is None else length)


def test_best_actions_lead_one_step_closer() -> None:
    puzzle = tiny_puzzle(1, max_movables=2)
    placements = place_objects(puzzle, 100_000)
    assert placements is not None
    everything = np.arange(len(placements.states))
    best = placements.best_actions(everything)
    ahead = placements.distances[placements.successors]
    assert (ahead[best] == np.repeat(placements.distances, 4).reshape(-1, 4)[best] - 1).all()
    assert (best.any(axis=1) == (placements.distances > 0)).all()


def test_puzzles_with_too_many_placements_are_left_out() -> None:
    assert place_objects(tiny_puzzle(1), 10) is None


def test_examples_of_placements_say_what_is_known_of_every_position() -> None:
    puzzle = generate("base", 1, seed=3).puzzle(0)
    placements = place_objects(puzzle, 100_000)
    assert placements is not None
    groups = choose_groups(placements, 12, np.random.default_rng(0))
    assert len(set(groups.tolist())) == len(groups) == 12
    examples = examples_of_placements(placements, groups.tolist(), side=6)
    assert examples.planes.shape[:3] == (12, 6, 6)
    assert (examples.distances[:, 5:] == UNKNOWN).all()
    start = Engine(puzzle).initial_states(1)
    mine = np.flatnonzero(
        (placements.states[placements.first[groups], 1:] == start[:, 1:]).all((1, 2))
    )
    row, column = (int(each[0]) for each in Observer(puzzle).cells_of_agent(start))
    assert examples.distances[mine[0], row, column] == solve(puzzle, "bfs").length


def test_examples_of_a_plan_lead_along_it() -> None:
    puzzle = generate("all", 1, seed=4).puzzle(0)
    plan = solve(puzzle, "astar").plan
    assert plan
    examples = examples_of_plan(puzzle, plan, side=10)
    observer = Observer(puzzle)
    states = np.array(list(puzzle.replay(plan)), np.int16)
    drawn = [each.astype(np.float16).tobytes() for each in observer.draw(states)]
    numbers = {
        each[: observer.height, : observer.width].tobytes(): number
        for number, each in enumerate(examples.planes)
    }
    rows, columns = observer.cells_of_agent(states)
    for step, action in enumerate(parse_plan(plan)):
        cell = (numbers[drawn[step]], rows[step], columns[step])
        assert examples.distances[cell] == len(plan) - step
        assert examples.actions[cell][action]


def steps_of(symmetry: Symmetry) -> tuple[bool, bool, bool]:
    """Returns whether a symmetry transposes, and then mirrors left and right, up and down."""
    x, y = symmetry.apply_to_vector((1, 2))
    return abs(x) == 2, x < 0, y < 0


def all_groups(puzzle: Puzzle) -> tuple[Placements, range]:
    """Returns all placements, and the numbers of their groups."""
    placements = place_objects(puzzle, 100_000)
    assert placements is not None
    return placements, range(len(placements.first) - 1)


@pytest.mark.parametrize("symmetry", Symmetry)
@pytest.mark.parametrize("seed", [1, 2, 4])
def test_examples_are_turned_as_the_puzzles_that_they_show(symmetry: Symmetry, seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    turned = transform(puzzle, symmetry)
    expected = examples_of_placements(*all_groups(turned), side=8)
    shown = {each.tobytes(): number for number, each in enumerate(expected.planes + 0)}
    examples = examples_of_placements(*all_groups(puzzle), side=8)
    batch = Batch(*(jnp.asarray(getattr(examples, name)) for name in Batch._fields))
    swap, left_right, up_down = steps_of(symmetry)
    batch = transposed(batch) if swap else batch
    count = len(examples)
    batch = mirrored(batch, jnp.full(count, left_right), jnp.full(count, up_down))
    numbers = [shown[each.tobytes()] for each in np.asarray(batch.planes + 0)]
    assert len(set(numbers)) == count == len(expected)
    for name in ("sizes", "distances", "actions"):
        assert np.array_equal(np.asarray(getattr(batch, name)), getattr(expected, name)[numbers])


def test_large_puzzles_are_taught_by_plans_from_here_and_there() -> None:
    puzzle = tiny_puzzle(4, max_movables=2)
    teaching = Teaching(count=200, max_states=10, starts=6)
    examples = examples_of(puzzle, teaching, np.random.default_rng(0))
    assert examples is not None
    placements, _ = all_groups(puzzle)
    observer = Observer(puzzle)
    drawn = observer.draw(placements.states[placements.first[:-1]]).astype(np.float16)
    groups = {each.tobytes(): number for number, each in enumerate(drawn)}
    for planes, distances in zip(examples.planes, examples.distances, strict=True):
        group = groups[planes[: observer.height, : observer.width].tobytes()]
        states = np.arange(placements.first[group], placements.first[group + 1])
        told = distances[observer.cells_of_agent(placements.states[states])]
        exact = placements.distances[states]
        assert ((told == UNKNOWN) | (told == exact) | ((exact >= 0) & (told > exact))).all()


def test_both_networks_are_one_function_on_worlds_of_any_size() -> None:
    weights = new_weights(12, seed=1)
    random = np.random.default_rng(0)
    planes = random.random((2, 9, 9, weights["embed"].shape[2]), np.float32)
    sizes = np.array([[5, 7], [9, 9]])
    logits, classes = apply(weights, jnp.asarray(planes), jnp.asarray(sizes), 4)
    for number, (height, width) in enumerate(sizes):
        policies, distances = Network(weights, 4)(planes[number : number + 1, :height, :width])
        expected = jax.nn.log_softmax(logits)[number, :height, :width]
        assert np.allclose(policies[0], expected, atol=1e-4)
        expected = jax.nn.softmax(classes)[number, :height, :width] @ CLASS_DISTANCES
        assert np.allclose(distances[0], expected, rtol=1e-4)


def test_distances_become_classes_that_mean_them() -> None:
    targets = np.asarray(distance_targets(jnp.array([0, 3, 7, 44, 128, 5000, DEAD])))
    assert np.allclose(targets.sum(axis=1), 1)
    assert np.allclose(targets[:6, :DEAD_END] @ np.array(DISTANCES), [0, 3, 7, 44, 128, 128])
    assert targets[6].argmax() == DEAD_END
    assert (targets[:6, DEAD_END] == 0).all()


def some_examples() -> Examples:
    """Returns the examples of a few puzzles."""
    random = np.random.default_rng(0)
    parts = []
    for puzzle in generate("base", 4, seed=6).puzzles():
        placements = place_objects(puzzle, 100_000)
        assert placements is not None
        groups = choose_groups(placements, 16, random)
        parts.append(examples_of_placements(placements, groups.tolist(), side=5))
    return Examples.join(parts)


def test_training_learns_and_goes_on_as_if_never_stopped(tmp_path: Path) -> None:
    examples = some_examples()
    reports: list[dict[str, float]] = []
    whole = Training.begin(TINY)
    whole.run({"base": [examples]}, report=lambda _, losses: reports.append(losses))
    assert reports[-1]["policy"] < 0.8 * reports[0]["policy"]
    assert reports[-1]["right"] > reports[0]["right"]

    stopped = Training.begin(TINY)

    def stop(step: int, _: dict[str, float]) -> None:
        if step == 40:
            stopped.save(tmp_path / "checkpoint.npz")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run({"base": [examples]}, report=stop)
    resumed = Training.resume(TINY, tmp_path / "checkpoint.npz")
    assert resumed.step == 40
    resumed.run({"base": [examples]})
    for name, weights in whole.network.weights.items():
        assert np.array_equal(resumed.network.weights[name], weights)


def test_a_training_needs_an_end() -> None:
    training = Training.begin(replace(TINY, steps=0))
    with pytest.raises(PushWorldError, match="steps, or of seconds"):
        training.run({"base": [some_examples()]})
    with pytest.raises(PushWorldError, match="more seconds"):
        training.run({"base": [some_examples()]}, seconds=-1)


def test_a_part_of_the_planned_time_is_a_part_of_the_training() -> None:
    training = Training.begin(replace(TINY, steps=0))
    training.run({"base": [some_examples()]}, seconds=0.5, later=1.5)
    assert training.progress == pytest.approx(0.25)
    training.run({"base": [some_examples()]}, seconds=0.5)
    assert training.progress == 1


def test_sources_are_equally_likely_whatever_they_have() -> None:
    examples = some_examples()
    few = examples.take(np.arange(3))
    pools = make_pools({"many": [examples, examples], "few": [few]})
    assert [pool.counts.tolist() for pool in pools] == [[2 * len(examples), 3]]
    assert np.allclose(pools[0].chances, 1)


def test_from_puzzles_to_a_network_that_searches_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make = ["make", "generated/base", "--puzzles", "3", "--count", "8"]
    assert main([*make, "-o", str(tmp_path / "examples")]) == 0
    assert "24 examples of 3 puzzles" in capsys.readouterr().out
    assert main([*make, "-o", str(tmp_path / "examples")]) == 0
    assert "0 examples of 0 puzzles" in capsys.readouterr().out
    (file,) = (tmp_path / "examples").glob("*.npz")
    config = json.dumps(asdict(TINY))
    train = [
        "train",
        str(file),
        "--check",
        str(file),
        "-o",
        str(tmp_path / "run"),
        "--config",
        config,
    ]
    assert main(train) == 0
    assert len((tmp_path / "run" / "metrics.csv").read_text().splitlines()) == 4
    puzzle = generate("base", 1, seed=9).puzzle(0)
    search = GuidedSearch(puzzle, Network.load(tmp_path / "run" / "weights.npz"))
    assert search.run(lambda: False) == "solved"


def test_an_interrupt_ends_a_training_with_a_checkpoint(tmp_path: Path) -> None:
    some_examples().save(tmp_path / "base-0.npz")
    config = json.dumps(asdict(replace(TINY, steps=10**9, log_every=5)))
    folder = tmp_path / "run"
    command = ["train", str(tmp_path / "base-0.npz"), "-o", str(folder), "--config", config]
    running = subprocess.Popen(
        [sys.executable, "-m", "pushworld.learned.training", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until((folder / "checkpoint.npz").exists)
    running.terminate()
    _, told = running.communicate(timeout=PATIENCE)
    assert (running.returncode, told) == (13, "interrupted: the same command goes on\n")
    step = Training.resume(replace(TINY, steps=10**9), folder / "checkpoint.npz").step
    rows = read_metrics(folder / "metrics.csv", "step")
    assert rows[-1]["step"] <= step < rows[-1]["step"] + 5


def test_mistakes_are_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make = ["make", "generated/nothing", "-o", str(tmp_path / "none")]
    assert main(make) == 2
    assert "nothing" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "none.npz"), "-o", str(tmp_path / "run")]) == 2
    no_examples = tmp_path / "other.npz"
    np.savez(no_examples, something=np.zeros(1))
    train = ["train", str(no_examples), "-o", str(tmp_path / "new")]
    assert main(train) == 2
    assert "holds no examples" in capsys.readouterr().err
    assert main([*train, "--config", '{"depth": 3}']) == 2
    assert "depth" in capsys.readouterr().err
    assert main([*train, "--config", '{"steps": "many"}']) == 2
    assert "steps is 'many'" in capsys.readouterr().err


def test_damaged_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples, folder = tmp_path / "base-0.npz", tmp_path / "run"
    some_examples().save(examples)
    training = Training.begin(TINY)
    training.network.save(tmp_path / "weights.npz")
    train = ["train", str(examples), "-o", str(folder), "--config", json.dumps(asdict(TINY))]
    wider = json.dumps(asdict(replace(TINY, width=8)))
    assert main([*train, "--config", wider, "--from", str(tmp_path / "weights.npz")]) == 2
    assert "width 6" in capsys.readouterr().err
    assert main([*train, "--from", str(examples)]) == 2
    assert "holds no network" in capsys.readouterr().err
    training.save(folder / "checkpoint.npz")
    (folder / "config.json").write_text(wider)
    assert main(train) == 2
    assert "not of a training with these settings" in capsys.readouterr().err
    (folder / "config.json").write_text("{")
    assert main(train) == 2
    assert "config.json must be settings" in capsys.readouterr().err
    examples.write_bytes(examples.read_bytes()[:5000])
    (folder / "checkpoint.npz").unlink()
    assert main(train) == 2
    assert "base-0.npz is damaged" in capsys.readouterr().err
