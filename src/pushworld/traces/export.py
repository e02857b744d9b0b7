"""Recorded games as CSV and Parquet files with a codebook, or as a Psych-DS dataset."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pushworld.files import make_folder, replaced, write_text
from pushworld.puzzle import PushWorldError
from pushworld.traces.cache import Cache, cache_beside
from pushworld.traces.games import read_games
from pushworld.traces.measures import Effort, outlooks_of
from pushworld.traces.recording import BATCH_ROWS, Recording
from pushworld.traces.rows import (
    ANSWERS,
    EVENTS,
    GAMES,
    MOVES,
    PARTICIPANTS,
    PUZZLES,
    TABLES,
    Table,
    codebook,
)
from pushworld.traces.tables import (
    PAUSE_SECONDS,
    answer_rows,
    game_row,
    move_rows,
    participant_rows,
    read_participants,
)

FORMATS = ("csv", "parquet", "psych-ds")
BY_PARTICIPANTS = ("participant", "parameters", "answer")
"""The columns whose texts come from outside."""

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)")

Rows = Iterable[Sequence[Any]]


def export_folder(
    database: Path,
    folder: Path,
    *,
    format: str = "csv",
    effort: Effort | None = None,
    pause: float = PAUSE_SECONDS,
    anonymous: bool = False,
    cache: Path | None = None,
    on_positions: Callable[[int, int], None] = lambda done, total: None,
) -> dict[Path, int]:
    """Writes all tables and the codebook into a folder; returns the rows of each file. Raises PushWorldError.

    Each file gets its name only when it is complete. Interrupted, it continues when called again.

    Args:
        database: of the recorded games; a server may still be adding to it.
        format: one of `FORMATS`.
        pause: a think time of at least this number of seconds is a pause.
        anonymous: leave out what came with the links of participants.
        effort, cache, on_positions: as in `pushworld.traces.report.make_report`.
    """
    with Recording(database) as recording:
        games = read_games(recording)
        people = read_participants(recording)
        with Cache(cache or cache_beside(database)) as kept:
            outlooks = outlooks_of(games, effort, kept, on_positions)
        tables: dict[Table, Rows] = {
            PARTICIPANTS: participant_rows(people.values(), games, anonymous=anonymous),
            GAMES: (
                game_row(game, outlooks[game.digest], people.get(game.session), pause)
                for game in games
            ),
            MOVES: chain.from_iterable(move_rows(game, outlooks[game.digest]) for game in games),
            ANSWERS: answer_rows(recording),
            EVENTS: recording.events(),
            PUZZLES: recording.puzzle_rows(),
        }
        psych_ds = format == "psych-ds"
        write_text(make_folder(folder) / ("README.md" if psych_ds else "codebook.md"), codebook())
        if psych_ds:
            write_text(folder / "dataset_description.json", _description(database))
            make_folder(folder / "data")
        name = "data/description-{}_data.csv" if psych_ds else f"{{}}.{format}"
        write = _write_parquet if format == "parquet" else _write_csv
        written = {}
        for table, rows in tables.items():
            path = folder / name.format(table.name)
            with replaced(path) as new:
                written[path] = write(new, table, rows)
    return written


def _description(database: Path) -> str:
    """Returns the metadata of a Psych-DS dataset (https://psych-ds.github.io), in the words of schema.org."""
    texts: dict[str, dict[str, None]] = {}
    for column in chain.from_iterable(table.columns for table in TABLES):
        texts.setdefault(column.name, {})[column.text] = None
    about = {
        "@context": "http://schema.org/",
        "@type": "Dataset",
        "name": database.stem,
        "description": "Games of PushWorld, recorded by pushworld. README.md explains all tables.",
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": "; or: ".join(each)}
            for name, each in texts.items()
        ],
    }
    return json.dumps(about, indent=2, ensure_ascii=False) + "\n"


def _write_csv(path: Path, table: Table, rows: Rows) -> int:
    names = [column.name for column in table.columns]
    outside = [index for index, name in enumerate(names) if name in BY_PARTICIPANTS]
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for count, row in enumerate(rows, start=1):  # noqa: B007
            cells = [str(each).upper() if isinstance(each, bool) else each for each in row]
            for index in outside:
                cells[index] = _harmless(cells[index])
            writer.writerow(cells)
    return count


def _harmless(text: str | None) -> str | None:
    """Returns a text that no spreadsheet takes for a formula."""
    if text and _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _write_parquet(path: Path, table: Table, rows: Rows) -> int:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise PushWorldError(
            "Parquet files need pyarrow: run pip install 'pushworld[traces]', or write a .csv file"
        ) from error
    types = {int: arrow.int64(), float: arrow.float64(), str: arrow.string(), bool: arrow.bool_()}
    schema = arrow.schema(
        [
            arrow.field(each.name, types[each.type], each.nullable, {"description": each.text})
            for each in table.columns
        ]
    )
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        waiting = iter(rows)
        while batch := list(islice(waiting, BATCH_ROWS)):
            arrays = [
                arrow.array(values, field.type)
                for values, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count
