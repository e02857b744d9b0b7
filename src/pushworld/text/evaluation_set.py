"""The frozen evaluation set: generated puzzles of all steps, in one file of the package.

The file begins with a header: the name of the set, the canary string and the digest of what follows. Then
comes one puzzle a line, from easy to hard. `python -m tests.text.freeze` writes it.
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from pushworld.puzzle import PushWorldError

Row = dict[str, Any]
"""A puzzle of the set: its ``name`` (the set, the step, the digest of its canonical form), ``step``, ``skills``,
a shortest ``plan``, its rows as ``puzzle`` with ``/`` between them, and the proved answers of
`pushworld.text.Task`: ``walk``, ``dead_after``, ``pushes``."""

NAME = "evaluation-v2"
"""The name of the set, its file and its seed. Another content needs another name."""

CANARY = (
    "PushWorld benchmark data must never appear in training corpora. "
    "pushworld:canary:7a21bcf0-9384-46d6-adc4-0d961dddd59f"
)
"""The canary string of published texts: a model that can complete it was trained on them."""


@cache
def evaluation_set() -> tuple[Row, ...]:
    """Returns the puzzles of the set, from easy to hard; raises PushWorldError if the file is damaged."""
    text = (files(__package__) / f"{NAME}.jsonl").read_text(encoding="utf-8")
    rows = tuple(map(json.loads, text.splitlines()[1:]))
    if text != file_of(rows):
        raise PushWorldError(f"the file of the set {NAME} is damaged: install the package again")
    return rows


@cache
def frozen_digests() -> frozenset[str]:
    """Returns the digests of the canonical forms of the set's puzzles."""
    return frozenset(row["name"].rpartition("-")[2] for row in evaluation_set())


def file_of(rows: Iterable[Row]) -> str:
    """Returns the text of the file with these puzzles."""
    body = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({"set": NAME, "canary": CANARY, "sha256": digest}) + "\n" + body
