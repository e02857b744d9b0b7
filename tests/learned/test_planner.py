"""The learned planner: its observations, its network, and its search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld import Puzzle, _native, solve
from pushworld._native import SearchResult
from pushworld.datasets.generated import generate
from pushworld.engine import Engine
from pushworld.learned import (
    Guidance,
    Network,
    Observer,
    guided_search,
    load_network,
    observation,
)
from pushworld.learned.agents import DEFAULT_AGENT
from pushworld.learned.weights import random_weights
from pushworld.puzzle import DELTAS, format_plan, pad
from tests.planners.tiny_puzzles import tiny_puzzle

tiny_puzzles = st.integers(0, 2_000).map(tiny_puzzle)


def initial_planes(puzzle: Puzzle) -> observation.Planes:
    """Returns the observation of the initial state."""
    planes: observation.Planes = Observer(puzzle).draw(Engine(puzzle).initial_states(1))[0]
    return planes


@settings(max_examples=20, deadline=None)
@given(tiny_puzzles)
def test_planes_show_every_cell_as_the_puzzle_has_it(puzzle: Puzzle) -> None:
    observer = Observer(puzzle)
    planes = initial_planes(puzzle)
    owner = {cell: thing for thing in puzzle.movables for cell in thing.cells_at(thing.start)}
    outlines = {
        cell for thing in puzzle.movables if thing.goal for cell in thing.cells_at(thing.goal)
    }
    stops = puzzle.walls | puzzle.agent_walls
    cells = {(x, y) for x in range(puzzle.width) for y in range(puzzle.height)}
    for row in range(observer.height):
        for column in range(observer.width):
            cell = (column + observer.left, row + observer.top)
            here = planes[row, column]
            thing = owner.get(cell)
            agent = puzzle.agent.cells_at(cell)
            assert here[observation.FREE] == (cell not in puzzle.walls)
            assert here[observation.AGENT_WALL] == (cell in puzzle.agent_walls)
            assert here[observation.OUTLINE] == (cell in outlines)
            fits = agent <= cells - stops
            assert here[observation.AGENT_FITS] == fits
            assert here[observation.AGENT_HITS] == (fits and not agent.isdisjoint(owner))
            assert here[observation.OBSTACLE] == (thing is not None and thing.goal is None)
            assert here[observation.TARGET] == (thing is not None and thing.goal is not None)
            for direction, (dx, dy) in enumerate(DELTAS):
                bond = thing is not None and owner.get((cell[0] + dx, cell[1] + dy)) is thing
                assert here[observation.BONDS + direction] == bond
                blocked = thing is not None and not puzzle.walls.isdisjoint(
                    thing.cells_at((thing.start[0] + dx, thing.start[1] + dy))
                )
                assert here[observation.BLOCKED + direction] == blocked
            if thing is not None and thing.goal is not None:
                away = np.subtract(thing.goal, thing.start)
                assert (
                    here[observation.TO_GOAL_X : observation.TO_GOAL_Y + 1].tolist()
                    == (away / 8).tolist()
                )
                assert here[observation.AT_GOAL] == (thing.goal == thing.start)


@settings(max_examples=20, deadline=None)
@given(tiny_puzzles)
def test_walls_around_a_puzzle_are_not_shown(puzzle: Puzzle) -> None:
    padded = pad(puzzle, puzzle.width + 3, puzzle.height + 2)
    assert np.array_equal(initial_planes(puzzle), initial_planes(padded))


def test_the_agent_is_not_drawn_so_one_evaluation_serves_all_its_positions() -> None:
    here, there = Puzzle.parse("A . M1 G1\n. . . ."), Puzzle.parse(". . M1 G1\n. . . A")
    assert np.array_equal(initial_planes(here), initial_planes(there))


def test_each_grid_of_a_batch_is_evaluated_as_if_alone() -> None:
    network = Network(random_weights(8), 3)
    planes = np.random.default_rng(0).random((3, 4, 6, observation.CHANNELS), np.float32)
    policies, distances = network(planes)
    assert np.allclose(np.exp(policies).sum(axis=-1), 1, atol=1e-5)
    for index in range(3):
        alone, distance = network(planes[index : index + 1])
        assert np.allclose(alone[0], policies[index], atol=1e-4)
        assert np.allclose(distance[0], distances[index], rtol=1e-4)


def test_a_network_is_written_and_read(tmp_path: Path) -> None:
    network = Network(random_weights(8, seed=3), 5)
    network.save(tmp_path / "weights.npz")
    again = Network.load(tmp_path / "weights.npz")
    assert again.repeats == 5
    assert again.weights.keys() == network.weights.keys()
    for name, weights in network.weights.items():
        assert np.allclose(again.weights[name], weights, rtol=1e-3, atol=1e-6)


@settings(max_examples=20, deadline=None)
@given(tiny_puzzles, st.integers(0, 2**32 - 1))
def test_native_code_draws_the_same_planes(puzzle: Puzzle, seed: int) -> None:
    engine, observer = Engine(puzzle), Observer(puzzle)
    states, random = engine.initial_states(3), np.random.default_rng(seed)
    for _ in range(20):
        engine.step_batch(states, random.integers(0, 4, 3))
    expected = observer.draw(states)
    drawn = np.empty_like(expected)
    _native.draw_planes(engine.native, observer.frame, states, drawn)
    assert np.array_equal(drawn, expected)


def test_native_code_writes_only_into_arrays_of_the_right_shape() -> None:
    puzzle = tiny_puzzle(4)
    engine, observer = Engine(puzzle), Observer(puzzle)
    states = engine.initial_states(2)
    planes = observer.draw(states)
    with pytest.raises(ValueError, match="for each state"):
        _native.draw_planes(engine.native, observer.frame, states, planes[:1])
    with pytest.raises(ValueError, match="for each object"):
        _native.draw_planes(engine.native, observer.frame, states[:, :1].copy(), planes)
    cells = planes.shape[:3]
    for policies, distances in (
        ((*cells, 3), cells),
        ((1, *cells[1:], 4), cells),
        ((*cells, 4), (*cells[:2], 1)),
    ):
        network = Network(random_weights(1), 0).native
        with pytest.raises(ValueError, match=r"shape|four"):
            network.evaluate(
                planes, np.empty(policies, np.float32), np.empty(distances, np.float32)
            )


def test_the_share_of_the_network_is_a_share_of_the_work() -> None:
    puzzle = tiny_puzzle(4)
    network = load_network(DEFAULT_AGENT)
    shares = [search(puzzle, network, Guidance(network_share=each)) for each in (0, 0.5, 1)]
    assert shares[0].evaluated == 0 < shares[1].evaluated
    assert shares[2].evaluated == shares[2].expanded


def search(puzzle: Puzzle, network: Network, guidance: Guidance | None = None) -> SearchResult:
    """Returns the result of a search with generous limits."""
    return guided_search(puzzle, network, _native.Control(60, 10**9), guidance)


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 7])
@pytest.mark.parametrize(
    "guidance",
    [
        Guidance(),
        Guidance(network_share=0),
        Guidance(network_share=1),
    ],
)
def test_plans_are_found_with_any_network_and_the_search_is_deterministic(
    seed: int, guidance: Guidance
) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    network = Network(random_weights(4, seed), 2)
    first, second = (search(puzzle, network, guidance) for _ in range(2))
    assert first.status == second.status == "solved"
    assert puzzle.validate(format_plan(first.plan))
    assert (first.plan, first.states, first.evaluated) == (
        second.plan,
        second.states,
        second.evaluated,
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_search_ends_without_a_plan_only_if_there_is_none(seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    found = search(puzzle, Network(random_weights(1), 1))
    assert (found.status == "solved") == (solve(puzzle, "bfs").plan is not None)


def test_weights_that_are_no_numbers_do_no_harm() -> None:
    weights = {name: np.full_like(each, np.nan) for name, each in random_weights(2).items()}
    puzzle = tiny_puzzle(4)
    assert puzzle.validate(format_plan(search(puzzle, Network(weights, 1)).plan))


@pytest.mark.parametrize("name", ["base", "all"])
def test_the_shipped_network_halves_the_evaluations_at_least(name: str) -> None:
    puzzles = generate(name, 6, seed=11, split="test").puzzles()
    alone = Guidance(network_share=1)
    results = [search(puzzle, load_network(DEFAULT_AGENT), alone) for puzzle in puzzles]
    assert [each.status for each in results] == ["solved"] * len(puzzles)
    untrained = Network(random_weights(1), 0)
    blind = sum(search(puzzle, untrained, alone).evaluated for puzzle in puzzles)
    assert 2 * sum(each.evaluated for each in results) < blind


def test_a_search_stops_at_its_limits() -> None:
    puzzle, network = tiny_puzzle(4), load_network(DEFAULT_AGENT)
    with pytest.raises(_native.SearchStopped, match="memory-limit"):
        guided_search(puzzle, network, _native.Control(60, 1_000))
    assert guided_search(puzzle, network, _native.Control(60, 100_000)).status == "memory-limit"
    assert guided_search(puzzle, network, _native.Control(60, 10**9, 1)).status == "state-limit"
    control = _native.Control(60, 10**9)
    control.interrupt()
    with pytest.raises(_native.SearchStopped, match="interrupted"):
        guided_search(puzzle, network, control)


def test_an_unsolvable_puzzle_is_proved_to_be_so() -> None:
    puzzle = Puzzle.parse("A . G1 M1")
    assert solve(puzzle, "learned").status == "unsolvable"


def test_a_solution_does_not_disturb_the_look_at_its_siblings() -> None:
    """The last push has two outcomes: it parts the room, and the agent may push either arm."""
    puzzle = Puzzle.parse(
        ". . W . .\n"
        ". . W . .\n"
        ". M1 W M1 .\n"
        ". M1 W M1 .\n"
        ". M1+G1 M1 M1+G1 .\n"
        ". G1 . G1 .\n"
        "A G1 G1 G1 ."
    )
    assert solve(puzzle, "learned", time_limit=60).plan == solve(puzzle, "bfs").plan
