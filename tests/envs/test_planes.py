"""The planes show what is where, and the native environments draw the same ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.envs import PushWorldEnv
from pushworld.envs.contract import REWARDS, RewardName
from pushworld.envs.planes import Frame, FrameError
from pushworld.puzzle import Action, Plan, Puzzle, Symmetry, pad, transform
from tests.envs.definitions import distance_to_goals, draw_planes, reward_of_step
from tests.strategies import plans, puzzles, small_puzzles

PUZZLE = Puzzle.parse(
    """
    A  AW  M2     .
    W  M1  .      G2
    .  M1  G1     .
    .  .   G1+M3  .
    """.replace("    ", "")
    .strip()
    .replace("  ", " ")
)


def rows(plane: np.ndarray) -> list[str]:
    return ["".join(".#"[int(cell)] for cell in row) for row in plane]


def test_planes_of_a_puzzle() -> None:
    frame = Frame(width=7, height=8, goals=3, objects=4)
    planes = draw_planes(PUZZLE, PUZZLE.initial_state, frame)
    assert planes.shape == (10, 8, 7)
    agent, agent_walls, walls, m1, g1, m2, g2, m_none, g_none, others = map(rows, planes)
    assert agent == [".......", "." * 7, ".#.....", *["." * 7] * 5]
    assert agent_walls == ["." * 7, "." * 7, "..#....", *["." * 7] * 5]
    assert walls == [
        "#######",
        "#######",
        "#....##",
        "##...##",
        "#....##",
        "#....##",
        "#######",
        "#######",
    ]
    assert m1 == [*["." * 7] * 3, "..#....", "..#....", *["." * 7] * 3]
    assert g1 == [*["." * 7] * 4, "...#...", "...#...", *["." * 7] * 2]
    assert m2 == [*["." * 7] * 2, "...#...", *["." * 7] * 5]
    assert g2 == [*["." * 7] * 3, "....#..", *["." * 7] * 4]
    assert others == [*["." * 7] * 5, "...#...", *["." * 7] * 2]
    assert m_none == g_none == ["." * 7] * 8


def test_frame_is_that_of_the_largest_puzzle() -> None:
    wide = Puzzle.parse("A . . . M1 G1")
    tall = Puzzle.parse("A\n.\nM1\nG1\nM2\nM3\nM4")
    assert Frame.around([wide, tall]) == Frame(width=8, height=9, goals=1, objects=5)
    assert Frame.around([wide, tall], symmetries=True) == Frame(9, 9, goals=1, objects=5)
    framed = Frame.around([wide, tall], width=20, height=9, goals=3, objects=7)
    assert framed == Frame(width=20, height=9, goals=3, objects=7)


@pytest.mark.parametrize(
    ("sizes", "problem"),
    [
        ({"width": 7}, "'wide' of 8 x 3 cells does not fit into a world of 7 x 9"),
        ({"height": 8}, "'tall' of 3 x 9 cells does not fit into a world of 8 x 8"),
        ({"goals": 0}, "'wide' has 1 goals, more than goals=0"),
        ({"objects": 4}, "'tall' has 5 objects, more than objects=4"),
    ],
)
def test_puzzles_that_do_not_fit(sizes: dict[str, int], problem: str) -> None:
    wide = Puzzle.parse("A . . . M1 G1", name="wide")
    tall = Puzzle.parse("A\n.\nM1\nG1\nM2\nM3\nM4", name="tall")
    with pytest.raises(FrameError, match=problem):
        PushWorldEnv([wide, tall], **sizes)  # type: ignore[arg-type]


@settings(max_examples=20)
@given(
    st.lists(st.one_of(small_puzzles, puzzles), min_size=1, max_size=3),
    st.lists(plans, min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.sampled_from([*REWARDS]),
    st.integers(0, 2**32),
)
def test_episodes_agree_with_the_definitions(
    chosen: list[Puzzle],
    walks: list[Plan],
    symmetries: bool,
    placement: bool,
    spare: tuple[int, int],
    reward: RewardName,
    seed: int,
) -> None:
    """Every step of the environment, against the reference dynamics and NumPy planes."""
    frame = Frame.around(chosen)
    frame = replace(
        frame, width=frame.width + spare[0], height=frame.height + spare[1], goals=frame.goals + 1
    )
    options: Any = {
        "symmetries": symmetries,
        "placement": placement,
        "reward": reward,
        "width": frame.width,
        "height": frame.height,
        "goals": frame.goals,
    }
    env = PushWorldEnv(chosen, **options)
    positions = PushWorldEnv(chosen, observation="state", **options)
    for episode, walk in enumerate(walks):
        start = seed if episode == 0 else None
        observation, info = env.reset(seed=start)
        seen_positions, _ = positions.reset(seed=start)
        puzzle, state = env.puzzle, env.puzzle.initial_state
        assert (puzzle.width, puzzle.height) == (frame.width, frame.height)
        assert is_view(puzzle, chosen, symmetries, None if placement else frame)
        achieved = puzzle.achieved_goals(state)
        distance = distance_to_goals(puzzle, state)
        assert info["achieved_goals"] == achieved
        for action in (None, *walk):
            if action is not None:
                before, state = state, puzzle.step(state, action)
                observation, got, terminated, truncated, info = env.step(action)
                seen_positions = positions.step(action)[0]
                assert info["moved"] == (before != state)
                assert info["achieved_goals"] == puzzle.achieved_goals(state)
                distances = distance, distance_to_goals(puzzle, state)
                goals = achieved, info["achieved_goals"], len(puzzle.goal)
                expected = reward_of_step(REWARDS[reward], *goals, distances)
                assert got == pytest.approx(expected, abs=1e-12)
                assert info["is_success"] == terminated
                assert terminated == puzzle.is_solved(state)
                assert not truncated
                achieved, distance = info["achieved_goals"], distances[1]
            moving = [puzzle.step(state, each) != state for each in range(4)]
            assert info["action_mask"].tolist() == moving
            assert env.state == state
            np.testing.assert_array_equal(observation, draw_planes(puzzle, state, frame))
            padding = [(-1, -1)] * (frame.objects - len(state))
            np.testing.assert_array_equal(seen_positions, [*state, *padding])


def is_view(seen: Puzzle, chosen: list[Puzzle], symmetries: bool, centred: Frame | None) -> bool:
    """Returns whether an episode may show a puzzle, in the centre of a frame if one is given."""
    for puzzle in chosen:
        for symmetry in Symmetry if symmetries else [Symmetry.IDENTITY]:
            turned = transform(puzzle, symmetry)
            x, y = (seen.agent.start[i] - turned.agent.start[i] for i in (0, 1))
            fits = 0 <= x <= seen.width - turned.width and 0 <= y <= seen.height - turned.height
            if fits and pad(turned, seen.width, seen.height, (x, y)) == seen:
                return centred is None or (x, y) == centred.centred(turned)
    return False


def test_augmentation_shows_every_symmetry_and_place() -> None:
    corner = Puzzle.parse("A M1 .\n. . .\n. . W", name="corner")
    larger = Puzzle.parse("A . . .\n. . . .\n. . . .\n. . . M1")
    env = PushWorldEnv([corner, larger], symmetries=True, placement=True)
    seen = set()
    for seed in range(600):
        env.reset(seed=seed, options={"puzzle": "corner"})
        seen.add(env.puzzle)
    assert seen == {
        pad(transform(corner, symmetry), 6, 6, (x, y))
        for symmetry in Symmetry
        for x in (0, 1)
        for y in (0, 1)
    }
    assert len(seen) == 8 * 4


def test_actions_are_directions_in_the_observation() -> None:
    env = PushWorldEnv(Puzzle.parse(". . .\n. A .\n. . M1"), symmetries=True)
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        for action in Action:
            before = np.argwhere(observation[0])[0]
            observation, *_ = env.step(action)
            after = np.argwhere(observation[0])[0]
            dx, dy = action.delta
            assert tuple(after - before) == (dy, dx)
            observation, *_ = env.step(action ^ 1)
