"""The figures of a report: of contestants, of difficulty steps, of single tasks, and what they mean."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from pushworld.bench.tables import NOTHING, Table
from pushworld.datasets.sets import natural_order
from pushworld.files import write_text
from pushworld.statistics import Share
from pushworld.text import KINDS
from pushworld.text.evaluation.outcomes import Contestant, Outcome, visible

ALL, PLAN = "all", "plan"


def difficulties(contestants: Iterable[Contestant]) -> list[str]:
    """Returns the difficulty steps of all tasks, the easiest first."""
    steps = {step_of(each) for one in contestants for each in one.outcomes.values()}
    return sorted(steps, key=natural_order)


def kinds_of(contestants: Iterable[Contestant]) -> list[str]:
    """Returns what was asked, from seeing to planning."""
    found = {each.task.kind for one in contestants for each in one.outcomes.values()}
    return [kind for kind in KINDS if kind in found]


def step_of(outcome: Outcome) -> str:
    """Returns the difficulty step of a task."""
    difficulty = outcome.task.difficulty
    return NOTHING if difficulty is None else str(difficulty)


def right_of(outcomes: Iterable[Outcome]) -> Share:
    """Returns the share of tasks that are solved, or answered right; of people, of their games and answers."""
    shares = [each.right for each in outcomes]
    return Share(sum(each.count for each in shares), sum(each.trials for each in shares))


def told(outcomes: Iterable[Outcome]) -> str:
    """Returns the share of right answers as tables show it; of people, also how many there are."""
    found = list(outcomes)
    share = right_of(found)
    if share.trials and any(each.games for each in found):
        return f"{share.count} of {share.trials}: {share}"
    return str(share)


def figures_of(contestant: Contestant) -> dict[str, Any]:
    """Returns the figures of a contestant; docs/guides/language-models.md defines them."""
    outcomes = list(contestant.outcomes.values())
    scores = [each.score for each in outcomes]
    ratios = [each.moves / each.best_known for each in scores if each.solved and each.best_known]
    moves = sum(each.moves for each in scores)
    illegal = sum(each.score.illegal_answers for each in outcomes if each.answers)
    dead = sum(bool(each.unsolvable_after) for each in scores)
    return {
        "tasks": len(outcomes),
        "answered": sum(each.complete for each in outcomes),
        "solved": right_of(outcomes),
        "goals_achieved": fmean(
            each.goals_achieved / each.goals if each.moves else 0.0 for each in scores
        ),
        "moves_to_best": fmean(ratios) if ratios else None,
        "moves_wasted": sum(each.moves_wasted for each in scores) / moves if moves else None,
        "unsolvable": Share(dead, len(scores) if contestant.proved else 0),
        "illegal": Share(illegal, sum(each.answers for each in outcomes)),
        "reward": fmean(each.reward for each in scores),
        "tokens": sum(each.tokens for each in outcomes),
        "seconds": fmean(each.seconds for each in outcomes),
    }


def summaries(contestants: Sequence[Contestant]) -> list[dict[str, Any]]:
    """Returns the figures of each contestant, for each kind of task and for each difficulty of it, as plain data."""
    steps = difficulties(contestants)
    found = []
    for one in contestants:
        for kind in kinds_of([one]):
            for step in (ALL, *(steps if len(steps) > 1 else ())):
                part = one.of_kind(kind).only(_of_step(step))
                if part.outcomes:
                    head = {"contestant": one.label, "task": kind, "difficulty": step}
                    found.append(head | _plain(figures_of(part)))
    return found


def _of_step(step: str) -> Callable[[Outcome], bool]:
    return lambda each: step in (ALL, step_of(each))


def _plain(figures: dict[str, Any]) -> dict[str, Any]:
    """Returns figures with the parts of shares as figures of their own."""
    values: dict[str, Any] = {}
    for name, value in figures.items():
        if isinstance(value, Share):
            low, high = value.interval
            values |= {name: value.count, f"{name}_of": value.trials}
            values |= {f"{name}_low": round(low, 4), f"{name}_high": round(high, 4)}
        else:
            values[name] = round(value, 4) if isinstance(value, float) else value
    return values


def leaderboard(contestants: Sequence[Contestant]) -> Table:
    """Returns the figures of the plans of each contestant."""
    rows = []
    figures = ("solved", "goals", "to best", "wasted", "unsolvable", "illegal", "reward")
    plans = (each.of_kind(PLAN) for each in contestants)
    for each in (each for each in plans if each.outcomes):
        found = figures_of(each)
        to_best, wasted = found["moves_to_best"], found["moves_wasted"]
        rows.append(
            [
                each.label,
                told(each.outcomes.values()),
                f"{100 * found['goals_achieved']:.0f} %",
                NOTHING if to_best is None else f"{to_best:.2f}",
                NOTHING if wasted is None else f"{100 * wasted:.0f} %",
                str(found["unsolvable"]),
                str(found["illegal"]) if each.is_model else NOTHING,
                f"{found['reward']:.2f}",
            ]
        )
    return Table(("contestant", *figures), rows)


def notes(contestants: Sequence[Contestant]) -> Iterator[str]:
    """Yields lines that say what the figures mean, and how far they can be trusted."""
    for kind in kinds_of(contestants):
        asked_about = {frozenset(each.of_kind(kind).outcomes) for each in contestants}
        if len(asked_about - {frozenset()}) > 1:
            yield f"Not comparable: the contestants were asked for {kind} about different puzzles."
    for each in contestants:
        missing = sum(not outcome.complete for outcome in each.outcomes.values())
        if missing:
            yield (
                f"Not finished: {each.label} has no complete answer to {missing} of "
                f"{len(each.outcomes)} tasks; they count as not solved."
            )
        if not each.verified:
            why = "differ from those that its settings name in this version of the package"
            if each.verified is None:
                why = (
                    "cannot be made here: their seed is private, or their puzzles are not installed"
                )
            yield f"Not verified: tasks or prompts of {each.label} {why}."
    yield (
        "All scores were computed from the answers when this report was written. Shares have 95 % "
        "confidence intervals (Wilson). Solved, goals, unsolvable and reward are of all tasks; to best is "
        "the mean of moves to the best moves known, of solved tasks; wasted is of all moves; illegal is of "
        "all answers."
    )
    asked: dict[str, list[str]] = {}
    for each in contestants:
        settings = each.settings
        limit = "" if settings.limit is None else f", {settings.limit} of each set"
        line = visible(
            f"{settings.summary()}; tasks: {', '.join(settings.sources)}{limit}, seed "
            f"{settings.tasks_seed}, digest {settings.digest}, pushworld {settings.version}"
        )
        asked.setdefault(line, []).append(each.label)
    yield from (f"{', '.join(labels)}: {line}." for line, labels in asked.items())


def write_csv(contestants: Sequence[Contestant], path: Path) -> None:
    """Writes one line for each contestant and task."""
    rows: list[dict[str, Any]] = [
        {
            "contestant": _no_formula(contestant.label),
            "task": outcome.task.kind,
            "puzzle": _no_formula(visible(outcome.task.name)),
            "set": _no_formula(visible(outcome.task.set)),
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
    write_text(path, Table(tuple(rows[0]), [[*row.values()] for row in rows]).csv())


def _no_formula(name: str) -> str:
    """Returns a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
