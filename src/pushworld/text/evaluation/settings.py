"""What an evaluation is made of: who answers, which tasks, and how they are asked."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from pushworld.puzzle import PushWorldError
from pushworld.text import FORMATS, KINDS, NOTATIONS
from pushworld.text.tasks import ENDLESS

Mode = Literal["one-shot", "interactive"]
MODES: tuple[Mode, ...] = get_args(Mode)

Kind = Literal["model", "baseline"]

ONLY_PICTURE = "none"
"""The format of prompts in which only a picture shows the puzzle."""

PRIVATE = "private "
SHORTEST_SECRET = 16

OURS = ("model", "messages", "stream", "n")
"""Parameters of a request that the evaluation sets itself."""


@dataclass(frozen=True)
class Settings:
    """The settings that all answers in a folder share.

    Attributes:
        name: of the model or baseline, as the report shows it.
        kind: ``model`` or ``baseline``.
        endpoint: the address of the model's endpoint; empty for a baseline.
        model: the model's name there, or the baseline's.
        sources: sets of tasks, as `pushworld.text.tasks` takes them.
        limit: how many tasks of each; None for all.
        tasks_seed: the seed of generated tasks, and of the choice under a limit; of a private seed, only
            what `hidden_seed` returns.
        asks: what is asked about each puzzle, of `pushworld.text.KINDS`.
        samples: how often each is asked.
        mode: ``one-shot`` asks for the whole plan, ``interactive`` shows the effect of each answer.
        format: how a prompt shows the puzzle; ``none`` if only its picture does.
        notation: how an answer writes moves.
        picture: whether each observation has a picture too.
        budget: moves of an episode; None for four times the best plan known, at least 40.
        undo: whether an episode offers undo.
        max_turns: answers of an episode.
        history: how many of the last exchanges of an episode are sent; None for all.
        body: further parameters of each request, such as ``temperature`` and ``seed``.
        task_seconds: seconds that a model may take for a task in all; None for no limit.
        version: of the package.
        digest: of all tasks and prompts.
    """

    name: str
    model: str
    sources: tuple[str, ...]
    kind: Kind = "model"
    endpoint: str = ""
    limit: int | None = None
    tasks_seed: str = "0"
    asks: tuple[str, ...] = ("plan",)
    samples: int = 1
    mode: Mode = "one-shot"
    format: str = "grid"
    notation: str = "letters"
    picture: bool = False
    budget: int | None = None
    undo: bool = False
    max_turns: int = 100
    history: int | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    task_seconds: float | None = None
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
        for what, number, least in (
            ("the number of tasks", self.limit, 1),
            ("the number of samples", self.samples, 1),
            ("the budget of moves", self.budget, 1),
            ("the number of answers in an episode", self.max_turns, 1),
            ("the number of exchanges that are sent", self.history, 0),
        ):
            if number is not None and number < least:
                raise PushWorldError(f"{what} must be {least} or more, not {number}")
        if self.format == ONLY_PICTURE and not self.picture:
            raise PushWorldError("without a text the model needs a picture: --picture")
        if self.task_seconds is not None and not 0 < self.task_seconds < math.inf:
            raise PushWorldError(
                f"the seconds for a task must be a positive number, not {self.task_seconds:g}"
            )
        if ours := [name for name in OURS if name in self.body]:
            raise PushWorldError(
                f"the evaluation sets {ours[0]!r} itself: leave it out of the extra parameters"
            )
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
    def private(self) -> bool:
        """Whether the tasks come from a seed that the settings do not tell."""
        return self.tasks_seed.startswith(PRIVATE)

    @property
    def endless(self) -> bool:
        """Whether a source has no end without a limit."""
        return any(source.startswith(ENDLESS) for source in self.sources)

    def summary(self) -> str:
        """Returns how the tasks were asked, in a few words."""
        if self.kind == "baseline":
            return "plans of a program"
        parts = [
            "" if self.samples == 1 else f"{self.samples} samples",
            self.mode,
            self.written_format or "no text",
            self.notation,
        ]
        if self.picture:
            parts.append("with pictures")
        if self.mode == "interactive":
            parts += [f"{self.budget} moves"] if self.budget else []
            parts += [f"at most {self.max_turns} answers", *["undo"] * self.undo]
            parts += [] if self.history is None else [f"the last {self.history} exchanges sent"]
        parts += [f"{self.task_seconds:g} s a task"] if self.task_seconds else []
        parts += [f"{key} {value}" for key, value in self.body.items()]
        return ", ".join(filter(None, parts))


def hidden_seed(seed: str) -> str:
    """Returns what settings tell about a private seed: a digest, by which its holder can prove it.

    Raises:
        PushWorldError: if the seed is so short that others can guess it.
    """
    if len(seed) < SHORTEST_SECRET:
        raise PushWorldError(
            f"a private seed needs at least {SHORTEST_SECRET} characters: take a long random text"
        )
    return PRIVATE + hashlib.sha256(f"PushWorld private seed {seed}".encode()).hexdigest()[:16]
