"""Puzzles and sets by what a user writes: a path, the name of a puzzle, or the name of a set."""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import LEVEL0, LEVEL0_SETS, LEVEL0_SPLITS, PUZZLE_SUFFIX
from pushworld.datasets.published.store import Level0Archive, Store, default_store
from pushworld.datasets.sets import (
    IN_PACKAGE,
    PUBLISHED,
    known_set,
    levels_of,
    load_entry,
    load_folder,
    name_key,
    puzzles_of,
    set_names,
)
from pushworld.puzzle import Puzzle

PuzzleSource = str | os.PathLike[str] | Puzzle
"""A puzzle, or anything that `load_set` takes: a set, a folder, a file, a name."""

_LEVEL0_NAME = re.compile(
    rf"(?:level-?0/)?((?:{'|'.join(LEVEL0_SETS)})/(?:{'|'.join(LEVEL0_SPLITS)}))/([0-9]{{1,9}})"
)
_LEVEL0_STEM = re.compile(r"(?:.*/)?level-0-([a-z]+)-([a-z]+)-([0-9]+)")


def resolve_puzzle(name: str | os.PathLike[str], store: Store | None = None) -> Puzzle:
    """Returns the puzzle that a path or a name stands for.

    A name belongs to a puzzle of the set ``bundled`` (``first-push``) or ``classic``, to a
    published puzzle (``Two Goals`` or ``level1/Two Goals``), or to a puzzle of Level 0
    (``base/train/17``). Case, spaces, hyphens and underscores do not matter. An existing path that
    ends in ``.pwp`` takes precedence over a name, and a name over any other file.

    Raises:
        PushWorldError: if there is no such name; the message has close matches. If the puzzle is
            known but not installed, it says what to run.
    """
    store = store or default_store()
    path = Path(name)
    text = os.fspath(name)
    is_pwp = path.suffix.lower() == PUZZLE_SUFFIX
    if is_pwp and os.path.isfile(path):
        return Puzzle.load(path)
    found = find_puzzle(text[: -len(PUZZLE_SUFFIX)] if is_pwp else text, store)
    if found is not None:
        return found
    if is_pwp or (os.path.exists(text) and not os.path.isdir(text)):
        return Puzzle.load(path)
    if os.path.isdir(text):
        raise DataError(f"{text} is a folder where one puzzle is needed: name a file in it")
    if known_set(text):
        raise DataError(
            f"{text} is a set where one puzzle is needed: `pushworld data list {text}` names them"
        )
    raise unknown_puzzle(text, store)


def load_set(name: str | os.PathLike[str], store: Store | None = None) -> list[Puzzle]:
    """Returns the puzzles of a set, in order.

    A set is one of `set_names` (``base/train`` is short for ``level0/base/train``), a folder with
    ``.pwp`` files at any depth, or anything that `resolve_puzzle` takes. The name of a set takes
    precedence over a folder of the same name; write ``./NAME`` for the folder. If only a part of a
    published set is installed, that part is returned.

    Raises:
        PushWorldError: if there is no such set, it is not installed, or a file is not a puzzle.
    """
    store = store or default_store()
    text = os.fspath(name)
    full_name = known_set(text)
    if full_name is not None:
        return [load() for load in puzzles_of(full_name, store).values()]
    if os.path.isdir(text):
        return load_folder(Path(name))
    if text.lower().endswith(PUZZLE_SUFFIX) or os.path.exists(text):
        return [resolve_puzzle(name, store)]
    found = find_puzzle(text, store)
    if found is not None:
        return [found]
    raise _unknown(text, "set or puzzle", [*set_names(), *_all_puzzle_names(store)])


def load_puzzles(puzzles: PuzzleSource | Iterable[PuzzleSource] | None) -> list[Puzzle]:
    """Returns the puzzles of one or several sources, in order; raises DataError if there is none."""
    if puzzles is None:
        raise DataError(
            "an environment needs puzzles: pass puzzles= with a set ('bundled'), a folder, a "
            "file, a name or a Puzzle, or several of these"
        )
    single = isinstance(puzzles, str | os.PathLike | Puzzle)
    sources: Iterable[PuzzleSource] = [puzzles] if single else puzzles  # type: ignore[assignment, list-item]
    loaded: list[Puzzle] = []
    for source in sources:
        loaded += [source] if isinstance(source, Puzzle) else load_set(source)
    return loaded


def full_set_name(name: str) -> str:
    """Returns the full name of one of `set_names`.

    Raises:
        DataError: with close matches if there is no such set.
    """
    full_name = known_set(name)
    if full_name is None:
        raise _unknown(name, "set", list(set_names()))
    return full_name


def find_puzzle(name: str, store: Store | None = None) -> Puzzle | None:
    """Returns the puzzle that has a name, or None; unlike `resolve_puzzle`, it looks at no path."""
    store = store or default_store()
    key = name_key(name)
    if level0 := _LEVEL0_NAME.fullmatch(_LEVEL0_STEM.sub(r"\1/\2/\3", key)):
        return Level0Archive(store).load(f"{LEVEL0}/{level0[1]}/{int(level0[2])}")
    set_part, _, puzzle_part = key.rpartition("/")
    full_set = known_set(set_part) if set_part else None
    if set_part and full_set is None:
        return None
    # These come first, so that a name means the same whatever is installed.
    for set_name in IN_PACKAGE:
        for bundled in IN_PACKAGE[set_name]() if full_set in (None, set_name) else ():
            if name_key(bundled.name) == puzzle_part:
                return bundled.puzzle
    entries = store.manifest.of_levels(levels_of(full_set or PUBLISHED))
    same = [entry for entry in entries if name_key(entry.name) == puzzle_part]
    choice = [entry for entry in same if store.is_installed(entry)] or same
    if len(choice) > 1:
        raise DataError(f"{name!r} can be {' or '.join(repr(each.full_name) for each in choice)}")
    return load_entry(choice[0], store) if choice else None


def unknown_puzzle(name: str, store: Store | None = None) -> DataError:
    """Returns the error for the name of no puzzle, with the closest names; it looks at no path."""
    return _unknown(name, "puzzle", _all_puzzle_names(store or default_store()))


def _all_puzzle_names(store: Store) -> list[str]:
    bundled = [each.name for puzzles in IN_PACKAGE.values() for each in puzzles()]
    return bundled + [entry.full_name for entry in store.manifest.puzzles]


def _unknown(text: str, kind: str, names: list[str]) -> DataError:
    """Returns the error for an unknown name, with the closest names."""
    by_key: dict[str, str] = {}
    for name in names:
        by_key[name_key(name)] = name
        by_key.setdefault(name_key(name).rpartition("/")[2], name)
    close = [by_key[key] for key in get_close_matches(name_key(text), by_key, n=5, cutoff=0.6)]
    unique = list(dict.fromkeys(close))[:3]
    meant = f"did you mean {' or '.join(map(repr, unique))}? " if unique else ""
    inside = "" if kind == "set" else ", `pushworld data list SET` the names in one"
    return DataError(
        f"there is no {kind} {text!r}: {meant}`pushworld data list` shows the sets{inside}"
    )
