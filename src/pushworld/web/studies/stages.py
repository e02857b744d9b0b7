"""The stages of a study: where a participant is, as a message for the page."""

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast
from urllib.parse import quote

from pushworld.web.studies import store
from pushworld.web.studies.messages import FinishedNow, Now, Outcome, PuzzleNow, QuestionsNow, Stage
from pushworld.web.studies.referee import elapsed_ms, remaining_ms
from pushworld.web.studies.store import Participant, Trial
from pushworld.web.studies.study import Question, Study


def current_trial(trials: Sequence[Trial]) -> Trial | None:
    """Returns the first trial that has not ended."""
    return next((trial for trial in trials if trial.outcome is None), None)


@dataclass(frozen=True)
class Stages:
    """The stages of one study."""

    study: Study

    def now(
        self,
        database: sqlite3.Connection,
        now: int,
        participant: Participant,
        trials: list[Trial] | None = None,
    ) -> Now:
        """Returns where the participant is; notes when the study is finished."""
        trials = store.trials_of(database, participant.session) if trials is None else trials
        if participant.instructed_ms is None:
            begun = self.begin("instructions", participant, trials)
            return {**begun, "text": self.study.instructions}
        asked = self.asked(database, participant, trials)
        current = current_trial(trials)
        if asked is not None:
            if current is not None and asked["trial"] == current.trial and not current.started_ms:
                current.started_ms = now
                store.save(database, current)
            return {**self.begin("questions", participant, trials), "questions": asked}
        if current is not None:
            puzzle = self._puzzle(participant, trials, current, now)
            return {**self.begin("puzzle", participant, trials), "puzzle": puzzle}
        if participant.finished_ms is None:
            participant.finished_ms = now
            store.save(database, participant)
        return {
            **self.begin("finished", participant, trials),
            "finished": self._finished(participant),
        }

    def begin(self, stage: Stage, participant: Participant | None, trials: Sequence[Trial]) -> Now:
        """Returns what all stages have in common."""
        kind: Literal["now"] = "now"
        return {
            "type": kind,
            "token": f"{participant.session}.{participant.visits}" if participant else None,
            "stage": stage,
            "done": sum(trial.outcome is not None for trial in trials),
            "total": sum(len(block.puzzles) for block in self.study.blocks),
            "received": participant.received if participant else 0,
        }

    def asked(
        self, database: sqlite3.Connection, participant: Participant, trials: list[Trial]
    ) -> QuestionsNow | None:
        """Returns the questions that come next, if questions do."""
        done = [trial for trial in trials if trial.outcome is not None]
        questions = self.study.after_puzzle
        if done and questions and self.study.block(done[-1].block).questions:
            last = done[-1]
            if not store.is_answered(database, participant.session, last.trial):
                return _questions(questions, last.trial, cast("Outcome", last.outcome))
        current = current_trial(trials)
        if current is not None and (
            question := self.study.question_of(current.block, current.puzzle)
        ):
            text, picture = (
                self.study.block(current.block).text,
                self.study.puzzles[current.puzzle].picture,
            )
            return _questions([question], current.trial, None, text or None, picture)
        questions = self.study.at_end
        is_end = len(done) == len(trials) and questions
        if not is_end or store.is_answered(database, participant.session, None):
            return None
        return _questions(questions)

    def _puzzle(
        self, participant: Participant, trials: list[Trial], trial: Trial, now: int
    ) -> PuzzleNow:
        puzzle, rules = (
            self.study.puzzles[trial.puzzle],
            self.study.rules_of(trial.block, participant.condition),
        )
        is_first = trial.trial == 0 or trials[trial.trial - 1].block != trial.block
        text = self.study.block(trial.block).text if is_first else ""
        return {
            "trial": trial.trial,
            "block": trial.block,
            "text": text or None,
            "puzzle": trial.puzzle,
            "title": puzzle.title if self.study.show_names else None,
            "digest": puzzle.digest,
            "pwp": puzzle.pwp,
            "rules": rules.to_message(),
            "started": trial.started_ms is not None,
            "plan": trial.plan,
            "actors": trial.actors,
            "step": trial.step,
            "moves": trial.moves,
            "elapsed_ms": elapsed_ms(trial, now),
            "remaining_ms": remaining_ms(trial, rules, now),
        }

    def _finished(self, participant: Participant) -> FinishedNow:
        redirect = self.study.redirect
        if redirect is not None:
            for name, value in json.loads(participant.parameters).items():
                redirect = redirect.replace(f"{{{name}}}", quote(value, safe=""))
            redirect = re.sub(r"\{[A-Za-z0-9_-]+\}", "", redirect)
        return {"text": self.study.thanks, "code": self.study.code, "redirect": redirect}


def _questions(
    questions: Sequence[Question],
    trial: int | None = None,
    outcome: Outcome | None = None,
    text: str | None = None,
    picture: str | None = None,
) -> QuestionsNow:
    return {
        "trial": trial,
        "outcome": outcome,
        "text": text,
        "picture": picture,
        "questions": [each.to_message() for each in questions],
    }
