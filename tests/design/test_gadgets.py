"""Gadgets: each does what it claims, by exhaustive search, and compositions follow from the seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pushworld.design.candidates import Wish
from pushworld.design.dead_ends import random_walk
from pushworld.design.gadgets.chains import Chain
from pushworld.design.gadgets.composition import begin, compose, extend, shut_in
from pushworld.design.gadgets.evaluation import Look
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.growing import grow
from pushworld.design.gadgets.links import (
    Composition,
    Link,
    gates_that_matter,
    goals_behind,
    held_by,
    needed_for,
    proves_links,
    works_alone,
)
from pushworld.design.state_space import explore
from pushworld.design.variants import frozen, goal_names
from pushworld.engine import Engine
from pushworld.planners import solve
from pushworld.puzzle import Puzzle
from tests.design.oracle import without

MAX_STATES = 4_000_000


def is_solvable(puzzle: Puzzle) -> bool:
    """Returns the answer of a breadth-first search over single actions."""
    result = solve(puzzle, "bfs", max_states=MAX_STATES)
    assert result.status in ("solved", "unsolvable")
    return result.status == "solved"


def proved(width: int, height: int, gadgets: int, kinds: tuple[str, ...]) -> Iterator[Composition]:
    """Yields those of 500 compositions that have a plan and whose links are proved."""
    random = Random("pushworld gadgets 7")
    for _ in range(500):
        made = compose(random, width, height, gadgets, kinds)
        if made and solve(made.puzzle, max_states=20_000).plan and proves_links(made, 20_000):
            yield made


def first(kinds: tuple[str, ...], gadgets: int, agent: int, width: int, height: int) -> Composition:
    """Returns the first proved puzzle of some gadgets whose agent has this number of cells."""
    found = proved(width, height, gadgets, kinds)
    return next(each for each in found if len(each.puzzle.agent.shape) == agent)


@pytest.mark.parametrize(
    ("kind", "agent"),
    [(kind, 1) for kind in VAULTS] + [(kind, 4) for kind in ("hook", "drawer")],
)
def test_pieces_leave_their_gadgets_only_with_the_tools(kind: str, agent: int) -> None:
    side = 10 if agent > 1 else 9 if kind == "airlock" else 8
    made = first(("place", kind), 2, agent, side, side)
    link = made.links[1]
    assert link.gadget == kind
    assert is_solvable(made.puzzle)
    for tool in link.needs:
        assert not is_solvable(without(made.puzzle, tool))
    assert bool(link.needs) == (kind not in ("gate", "airlock"))


@pytest.mark.parametrize("kind", ["plunger", "assembly"])
def test_goals_in_shafts_need_every_rod(kind: str) -> None:
    made = first((kind,), 1, 1, 6, 6)
    (link,) = made.links
    assert len(link.needs) == (2 if kind == "assembly" else 1)
    assert is_solvable(made.puzzle)
    for rod in link.needs:
        assert not is_solvable(without(made.puzzle, rod))


def test_goals_in_a_dead_end_have_an_order() -> None:
    made = first(("order",), 1, 1, 6, 6)
    space = explore(made.puzzle, MAX_STATES)
    assert space is not None
    inner, outer = 0, 1
    outer_first = space.at_goal[:, outer] & ~space.at_goal[:, inner]
    # While the outer piece stays, the inner one never arrives.
    assert not (space.backwards(space.holding((inner, outer)), space.at_goal[:, outer]))[
        outer_first
    ].any()


def test_pieces_that_fit_together_arrive_together() -> None:
    made = first(("fit",), 1, 1, 7, 6)
    space = explore(made.puzzle, MAX_STATES)
    assert space is not None
    both = space.holding((0, 1))
    assert both.any()
    for only in (0, 1):
        one = space.at_goal[:, only] & ~space.at_goal[:, 1 - only]
        # While one piece stays in the recess, the other one never arrives.
        assert not space.backwards(both, space.at_goal[:, only])[one].any()


@pytest.mark.parametrize("kind", ["lock", "gate", "airlock"])
def test_gates_must_move(kind: str) -> None:
    made = first(("place", kind), 2, 1, 9, 9)
    link = made.links[1]
    (gate,) = link.moves
    assert gates_that_matter(made, 20_000) == {gate}
    assert is_solvable(without(made.puzzle, gate, *link.needs))
    assert not is_solvable(frozen(made.puzzle, {gate}))


def test_keys_are_locked_away_behind_gates() -> None:
    """The key of a lock has a tooth; a gate holds it by its whole side."""
    made = next(
        each
        for each in proved(9, 9, 3, ("place", "lock", "gate"))
        if [link.gadget for link in each.links[1:]] == ["lock", "gate"]
        and each.links[2].frees == each.links[1].needs
    )
    lock, gate = made.links[1:]
    assert is_solvable(made.puzzle)
    assert not is_solvable(without(made.puzzle, *lock.needs))
    assert not is_solvable(frozen(made.puzzle, gate.moves))
    assert gates_that_matter(made, 20_000, [gate]) == set(gate.moves)


def test_gadget_that_works_alone_brings_its_piece_to_the_place() -> None:
    random = Random("alone")
    answers: list[bool] = []
    for _ in range(60):
        chain = begin(random, 9, 9, ("place",))
        if chain is None or chain.furnished() is None:
            continue
        places = chain.starts
        if not chain.add_vault("M1", random.choice(list(VAULTS))):
            continue
        composition = chain.furnished()
        if composition is None:
            continue
        (piece,) = (each for each in composition.puzzle.objects if each.goal is not None)
        asked = replace(piece, goal=places["M1"])
        others = (each for each in composition.puzzle.objects if each != piece)
        puzzle = replace(composition.puzzle, objects=(*others, asked))
        answers.append(works_alone(composition, places))
        assert answers[-1] == is_solvable(puzzle)
    assert set(answers) == {True, False}


def test_one_door_of_an_airlock_is_always_shut() -> None:
    made = first(("place", "airlock"), 2, 1, 9, 9)
    puzzle = made.puzzle
    (bar,) = (each for each in puzzle.movables if each.name in made.links[1].moves)
    number = puzzle.objects.index(bar)
    space = explore(puzzle, MAX_STATES)
    assert space is not None
    places = {tuple(np.frombuffer(key, np.int16).reshape(-1, 2)[number]) for key in space.numbers}
    # The bar has two places, a step apart, and is as long as the way between its doors.
    assert len(places) == 2
    assert sum(abs(a - b) for a, b in zip(*places, strict=True)) == 1


def test_a_tool_may_serve_twice() -> None:
    random = Random("twins")
    kinds = ("place", "hook", "remote-hand")
    chain = next(
        chain
        for chain in (_grown(random, kinds) for _ in range(200))
        if chain is not None and _shared(chain.links)
    )
    composition = chain.furnished()
    assert composition is not None
    (tool,) = _shared(composition.links)
    for link in composition.links:
        if tool in link.needs:
            assert tool not in needed_for(composition.links, tool)
            assert goals_behind(composition.links, link) <= set(goal_names(composition.puzzle))


def _grown(random: Random, kinds: tuple[str, ...]) -> Chain | None:
    """Returns a chain of up to four gadgets."""
    chain = begin(random, 12, 12, kinds)
    if chain is None or not all(extend(chain, kinds) for _ in range(3)):
        return None
    return chain


def _shared(links: Sequence[Link]) -> set[str]:
    """Returns the objects that several links need."""
    needs = [name for link in links for name in link.needs]
    return {name for name in needs if needs.count(name) > 1}


def test_compositions_follow_from_the_seed() -> None:
    def many() -> list[Composition | None]:
        random = Random("the same")
        return [compose(random, 12, 9, 2) for _ in range(100)]

    made = many()
    assert made == many()
    some = [each for each in made if each is not None]
    assert len(some) > 10
    assert all(len(each.links) == 2 for each in some)
    assert {link.gadget for each in some for link in each.links} == {*SINKS, *VAULTS}
    assert all(each.puzzle.width <= 14 and each.puzzle.height <= 11 for each in some)


def test_links_say_what_depends_on_what() -> None:
    goal = Link("plunger", ("M1",), ("M2",))
    rod = Link("hook", ("M2",), ("M3",))
    key = Link("lock", ("M3",), ("M4",), ("M5",))
    piece = Link("drawer", ("M1",), ("M6",))
    assert needed_for((goal, piece, rod, key), "M2") == {"M3", "M4"}
    other = Link("place", ("M7",), ())
    assert goals_behind((goal, rod, key, other), key) == {"M1"}
    assert held_by((goal, piece, rod, key)) == {"M1", "M6", "M2", "M3", "M5"}


def test_an_agent_that_is_shut_in_has_one_right_way_out() -> None:
    random = Random(1)
    chains = (begin(random, 12, 11, ("place",), 0, cell=True) for _ in range(20))
    made = (each.furnished() for each in chains if each is not None)
    cells = (shut_in(each) for each in made if each is not None)
    begun = next(each for each in cells if each is not None and is_solvable(each.puzzle))
    (name,) = begun.links[-1].frees
    assert goal_names(begun.puzzle)[-1:] == (name,)
    assert (begun.puzzle.width, begun.puzzle.height) == (14, 13)
    space = explore(begun.puzzle, MAX_STATES)
    assert space is not None
    number = [thing.name for thing in begun.puzzle.objects].index(name)
    assert len(np.unique(space.states[:, number], axis=0)) == 10  # of the cell and the shaft
    engine = Engine(begun.puzzle)
    ends = {random_walk(engine, random) for _ in range(40)}
    dead = [end for end in ends if not space.solvable[space.number_of(end)]]
    assert len(dead) >= len(ends) / 2


def test_a_plan_may_end_with_the_one_from_before_the_last_gadget() -> None:
    random = Random(3)
    resumed = 0
    for _ in range(60):
        chain = begin(random, 12, 12, ("place", *VAULTS))
        made = None if chain is None else chain.furnished()
        before = None if made is None else Look.at(made, 20_000)
        if chain is None or before is None or not extend(chain, tuple(VAULTS)):
            continue
        more = chain.furnished()
        if more is None or Look.at(more, 1) is not None:
            continue
        look = Look.at(more, 1, before)
        if look is not None:
            resumed += 1
            assert more.puzzle.validate(look.plan)
            assert look.plan.endswith(before.plan)
    assert resumed > 5


@pytest.mark.parametrize("skill", ["tool-use", "multiple-goals", "movable-obstacle"])
def test_grown_puzzles_are_as_wished_and_waste_no_object(skill: str) -> None:
    found, _ = grow(Wish(1, (skill,)), 8, 8, Random(skill), evaluations=200, polish=2)
    assert found is not None
    assert found.analysis is not None
    assert found.analysis.difficulty is not None
    assert found.analysis.difficulty.level == 1
    assert skill in found.skills
    assert found.puzzle.validate(found.plan)
    assert found.analysis.roles is not None
    assert not found.analysis.roles.of("unknown")
    needed = {name for link in found.links for name in link.needs}
    assert needed <= set(found.analysis.roles.of("tool"))
