"""Labels against breadth-first search, the network in NumPy and in JAX, and training."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from pushworld import Puzzle, solve
from pushworld.datasets.generated import generate
from pushworld.engine import Engine
from pushworld.learned import Network, Observer
from pushworld.learned.network import CLASS_DISTANCES
from pushworld.learned.training.__main__ import main
from pushworld.learned.training.augmentation import DeviceExamples, mirrored, transposed
from pushworld.learned.training.examples import DEAD, UNKNOWN, Examples
from pushworld.learned.training.labels import (
    LabelSettings,
    choose_arrangements,
    label_arrangements,
    label_plan,
    label_puzzle,
    with_initial_state,
)
from pushworld.learned.training.network import apply
from pushworld.learned.training.sampling import make_pools
from pushworld.learned.training.state_space import StateSpace, enumerate_states
from pushworld.learned.training.training import Training, TrainingConfig, distance_targets
from pushworld.learned.weights import DEAD_END, DISTANCES, random_weights
from pushworld.puzzle import PushWorldError, Symmetry, parse_plan, transform
from pushworld.rl.runs.metrics import read_metrics
from tests.planners.tiny_puzzles import random_state, tiny_puzzle
from tests.waiting import PATIENCE, wait_until

INTERRUPTED = "interrupted: run the same command again to continue\n"
TINY = TrainingConfig(
    width=6, repeats=2, steps=60, cells_a_batch=400, log_every=20, learning_rate=1e-2, warm_up=5
)


def settings_of(config: TrainingConfig) -> str:
    """Returns settings as the option ``--config`` takes them."""
    return msgspec.json.encode(config).decode()


@pytest.mark.parametrize("seed", range(12))
def test_distances_are_those_of_breadth_first_search(seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    space = enumerate_states(puzzle, 100_000)
    assert space is not None
    random = Random(seed)
    for steps in (0, 5, 20, 60):
        state = random_state(random, puzzle, steps)
        number = space.index_of(np.array(state, np.int16))
        length = solve(with_initial_state(puzzle, state), "bfs").length
        assert space.distances[number] == (DEAD if length is None else length)


def test_best_actions_lead_one_step_closer() -> None:
    puzzle = tiny_puzzle(1, max_movables=2)
    space = enumerate_states(puzzle, 100_000)
    assert space is not None
    everything = np.arange(len(space.states))
    best = space.best_actions(everything)
    ahead = space.distances[space.successors]
    assert (ahead[best] == np.repeat(space.distances, 4).reshape(-1, 4)[best] - 1).all()
    assert (best.any(axis=1) == (space.distances > 0)).all()


def test_puzzles_with_too_many_states_are_left_out() -> None:
    assert enumerate_states(tiny_puzzle(1), 10) is None


def test_arrangements_have_a_label_for_every_position() -> None:
    puzzle = generate("base", 1, seed=3).puzzle(0)
    space = enumerate_states(puzzle, 100_000)
    assert space is not None
    chosen = choose_arrangements(space, 12, np.random.default_rng(0))
    assert len(set(chosen.tolist())) == len(chosen) == 12
    examples = label_arrangements(space, chosen.tolist(), side=6)
    assert examples.planes.shape[:3] == (12, 6, 6)
    assert (examples.distances[:, 5:] == UNKNOWN).all()
    start = Engine(puzzle).initial_states(1)
    mine = np.flatnonzero((space.states[space.first[chosen], 1:] == start[:, 1:]).all((1, 2)))
    row, column = (int(each[0]) for each in Observer(puzzle).cells_of_agent(start))
    assert examples.distances[mine[0], row, column] == solve(puzzle, "bfs").length


def test_labels_of_a_plan_lead_along_it() -> None:
    puzzle = generate("all", 1, seed=4).puzzle(0)
    plan = solve(puzzle, "astar").plan
    assert plan
    examples = label_plan(puzzle, plan, side=10)
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


def all_arrangements(puzzle: Puzzle) -> tuple[StateSpace, range]:
    """Returns the state space, and the indices of its arrangements."""
    space = enumerate_states(puzzle, 100_000)
    assert space is not None
    return space, range(len(space.first) - 1)


TURNED_SEEDS = (1, 2, 4)
MAX_TURNED = max(
    len(all_arrangements(tiny_puzzle(seed, max_movables=2))[1]) for seed in TURNED_SEEDS
)
"""The number of examples that all puzzles are padded to, so that one program serves all."""

TRANSPOSE, MIRROR = jax.jit(transposed), jax.jit(mirrored)


@pytest.mark.parametrize("symmetry", Symmetry)
@pytest.mark.parametrize("seed", TURNED_SEEDS)
def test_examples_are_transformed_like_their_puzzles(symmetry: Symmetry, seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    expected = label_arrangements(*all_arrangements(transform(puzzle, symmetry)), side=8)
    shown = {each.tobytes(): number for number, each in enumerate(expected.planes + 0)}
    examples = label_arrangements(*all_arrangements(puzzle), side=8)
    count = len(examples)
    padded = examples.take(np.resize(np.arange(count), MAX_TURNED))
    batch = DeviceExamples(*(getattr(padded, name) for name in DeviceExamples._fields))
    swap, left_right, up_down = steps_of(symmetry)
    batch = TRANSPOSE(batch) if swap else batch
    flips = (np.full(MAX_TURNED, flip) for flip in (left_right, up_down))
    batch = jax.device_get(MIRROR(batch, *flips))
    numbers = [shown[each.tobytes()] for each in batch.planes[:count] + 0]
    assert len(set(numbers)) == count == len(expected)
    for name in ("sizes", "distances", "actions"):
        assert np.array_equal(getattr(batch, name)[:count], getattr(expected, name)[numbers])


def test_large_puzzles_are_labelled_with_plans() -> None:
    puzzle = tiny_puzzle(4, max_movables=2)
    settings = LabelSettings(count=200, max_states=10, starts=6)
    examples = label_puzzle(puzzle, settings, np.random.default_rng(0))
    assert examples is not None
    space, _ = all_arrangements(puzzle)
    observer = Observer(puzzle)
    drawn = observer.draw(space.states[space.first[:-1]]).astype(np.float16)
    indices = {each.tobytes(): index for index, each in enumerate(drawn)}
    for planes, distances in zip(examples.planes, examples.distances, strict=True):
        states = space.states_of(indices[planes[: observer.height, : observer.width].tobytes()])
        found = distances[observer.cells_of_agent(space.states[states])]
        exact = space.distances[states]
        assert ((found == UNKNOWN) | (found == exact) | ((exact >= 0) & (found > exact))).all()


def test_both_networks_are_one_function_on_grids_of_any_size() -> None:
    weights = random_weights(12, seed=1)
    random = np.random.default_rng(0)
    planes = random.random((2, 9, 9, weights["embed"].shape[2]), np.float32)
    sizes = np.array([[5, 7], [9, 9]])

    @jax.jit
    def in_jax(planes: jax.Array, sizes: jax.Array) -> tuple[jax.Array, jax.Array]:
        arrays = {name: jnp.asarray(each) for name, each in weights.items()}
        logits, classes = apply(arrays, planes, sizes, 4)
        return jax.nn.log_softmax(logits), jax.nn.softmax(classes) @ CLASS_DISTANCES

    expected_policies, expected_distances = jax.device_get(in_jax(planes, sizes))
    for number, (height, width) in enumerate(sizes):
        policies, distances = Network(weights, 4)(planes[number : number + 1, :height, :width])
        grid = (number, slice(height), slice(width))
        assert np.allclose(policies[0], expected_policies[grid], atol=1e-4)
        assert np.allclose(distances[0], expected_distances[grid], rtol=1e-4)


def test_distances_become_classes_that_mean_them() -> None:
    targets = np.asarray(jax.jit(distance_targets)(np.array([0, 3, 7, 44, 128, 5000, DEAD])))
    assert np.allclose(targets.sum(axis=1), 1)
    assert np.allclose(targets[:6, :DEAD_END] @ np.array(DISTANCES), [0, 3, 7, 44, 128, 128])
    assert targets[6].argmax() == DEAD_END
    assert (targets[:6, DEAD_END] == 0).all()


@pytest.fixture(scope="module")
def examples() -> Examples:
    """The examples of a few puzzles; all trainings use as many, so that they compile once."""
    random = np.random.default_rng(0)
    parts = []
    for puzzle in generate("base", 4, seed=6).puzzles():
        space = enumerate_states(puzzle, 100_000)
        assert space is not None
        chosen = choose_arrangements(space, 16, random)
        parts.append(label_arrangements(space, chosen.tolist(), side=5))
    return Examples.join(parts)


def test_training_learns_and_continues_exactly(examples: Examples, tmp_path: Path) -> None:
    reports: list[dict[str, float]] = []
    whole = Training.start(TINY)
    whole.run({"base": [examples]}, report=lambda _, losses: reports.append(losses))
    assert reports[-1]["policy"] < 0.8 * reports[0]["policy"]
    assert reports[-1]["right"] > reports[0]["right"]

    stopped = Training.start(TINY)

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


def test_a_training_needs_an_end(examples: Examples) -> None:
    training = Training.start(replace(TINY, steps=0))
    with pytest.raises(PushWorldError, match="steps, or of seconds"):
        training.run({"base": [examples]})
    with pytest.raises(PushWorldError, match="more seconds"):
        training.run({"base": [examples]}, seconds=-1)


def test_a_part_of_the_planned_time_is_a_part_of_the_training(examples: Examples) -> None:
    training = Training.start(replace(TINY, steps=0))
    training.run({"base": [examples]}, seconds=0.5, remaining_seconds=1.5)
    assert training.progress == pytest.approx(0.25)
    training.run({"base": [examples]}, seconds=0.5)
    assert training.progress == 1


def test_sources_are_equally_likely_whatever_their_size(examples: Examples) -> None:
    few = examples.take(np.arange(3))
    pools = make_pools({"many": [examples, examples], "few": [few]})
    assert [pool.counts.tolist() for pool in pools] == [[2 * len(examples), 3]]
    assert np.allclose(pools[0].weights, 1)


def test_from_puzzles_to_a_network_that_guides_a_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make = ["make", "generated/base", "--puzzles", "4", "--count", "16"]
    assert main([*make, "-o", str(tmp_path / "examples")]) == 0
    assert "64 examples of 4 puzzles" in capsys.readouterr().out
    assert main([*make, "-o", str(tmp_path / "examples")]) == 0
    assert "0 examples of 0 puzzles" in capsys.readouterr().out
    (file,) = (tmp_path / "examples").glob("*.npz")
    config = settings_of(TINY)
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
    agent = tmp_path / "run" / "weights.npz"
    assert solve(puzzle, f"learned:{agent}").status == "solved"


def test_a_folder_continues_only_its_own_training(
    examples: Examples, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, first, folder = tmp_path / "base-0.npz", tmp_path / "first.npz", tmp_path / "run"
    examples.save(file)
    Training.start(TINY).network.save(first)
    run = ["train", str(file), "-o", str(folder)]
    start = ["--from", str(first)]
    short, longer, other = (
        ["--config", settings_of(replace(TINY, **settings))]
        for settings in ({"steps": 5}, {"steps": 8}, {"steps": 8, "seed": 1})
    )
    for options in (short + start, short + start, start, []):
        assert main(run + options) == 0
        last = f"{folder}: 5 steps, 100% of the training, weights.npz\n"
        assert capsys.readouterr().out.endswith(last)
    assert main(run + longer + start) == 0
    assert "run: 8 steps, 100% of the training" in capsys.readouterr().out
    for options, differing in (
        (other + start, "seed 0"),
        (longer, f"start {first}"),
        (["--from", str(folder / "weights.npz")], f"start {first}"),
    ):
        assert main(run + options) == 2
        message = f"run holds a training with other settings ({differing}): name another folder"
        assert message in capsys.readouterr().err
    assert main(run) == 0
    assert "run: 8 steps" in capsys.readouterr().out


def test_an_interrupt_ends_a_training_with_a_checkpoint(examples: Examples, tmp_path: Path) -> None:
    examples.save(tmp_path / "base-0.npz")
    config = settings_of(replace(TINY, steps=10**9, log_every=5))
    folder = tmp_path / "run"
    command = ["train", str(tmp_path / "base-0.npz"), "-o", str(folder), "--config", config]
    running = subprocess.Popen(
        [sys.executable, "-m", "pushworld.learned.training", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: running.poll() is not None or (folder / "checkpoint.npz").exists())
    running.terminate()
    _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (13, INTERRUPTED)
    step = Training.resume(replace(TINY, steps=10**9), folder / "checkpoint.npz").step
    rows = read_metrics(folder / "metrics.csv", "step")
    assert rows[-1]["step"] <= step < rows[-1]["step"] + 5


def test_mistakes_are_named_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "steps: expected int, got str" in capsys.readouterr().err


def test_damaged_files_are_named(
    examples: Examples, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "base-0.npz", tmp_path / "run"
    examples.save(file)
    training = Training.start(TINY)
    training.network.save(tmp_path / "weights.npz")
    train = ["train", str(file), "-o", str(folder), "--config", settings_of(TINY)]
    wider = settings_of(replace(TINY, width=8))
    assert main([*train, "--config", wider, "--from", str(tmp_path / "weights.npz")]) == 2
    assert "width 6" in capsys.readouterr().err
    assert main([*train, "--from", str(file)]) == 2
    assert "holds no network" in capsys.readouterr().err
    training.save(folder / "checkpoint.npz")
    (folder / "config.json").write_text(wider)
    assert main([*train, "--config", wider]) == 2
    assert "no checkpoint of a training with these settings" in capsys.readouterr().err
    (folder / "config.json").write_text("{")
    assert main(train) == 2
    assert "config.json must be settings" in capsys.readouterr().err
    file.write_bytes(file.read_bytes()[:5000])
    (folder / "checkpoint.npz").unlink()
    assert main(train) == 2
    assert "base-0.npz is damaged" in capsys.readouterr().err
