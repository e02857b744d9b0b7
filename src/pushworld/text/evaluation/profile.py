"""Right answers by task, difficulty and skill, and the profile: where between seeing and planning a puzzle is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pushworld.bench.statistics import Share
from pushworld.bench.tables import NOTHING, Table
from pushworld.design.skills import SKILLS
from pushworld.text.evaluation.outcomes import Contestant, Outcome
from pushworld.text.evaluation.summary import PLAN, difficulties, kinds_of, step_of
from pushworld.text.questions import given_moves
from pushworld.text.tasks import KINDS, TWINS, original

ENOUGH, HALF = 0.8, 0.5
"""The share of right answers from which a contestant can do something, and that of a cliff."""


@dataclass(frozen=True)
class Profile:
    """What a contestant can do.

    Attributes:
        shares: of right answers, by task.
        by_moves: of right answers to `simulate`, by the number of moves.
        dead, alive: of right verdicts about dead ends, and about positions that can be solved.
        by_step: of right answers to `plan`, by the step of difficulty.
    """

    shares: dict[str, Share]
    by_moves: dict[int, Share]
    dead: Share
    alive: Share
    by_step: dict[int, Share]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Profile:
        """Returns the profile that answers show."""
        found = list(outcomes)
        by_kind = {kind: [each for each in found if each.task.kind == kind] for kind in KINDS}
        judged = by_kind["judge"]
        plans = [each for each in by_kind["plan"] if each.task.difficulty is not None]
        return cls(
            shares={kind: _right(each) for kind, each in by_kind.items() if each},
            by_moves=_by(by_kind["simulate"], lambda each: len(given_moves(each.task))),
            dead=_verdicts(each for each in judged if each.task.dead_after is not None),
            alive=_verdicts(each for each in judged if each.task.dead_after is None),
            by_step=_by(plans, lambda each: each.task.difficulty or 0),
        )

    @property
    def moves_followed(self) -> int | None:
        """The most moves up to which at least half of the answers are right; None if there is none."""
        return _cliff(self.by_moves)

    @property
    def cliff(self) -> int | None:
        """The last step up to which at least half of the puzzles are solved; None if there is none."""
        return _cliff(self.by_step)

    @property
    def weakness(self) -> str:
        """The first task on the way from seeing to planning that it cannot do, and what shows it."""
        for kind, share in self.shares.items():
            if (share.value or 0.0) >= ENOUGH:
                continue
            if kind == "simulate" and self.moves_followed:
                return f"simulate: loses track after {self.moves_followed} moves"
            if kind == "judge" and (self.dead.value or 0) < HALF <= (self.alive.value or 0):
                return "judge: takes dead ends for solvable"
            if kind == "judge" and (self.alive.value or 0) < HALF <= (self.dead.value or 0):
                return "judge: takes solvable positions for dead ends"
            if kind == "plan" and self.cliff:
                return f"plan: from step {self.cliff + 1} on"
            return kind
        return NOTHING


def profile_table(contestants: Sequence[Contestant]) -> Table:
    """Returns the shares of right answers by task, and where each contestant loses the puzzle."""
    profiles = {each.label: Profile.of(each.outcomes.values()) for each in contestants}
    kinds = [kind for kind in KINDS if any(kind in each.shares for each in profiles.values())]
    rows = [
        [
            label,
            *(str(found.shares[kind]) if kind in found.shares else NOTHING for kind in kinds),
            NOTHING if found.cliff is None else str(found.cliff),
            found.weakness,
        ]
        for label, found in profiles.items()
    ]
    return Table(("contestant", *kinds, "half up to step", "loses it at"), rows)


def by_difficulty(contestants: Sequence[Contestant]) -> Table:
    """Returns the share that each contestant solves of each difficulty step, for each kind of task."""
    several = len(kinds_of(contestants)) > 1
    return _shares(
        contestants,
        difficulties(contestants),
        lambda each: [step_of(each)],
        lambda each: f": {each.task.kind}" if several else "",
    )


def by_skill(contestants: Sequence[Contestant]) -> Table:
    """Returns the share of the puzzles that demand each skill for which each contestant finds a plan."""
    plans = [
        replace(
            each, outcomes={key: one for key, one in each.outcomes.items() if one.task.kind == PLAN}
        )
        for each in contestants
    ]
    found = {skill for each in plans for one in each.outcomes.values() for skill in one.task.skills}
    return _shares(
        plans, [skill for skill in SKILLS if skill in found], lambda each: each.task.skills
    )


def by_set(contestants: Sequence[Contestant]) -> Table:
    """Returns the share of right answers of the puzzles that have twins, and of these."""
    plain = (each.task for one in contestants for each in one.outcomes.values())
    names = {
        name for each in plain if each.set == TWINS for name in (each.name, original(each.name))
    }
    about = [
        replace(
            each,
            outcomes={key: one for key, one in each.outcomes.items() if one.task.name in names},
        )
        for each in contestants
    ]
    sets = sorted({one.task.set for each in about for one in each.outcomes.values()})
    return _shares(about, sets, lambda each: [each.task.set])


def _shares(
    contestants: Sequence[Contestant],
    columns: Sequence[str],
    columns_of: Callable[[Outcome], Sequence[str]],
    row_of: Callable[[Outcome], str] = lambda each: "",
) -> Table:
    """Returns the shares of right answers, in rows of each contestant and in columns that outcomes belong to."""
    counts: dict[tuple[str, str], list[bool]] = {}
    asked: dict[str, set[str]] = {column: set() for column in columns}
    rows = dict[str, None]()
    for contestant in contestants:
        for key, outcome in contestant.outcomes.items():
            row = contestant.label + row_of(outcome)
            rows[row] = None
            for column in columns_of(outcome):
                counts.setdefault((row, column), []).append(outcome.score.solved)
                asked[column].add(key)

    def share(row: str, column: str) -> Share:
        right = counts.get((row, column), [])
        return Share(sum(right), len(right))

    return Table(
        ["contestant", *(f"{column} ({len(asked[column])})" for column in columns)],
        [[row, *(str(share(row, column)) for column in columns)] for row in rows],
    )


def _right(outcomes: Sequence[Outcome]) -> Share:
    return Share(sum(each.score.solved for each in outcomes), len(outcomes))


def _verdicts(outcomes: Iterable[Outcome]) -> Share:
    """Returns the share of right verdicts, whatever move they blame."""
    counted = [each.score.goals_achieved > 0 for each in outcomes]
    return Share(sum(counted), len(counted))


def _by(outcomes: Sequence[Outcome], key: Callable[[Outcome], int]) -> dict[int, Share]:
    keys = sorted({key(each) for each in outcomes})
    return {value: _right([each for each in outcomes if key(each) == value]) for value in keys}


def _cliff(shares: dict[int, Share]) -> int | None:
    """Returns the last key before the first whose share is below half."""
    last = None
    for key, share in shares.items():
        if (share.value or 0.0) < HALF:
            break
        last = key
    return last
