"""Simulated participants: how they decide, and a whole study."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import LETTERS, Puzzle
from pushworld.traces.participants import Mind
from tests.cli.running import run
from tests.web.studies.taking_part import AGE, HARD, REMARKS, rows, study_file, study_server

CROSSROADS = next(each.puzzle for each in bundled_puzzles() if each.name == "crossroads")
DEAD_END = tuple(CROSSROADS.replay("RRR"))[-1]
NOWHERE = "http://127.0.0.1:9/"
STUDY = """
[rules]
hints = true
time_limit = 120
give_up_after = 0
[[blocks]]
name = "main"
text = "Puzzles"
puzzles = ["first-push", "crossroads"]
order = "random"
"""
QUESTIONS = HARD + AGE + REMARKS


@pytest.mark.parametrize(("skill", "solves"), [(0.9, 9), (0.0, 0)])
def test_the_skilled_solve_and_others_give_up(skill: float, solves: int) -> None:
    solved = 0
    for seed in range(10):
        mind = Mind(skill, CROSSROADS, Random(seed))
        path = [CROSSROADS.initial_state]
        while not CROSSROADS.is_solved(path[-1]):
            command = mind.decide(path[-1], {"undo", "reset", "give-up"})
            if command in LETTERS:
                path.append(CROSSROADS.step(path[-1], LETTERS.index(command)))
            elif command == "undo":
                path = path[:-1] or path
            elif command == "reset":
                path = path[:1]
            else:
                assert command == "give-up"
                break
        solved += CROSSROADS.is_solved(path[-1])
    assert solved >= solves
    assert solved < 10 or skill


def test_in_a_dead_end_the_skilled_go_back_as_far_as_they_may() -> None:
    mind = Mind(0.8, CROSSROADS, Random(1))
    chosen = [mind.decide(DEAD_END, {"undo"}) for _ in range(30)]
    assert chosen.count("undo") > 15
    assert mind.decide(DEAD_END, {"give-up"}) in {*LETTERS, "give-up"}


def test_every_study_ends_even_where_nobody_may_give_up() -> None:
    mind = Mind(0.0, CROSSROADS, Random(2))
    state, decisions = CROSSROADS.initial_state, 0
    while not CROSSROADS.is_solved(state) and decisions < 10_000:
        command = mind.decide(state, {"reset"})
        after = CROSSROADS.step(state, LETTERS.index(command)) if command in LETTERS else None
        state = after or CROSSROADS.initial_state
        decisions += 1
    assert CROSSROADS.is_solved(state)


def test_a_study_from_the_link_to_the_code(tmp_path: Path) -> None:
    path = study_file(tmp_path, STUDY + QUESTIONS)
    with study_server(path) as server:
        ended = []
        for seed in ("1", "2"):
            who = ("--participants", "1", "--seed", seed)
            outcome = run("study", "simulate", server.address, *who, "--think", "0", "--json")
            assert outcome.exit_code == 0, outcome.err
            ended += json.loads(outcome.out)
    assert [each["ending"] for each in ended] == ["CODE42"] * 2
    database = path.with_suffix(".db")
    assert rows(database, "SELECT count(*), count(finished_ms) FROM participants") == [(2, 2)]
    assert rows(database, "SELECT count(*), count(outcome) FROM trials") == [(4, 4)]
    assert rows(database, "SELECT count(*) FROM answers WHERE answer NOT NULL") == [(8,)]
    played = rows(database, "SELECT pwp, plan, outcome FROM trials JOIN puzzles USING (digest)")
    for pwp, plan, result in played:
        assert result != "solved" or Puzzle.parse(pwp).validate(plan)
    assert sum(each["solved"] for each in ended) == sum(each[2] == "solved" for each in played)


def test_what_is_missing_is_said() -> None:
    outcome = run("study", "simulate", NOWHERE)
    assert outcome.exit_code == 2
    assert f"{NOWHERE} cannot be opened" in outcome.err
