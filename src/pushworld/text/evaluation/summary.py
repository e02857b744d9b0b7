"""Tables about evaluations: shares with confidence intervals, by difficulty."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pushworld.bench.statistics import Share
from pushworld.bench.tables import NOTHING, Table
from pushworld.datasets.sets import natural_order
from pushworld.files import replaced
from pushworld.text import KINDS
from pushworld.text.evaluation.outcomes import Contestant, Outcome, visible
from pushworld.text.evaluation.settings import Settings

ALL, PLAN = "all", "plan"


@dataclass(frozen=True)
class Summary:
    """The figures of one contestant on the tasks of one difficulty; docs/guides/language-models.md defines them.

    Attributes:
        contestant: its label.
        task: what was asked.
        difficulty: the step, or ``all``.
        tasks: how many there are.
        answered: how many have a complete answer.
        solved: of all tasks.
        goals_achieved: the mean share of the goals of a task that hold at the end.
        moves_to_best: the mean of moves to best known moves, of solved tasks.
        moves_wasted: of all moves.
        unsolvable: the tasks whose position was proved unsolvable, of all tasks.
        illegal: the illegal answers, of all answers.
        reward: the mean reward of a task.
        tokens: of all prompts and answers.
        seconds: the mean time of a task.
    """

    contestant: str
    task: str
    difficulty: str
    tasks: int
    answered: int
    solved: Share
    goals_achieved: float
    moves_to_best: float | None
    moves_wasted: float | None
    unsolvable: Share
    illegal: Share
    reward: float
    tokens: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Returns the figures as plain data."""
        values: dict[str, Any] = {}
        for name, value in vars(self).items():
            if isinstance(value, Share):
                low, high = value.interval
                values |= {name: value.count, f"{name}_of": value.trials}
                values |= {f"{name}_low": round(low, 4), f"{name}_high": round(high, 4)}
            else:
                values[name] = round(value, 4) if isinstance(value, float) else value
        return values


def difficulties(contestants: Iterable[Contestant]) -> list[str]:
    """Returns the difficulty steps of all tasks, the easiest first."""
    steps = {
        step_of(outcome) for contestant in contestants for outcome in contestant.outcomes.values()
    }
    return sorted(steps, key=natural_order)


def kinds_of(contestants: Iterable[Contestant]) -> list[str]:
    """Returns what was asked, from seeing to planning."""
    found = {each.task.kind for one in contestants for each in one.outcomes.values()}
    return [kind for kind in KINDS if kind in found]


def step_of(outcome: Outcome) -> str:
    """Returns the difficulty step of a task."""
    difficulty = outcome.task.difficulty
    return NOTHING if difficulty is None else str(difficulty)


def summaries(contestants: Sequence[Contestant]) -> list[Summary]:
    """Returns the figures of each contestant, for each kind of task and for each difficulty of it."""
    steps = difficulties(contestants)
    return [
        _summary(contestant, kind, step, chosen)
        for contestant in contestants
        for kind in kinds_of([contestant])
        for step in (ALL, *(steps if len(steps) > 1 else ()))
        if (chosen := _chosen(contestant, kind, step))
    ]


def _chosen(contestant: Contestant, kind: str, step: str) -> list[Outcome]:
    return [
        each
        for each in contestant.outcomes.values()
        if each.task.kind == kind and step in (ALL, step_of(each))
    ]


def _summary(contestant: Contestant, kind: str, step: str, outcomes: Sequence[Outcome]) -> Summary:
    scores = [each.score for each in outcomes]
    solved = [score for score in scores if score.solved]
    ratios = [score.moves / score.best_known for score in solved if score.best_known]
    moves = sum(score.moves for score in scores)
    return Summary(
        contestant=contestant.label,
        task=kind,
        difficulty=step,
        tasks=len(outcomes),
        answered=sum(each.complete for each in outcomes),
        solved=Share(len(solved), len(outcomes)),
        goals_achieved=fmean(
            score.goals_achieved / score.goals if score.moves else 0.0 for score in scores
        ),
        moves_to_best=fmean(ratios) if ratios else None,
        moves_wasted=sum(score.moves_wasted for score in scores) / moves if moves else None,
        unsolvable=Share(
            sum(bool(score.unsolvable_after) for score in scores),
            len(scores) if contestant.proved else 0,
        ),
        illegal=Share(
            sum(each.score.illegal_answers for each in outcomes if each.answers),
            sum(each.answers for each in outcomes),
        ),
        reward=fmean(score.reward for score in scores),
        tokens=sum(each.tokens for each in outcomes),
        seconds=fmean(each.seconds for each in outcomes),
    )


def leaderboard(contestants: Sequence[Contestant]) -> Table:
    """Returns the figures of the plans of each contestant."""
    kinds = {each.label: each.evaluation.settings.kind for each in contestants}
    rows = []
    for summary in summaries(contestants):
        if (summary.task, summary.difficulty) != (PLAN, ALL):
            continue
        is_model = kinds[summary.contestant] == "model"
        rows.append(
            [
                summary.contestant,
                str(summary.solved),
                f"{100 * summary.goals_achieved:.0f} %",
                NOTHING if summary.moves_to_best is None else f"{summary.moves_to_best:.2f}",
                NOTHING if summary.moves_wasted is None else f"{100 * summary.moves_wasted:.0f} %",
                str(summary.unsolvable),
                str(summary.illegal) if is_model else NOTHING,
                f"{summary.reward:.2f}",
            ]
        )
    header = [
        "contestant",
        "solved",
        "goals",
        "to best",
        "wasted",
        "unsolvable",
        "illegal",
        "reward",
    ]
    for each in contestants:
        games = [one.games for one in each.outcomes.values()]
        if any(one.trials for one in games):
            told = Share(sum(one.count for one in games), sum(one.trials for one in games))
            name = f"{each.label}: {told.count} of {told.trials} games alone"
            rows.append([name, str(told), *[NOTHING] * (len(header) - 2)])
    return Table(header, rows)


def notes(contestants: Sequence[Contestant]) -> Iterator[str]:
    """Yields lines that say what the figures mean, and how far they can be trusted."""
    for kind in kinds_of(contestants):
        asked_about = {
            frozenset(key for key, one in each.outcomes.items() if one.task.kind == kind)
            for each in contestants
        }
        if len(asked_about - {frozenset()}) > 1:
            yield f"Not comparable: the contestants were asked for {kind} about different puzzles."
    for each in contestants:
        missing = sum(not outcome.complete for outcome in each.outcomes.values())
        if missing:
            yield (
                f"Not finished: {each.label} has no complete answer to {missing} of "
                f"{len(each.outcomes)} tasks; they count as not solved."
            )
        if each.verified is False:
            yield (
                f"Not verified: tasks or prompts of {each.label} differ from those that its settings "
                "name in this version of the package."
            )
        elif each.verified is None:
            yield (
                f"Not verified: the tasks of {each.label} cannot be made here: their seed is private, or "
                "their puzzles are not installed."
            )
    yield (
        "All scores were computed from the answers when this report was written. Shares have 95 % "
        "confidence intervals (Wilson). Solved, goals, unsolvable and reward are of all tasks; to best is "
        "the mean of moves to the best moves known, of solved tasks; wasted is of all moves; illegal is of "
        "all answers."
    )
    asked: dict[str, list[str]] = {}
    for each in contestants:
        asked.setdefault(_circumstances(each.evaluation.settings), []).append(each.label)
    for line, labels in asked.items():
        yield f"{', '.join(labels)}: {line}."


def _circumstances(settings: Settings) -> str:
    limit = "" if settings.limit is None else f", {settings.limit} of each set"
    return visible(
        f"{settings.summary()}; tasks: {', '.join(settings.sources)}{limit}, seed "
        f"{settings.tasks_seed}, digest {settings.digest}, pushworld {settings.version}"
    )


def write_csv(contestants: Sequence[Contestant], path: Path) -> None:
    """Writes one line for each contestant and task.

    Raises:
        PushWorldError: if the file cannot be written.
    """
    rows = [
        {
            "contestant": _plain(contestant.label),
            "task": outcome.task.kind,
            "puzzle": _plain(visible(outcome.task.name)),
            "set": _plain(visible(outcome.task.set)),
            "difficulty": step_of(outcome),
            "key": key,
            "status": outcome.status,
            **outcome.score.as_dict(),
            "answers": outcome.answers,
            "tokens": outcome.tokens,
            "seconds": round(outcome.seconds, 3),
            "steps": outcome.steps,
        }
        for contestant in contestants
        for key, outcome in contestant.outcomes.items()
    ]
    with replaced(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _plain(name: str) -> str:
    """Returns a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
