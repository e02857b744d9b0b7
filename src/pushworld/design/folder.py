"""A folder of designed puzzles: ``.pwp`` files and a journal from which a later run continues.

The first line of ``designs.jsonl`` holds the request, each further line the result of one search, in
order. The files for a request are the same, byte for byte, for any number of workers and after any
interruption.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count as count_from
from pathlib import Path

from pushworld.datasets import DataError
from pushworld.design.against import AgainstRequest
from pushworld.design.quality import find_quality
from pushworld.design.search import SIZES, Designed, DesignRequest
from pushworld.design.variations import DrawingRequest, MinimalRequest, VariationRequest
from pushworld.files import locked_folder
from pushworld.journal import Kind, Row, append_rows, open_journal
from pushworld.process import Executor, ray_tasks, run_jobs, worker_processes
from pushworld.puzzle import PushWorldError
from pushworld.puzzle.transform import canonical_hash

LOG = "designs.jsonl"
FORMAT = 2
ROW: dict[str, Kind] = {
    "name": (str, type(None)),
    "looked_at": int,
    "solvable": int,
    "accepted": int,
}
"""What each line of the journal has at least."""

GIVE_UP = (30, 30, 10, 5)
"""By level, the searches in a row without a new puzzle after which the design ends: hard ones take long."""

Request = DesignRequest | VariationRequest | MinimalRequest | DrawingRequest | AgainstRequest
"""What to design: it names the puzzles, and its searches depend on it and their numbers alone."""

OpenExecutor = Callable[[], AbstractContextManager[Executor]]
"""Opens the executor on which searches run."""


def choose_executor(engine: str, workers: int, address: str | None = None) -> OpenExecutor:
    """Returns what opens worker processes (``local``) or a Ray cluster (``ray``).

    Raises:
        PushWorldError: if `engine` is something else.
    """
    if engine == "local":
        return partial(worker_processes, workers, "the designer")
    if engine == "ray":
        return partial(ray_tasks, address)
    raise PushWorldError(f"there is no engine {engine!r}: choose local or ray")


@dataclass(frozen=True)
class DesignReport:
    """The content of a folder of designs, and how many puzzles the searches for them evaluated.

    `solvable` of those have a plan, and `accepted` were as wished; `best` names the best puzzle first.
    `solved_by` says how many each planner solved, for designs against planners.
    """

    folder: Path
    puzzles: int
    there_before: int
    searches: int
    looked_at: int
    solvable: int
    accepted: int
    best: tuple[str, ...]
    solved_by: dict[str, int]


def design_folder(
    folder: Path,
    request: Request,
    count: int,
    open_executor: OpenExecutor,
    on_progress: Callable[[int, int], None] | None = None,
) -> DesignReport:
    """Writes puzzles until the folder holds `count` different ones; returns a report.

    Args:
        open_executor: opens the executor of the searches; see `choose_executor`.
        on_progress: called with the number of puzzles and of searches so far.

    Raises:
        PushWorldError: if the folder holds something else, cannot be written, or many searches in a row
            find nothing.
    """
    with locked_folder(folder):
        asked = {"format": FORMAT, **asdict(request)}
        rows = open_journal(folder / LOG, asked, ROW)
        before = sum(row["name"] is not None for row in rows)
        made = before
        if made < count:
            with open_executor() as executor:
                numbers = count_from(len(rows))
                for design in run_jobs(executor, request.search, numbers, in_order=True):
                    rows.append(_keep(folder, request.name, design, rows, made + 1))
                    made += rows[-1]["name"] is not None
                    if on_progress is not None:
                        on_progress(made, len(rows))
                    if made == count:
                        break
                    _check_for_success(request, rows)
    named = [row for row in rows if row["name"] is not None]
    by_quality = sorted(
        named, key=lambda row: (row.get("unsolved", False), row.get("quality", 0.0)), reverse=True
    )
    return DesignReport(
        folder=folder,
        puzzles=made,
        there_before=before,
        searches=len(rows),
        looked_at=sum(row["looked_at"] for row in rows),
        solvable=sum(row["solvable"] for row in rows),
        accepted=sum(row["accepted"] for row in rows),
        best=tuple(row["name"] for row in by_quality),
        solved_by={
            planner: sum(row["planners"][planner]["status"] == "solved" for row in named)
            for planner in (named[0].get("planners", {}) if named else {})
        },
    )


def _check_for_success(request: Request, rows: list[Row]) -> None:
    """Raises DataError if the last searches found nothing."""
    level = request.wish.level if isinstance(request, DesignRequest | DrawingRequest) else 1
    most = GIVE_UP[level - 1]
    if len(rows) >= most and not any(row["name"] for row in rows[-most:]):
        raise DataError(
            f"{most} searches in a row found no new puzzle of this kind: try "
            f"{_other_options(request)}more --evaluations"
        )


def _other_options(request: Request) -> str:
    """Returns what else than more evaluations may help."""
    if isinstance(request, DrawingRequest):
        return "more free cells, another --level or --skill, or "
    if isinstance(request, DesignRequest):
        return f"another --size (such as {SIZES[request.wish.level - 1]}) or --skill, or "
    return ""


def _keep(folder: Path, kind: str, designed: Designed, rows: list[Row], place: int) -> Row:
    """Writes a design, if it is a new puzzle, and its line of the journal; returns the line."""
    row: Row = {
        "number": designed.number,
        "looked_at": designed.looked_at,
        "solvable": designed.solvable,
        "accepted": designed.accepted,
        "name": None,
    }
    if designed.puzzle is not None:
        form = canonical_hash(designed.puzzle)
        if form not in {each.get("form") for each in rows}:
            name = f"{kind}-{place:03}"
            puzzle = replace(designed.puzzle, name=name)
            puzzle.save(folder / f"{name}.pwp")
            row |= {"name": name, "form": form, **(designed.facts or _facts(designed))}
    append_rows(folder / LOG, [row])
    return row


def _facts(designed: Designed) -> Row:
    """Returns the facts about a designed puzzle for the journal."""
    analysis = designed.analysis
    assert designed.puzzle is not None
    assert analysis is not None
    assert analysis.difficulty is not None
    assert analysis.measures.solution is not None
    assert analysis.roles is not None
    return {
        "level": analysis.difficulty.level,
        "score": analysis.difficulty.score,
        "skills": list(analysis.skills),
        "quality": find_quality(designed.puzzle, analysis).as_dict()["score"],
        "tools": list(analysis.roles.of("tool")),
        "obstacles": list(analysis.roles.of("obstacle")),
        "length": analysis.measures.solution.length,
        "optimal": analysis.measures.solution.optimal,
        "plan": analysis.measures.solution.plan,
        "chain": [asdict(link) for link in designed.links],
    }
