"""A generated set as a folder of ``.pwp`` files with a manifest.

The first line of ``manifest.jsonl`` describes the distribution. Each further line has the name of a
puzzle, its draw, the hash of its symmetric forms and a shortest plan. Lines are only appended: a run
continues an interrupted one after its last line, with the same result, byte for byte, as a single run.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from pushworld.datasets.errors import DataError
from pushworld.datasets.generated.distribution import PuzzleDistribution
from pushworld.datasets.generated.stream import BATCH, PuzzleStream, Split
from pushworld.files import locked_folder
from pushworld.journal import Row, append_rows, damaged, open_journal

MANIFEST = "manifest.jsonl"
FORMAT = 1


@dataclass(frozen=True)
class FolderReport:
    """The result of a run: the folder, its number of puzzles, the number before the run, the tally."""

    folder: Path
    puzzles: int
    there_before: int
    tally: dict[str, int]


def generate_folder(
    folder: Path,
    distribution: PuzzleDistribution,
    count: int,
    *,
    name: str,
    seed: int = 0,
    split: Split = "any",
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> FolderReport:
    """Writes the first `count` puzzles of a stream to a folder, and returns a report.

    A folder that holds a part of the same set is completed. The name of a puzzle is made of
    `name`, the split and its number.

    Raises:
        PushWorldError: if the folder holds something else or cannot be written, or `name` cannot be
            part of a file name.
    """
    if not name or Path(name).name != name:
        raise DataError(f"files cannot be called after {name!r}: give a name without slashes")
    header = {
        "format": FORMAT,
        "name": name,
        "split": split,
        "seed": seed,
        "distribution": asdict(distribution),
    }
    with locked_folder(folder):
        rows = open_journal(folder / MANIFEST, header, {"hash": str, "candidate": int})
        try:
            made_before = [int(row["hash"], 16) for row in rows]
        except ValueError as error:
            raise damaged(folder / MANIFEST, "remove the folder or name another") from error
        numbers = [*made_before, *(row["candidate"] for row in rows)]
        if not all(0 <= number < 2**64 for number in numbers):
            raise damaged(folder / MANIFEST, "remove the folder or name another")
        stream = PuzzleStream(
            distribution,
            seed,
            split,
            threads,
            first_candidate=rows[-1]["candidate"] + 1 if rows else 0,
            made_before=made_before,
        )
        made = len(rows)
        while made < count:
            made += _append(stream, folder, name, split, made, min(BATCH, count - made))
            if on_progress is not None:
                on_progress(made)
    return FolderReport(folder, made, len(rows), stream.tally)


def _append(
    stream: PuzzleStream, folder: Path, name: str, split: Split, first: int, count: int
) -> int:
    """Writes the next puzzles of the stream and returns their number."""
    batch = stream.batch(count)
    middle = "" if split == "any" else f"-{split}"
    rows = []
    for index in range(len(batch)):
        puzzle = batch.puzzle(index, f"{name}{middle}-{first + index}")
        puzzle.save(folder / f"{puzzle.name}.pwp")
        row: Row = {
            "name": puzzle.name,
            "candidate": int(batch.candidates[index]),
            "hash": f"{int(batch.hashes[index]):016x}",
            "length": int(batch.lengths[index]),
            "plan": batch.plan(index),
        }
        rows.append(row)
    append_rows(folder / MANIFEST, rows)
    return len(batch)
