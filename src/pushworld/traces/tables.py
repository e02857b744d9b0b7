"""The rows of the tables, from games and what planners say about them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pushworld.traces.cache import Outlook
from pushworld.traces.games import Game, state_text
from pushworld.traces.measures import NOTHING_KNOWN, Outlooks
from pushworld.traces.recording import Recording, iso_time
from pushworld.traces.rows import AnswerRow, GameRow, MoveRow, ParticipantRow

PAUSE_SECONDS = 5.0
BY_A_PERSON = ("player", "hint", None)
"""The actors of a person's own moves; early recordings do not name them."""


@dataclass(frozen=True)
class Participant:
    """A participant of a study: the row of the database, and the puzzles in order, as (block, name)."""

    row: Mapping[str, Any]
    order: tuple[tuple[str, str], ...]

    @property
    def session(self) -> str:
        return str(self.row["session"])

    @property
    def condition(self) -> str | None:
        condition: str | None = self.row["condition"]
        return condition


def read_participants(recording: Recording) -> dict[str, Participant]:
    """Returns the participants of the study by session; none if it is not a study."""
    orders: dict[str, list[tuple[str, str]]] = {}
    for row in recording.rows("SELECT session, block, puzzle FROM trials ORDER BY session, trial"):
        orders.setdefault(row["session"], []).append((row["block"], row["puzzle"]))
    rows = recording.rows("SELECT * FROM participants ORDER BY consented_ms, session")
    return {
        row["session"]: Participant(dict(row), tuple(orders.get(row["session"], ())))
        for row in rows
    }


def game_row(
    game: Game, outlooks: Outlooks, participant: Participant | None, pause: float = PAUSE_SECONDS
) -> GameRow:
    """Returns the row of a game; a think time of at least `pause` seconds is a pause."""
    played = [change for change in game.changes if not change.restored]
    moves = [change for change in played if change.event.kind == "move"]
    own = [change for change in moves if change.event.actor in BY_A_PERSON]
    thinking = [change.think_s for change in played]
    start = outlooks.get(game.puzzle.initial_state, NOTHING_KNOWN)
    lost = [
        number
        for number, change in enumerate(game.changes, start=1)
        if _at(outlooks, change.after).solvable is False
    ]
    in_vain = [change for change in own if _at(outlooks, change.before).solvable is False]
    known = any(_at(outlooks, change.after).solvable is not None for change in game.changes)
    trial = game.trial
    block = participant.order[trial][0] if participant and trial is not None else None
    machine_moves = len(moves) - len(own)
    return GameRow(
        session=game.session,
        game=game.number,
        trial=trial,
        block=block,
        condition=participant.condition if participant else None,
        puzzle=game.events[0].puzzle,
        digest=game.digest,
        started=iso_time(game.events[0].received_ms),
        outcome=game.outcome,
        solved=game.solved,
        alone=not (game.count("hint") or game.count("solution") or machine_moves),
        time_s=game.time_s,
        active_s=game.active_s,
        first_move_s=played[0].at_s if played else None,
        longest_think_s=max(thinking, default=None),
        pauses=sum(seconds >= pause for seconds in thinking),
        moves=len(own),
        idle_moves=sum(not change.moved for change in own),
        pushes=sum(change.is_push for change in own),
        hint_moves=sum(change.event.actor == "hint" for change in own),
        machine_moves=machine_moves,
        undos=sum(change.event.kind == "undo" for change in played),
        redos=sum(change.event.kind == "redo" for change in played),
        resets=sum(change.event.kind == "reset" for change in played),
        hints=game.count("hint"),
        solutions=game.count("solution"),
        warnings=game.count("warning"),
        focus_lost=game.count("blur"),
        visits=len({event.visit for event in game.events}),
        plan=game.plan,
        plan_length=len(game.plan),
        best_length=start.best,
        best_is_shortest=start.shortest,
        unsolvable_after=lost[0] if lost else None,
        unsolvable_moves=len(in_vain) if known else None,
        replayed=game.replayed,
    )


def move_rows(game: Game, outlooks: Outlooks) -> Iterator[MoveRow]:
    """Yields the rows of a game's moves."""
    names = [thing.name for thing in game.puzzle.objects]
    for number, change in enumerate(game.changes, start=1):
        before, after = _at(outlooks, change.before), _at(outlooks, change.after)
        yield MoveRow(
            session=game.session,
            game=game.number,
            trial=game.trial,
            puzzle=change.event.puzzle,
            digest=game.digest,
            number=number,
            sequence=change.event.sequence,
            kind=change.kind,
            action=change.event.action,
            actor=change.event.actor,
            shown=change.shown,
            at_s=change.at_s,
            think_s=change.think_s,
            step=change.event.step,
            moved=" ".join(names[index] for index in change.moved),
            push=change.is_push,
            goals=game.puzzle.achieved_goals(change.after),
            best_before=before.best,
            shortest_before=before.shortest,
            solvable_before=before.solvable,
            best_after=after.best,
            shortest_after=after.shortest,
            solvable_after=after.solvable,
            state=state_text(change.after),
        )


def participant_rows(
    participants: Iterable[Participant], games: Sequence[Game], *, anonymous: bool
) -> Iterator[ParticipantRow]:
    """Yields the rows of participants, in the order in which they agreed; `anonymous` ones without what came with the link."""
    played: dict[str, list[Game]] = {}
    for game in games:
        played.setdefault(game.session, []).append(game)
    for each in participants:
        row, own = each.row, played.get(each.session, [])
        yield ParticipantRow(
            participant=None if anonymous else row["id"],
            session=each.session,
            study=row["study"],
            parameters=None if anonymous else row["parameters"],
            condition=each.condition,
            slot=row["slot"],
            order=json.dumps([puzzle for _, puzzle in each.order], ensure_ascii=False),
            consented=iso_time(row["consented_ms"]),
            instructed=_iso(row["instructed_ms"]),
            finished=_iso(row["finished_ms"]),
            visits=row["visits"],
            puzzles=len(each.order),
            started=len(own),
            solved=sum(game.solved for game in own),
            active_s=round(sum(game.active_s for game in own), 3),
        )


def answer_rows(recording: Recording) -> Iterator[AnswerRow]:
    """Yields the answers of all participants."""
    texts = recording.question_texts
    query = (
        "SELECT answers.session, answers.trial, trials.puzzle, question, answer, received_ms "
        "FROM answers LEFT JOIN trials USING (session, trial) "
        "ORDER BY answers.session, ifnull(answers.trial, 1e9), answers.rowid"
    )
    for row in recording.rows(query):
        yield AnswerRow(
            session=row["session"],
            trial=row["trial"],
            puzzle=row["puzzle"],
            question=row["question"],
            text=texts.get((row["trial"] is None, row["question"])),
            answer=row["answer"],
            answered=iso_time(row["received_ms"]),
        )


def read_ratings(recording: Recording) -> dict[str, dict[str, float]]:
    """Returns the mean of the answers to each question that asks for a number after a puzzle.

    By the id of the question, and the digest of the puzzle.
    """
    query = (
        "SELECT question, digest, answer FROM answers JOIN trials USING (session, trial) "
        "WHERE outcome IS NOT 'answered'"
    )
    numbers: dict[str, dict[str, list[float]]] = {}
    others: set[str] = set()
    for question, digest, answer in recording.rows(query):
        try:
            number = None if answer is None else float(answer)
        except ValueError:
            others.add(question)
            continue
        if number is not None:
            numbers.setdefault(question, {}).setdefault(digest, []).append(number)
    return {
        question: {digest: fmean(values) for digest, values in by_puzzle.items()}
        for question, by_puzzle in numbers.items()
        if question not in others
    }


def _at(outlooks: Outlooks, state: Any) -> Outlook:
    return outlooks.get(state, NOTHING_KNOWN)


def _iso(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else iso_time(milliseconds)
