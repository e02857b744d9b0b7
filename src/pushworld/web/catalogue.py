"""The catalogue: the sets of puzzles that the page offers, as data for JSON."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pushworld.datasets import (
    DataError,
    Store,
    default_store,
    installed_human_solutions,
    load_set,
    resolve_puzzle,
)
from pushworld.datasets.published.manifest import LEVELS
from pushworld.datasets.sets import BUNDLED, IN_PACKAGE, known_set, levels_of
from pushworld.files import parse_toml, read_text
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.puzzle.pwp import puzzle_digest as puzzle_digest
from pushworld.web.studies.checked_table import CheckedTable, KeyPath, line_of

MAX_PUZZLES = 20_000
INDEX_FILE = "index.toml"
"""Titles, texts, order and plans of the puzzles in its folder."""

TITLES = {BUNDLED: "First steps", "heldout": "Held out"}
"""The titles of sets that are not their names."""


@dataclass(frozen=True)
class CatalogueSet:
    """A set of puzzles as the page shows it."""

    id: str  # its name in addresses, of lower-case letters, digits and hyphens
    title: str  # its name for people
    puzzles: tuple[dict[str, Any], ...]  # one record per puzzle, ready for JSON


def load_catalogue(
    sources: Sequence[str] = (), store: Store | None = None, more: Sequence[str] = ()
) -> list[CatalogueSet]:
    """Returns the sets that the sources name; by default those of the package and installed levels.

    Args:
        sources: names of sets and folders, as `pushworld.datasets.load_set` takes them.
        store: the data folder; by default the user's.
        more: further sources, added to the default ones too.
    """
    store = store or default_store()
    wanted = list(dict.fromkeys(sources)) or [*IN_PACKAGE, *_installed_levels(store)]
    used: set[str] = set()
    sets = []
    for source in [*wanted, *more]:
        full_name = known_set(source)
        title = _title(full_name) if full_name else _folder_title(source)
        set_id = _unused(slug(full_name or title, "set"), used)
        puzzles = _described(load_set(source, store), full_name, store)
        if full_name is None and (index := Path(source) / INDEX_FILE).is_file():
            title, puzzles = _indexed(index, title, puzzles)
        ranks = _ranks(puzzles, full_name)
        sets.append(CatalogueSet(set_id, title, tuple(_records(set_id, puzzles, ranks))))
    count = sum(len(each.puzzles) for each in sets)
    if count > MAX_PUZZLES:
        raise DataError(
            f"these sets have {count:,} puzzles; the page can show {MAX_PUZZLES:,}: name fewer sets"
        )
    return sets


def load_with_puzzle(
    sources: Sequence[str], puzzle: str, store: Store | None = None
) -> tuple[list[CatalogueSet], dict[str, Any]]:
    """Returns the sets with one puzzle among them, and its record; raises PushWorldError.

    A puzzle that none of the sets has becomes a set of its own; see `load_catalogue`, `resolve_puzzle`.
    """
    digest = puzzle_digest(resolve_puzzle(puzzle, store).to_pwp())
    sets = load_catalogue(sources, store)
    records = [each for one in sets for each in one.puzzles if each["digest"] == digest]
    if not records:
        sets = load_catalogue(sources, store, [puzzle])
        records = list(sets[-1].puzzles)
    return sets, records[0]


def slug(text: str, fallback: str) -> str:
    """Returns the text as lower-case letters, digits and hyphens; the fallback if none are left."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:80].strip("-") or fallback


def _installed_levels(store: Store) -> list[str]:
    """Returns the published levels of which at least one puzzle is installed."""
    return [
        level
        for level in LEVELS
        if any(map(Path.exists, map(store.path_of, store.manifest.of_levels(levels_of(level)))))
    ]


@dataclass(frozen=True)
class _Described:
    """A puzzle with its title, description and tags."""

    puzzle: Puzzle
    name: str
    description: str = ""
    idea: str = ""
    tags: tuple[str, ...] = ()
    level: int | None = None
    plan: str | None = None
    human: str | None = None


def _described(puzzles: Iterable[Puzzle], full_name: str | None, store: Store) -> list[_Described]:
    """Returns the puzzles of the package with their descriptions, and others without."""
    if full_name not in IN_PACKAGE:
        people = installed_human_solutions(store) if full_name else None
        return [
            _Described(puzzle, puzzle.name, human=people.plan_of(puzzle) if people else None)
            for puzzle in puzzles
        ]
    facts = ("description", "idea", "tags", "level", "plan")
    return [
        _Described(each.puzzle, each.title, **{key: getattr(each, key) for key in facts})
        for each in IN_PACKAGE[full_name]()
    ]


def _indexed(path: Path, title: str, puzzles: Sequence[_Described]) -> tuple[str, list[_Described]]:
    """Returns the title of a folder and its puzzles as its index has them; the others come last. Raises PushWorldError."""
    problems: list[tuple[KeyPath, str]] = []
    text = read_text(path)
    table = CheckedTable(parse_toml(text, path), (), problems)
    title = table.text("title", title)
    left = {each.puzzle.name: each for each in puzzles}
    listed = []
    for entry in table.tables("puzzle"):
        name = entry.text("name", required=True)
        known = left.pop(next((each for each in left if name in (each, slug(each, ""))), ""), None)
        plan = entry.text("plan") or None
        title_of, description = entry.text("title", name), entry.text("description")
        idea, tags = entry.text("idea"), entry.texts("tags")
        entry.end()
        if known is None:
            entry.wrong("name", f"there is no other puzzle {name}.pwp in this folder")
            continue
        if plan is not None and not _solves(known.puzzle, plan):
            entry.wrong("plan", f"this plan does not solve {name}")
        known = replace(known, name=title_of, description=description, idea=idea, tags=tags)
        listed.append(replace(known, plan=plan))
    table.end()
    if problems:
        line, what = min((line_of(text, place), what) for place, what in problems)
        raise DataError(f"{path}, line {line}: {what}")
    return title, [*listed, *left.values()]


def _solves(puzzle: Puzzle, plan: str) -> bool:
    try:
        return puzzle.validate(plan)
    except PushWorldError:
        return False


def _ranks(puzzles: Sequence[_Described], full_name: str | None) -> list[float]:
    """Returns how hard the puzzles are: the level, and in its fraction the place within the set.

    The puzzles of the package come from easy to hard. Others are placed by their size, and those
    without a level after all others.
    """
    places: Sequence[int] = range(len(puzzles))
    if full_name not in IN_PACKAGE:
        worlds = [each.puzzle for each in puzzles]
        size = [(len(world.movables), world.width * world.height) for world in worlds]
        order = sorted(places, key=size.__getitem__)
        places = sorted(places, key=order.__getitem__)
    published = re.match(r"level(\d)", full_name or "")
    standard = int(published[1]) if published else 0 if full_name == BUNDLED else len(LEVELS) + 1
    return [
        (standard if each.level is None else each.level) + place / (len(puzzles) + 1)
        for each, place in zip(puzzles, places, strict=True)
    ]


def _records(
    set_id: str, puzzles: Iterable[_Described], ranks: Iterable[float]
) -> Iterable[dict[str, Any]]:
    used: set[str] = set()
    for each, rank in zip(puzzles, ranks, strict=True):
        pwp = each.puzzle.to_pwp()
        yield {
            "id": _unused(slug(each.puzzle.name, "puzzle"), used),
            "name": each.name or "Puzzle",
            "set": set_id,
            "description": each.description,
            "idea": each.idea,
            "tags": list(dict.fromkeys((*each.tags, *_tags_of(each.puzzle)))),
            "level": each.level,
            "rank": round(rank, 4),
            "plan": each.plan,
            "width": each.puzzle.width,
            "height": each.puzzle.height,
            "objects": len(each.puzzle.movables),
            "goals": len(each.puzzle.goal),
            "human": each.human,
            "digest": puzzle_digest(pwp),
            "pwp": pwp,
        }


def _tags_of(puzzle: Puzzle) -> Iterable[str]:
    """Yields the tags that follow from the puzzle itself."""
    if len(puzzle.goal) > 1:
        yield "multiple-goals"
    if puzzle.agent_walls:
        yield "agent-walls"
    if not puzzle.goal:
        yield "sandbox"


def _title(full_name: str) -> str:
    """Returns ``Level 0: base, test`` for ``level0/base/test``."""
    if full_name in TITLES:
        return TITLES[full_name]
    first, *rest = full_name.split("/")
    title = re.sub(r"^level(\d)$", r"Level \1", first)
    title = title[0].upper() + title[1:]
    return f"{title}: {', '.join(rest)}" if rest else title


def _folder_title(source: str) -> str:
    path = Path(os.path.abspath(source))
    return path.stem if path.suffix == ".pwp" else path.name


def _unused(wanted: str, used: set[str]) -> str:
    """Returns the wanted id, with a number appended if it is used, and marks it as used."""
    name, number = wanted, 2
    while name in used:
        name, number = f"{wanted}-{number}", number + 1
    used.add(name)
    return name
