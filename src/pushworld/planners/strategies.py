"""Strategies of the default planner: values that can be printed, parsed, combined and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args

from pushworld import _native
from pushworld.files import read_toml
from pushworld.puzzle import PushWorldError

Feature = Literal["displaced", "goal-facts", "moved", "affordances"]
"""A set by which an open list sorts states into buckets: the objects that are not where they were at
the start; the goals that hold and the pairs of goal objects that stand as their goals do; the objects
that the last push moved; what the state before the last push offered."""

Evaluator = Literal["novelty", "rgd", "cost"]
"""A value that orders states, lowest first: pair novelty; the recursive graph distance; the guided
cost, which is pushes so far + 2 x pushes still needed + 4 x blockers."""

Commitment = Literal["none", "single", "any"]
"""Which pushed objects the search goes on pushing until something new is possible: none; single
objects; any set of objects that moves together."""

Objects = Literal["all", "few"]
"""What the search moves: all movables; or few of them, which it chooses by abstraction refinement."""

Goals = Literal["together", "in-turn"]
"""Which goals the search looks for: all together; or one after the other, in an order that it learns."""

FEATURES: tuple[Feature, ...] = get_args(Feature)
EVALUATORS: tuple[Evaluator, ...] = get_args(Evaluator)
COMMITMENTS: tuple[Commitment, ...] = get_args(Commitment)
OBJECTS: tuple[Objects, ...] = get_args(Objects)
GOALS: tuple[Goals, ...] = get_args(Goals)
FIFO = "fifo"
"""The word for an open list without evaluators: first in, first out."""

MOST_SHARE = 1000
NAME = re.compile(r"\w[\w.-]*")
EXAMPLE = "affordances: cost; goal-facts: novelty, cost | commitment any | share 2"

Word = TypeVar("Word", bound=str)
_ALLOWED_EVALUATORS = f"{', '.join(EVALUATORS)}, or {FIFO} alone"


@dataclass(frozen=True)
class OpenList:
    """An open list: what its buckets have in common, and the order within a bucket.

    Its text is ``FEATURE + FEATURE: EVALUATOR, EVALUATOR``.

    Attributes:
        features: states with the same values of all features are in one bucket, and the buckets take
            turns; without features all states are in one bucket. Sorted as in `FEATURES`.
        evaluators: the first decides, the others break its ties; among equals, and without
            evaluators (``fifo``), the oldest state comes first.
    """

    features: tuple[Feature, ...] = ()
    evaluators: tuple[Evaluator, ...] = ()

    def __post_init__(self) -> None:
        features = _known_words("feature", self.features, FEATURES)
        object.__setattr__(self, "features", tuple(sorted(features, key=FEATURES.index)))
        evaluators = _known_words("evaluator", self.evaluators, EVALUATORS, _ALLOWED_EVALUATORS)
        object.__setattr__(self, "evaluators", evaluators)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the open list of a text.

        Raises:
            PushWorldError: if the text is wrong; the message says what is allowed.
        """
        features, colon, evaluators = text.rpartition(":")
        if text.strip() in FEATURES:
            raise PushWorldError(
                f"the open list {text.strip()!r} has a feature and no evaluators: write "
                f"'{text.strip()}: EVALUATOR', where EVALUATOR is {_ALLOWED_EVALUATORS}"
            )
        words: Any = () if evaluators.strip() == FIFO else evaluators.split(",")
        kinds: Any = features.split("+") if colon else ()
        return cls(kinds, words)

    def __str__(self) -> str:
        evaluators = ", ".join(self.evaluators) or FIFO
        return f"{' + '.join(self.features)}: {evaluators}" if self.features else evaluators


@dataclass(frozen=True)
class Strategy:
    """A search of the default planner.

    Its text is ``NAME = OPEN LIST; OPEN LIST | commitment WORD | objects WORD | goals WORD | share N``;
    all but the open lists may be left out.

    Attributes:
        open_lists: they take turns; at least one, all different.
        commitment: what the search commits itself to.
        share: its part of the time and memory of its thread, relative to other strategies.
        name: of letters, digits, ``-``, ``_`` and ``.``; empty if it has none.
        objects: what the search moves.
        goals: which goals it looks for at a time.
    """

    open_lists: tuple[OpenList, ...]
    commitment: Commitment = "none"
    share: int = 1
    name: str = ""
    objects: Objects = "all"
    goals: Goals = "together"

    def __post_init__(self) -> None:
        object.__setattr__(self, "open_lists", tuple(self.open_lists))
        if not self.open_lists:
            raise PushWorldError(f"a strategy needs an open list, such as '{EXAMPLE}'")
        if repeated := _repeated(self.open_lists):
            raise PushWorldError(f"the strategy has the open list '{repeated}' twice")
        _known_words("commitment", [self.commitment], COMMITMENTS)
        _known_words("kind of objects", [self.objects], OBJECTS)
        _known_words("way to goals", [self.goals], GOALS)
        is_number = isinstance(self.share, int) and not isinstance(self.share, bool)
        if not is_number or not 1 <= self.share <= MOST_SHARE:
            raise PushWorldError(
                f"the share of a strategy must be a whole number from 1 to {MOST_SHARE}, "
                f"not {self.share!r}"
            )
        if self.name and not NAME.fullmatch(self.name):
            raise PushWorldError(
                f"the name of a strategy has letters, digits, '-', '_' and '.', not {self.name!r}"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the strategy of a text.

        Raises:
            PushWorldError: if the text is wrong; the message says what is allowed.
        """
        name, equals, rest = text.rpartition("=")
        if equals and not NAME.fullmatch(name.strip()):
            raise PushWorldError(
                f"{name.strip()!r} before '=' is no name: names have letters, digits, '-', '_' and '.'"
            )
        lists, *parts = rest.split("|")
        if not lists.strip():
            raise PushWorldError(f"a strategy needs an open list, such as '{EXAMPLE}'")
        given: dict[str, Any] = {}
        for part in parts:
            key, _, value = part.strip().partition(" ")
            if key not in ("commitment", "objects", "goals", "share") or key in given or not value:
                raise PushWorldError(
                    f"{part.strip()!r} cannot be read: after '|' a strategy has at most one "
                    f"'commitment {'/'.join(COMMITMENTS)}', one 'objects {'/'.join(OBJECTS)}', one "
                    f"'goals {'/'.join(GOALS)}' and one 'share N'"
                )
            given[key] = value.strip()
        if re.fullmatch(r"[0-9]{1,9}", given.get("share", "")):
            given["share"] = int(given["share"])
        open_lists = tuple(OpenList.parse(each) for each in lists.split(";"))
        return cls(open_lists, name=name.strip(), **given)

    def __str__(self) -> str:
        name = f"{self.name} = " if self.name else ""
        commitment = f" | commitment {self.commitment}" if self.commitment != "none" else ""
        objects = f" | objects {self.objects}" if self.objects != "all" else ""
        goals = f" | goals {self.goals}" if self.goals != "together" else ""
        share = f" | share {self.share}" if self.share != 1 else ""
        return f"{name}{'; '.join(map(str, self.open_lists))}{commitment}{objects}{goals}{share}"

    def native(self) -> _native.StrategyValue:
        """Returns the value that the native module takes."""
        open_lists = [(each.features, each.evaluators) for each in self.open_lists]
        few, in_turn = self.objects == "few", self.goals == "in-turn"
        return self.name, open_lists, self.commitment, self.share, few, in_turn


@cache
def default_strategies() -> tuple[Strategy, ...]:
    """Returns the strategies of the default planner, in the order in which threads take them."""
    strategies = []
    for name, lists, word, share, few_objects, in_turn in _native.default_strategies():
        words: Any = lists
        open_lists = tuple(OpenList(features, evaluators) for features, evaluators in words)
        (commitment,) = _known_words("commitment", [word], COMMITMENTS)
        objects: Objects = "few" if few_objects else "all"
        goals: Goals = "in-turn" if in_turn else "together"
        strategies.append(Strategy(open_lists, commitment, share, name, objects, goals))
    return tuple(strategies)


def find_strategies(given: str) -> tuple[Strategy, ...]:
    """Returns the strategies that a user names.

    Args:
        given: the name of a default strategy, a file ``NAME.toml``, or the text of a strategy.

    Raises:
        PushWorldError: if it is none of these.
    """
    if given.endswith(".toml"):
        return load_strategies(Path(given))
    by_name = {strategy.name: strategy for strategy in default_strategies()}
    if given in by_name:
        return (by_name[given],)
    if NAME.fullmatch(given) and given not in (*EVALUATORS, FIFO):
        similar = get_close_matches(given.lower(), by_name)
        names = similar or by_name
        raise PushWorldError(
            f"there is no strategy {given!r}: give a name ({', '.join(names)}), a text such as "
            f"'{EXAMPLE}', or a file NAME.toml"
        )
    return (Strategy.parse(given),)


def load_strategies(path: Path) -> tuple[Strategy, ...]:
    """Returns the strategies of a TOML file: a table ``[strategies]`` of names and texts.

    Raises:
        PushWorldError: if the file cannot be read or holds something else.
    """
    content = read_toml(path)
    table = content.get("strategies")
    if not isinstance(table, dict) or not table or len(content) > 1:
        raise PushWorldError(
            f"{path}: a file of strategies has a table [strategies] with lines such as "
            f'my-strategy = "{EXAMPLE}", and nothing else'
        )
    strategies = []
    for name, text in table.items():
        try:
            if not isinstance(text, str):
                raise PushWorldError(f"the strategy must be a text, not {text!r}")
            strategies.append(replace(Strategy.parse(text), name=name))
        except PushWorldError as error:
            raise PushWorldError(f"{path}: {name}: {error}") from error
    return tuple(strategies)


def _known_words(
    kind: str, words: Iterable[str], known: Sequence[Word], allowed: str = ""
) -> tuple[Word, ...]:
    """Returns the words without blanks around them.

    Raises:
        PushWorldError: if one is not known, with what is allowed, or if one comes twice.
    """
    words = tuple(word.strip() for word in words)
    by_word: dict[str, Word] = {word: word for word in known}
    for word in words:
        if word not in by_word:
            raise PushWorldError(
                f"there is no {kind} {word!r}: allowed are {allowed or ', '.join(known)}"
            )
    if repeated := _repeated(words):
        raise PushWorldError(f"an open list has the {kind} {repeated!r} twice")
    return tuple(by_word[word] for word in words)


def _repeated(values: Sequence[object]) -> object | None:
    return next((each for index, each in enumerate(values) if each in values[:index]), None)
