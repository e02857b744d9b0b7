"""Packs puzzles into the parameters of the environment, with lookup tables of overlaps and stops."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.datasets.resolve import PuzzleSource, load_puzzles
from pushworld.envs.contract import DEFAULT_MAX_STEPS, PIXEL_TYPES, PixelType, Reward, RewardName
from pushworld.envs.distances import distances_to, mask_of, stopped_positions
from pushworld.envs.jax.dynamics import pack_bits, words_for
from pushworld.envs.jax.pixels import NETWORK_PIXELS_PER_CELL
from pushworld.envs.jax.types import OBSERVATIONS, EnvParams, Observation, PixelFormat
from pushworld.envs.planes import Frame
from pushworld.puzzle import Position, PushWorldError, Puzzle, State, Symmetry
from pushworld.render.raster import checked_border_width


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
        **{name: jnp.asarray(value) for name, value in tables.arrays.items()},
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


Shape = tuple[Position, ...]


class Tables:
    """The arrays of `EnvParams` by the same names, filled variant by variant.

    Args:
        puzzles: all puzzles that will be added.
        frame: the world.
        variants: how many variants will be added.
        turned: whether some variants exchange width and height.
        distances: whether to fill the distances to the goals.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        frame: Frame,
        variants: int,
        turned: bool,
        distances: bool = False,
    ) -> None:
        things = [thing for puzzle in puzzles for thing in puzzle.objects]
        widest = max(thing.width for thing in things)
        tallest = max(thing.height for thing in things)
        if turned:
            widest = tallest = max(widest, tallest)
        self.reach = (widest - 1, tallest - 1)
        self.frame = frame
        others = max(len(puzzle.movables) - len(puzzle.goal) for puzzle in puzzles)
        slots = max(1 + frame.goals + others, frame.objects)
        offsets = (2 * widest - 1) * (2 * tallest - 1)
        words = words_for(frame.width)
        self.size = np.zeros((variants, 2), np.int16)
        self.start = np.zeros((variants, slots, 2), np.int16)
        self.goal = np.zeros((variants, frame.goals, 2), np.int16)
        self.goal_count = np.zeros(variants, np.int32)
        self.stops = np.zeros((variants, slots, words_for(frame.width * frame.height)), np.uint32)
        self.overlaps = np.zeros((variants, slots, slots, words_for(offsets)), np.uint32)
        self.shapes = np.zeros((variants, slots, tallest, words_for(widest)), np.uint32)
        self.room = np.zeros((variants, frame.height, words), np.uint32)
        self.agent_walls = np.zeros((variants, frame.height, words), np.uint32)
        self._world = (frame.height, frame.width)
        world = self._world if distances else (0, 0)
        self.distances = np.zeros((variants, frame.goals, *world), np.uint16)
        self._filled = 0

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names."""
        return {name: each for name, each in vars(self).items() if isinstance(each, np.ndarray)}

    def add(self, puzzle: Puzzle, symmetries: Sequence[Symmetry]) -> None:
        """Adds the variants of a puzzle under the given symmetries."""
        at = slice(self._filled, self._filled + len(symmetries))
        self._filled = at.stop
        walls = mask_of(puzzle.walls, puzzle.width, puzzle.height)
        agent_walls = mask_of(puzzle.agent_walls, puzzle.width, puzzle.height)
        stops = [
            stopped_positions(walls | agent_walls if i == 0 else walls, thing.shape)
            for i, thing in enumerate(puzzle.objects)
        ]
        slots = slots_of(puzzle, self.frame.goals)
        turned_stops = np.zeros((len(symmetries), self.stops.shape[1], *self._world), bool)
        room = np.zeros((2, len(symmetries), *self._world), bool)
        for number, symmetry in enumerate(symmetries):
            _fill(room[0, number], _turned(~walls, symmetry))
            _fill(room[1, number], _turned(agent_walls, symmetry))
            for slot, stopped in zip(slots, stops, strict=True):
                _fill(turned_stops[number, slot], _turned(stopped, symmetry))
            self.size[at.start + number] = turned_size(puzzle, symmetry)
            self._add_objects(at.start + number, puzzle, symmetry, slots)
        self.stops[at] = pack_bits(turned_stops.reshape(*turned_stops.shape[:2], -1))
        self.room[at], self.agent_walls[at] = pack_bits(room)
        self.goal_count[at] = len(puzzle.goal)
        if self.distances.size:
            for slot, goal in enumerate(puzzle.goal):
                distances = distances_to(goal, stops[1 + slot])
                for number, symmetry in enumerate(symmetries):
                    _fill(self.distances[at.start + number, slot], _turned(distances, symmetry))

    def _add_objects(self, at: int, puzzle: Puzzle, symmetry: Symmetry, slots: list[int]) -> None:
        boxes = np.array([(thing.width, thing.height) for thing in puzzle.objects])
        world = np.array((puzzle.width, puzzle.height))
        goals = len(puzzle.goal)
        self.start[at, slots] = _turned_corners(puzzle.initial_state, boxes, world, symmetry)
        if goals:
            own = boxes[1 : 1 + goals]
            self.goal[at, :goals] = _turned_corners(puzzle.goal, own, world, symmetry)
        rows, words = self.shapes.shape[-2:]
        turned = [_turned_shape(thing.shape, symmetry) for thing in puzzle.objects]
        for slot, shape in zip(slots, turned, strict=True):
            self.shapes[at, slot] = _shape_rows(shape, rows, words)
            for other_slot, other in zip(slots, turned, strict=True):
                if other_slot != slot:
                    self.overlaps[at, slot, other_slot] = _overlaps(shape, other, self.reach)


def slots_of(puzzle: Puzzle, goals: int) -> list[int]:
    """Returns the slot of each object, where `goals` slots are kept for objects with goals."""
    own = len(puzzle.goal)
    return [i if i <= own else goals + i - own for i in range(len(puzzle.objects))]


def turned_size(puzzle: Puzzle, symmetry: Symmetry) -> tuple[int, int]:
    """Returns the width and height of the puzzle seen through a symmetry."""
    width, height = symmetry.apply_to_vector((puzzle.width, puzzle.height))
    return abs(width), abs(height)


def _fill(world: NDArray[Any], mask: NDArray[Any]) -> None:
    """Writes the cells into the top-left corner of a larger rectangle."""
    world[: mask.shape[0], : mask.shape[1]] = mask


def _turned(mask: NDArray[Any], symmetry: Symmetry) -> NDArray[Any]:
    """Returns a rectangle of cells seen through a symmetry."""
    xx, xy, yx, yy = symmetry.value
    turned = mask.T if xx == 0 else mask
    return turned[:: yx + yy, :: xx + xy]


def _turned_corners(
    corners: State, boxes: NDArray[np.int_], world: NDArray[np.int_], symmetry: Symmetry
) -> NDArray[np.int_]:
    """Returns the top-left corners of boxes (width, height) in a world seen through a symmetry."""
    matrix = np.array(symmetry.value).reshape(2, 2).T
    one = np.array(corners)
    other = one + boxes - 1
    moved_back = np.minimum(0, (world - 1) @ matrix)
    turned: NDArray[np.int_] = np.minimum(one @ matrix, other @ matrix) - moved_back
    return turned


@lru_cache(maxsize=1 << 14)
def _turned_shape(shape: Shape, symmetry: Symmetry) -> Shape:
    box = (1 + max(x for x, _ in shape), 1 + max(y for _, y in shape))
    return tuple(symmetry.apply_to_box(cell, (1, 1), box) for cell in shape)


@lru_cache(maxsize=1 << 14)
def _shape_rows(shape: Shape, rows: int, words: int) -> NDArray[np.uint32]:
    return pack_bits(mask_of(shape, words * 32, rows))


@lru_cache(maxsize=1 << 14)
def _overlaps(shape: Shape, other: Shape, reach: tuple[int, int]) -> NDArray[np.uint32]:
    """Returns a bitmap of the offsets at which the other shape overlaps the first."""
    far_x, far_y = reach
    offsets = np.array(shape)[:, None] - np.array(other)[None]
    bits = np.zeros((2 * far_y + 1, 2 * far_x + 1), bool)
    bits[offsets[..., 1] + far_y, offsets[..., 0] + far_x] = True
    return pack_bits(bits.reshape(-1))
