"""A teacher that knows the shortest way: the distance to the goal of every state of small puzzles.

The states of a puzzle are numbered by the positions of its objects, in mixed radix, overlapping ones
included. Distances are found on the device by sweeps over all states until nothing changes, and stay
there, a byte for each state. A puzzle and its symmetries have one table: a state is transformed back
to the puzzle as it was given before it is looked up.
"""

import itertools
from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax import SYMMETRIES, EnvParams, EnvState, reset_env
from pushworld.envs.jax.dynamics import move, pushes
from pushworld.rl.config import ConfigError

DEAD = 255
"""The distance of a state without a plan, or of one that is too far from the goal."""

FARTHEST = DEAD - 1
WORD_STATES = 4
"""Distances in a word of the table."""

MOST_WORDS = 1 << 30
"""Words in a part of the table."""

TRIES = 32
"""How often a random state is drawn until it is one with a plan."""

_SMALLEST_GROUP = 1 << 22
_PUZZLES_IN_GROUP = 2
"""Of the largest puzzles. What the last puzzle of a group leaves free is lost."""

_PART = 1 << 18
"""States whose successors are computed at a time, which bounds the memory."""

_MATRICES = np.array([each.value for each in SYMMETRIES], np.int16).reshape(-1, 2, 2)
_ACTIONS = np.array(
    [[each.apply_to_action(action) for action in range(NUM_ACTIONS)] for each in SYMMETRIES]
)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Teacher:
    """Packed puzzles with the goal distances of all their states.

    Attributes:
        params: the packed puzzles; episodes start with those that have distances.
        places: int16 (puzzles, slots, most, 2), the positions that walls leave to a slot.
        numbers: int32 (puzzles, slots, height * width), the number of each of these positions.
        strides: int32 (puzzles, slots), what a position's number counts in the number of a state.
        counts: int32 (puzzles, slots), the number of positions.
        first_word: int32 (puzzles, 2), where the distances of a puzzle start: the group, and the word.
        words: uint32 (groups, words), the distances, `WORD_STATES` in each, in parts whose words
            32 bits can count.
    """

    params: EnvParams
    places: jax.Array
    numbers: jax.Array
    strides: jax.Array
    counts: jax.Array
    first_word: jax.Array
    words: tuple[jax.Array, ...]

    @property
    def puzzles(self) -> int:
        """The number of puzzles that have distances."""
        return self.params.puzzles

    def code(self, puzzle: jax.Array, positions: jax.Array) -> jax.Array:
        """Returns the number of a state of a puzzle as it was given."""
        x, y = positions[:, 0].astype(jnp.int32), positions[:, 1].astype(jnp.int32)
        slots = jnp.arange(self.params.slots)
        chosen = self.numbers[puzzle, slots, y * self.params.frame.width + x]
        return (chosen * self.strides[puzzle]).sum(dtype=jnp.int32)

    def distances(self, puzzle: jax.Array, codes: jax.Array) -> jax.Array:
        """Returns the distances of states by their numbers, of the same shape."""
        group, first = self.first_word[puzzle]
        at = first + codes // WORD_STATES
        word = self.words[0][group, at]
        for number, part in enumerate(self.words[1:], 1):
            before = number * self.words[0].shape[0]
            word = jnp.where(group >= before, part[group - before, at], word)
        shift = (codes % WORD_STATES).astype(jnp.uint32) * 8
        return ((word >> shift) & 0xFF).astype(jnp.int32)


def look_up(state: EnvState, teacher: Teacher) -> tuple[jax.Array, jax.Array]:
    """Returns the distance of a state to the goal, or `DEAD`, and which actions start a shortest plan."""
    params = teacher.params
    puzzle, symmetry = _puzzle_and_symmetry(state.variant, params)
    given = params.first_variant[puzzle]
    moved_back = state.positions - params.start[state.variant]
    matrix = jnp.asarray(_MATRICES)[symmetry]  # orthogonal: rows times the matrix are its inverse
    positions = (moved_back @ matrix + params.start[given]).astype(jnp.int16)
    code = partial(teacher.code, puzzle)
    distance = teacher.distances(puzzle, code(positions))
    actions = jnp.arange(NUM_ACTIONS)
    after = jax.vmap(lambda action: code(move(positions, given, action, params)[0]))(actions)
    best = (teacher.distances(puzzle, after) == distance - 1) & (distance < DEAD)
    shown = jnp.zeros(NUM_ACTIONS, bool).at[jnp.asarray(_ACTIONS)[symmetry]].set(best)
    return distance, shown


def random_start(key: jax.Array, teacher: Teacher, share: float) -> EnvState:
    """Returns the first state of an episode, with probability `share` at a random state with a plan.

    The puzzle, its symmetry and its place are drawn as in any episode. If all of some draws are
    states without a plan, the episode starts as usual. Puzzles whose initial state has no plan always
    start at a random state.
    """
    params = teacher.params
    reset_key, code_key, choice_key = jax.random.split(key, 3)
    state = reset_env(reset_key, params)
    puzzle, symmetry = _puzzle_and_symmetry(state.variant, params)
    counts, strides = teacher.counts[puzzle], teacher.strides[puzzle]
    drawn = jax.random.randint(code_key, (TRIES, params.slots), 0, counts)
    distances = teacher.distances(puzzle, (drawn * strides).sum(axis=1))
    good = (distances > 0) & (distances < DEAD)
    chosen = drawn[jnp.argmax(good)]
    places = teacher.places[puzzle, jnp.arange(params.slots), chosen]
    moved = places - params.start[params.first_variant[puzzle]]
    matrix = jnp.asarray(_MATRICES)[symmetry]
    positions = (moved @ matrix.T + params.start[state.variant]).astype(jnp.int16)
    given = teacher.distances(
        puzzle, teacher.code(puzzle, params.start[params.first_variant[puzzle]])
    )
    wanted = (jax.random.uniform(choice_key) < share) | (given == DEAD)
    there = good.any() & wanted
    return replace(state, positions=jnp.where(there, positions, state.positions))


def make_teacher(params: EnvParams, max_states: int) -> Teacher:
    """Returns the teacher of packed puzzles with at most `max_states` states each.

    Raises:
        ConfigError: if all puzzles have more states.
    """
    host = jax.device_get(params)
    given = host.first_variant
    free = [_free_positions(host, variant) for variant in given]
    counts = np.array([[len(places) for places in slots] for slots in free])
    sizes = counts.astype(np.float64).prod(axis=1)
    small = sizes <= max_states
    if not small.any():
        raise ConfigError(f"imitation.max_states is {max_states}: all puzzles have more states")
    free = [slots for slots, taken in zip(free, small, strict=True) if taken]
    given, counts, sizes = given[small], counts[small], sizes[small].astype(np.int64)
    strides = np.cumprod(np.pad(counts, ((0, 0), (1, 0)), constant_values=1), axis=1)[:, :-1]
    places = np.zeros((*counts.shape, counts.max(), 2), np.int16)
    numbers = np.zeros((*counts.shape, host.frame.height * host.frame.width), np.int32)
    for puzzle, slots in enumerate(free):
        for slot, mine in enumerate(slots):
            places[puzzle, slot, : len(mine)] = mine
            numbers[puzzle, slot, mine[:, 1] * host.frame.width + mine[:, 0]] = np.arange(len(mine))
    own = replace(
        params,
        first_variant=jnp.asarray(given, jnp.int32),
        variant_count=jnp.asarray(host.variant_count[small]),
        puzzle_of=jnp.asarray(
            np.searchsorted(given, np.arange(len(host.size)), "right") - 1, jnp.int32
        ),
    )
    tables = Teacher(
        params=own,
        places=jnp.asarray(places),
        numbers=jnp.asarray(numbers),
        strides=jnp.asarray(strides, jnp.int32),
        counts=jnp.asarray(counts, jnp.int32),
        first_word=jnp.zeros((len(sizes), 2), jnp.int32),
        words=(),
    )
    words, first = _all_distances(tables, sizes, max_states)
    return replace(tables, words=words, first_word=jnp.asarray(first, jnp.int32))


def _all_distances(
    tables: Teacher, sizes: NDArray[np.int64], max_states: int
) -> tuple[tuple[jax.Array, ...], NDArray[np.int64]]:
    """Returns the words of all puzzles, and where each starts.

    Puzzles are put into groups of one size, each with as many of them as fit, so that one program
    finds the distances of all.
    """
    starts, groups = [0], [0]  # of each puzzle within its group, and the first puzzle of each group
    aligned = -(-sizes // WORD_STATES) * WORD_STATES
    limit = min(max(_PUZZLES_IN_GROUP * max_states, _SMALLEST_GROUP), 1 << 30)
    group = 1 << int(min(limit, aligned.sum()) - 1).bit_length()
    for puzzle in range(1, len(sizes)):
        start = starts[-1] + int(aligned[puzzle - 1])
        if start + aligned[puzzle] > group:
            start = 0
            groups.append(puzzle)
        starts.append(start)
    together = max(1, MOST_WORDS // (group // WORD_STATES))
    words: list[jax.Array] = []
    parts, first = [], np.zeros((len(sizes), 2), np.int64)
    for number, (begin, end) in enumerate(itertools.pairwise([*groups, len(sizes)])):
        mine = np.full(len(sizes), group, np.int32)
        mine[: end - begin] = starts[begin:end]
        used = starts[end - 1] + sizes[end - 1]
        words.append(_distances(group, begin, mine, int(used), sizes.astype(np.int32), tables))
        if len(words) == together or end == len(sizes):
            parts.append(jnp.stack(words))
            words = []
        first[begin:end, 0] = number
        first[begin:end, 1] = np.array(starts[begin:end]) // WORD_STATES
    return tuple(parts), first


@partial(jax.jit, static_argnums=0)
def _distances(
    group: int,
    begin: jax.Array,
    starts: jax.Array,
    used: jax.Array,
    sizes: jax.Array,
    tables: Teacher,
) -> jax.Array:
    """Returns the distances of all states of a group of puzzles in words, by sweeps over all of them.

    Args:
        group: the number of states, those that fill it up included.
        begin: the first puzzle.
        starts: where the states of each puzzle start, from the first on; `group` for all further ones.
        used: the number of states without those that fill up the group.
        sizes: the numbers of states of all puzzles.
        tables: the positions of all puzzles.
    """
    params = tables.params
    goal_slots = slice(1, 1 + params.frame.goals)

    def look(state: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        number = jnp.searchsorted(starts, state, side="right") - 1
        puzzle, start = begin + number, starts[number]
        strides, variant = tables.strides[puzzle], params.first_variant[puzzle]
        chosen = (state - start) // strides % tables.counts[puzzle]
        positions = tables.places[puzzle, jnp.arange(params.slots), chosen]
        overlapping = pushes(positions, jnp.zeros(2, positions.dtype), variant, params).any()
        own = jnp.arange(params.frame.goals) < params.goal_count[variant]
        at_goal = (positions[goal_slots] == params.goal[variant]).all(axis=-1)
        after = [
            start + tables.code(puzzle, move(positions, variant, jnp.int32(action), params)[0])
            for action in range(NUM_ACTIONS)
        ]
        there = (state < used) & (state - start < sizes[puzzle]) & ~overlapping
        return there, (at_goal | ~own).all() & own.any(), jnp.stack(after)

    part = min(group, _PART)
    parts = jnp.arange(group, dtype=jnp.int32).reshape(-1, part)
    there, solved, after = jax.lax.map(jax.vmap(look), parts)
    there, solved = there.reshape(-1), solved.reshape(-1)
    following = [after[..., action].reshape(-1) for action in range(NUM_ACTIONS)]

    def sweep(
        carry: tuple[jax.Array, jax.Array, jax.Array],
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        before, _, number = carry
        nearest = before[following[0]]
        for each in following[1:]:
            nearest = jnp.minimum(nearest, before[each])
        found = there & (before == DEAD) & (nearest < FARTHEST)
        return jnp.where(found, nearest + jnp.uint8(1), before), found.any(), number + 1

    first = jnp.where(there & solved, 0, DEAD).astype(jnp.uint8)
    distances, _, _ = jax.lax.while_loop(
        lambda carry: carry[1] & (carry[2] < FARTHEST),
        sweep,
        (first, jnp.bool_(True), jnp.int32(0)),
    )
    shifts = jnp.arange(WORD_STATES, dtype=jnp.uint32) * 8
    quarters = distances.reshape(-1, WORD_STATES).astype(jnp.uint32)
    return (quarters << shifts).sum(axis=1, dtype=jnp.uint32)


def _puzzle_and_symmetry(variant: jax.Array, params: EnvParams) -> tuple[jax.Array, jax.Array]:
    """Returns the number of the variant's puzzle among those of the parameters, and of its symmetry."""
    puzzle = params.puzzle_of[variant]
    return puzzle, variant - params.first_variant[puzzle]


def _free_positions(host: EnvParams, variant: int) -> list[NDArray[np.int16]]:
    """Returns the positions that walls leave to each slot; of an unused slot, the one it has."""
    frame, (width, height) = host.frame, host.size[variant]
    found = []
    for slot in range(host.slots):
        rows = np.asarray(host.shapes[variant, slot])
        cells = np.unpackbits(rows.astype("<u4").view(np.uint8), axis=-1, bitorder="little")
        if not cells.any():
            found.append(np.asarray(host.start[variant, slot])[None])
            continue
        high, wide = (1 + np.flatnonzero(cells.any(axis=axis)).max() for axis in (1, 0))
        words = np.asarray(host.stops[variant, slot]).astype("<u4").view(np.uint8)
        stopped = np.unpackbits(words, bitorder="little")[: frame.height * frame.width]
        stopped = stopped.reshape(frame.height, frame.width)[
            : height - high + 1, : width - wide + 1
        ]
        y, x = np.nonzero(stopped == 0)
        found.append(np.stack([x, y], axis=1).astype(np.int16))
    return found
