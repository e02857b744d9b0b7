"""A generated set as a folder of ``.pwp`` files with a manifest.

``manifest.jsonl`` says on its first line what the set was drawn from, and on each further line the
name of a puzzle, its draw, the hash of its symmetric forms and a shortest plan. Lines are only ever
added, so an interrupted run goes on after the last one, and the result is the same, byte for byte,
as that of a run without a break.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pushworld.datasets.errors import DataError
from pushworld.datasets.generate.distribution import PuzzleDistribution
from pushworld.datasets.generate.stream import BATCH, PuzzleStream, Split

MANIFEST = "manifest.jsonl"
FORMAT = 1


@dataclass(frozen=True)
class FolderReport:
    """What was done: the folder, its puzzles, those that were there before, and the tally."""

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
    """Writes the first `count` puzzles of a stream to a folder and returns what was done.

    A folder that holds a part of the same set is completed. Puzzles are called after `name`, the
    split and their number.

    Raises:
        DataError: if the folder holds something else, or cannot be written.
    """
    header = {
        "format": FORMAT,
        "name": name,
        "split": split,
        "seed": seed,
        "distribution": distribution.as_dict(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        rows = _read_manifest(folder / MANIFEST, header)
        stream = PuzzleStream(
            distribution,
            seed,
            split,
            threads,
            first_candidate=rows[-1]["candidate"] + 1 if rows else 0,
            made_before=[int(row["hash"], 16) for row in rows],
        )
        made = len(rows)
        while made < count:
            made += _append(stream, folder, name, split, made, min(BATCH, count - made))
            if on_progress is not None:
                on_progress(made)
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror or error}") from error
    return FolderReport(folder, made, len(rows), stream.tally)


def _append(
    stream: PuzzleStream, folder: Path, name: str, split: Split, first: int, count: int
) -> int:
    """Adds the next puzzles of the stream and returns their number."""
    batch = stream.batch(count)
    middle = "" if split == "any" else f"-{split}"
    lines = []
    for index in range(len(batch)):
        puzzle = batch.puzzle(index, f"{name}{middle}-{first + index}")
        _write(folder / f"{puzzle.name}.pwp", puzzle.to_pwp())
        row = {
            "name": puzzle.name,
            "candidate": int(batch.candidates[index]),
            "hash": f"{int(batch.hashes[index]):016x}",
            "length": int(batch.lengths[index]),
            "plan": batch.plan(index),
        }
        lines.append(json.dumps(row) + "\n")
    with (folder / MANIFEST).open("a", encoding="utf-8", newline="\n") as file:
        file.write("".join(lines))
    return len(batch)


def _read_manifest(path: Path, header: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the rows of the manifest; writes its first line if there is none yet."""
    if not path.exists():
        if any(path.parent.iterdir()):
            raise DataError(f"{path.parent} is not empty and has no {MANIFEST}: name a new folder")
        _write(path, json.dumps(header) + "\n")
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    try:
        found, *rows = [json.loads(line) for line in whole.splitlines()]
        rows = [{**row, "hash": row["hash"], "candidate": row["candidate"]} for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} is damaged: remove the folder or name another") from error
    if found != header:
        differing = sorted(key for key in {**header, **found} if header.get(key) != found.get(key))
        raise DataError(
            f"{path.parent} holds another set (its {', '.join(differing)} differ): "
            "name another folder"
        )
    if whole != text:
        _write(path, whole)
    return rows


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
