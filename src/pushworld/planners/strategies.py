"""Strategies of the default planner: values that can be printed, parsed, combined and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal, Self, TypeVar, get_args

from pushworld import _native
from pushworld.files import read_toml
from pushworld.puzzle import PushWorldError

Commitment = Literal["none", "single", "any"]
"""Which pushed objects the search goes on pushing until something new is possible: none; single
objects; any set of objects that moves together."""

Objects = Literal["all", "few"]
"""What the search moves: all movables; or few of them, which it chooses by abstraction refinement."""

Goals = Literal["together", "in-turn"]
"""Which goals the search looks for: all together; or one after the other, in an order that it learns."""


@dataclass(frozen=True)
class Option:
    """A constant of the searches.

    Attributes:
        name: in the text of a strategy.
        default: its value, if a strategy does not say another one.
        least, most: the range of values.
        meaning: what it does.
    """

    name: str
    default: int
    least: int
    most: int
    meaning: str


OPTIONS: dict[str, Option] = {
    each.name: each
    for each in (
        Option(name.replace("_", "-"), default, least, most, meaning)
        for name, default, least, most, meaning in _native.strategy_options()
    )
}
"""The options of strategies by name."""

FEATURES: dict[str, str] = dict(_native.strategy_features())
"""The sets by which open lists sort states into buckets, and what they hold."""

EVALUATORS: dict[str, str] = dict(_native.strategy_evaluators())
"""The values that order states, lowest first, and what they are."""

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

    features: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        features = _known_words("feature", self.features, tuple(FEATURES))
        object.__setattr__(self, "features", tuple(sorted(features, key=list(FEATURES).index)))
        evaluators = _known_words("evaluator", self.evaluators, tuple(EVALUATORS))
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
        return cls(
            _known_words("feature", features.split("+") if colon else (), tuple(FEATURES)),
            _known_words(
                "evaluator",
                () if evaluators.strip() == FIFO else evaluators.split(","),
                tuple(EVALUATORS),
                _ALLOWED_EVALUATORS,
            ),
        )

    def __str__(self) -> str:
        evaluators = ", ".join(self.evaluators) or FIFO
        return f"{' + '.join(self.features)}: {evaluators}" if self.features else evaluators


@dataclass(frozen=True)
class Strategy:
    """A search of the default planner.

    Its text is ``NAME = OPEN LIST; OPEN LIST | commitment WORD | objects WORD | goals WORD | share N``
    and ``| OPTION N`` for each of `OPTIONS`; all but the open lists may be left out.

    Attributes:
        open_lists: they take turns; at least one, all different.
        commitment: what the search commits itself to.
        share: its part of the time and memory of its thread, relative to other strategies.
        name: of letters, digits, ``-``, ``_`` and ``.``; empty if it has none.
        objects: what the search moves.
        goals: which goals it looks for at a time.
        options: those that differ from their defaults, as pairs or as a mapping; in the order of `OPTIONS`.
    """

    open_lists: tuple[OpenList, ...]
    commitment: Commitment = "none"
    share: int = 1
    name: str = ""
    objects: Objects = "all"
    goals: Goals = "together"
    options: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "open_lists", tuple(self.open_lists))
        if not self.open_lists:
            raise PushWorldError(f"a strategy needs an open list, such as '{EXAMPLE}'")
        if repeated := _repeated(self.open_lists):
            raise PushWorldError(f"the strategy has the open list '{repeated}' twice")
        _known_words("commitment", [self.commitment], COMMITMENTS)
        _known_words("kind of objects", [self.objects], OBJECTS)
        _known_words("way to goals", [self.goals], GOALS)
        _check_number("the share of a strategy", self.share, 1, MOST_SHARE)
        given = dict(self.options)
        _known_words("option", given, tuple(OPTIONS))
        for key, value in given.items():
            _check_number(f"the option {key!r}", value, OPTIONS[key].least, OPTIONS[key].most)
        changed = (
            key for key in OPTIONS if given.get(key, OPTIONS[key].default) != OPTIONS[key].default
        )
        object.__setattr__(self, "options", tuple((key, given[key]) for key in changed))
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
        words = {"commitment": "none", "objects": "all", "goals": "together"}
        numbers = {"share": 1}
        given: set[str] = set()
        for part in parts:
            key, _, value = part.strip().partition(" ")
            is_number = key == "share" or key in OPTIONS
            if not (is_number or key in words) or key in given or not value:
                raise PushWorldError(
                    f"{part.strip()!r} cannot be read: after '|' a strategy has at most one "
                    f"'commitment {'/'.join(COMMITMENTS)}', one 'objects {'/'.join(OBJECTS)}', one "
                    f"'goals {'/'.join(GOALS)}', one 'share N', and one 'OPTION N' of each option "
                    "that 'pushworld strategies --options' lists"
                )
            given.add(key)
            if not is_number:
                words[key] = value
                continue
            most = MOST_SHARE if key == "share" else OPTIONS[key].most
            if not re.fullmatch(r"[0-9]{1,12}", number := value.strip()):
                raise PushWorldError(f"the {key} {number!r} is no whole number up to {most}")
            numbers[key] = int(number)
        (commitment,) = _known_words("commitment", [words["commitment"]], COMMITMENTS)
        (objects,) = _known_words("kind of objects", [words["objects"]], OBJECTS)
        (goals,) = _known_words("way to goals", [words["goals"]], GOALS)
        open_lists = tuple(OpenList.parse(each) for each in lists.split(";"))
        share = numbers.pop("share")
        options = tuple(numbers.items())
        return cls(open_lists, commitment, share, name.strip(), objects, goals, options)

    def __str__(self) -> str:
        name = f"{self.name} = " if self.name else ""
        commitment = f" | commitment {self.commitment}" if self.commitment != "none" else ""
        objects = f" | objects {self.objects}" if self.objects != "all" else ""
        goals = f" | goals {self.goals}" if self.goals != "together" else ""
        share = f" | share {self.share}" if self.share != 1 else ""
        options = "".join(f" | {key} {value}" for key, value in self.options)
        lists = "; ".join(map(str, self.open_lists))
        return f"{name}{lists}{commitment}{objects}{goals}{share}{options}"

    def native(self) -> _native.StrategyValue:
        """Returns the value that the native module takes."""
        open_lists = [(each.features, each.evaluators) for each in self.open_lists]
        few, in_turn = self.objects == "few", self.goals == "in-turn"
        options = [(key.replace("-", "_"), value) for key, value in self.options]
        name = self.name or str(self)
        return name, open_lists, self.commitment, self.share, few, in_turn, options


@cache
def default_strategies() -> tuple[Strategy, ...]:
    """Returns the strategies of the default planner, in the order in which threads take them."""
    strategies = []
    for name, lists, word, share, few_objects, in_turn, given in _native.default_strategies():
        open_lists = tuple(
            OpenList(tuple(features), tuple(evaluators)) for features, evaluators in lists
        )
        (commitment,) = _known_words("commitment", [word], COMMITMENTS)
        objects: Objects = "few" if few_objects else "all"
        goals: Goals = "in-turn" if in_turn else "together"
        options = tuple((key.replace("_", "-"), value) for key, value in given)
        strategies.append(Strategy(open_lists, commitment, share, name, objects, goals, options))
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


def _check_number(what: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PushWorldError(f"{what} must be a whole number from {least} to {most}, not {value!r}")


def _repeated(values: Sequence[object]) -> object | None:
    return next((each for index, each in enumerate(values) if each in values[:index]), None)
