"""The Gymnasium environment keeps Gymnasium's conventions."""

from __future__ import annotations

import sys
import warnings
from io import StringIO
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import (
    FlattenObservation,
    FrameStackObservation,
    GrayscaleObservation,
    RecordEpisodeStatistics,
    RecordVideo,
)
from gymnasium.wrappers import vector as vector_wrappers

from pushworld.datasets import DataError, resolve_puzzle
from pushworld.envs import PushWorldEnv, frame_of
from pushworld.puzzle import PushWorldError, Puzzle, Symmetry, pad, parse_plan, transform
from pushworld.render import Painter, render_rgb, render_terminal

BUNDLED = "pushworld:PushWorld/Bundled-v0"
CUSTOM = "pushworld:PushWorld/Custom-v0"


@pytest.mark.parametrize("observation", ["planes", "pixels", "bytes", "state"])
@pytest.mark.parametrize("augmented", [False, True])
def test_check_env_has_nothing_to_say(observation: str, augmented: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(
            BUNDLED,
            observation="pixels" if observation == "bytes" else observation,
            dtype="uint8" if observation == "bytes" else "float32",
            symmetries=augmented,
            placement=augmented,
            reward="shaped" if augmented else "paper",
            pixels_per_cell=3,
        )
        check_env(env.unwrapped)
        check_env(gymnasium.make(BUNDLED, render_mode="ansi").unwrapped)


def test_the_registered_limit_truncates() -> None:
    env = gymnasium.make(BUNDLED)
    assert env.spec is not None
    assert env.spec.max_episode_steps == 100
    env.reset(seed=0, options={"puzzle": "castaway"})
    ends = [env.step(0)[2:4] for _ in range(100)]
    assert ends == [(False, False)] * 99 + [(False, True)]
    shorter = gymnasium.make(BUNDLED, max_episode_steps=3)
    shorter.reset(seed=0, options={"puzzle": "castaway"})
    assert [shorter.step(0)[3] for _ in range(3)] == [False, False, True]


def test_an_episode_with_rewards_and_information() -> None:
    env = gymnasium.make(CUSTOM, puzzles=Puzzle.parse("A M1 . G1\n. M2 G2 .", name="two"))
    _, info = env.reset()
    assert info.pop("action_mask").tolist() == [0, 1, 0, 1]
    start = {"puzzle": "two", "achieved_goals": 0, "moved": False, "is_success": False}
    assert info == start
    steps = [env.step(action) for action in parse_plan("LRRDR")]
    assert [step[1] for step in steps] == pytest.approx([-0.01, -0.01, 0.99, -0.01, -0.01])
    moved = [step[4]["moved"] for step in steps]
    assert moved == [False, True, True, True, True]
    assert [step[4]["achieved_goals"] for step in steps] == [0, 0, 1, 1, 1]


def test_solving_ends_the_episode_with_ten() -> None:
    env = gymnasium.make(BUNDLED)
    env.reset(options={"puzzle": "first-push"})
    *before, last = [env.step(action) for action in parse_plan("RRRR")]
    assert last[1:4] == (10.0, True, False)
    assert [step[4]["is_success"] for step in (*before, last)] == [False] * 3 + [True]
    assert all(step[1:4] == (-0.01, False, False) for step in before)


def test_pixels_are_those_of_the_renderer() -> None:
    names = ["first-push", "keyhole"]
    env = PushWorldEnv(names, observation="pixels", pixels_per_cell=3)
    largest = [resolve_puzzle(name) for name in names]
    width, height = (max(getattr(p, side) for p in largest) for side in ("width", "height"))
    for name in names:
        puzzle = pad(resolve_puzzle(name), width, height)
        shown, _ = env.reset(seed=0, options={"puzzle": puzzle.name})
        state = puzzle.initial_state
        for action in (0, 1, 2, 3, 1, 1):
            expected = Painter(puzzle, 3).floats(state)
            np.testing.assert_array_equal(shown, expected)
            state = puzzle.step(state, action)
            shown, *_ = env.step(action)
    assert shown.dtype == np.float32


def episodes(env: gymnasium.Env[Any, Any], **start: Any) -> list[str]:
    """Returns the puzzles of some episodes."""
    return [env.reset(**start if i == 0 else {})[1]["puzzle"] for i in range(20)]


def test_seeds_make_episodes_reproducible() -> None:
    env, other = gymnasium.make(BUNDLED), gymnasium.make(BUNDLED)
    assert episodes(env, seed=1) == episodes(other, seed=1) == episodes(env, seed=1)
    assert episodes(env, seed=1) != episodes(env, seed=2)
    assert episodes(env) != episodes(other, seed=1)
    assert len(set(episodes(env, seed=1))) > 5


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.random.Generator(np.random.MT19937(3)),
        lambda: np.random.default_rng(3),
        lambda: np.random.RandomState(3),
    ],
    ids=["MT19937", "PCG64", "RandomState"],
)
def test_generators_of_ones_own(make: Any) -> None:
    env = PushWorldEnv("bundled")
    env.np_random = make()
    one = episodes(env)
    env.np_random = make()
    assert episodes(env) == one


def test_one_draw_for_each_episode_whatever_the_options() -> None:
    env = PushWorldEnv("bundled", symmetries=True, placement=True)
    env.reset(seed=4)
    env.reset(options={"puzzle": "first-push"})
    after, _ = env.reset()
    env.reset(seed=4)
    env.reset()
    np.testing.assert_array_equal(after, env.reset()[0])


def test_render_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = resolve_puzzle("first-push")
    picture = gymnasium.make(CUSTOM, puzzles="first-push", render_mode="rgb_array")
    picture.reset()
    np.testing.assert_array_equal(picture.render(), render_rgb(puzzle))
    text = gymnasium.make(CUSTOM, puzzles="first-push", render_mode="ansi")
    text.reset()
    assert text.render() == render_terminal(puzzle, colour=False)
    out = StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    person = gymnasium.make(CUSTOM, puzzles="first-push", render_mode="human")
    person.reset()
    person.step(1)
    assert person.render() is None
    start = puzzle.initial_state
    shown = [render_terminal(puzzle, s, colour=False) for s in (start, puzzle.step(start, 1))]
    assert out.getvalue() == "".join(each + "\n" for each in shown)


def test_wrappers_of_gymnasium() -> None:
    env: Any = gymnasium.make(BUNDLED, observation="pixels", dtype="uint8", pixels_per_cell=3)
    env = RecordEpisodeStatistics(FrameStackObservation(GrayscaleObservation(env), 2))
    observation, _ = env.reset(seed=0, options={"puzzle": "first-push"})
    assert observation.shape == (2, *env.unwrapped.observation_space.shape[:2])
    for action in (1, 1, 1, 1):
        _, _, terminated, _, info = env.step(action)
    assert terminated
    assert info["episode"]["l"] == 4
    flat: Any = FlattenObservation(gymnasium.make(BUNDLED))
    assert flat.reset(seed=0)[0] in flat.observation_space
    envs: Any = gymnasium.make_vec(BUNDLED, 3, reward="sparse")
    envs = vector_wrappers.RecordEpisodeStatistics(envs)
    envs.reset(seed=0, options={"puzzle": "first-push"})
    for _ in range(4):
        *_, infos = envs.step(np.ones(3, int))
    np.testing.assert_array_equal(infos["episode"]["r"], [1.0] * 3)
    np.testing.assert_array_equal(infos["is_success"], [True] * 3)


def test_an_agent_of_one_set_can_play_another() -> None:
    sizes = frame_of("bundled", "classic")
    spaces = [
        gymnasium.make(f"pushworld:PushWorld/{name}-v0", **sizes).observation_space  # type: ignore[arg-type]
        for name in ("Bundled", "Classic")
    ]
    assert spaces[0] == spaces[1]
    env = PushWorldEnv("first-push", observation="pixels", pixels_per_cell=3, width=15, height=9)
    shown, _ = env.reset()
    first_push = resolve_puzzle("first-push")
    expected = Painter(pad(first_push, 15, 9), 3).floats()
    np.testing.assert_array_equal(shown, expected)


def test_in_a_frame_too_narrow_to_turn_puzzles_stay_upright() -> None:
    puzzle = Puzzle.parse("A . W .\n. M1 . .", name="upright")
    env = PushWorldEnv(puzzle, symmetries=True, width=7, height=5)
    seen = {env.reset(seed=seed)[1]["puzzle"] and env.puzzle for seed in range(60)}
    upright = [each for each in Symmetry if each.apply_to_vector((1, 0))[0]]
    assert len(upright) == 4
    assert seen == {pad(transform(puzzle, each), 7, 5, (0, 0)) for each in upright}


@pytest.mark.large
def test_record_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="needs moviepy: make test-record-video")
    env = RecordVideo(
        gymnasium.make(BUNDLED, render_mode="rgb_array", pixels_per_cell=4, max_episode_steps=5),
        str(tmp_path / "videos"),
        episode_trigger=lambda episode: episode == 0,
        disable_logger=True,
    )
    env.reset(seed=0)
    for _ in range(5):
        env.step(env.action_space.sample())
    env.close()  # type: ignore[no-untyped-call]
    videos = list((tmp_path / "videos").glob("*.mp4"))
    assert len(videos) == 1
    assert videos[0].stat().st_size > 0


def test_puzzles_by_path_name_and_folder(tmp_path: Path) -> None:
    Puzzle.parse("A M1 G1").save(tmp_path / "mine.pwp")
    Puzzle.parse("A . M1 G1").save(tmp_path / "other.pwp")
    env = PushWorldEnv([tmp_path, "keyhole", Puzzle.parse("A M1", name="made")])
    for name in ("mine", "other", resolve_puzzle("keyhole").name, "made"):
        assert env.reset(options={"puzzle": name})[1]["puzzle"] == name


def test_published_sets_name_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHWORLD_DATA", str(tmp_path))
    for name in ("Level1", "Level4", "Base-Train", "All-Test"):
        with pytest.raises(DataError, match="pushworld data download"):
            gymnasium.make(f"pushworld:PushWorld/{name}-v0")


def test_custom_needs_puzzles() -> None:
    for make in (gymnasium.make, lambda name: gymnasium.make_vec(name, 2)):
        with pytest.raises(PushWorldError, match="needs puzzles: pass puzzles="):
            make(CUSTOM)


def test_mistakes() -> None:
    with pytest.raises(PushWorldError, match="no option 'symetries': did you mean 'symmetries'"):
        gymnasium.make(BUNDLED, symetries=True)
    with pytest.raises(PushWorldError, match="no dtype 'int8': use float32, uint8"):
        PushWorldEnv("bundled", observation="pixels", dtype="int8")  # type: ignore[arg-type]
    with pytest.raises(PushWorldError, match="'uint8' is for pixels"):
        PushWorldEnv("bundled", dtype="uint8")
    with pytest.raises(PushWorldError, match="no reward 'curious'"):
        PushWorldEnv("bundled", reward="curious")  # type: ignore[arg-type]
    with pytest.raises(PushWorldError, match="no observation 'voxels'"):
        PushWorldEnv("bundled", observation="voxels")  # type: ignore[arg-type]
    with pytest.raises(PushWorldError, match="no render mode 'smell'"):
        PushWorldEnv("bundled", render_mode="smell")
    with pytest.raises(PushWorldError, match="at least one puzzle"):
        PushWorldEnv([])
    with pytest.raises(PushWorldError, match="pixels per cell"):
        PushWorldEnv("bundled", observation="pixels", pixels_per_cell=2)
    env = PushWorldEnv("bundled")
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.reset()
    with pytest.raises(PushWorldError, match="did you mean 'first-push'"):
        env.reset(options={"puzzle": "first-puhs"})
    with pytest.raises(PushWorldError, match="'puzle'"):
        env.reset(options={"puzle": "first-push"})
    for action in (4, -1):
        with pytest.raises(ValueError, match="0, 1, 2 or 3"):
            env.step(action)
    with pytest.raises(TypeError):
        env.step(1.5)  # type: ignore[arg-type]
