"""Wrong input to the engine is an error that Python can catch, and changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pushworld import _native
from pushworld.engine import Engine
from pushworld.puzzle import Puzzle

PUZZLE = Puzzle.parse("A . M1 G1 M2")
ENGINE = Engine(PUZZLE)

any_array = arrays.arrays(
    dtype=st.one_of(
        arrays.integer_dtypes(),
        arrays.unsigned_integer_dtypes(),
        arrays.floating_dtypes(),
        arrays.boolean_dtypes(),
    ),
    shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
state_array = arrays.arrays(np.int16, st.tuples(st.integers(0, 3), st.just(3), st.just(2)))


@given(states=st.one_of(state_array, any_array), actions=any_array, moved=st.none() | any_array)
def test_arbitrary_arrays_never_crash(states: Any, actions: Any, moved: Any) -> None:
    try:
        ENGINE.step_batch(states, actions, moved)
    except (TypeError, ValueError):
        return
    assert states.dtype == np.int16
    assert len(states) == len(actions)
    assert ((states >= 0) & (states < (PUZZLE.width, PUZZLE.height))).all()


@given(states=st.one_of(state_array, any_array))
def test_goals_of_arbitrary_arrays_never_crash(states: Any) -> None:
    try:
        achieved = ENGINE.achieved_goals(states)
    except (TypeError, ValueError):
        return
    assert len(achieved) == len(states)


@pytest.mark.parametrize("position", [(-1, 1), (7, 1), (1, 3), (1, -1), (32767, 1), (-32768, 1)])
def test_positions_outside_the_world_change_nothing(position: tuple[int, int]) -> None:
    states = ENGINE.initial_states(4)
    states[3, 1] = position
    before = states.copy()
    with pytest.raises(ValueError, match="outside the world"):
        ENGINE.step_batch(states, [1, 1, 1, 1])
    np.testing.assert_array_equal(states, before)


@pytest.mark.parametrize("action", [4, 255, 256, -1, 2**40])
def test_actions_out_of_range_change_nothing(action: int) -> None:
    states = ENGINE.initial_states(2)
    before = states.copy()
    with pytest.raises(ValueError, match="actions"):
        ENGINE.step_batch(states, [1, action])
    np.testing.assert_array_equal(states, before)


@pytest.mark.parametrize("action", [1.0, "L", None, [1]])
def test_actions_of_other_types(action: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        ENGINE.step_batch(ENGINE.initial_states(2), [action, action])


def test_arrays_that_do_not_fit_together() -> None:
    states = ENGINE.initial_states(2)
    with pytest.raises(ValueError, match="length"):
        ENGINE.step_batch(states, [1])
    with pytest.raises(ValueError, match="length"):
        ENGINE.step_batch(states, [1, 1], np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="shape"):
        ENGINE.step_batch(np.ones((2, 2, 2), np.int16), [1, 1])
    with pytest.raises(ValueError):
        ENGINE.step(PUZZLE.initial_state[:2], 1)


def test_arrays_that_cannot_be_changed_in_place() -> None:
    states = ENGINE.initial_states(4)
    with pytest.raises(TypeError):
        ENGINE.step_batch(states[::2], [1, 1])
    states.flags.writeable = False
    with pytest.raises(TypeError):
        ENGINE.step_batch(states, [1] * 4)


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_are_at_least_one(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        ENGINE.step_batch(ENGINE.initial_states(2), [1, 1], threads=threads)


def test_an_empty_batch_is_fine() -> None:
    states = ENGINE.initial_states(0)
    ENGINE.step_batch(states, [])
    assert len(ENGINE.achieved_goals(states)) == 0


cell = st.tuples(st.integers(-2, 9), st.integers(-2, 9))
wild_cell = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
cells = st.lists(st.one_of(cell, cell, cell, wild_cell), max_size=5)


@given(
    width=st.integers(-1, 10) | st.sampled_from([2**31 - 1, 2**63]),
    height=st.integers(-1, 10),
    walls=cells,
    agent_walls=cells,
    objects=st.lists(st.tuples(cells, cell | wild_cell, st.none() | cell | wild_cell), max_size=4),
)
def test_arbitrary_worlds_never_crash_the_native_code(**parts: Any) -> None:
    try:
        spec = _native.WorldSpec(parts["width"], parts["height"])
        spec.add_walls(parts["walls"])
        spec.add_agent_walls(parts["agent_walls"])
        for shape, start, goal in parts["objects"]:
            spec.add_object(start, goal)
            spec.add_cells(shape)
        dynamics = _native.make_dynamics(spec)
    except (TypeError, ValueError):
        return
    assert dynamics.num_objects == len(parts["objects"])
    states = np.array([[start for _, start, _ in parts["objects"]]] * 4, np.int16)
    _native.step_batch(dynamics, states, np.arange(4, dtype=np.uint8))
