"""The rules of a game in a study: what a participant may do, and what follows from it."""

from dataclasses import dataclass

from pushworld.engine import Engine
from pushworld.puzzle import LETTERS, State
from pushworld.web.studies.store import Trial
from pushworld.web.studies.study import Rules, StudyPuzzle
from pushworld.web.trace_database import ACTORS, Event

GRACE_MS = 2_000
"""Moves made before the time limit may arrive this much later."""

BYSTANDERS = ("blur", "focus", "leave")
"""Kinds of events that are no part of the game, and may come before its start or after its end."""

MAX_PLAN = 20_000
"""The most moves from the start of a puzzle; a longer game is no plan."""

_KEPT_LETTERS = 4_000_000
_ACTOR_OF = {actor[0]: actor for actor in ACTORS}


class NotAllowedError(Exception):
    """An event that the rules do not allow, or that does not follow from those before it."""


class World:
    """The states of one puzzle."""

    def __init__(self, puzzle: StudyPuzzle) -> None:
        self._engine = Engine(puzzle.puzzle)
        self._states: dict[str, State] = {}
        self._letters = 0
        self.puzzle = puzzle.puzzle

    def state_after(self, plan: str) -> State:
        """Returns the state after moves from the start; remembers it, since the next move follows."""
        if not plan:
            return self.puzzle.initial_state
        if plan not in self._states:
            known = self._states.get(plan[:-1])
            state = self.puzzle.initial_state if known is None else known
            for letter in plan if known is None else plan[-1]:
                state = self._engine.step(state, LETTERS.index(letter))
            self._letters += len(plan)
            if self._letters > _KEPT_LETTERS:
                self._states.clear()
                self._letters = len(plan)
            self._states[plan] = state
        return self._states[plan]


def elapsed_ms(trial: Trial, now: int) -> int:
    """Returns how long a trial has lasted, without the time that no server ran."""
    return 0 if trial.started_ms is None else now - trial.started_ms - trial.paused_ms


def remaining_ms(trial: Trial, rules: Rules, now: int) -> int | None:
    """Returns the time until the limit, at least 0; None without a limit."""
    if not rules.time_limit:
        return None
    return max(0, round(1000 * rules.time_limit) - elapsed_ms(trial, now))


def format_state(state: State) -> str:
    """Returns positions as the database has them."""
    return " ".join(f"{x},{y}" for x, y in state)


@dataclass(frozen=True)
class Game:
    """A trial under its rules, in one visit of the participant."""

    trial: Trial
    rules: Rules
    world: World
    visit: int

    def made_by_server(self, kind: str, time_ms: int, after: Event | None = None) -> Event:
        """Returns an event that the server adds; after a move, with its actor if that solved it."""
        trial = self.trial
        return Event(
            session=trial.session,
            sequence=0,
            puzzle=trial.puzzle,
            digest=trial.digest,
            time_ms=time_ms,
            kind=kind,
            action=None,
            step=trial.step,
            actor=after.actor if after and kind == "solved" else "machine",
            shown=after.shown if after else None,
            state=format_state(self.world.state_after(trial.plan[: trial.step])),
            visit=self.visit,
            trial=trial.trial,
        )

    def check_time(self, now: int, grace: int = 0) -> list[Event]:
        """Ends the trial if its time is over; returns the event that says so."""
        trial, limit = self.trial, round(1000 * self.rules.time_limit)
        is_open = trial.started_ms is not None and trial.outcome is None
        if not limit or not is_open or elapsed_ms(trial, now) < limit + grace:
            return []
        assert trial.started_ms is not None
        return [self._end("time-limit", trial.started_ms + trial.paused_ms + limit)]

    def apply(self, event: Event, now: int) -> list[Event]:
        """Returns the event with the state it led to, and those that follow from it.

        Raises:
            NotAllowedError: if the event is not allowed. Then nothing has changed.
        """
        if event.kind in BYSTANDERS:
            return [self._completed(event)]
        if self.trial.outcome is not None:
            raise NotAllowedError("this puzzle is over")
        if (self.trial.started_ms is None) != (event.kind == "start"):
            raise NotAllowedError(
                "this puzzle has not been started"
                if self.trial.started_ms is None
                else "this puzzle was started before"
            )
        self._check_help(event)
        if event.kind in ("move", "redo", "undo", "reset"):
            return self._change(event, now)
        if event.kind == "start":
            self.trial.started_ms = now
        elif event.kind == "give-up":
            return [self._completed(event), *self._give_up(now)]
        elif event.kind not in ("hint", "solution", "warning"):
            raise NotAllowedError(f"events of kind {event.kind!r} come from the server")
        return [self._completed(event)]

    def _check_help(self, event: Event) -> None:
        rules, shown = self.rules, event.shown or ""
        if (
            event.kind in ("hint", "warning") or shown.startswith(("hint", "dead"))
        ) and not rules.hints:
            raise NotAllowedError("this puzzle has no hints")
        if "solution" in (event.kind, shown) and not rules.solution:
            raise NotAllowedError("the solution of this puzzle is not shown")
        if event.actor not in ("player", "hint", "machine"):
            raise NotAllowedError("'actor' must be player, hint or machine")
        helped = event.actor == "hint" or (event.actor == "machine" and event.kind == "move")
        if helped and not (rules.hints or rules.solution):
            raise NotAllowedError("this puzzle has no help that could be followed")

    def _change(self, event: Event, now: int) -> list[Event]:
        """Moves in the game; the trial changes only if the page agrees about the result."""
        trial, rules = self.trial, self.rules
        plan, actors, step, moves = trial.plan, trial.actors, trial.step, trial.moves
        actor, action = event.actor or "player", event.action
        if event.kind == "reset":
            if not rules.reset:
                raise NotAllowedError("this puzzle cannot be reset")
            step = 0
        elif event.kind != "move" and not rules.undo:
            raise NotAllowedError("undo is not allowed in this puzzle")
        elif event.kind == "undo":
            if not step:
                raise NotAllowedError("there is no move to undo")
            step -= 1
        elif event.kind == "redo":
            if step == len(plan) or action not in (plan[step], None):
                raise NotAllowedError("there is no such move to redo")
            action, actor = plan[step], _ACTOR_OF[actors[step]]
            step, moves = step + 1, moves + 1
        else:
            made = plan[:step] + str(action)
            if len(made) > MAX_PLAN:
                raise NotAllowedError(f"a game has at most {MAX_PLAN:,} moves: reset it")
            if self.world.state_after(made) != self.world.state_after(plan[:step]):
                if not plan.startswith(made):  # a move that redo would make keeps those after it
                    plan, actors = made, actors[:step]
                actors = actors[:step] + actor[0] + actors[step + 1 :]
                step, moves = step + 1, moves + 1
        state = self.world.state_after(plan[:step])
        if event.step != step or event.state not in (format_state(state), None):
            raise NotAllowedError(
                f"after this event the game is at step {step}, {format_state(state)}"
            )
        trial.plan, trial.actors, trial.step, trial.moves = plan, actors, step, moves
        happened = self._completed(event._replace(action=action, actor=actor))
        if event.kind in ("move", "redo") and self.world.puzzle.is_solved(state):
            return [happened, self._end("solved", now, happened)]
        if rules.move_limit and moves >= rules.move_limit:
            return [happened, self._end("move-limit", now, happened)]
        return [happened]

    def _give_up(self, now: int) -> list[Event]:
        if not self.rules.give_up:
            raise NotAllowedError("this puzzle cannot be given up")
        if elapsed_ms(self.trial, now) < 1000 * self.rules.give_up_after:
            raise NotAllowedError("this puzzle cannot be given up yet")
        self.trial.outcome, self.trial.ended_ms = "gave-up", now
        return []

    def _end(self, outcome: str, ended_ms: int, after: Event | None = None) -> Event:
        self.trial.outcome, self.trial.ended_ms = outcome, ended_ms
        return self.made_by_server(outcome, after.time_ms if after else ended_ms, after)

    def _completed(self, event: Event) -> Event:
        """Returns an event of the page with what the server knows."""
        known = self.made_by_server(event.kind, event.time_ms)
        action = event.action if event.kind in ("move", "redo") else None
        return known._replace(action=action, actor=event.actor or "player", shown=event.shown)
