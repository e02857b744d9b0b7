"""Plans of people: the published human solutions, recorded games, and tables of plans or lengths."""

import csv
import os
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.store import Store, default_store
from pushworld.datasets.sets import name_key
from pushworld.puzzle import PlanError, Puzzle, format_plan, parse_plan
from pushworld.puzzle.pwp import puzzle_digest

PLAN_SUFFIXES = (".yaml", ".yml")

_PLAN = re.compile(r"^plan[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*|\n-[ \t].*)*)", re.MULTILINE)
_MARKS = re.compile(r"""(?:^|\s)#.*|[|>][+-]?(?=\s|$)|["'\[\],-]""")
"""Comments, signs of folded blocks, quotes, and the signs of lists."""

OF_A_PERSON = ("player", None)
"""The actors of moves that count as a person's own; None in recordings that do not say."""


@dataclass(frozen=True)
class HumanSolutions:
    """Plans of people, or only their lengths.

    Attributes:
        plans: by the digest of the puzzle's text, or by its name with or without its level.
        lengths: of plans that are not known themselves, by name.
        games: how many recorded games were solved alone, and how many there were, by the digest; None if
            nothing was recorded.
        answers: to a question of a study in place of a game, by the digest and the name of its block.
    """

    plans: Mapping[str, tuple[str, ...]]
    lengths: Mapping[str, int]
    games: Mapping[str, tuple[int, int]] | None = None
    answers: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.plans or self.lengths)

    def plan_of(self, puzzle: Puzzle, level: str = "") -> str | None:
        """Returns the shortest plan that solves the puzzle, or None.

        Args:
            level: the level or set of the puzzle; tells puzzles of one name apart.
        """
        digest = puzzle_digest(puzzle.to_pwp())
        known = {
            plan for key in (digest, *_keys(puzzle, level)) for plan in self.plans.get(key, ())
        }
        in_order = sorted(known, key=lambda plan: (len(plan), plan))
        return next((plan for plan in in_order if puzzle.validate(plan)), None)

    def games_of(self, puzzle: Puzzle) -> tuple[int, int] | None:
        """Returns how many recorded games of the puzzle were solved alone, and how many there were."""
        games = self.games
        return None if games is None else games.get(puzzle_digest(puzzle.to_pwp()), (0, 0))

    def answers_to(self, puzzle: Puzzle, block: str) -> tuple[str, ...]:
        """Returns what people answered about the puzzle in a block of a study."""
        return self.answers.get((puzzle_digest(puzzle.to_pwp()), block), ())

    def length_of(self, puzzle: Puzzle, level: str = "") -> int | None:
        """Returns the length of the shortest plan, whether the plan itself is known or not."""
        plan = self.plan_of(puzzle, level)
        lengths = [self.lengths[key] for key in _keys(puzzle, level) if key in self.lengths][:1]
        return min([*lengths, *([] if plan is None else [len(plan)])], default=None)


def installed_human_solutions(store: Store | None = None) -> HumanSolutions:
    """Returns the human solutions that `pushworld data import` has installed; none if it has not.

    Files that were damaged since then do not count.
    """
    store = store or default_store()
    found = []
    for entry in store.manifest.puzzles:
        path = store.path_of_human_plan(entry)
        with suppress(DataError):
            if path.is_file():
                found.append((entry.full_name, _plan_in(path)))
    return _collected(found)


def read_human_solutions(path: str | os.PathLike[str]) -> HumanSolutions:
    """Returns the plans of people in a file or folder.

    Args:
        path: a folder of YAML files with a line ``plan:``, one folder a level; a database of
            ``pushworld play --record``, in which only what a person did alone counts; or a CSV file with
            the columns ``puzzle`` and ``plan``, or ``puzzle`` and ``human_actions`` (lengths).

    Raises:
        PushWorldError: if it is something else.
    """
    source = Path(path)
    try:
        if source.is_dir():
            return _in_folder(source)
        with source.open("rb") as file:
            is_database = file.read(16) == b"SQLite format 3\0"
        return _recorded(source) if is_database else _in_table(source)
    except (OSError, sqlite3.Error, csv.Error, UnicodeDecodeError) as error:
        raise DataError(f"{source} cannot be read: {error}") from error


def _in_folder(folder: Path) -> HumanSolutions:
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in PLAN_SUFFIXES)
    if not files:
        raise DataError(f"{folder} has no plans: expected files such as level1/NAME.yaml")
    return _collected(
        (f"{file.resolve().parent.name}/{file.stem}", _plan_in(file)) for file in files
    )


def plan_in_yaml(text: str) -> str:
    """Returns the plan of a YAML file as a string over ``LRUD``: its value ``plan``, in any style.

    Raises:
        PlanError: if it has no such value, or the value is no plan.
    """
    found = _PLAN.search(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    if found is None:
        raise PlanError("there is no line `plan:`")
    plan = format_plan(parse_plan(_MARKS.sub("", found[1])))
    if not plan:
        raise PlanError("the plan is empty")
    return plan


def solution_of(puzzle: Puzzle, data: bytes) -> str:
    """Returns the plan in the bytes of a file, which solves the puzzle.

    Raises:
        PlanError: if there is no plan, or it does not solve the puzzle.
    """
    try:
        plan = plan_in_yaml(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise PlanError("the file is not UTF-8 text") from None
    if not puzzle.validate(plan):
        raise PlanError(f"the plan of {len(plan)} actions does not solve the puzzle")
    return plan


def _plan_in(path: Path) -> str:
    try:
        return plan_in_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, PlanError) as error:
        raise DataError(f"{path} has no plan: {error}") from error


def _in_table(path: Path) -> HumanSolutions:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    columns = rows[0].keys() if rows else ()
    if {"puzzle", "plan"} <= set(columns):
        return _collected(
            (row["puzzle"], format_plan(parse_plan(row["plan"]))) for row in rows if row["plan"]
        )
    if {"puzzle", "human_actions"} <= set(columns):
        return HumanSolutions({}, _lengths(path, rows))
    raise DataError(
        f"{path} needs the columns 'puzzle' and 'plan', or 'puzzle' and 'human_actions'"
    )


def _lengths(path: Path, rows: Iterable[Mapping[str, str]]) -> dict[str, int]:
    lengths: dict[str, int] = {}
    several = set()
    for row in rows:
        if not row["human_actions"].strip().isdecimal():
            raise DataError(f"{path}: {row['human_actions']!r} is no length of a plan")
        for key in _names(row["puzzle"]):
            if lengths.setdefault(key, length := int(row["human_actions"])) != length:
                several.add(key)
    return {key: length for key, length in lengths.items() if key not in several}


def _recorded(path: Path) -> HumanSolutions:
    """Returns the plans of the games in a database that people solved alone, and how many there were."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        texts = dict(database.execute("SELECT digest, pwp FROM puzzles"))
        known = {name for _, name, *_ in database.execute("PRAGMA table_info(events)")}
        actor = "actor" if "actor" in known else "NULL"
        events = database.execute(
            f"SELECT session, digest, kind, action, step, {actor} FROM events "
            "ORDER BY session, sequence"
        ).fetchall()
        answers: dict[tuple[str, str], tuple[str, ...]] = {}
        with suppress(sqlite3.OperationalError):  # the first recordings have no studies
            for digest, block, answer in database.execute(
                "SELECT digest, block, answer FROM answers JOIN trials USING (session, trial) "
                "WHERE outcome = 'answered'"
            ):
                answers[digest, block] = (*answers.get((digest, block), ()), answer)
    games: dict[tuple[str, str], list[tuple[str, str | None]]] = {}
    asked: set[tuple[str, str]] = set()
    solved: dict[tuple[str, str], str] = {}
    for session, digest, kind, action, step, actor in events:
        game = session, digest
        moves = games.setdefault(game, [])
        if kind == "start":
            moves.clear()
            asked.discard(game)
        elif kind in ("hint", "solution"):
            asked.add(game)
        elif kind in ("move", "redo") and step > len(moves):
            moves.append((action, actor))
        elif kind in ("undo", "reset"):
            del moves[step:]
        elif kind == "solved" and game not in asked:
            plan = "".join(action for action, _ in moves)
            alone = all(actor in OF_A_PERSON for _, actor in moves)
            if alone and Puzzle.parse(texts[digest]).validate(plan):
                solved[game] = plan
    counts = {
        digest: (sum(one == digest for _, one in solved), sum(one == digest for _, one in games))
        for _, digest in games
    }
    found = _collected((digest, plan) for (_, digest), plan in solved.items())
    return HumanSolutions(found.plans, {}, counts, answers)


def _collected(plans: Iterable[tuple[str, str]]) -> HumanSolutions:
    """Returns solutions from pairs of a name or digest and a plan."""
    found: dict[str, set[str]] = {}
    for name, plan in plans:
        for key in _names(name):
            found.setdefault(key, set()).add(plan)
    return HumanSolutions({key: tuple(sorted(plans)) for key, plans in found.items()}, {})


def _keys(puzzle: Puzzle, level: str) -> list[str]:
    """Returns the names under which a puzzle's plans may be known, the most exact one first."""
    return list(dict.fromkeys([name_key(f"{level}/{puzzle.name}"), *_names(puzzle.name)]))


def _names(name: str) -> list[str]:
    """Returns a name with and without its level, as names are compared."""
    return list(dict.fromkeys([name_key(name), name_key(name.rpartition("/")[2])]))
