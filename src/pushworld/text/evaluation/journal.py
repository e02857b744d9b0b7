"""The folder of an evaluation: its settings, its tasks, and every answer as soon as it arrives."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pushworld.files import locked_folder, write_text
from pushworld.journal import Kind, Row, append_rows, open_journal, read_rows
from pushworld.puzzle import PushWorldError
from pushworld.text import CANARY, Task
from pushworld.text.evaluation.responses import MOST_CHARACTERS
from pushworld.text.evaluation.settings import Settings

JOURNAL = "journal.jsonl"
TASKS = "tasks.jsonl"
KEYS: dict[str, Kind] = {"task": str, "turn": int}
PAIRS = {"tokens", "games"}
VERSION = 2
DAMAGED = "remove the folder or name another"


class EvaluationError(PushWorldError):
    """A folder is not that of an evaluation, or is damaged."""


@dataclass(frozen=True)
class Turn:
    """One exchange with a model about a task."""

    task: str  # its key
    turn: int  # counts the answers to the task from 0
    answer: str | None = None  # None if there is none
    error: str = ""  # why there is none; such a turn is asked again
    reasoning: str = ""
    finish: str = ""
    tokens: tuple[int, int] = (0, 0)
    games: tuple[int, int] | None = None  # of people: how many were right, and how many there were
    requests: int = 0
    seconds: float = 0.0
    date: str = ""

    def to_row(self) -> Row:
        """Returns the turn as data for JSON, without what is as by default."""
        row = vars(self) | {"seconds": round(self.seconds, 3)}
        return {key: row[key] for key in row if row[key] != getattr(Turn, key, None)}

    @classmethod
    def from_row(cls, row: Row) -> Turn:
        """Returns the turn; raises TypeError or ValueError if the row is not a turn."""
        texts = [row["task"], "" if row.get("answer") is None else row["answer"]]
        texts += [row.get(name, "") for name in ("error", "reasoning", "finish", "date")]
        if any(not isinstance(text, str) or len(text) > MOST_CHARACTERS for text in texts):
            raise TypeError("no text, or too long")
        pairs = {name: (int(row[name][0]), int(row[name][1])) for name in PAIRS & row.keys()}
        won, played = pairs.get("games", (0, 0))
        if not 0 <= won <= played:
            raise ValueError("more games were won than played")
        numbers = {"turn": int(row["turn"]), "requests": int(row.get("requests", 0))}
        return cls(**{**row, **pairs, **numbers, "seconds": float(row.get("seconds", 0))})


@dataclass
class Evaluation:
    """The content of a folder: turns by the keys of tasks, and the last error of each task that has some."""

    path: Path
    settings: Settings
    tasks: dict[str, Task]
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    errors: dict[str, Turn] = field(default_factory=dict)
    requests: int = 0
    tokens: int = 0

    def append(self, turn: Turn) -> None:
        """Adds a turn, which is on the disk when this returns."""
        append_rows(self.path / JOURNAL, [turn.to_row()])
        self.add(turn)

    def add(self, turn: Turn) -> None:
        """Adds a turn that follows those that are there."""
        self.requests += turn.requests
        self.tokens += sum(turn.tokens)
        if turn.error:
            self.errors[turn.task] = turn
            return
        turns = self.turns.setdefault(turn.task, [])
        if turn.task not in self.tasks or turn.turn != len(turns):
            told = f"turn {turn.turn + 1} of task {turn.task} does not follow the turns before it"
            raise EvaluationError(f"{self.path / JOURNAL} is damaged: {told}")
        turns.append(turn)


def read_evaluation(path: str | os.PathLike[str]) -> Evaluation:
    """Returns the evaluation in a folder, which another process may be adding to."""
    folder = Path(path)
    if not (folder / JOURNAL).is_file():
        raise EvaluationError(
            f"{folder} holds no evaluation: `pushworld llm evaluate -o {folder}` puts one there"
        )
    first, *rows = read_rows(folder / JOURNAL, {}, DAMAGED) or [{}]
    try:
        if first["journal"] != VERSION:
            raise EvaluationError(f"{folder / JOURNAL} is of another version of this package")
        settings = Settings.from_json(first)
        found = Evaluation(folder, settings, _read_tasks(folder / TASKS))
        for row in rows:
            found.add(Turn.from_row(row))
    except EvaluationError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise EvaluationError(f"{folder / JOURNAL} is damaged ({error})") from error
    return found


def find_evaluations(paths: Iterable[str | os.PathLike[str]]) -> list[Evaluation]:
    """Returns the evaluations in folders, or in the folders inside them; each once."""
    found: dict[Path, Evaluation] = {}
    for path in map(Path, paths):
        inside = sorted(file.parent for file in path.glob(f"*/{JOURNAL}"))
        for folder in [path] if (path / JOURNAL).exists() or not inside else inside:
            found[folder.resolve()] = read_evaluation(folder)
    return list(found.values())


@contextmanager
def opened_journal(path: Path, settings: Settings, tasks: Sequence[Task]) -> Iterator[Evaluation]:
    """Yields the evaluation in a folder, whose journal `append` writes; raises PushWorldError."""
    request = {"journal": VERSION, "canary": CANARY, **settings.to_json()}
    with locked_folder(path):
        open_journal(path / JOURNAL, request, KEYS)
        if not (path / TASKS).exists():
            rows = [{"canary": CANARY}, *({"key": task.key, **task.to_json()} for task in tasks)]
            write_text(path / TASKS, "".join(json.dumps(row) + "\n" for row in rows))
        yield read_evaluation(path)


def digest_of_tasks(tasks: Iterable[Task], prompts: Iterable[str]) -> str:
    """Returns a digest of what a model is asked."""
    state = hashlib.sha256()
    for task, prompt in zip(tasks, prompts, strict=True):
        state.update(f"{task.key}\0{task.difficulty}\0{task.best_known}\0".encode())
        state.update(prompt.encode() + b"\0")
    return state.hexdigest()[:16]


def _read_tasks(path: Path) -> dict[str, Task]:
    tasks = {}
    for row in read_rows(path, {}, DAMAGED):
        if "canary" in row:
            continue
        key, task = row.pop("key"), Task.from_json(row)
        wrong = {
            "has another digest": task.key != key,
            "has a plan that does not solve it": task.plan and not task.puzzle.validate(task.plan),
            "is no task": not isinstance(task.best_known, int | None) or not task.puzzle.goal,
        }
        for what in (what for what, found in wrong.items() if found):
            raise EvaluationError(f"{path} is damaged: {key} {what}")
        tasks[key] = task
    return tasks
