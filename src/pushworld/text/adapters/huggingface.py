"""Tasks as a dataset for Hugging Face ``datasets``: a Parquet file and its card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from importlib import resources
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

ROWS_PER_GROUP = 50

PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
COLUMNS = {
    "name": (pa.string(), "name of the puzzle; no prompt contains it"),
    "set": (pa.string(), "set or generator that the puzzle comes from"),
    "level": (pa.int32(), "level, or step of difficulty of a generated puzzle"),
    "puzzle": (pa.string(), "the puzzle as a `.pwp` file"),
    "text": (pa.string(), "the puzzle as text for a model"),
    "prompt": (pa.string(), "rules, puzzle, and how to answer"),
    "picture": (PICTURE, "the puzzle as a picture"),
    "plan": (pa.string(), "best plan known, over `LRUD`; null if none is known"),
    "length": (pa.int32(), "number of its actions"),
    "shortest": (pa.bool_(), "whether it is proved that no plan is shorter"),
    "skills": (pa.list_(pa.string()), "tags of what it demands; empty if nobody has analysed it"),
    "canary": (pa.string(), "the canary string"),
}
"""The type of each column, and what it holds."""

FEATURES = {name: {"dtype": str(kind), "_type": "Value"} for name, (kind, _) in COLUMNS.items()} | {
    "picture": {"_type": "Image"},
    "skills": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"},
}
"""The same for ``datasets``."""


def export_dataset(
    tasks: Iterable[Task],
    folder: Path,
    *,
    split: str = "test",
    format: str = "grid",
    notation: str = "letters",
    progress: Callable[[int], object] = lambda rows: None,
) -> int:
    """Writes ``data/SPLIT.parquet`` and the card ``README.md`` into a folder, and returns the number of rows.

    The Parquet file appears when it is complete. Other splits in the folder stay, and the card shows
    them too. `format` and `notation` are of the columns text and prompt.
    """
    if not re.fullmatch(r"[A-Za-z]\w*", split, re.ASCII):
        raise PushWorldError(f"a split is named with letters, digits and _, not {split!r}")
    target = folder / "data" / f"{split}.parquet"
    make_folder(target.parent)
    schema = pa.schema(
        [(name, kind) for name, (kind, _) in COLUMNS.items()],
        {"huggingface": json.dumps({"info": {"features": FEATURES}})},
    )
    content, rows = (_row(task, format, notation) for task in tasks), 0
    with replaced(target) as new, pq.ParquetWriter(new, schema, compression="zstd") as writer:
        while group := list(islice(content, ROWS_PER_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))
            rows += len(group)
            progress(rows)
    write_text(folder / "README.md", _card(folder))
    return rows


def _row(task: Task, format: str, notation: str) -> dict[str, Any]:
    made = {
        "level": task.difficulty,
        "text": describe(task.puzzle, format=format),
        "prompt": one_shot_prompt(task.puzzle, format=format, notation=notation),
        "picture": {"bytes": picture(task.puzzle), "path": None},
        "length": task.best_known,
        "canary": CANARY,
    }
    return {name: value for name, value in (task.to_json() | made).items() if name in COLUMNS}


def _card(folder: Path) -> str:
    """Returns the card of a folder. It holds no name of a set, which may come from a stranger."""
    splits = {path.stem: pq.read_metadata(path) for path in sorted(folder.glob("data/*.parquet"))}
    files = "\n".join(f"  - split: {split}\n    path: data/{split}.parquet" for split in splits)
    counts = "\n".join(f"- `{split}`: {data.num_rows:,} puzzles" for split, data in splits.items())
    columns = "\n".join(f"| `{name}` | {text} |" for name, (_, text) in COLUMNS.items())
    parts = {"files": files, "version": version("pushworld"), "counts": counts, "columns": columns}
    parts |= {"split": next(iter(splits)), "canary": CANARY}
    text = (resources.files(__package__) / "card.md").read_text(encoding="utf-8")
    return re.sub(r"<(\w+)>", lambda found: parts[found[1]], text)
