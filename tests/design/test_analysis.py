"""The results of an analysis, recomputed by exhaustive search."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from pushworld.datasets import bundled_puzzles, classic_puzzles
from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import (
    BUDGETS,
    Budget,
    OutOfTimeError,
    Solution,
    plan_within,
    seconds_left,
    share_of_time,
    time_limit,
)
from pushworld.design.dead_ends import find_dead_ends, random_walk
from pushworld.design.explanation import explain
from pushworld.design.goal_orders import find_goal_orders
from pushworld.design.plan_features import chain_length, plan_features
from pushworld.design.roles import Touched
from pushworld.design.state_space import explore
from pushworld.design.variants import frozen
from pushworld.engine import Engine
from pushworld.planners import solve
from pushworld.puzzle import PushWorldError, Puzzle
from tests.design.oracle import Oracle, asking_only_for, without
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE

BUNDLED = {each.name: each for each in bundled_puzzles()}
SMALL = ("first-push", "crossroads", "keyhole", "hermit-crab", "through-the-fence", "portcullis")
SEEDS = (1, 4, 5, 7, 10, 13, 16, 22, 28, 35)
"""Tiny puzzles that can be solved, with one or two goals and up to three movables."""

PUZZLES = {name: BUNDLED[name].puzzle for name in SMALL} | {
    f"tiny-{seed}": tiny_puzzle(seed) for seed in SEEDS
}


@cache
def oracle(puzzle: Puzzle) -> Oracle:
    return Oracle(puzzle)


@cache
def analysis_of(name: str) -> Analysis:
    return analyze(PUZZLES[name] if name in PUZZLES else BUNDLED[name].puzzle)


def is_stuck(puzzle: Puzzle, name: str) -> bool:
    """Returns whether there is no plan with a wall instead of an object."""
    return oracle(frozen(puzzle, {name})).shortest is None


each_puzzle = pytest.mark.parametrize("name", PUZZLES)


@each_puzzle
def test_plan_is_a_shortest_one_and_states_are_counted(name: str) -> None:
    found = analysis_of(name)
    known = oracle(PUZZLES[name])
    assert found.measures.solution is not None
    assert found.measures.solution.optimal
    assert found.measures.solution.length == known.shortest
    assert found.reachable_states == len(known.next)


@each_puzzle
def test_roles_follow_from_shortest_plans_without_objects(name: str) -> None:
    puzzle = PUZZLES[name]
    roles = analysis_of(name).roles
    assert roles is not None
    with_goals = [thing.name for thing in puzzle.movables if thing.goal is not None]
    assert [each.objects for each in roles.single] == [(thing.name,) for thing in puzzle.movables]
    idle: list[str] = []
    for removal in (*roles.single, *roles.pairs):
        smaller = without(puzzle, *removal.objects)
        if not smaller.goal:
            assert removal.role == "target"
            continue
        shortest = oracle(smaller).shortest
        whole = oracle(puzzle).shortest
        assert whole is not None
        if shortest is None:
            expected = "tool"
        elif set(removal.objects) & set(with_goals):
            expected = "target"
        elif shortest < whole:
            expected = "obstacle"
        else:
            idle += removal.objects if len(removal.objects) == 1 else ()
            stuck = len(removal.objects) == 1 and is_stuck(puzzle, removal.objects[0])
            expected = "obstacle" if stuck else "distractor"
        assert removal.role == expected
        assert removal.length == shortest
    assert [each.objects for each in roles.pairs] == list(combinations(idle, 2))


def test_what_every_plan_must_move_is_an_obstacle() -> None:
    puzzle = Puzzle.parse("A M2 M1 . G1\n. W W W W")
    assert (oracle(without(puzzle, "M2")).shortest, oracle(puzzle).shortest) == (3, 2)
    assert is_stuck(puzzle, "M2")
    found = analyze(puzzle, BUDGETS["quick"])
    assert found.roles is not None
    assert found.roles.of("obstacle") == ("M2",)
    assert "M2 obstacle (every plan moves it)" in dict(explain(found))["objects"]


def test_distractors_that_the_plan_moves_are_named() -> None:
    puzzle = Puzzle.parse("A . . . .\n. M2 . M1 G1\n. . . . .")
    found = analyze(puzzle, BUDGETS["quick"])
    assert found.roles is not None
    assert found.roles.touched == (Touched("M2", 4),)
    assert found.roles.of("distractor") == ("M2",)
    assert Oracle(frozen(puzzle, {"M2"})).shortest == 4
    told = "moved by this plan, not needed: another plan of 4 actions avoids it"
    assert f"M2 distractor ({told}" in dict(explain(found))["objects"]


@each_puzzle
def test_a_distractor_is_explained_if_the_plan_moves_it(name: str) -> None:
    found = analysis_of(name)
    assert found.roles is not None
    assert found.measures.plan is not None
    moved = set(found.measures.plan.moved) & set(found.roles.of("distractor"))
    assert {each.object for each in found.roles.touched} == moved


@each_puzzle
def test_goals_alone_and_in_every_order(name: str) -> None:
    puzzle = PUZZLES[name]
    facts = analysis_of(name).goals
    assert facts is not None
    assert facts.exact
    for goal, length in facts.alone.items():
        assert length == oracle(asking_only_for(puzzle, goal)).shortest
    orders = list(permutations(facts.alone))
    assert facts.tried_orders == len(orders)
    assert list(facts.working_orders) == [
        order for order in orders if oracle(puzzle).order_works(order)
    ]


@each_puzzle
def test_dead_ends_are_dead(name: str) -> None:
    puzzle = PUZZLES[name]
    known = oracle(puzzle)
    alive = known.alive()
    dead_ends = analysis_of(name).dead_ends
    assert dead_ends is not None
    assert dead_ends.dead + dead_ends.alive == dead_ends.states
    assert dead_ends.reachable_share == pytest.approx(1 - len(alive) / len(known.next))
    # Proofs by search must not differ from those by the state space.
    assert find_dead_ends(puzzle, None, BUDGETS["normal"]).dead == dead_ends.dead
    random = Random(3)
    assert all(random_walk(Engine(puzzle), random) in known.next for _ in range(5))


@pytest.mark.parametrize("name", [name for name in PUZZLES if len(PUZZLES[name].goal) > 1])
def test_orders_that_succeed_when_tried_work(name: str) -> None:
    puzzle = PUZZLES[name]
    tried = find_goal_orders(puzzle, None, BUDGETS["normal"])
    assert not tried.exact
    assert all(oracle(puzzle).order_works(order) for order in tried.working_orders)


def test_oracle_covers_every_verdict() -> None:
    found = [analysis_of(name) for name in PUZZLES]
    roles = {each.role for one in found if one.roles for each in one.roles.single}
    assert {"tool", "obstacle", "distractor", "target"} <= roles
    assert any(one.goals is not None and one.goals.order_matters for one in found)


@pytest.mark.parametrize("name", BUNDLED)
def test_tags_contain_what_a_bundled_puzzle_teaches(name: str) -> None:
    if name == "first-push":
        assert "tool-use" not in analysis_of(name).skills
    else:
        assert BUNDLED[name].tags[0] in analysis_of(name).skills


def test_analysis_is_the_same_in_every_run() -> None:
    puzzle = BUNDLED["lid-last"].puzzle
    assert analyze(puzzle, BUDGETS["quick"]) == analyze(puzzle, BUDGETS["quick"])


def test_unsolvable_puzzles_have_no_roles_and_skills() -> None:
    corner = Puzzle.parse("M1 . .\n. A .\n. . G1")
    found = analyze(corner)
    assert found.measures.status == "unsolvable"
    assert found.roles is None
    assert found.skills == ()


def test_a_puzzle_that_is_solved_at_the_start_has_a_plan_of_nothing() -> None:
    found = analyze(Puzzle.parse("A M1+G1 .\n. . M2"), BUDGETS["quick"])
    assert found.measures.solution == Solution("", optimal=True)
    assert found.roles is not None
    assert found.roles.of("target") == ("M1",)
    assert found.skills == ()
    assert found.difficulty is not None
    assert found.difficulty.level == 1


def test_puzzles_without_goals_are_refused() -> None:
    with pytest.raises(PushWorldError, match="no goals"):
        analyze(Puzzle.parse("A . M1"))


def test_two_tools_that_stand_in_for_each_other_are_found_as_a_pair() -> None:
    puzzle = Puzzle.parse("A .  M2 M1+AW G1\n. .  .  W     W\n. .  M3 W     W\n. .  .  W     W")
    found = analyze(puzzle, BUDGETS["quick"])
    assert found.roles is not None
    assert found.roles.of("tool") == ()
    assert found.roles.pairs_of("tool") == (("M2", "M3"),)
    assert "tool-use" in found.skills


def test_one_of_two_tools_may_be_in_the_way() -> None:
    puzzle = Puzzle.parse(". M3 M2 M1+AW G1\n. .  A  W     W\n. .  .  W     W")
    lengths = [oracle(without(puzzle, *names)).shortest for names in ((), ("M3",), ("M2", "M3"))]
    assert lengths == [4, 3, None]
    assert is_stuck(puzzle, "M2")
    found = analyze(puzzle, BUDGETS["quick"])
    assert found.roles is not None
    assert found.roles.of("obstacle") == ("M2", "M3")
    assert found.roles.pairs_of("tool") == (("M2", "M3"),)


def test_help_is_proved_to_be_needed_where_single_removals_find_out_nothing() -> None:
    puzzle = Puzzle.parse(
        "A . .  .  .  . . W     W  W  W  W\n"
        ". M2 M2 M2 M2 . . M1+AW AW AW AW G1\n"
        ". . .  .  .  . . W     W  W  W  W\n"
        ". . M3 .  M4 . . W     W  W  W  W\n"
        ". . .  .  .  . . W     W  W  W  W\n"
        ". . .  M5 .  . . W     W  W  W  W\n"
        ". . .  .  .  . . W     W  W  W  W"
    )
    small_tables = Budget(300_000, 2_000, 1_000, 0, 0, 0, 1)
    found = analyze(puzzle, small_tables, planners=("default",))
    assert found.roles is not None
    assert found.roles.of("unknown") == ("M2",)
    tools = [each.objects for each in found.roles.groups if each.role == "tool"]
    assert tools == [("M2", "M3", "M4", "M5")]
    assert Oracle(without(puzzle, "M2", "M3", "M4", "M5")).shortest is None
    assert "tool-use" in found.skills


def test_pushers_are_what_pushes_others() -> None:
    row = Puzzle.parse("A M1 M2 . .\n. . M3 . .")
    assert plan_features(row, "RDLURR").pushers == ("M1",)
    beside = Puzzle.parse("A M1 .\nA M2 .")
    assert plan_features(beside, "R").pushers == ()


def test_chains_count_objects_in_a_row_and_not_side_by_side() -> None:
    row = Puzzle.parse("A M1 M2 M3 .")
    side_by_side = Puzzle.parse("A M1 .\nA M2 .")
    assert chain_length(row, row.initial_state, 1) == 3
    assert chain_length(side_by_side, side_by_side.initial_state, 1) == 1
    assert chain_length(row, row.initial_state, 0) == 0


def test_facts_of_a_plan() -> None:
    puzzle = BUNDLED["crossroads"].puzzle
    facts = plan_features(puzzle, BUNDLED["crossroads"].plan)
    assert (facts.length, facts.turns, facts.longest_chain, facts.detour) == (7, 1, 1, 0)
    assert facts.moved == ("M1",)
    assert facts.carried == frozenset()


def test_state_spaces_beyond_the_limit_are_not_explored() -> None:
    puzzle = BUNDLED["crossroads"].puzzle
    size = len(oracle(puzzle).next)
    assert explore(puzzle, size - 1) is None
    assert len(explore(puzzle, size) or ()) == size


def test_goals_that_must_be_reached_together_differ_from_those_in_order() -> None:
    duet, lid = analysis_of("duet").goals, analysis_of("lid-last").goals
    assert duet is not None
    assert duet.simultaneous
    assert lid is not None
    assert lid.order_matters
    assert lid.working_orders == (("M1", "M2"),)


def test_agent_walls_matter_where_a_search_from_the_start_finds_no_plan() -> None:
    ponds = next(each for each in classic_puzzles() if each.name == "two-ponds")
    free = replace(ponds.puzzle, agent_walls=frozenset())
    budget = Budget(1_000, 100, 20_000, 0, 0, 0, 1)
    assert plan_within(free, budget.experiment_states) is None
    found = analyze(ponds.puzzle, budget, planners=("default",), known_plan=ponds.plan)
    length, shortest = found.length_without_agent_walls, solve(free, "bfs").plan
    assert length is not None
    assert shortest is not None
    assert len(shortest) <= length < len(ponds.plan)
    assert "agent-walls" in found.skills


def test_a_time_limit_leaves_the_rest_undecided() -> None:
    puzzle = next(each.puzzle for each in bundled_puzzles() if each.puzzle.agent_walls)
    large = next(each.puzzle for each in classic_puzzles() if each.name == "vending-machine")
    none = analyze(large, seconds=1e-9)  # small ones are solved before the first look at the clock
    assert "plan" in none.undecided
    assert none.difficulty is None
    assert none.skills == ()
    lines = dict(explain(none))
    assert lines["skills"] == lines["difficulty"] == "not decided in time"
    assert "the time limit came first" in lines["undecided"]
    whole = analyze(puzzle, BUDGETS["quick"], seconds=PATIENCE)
    assert whole == analyze(puzzle, BUDGETS["quick"])
    assert whole.undecided == ()


def test_ctrl_c_shows_what_is_known() -> None:
    def interrupt(step: str) -> None:
        if step == "walking at random":
            raise KeyboardInterrupt

    puzzle = BUNDLED["lid-last"].puzzle
    found = analyze(puzzle, BUDGETS["quick"], on_step=interrupt)
    whole = analyze(puzzle, BUDGETS["quick"])
    assert found.interrupted
    assert found.undecided == ("dead ends", "skills", "difficulty")
    assert (found.roles, found.goals) == (whole.roles, whole.goals)
    lines = dict(explain(found))
    assert lines["dead ends"] == "not decided in time"
    assert lines["undecided"] == "dead ends, skills, difficulty: you ended it"


def test_a_deadline_within_an_experiment_keeps_its_first_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = BUNDLED["lid-last"].puzzle
    answers = iter([3])

    def next_answer(*_: object) -> int:
        for answer in answers:
            return answer
        raise OutOfTimeError

    monkeypatch.setattr("pushworld.design.goal_orders.length_within", next_answer)
    monkeypatch.setattr("pushworld.design.dead_ends._is_dead", next_answer)
    found = analyze(puzzle, BUDGETS["quick"])
    assert found.goals is not None
    assert found.goals.alone == {"M1": 3}
    assert not found.goals.simultaneous
    assert found.dead_ends is not None
    assert found.dead_ends.dead + found.dead_ends.alive < found.dead_ends.states
    assert found.undecided == ("goals", "dead ends", "skills")
    lines = dict(explain(found))
    assert lines["goals"] == "M1 alone in 3 actions; the rest not decided in time"
    assert lines["dead ends"].endswith("not decided in time")


def test_each_question_leaves_time_for_the_next() -> None:
    with time_limit(PATIENCE):
        before = seconds_left()
        with share_of_time(0.5):
            assert seconds_left() <= before / 2
            with time_limit(10 * PATIENCE):
                assert seconds_left() <= before / 2
        assert seconds_left() > before / 2
    assert seconds_left() == math.inf
