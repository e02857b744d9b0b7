"""Which participant gets which condition and which order of puzzles."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeVar

from pushworld.web.studies.study import Order, Study

Item = TypeVar("Item")


@dataclass(frozen=True)
class Assignment:
    """What a participant gets."""

    condition: str | None  # the name of the condition; None in a study without conditions
    trials: tuple[tuple[str, str], ...]  # the names of a block and of a puzzle in it, in order


def balanced_square(size: int) -> list[tuple[int, ...]]:
    """Returns a Latin square of the numbers from 0 that is balanced for first-order carry-over.

    Each number is at each place equally often, and follows each other number equally often
    (Williams 1949). An odd size needs the mirrored rows too: twice as many rows.
    """
    first = [0]
    for index in range(1, size):
        first.append((index + 1) // 2 if index % 2 else size - index // 2)
    rows = [tuple((each + row) % size for each in first) for row in range(size)]
    return rows + [row[::-1] for row in rows] if size % 2 and size > 1 else rows


def slot_count(study: Study) -> int:
    """Returns the number of slots: combinations of a condition and counterbalanced orders.

    A number of participants that is a multiple of it is balanced exactly.
    """
    return prod(_sizes(study))


def free_slot(study: Study, taken: Mapping[int, int]) -> int:
    """Returns the first slot of those that the fewest participants have; `taken` has their numbers by slot."""
    count = slot_count(study)
    fewest = min(taken.values()) if len(taken) == count else 0
    return next(slot for slot in range(count) if taken.get(slot, 0) == fewest)


def assign(study: Study, slot: int, participant: str) -> Assignment:
    """Returns what the participant of a slot gets; random orders follow from seed and id."""
    dice = random.Random(f"{study.seed}/{participant}")
    condition, block_row, *rows = _levels(_sizes(study), slot)
    blocks = _ordered(study.blocks, study.block_order, block_row, dice)
    row_of = dict(zip((block.name for block in study.blocks), rows, strict=True))
    return Assignment(
        study.conditions[condition].name if study.conditions else None,
        tuple(
            (block.name, puzzle)
            for block in blocks
            for puzzle in _ordered(block.puzzles, block.order, row_of[block.name], dice)
        ),
    )


def _sizes(study: Study) -> list[int]:
    """Returns the number of conditions, of orders of the blocks, and of orders within each."""
    lists: list[tuple[Order, int]] = [(study.block_order, len(study.blocks))]
    lists += [(block.order, len(block.puzzles)) for block in study.blocks]
    rows = [
        len(balanced_square(size)) if order == "counterbalanced" else 1 for order, size in lists
    ]
    return [max(1, len(study.conditions)), *rows]


def _levels(sizes: Sequence[int], slot: int) -> list[int]:
    """Returns the level of each factor in a slot.

    The slots are all combinations. Each factor is shifted by those before it, so that a few
    participants already get all levels of each: with sizes 4 and 2, the first four slots are
    (0, 0), (1, 1), (2, 0) and (3, 1).
    """
    levels = [0] * len(sizes)
    shift = 0
    for factor in sorted(range(len(sizes)), key=lambda factor: -sizes[factor]):
        slot, place = divmod(slot, sizes[factor])
        shift += place
        levels[factor] = shift % sizes[factor]
    return levels


def _ordered(items: Sequence[Item], order: Order, row: int, dice: random.Random) -> Sequence[Item]:
    if order == "random":
        return dice.sample(items, len(items))
    if order == "counterbalanced":
        return [items[index] for index in balanced_square(len(items))[row]]
    return items
