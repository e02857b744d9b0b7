"""Seeds of vector environments: each environment has the generator of a single one with its seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium.utils.seeding import np_random

from pushworld.puzzle import PushWorldError

_WORD = 2**64


def split_seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Returns a seed for each environment: None, ``seed, seed + 1, ...``, or the given ones."""
    if seed is None:
        return [None] * count
    if isinstance(seed, int):
        return [seed + env for env in range(count)]
    if len(seed) != count:
        raise PushWorldError(f"there are {len(seed)} seeds for {count} environments")
    return list(seed)


def generator_words(seed: int | None) -> tuple[int, tuple[int, int, int, int]]:
    """Returns the seed of Gymnasium's generator and its state as four words, high words first."""
    generator, used = np_random(seed)
    assert isinstance(generator.bit_generator, np.random.PCG64)
    inner = generator.bit_generator.state["state"]
    state, increment = int(inner["state"]), int(inner["inc"])
    return used, (state // _WORD, state % _WORD, increment // _WORD, increment % _WORD)
