"""Plans that are repaired after an object was lost."""

from __future__ import annotations

import pytest

from pushworld.datasets.bundled import classic_puzzles
from pushworld.design.state_space import repaired_plan
from pushworld.design.variants import without_objects

ENTRIES = {entry.name: entry for entry in classic_puzzles()}


@pytest.mark.parametrize(
    ("name", "lost"), [("siding", "M6"), ("cloister", "M1"), ("forklift", "M3")]
)
def test_repaired_plan_solves_the_smaller_puzzle(name: str, lost: str) -> None:
    entry = ENTRIES[name]
    smaller = without_objects(entry.puzzle, (lost,))
    assert not smaller.validate(entry.plan)
    repaired = repaired_plan(entry.puzzle, smaller, entry.plan, max_states=20_000)
    assert repaired is not None
    assert smaller.validate(repaired)


def test_plan_is_kept_where_it_misses_nothing() -> None:
    entry = ENTRIES["cradle"]
    kept = repaired_plan(entry.puzzle, entry.puzzle, entry.plan, max_states=0)
    assert kept == entry.plan


@pytest.mark.parametrize("name", ["cradle", "remote-control", "puppet-show", "two-shelves"])
def test_no_plan_is_repaired_without_a_tool(name: str) -> None:
    entry = ENTRIES[name]
    for tool in entry.tools:
        smaller = without_objects(entry.puzzle, (tool,))
        assert repaired_plan(entry.puzzle, smaller, entry.plan, max_states=20_000) is None
