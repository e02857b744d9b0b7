"""Strategies of the default planner: their text, their files, and what every one of them promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld import PushWorldError, Puzzle, solve, solve_many
from pushworld.datasets import resolve_puzzle
from pushworld.planners import OpenList, Strategy, default_strategies
from pushworld.planners.strategies import (
    COMMITMENTS,
    EVALUATORS,
    FEATURES,
    GOALS,
    MOST_SHARE,
    OBJECTS,
    OPTIONS,
    find_strategies,
    load_strategies,
)
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import fewest_pushes, shortest_length
from tests.waiting import PATIENCE

EXAMPLE = (
    "mine = novelty, rgd; displaced + moved: cost | commitment any | objects few | goals in-turn "
    "| share 2"
)

open_lists = st.builds(
    OpenList,
    st.lists(st.sampled_from(list(FEATURES)), unique=True).map(tuple),
    st.lists(st.sampled_from(list(EVALUATORS)), unique=True).map(tuple),
)
names = st.just("") | st.text("aZ_9é.-", max_size=5).map("n{}".format)
strategies = st.builds(
    Strategy,
    st.lists(open_lists, min_size=1, max_size=4, unique=True).map(tuple),
    st.sampled_from(COMMITMENTS),
    st.integers(1, MOST_SHARE),
    names,
    st.sampled_from(OBJECTS),
    st.sampled_from(GOALS),
    st.lists(
        st.sampled_from(list(OPTIONS.values())).flatmap(
            lambda option: st.tuples(st.just(option.name), st.integers(option.least, option.most))
        ),
        unique_by=lambda pair: pair[0],
    ).map(tuple),
)


def all_open_lists() -> Iterator[OpenList]:
    """Yields every set of features with every order of evaluators."""
    features: list[tuple[str, ...]] = [
        *chain.from_iterable(combinations(FEATURES, count) for count in range(len(FEATURES) + 1))
    ]
    evaluators: list[tuple[str, ...]] = [
        *chain.from_iterable(
            permutations(EVALUATORS, count) for count in range(len(EVALUATORS) + 1)
        )
    ]
    for pair in product(features, evaluators):
        yield OpenList(*pair)


@given(strategies)
def test_text_and_value_are_the_same(strategy: Strategy) -> None:
    assert Strategy.parse(str(strategy)) == strategy
    assert Strategy.parse(f"  {strategy} ".replace(" ", "  ")) == strategy


def test_the_text_says_it_all() -> None:
    strategy = Strategy(
        (OpenList((), ("novelty", "rgd")), OpenList(("moved", "displaced"), ("cost",))),
        commitment="any",
        share=2,
        name="mine",
        objects="few",
        goals="in-turn",
    )
    assert str(strategy) == EXAMPLE
    assert Strategy.parse(EXAMPLE) == strategy
    assert str(Strategy.parse("fifo")) == "fifo"
    assert Strategy.parse("cost") == Strategy((OpenList((), ("cost",)),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs an open list, such as 'affordances: cost"),
        ("mine = | share 2", "needs an open list"),
        ("affordances: cots", "no evaluator 'cots': allowed are novelty, rgd, cost, or fifo alone"),
        ("moved: fifo, cost", "there is no evaluator 'fifo'"),
        ("cost; ", "there is no evaluator ''"),
        (
            "boxes: cost",
            "no feature 'boxes': allowed are displaced, goal-facts, moved, affordances",
        ),
        ("moved + moved: cost", "has the feature 'moved' twice"),
        ("cost, cost", "has the evaluator 'cost' twice"),
        ("cost; moved: rgd; cost", "the strategy has the open list 'cost' twice"),
        ("goal-facts; cost", "'goal-facts: EVALUATOR', where EVALUATOR is novelty, rgd, cost, or"),
        ("cost | commitment all", "no commitment 'all': allowed are none, single, any"),
        ("cost | objects some", "no kind of objects 'some': allowed are all, few"),
        ("cost | goals later", "no way to goals 'later': allowed are together, in-turn"),
        ("cost | commit any", "after '|' a strategy has at most one 'commitment none/single/any'"),
        ("cost | share 2 | share 3", "'share 3' cannot be read"),
        ("cost | share", "'share' cannot be read"),
        ("cost | share two", "the share 'two' is no whole number up to 1000"),
        ("cost | share 0", "must be a whole number from 1 to 1000, not 0"),
        ("cost | share 1001", "must be a whole number from 1 to 1000, not 1001"),
        ("cost | growth 1", "the option 'growth' must be a whole number from 2 to 100, not 1"),
        ("cost | growth off", "the growth 'off' is no whole number up to 100"),
        ("cost | growth 2 | growth 3", "'growth 3' cannot be read"),
        ("my own = cost", "'my own' before '=' is no name"),
        ("= cost", "'' before '=' is no name"),
    ],
)
def test_a_wrong_text_is_refused_with_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(PushWorldError) as raised:
        Strategy.parse(text)
    assert message in str(raised.value)


def test_options_that_have_their_defaults_are_left_out() -> None:
    given = Strategy.parse("cost | objects few | growth 4 | searches 3 | orders 1")
    assert given.options == (("searches", 3), ("orders", 1))
    with pytest.raises(PushWorldError, match="there is no option 'hurry'"):
        Strategy((OpenList(),), options=(("hurry", 1),))


def test_strategies_that_do_not_apply_are_named_in_the_result() -> None:
    puzzle = Puzzle.parse("A M1 . G1")
    result = solve(
        puzzle, strategies=["cost", "fifo | objects few", "turns = cost | goals in-turn"]
    )
    assert result.status == "solved"
    assert result.unsuitable == ("fifo | objects few", "turns")
    assert solve(puzzle, strategies=["cost | objects few"]).status == "solved"


def test_wrong_values_are_refused_too() -> None:
    with pytest.raises(PushWorldError, match="there is no feature 'boxes'"):
        OpenList(("boxes",), ())
    with pytest.raises(PushWorldError, match="needs an open list"):
        Strategy(())
    with pytest.raises(PushWorldError, match="name of a strategy has letters"):
        Strategy((OpenList(),), name="a b")
    with pytest.raises(PushWorldError, match="share of a strategy must be"):
        Strategy((OpenList(),), share=True)


def test_the_default_strategies_have_names_and_are_what_the_planner_runs() -> None:
    names = [strategy.name for strategy in default_strategies()]
    assert len(set(names)) == len(names) == 9
    for strategy in default_strategies():
        assert find_strategies(strategy.name) == find_strategies(str(strategy)) == (strategy,)
    puzzle = tiny_puzzle(1)
    ours, given_ones = solve(puzzle), solve(puzzle, strategies=default_strategies())
    assert (ours.plan, ours.states) == (given_ones.plan, given_ones.states)


def test_names_and_texts_are_taken_in_place_of_values() -> None:
    puzzle = tiny_puzzle(8)
    (strategy,) = find_strategies("goals-in-turn")
    for names in (["goals-in-turn"], "goals-in-turn", [str(strategy)]):
        found, same = solve(puzzle, strategies=names), solve(puzzle, strategies=[strategy])
        assert (found.plan, found.states) == (same.plan, same.states)
    (many,) = solve_many([puzzle], strategies="goals-in-turn")
    assert (many.plan, many.states) == (same.plan, same.states)
    with pytest.raises(PushWorldError, match="there is no strategy 'goals-in-tern'"):
        solve(puzzle, strategies=["goals-in-tern"])


def test_files_hold_several(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[strategies]\nwide = "fifo"\n"deep.1" = "moved: cost | share 3"\n')
    assert find_strategies(str(file)) == (
        Strategy.parse("wide = fifo"),
        Strategy.parse("deep.1 = moved: cost | share 3"),
    )


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("strategies = [", " is not valid TOML: "),
        pytest.param(f"a = {'[' * 20_000}", "nested too deeply", id="nested deeply"),
        ("", "has a table [strategies] with lines such as my-strategy = "),
        ("[strategies]", "has a table [strategies]"),
        ('[strategies]\na = "cost"\n[more]', "and nothing else"),
        ("[strategies]\na = 3", "a: the strategy must be a text, not 3"),
        ('[strategies]\nwide = "coast"', "wide: there is no evaluator 'coast'"),
        ('[strategies]\n"a b" = "cost"', "the name of a strategy has letters"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(toml)
    with pytest.raises(PushWorldError) as raised:
        load_strategies(file)
    assert str(raised.value).startswith(str(file))
    assert message in str(raised.value)


def test_what_is_no_strategy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        PushWorldError, match=r"no strategy 'affordance': give a name \(affordances"
    ):
        find_strategies("affordance")
    with pytest.raises(PushWorldError, match=r"missing.toml cannot be read: No such"):
        find_strategies(str(tmp_path / "missing.toml"))


def test_only_the_default_planner_takes_strategies() -> None:
    with pytest.raises(PushWorldError, match="'bfs' has no strategies: only 'default' takes them"):
        solve(tiny_puzzle(1), "bfs", strategies=default_strategies())
    with pytest.raises(PushWorldError, match="'bfs' has no strategies"):
        solve_many([tiny_puzzle(1)], "bfs", strategies=default_strategies())
    with pytest.raises(PushWorldError, match="at least one strategy"):
        solve(tiny_puzzle(1), strategies=[])


TINY = [tiny_puzzle(seed) for seed in (2, 9, 12, 25)]


@pytest.mark.parametrize("commitment", COMMITMENTS)
def test_every_single_open_list_agrees_with_exhaustive_search(commitment: str) -> None:
    expected = [shortest_length(puzzle) for puzzle in TINY]
    assert {length is None for length in expected} == {True, False}
    for open_list in all_open_lists():
        strategy = Strategy.parse(f"{open_list} | commitment {commitment}")
        for puzzle, shortest in zip(TINY, expected, strict=True):
            result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
            assert (result.status == "unsolvable") == (shortest is None), str(strategy)
            assert (result.status == "solved") == (shortest is not None), str(strategy)


@pytest.mark.parametrize("commitment", COMMITMENTS)
def test_few_objects_agree_with_exhaustive_search(commitment: str) -> None:
    """A plan that moves few objects is a plan, and a proof is about the puzzle with all of them."""
    strategy = Strategy.parse(
        f"novelty, rgd; affordances: cost | commitment {commitment} | objects few"
    )
    left_out = 0
    for seed in range(100, 160):
        puzzle = tiny_puzzle(seed, max_movables=4)
        left_out += any(thing.goal is None for thing in puzzle.movables)
        result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
        assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")
    assert left_out > 20


def test_few_objects_of_many() -> None:
    """Clutter costs nothing: the search moves the goal object and what it cannot do without."""
    rows = [["."] * 14 for _ in range(9)]
    for index, row in enumerate(range(0, 9, 2)):
        for column in (2, 5, 8, 11):
            rows[row][column] = f"M{20 + 4 * index + column // 3}"
    rows[4][0], rows[4][2], rows[4][13] = "A", "M1", "G1"
    puzzle = Puzzle.parse("\n".join(" ".join(row) for row in rows))
    all_objects, few = Strategy.parse("fifo"), Strategy.parse("fifo | objects few")
    assert solve(puzzle, strategies=[few], max_states=20_000).status == "solved"
    assert solve(puzzle, strategies=[all_objects], max_states=20_000).status == "state-limit"


def test_what_is_in_the_way_is_cleared_in_stages() -> None:
    """A bar finds its corridor plugged three times. The agent is too wide for the holes below the plugs,
    but carries a key that reaches through them: three errands, of which no heuristic knows."""
    rows = """
        .  .  .  .  .  .  .  .  .  .  .  W  .  W  W  .  W  W  .  W  W
        .  .  M1 M1 M1 M1 M1 M1 M1 M1 M1 G1 M2+G1 G1 G1 M3+G1 G1 G1 M4+G1 G1 .
        .  .  .  .  .  .  .  .  .  .  .  W  .  W  W  .  W  W  .  W  W
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        A  A  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        A  A  .  .  M9 .  .  .  .  M6 .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  M5 .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  .  .  .  M7 .  .  .  .  .  .  .  .  .
        .  .  .  M9 M9 M9 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    """
    puzzle = Puzzle.parse("\n".join(line.strip() for line in rows.strip().splitlines()))
    open_lists = "novelty, rgd; affordances: cost | commitment any"
    all_objects, few = Strategy.parse(open_lists), Strategy.parse(f"{open_lists} | objects few")
    result = solve(puzzle, strategies=[few], max_states=50_000)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert solve(puzzle, strategies=[all_objects], max_states=50_000).status == "state-limit"


@pytest.mark.parametrize("objects", OBJECTS)
def test_goals_in_turn_agree_with_exhaustive_search(objects: str) -> None:
    """What single stages prove is not about the puzzle."""
    strategy = Strategy.parse(f"novelty, rgd | objects {objects} | goals in-turn")
    puzzles = [tiny_puzzle(seed, max_movables=4) for seed in range(200, 280)]
    assert sum(len(puzzle.goal) > 1 for puzzle in puzzles) > 20
    for puzzle in puzzles:
        result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
        assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")


SHELF = """
. .  .  .  .  .  .  .  .  .  .  .
. .  .  M1 .  .  M3 .  .  .  .  .
A .  .  .  .  .  .  .  W  W  W  W
. .  .  M2 .  .  M4 .  .  G1 G2 G3
. .  .  .  .  .  .  .  W  W  W  W
. .  .  .  .  .  .  .  .  .  .  .
"""
"""A corridor is filled from its inner end, though the puzzle names that object last."""


SHAFT = """
G1 W . . .  .  .  .  . .
.  . . . .  .  .  .  . .
M2 W . . .  M1 .  .  . .
M2 W . . .  .  .  .  . .
.  . . . .  .  .  M5 . .
M3 W . . .  .  .  .  . .
M3 . . . M4 .  .  .  . .
.  . . . .  .  M6 .  A A
.  . . . .  .  .  .  A A
"""
"""The agent fits into no hole of the shaft. The goal object, two bars and a spacer between them must
stand in it before one push from below moves all of them, and two need a tool to get there."""


@pytest.mark.parametrize(
    ("rows", "states"), [(SHELF, 500), (SHAFT, 20_000)], ids=["order", "layout"]
)
def test_goals_in_turn_solve_what_goals_together_do_not(rows: str, states: int) -> None:
    puzzle = Puzzle.parse(rows.strip())
    together = Strategy.parse("cost | commitment any")
    in_turn = Strategy.parse("cost | commitment any | goals in-turn")
    result = solve(puzzle, strategies=[in_turn], max_states=states)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert solve(puzzle, strategies=[together], max_states=states).status == "state-limit"


def test_one_goal_is_looked_for_in_turn_only_where_layouts_are_needed() -> None:
    in_turn = Strategy.parse("mine = cost | goals in-turn")
    without = Strategy.parse("mine = cost | goals in-turn | layouts 0")
    shaft, open_room = Puzzle.parse(SHAFT.strip()), Puzzle.parse("A . M1 . G1")
    assert solve(shaft, strategies=[in_turn], max_states=100).unsuitable == ()
    assert solve(shaft, strategies=[without], max_states=100).unsuitable == ("mine",)
    assert solve(open_room, strategies=[in_turn]).unsuitable == ("mine",)


@given(st.lists(strategies, min_size=2, max_size=3), st.sampled_from(TINY), st.integers(1, 5))
def test_strategies_work_together(chosen: list[Strategy], puzzle: Puzzle, threads: int) -> None:
    result = solve(puzzle, strategies=chosen, threads=threads, time_limit=PATIENCE)
    assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")


def test_first_in_first_out_finds_the_fewest_pushes() -> None:
    breadth_first = Strategy.parse("fifo")
    lengths = set()
    for seed in range(31, 81):
        puzzle = tiny_puzzle(seed)
        result = solve(puzzle, strategies=[breadth_first], time_limit=PATIENCE)
        assert result.pushes == fewest_pushes(puzzle), puzzle.to_pwp()
        lengths.add(result.pushes)
    assert len(lengths) > 4


SMALL = {"turn": 50, "first-states": 20, "searches": 2, "least-states": 10, "begin-pushes": 20} | {
    "stage-pushes": 50,
    "stage-turn": 10,
    "layout-turn": 50,
}
"""Limits so small that the searches enter later rounds within some thousand states."""


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_changes_what_the_planner_does(name: str) -> None:
    def counts(puzzle: Puzzle, **more: int) -> tuple[int, int]:
        options = tuple((SMALL | more).items())
        chosen = [replace(each, options=options) for each in default_strategies()]
        found = solve(puzzle, strategies=chosen, seed=1, max_states=3000, time_limit=PATIENCE)
        return found.expanded, found.generated

    assert any(
        counts(puzzle, **{name: value}) != counts(puzzle)
        for puzzle in map(
            resolve_puzzle, ("tower-block", "pan-pipes", "deep-water", "pneumatic-post")
        )
        for value in (OPTIONS[name].least, OPTIONS[name].most)
    )


def test_shares_divide_the_states_of_a_thread() -> None:
    """A strategy with a large share runs for as long as the first turn of one with a small share."""
    rows = [["."] * 12 for _ in range(12)]
    rows[0][0], rows[3][3], rows[8][8], rows[5][9], rows[1][10] = "A", "M1", "M2", "M3", "G1"
    puzzle = Puzzle.parse("\n".join(" ".join(row) for row in rows))
    slow, fast = Strategy.parse("fifo | share 1000"), Strategy.parse("novelty, rgd")
    patient = solve(puzzle, strategies=[slow, fast], max_states=3000)
    quick = solve(puzzle, strategies=[fast, slow], max_states=3000)
    assert (patient.status, quick.status) == ("state-limit", "solved")
