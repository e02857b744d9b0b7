"""Plans of people: published solutions beside the puzzles, recordings and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from pushworld.datasets import (
    DataError,
    Store,
    import_path,
    installed_human_solutions,
    read_human_solutions,
    resolve_puzzle,
)
from pushworld.datasets.human import plan_in_yaml
from pushworld.puzzle import PlanError, PushWorldError, Puzzle
from pushworld.puzzle.pwp import puzzle_digest
from pushworld.web.trace_database import open_database
from tests.datasets.tiny import FILES, make_tar, make_zip, write_files

SOLUTIONS: dict[str, bytes] = {
    "level1/Tiny Steps.yaml": b"plan: RR\n",
    "level1/Dont Look Back.yaml": b"planner: Human\nplan: 'RLRRRR'\nsolve_time: null\n",
    "level4/The Last One.yaml": b"plan: RRRRR\r\n",
}
IN_A_CLONE = {f"clone/solutions/{path}": data for path, data in SOLUTIONS.items()}


@pytest.mark.parametrize(
    "text",
    [
        "plan: LRUD",
        "puzzle: x\nplan: 'lrud' # by hand\nseconds: 3",
        'plan: "LR UD"\r\n',
        "plan: |-\n  LR\n  UD\nother: R",
        "plan: >\n  LRUD",
        "plan:\n  LRUD\n",
        "plan: [L, R, U, D]",
        "plan:\n- L\n- R\n- U\n- D\nnext: L",
        "\ufeffplan: LRUD",
    ],
)
def test_every_style_of_yaml(text: str) -> None:
    assert plan_in_yaml(text) == "LRUD"


@pytest.mark.parametrize(
    "text", ["", "plans: LR", "plan:", "plan: null", "plan: jump", "x: plan: L"]
)
def test_files_without_a_plan(text: str) -> None:
    with pytest.raises(PlanError):
        plan_in_yaml(text)


@pytest.mark.parametrize("form", ["folder", "zip", "tar"])
def test_solutions_are_imported_with_the_puzzles(form: str, tmp_path: Path, store: Store) -> None:
    files = {**{f"clone/puzzles/{path}": data for path, data in FILES.items()}, **IN_A_CLONE}
    made = {
        "folder": lambda: write_files(tmp_path / "all", files),
        "zip": lambda: make_zip(tmp_path / "all.zip", files),
        "tar": lambda: make_tar(tmp_path / "all.tar.gz", files),
    }[form]()
    report = import_path(made, store)
    assert report.complete
    assert sorted(report.human) == sorted(path.removesuffix(".yaml") for path in SOLUTIONS)
    people = installed_human_solutions(store)
    plans = {name: people.plan_of(resolve_puzzle(name, store)) for name in report.human}
    assert plans["level1/Tiny Steps"] == "RR"
    assert plans["level1/Dont Look Back"] == "RLRRRR"
    assert people.plan_of(resolve_puzzle("Long Way", store)) is None
    assert not installed_human_solutions(Store(tmp_path / "empty", store.manifest))
    for number, damage in enumerate((b"\xff\xfe", b"plan: jump", b"plan: LLL")):
        name = ("level1/Tiny Steps", "level1/Dont Look Back", "level4/The Last One")[number]
        (store.root / "human" / f"{name}.yaml").write_bytes(damage)
        assert installed_human_solutions(store).plan_of(resolve_puzzle(name, store)) is None


def test_solutions_may_come_after_the_puzzles(tmp_path: Path, store: Store) -> None:
    alone = write_files(tmp_path / "solutions", SOLUTIONS)
    early = import_path(alone, store)
    assert not early.human
    assert "not installed" in early.wrong[0].reason
    import_path(write_files(tmp_path / "sets"), store)
    assert len(import_path(alone, store).human) == len(SOLUTIONS)


def test_solutions_that_do_not_solve_are_refused(tmp_path: Path, store: Store) -> None:
    wrong = {**SOLUTIONS, "level4/The Last One.yaml": b"plan: LLLL\n"}
    report = import_path(write_files(tmp_path / "all", {**FILES, **wrong}), store)
    assert [problem.path for problem in report.wrong] == ["human/level4/The Last One"]
    assert "does not solve" in report.wrong[0].reason
    assert len(report.human) == 2
    assert installed_human_solutions(store).plan_of(resolve_puzzle("The Last One", store)) is None


def test_the_plans_of_people_are_told_from_those_of_planners(tmp_path: Path, store: Store) -> None:
    longer = {f"out/planner/{path}": b"plan: LRRRRRRR\n" for path in SOLUTIONS}
    files = {**FILES, **longer, **{f"out/Human/{path}": SOLUTIONS[path] for path in SOLUTIONS}}
    report = import_path(write_files(tmp_path / "both", files), store)
    assert len(report.human) == len(SOLUTIONS)
    assert installed_human_solutions(store).plan_of(resolve_puzzle("Tiny Steps", store)) == "RR"
    unnamed = {**longer, **{f"out/other/{path}": SOLUTIONS[path] for path in SOLUTIONS}}
    report = import_path(write_files(tmp_path / "unnamed", unnamed), store)
    assert not report.human
    assert "planner" in report.notes[0]


def test_a_folder_and_a_table_are_read_alike(tmp_path: Path) -> None:
    puzzle = Puzzle.parse(FILES["level1/Tiny Steps.pwp"].decode(), name="Tiny Steps")
    folder = read_human_solutions(write_files(tmp_path / "plans", SOLUTIONS))
    table = tmp_path / "plans.csv"
    table.write_text("puzzle,plan\nlevel1/Tiny Steps,LRRR\ntiny-steps,rr\nother,U\n")
    for people in (folder, read_human_solutions(table)):
        assert people.plan_of(puzzle) == "RR"
        assert people.length_of(puzzle, "level1") == 2


def test_lengths_alone(tmp_path: Path) -> None:
    table = tmp_path / "HUMAN.csv"
    table.write_text("puzzle,human_actions\nlevel1/Same,3\nlevel2/Same,5\nlevel1/Own,7\n")
    people = read_human_solutions(table)
    named = {name: Puzzle.parse("A M1 . G1", name=name) for name in ("Same", "Own")}
    assert people.plan_of(named["Own"]) is None
    assert people.length_of(named["Own"]) == 7
    assert [people.length_of(named["Same"], level) for level in ("level1", "level2")] == [3, 5]
    assert people.length_of(named["Same"]) is None, "it is not known which one is meant"


@pytest.mark.parametrize(
    "content",
    [b"", b"a,b\n1,2\n", b"\xff\xfe", b"puzzle,plan\nx,jump\n", b"puzzle,human_actions\nx,many\n"],
)
def test_files_that_are_no_solutions(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "people").write_bytes(content)
    with pytest.raises(PushWorldError):
        read_human_solutions(tmp_path / "people")
    with pytest.raises(DataError, match="no plans"):
        read_human_solutions(write_files(tmp_path / "folder", {"x.txt": b"plan: L"}))


Row = tuple[str, str | None, int, str | None]
"""Kind, action, step and actor of an event."""

ALONE: list[Row] = [
    ("start", None, 0, None),
    ("move", "R", 1, "player"),
    ("undo", None, 0, "player"),
    ("move", "R", 1, "player"),
    ("move", "R", 2, "player"),
    ("solved", None, 2, "player"),
]


def recorded(path: Path, rows: list[Row], puzzle: Puzzle) -> Path:
    """Returns a database with one game."""
    text = puzzle.to_pwp()
    digest = puzzle_digest(text)
    with open_database(path) as database:
        database.execute(
            "INSERT INTO puzzles (digest, puzzle, pwp) VALUES (?, 'x', ?)", (digest, text)
        )
        database.executemany(
            "INSERT INTO events (session, sequence, puzzle, digest, time_ms, kind, action, step, "
            "received_ms, actor) VALUES ('s', ?, 'x', ?, 0, ?, ?, ?, 0, ?)",
            [(number, digest, *row) for number, row in enumerate(rows)],
        )
    database.close()
    return path


def test_only_what_people_did_alone_is_theirs(tmp_path: Path) -> None:
    puzzle = Puzzle.parse("A M1 . G1", name="three")
    alone = read_human_solutions(recorded(tmp_path / "a.db", ALONE, puzzle))
    assert (alone.plan_of(puzzle), alone.games_of(puzzle)) == ("RR", (1, 1))
    played: list[Row] = [*ALONE[:4], ("move", "R", 2, "machine"), ALONE[5]]
    followed: list[Row] = [*ALONE[:4], ("move", "R", 2, "hint"), ALONE[5]]
    old: list[Row] = [(kind, action, step, None) for kind, action, step, _ in ALONE]
    asked: list[Row] = [*old[:3], ("hint", None, 0, None), *old[3:]]
    for number, (rows, plan) in enumerate(
        [(played, None), (followed, None), (asked, None), (old, "RR")]
    ):
        people = read_human_solutions(recorded(tmp_path / f"{number}.db", rows, puzzle))
        assert people.plan_of(puzzle) == plan
        assert people.games_of(puzzle) == (plan is not None, 1)
