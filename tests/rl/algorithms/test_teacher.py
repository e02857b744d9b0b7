"""The teacher's distances and best actions, against exhaustive search with the engine."""

from __future__ import annotations

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.engine import Engine
from pushworld.envs.jax import SYMMETRIES, EnvState, initial_state, pack, slots_of
from pushworld.puzzle import Puzzle, State, transform
from pushworld.rl.algorithms import teacher as teachers
from pushworld.rl.algorithms.imitation import imitation_loss, value_targets
from pushworld.rl.algorithms.teacher import DEAD, Teacher, look_up, make_teacher, random_start
from pushworld.rl.config import ConfigError

PUZZLES = [
    Puzzle.parse("A . M1 . G1\n. . . . .\n. M2 . . W"),
    Puzzle.parse("A A . . .\n. M1 M1 . W\n. G1 G1 . ."),
    Puzzle.parse("A M1 . G1\n. M2 G2 ."),
]


LARGE = Puzzle.parse("A . M1 . . . . .\n. . . . M2 . . .\n. . . . . . G1 .\n. . . . . . . .")


@pytest.fixture(scope="module")
def teacher() -> Teacher:
    return make_teacher(pack([LARGE, *PUZZLES], max_steps=20), max_states=20_000)


def exhaustive(puzzle: Puzzle) -> dict[State, int]:
    """Returns the distance of every state that the initial one reaches, `DEAD` without a plan."""
    engine, goals = Engine(puzzle), len(puzzle.goal)
    successors: dict[State, list[State]] = {}
    waiting = [puzzle.initial_state]
    while waiting:
        state = waiting.pop()
        if state not in successors:
            successors[state] = [engine.step(state, action) for action in range(4)]
            waiting += successors[state]
    distances = {each: 0 for each in successors if each[1 : 1 + goals] == puzzle.goal}
    for distance in range(1, len(successors)):
        found = {
            state
            for state, after in successors.items()
            if state not in distances and any(distances.get(each) == distance - 1 for each in after)
        }
        if not found:
            break
        distances |= dict.fromkeys(found, distance)
    return {state: distances.get(state, DEAD) for state in successors}


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_every_reachable_state_has_the_distance_and_the_best_actions_of_exhaustive_search(
    teacher: Teacher, number: int
) -> None:
    params = teacher.params
    look = jax.jit(jax.vmap(look_up, (0, None)))
    for view in (0, 1, 3, 6):
        puzzle = transform(PUZZLES[number], SYMMETRIES[view])
        distances = exhaustive(puzzle)
        assert max(each for each in distances.values() if each < DEAD) > 1
        known = list(distances)[:200]
        variant = params.first_variant[number] + view
        first = initial_state(variant, params)
        positions = np.tile(np.asarray(first.positions), (200, 1, 1))
        slots = slots_of(puzzle, params.frame.goals)
        for row, state in enumerate(known):
            positions[row, slots] = state
        states = EnvState(
            variant=jnp.full(200, variant),
            placement=jnp.tile(first.placement, (200, 1)),
            positions=jnp.asarray(positions),
            steps=jnp.zeros(200, jnp.int32),
        )
        found, best = (np.asarray(each)[: len(known)] for each in look(states, teacher))
        assert found.tolist() == [distances[state] for state in known]
        engine = Engine(puzzle)
        for (state, action), is_best in zip(product(known, range(4)), best.ravel(), strict=True):
            after = distances[engine.step(state, action)]
            assert is_best == (after == distances[state] - 1 and distances[state] < DEAD)


def test_random_starts_have_plans_and_differ_from_the_initial_states(teacher: Teacher) -> None:
    keys = jax.random.split(jax.random.key(0), 300)
    states = jax.jit(jax.vmap(lambda key: random_start(key, teacher, 1.0)))(keys)
    found, _ = jax.jit(jax.vmap(look_up, (0, None)))(states, teacher)
    assert int(found.min()) > 0
    start = teacher.params.start[states.variant]
    moved = np.asarray((states.positions != start).any(axis=(1, 2)))
    assert moved.mean() > 0.5
    assert (np.asarray(found)[moved] < DEAD).all()


@pytest.mark.large
def test_puzzles_without_a_plan_start_at_states_that_have_one() -> None:
    corner = Puzzle.parse("M1 . . .\n. A G1 .\n. . . .")
    teacher = make_teacher(pack([corner], max_steps=20, symmetries=False), max_states=20_000)
    keys = jax.random.split(jax.random.key(0), 100)
    states = jax.jit(jax.vmap(lambda key: random_start(key, teacher, 0.0)))(keys)
    found, _ = jax.jit(jax.vmap(look_up, (0, None)))(states, teacher)
    assert (np.asarray(found) < DEAD).mean() > 0.9


def test_puzzles_with_too_many_states_are_left_out(teacher: Teacher) -> None:
    assert teacher.params.first_variant.tolist() == [8, 16, 24]
    with pytest.raises(ConfigError, match="all puzzles have more states"):
        make_teacher(pack([LARGE], max_steps=20), max_states=20_000)


def test_losses_worked_out_by_hand() -> None:
    logits = jnp.log(jnp.array([[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]]))
    best = jnp.array([[True, False, False, True], [False, True, False, False], [False] * 4])
    expected = [-np.log(0.5), -np.log(0.2), 0.0]
    np.testing.assert_allclose(imitation_loss(logits, best), expected, atol=1e-6)
    gradient = jax.grad(lambda logits: imitation_loss(logits, best).sum())(logits)
    assert np.isfinite(gradient).all()
    targets = value_targets(jnp.array([1, 3, DEAD]), 10.0, 0.9)
    assert targets.tolist() == pytest.approx([10.0, 8.1, 0.0])


@pytest.mark.large
def test_tables_in_several_parts_have_the_same_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    params = pack([PUZZLES[0], *PUZZLES], max_steps=20)
    whole = make_teacher(params, max_states=2744)
    monkeypatch.setattr(teachers, "_SMALLEST_GROUP", 1)
    monkeypatch.setattr(teachers, "_PUZZLES_IN_GROUP", 1)
    monkeypatch.setattr(teachers, "MOST_WORDS", 1)
    parts = make_teacher(params, max_states=2744)
    assert (len(whole.words), len(parts.words)) == (1, 2)
    keys = jax.random.split(jax.random.key(0), 200)
    states = jax.jit(jax.vmap(lambda key: random_start(key, whole, 0.5)))(keys)
    look = jax.jit(jax.vmap(look_up, (0, None)))
    jax.tree.map(np.testing.assert_array_equal, look(states, whole), look(states, parts))
