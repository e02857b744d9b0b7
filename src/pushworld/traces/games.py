"""Games: events replayed by the rules, with the time that each move took."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from pushworld.engine import Engine
from pushworld.puzzle import LETTERS, PushWorldError, Puzzle, State
from pushworld.traces.recording import Recording
from pushworld.traces.rows import EventRow

CHANGES = ("move", "undo", "redo", "reset")
"""The events that can change the position."""

ENDS = {
    "solved": "solved",
    "give-up": "gave-up",
    "time-limit": "time-limit",
    "move-limit": "move-limit",
}
"""The events that end a game, and how they say it ended."""

UNFINISHED = "unfinished"

_BY_THE_SERVER = ("time-limit", "resume")
"""Events whose time is that of the server's clock."""


@dataclass(frozen=True)
class Change:
    """A change of position: a move, or one that was redone, undone or reset."""

    event: EventRow  # what was recorded
    # before, after: the positions
    before: State
    after: State
    taken_back: str  # the moves that an undo or a reset takes back, the last one first
    at_s: float  # active seconds since the start of the game
    think_s: float  # active seconds since the change before, or since the start
    shown: str | None  # the help on the screen before it
    # whether it restores a move of an earlier visit, at the start of a game outside studies
    restored: bool

    @property
    def kind(self) -> str:
        """The kind of the event, or ``restored``."""
        return "restored" if self.restored else self.event.kind

    @property
    def is_forward(self) -> bool:
        """Whether it is a move that the rules of the puzzle explain, made or redone."""
        return self.event.action is not None

    @property
    def moved(self) -> tuple[int, ...]:
        """The indices of the objects that moved."""
        pairs = enumerate(zip(self.before, self.after, strict=True))
        return tuple(index for index, (old, new) in pairs if old != new)

    @property
    def is_push(self) -> bool:
        """Whether it is a move that moved more than the agent."""
        return self.is_forward and self.before[1:] != self.after[1:]


@dataclass(frozen=True)
class Game:
    """A puzzle from its start to its end."""

    session: str  # who played
    number: int  # counts the games of the session, from 0
    puzzle: Puzzle  # what was played; its name is that of the recording
    # from the start to the end; what happened after the end is left out
    events: tuple[EventRow, ...]
    changes: tuple[Change, ...]  # of the position
    outcome: str  # how it ended
    time_s: float  # seconds from start to end
    active_s: float  # those of them in which the page was open and had attention
    plan: str  # the moves that lead from the start to the last position
    replayed: bool  # whether the rules give the positions that were recorded

    @property
    def solved(self) -> bool:
        return self.outcome == "solved"

    @property
    def trial(self) -> int | None:
        return self.events[0].trial

    @property
    def digest(self) -> str:
        return self.events[0].digest

    def count(self, kind: str) -> int:
        """Returns how many events of a kind it has."""
        return sum(event.kind == kind for event in self.events)


def read_games(recording: Recording) -> list[Game]:
    """Returns all games of a recording, session by session.

    Raises:
        PushWorldError: if the recording lacks the puzzle of an event.
    """

    @cache
    def engine_of(digest: str) -> Engine:
        if digest not in recording.puzzles:
            raise PushWorldError(f"{recording.path} lacks the puzzle {digest} of an event")
        return Engine(recording.puzzles[digest])

    games = []
    for session, events in groupby(recording.events(), key=lambda event: event.session):
        for number, own in enumerate(_parted(events)):
            games.append(_game(session, number, own, engine_of(own[0].digest)))
    return games


def _parted(events: Iterable[EventRow]) -> Iterator[list[EventRow]]:
    """Yields the events of each game of a session, from its start to its end."""
    games: list[list[EventRow]] = []
    current: dict[tuple[str, int | None], list[EventRow] | None] = {}
    for event in events:
        key = event.digest, event.trial
        if event.kind == "start" and (event.trial is None or key not in current):
            games.append([])
            current[key] = games[-1]
        own = current.get(key)
        if own is None or (event.kind == "leave" and len(own) == 1 and event.trial is None):
            continue  # it happened after the end, or belongs to the game before
        own.append(event)
        if event.kind in ENDS:
            current[key] = None
    yield from games


def _game(session: str, number: int, events: list[EventRow], engine: Engine) -> Game:
    positions = _Positions(engine)
    clock = _Clock()
    changes: list[Change] = []
    last_s = 0.0
    shown = None
    restored = events[0].trial is None
    for event in events:
        restored &= event.kind in ("start", "redo")
        clock.advance(event)
        before = positions.now
        taken_back = positions.follow(event)
        if event.kind in CHANGES:
            at_s = clock.active_ms / 1000
            think_s = round(at_s - last_s, 3)
            changes.append(
                Change(event, before, positions.now, taken_back, at_s, think_s, shown, restored)
            )
            last_s = at_s
        shown = event.shown
    return Game(
        session=session,
        number=number,
        puzzle=engine.puzzle,
        events=tuple(events),
        changes=tuple(changes),
        outcome=ENDS.get(events[-1].kind, UNFINISHED),
        time_s=clock.all_ms / 1000,
        active_s=clock.active_ms / 1000,
        plan="".join(positions.plan),
        replayed=positions.agree,
    )


class _Positions:
    """The positions of a game: the moves in effect, and the position after each of them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._line = [engine.puzzle.initial_state]
        self.plan: list[str] = []
        self.agree = True

    @property
    def now(self) -> State:
        return self._line[-1]

    def follow(self, event: EventRow) -> str:
        """Carries out an event, and returns the moves that it takes back, the last one first."""
        taken_back = ""
        if event.kind in ("move", "redo") and event.action is not None:
            after = self._engine.step(self.now, LETTERS.index(event.action))
            if after != self.now:
                self._line.append(after)
                self.plan.append(event.action)
        elif event.kind in ("undo", "reset"):
            kept = min(event.step, len(self.plan))
            taken_back = "".join(reversed(self.plan[kept:]))
            del self.plan[kept:], self._line[kept + 1 :]
        if event.kind in (*CHANGES, "solved"):
            self.agree &= event.step == len(self.plan)
        if event.state is not None:
            self.agree &= event.state == state_text(self.now)
        if event.kind == "solved":
            self.agree &= self._engine.puzzle.is_solved(self.now)
        return taken_back


class _Clock:
    """The time of a game.

    Within a visit the page's clock counts, which does not jump; between visits, and for what the
    server did by itself, the server's clock.
    """

    def __init__(self) -> None:
        self.all_ms = self.active_ms = 0
        self._last: EventRow | None = None
        self._away = False

    def advance(self, event: EventRow) -> None:
        """Counts the time from the event before to this one."""
        last, self._last = self._last, event
        if last is None:
            return
        if last.visit == event.visit and not {last.kind, event.kind} & set(_BY_THE_SERVER):
            passed = max(0, event.time_ms - last.time_ms)
        else:
            passed = max(0, _server_time(event) - _server_time(last))
        self.all_ms += passed
        if not self._away and last.visit == event.visit:
            self.active_ms += passed
        if event.kind in ("blur", "leave"):
            self._away = True
        elif event.kind in ("focus", "resume") or (
            event.kind in (*CHANGES, "hint", "solution") and event.actor != "machine"
        ):
            self._away = False


def _server_time(event: EventRow) -> int:
    return event.time_ms if event.kind in _BY_THE_SERVER else event.received_ms


def state_text(state: State) -> str:
    """Returns a position as recordings write it."""
    return " ".join(f"{x},{y}" for x, y in state)
