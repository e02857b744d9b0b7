"""What the answers of an evaluation achieved: computed from the answers, never taken from a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pushworld.puzzle import PushWorldError, format_plan
from pushworld.statistics import Share
from pushworld.text import AnswerError, Score, Task, read_answer
from pushworld.text.evaluation.conversation import Conversation, prompt_of
from pushworld.text.evaluation.journal import Evaluation, Turn, digest_of_tasks
from pushworld.text.evaluation.settings import PEOPLE, Settings, tasks_of
from pushworld.text.questions import given_moves

MOST_OF_A_LABEL = 60
ENDINGS = {
    "none": "no answer",
    "length": "cut off",
    "too-long": "cut off",
    "content_filter": "refused",
    "refusal": "refused",
}
"""What an answer without moves is that ended for another reason than that the model had done."""

SHOWN_MOVES = 2_000
"""The moves of an illegally long plan that the page replays."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True)
class Exchange:
    """A part of a conversation: what was sent, the answer, and the numbers of moves before and after it."""

    sent: str
    turn: Turn
    first: int
    last: int


@dataclass(frozen=True)
class Outcome:
    """What one contestant made of one task."""

    task: Task
    score: Score
    complete: bool  # whether no further answer is wanted
    steps: str  # all moves as letters, also those that a question tells; those of ``lrud`` take one of ``LRUD`` back
    exchanges: tuple[Exchange, ...]
    error: str  # why there is no answer; empty if there is one
    games: Share | None = None  # those of people that were solved, or their right answers

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return sum(each.turn.answer is not None for each in self.exchanges)

    @property
    def tokens(self) -> int:
        return sum(sum(each.turn.tokens) for each in self.exchanges)

    @property
    def right(self) -> Share:
        """Whether it is solved; of people, the share of those who solved it."""
        return Share.of([self.score.solved]) if self.games is None else self.games

    @property
    def seconds(self) -> float:
        return sum(each.turn.seconds for each in self.exchanges)

    @property
    def status(self) -> str:
        """``solved``, ``no answer``, ``unfinished``, ``cut off``, ``refused``, ``illegal``, ``unsolvable`` or ``open``."""
        if self.score.solved:
            return "solved"
        if not self.complete:
            return "unfinished" if self.answers else "no answer"
        if not self.score.moves:
            finish = self.exchanges[-1].turn.finish if self.answers else "none"
            return ENDINGS.get(finish, "illegal")
        return "open" if self.score.unsolvable_after is None else "unsolvable"


@dataclass(frozen=True)
class Contestant:
    """A model or baseline in a report, with its outcomes by the keys of the tasks."""

    label: str
    evaluation: Evaluation
    outcomes: dict[str, Outcome]
    proved: bool  # whether proofs were searched for that positions are unsolvable
    # whether its tasks and prompts are those that this package makes from the settings; None if the
    # tasks cannot be made here
    verified: bool | None

    @property
    def settings(self) -> Settings:
        return self.evaluation.settings

    @property
    def is_model(self) -> bool:
        """Whether it is no baseline."""
        return self.settings.kind == "model"

    def only(self, wanted: Callable[[Outcome], bool]) -> Contestant:
        """Returns the contestant with some of its outcomes."""
        chosen = {key: each for key, each in self.outcomes.items() if wanted(each)}
        return replace(self, outcomes=chosen)

    def of_kind(self, kind: str) -> Contestant:
        """Returns the contestant with its outcomes of one kind of task."""
        return self.only(lambda each: each.task.kind == kind)


def visible(text: str) -> str:
    """Returns a text whose control characters can be seen and do nothing."""
    return _INVISIBLE.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", text)


def outcome_of(evaluation: Evaluation, digest: str, *, prove: bool = True) -> Outcome:
    """Returns what the answers to a task achieved; see `contestants_of`."""
    task = evaluation.tasks[digest]
    talk = Conversation(evaluation.settings, task)
    steps = given_moves(task)
    exchanges = []
    for turn in evaluation.turns.get(digest, ()):
        sent, first = talk.texts[-1], len(steps)
        if turn.answer is not None and not talk.done:
            before = () if talk.episode is None else talk.episode.plan
            talk.add(turn.answer)
            steps += _steps(talk, before, turn.answer, evaluation.settings.notation)
        exchanges.append(Exchange(sent, turn, first, len(steps)))
    failed = evaluation.errors.get(digest)
    error = "" if failed is None or talk.done else failed.error
    games, settings = None, evaluation.settings
    if (settings.kind, settings.model) == ("baseline", PEOPLE):
        games = next((Share(*each.turn.games) for each in exchanges if each.turn.games), None)
    return Outcome(task, talk.score(prove=prove), talk.done, steps, tuple(exchanges), error, games)


def _steps(talk: Conversation, before: Sequence[int], answer: str, notation: str) -> str:
    """Returns the moves of an answer, those taken back in small letters."""
    if talk.task.kind != "plan":
        return ""
    if talk.episode is None:
        try:
            return format_plan(read_answer(answer, notation)[:SHOWN_MOVES])
        except AnswerError:
            return ""
    after = talk.episode.plan
    if len(after) >= len(before):
        return format_plan(after[len(before) :])
    return format_plan(before[len(after) :])[::-1].lower()


def contestants_of(
    evaluations: Iterable[Evaluation],
    *,
    prove: bool = True,
    seed: str | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> list[Contestant]:
    """Returns the contestants, those that solve most first; baselines come last.

    Args:
        prove: whether to search for the moves that made puzzles unsolvable.
        seed: the private seed, to verify tasks that come from one.
        on_progress: called with the name of a contestant and how many tasks are scored in all.
    """
    chosen = list(evaluations)
    if not chosen:
        raise PushWorldError("there are no evaluations to report on")
    names = Counter(each.settings.name for each in chosen)
    labels: Counter[str] = Counter()
    done = 0
    found = []
    for evaluation in chosen:
        name = evaluation.settings.name
        label = name if names[name] == 1 else f"{name} ({evaluation.path.resolve().name})"
        label = visible(label)[:MOST_OF_A_LABEL]
        labels[label] += 1
        outcomes = {}
        for digest in evaluation.tasks:
            outcomes[digest] = outcome_of(evaluation, digest, prove=prove)
            done += 1
            if on_progress is not None:
                on_progress(label, done)
        unique = label if labels[label] == 1 else f"{label} {labels[label]}"
        found.append(Contestant(unique, evaluation, outcomes, prove, _verified(evaluation, seed)))
    return sorted(found, key=_rank)


def _rank(contestant: Contestant) -> tuple[bool, float, float]:
    scores = [each.score for each in contestant.outcomes.values()]
    solved, rewards = sum(each.solved for each in scores), sum(each.reward for each in scores)
    return not contestant.is_model, -solved / max(1, len(scores)), -rewards / max(1, len(scores))


def _verified(evaluation: Evaluation, seed: str | None) -> bool | None:
    """Returns whether tasks and prompts are those of the settings; None if tasks cannot be made."""
    settings = evaluation.settings
    if (settings.limit or 0) > len(evaluation.tasks) and settings.endless:
        return False  # and drawing that number of tasks might never end
    try:
        expected = tasks_of(settings, seed)
    except PushWorldError:
        return None
    prompts = (prompt_of(settings, task) for task in expected.values())
    return (
        settings.digest == digest_of_tasks(expected.values(), prompts)
        and expected == evaluation.tasks
    )
