"""The tables of an export: one definition of their columns, of which files and codebook are made."""

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

TYPES: dict[type, str] = {str: "text", int: "integer", float: "number", bool: "true or false"}

Session = Annotated[str, "who: a participant of a study, or one visit of a player who is recorded"]
PuzzleName = Annotated[str, "the puzzle, as the study file or the page's address names it"]
Digest = Annotated[str, "the SHA-256 of the puzzle's text, which identifies the exact puzzle"]
Trial = Annotated[int | None, "the place of the puzzle in the participant's order, from 0"]
GameNumber = Annotated[int, "counts the games of the session, from 0"]


class EventRow(NamedTuple):
    """One row an event, in the order in which they happened."""

    session: Session
    sequence: Annotated[int, "counts the events of the session, from 0"]
    puzzle: PuzzleName
    digest: Digest
    time_ms: Annotated[
        int,
        "when, by the page's clock, in milliseconds since 1970 UTC; only differences within a visit "
        "mean something",
    ]
    kind: Annotated[
        str,
        "what happened: start, move, undo, redo, reset, hint (asked for a hint), solution (asked for "
        "the solution), warning (the page said that the position cannot be solved), solved, leave, "
        "blur and focus (the page lost and regained attention), resume (a later visit continues), "
        "give-up, time-limit, move-limit",
    ]
    action: Annotated[str | None, "L, R, U or D of a move or redo"]
    actor: Annotated[
        str | None,
        "who acted: player, hint (the player made the move that a hint showed), machine (the page by "
        "itself), link (not known); empty in records of early versions",
    ]
    step: Annotated[int, "the number of moves from the start of the puzzle to the position"]
    shown: Annotated[
        str | None,
        "the help on the screen: hint-1, hint-2, hint-3, solution, dead-end; empty: none",
    ]
    state: Annotated[
        str | None,
        "the positions after the event, x,y of each object: the agent, objects with goals, others",
    ]
    visit: Annotated[int | None, "how often the participant had opened the page, from 1"]
    trial: Trial
    received_ms: Annotated[int, "when the server stored it, by the server's clock"]


class GameRow(NamedTuple):
    """One row a game: a puzzle from its start to its end. What happened after the end is not counted."""

    session: Session
    game: GameNumber
    trial: Trial
    block: Annotated[str | None, "the block of the study"]
    condition: Annotated[str | None, "the condition of the participant"]
    puzzle: PuzzleName
    digest: Digest
    started: Annotated[str, "when it was first stored, by the server's clock: ISO 8601, UTC"]
    outcome: Annotated[str, "how it ended: solved, gave-up, time-limit, move-limit, unfinished"]
    solved: Annotated[bool, "whether it was solved"]
    alone: Annotated[bool, "whether no help was asked for and no move made by the machine"]
    time_s: Annotated[float, "seconds from start to end, with everything in between"]
    active_s: Annotated[float, "the seconds of time_s in which the page was open and had attention"]
    first_move_s: Annotated[float | None, "active seconds until the first move"]
    longest_think_s: Annotated[float | None, "the longest think time of a move (see moves)"]
    pauses: Annotated[int, "moves with a think time of at least the seconds given by --pause"]
    moves: Annotated[int, "moves by the person, those without effect or undone included"]
    idle_moves: Annotated[int, "the moves among them that changed nothing"]
    pushes: Annotated[int, "the moves among them that moved more than the agent"]
    hint_moves: Annotated[int, "the moves among them that a hint had shown"]
    machine_moves: Annotated[int, "moves that the page made by itself, not counted in moves"]
    undos: Annotated[int, "moves taken back one by one"]
    redos: Annotated[int, "moves redone"]
    resets: Annotated[int, "how often the puzzle was reset to its start"]
    hints: Annotated[int, "how often a hint or a higher level of it was asked for"]
    solutions: Annotated[int, "how often the solution was asked for"]
    warnings: Annotated[int, "how often the page said that the position cannot be solved"]
    focus_lost: Annotated[int, "how often the page lost attention"]
    visits: Annotated[int, "in how many visits it was played"]
    plan: Annotated[str, "the moves that lead from the start to the last position"]
    plan_length: Annotated[int, "their number"]
    best_length: Annotated[int | None, "the length of the best plan known for the puzzle"]
    best_is_shortest: Annotated[bool | None, "whether it is proved that no plan is shorter"]
    unsolvable_after: Annotated[
        int | None,
        "the number (see moves) of the first move after which it is proved that the position cannot "
        "be solved",
    ]
    unsolvable_moves: Annotated[
        int | None, "the moves made in positions that are proved to be unsolvable"
    ]
    replayed: Annotated[
        bool,
        "whether a replay by the rules gives the positions that were recorded; if not, do not use it",
    ]


class MoveRow(NamedTuple):
    """One row a change of position: a move, or a move that was redone, undone or reset."""

    session: Session
    game: GameNumber
    trial: Trial
    puzzle: PuzzleName
    digest: Digest
    number: Annotated[int, "counts the rows of the game, from 1"]
    sequence: Annotated[int, "the event (see events)"]
    kind: Annotated[str, "move, undo, redo or reset"]
    action: Annotated[str | None, "L, R, U or D of a move or redo"]
    actor: Annotated[str | None, "who acted (see events)"]
    shown: Annotated[str | None, "the help on the screen before it (see events)"]
    at_s: Annotated[float, "active seconds since the start"]
    think_s: Annotated[float, "think time: active seconds since the row before, or since the start"]
    step: Annotated[int, "the number of moves from the start to the position after it"]
    moved: Annotated[str, "the objects that moved, by their names in the puzzle; empty: no effect"]
    push: Annotated[bool, "whether it is a move or redo that moved more than the agent"]
    goals: Annotated[int, "how many goals hold after it"]
    best_before: Annotated[
        int | None, "the length of the best plan known from the position before; empty: none known"
    ]
    shortest_before: Annotated[bool | None, "whether it is proved that no plan is shorter"]
    solvable_before: Annotated[
        bool | None, "whether the position can be solved, if that is proved; empty: not known"
    ]
    best_after: Annotated[int | None, "the same for the position after it"]
    shortest_after: Annotated[bool | None, "the same for the position after it"]
    solvable_after: Annotated[bool | None, "the same for the position after it"]
    state: Annotated[str, "the position after it (see events)"]


class AnswerRow(NamedTuple):
    """One row an answer to a question."""

    session: Session
    trial: Annotated[int | None, "the puzzle that was asked about; empty: the end of the study"]
    puzzle: Annotated[str | None, "its name"]
    question: Annotated[str, "the id of the question in the study file"]
    text: Annotated[str | None, "the question"]
    answer: Annotated[str | None, "the answer; empty: the question was left out"]
    answered: Annotated[str, "when it was stored: ISO 8601, UTC"]


class ParticipantRow(NamedTuple):
    """One row a participant of a study."""

    participant: Annotated[str | None, "the id from the link; empty with --anonymous"]
    session: Session
    study: Annotated[str, "the SHA-256 of the study file"]
    parameters: Annotated[
        str | None,
        "the parameters of the link that the study names, as JSON; empty with --anonymous",
    ]
    condition: Annotated[str | None, "the condition"]
    slot: Annotated[int, "the number of the combination of condition and orders"]
    order: Annotated[str, "the puzzles in the participant's order, as a JSON list"]
    consented: Annotated[str, "when the participant agreed: ISO 8601, UTC"]
    instructed: Annotated[str | None, "when the instructions were read: ISO 8601, UTC"]
    finished: Annotated[str | None, "when the study was finished: ISO 8601, UTC; empty: it was not"]
    visits: Annotated[int, "how often the participant opened the page"]
    puzzles: Annotated[int, "puzzles in the order"]
    started: Annotated[int, "puzzles begun"]
    solved: Annotated[int, "puzzles solved"]
    active_s: Annotated[float, "active seconds in all puzzles together (see games)"]


class PuzzleRow(NamedTuple):
    """One row a puzzle."""

    digest: Digest
    puzzle: PuzzleName
    pwp: Annotated[str, "its text in the .pwp format"]


@dataclass(frozen=True)
class Column:
    """A column: its name, the type of its values, whether one can be missing, and what it means."""

    name: str
    type: type
    nullable: bool
    text: str


@dataclass(frozen=True)
class Table:
    """A table of an export: the name of its file, and the type of its rows."""

    name: str
    row: type[Any]

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its columns, in order."""
        hints = get_type_hints(self.row, include_extras=True)
        return tuple(_column(name, hint) for name, hint in hints.items())


EVENTS = Table("events", EventRow)
GAMES = Table("games", GameRow)
MOVES = Table("moves", MoveRow)
ANSWERS = Table("answers", AnswerRow)
PARTICIPANTS = Table("participants", ParticipantRow)
PUZZLES = Table("puzzles", PuzzleRow)
TABLES = (PARTICIPANTS, GAMES, MOVES, ANSWERS, EVENTS, PUZZLES)


def _column(name: str, hint: Any) -> Column:
    kind, text = get_args(hint)
    nullable = get_origin(kind) is types.UnionType
    (plain,) = (each for each in get_args(kind) if each is not type(None)) if nullable else (kind,)
    return Column(name, plain, nullable, text)


def codebook() -> str:
    """Returns the explanation of all tables and columns as Markdown."""
    return "\n".join(["# Codebook", "", *_codebook_lines()])


def _codebook_lines() -> Iterator[str]:
    yield "Missing values are empty. Times in seconds are numbers with a decimal point. In CSV files, truth"
    yield "values are TRUE and FALSE, and a text of a participant that a spreadsheet would take for a formula"
    yield "begins with an apostrophe."
    for table in TABLES:
        yield from ("", f"## {table.name}", "", str(table.row.__doc__), "")
        yield from ("| column | type | meaning |", "| --- | --- | --- |")
        for column in table.columns:
            optional = ", may be empty" if column.nullable else ""
            yield f"| `{column.name}` | {TYPES[column.type]}{optional} | {column.text} |"
    yield ""
