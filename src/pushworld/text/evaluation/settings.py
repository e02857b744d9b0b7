"""What an evaluation is made of: who answers, which tasks, and how they are asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from pushworld.puzzle import PushWorldError
from pushworld.text import FORMATS, KINDS, NOTATIONS, Task, all_asked, tasks
from pushworld.text.tasks import ENDLESS

MODES = ("one-shot", "interactive")

ONLY_PICTURE = "none"
"""The format of prompts in which only a picture shows the puzzle."""

PEOPLE = "people"
"""The name of the baseline whose answers are those of people."""

PRIVATE = "private "
SHORTEST_SECRET = 16

OURS = ("model", "messages", "stream", "n")
"""Parameters of a request that the evaluation sets itself."""


@dataclass(frozen=True)
class Settings:
    """The settings that all answers in a folder share; most are options of ``pushworld llm evaluate``."""

    name: str  # of the model or baseline, as the report shows it
    model: str  # the model's name at its endpoint, or the baseline's
    # sources, limit: sets of tasks, as `pushworld.text.tasks` takes them, and how many tasks of
    # each
    sources: tuple[str, ...]
    # ``model`` or ``baseline``; the endpoint of a baseline is empty
    kind: Literal["model", "baseline"] = "model"
    endpoint: str = ""
    limit: int | None = None
    tasks_seed: str = "0"  # of a private seed, only what `hidden_seed` returns
    asks: tuple[str, ...] = ("plan",)  # what is asked about each puzzle, of `pushworld.text.KINDS`
    samples: int = 1
    mode: str = "one-shot"
    format: str = "grid"
    notation: str = "letters"
    picture: bool = False
    budget: int | None = None
    undo: bool = False
    max_turns: int = 100
    history: int | None = None
    # further parameters of each request, such as ``temperature`` and ``seed``
    body: Mapping[str, Any] = field(default_factory=dict)
    # version, digest: of the package, and of all tasks and prompts
    version: str = ""
    digest: str = ""

    def check(self) -> None:
        """Raises PushWorldError if a setting makes no sense."""
        texts = (self.name, self.endpoint, self.model, self.tasks_seed, self.version, self.digest)
        if not all(isinstance(text, str) for text in (*texts, *self.sources)):
            raise PushWorldError("names, sources, seeds and versions must be texts")
        for what, value, known in (
            *(("task", each, KINDS) for each in self.asks),
            ("mode", self.mode, MODES),
            ("format", self.format, (*FORMATS, ONLY_PICTURE)),
            ("notation", self.notation, NOTATIONS),
        ):
            if value not in known:
                raise PushWorldError(f"there is no {what} {value!r}: use {' or '.join(known)}")
        numbers = {
            "the number of tasks": (self.limit, 1),
            "the number of samples": (self.samples, 1),
            "the budget of moves": (self.budget, 1),
            "the number of answers in an episode": (self.max_turns, 1),
            "the number of exchanges that are sent": (self.history, 0),
        }
        for what, (number, least) in numbers.items():
            if number is not None and number < least:
                raise PushWorldError(f"{what} must be {least} or more, not {number}")
        if self.format == ONLY_PICTURE and not self.picture:
            raise PushWorldError("without a text the model needs a picture: --picture")
        for name in OURS:
            if name in self.body:
                advice = "leave it out of the extra parameters"
                raise PushWorldError(f"the evaluation sets {name!r} itself: {advice}")
        if not self.name.strip() or not self.model.strip():
            raise PushWorldError("the model needs a name: --model NAME")

    def to_json(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Settings:
        """Returns the settings; raises KeyError, TypeError or PushWorldError for anything else."""
        known = {each.name: values[each.name] for each in fields(cls)}
        settings = cls(**known | {key: tuple(values[key]) for key in ("sources", "asks")})
        settings.check()
        return settings

    @property
    def written_format(self) -> str | None:
        """The format of texts, or None if only pictures show the puzzle."""
        return None if self.format == ONLY_PICTURE else self.format

    @property
    def shown(self) -> dict[str, Any]:
        """How prompts show a puzzle, as `prompt_for` and `Episode` take it."""
        return {"format": self.written_format, "notation": self.notation, "picture": self.picture}

    @property
    def endless(self) -> bool:
        """Whether a source has no end without a limit."""
        return any(source.startswith(ENDLESS) for source in self.sources)

    def summary(self) -> str:
        """Returns how the tasks were asked, in a few words."""
        if self.kind == "baseline":
            return "answers of a program"
        in_turns, history = self.mode == "interactive", self.history
        parts = {
            f"{self.samples} samples": self.samples > 1,
            self.mode: True,
            self.written_format or "no text": True,
            self.notation: True,
            "with pictures": self.picture,
            f"{self.budget} moves": in_turns and self.budget,
            f"at most {self.max_turns} answers": in_turns,
            "undo": in_turns and self.undo,
            f"the last {history} exchanges sent": in_turns and history is not None,
        } | {f"{key} {value}": True for key, value in self.body.items()}
        return ", ".join(part for part, told in parts.items() if told)


def hidden_seed(seed: str) -> str:
    """Returns what settings tell about a private seed: a digest, by which its holder can prove it."""
    if len(seed) < SHORTEST_SECRET:
        raise PushWorldError(
            f"a private seed needs at least {SHORTEST_SECRET} characters: take a long random text"
        )
    return PRIVATE + hashlib.sha256(f"PushWorld private seed {seed}".encode()).hexdigest()[:16]


def tasks_of(settings: Settings, seed: str | None = None) -> dict[str, Task]:
    """Returns the tasks of an evaluation by their keys; `seed` is the private one, if they have one."""
    private = settings.tasks_seed.startswith(PRIVATE)
    if private and (seed is None or hidden_seed(seed) != settings.tasks_seed):
        raise PushWorldError("the tasks come from a private seed, and this is not it")
    if settings.endless and settings.limit is None:
        raise PushWorldError("generated tasks have no end: say how many with --limit")
    chosen = settings.tasks_seed if seed is None else seed
    found: dict[str, Task] = {}
    for source in settings.sources:
        for each in all_asked(tasks(source, limit=settings.limit, seed=chosen), settings.asks):
            for sample in range(settings.samples):
                found.setdefault((one := replace(each, sample=sample)).key, one)
    if not found:
        raise PushWorldError("there are no tasks: name a set, such as evaluation")
    return found
