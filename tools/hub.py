"""Writes folders that data and model hubs take as they are: the package's sets of puzzles, and its agents.

    python tools/hub.py build/hub [--level0 2000] [--minari Bundled Base-Test]

A folder of a set has `puzzles.jsonl`, `croissant.json` (https://mlcommons.org/croissant) and a card with a datasheet; one of an
agent has its file and its card. `minari/` has the best plans known as episodes of environments, for offline learning
(https://minari.farama.org). Nothing is uploaded; `mlcroissant validate --jsonld FILE` checks metadata.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari

from pushworld import __version__
from pushworld.datasets.generated import LEVEL0_DISTRIBUTIONS, PuzzleStream
from pushworld.envs.registration import environment_sets
from pushworld.files import make_folder, write_text
from pushworld.puzzle import PushWorldError, parse_plan
from pushworld.rl.agents import SHIPPED
from pushworld.text import CANARY, Task, tasks

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.release import ROOT, read_citation

FILE = "puzzles.jsonl"
CARDS = Path(__file__).with_name("cards")
COLUMNS, ABOUT = tomllib.loads((CARDS / "cards.toml").read_text("utf-8")).values()
"""The type and text of each column; the title, purpose, source and use of each set."""
CROISSANT: dict[str, Any] = json.loads((CARDS / "croissant.json").read_text("utf-8"))
"""What the metadata of all sets have in common."""

CONTEXT = CROISSANT["@context"]
CONTEXT |= {term: f"cr:{term}" for term in CONTEXT.pop("terms")}

Row = dict[str, Any]


def rows_of(name: str, level0: int) -> Iterator[Row]:
    """Yields the rows of a set."""
    if name != "level0":
        for task in tasks(name):
            yield _row(task, name, "test")
        return
    for part, distribution in LEVEL0_DISTRIBUTIONS.items():
        for split, count in (("train", level0), ("test", level0 // 10)):
            batch = PuzzleStream(distribution, 0, split).batch(count)  # type: ignore[arg-type]
            for index in range(count):
                puzzle = batch.puzzle(index, f"{part}-{split}-{index}")
                task = Task(puzzle.name, puzzle, "", 0, shortest=True, plan=batch.plan(index))
                yield _row(task, part, split)


def _row(task: Task, part: str, split: str) -> Row:
    text, plan = task.puzzle.to_pwp(), task.plan or ""
    values = (task.name, part, split, task.difficulty, text, plan, len(plan), task.shortest)
    return dict(zip(COLUMNS, (*values, ",".join(task.skills)), strict=True))


def croissant(name: str, data: bytes) -> dict[str, Any]:
    """Returns the Croissant metadata of a set."""
    source = {"fileObject": {"@id": FILE}}
    fields = [
        {"@type": "cr:Field", "@id": f"puzzles/{column}", "name": column, "description": text}
        | {"dataType": kind, "source": source | {"extract": {"column": column}}}
        for column, (kind, text) in COLUMNS.items()
    ]
    file = {"@type": "cr:FileObject", "@id": FILE, "name": FILE, "contentUrl": FILE}
    file |= {"encodingFormat": "application/jsonlines", "sha256": hashlib.sha256(data).hexdigest()}
    return CROISSANT | {
        "name": f"pushworld-{name}",
        "description": f"{ABOUT[name]['purpose']} {ABOUT[name]['source']}",
        "version": __version__,
        "datePublished": read_citation(ROOT)["date-released"],
        "distribution": [file],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "puzzles", "name": "puzzles", "field": fields}],
    }  # fmt: skip


def card(name: str, rows: list[Row]) -> str:
    """Returns the card of a set, with a datasheet."""
    lengths, about = sorted(row["length"] for row in rows), ABOUT[name]
    return (CARDS / "set.md").read_text("utf-8").format(
        **about | {"use": about["use"].format(canary=CANARY)},
        file=FILE,
        split="_and_".join(sorted({row["split"] for row in rows})),
        columns="\n".join(f"| `{each}` | {text} |" for each, (_, text) in COLUMNS.items()),
        count=len(rows),
        shortest=lengths[0],
        longest=lengths[-1],
        median=lengths[len(lengths) // 2],
        version=__version__,
    )  # fmt: skip


def write(folder: Path, level0: int) -> Iterator[Path]:
    """Writes the folders of sets and agents, and yields each."""
    for name in ABOUT:
        target = make_folder(folder / "datasets" / f"pushworld-{name}")
        rows = list(rows_of(name, level0))
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        (target / FILE).write_bytes(data)
        write_text(target / "croissant.json", json.dumps(croissant(name, data), indent=2))
        write_text(target / "README.md", card(name, rows))
        yield target
    for agent in sorted(SHIPPED.glob("*.zip")):
        target = make_folder(folder / "models" / f"pushworld-{agent.stem}")
        shutil.copyfile(agent, target / "agent.zip")
        header, text = CARDS / "agent.md", agent.with_suffix(".md")
        write_text(target / "README.md", header.read_text("utf-8") + text.read_text("utf-8"))
        yield target


def write_minari(folder: Path, name: str) -> str:
    """Writes plans as episodes of the environment ``PushWorld/NAME-v0``; returns the id of the dataset."""
    os.environ["MINARI_DATASETS_PATH"] = str(make_folder(folder).absolute())
    env = minari.DataCollector(gymnasium.make(f"pushworld:PushWorld/{name}-v0"))
    for task in tasks(environment_sets()[f"PushWorld/{name}-v0"][0] or name):
        env.reset(seed=0, options={"puzzle": task.puzzle.name})
        for action in parse_plan(task.plan or ""):
            env.step(action)
    made = f"pushworld/{name.lower()}/expert-v0"
    env.create_dataset(
        made,
        env.spec,
        algorithm_name="planners of pushworld, and people",
        description="The best plans known, one episode a puzzle.",
        author=CROISSANT["creator"]["name"],
        author_email="-",
        code_permalink=CROISSANT["url"],
    )
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write folders for data and model hubs.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level0", type=int, default=2000, help="training puzzles of each set")
    parser.add_argument("--minari", nargs="*", default=["Bundled"], help="PushWorld/NAME-v0")
    options = parser.parse_args()
    try:
        for each in write(options.folder, options.level0):
            print(each)
        for each in options.minari:
            print(write_minari(options.folder / "minari", each))
    except PushWorldError as error:
        sys.exit(str(error))
