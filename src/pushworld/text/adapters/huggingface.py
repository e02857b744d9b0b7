"""Tasks as a dataset for Hugging Face ``datasets``: a Parquet file and its card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from pushworld.files import make_folder, replaced, write_text
from pushworld.puzzle import PushWorldError
from pushworld.text import CANARY, Task, describe, one_shot_prompt, picture
from pushworld.text.adapters import needs

with needs("hf"):
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS_PER_GROUP = 100

Column = tuple[pa.DataType, dict[str, Any], str]


def _value(arrow: pa.DataType, description: str) -> Column:
    return arrow, {"dtype": str(arrow), "_type": "Value"}, description


COLUMNS: dict[str, Column] = {
    "name": _value(pa.string(), "name of the puzzle; no prompt contains it"),
    "set": _value(pa.string(), "set or generator that the puzzle comes from"),
    "level": _value(pa.int32(), "level, or step of difficulty of a generated puzzle"),
    "puzzle": _value(pa.string(), "the puzzle as a `.pwp` file"),
    "text": _value(pa.string(), "the puzzle as text for a model"),
    "prompt": _value(pa.string(), "rules, puzzle, and how to answer"),
    "picture": (
        pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        {"_type": "Image"},
        "the puzzle as a picture",
    ),
    "plan": _value(pa.string(), "best plan known, over `LRUD`; null if none is known"),
    "length": _value(pa.int32(), "number of its actions"),
    "shortest": _value(pa.bool_(), "whether it is proved that no plan is shorter"),
    "skills": (
        pa.list_(pa.string()),
        {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"},
        "tags of what the puzzle demands; empty if nobody has analysed it",
    ),
    "canary": _value(pa.string(), "the canary string"),
}
"""The type of each column for Arrow and for ``datasets``, and what it holds."""


def export_dataset(
    tasks: Iterable[Task],
    folder: Path,
    *,
    split: str = "test",
    format: str = "grid",
    notation: str = "letters",
    progress: Callable[[int], object] = lambda rows: None,
) -> int:
    """Writes ``data/SPLIT.parquet`` and the card ``README.md`` into a folder.

    The Parquet file appears when it is complete. Other splits in the folder stay, and the card shows
    them too.

    Args:
        format, notation: of the columns text and prompt.
        progress: called with the number of rows written so far.

    Returns:
        The number of rows.

    Raises:
        PushWorldError: if the name of the split is not valid, or an argument is wrong.
    """
    if not re.fullmatch(r"[A-Za-z]\w*", split, re.ASCII):
        raise PushWorldError(f"a split is named with letters, digits and _, not {split!r}")
    target = folder / "data" / f"{split}.parquet"
    make_folder(target.parent)
    features = {name: feature for name, (_, feature, _) in COLUMNS.items()}
    schema = pa.schema(
        [(name, arrow) for name, (arrow, _, _) in COLUMNS.items()],
        {"huggingface": json.dumps({"info": {"features": features}})},
    )
    remaining, rows = iter(tasks), 0
    with (
        replaced(target) as new,
        pq.ParquetWriter(new, schema, compression="zstd") as writer,
    ):
        while group := list(islice(remaining, ROWS_PER_GROUP)):
            content = []
            for task in group:
                content.append(_row(task, format, notation))
                rows += 1
                progress(rows)
            writer.write_table(pa.Table.from_pylist(content, schema))
    write_text(folder / "README.md", _card(folder))
    return rows


def _row(task: Task, format: str, notation: str) -> dict[str, Any]:
    return {
        "name": task.name,
        "set": task.set,
        "level": task.difficulty,
        "puzzle": task.puzzle.to_pwp(),
        "text": describe(task.puzzle, format=format),
        "prompt": one_shot_prompt(task.puzzle, format=format, notation=notation),
        "picture": {"bytes": picture(task.puzzle), "path": None},
        "plan": task.plan,
        "length": task.best_known,
        "shortest": task.shortest,
        "skills": list(task.skills),
        "canary": CANARY,
    }


def _card(folder: Path) -> str:
    """Returns the card of a folder. It holds no name of a set, which may come from a stranger."""
    splits = {path.stem: pq.read_metadata(path) for path in sorted(folder.glob("data/*.parquet"))}
    files = "\n".join(f"  - split: {split}\n    path: data/{split}.parquet" for split in splits)
    counts = "\n".join(f"- `{split}`: {data.num_rows:,} puzzles" for split, data in splits.items())
    columns = "\n".join(f"| `{name}` | {text} |" for name, (_, _, text) in COLUMNS.items())
    return f"""\
---
pretty_name: PushWorld
tags:
- planning
- puzzles
- reasoning
- vision
configs:
- config_name: default
  data_files:
{files}
---

# PushWorld

Puzzles on a grid: an agent pushes rigid objects, which push each other, until all objects with goals
stand on their outlines. Written by `pushworld llm export` of PushWorld {version("pushworld")}.

{counts}

| column | holds |
| --- | --- |
{columns}

```python
from datasets import load_dataset

puzzles = load_dataset("parquet", data_files="data/{next(iter(splits))}.parquet", split="train")
```

The reward of an answer, from 0 to 1, comes from replaying its plan:

```python
from pushworld import Puzzle
from pushworld.text import reward

reward(Puzzle.parse(row["puzzle"]), answer, best_known=row["length"])
```

{CANARY}
"""
