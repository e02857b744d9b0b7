"""A study in progress: what each request of a participant changes, and where the participant is then.

Each function is work for the recorder: it reads the participant's rows, decides, and writes. So the
server remembers nothing that is not on the disk, and a restart changes nothing.
"""

import json
import re
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pushworld.web.request_bodies import BadRequestError
from pushworld.web.studies import store
from pushworld.web.studies.assignment import assign, free_slot
from pushworld.web.studies.messages import Now, Outcome, Refused, Stored
from pushworld.web.studies.referee import (
    BYSTANDERS,
    GRACE_MS,
    Game,
    NotAllowedError,
    World,
    remaining_ms,
)
from pushworld.web.studies.stages import Stages, current_trial
from pushworld.web.studies.store import Participant, Trial
from pushworld.web.studies.study import Study
from pushworld.web.trace_database import Event

_TOKEN = re.compile(r"([0-9a-f]{32})\.([0-9]{1,9})")


class Conduct:
    """A study that participants take part in."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._stages = Stages(study)
        self._worlds = {name: World(each) for name, each in study.puzzles.items()}

    def enter(self, database: sqlite3.Connection, now: int, participant_id: str, key: str) -> Now:
        """Begins a visit, which takes over from earlier ones; before consent, nothing is stored.

        Raises:
            BadRequestError: if another browser has begun: who knows an id is not yet that participant.
        """
        participant = store.find_participant(database, id=participant_id)
        if participant is None:
            return {**self._stages.begin("consent", None, []), "text": self.study.consent}
        if participant.key not in (key, None):
            raise BadRequestError("this study was begun in another browser", 403, "browser")
        participant.key = key
        participant.visits += 1
        participant.received = 0
        trials = store.trials_of(database, participant.session)
        for trial in trials:
            is_played = self.study.question_of(trial.block, trial.puzzle) is None
            if is_played and trial.started_ms is not None and trial.outcome is None:
                game = self._game(participant, trial)
                events = [game.made_by_server("resume", now), *game.check_time(now)]
                store.append_events(database, participant.session, events, now)
                store.save(database, trial)
        store.save(database, participant)
        return self._stages.now(database, now, participant, trials)

    def consent(
        self,
        database: sqlite3.Connection,
        now: int,
        participant_id: str,
        key: str,
        parameters: Mapping[str, str],
        agreed: bool,
    ) -> Now:
        """Makes a participant of someone who agrees, with a condition and an order."""
        if store.find_participant(database, id=participant_id) is not None:
            return self.enter(database, now, participant_id, key)
        if not agreed:
            return self._stages.begin("declined", None, [])
        slot = free_slot(self.study, store.slots_taken(database))
        assignment = assign(self.study, slot, participant_id)
        participant = Participant(
            id=participant_id,
            session=secrets.token_hex(16),
            study=self.study.version,
            parameters=json.dumps(parameters),
            condition=assignment.condition,
            slot=slot,
            consented_ms=now,
            instructed_ms=None if self.study.instructions.strip() else now,
            key=key,
        )
        store.save(database, participant)
        trials = [
            Trial(participant.session, index, block, name, self.study.puzzles[name].digest)
            for index, (block, name) in enumerate(assignment.trials)
        ]
        for trial in trials:
            store.save(database, trial)
        return self._stages.now(database, now, participant, trials)

    def proceed(self, database: sqlite3.Connection, now: int, token: str) -> Now:
        """Notes that the participant has read the instructions."""
        participant = self._find(database, token)
        if participant.instructed_ms is None:
            participant.instructed_ms = now
            store.save(database, participant)
        return self._stages.now(database, now, participant)

    def play(
        self,
        database: sqlite3.Connection,
        now: int,
        token: str,
        events: Sequence[Event],
        shown: int | None = None,
    ) -> Stored:
        """Stores events up to the first one that is not allowed.

        Args:
            events: as the page sends them; `sequence` is the page's number.
            shown: the trial that the page shows; None for the current one.
        """
        participant = self._find(database, token)
        trials = store.trials_of(database, participant.session)
        current = current_trial(trials)
        accepted: list[Event] = []
        changed: set[int] = set()
        refused: Refused | None = None
        in_grace = False

        def check_time(grace: int) -> None:
            if current is None:
                return
            if late := self._game(participant, current).check_time(now, grace):
                accepted.extend(late)
                changed.add(current.trial)

        if participant.instructed_ms is None and events:
            raise BadRequestError("the instructions come before the puzzles")
        check_time(GRACE_MS)
        asked = self._stages.asked(database, participant, trials)
        for event in events:
            if event.sequence < participant.received:
                continue
            if event.sequence > participant.received:
                raise BadRequestError(f"event {participant.received} is missing")
            try:
                if asked is not None and event.kind not in BYSTANDERS:
                    raise NotAllowedError("questions come before the next puzzle")
                trial = self._trial_of(event, trials, current)
                accepted += self._game(participant, trial).apply(event, now)
            except NotAllowedError as problem:
                refused = {"number": event.sequence, "message": str(problem)}
                break
            changed.add(trial.trial)
            in_grace |= event.kind not in BYSTANDERS
            participant.received += 1
        check_time(GRACE_MS if in_grace else 0)
        store.append_events(database, participant.session, accepted, now)
        for number in changed:
            store.save(database, trials[number])
        store.save(database, participant)
        played = [each.trial for each in events if each.kind not in BYSTANDERS]
        about = played[-1] if played else shown
        asked_about = current if about is None else next(iter(trials[about : about + 1]), None)
        outcome = asked_about.outcome if asked_about is not None else None
        rest = None
        if current is not None and outcome is None:
            rest = remaining_ms(
                current, self.study.rules_of(current.block, participant.condition), now
            )
        return {
            "type": "stored",
            "received": participant.received,
            "remaining_ms": rest,
            "refused": refused,
            "outcome": cast("Outcome | None", outcome),
            "now": self._stages.now(database, now, participant, trials)
            if refused or outcome
            else None,
        }

    def answer(
        self,
        database: sqlite3.Connection,
        now: int,
        token: str,
        trial: int | None,
        answers: Mapping[str, Any],
    ) -> Now:
        """Stores the answers to the questions that the participant is at; later ones do not count."""
        participant = self._find(database, token)
        trials = store.trials_of(database, participant.session)
        asked = self._stages.asked(database, participant, trials)
        if asked is not None and asked["trial"] == trial:
            questions = self.study.at_end if trial is None else self.study.after_puzzle
            current = current_trial(trials)
            if current is not None and trial == current.trial:
                question = self.study.question_of(current.block, current.puzzle)
                questions = () if question is None else (question,)
                current.outcome, current.ended_ms = "answered", now
                store.save(database, current)
            rows = [(each.id, each.checked(answers.get(each.id))) for each in questions]
            for key in answers.keys() - {each.id for each in questions}:
                raise BadRequestError(f"there is no question {key[:64]!r} here")
            store.add_answers(database, participant.session, trial, rows, now)
        return self._stages.now(database, now, participant, trials)

    def withdraw(self, database: sqlite3.Connection, now: int, token: str) -> Now:
        """Deletes everything about the participant."""
        if not self.study.withdrawal:
            raise BadRequestError(
                "this study does not let participants withdraw by themselves", 403
            )
        store.delete_participant(database, self._find(database, token).session)
        return self._stages.begin("withdrawn", None, [])

    def may_search(self, database: sqlite3.Connection, now: int, token: str) -> bool:
        """Returns whether the participant may ask the solver now."""
        participant = self._find(database, token)
        current = current_trial(store.trials_of(database, participant.session))
        if current is None or current.started_ms is None:
            return False
        rules = self.study.rules_of(current.block, participant.condition)
        return rules.hints or rules.solution

    def _find(self, database: sqlite3.Connection, token: str) -> Participant:
        """Returns the participant of a token. Raises BadRequestError if its visit is not the last."""
        parts = _TOKEN.fullmatch(token)
        if parts is None:
            raise BadRequestError("'token' must be the one that the server sent")
        participant = store.find_participant(database, session=parts[1])
        if participant is None:
            raise BadRequestError("you do not take part in this study (any more)", 404, "unknown")
        if participant.visits != int(parts[2]):
            raise BadRequestError(
                "you have opened this study in another window, which goes on in its place",
                409,
                "elsewhere",
            )
        return participant

    def _trial_of(self, event: Event, trials: list[Trial], current: Trial | None) -> Trial:
        last = len(trials) - 1 if current is None else current.trial
        if event.trial is None or event.trial > last:
            raise NotAllowedError("this is not the puzzle to play now")
        if event.trial < last and event.kind not in BYSTANDERS:
            raise NotAllowedError("this puzzle is over")
        return trials[event.trial]

    def _game(self, participant: Participant, trial: Trial) -> Game:
        rules = self.study.rules_of(trial.block, participant.condition)
        return Game(trial, rules, self._worlds[trial.puzzle], participant.visits)
