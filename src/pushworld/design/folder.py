"""Designed puzzles as a folder of ``.pwp`` files with a log that a later run goes on from.

``designs.jsonl`` says on its first line what was asked for, and on each further line what came of one
search, in order. The files are the same, byte for byte, for one request, however many cores made
them and however often they were interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import count as count_from
from pathlib import Path

from pushworld.datasets import DataError
from pushworld.datasets.journal import Row, append_rows, locked_folder, open_journal, write_text
from pushworld.design.canonical import canonical_hash
from pushworld.design.engines import Engine
from pushworld.design.search import Designed, DesignRequest

LOG = "designs.jsonl"
FORMAT = 1
GIVE_UP = 30
"""After so many searches in a row without a new puzzle nothing is expected any more."""


@dataclass(frozen=True)
class DesignReport:
    """What is in a folder of designs.

    Attributes:
        puzzles: how many there are.
        there_before: how many of them were there before.
        searches: how many searches were made for them.
        looked_at: how many puzzles the searches looked at.
        solvable: how many of those have a plan.
        accepted: how many of those were as wished.
    """

    folder: Path
    puzzles: int
    there_before: int
    searches: int
    looked_at: int
    solvable: int
    accepted: int


def design_folder(
    folder: Path,
    request: DesignRequest,
    count: int,
    engine: Engine,
    on_progress: Callable[[int, int], None] | None = None,
) -> DesignReport:
    """Writes `count` different puzzles to a folder and returns what was done.

    Args:
        on_progress: called with the number of puzzles and of searches so far.

    Raises:
        DataError: if the folder holds something else, or cannot be written, or if search after
            search finds nothing.
    """
    with locked_folder(folder):
        asked = {"format": FORMAT, **asdict(request)}
        rows = open_journal(folder / LOG, asked, ("name", "looked_at"))
        before = sum(row["name"] is not None for row in rows)
        made = before
        with closing(engine(request, count_from(len(rows)))) as designs:
            while made < count:
                rows.append(_keep(folder, request, next(designs), rows, made + 1))
                made += rows[-1]["name"] is not None
                if on_progress is not None:
                    on_progress(made, len(rows))
                if len(rows) >= GIVE_UP and not any(row["name"] for row in rows[-GIVE_UP:]):
                    raise DataError(
                        f"{GIVE_UP} searches in a row found no new puzzle of this kind: try another "
                        "--size or --skill, or more --evaluations"
                    )
    return DesignReport(
        folder=folder,
        puzzles=made,
        there_before=before,
        searches=len(rows),
        looked_at=sum(row["looked_at"] for row in rows),
        solvable=sum(row["solvable"] for row in rows),
        accepted=sum(row["accepted"] for row in rows),
    )


def _keep(
    folder: Path,
    request: DesignRequest,
    designed: Designed,
    rows: list[Row],
    place: int,
) -> Row:
    """Writes a design, if it is a new puzzle, and its line of the log; returns the line."""
    row: Row = {
        "number": designed.number,
        "looked_at": designed.looked_at,
        "solvable": designed.solvable,
        "accepted": designed.accepted,
        "name": None,
    }
    if designed.puzzle is not None and designed.analysis is not None:
        form = canonical_hash(designed.puzzle)
        if form not in {each.get("form") for each in rows}:
            main_skill = "-".join(request.wish.skills[:1])
            name = "-".join(
                part for part in (f"level{request.wish.level}", main_skill, f"{place:03}") if part
            )
            puzzle = replace(designed.puzzle, name=name)
            write_text(folder / f"{name}.pwp", puzzle.to_pwp())
            row |= {"name": name, "form": form, **facts_of(designed)}
    append_rows(folder / LOG, [row])
    return row


def facts_of(designed: Designed) -> Row:
    """Returns what is worth knowing about a designed puzzle."""
    analysis = designed.analysis
    assert analysis is not None
    assert analysis.measures.solution is not None
    assert analysis.roles is not None
    return {
        "level": analysis.difficulty.level,
        "score": analysis.difficulty.score,
        "skills": list(analysis.skills),
        "tools": list(analysis.roles.of("tool")),
        "obstacles": list(analysis.roles.of("obstacle")),
        "length": analysis.measures.solution.length,
        "optimal": analysis.measures.solution.optimal,
        "plan": analysis.measures.solution.plan,
    }
