"""The vector environment does what Gymnasium's own one does with single environments."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from pushworld.envs import PushWorldVectorEnv
from pushworld.puzzle import PushWorldError, Puzzle

PUZZLES = [
    Puzzle.parse("A M1 G1 .", name="push"),
    Puzzle.parse("A M1 G1\n. M2 G2", name="two"),
    Puzzle.parse(". . .\n. A M1\nW AW G1", name="corner"),
    Puzzle.parse("A . . . . M1", name="sandbox"),
]
ENVS = 12
LIMIT = 7
ID = "pushworld:PushWorld/Custom-v0"


def make_sync(mode: AutoresetMode, **options: Any) -> SyncVectorEnv:
    def make() -> gymnasium.Env[Any, Any]:
        return gymnasium.make(ID, puzzles=PUZZLES, max_episode_steps=LIMIT, **options)

    return SyncVectorEnv([make] * ENVS, autoreset_mode=mode)


def make_native(mode: AutoresetMode, **options: Any) -> VectorEnv[Any, Any, Any]:
    return gymnasium.make_vec(
        ID,
        ENVS,
        puzzles=PUZZLES,
        max_episode_steps=LIMIT,
        autoreset_mode=mode,
        **options,
    )


def assert_same(one: Any, other: Any) -> None:
    """Compares the results of two resets or steps, information and masks included."""
    assert len(one) == len(other)
    for a, b in zip(one[:-1], other[:-1], strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    assert data_equivalence(one[-1], other[-1], exact=True), f"{one[-1]}\n{other[-1]}"


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"symmetries": True, "placement": True},
        {"observation": "state", "symmetries": True},
        {"observation": "pixels", "pixels_per_cell": 3, "placement": True},
        {"observation": "pixels", "pixels_per_cell": 3, "dtype": "uint8", "reward": "sparse"},
        {"symmetries": True, "width": 9, "height": 5, "goals": 4, "reward": "shaped"},
    ],
    ids=["plain", "augmented", "state", "pixels", "bytes", "framed"],
)
def test_same_trajectories_as_single_environments(
    mode: AutoresetMode, options: dict[str, Any]
) -> None:
    sync, native = make_sync(mode, **options), make_native(mode, **options)
    assert native.single_observation_space == sync.single_observation_space
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    assert native.metadata["autoreset_mode"] is mode
    random = np.random.default_rng(0)
    first = native.reset(seed=5)
    assert_same(sync.reset(seed=5), first)
    assert first[0] in native.observation_space
    ended = 0
    for _ in range(60):
        actions = random.integers(0, 4, ENVS)
        one, other = sync.step(actions), native.step(actions)
        assert_same(one, other)
        np.testing.assert_array_equal(native.action_masks(), other[-1]["action_mask"])  # type: ignore[attr-defined]
        done = one[2] | one[3]
        ended += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            assert_same(
                sync.reset(options={"reset_mask": done.copy()}),
                native.reset(options={"reset_mask": done}),
            )
    assert ended > ENVS
    assert_same(sync.reset(), native.reset())
    assert_same(sync.reset(options={"puzzle": "two"}), native.reset(options={"puzzle": "two"}))
    seeds: Any = [None, 3, *range(100, 100 + ENVS - 2)]
    assert_same(sync.reset(seed=seeds), native.reset(seed=seeds))
    expected: Any = sync.np_random_seed
    assert native.np_random_seed == expected


def test_both_ways_to_end_happen() -> None:
    native = make_native(AutoresetMode.NEXT_STEP)
    native.reset(seed=0)
    random = np.random.default_rng(0)
    steps = [native.step(random.integers(0, 4, ENVS)) for _ in range(100)]
    assert any(step[2].any() for step in steps)
    assert any((step[3] & ~step[2]).any() for step in steps)
    assert any((step[1] == 10).any() for step in steps)


def test_threads_do_not_matter() -> None:
    envs = [PushWorldVectorEnv(2000, PUZZLES, symmetries=True, threads=n) for n in (1, 3)]
    assert_same(*(env.reset(seed=1) for env in envs))
    random = np.random.default_rng(1)
    for _ in range(50):
        actions = random.integers(0, 4, 2000)
        assert_same(*(env.step(actions) for env in envs))


def test_threads_that_share_an_environment_wait_for_each_other() -> None:
    sizes = [Puzzle.parse(f"A M1 G1{' .' * x}" + f"\n.{' .' * (x + 2)}" * x) for x in range(30)]
    env = PushWorldVectorEnv(200, sizes, max_episode_steps=2, render_mode="ansi", threads=2)
    env.reset(seed=1)

    def walk(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(40):
            env.step(random.integers(0, 4, env.num_envs))
        env.reset(seed=seed)
        env.render()

    with ThreadPoolExecutor(4) as callers:
        list(callers.map(walk, range(4)))


def test_without_copies_the_same_array_changes() -> None:
    shared = make_native(AutoresetMode.NEXT_STEP, copy=False)
    copying = make_native(AutoresetMode.NEXT_STEP)
    first, _ = shared.reset(seed=0)
    kept, _ = copying.reset(seed=0)
    before = kept.copy()
    for _ in range(10):
        actions = np.ones(ENVS, np.int64)
        now = shared.step(actions)[0]
        assert now is first
        np.testing.assert_array_equal(now, copying.step(actions)[0])
    np.testing.assert_array_equal(kept, before)


def test_each_environment_may_have_its_own_puzzle() -> None:
    native = make_native(AutoresetMode.NEXT_STEP)
    names = [PUZZLES[i % 4].name for i in range(ENVS)]
    _, info = native.reset(options={"puzzle": names})
    assert info["puzzle"].tolist() == names


def test_ended_environments_must_be_reset_when_autoreset_is_disabled() -> None:
    native = make_native(AutoresetMode.DISABLED)
    native.reset(seed=0)
    for _ in range(LIMIT):
        native.step(np.zeros(ENVS, np.int64))
    with pytest.raises(ResetNeeded, match="reset_mask"):
        native.step(np.zeros(ENVS, np.int64))
    native.reset()
    native.step(np.zeros(ENVS, np.int64))


def test_rendering() -> None:
    pictures = make_native(AutoresetMode.NEXT_STEP, render_mode="rgb_array")
    pictures.reset(seed=0)
    frames: Any = pictures.render()
    assert frames is not None
    assert len(frames) == ENVS
    assert {frame.shape for frame in frames} == {(100, 160, 3)}
    texts = make_native(AutoresetMode.NEXT_STEP, render_mode="ansi")
    texts.reset(seed=0)
    rendered: Any = texts.render()
    assert len(rendered) == ENVS
    assert all("A" in text for text in rendered)


@pytest.mark.parametrize(
    "options",
    [
        {"reset_mask": np.zeros(ENVS, bool)},
        {"reset_mask": np.ones(ENVS - 1, bool)},
        {"reset_mask": np.ones(ENVS, int)},
        {"reset_mask": [True] * ENVS},
        {"puzzle": ["push"]},
        {"puzzle": "unknown"},
        {"unknown": 1},
    ],
)
def test_wrong_options_of_reset(options: dict[str, Any]) -> None:
    native = make_native(AutoresetMode.DISABLED)
    native.reset(seed=0)
    with pytest.raises(PushWorldError):
        native.reset(options=options)


def test_a_refused_seed_changes_nothing() -> None:
    native, same = (PushWorldVectorEnv(2, PUZZLES, symmetries=True) for _ in range(2))
    assert_same(native.reset(seed=3), same.reset(seed=3))
    with pytest.raises(gymnasium.error.Error):
        native.reset(seed=[5, -1])
    assert native.np_random_seed == same.np_random_seed
    for _ in range(5):
        assert_same(native.reset(), same.reset())


@pytest.mark.parametrize(
    "actions", [np.zeros(ENVS - 1, int), np.zeros(ENVS), np.full(ENVS, 4), np.full(ENVS, -1)]
)
def test_wrong_actions(actions: Any) -> None:
    native = make_native(AutoresetMode.NEXT_STEP)
    first, _ = native.reset(seed=0)
    with pytest.raises(ValueError, match="actions must be"):
        native.step(actions)
    np.testing.assert_array_equal(native.reset(seed=0)[0], first)


def test_wrong_arguments() -> None:
    for arguments in (
        {"num_envs": 0},
        {"max_episode_steps": 0},
        {"render_mode": "human"},
        {"threads": 0},
    ):
        with pytest.raises(PushWorldError):
            PushWorldVectorEnv(**{"num_envs": 2, "puzzles": PUZZLES, **arguments})  # type: ignore[arg-type]
    with pytest.raises(PushWorldError, match="2 seeds"):
        PushWorldVectorEnv(3, PUZZLES).reset(seed=[1, 2])
    with pytest.raises(ResetNeeded):
        PushWorldVectorEnv(2, PUZZLES).step(np.zeros(2, int))
    with pytest.raises(ResetNeeded):
        PushWorldVectorEnv(2, PUZZLES).reset(options={"reset_mask": np.array([True, False])})
