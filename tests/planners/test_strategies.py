"""Strategies of the default planner: their text and their files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld import PushWorldError, Puzzle, solve, solve_many
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
from tests.state_space import shortest_length
from tests.waiting import PATIENCE

TINY = [tiny_puzzle(seed) for seed in (2, 9, 12, 25)]

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


@given(st.lists(strategies, min_size=2, max_size=3), st.sampled_from(TINY), st.integers(1, 5))
def test_strategies_work_together(chosen: list[Strategy], puzzle: Puzzle, threads: int) -> None:
    result = solve(puzzle, strategies=chosen, threads=threads, time_limit=PATIENCE)
    assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")
