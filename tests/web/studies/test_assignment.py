"""Conditions and orders: balanced over participants, and the same for the same participant."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pushworld.web.studies.assignment import (
    Assignment,
    assign,
    balanced_square,
    free_slot,
    slot_count,
)
from pushworld.web.studies.study import Study
from pushworld.web.studies.study_file import load_study
from tests.web.studies.taking_part import study_file


@pytest.mark.parametrize("size", range(1, 13))
def test_a_balanced_square_is_one(size: int) -> None:
    rows = balanced_square(size)
    assert all(sorted(row) == list(range(size)) for row in rows)
    places = Counter((place, each) for row in rows for place, each in enumerate(row))
    assert len(places) == size**2
    assert len(set(places.values())) == 1
    followers = Counter(pair for row in rows for pair in pairwise(row))
    assert len(followers) == size * (size - 1)
    assert len(set(followers.values())) <= 1


def study_of(folder: Path, order: str, blocks: int = 2) -> Study:
    """Returns a study with two conditions, and blocks of four puzzles."""
    names = [
        ["first-push", "crossroads", "keyhole", "duet"],
        ["cork", "castaway", "lid-last", "portcullis"],
    ]
    text = '[[conditions]]\nname = "a"\n[[conditions]]\nname = "b"\n'
    for index in range(blocks):
        text += f'[[blocks]]\nname = "block{index}"\npuzzles = {names[index]}\norder = "{order}"\n'
    head = f'title = "x"\nconsent = "y"\nblock_order = "{order}"\nseed = 7\n'
    return load_study(study_file(folder, text, head))


def test_all_combinations_come_equally_often(tmp_path: Path) -> None:
    study = study_of(tmp_path, "counterbalanced")
    assert slot_count(study) == 2 * 2 * 4 * 4
    taken: Counter[int] = Counter()
    seen: Counter[Assignment] = Counter()
    for number in range(2 * slot_count(study)):
        slot = free_slot(study, taken)
        taken[slot] += 1
        seen[assign(study, slot, f"participant {number}")] += 1
        if number == 3:  # four participants already have all conditions and all first puzzles
            assert Counter(each.condition for each in seen) == {"a": 2, "b": 2}
            assert Counter(each.trials[0][0] for each in seen) == {"block0": 2, "block1": 2}
            for block in ("block0", "block1"):
                firsts = {
                    next(puzzle for name, puzzle in each.trials if name == block) for each in seen
                }
                assert len(firsts) == 4
    assert set(taken.values()) == set(seen.values()) == {2}
    assert len(seen) == slot_count(study)


def test_the_slot_of_one_who_withdraws_is_given_again(tmp_path: Path) -> None:
    study = study_of(tmp_path, "counterbalanced", blocks=1)
    taken = dict.fromkeys(range(slot_count(study)), 3)
    assert free_slot(study, taken) == 0
    taken[5] -= 1
    assert free_slot(study, taken) == 5


def test_random_orders_follow_from_seed_and_participant(tmp_path: Path) -> None:
    study = study_of(tmp_path, "random")
    assert slot_count(study) == 2
    orders = {assign(study, 0, f"participant {number}").trials for number in range(50)}
    assert len(orders) > 40
    assert {frozenset(order) for order in orders} == {frozenset(next(iter(orders)))}
    for order in orders:  # blocks stay together
        assert [block for block, _ in order] in (
            ["block0"] * 4 + ["block1"] * 4,
            ["block1"] * 4 + ["block0"] * 4,
        )
    assert assign(study, 0, "ada") == assign(study, 0, "ada")
    assert assign(study_of(tmp_path, "fixed"), 0, "ada").trials[0] == ("block0", "first-push")
