"""The puzzles of a run: those of its sets, copies with other goals, and random rooms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from math import prod
from pathlib import Path
from random import Random

import numpy as np

from pushworld.datasets import Store, load_set
from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.engine import Engine
from pushworld.envs.jax import EnvParams
from pushworld.puzzle import Position, Puzzle
from pushworld.puzzle.facts import count_positions
from pushworld.puzzle.free_space import free_places
from pushworld.puzzle.transform import canonical_hash
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.evaluation.agents import load_agent, pack_for


@dataclass(frozen=True)
class RunPuzzles:
    """The puzzles of a run, packed together so that both sets have grids of the same size.

    Attributes:
        params: all packed puzzles, those of the training set first.
        train_params: the same arrays, but episodes start with puzzles of the training set only.
        train, test: the indices of the puzzles that evaluations play.
        played: the shares of both sets that are not too large.
        digest: a hash of the puzzles.
    """

    params: EnvParams
    train_params: EnvParams
    train: Sequence[int]
    test: Sequence[int]
    played: tuple[float, float]
    digest: str

    @classmethod
    def of_puzzles(
        cls, config: RunConfig, train: Sequence[Puzzle], test: Sequence[Puzzle]
    ) -> RunPuzzles:
        """Returns the puzzles of a run, from the puzzles of both sets."""
        texts = [[puzzle.to_pwp() for puzzle in part] for part in (train, test)]
        if not any(puzzle.goal for puzzle in train):
            raise ConfigError(f"no puzzle of {config.train} has a goal: there is nothing to learn")
        digest = sha256(json.dumps(texts).encode()).hexdigest()
        sizes = len(train), len(test)
        train, test = (_small_enough(part, config.max_size) for part in (train, test))
        if not train:
            raise ConfigError(f"max_size is {config.max_size}: all training puzzles are larger")
        given, played = len(train), (len(train) / sizes[0], len(test) / max(1, sizes[1]))
        if config.other_goals:
            tested = {canonical_hash(puzzle) for puzzle in test}
            more = with_other_goals(train, config.other_goals, config.other_goals_states, seed=0)
            train += [copy for copy in more[given:] if canonical_hash(copy) not in tested]
        start = config.start_from and Path(config.start_from)
        # A run that goes on without the file of its first agent has none.
        agent = load_agent(start) if start and start.exists() else None
        params = pack_for(config, [*train, *test], agent)
        train_params = replace(
            params,
            first_variant=params.first_variant[: len(train)],
            variant_count=params.variant_count[: len(train)],
        )
        indices = np.arange(len(train) + len(test))
        rng = np.random.default_rng(0)
        chosen_train, chosen_test = (
            np.sort(rng.permutation(part)[: config.evaluation_puzzles]).tolist()
            for part in (indices[:given], indices[len(train) :])
        )
        return cls(params, train_params, chosen_train, chosen_test, played, digest)

    @classmethod
    def of_sets(cls, config: RunConfig, store: Store | None = None) -> RunPuzzles:
        """Returns the puzzles of a run, from the sets that its configuration names."""
        train, test = (
            load_set(name, store) if name else [] for name in (config.train, config.test)
        )
        if config.also:
            tested, most = {canonical_hash(puzzle) for puzzle in test}, config.also_states
            more = [puzzle for name in config.also for puzzle in load_set(name, store)]
            more = [puzzle for puzzle in more if most is None or count_states(puzzle) <= most]
            train += [puzzle for puzzle in more if canonical_hash(puzzle) not in tested]
        if config.rooms:
            train += random_rooms(config.rooms, config.imitation.max_states, config.seed)
        return cls.of_puzzles(config, train, test)


def _small_enough(puzzles: Sequence[Puzzle], size: int | None) -> list[Puzzle]:
    """Returns the puzzles whose sides are at most `size`; all without a size."""
    return [each for each in puzzles if size is None or max(each.width, each.height) <= size]


SIDES = (4, 12)
"""The smallest and the largest side of a random room, without its border."""

AGENT_WALLS = 0.15
"""The share of random rooms with agent walls."""

WALKS, WALK, STRAIGHT = 16, 100, 0.6
"""How many random walks are tried in a room, their actions, and how likely an action repeats the one before.
Goals are where the walk that pushed the most objects has pushed them."""


def random_rooms(count: int, max_states: int, seed: int) -> list[Puzzle]:
    """Returns random rooms with at most `max_states` states that have a plan.

    They are drawn as the designer draws rooms of Levels 1 and 2, with goals that a random walk reaches.
    """
    random = Random(seed)
    found: list[Puzzle] = []
    while len(found) < count:
        plan = room_plan(
            random.randint(1, 2), random.randint(*SIDES), random.randint(*SIDES), AGENT_WALLS
        )
        room = random_room(plan, random)
        if count_states(room) <= max_states:
            found += _with_reached_goals(room, random)
    return found


def _with_reached_goals(room: Puzzle, random: Random) -> list[Puzzle]:
    """Returns a room with goals where a random walk pushes some of its objects; none if it pushes none."""
    engine = Engine(room)
    states, rng = engine.initial_states(WALKS), np.random.default_rng(random.getrandbits(32))
    actions = rng.integers(0, 4, (WALK, WALKS), np.uint8)
    for before, after in pairwise(actions):
        after[:] = np.where(rng.random(WALKS) < STRAIGHT, before, after)
        engine.step_batch(states, after)
    pushed = (states != engine.initial_states(1)).any(axis=2).sum(axis=1)
    state = [(int(x), int(y)) for x, y in states[int(np.argmax(pushed))]]
    moved = [index for index in range(1, len(state)) if state[index] != room.initial_state[index]]
    chosen = random.sample(moved, min(len(moved), len(room.goal)))
    things = [
        replace(thing, goal=state[index] if index in chosen else None)
        for index, thing in enumerate(room.objects)
    ]
    return [replace(room, objects=tuple(things))] if chosen else []


def with_other_goals(
    puzzles: Sequence[Puzzle], copies: int, max_states: int, seed: int
) -> list[Puzzle]:
    """Returns the puzzles, followed by copies of those with at most `max_states` states.

    In a copy other movables may have the goals, and all goals are at random positions; nothing else
    moves. The number of goals stays, and so does the number of different shapes of the objects that
    have one. A copy need not have a plan.
    """
    rng = np.random.default_rng(seed)
    found = list(puzzles)
    for puzzle in puzzles:
        free = _free_positions(puzzle)
        if puzzle.goal and prod(map(len, free)) <= max_states:
            found += [_other_goals(puzzle, free[1:], rng) for _ in range(copies)]
    return found


def count_states(puzzle: Puzzle) -> int:
    """Returns the number of states of a puzzle as a teacher counts them, overlapping ones included."""
    return prod(count_positions(puzzle))


def _other_goals(
    puzzle: Puzzle, free: Sequence[Sequence[Position]], rng: np.random.Generator
) -> Puzzle:
    """Returns a copy of a puzzle, given the positions that walls leave to each movable."""
    movables, goals = puzzle.movables, len(puzzle.goal)
    shapes = len({thing.shape for thing in movables[:goals]})
    while True:
        order = rng.permutation(len(movables)).tolist()
        if len({movables[each].shape for each in order[:goals]}) < shapes:
            continue
        places = [free[each][int(rng.integers(len(free[each])))] for each in order[:goals]]
        cells = [movables[each].cells_at(place) for each, place in zip(order, places, strict=False)]
        if sum(map(len, cells)) > len(frozenset().union(*cells)):
            continue
        moved = [
            replace(movables[each], name=thing.name, goal=place)
            for thing, each, place in zip(
                movables, order, [*places, *[None] * (len(movables) - goals)], strict=True
            )
        ]
        return replace(puzzle, objects=(puzzle.agent, *moved))


def _free_positions(puzzle: Puzzle) -> list[list[Position]]:
    """Returns the positions that walls leave to each object."""
    agent, *movables = puzzle.objects
    free = [free_places(puzzle, thing.shape, puzzle.walls) for thing in movables]
    return [free_places(puzzle, agent.shape, puzzle.walls | puzzle.agent_walls), *free]
