"""Packs puzzles into the parameters of the environment."""

from __future__ import annotations

from collections.abc import Iterable

import jax.numpy as jnp
import numpy as np

from pushworld.datasets.resolve import PuzzleSource, load_puzzles
from pushworld.envs.contract import (
    DEFAULT_MAX_STEPS,
    PIXEL_TYPES,
    PixelType,
    Reward,
    RewardName,
)
from pushworld.envs.jax.pixels import NETWORK_PIXELS_PER_CELL
from pushworld.envs.jax.tables import Tables, turned_size
from pushworld.envs.jax.types import OBSERVATIONS, EnvParams, Observation, PixelFormat
from pushworld.envs.planes import Frame
from pushworld.puzzle import PushWorldError, Puzzle, Symmetry
from pushworld.render.validation import checked_border_width


def _turns_on_its_side(symmetry: Symmetry) -> bool:
    matrix: tuple[int, int, int, int] = symmetry.value
    return matrix[0] == 0


SYMMETRIES = tuple(sorted(Symmetry, key=_turns_on_its_side))
"""The order of a puzzle's variants: the identity first, those that swap width and height last."""

MAX_PUZZLES = 2**16 - 1


class PackError(PushWorldError):
    """Puzzles cannot be packed as requested."""


def pack(
    puzzles: PuzzleSource | Iterable[PuzzleSource] | None,
    *,
    max_steps: int = DEFAULT_MAX_STEPS,
    symmetries: bool = True,
    random_placement: bool = True,
    observation: Observation = "planes",
    width: int | None = None,
    height: int | None = None,
    goals: int | None = None,
    objects: int | None = None,
    reward: RewardName | Reward = "paper",
    dtype: PixelType = "float32",
    pixels_per_cell: int = NETWORK_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> EnvParams:
    """Returns a set of puzzles as the parameters of the environment.

    Args:
        puzzles: a set, folder, file, name or `Puzzle`, or several of these; their order gives the
            puzzles their numbers.
        max_steps: the number of steps after which an episode is truncated.
        symmetries: whether an episode transforms its puzzle by a random symmetry, of those with
            which it fits into the world.
        random_placement: whether an episode places its puzzle at a random position in the world
            instead of in the centre.
        observation: the kind of observation, ``"planes"``, ``"pixels"``, ``"objects"`` (planes in
            which each slot of a movable without a goal has its own, so that touching ones differ),
            or ``"scene"`` (planes whose number does not depend on the puzzles).
        width, height: the size of the world; by default the smallest that holds all puzzles, which
            with symmetries is a square.
        goals: the number of goals that have planes; by default the largest of the puzzles.
        objects: the least number of object slots of a state.
        reward: ``"paper"``, ``"sparse"``, ``"shaped"`` or a `pushworld.envs.Reward`. A table of
            distances to the goals is packed only for a shaped one.
        dtype: the type of pixels, ``"float32"`` or ``"uint8"``.
        pixels_per_cell, border_width: the scale of pixels.

    Raises:
        PackError: if there are no puzzles or too many, one does not fit into the world or has too
            many goals, or an option is not one of the above.
        DataError: if there is no such set, or it is not installed.
    """
    puzzles = load_puzzles(puzzles)
    if not 1 <= len(puzzles) <= MAX_PUZZLES:
        raise PackError(f"{len(puzzles)} puzzles were given: pack 1 to {MAX_PUZZLES} of them")
    if max_steps < 1:
        raise PackError(f"max_steps is {max_steps}: an episode needs at least 1 step")
    if observation not in OBSERVATIONS:
        raise PackError(f"{observation!r} is no observation: use {' or '.join(OBSERVATIONS)}")
    if dtype not in PIXEL_TYPES:
        raise PackError(f"{dtype!r} is no type of pixels: use {' or '.join(PIXEL_TYPES)}")
    try:
        chosen_reward = Reward.named(reward)
        frame = Frame.around(
            puzzles, symmetries, width=width, height=height, goals=goals, objects=objects
        )
        size = (frame.width, frame.height)
        border = checked_border_width(size, pixels_per_cell, border_width)
    except PushWorldError as error:
        raise PackError(str(error)) from None
    offered = SYMMETRIES if symmetries else SYMMETRIES[:1]
    chosen = [[each for each in offered if _fits(puzzle, each, frame)] for puzzle in puzzles]
    counts = np.array([len(each) for each in chosen])
    tables = Tables(
        puzzles,
        frame,
        variants=int(counts.sum()),
        turned=symmetries,
        distances=chosen_reward.shaping > 0,
    )
    for puzzle, its_symmetries in zip(puzzles, chosen, strict=True):
        tables.add(puzzle, its_symmetries)
    return EnvParams(
        first_variant=jnp.asarray(np.cumsum(counts) - counts, jnp.int32),
        variant_count=jnp.asarray(counts, jnp.uint32),
        puzzle_of=jnp.asarray(np.repeat(np.arange(len(puzzles)), counts), jnp.int32),
        size=jnp.asarray(tables.size),
        start=jnp.asarray(tables.start),
        goal=jnp.asarray(tables.goal),
        goal_count=jnp.asarray(tables.goal_count),
        stops=jnp.asarray(tables.stops),
        overlaps=jnp.asarray(tables.overlaps),
        shapes=jnp.asarray(tables.shapes),
        room=jnp.asarray(tables.room),
        agent_walls=jnp.asarray(tables.agent_walls),
        distances=jnp.asarray(tables.distances),
        max_steps=jnp.asarray(max_steps, jnp.int32),
        frame=frame,
        reach=tables.reach,
        random_placement=random_placement,
        observation=observation,
        reward=chosen_reward,
        pixels=PixelFormat(dtype, pixels_per_cell, border),
    )


def _fits(puzzle: Puzzle, symmetry: Symmetry, frame: Frame) -> bool:
    width, height = turned_size(puzzle, symmetry)
    return width <= frame.width and height <= frame.height
