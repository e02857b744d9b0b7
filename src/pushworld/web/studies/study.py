"""A study, as its file describes it."""

import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any, Literal, get_args

from pushworld.puzzle import Puzzle
from pushworld.web.request_bodies import BadRequestError
from pushworld.web.studies.messages import StudyInfo

Order = Literal["fixed", "random", "counterbalanced"]
ORDERS: tuple[str, ...] = get_args(Order)
QuestionKind = Literal["text", "choice", "likert", "number"]
QUESTION_KINDS: tuple[str, ...] = get_args(QuestionKind)
DEFAULT_PARAMETERS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")


@dataclass(frozen=True)
class Rules:
    """What a participant may do in a puzzle."""

    time_limit: float = 0  # in seconds; 0 is no limit
    # the most moves with an effect, undone ones and redone ones included; 0 is no limit
    move_limit: int = 0
    undo: bool = True
    reset: bool = True
    hints: bool = False
    solution: bool = False  # whether the page offers to show the whole solution
    give_up: bool = True
    give_up_after: float = 0  # seconds before giving up is allowed

    def to_message(self) -> dict[str, Any]:
        """Returns the rules as the page reads them, with None for no limit."""
        limits = {"time_limit": self.time_limit or None, "move_limit": self.move_limit or None}
        return asdict(self) | limits


@dataclass(frozen=True)
class Question:
    """A question."""

    id: str  # its name in the data
    kind: QuestionKind
    text: str
    required: bool = True
    # of `choice`: the answer is one of them; of `likert`: what the first and the last point mean
    options: tuple[str, ...] = ()
    points: int = 0  # of `likert`: the answer is a whole number from 1 to this
    # minimum, maximum, integer: of `number`: None for no limit, and whether it must be whole
    minimum: float | None = None
    maximum: float | None = None
    integer: bool = False
    # max_length, lines: of `text`: the most characters, and the height of the field
    max_length: int = 0
    lines: int = 0

    def to_message(self) -> dict[str, Any]:
        """Returns the question as the page reads it: with the fields of its kind."""
        fields = {
            "choice": ("options",),
            "likert": ("points", "options"),
            "number": ("minimum", "maximum", "integer"),
            "text": ("max_length", "lines"),
        }
        known = asdict(self)
        return {key: known[key] for key in ("id", "kind", "text", "required", *fields[self.kind])}

    def checked(self, answer: object) -> str | None:
        """Returns an answer as it is stored; None for one that is left out. Raises BadRequestError."""
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            if self.required:
                raise BadRequestError(f"the question {self.id!r} must be answered")
            return None
        problem = None
        if self.kind in ("likert", "number"):
            whole = self.kind == "likert" or self.integer
            low = 1 if self.kind == "likert" else self.minimum
            high = self.points if self.kind == "likert" else self.maximum
            if isinstance(answer, bool) or not isinstance(answer, int | float):
                problem = "a number"
            elif not isfinite(answer) or (whole and answer != int(answer)):
                problem = "a whole number"
            elif (low is not None and answer < low) or (high is not None and answer > high):
                problem = f"from {low} to {high}"
            answer = int(answer) if whole and problem is None else answer  # type: ignore[call-overload]
        elif not isinstance(answer, str):
            problem = "a text"
        elif self.kind == "choice":
            problem = None if answer in self.options else "one of the options"
        else:
            answer = printable(answer)
            if len(answer) > self.max_length:
                problem = f"at most {self.max_length} characters long"
        if problem is not None:
            raise BadRequestError(f"the answer to {self.id!r} must be {problem}")
        return str(answer)


def printable(text: str) -> str:
    """Returns a text without control characters other than line ends and tabs."""
    return "".join(
        each for each in text if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cs")
    )


@dataclass(frozen=True)
class Block:
    """Puzzles that are played in a row, or that are asked about."""

    name: str  # its name in the data
    puzzles: tuple[str, ...]  # their names in the study file
    order: Order  # the order in which a participant plays them
    text: str  # shown before the first of them; empty for nothing
    questions: bool  # whether the questions about a puzzle follow each of them
    asks: Mapping[str, str]  # what is asked about each puzzle, none of which is played; or empty
    rules: Mapping[str, Any]  # what differs from the study's rules


@dataclass(frozen=True)
class Condition:
    """A condition that only some participants are in."""

    name: str  # its name in the data
    rules: Mapping[str, Any]  # what differs from the rules of the study and of the block


@dataclass(frozen=True)
class StudyPuzzle:
    """A puzzle of a study: what the page shows, and the dynamics for the server."""

    puzzle: Puzzle
    title: str
    pwp: str
    digest: str
    picture: str  # the address of the picture beside its file; empty if nothing is asked about it


@dataclass(frozen=True)
class Study:
    """A study."""

    version: str  # the SHA-256 of the file
    file: str  # the text of the file
    # title, consent, instructions, thanks: texts for participants
    title: str
    consent: str
    instructions: str
    thanks: str
    seed: int  # of random orders
    show_names: bool  # whether participants see the names of the puzzles
    id_parameter: str  # the parameter of the link that is the participant's id
    parameters: tuple[str, ...]  # those that are stored, the id among them
    anonymous: bool  # whether people without an id may take part
    withdrawal: bool  # whether the page offers to withdraw
    code: str | None  # the completion code, or None
    redirect: str | None  # the address for afterwards, or None; ``{NAME}`` stands for a parameter
    rules: Rules  # for all puzzles, unless a block or a condition says otherwise
    block_order: Order  # the order of the blocks
    blocks: tuple[Block, ...]  # at least one
    conditions: tuple[Condition, ...]  # empty where all participants are in the same one
    # after_puzzle, at_end: questions
    after_puzzle: tuple[Question, ...]
    at_end: tuple[Question, ...]
    puzzles: Mapping[str, StudyPuzzle]  # all puzzles by their names in the file

    def rules_of(self, block: str, condition: str | None) -> Rules:
        """Returns the rules in a block for participants of a condition."""
        return self.all_rules[block, condition]

    @cached_property
    def all_rules(self) -> dict[tuple[str, str | None], Rules]:
        """The rules by block and condition."""
        groups: list[tuple[str | None, Mapping[str, Any]]] = [
            (each.name, each.rules) for each in self.conditions
        ]
        return {
            (block.name, name): Rules()
            if block.asks
            else replace(self.rules, **{**block.rules, **rules})
            for block in self.blocks
            for name, rules in groups or [(None, {})]
        }

    def block(self, name: str) -> Block:
        """Returns the block of a name."""
        return next(each for each in self.blocks if each.name == name)

    def question_of(self, block: str, puzzle: str) -> Question | None:
        """Returns what is asked about a puzzle in place of playing it, with the block's name; None if it is played."""
        text = self.block(block).asks.get(puzzle)
        return None if text is None else Question(block, "text", text, max_length=2_000, lines=2)

    @property
    def needs_solver(self) -> bool:
        """Whether some participant may ask for a hint or a solution."""
        return any(rules.hints or rules.solution for rules in self.all_rules.values())

    def link(self, address: str) -> str:
        """Returns the link for participants, with dots in place of their parameters."""
        return f"{address}?{'&'.join(f'{name}=...' for name in self.parameters)}"

    @property
    def info(self) -> StudyInfo:
        """What the page knows before it enters the study."""
        return {
            "title": self.title,
            "parameters": sorted(self.parameters, key=lambda name: name != self.id_parameter),
            "withdrawal": self.withdrawal,
        }
