"""The learned planner: its observations, its network, and its search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld import Puzzle, solve
from pushworld.datasets.generated import generate
from pushworld.engine import Engine
from pushworld.learned import GuidedSearch, Network, Observer, observation, shipped_network
from pushworld.learned.network import DEAD_END_DISTANCE
from pushworld.learned.training.state_space import StateSpace, enumerate_states
from pushworld.learned.weights import Array, random_weights
from pushworld.puzzle import DELTAS, pad
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


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 7])
def test_plans_are_found_with_any_network_and_the_search_is_deterministic(seed: int) -> None:
    puzzle = tiny_puzzle(seed, max_movables=2)
    network = Network(random_weights(4, seed), 2)
    first, second = (GuidedSearch(puzzle, network) for _ in range(2))
    assert first.run(lambda: False) == second.run(lambda: False) == "solved"
    assert first.plan is not None
    assert puzzle.validate(first.plan)
    assert (first.plan, first.expanded, first.evaluated) == (
        second.plan,
        second.expanded,
        second.evaluated,
    )


class Oracle(Network):
    """Returns exact distances and best actions, from the complete state space."""

    def __init__(self, space: StateSpace) -> None:
        super().__init__(random_weights(1), 0)
        observer = Observer(space.puzzle)
        self.answers = {}
        for arrangement in range(len(space.first) - 1):
            indices = space.states_of(arrangement)
            states = space.states[indices]
            policies = np.full((observer.height, observer.width, 4), -9.0, np.float32)
            distances = np.full((observer.height, observer.width), DEAD_END_DISTANCE, np.float32)
            found = space.distances[indices]
            cells = observer.cells_of_agent(states)
            distances[cells] = np.where(found < 0, DEAD_END_DISTANCE, found)
            policies[cells] = np.where(space.best_actions(indices), 0, -9)
            planes = observer.draw(states[:1])
            self.answers[planes.tobytes()] = policies, distances

    def __call__(
        self, planes: observation.Planes, stop: Callable[[], bool] = lambda: False
    ) -> tuple[Array, Array]:
        answers = [self.answers[each.tobytes()] for each in planes]
        return np.stack([each for each, _ in answers]), np.stack([each for _, each in answers])


def test_a_perfect_network_leads_straight_to_the_goal() -> None:
    for puzzle in generate("base", 3, seed=5).puzzles():
        space = enumerate_states(puzzle, 100_000)
        assert space is not None
        search = GuidedSearch(puzzle, Oracle(space))
        assert search.run(lambda: False) == "solved"
        assert search.plan is not None
        assert len(search.plan) == solve(puzzle, "bfs").length
        assert search.expanded <= 2 * len(search.plan)


@pytest.mark.parametrize("name", ["base", "goals"])
def test_the_shipped_network_leads_nearly_straight_to_the_goal(name: str) -> None:
    puzzles = generate(name, 6, seed=11, split="test").puzzles()
    searches = [GuidedSearch(puzzle, shipped_network()) for puzzle in puzzles]
    assert [search.run(lambda: False) for search in searches] == ["solved"] * len(puzzles)
    blind = sum(solve(puzzle, "bfs").expanded for puzzle in puzzles)
    assert 5 * sum(search.expanded for search in searches) < blind


def test_a_search_stops_when_asked_and_when_memory_is_full() -> None:
    puzzle = tiny_puzzle(4)
    assert GuidedSearch(puzzle, shipped_network()).run(lambda: True) == "stopped"
    assert GuidedSearch(puzzle, shipped_network()).run(lambda: False, max_bytes=1_000) == "full"


def test_a_search_stops_in_the_middle_of_an_evaluation() -> None:
    asked = iter(range(10))
    search = GuidedSearch(tiny_puzzle(4), shipped_network())
    assert search.run(lambda: next(asked) == 9) == "stopped"
    assert search.evaluated == 0
