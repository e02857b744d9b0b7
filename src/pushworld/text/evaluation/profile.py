"""Right answers by task, difficulty and skill, and the profile: where between seeing and planning a puzzle is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pushworld.bench.tables import NOTHING, Table
from pushworld.design.analysis import SKILLS
from pushworld.statistics import Share
from pushworld.text.evaluation.outcomes import Contestant, Outcome
from pushworld.text.evaluation.summary import PLAN, difficulties, kinds_of, right_of, step_of, told
from pushworld.text.questions import given_moves
from pushworld.text.tasks import KINDS, TWINS, original

Rows = dict[tuple[str, ...], Contestant]
ENOUGH, HALF = 0.8, 0.5
"""The share of right answers from which a contestant can do something, and that of a cliff."""


@dataclass(frozen=True)
class Profile:
    """Shares of right answers: by task; to `simulate`, by the number of moves; to `judge`, about dead ends and about
    positions that can be solved; to `plan`, by the step of difficulty."""

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
        verdicts: dict[bool, list[bool]] = {True: [], False: []}
        for each in by_kind["judge"]:  # a right verdict counts, whatever move it blames
            verdicts[each.task.dead_after is not None].append(each.score.goals_achieved > 0)
        plans = [each for each in by_kind["plan"] if each.task.difficulty is not None]
        return cls(
            shares={kind: right_of(each) for kind, each in by_kind.items() if each},
            by_moves=_by(by_kind["simulate"], lambda each: len(given_moves(each.task))),
            dead=Share.of(verdicts[True]),
            alive=Share.of(verdicts[False]),
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
                return f"plan: after step {self.cliff}"
            return kind
        return NOTHING


def profile_table(contestants: Sequence[Contestant]) -> Table:
    """Returns the shares of right answers by task, and where each contestant loses the puzzle."""
    kinds, rows = kinds_of(contestants), []
    for each in contestants:
        found = Profile.of(each.outcomes.values())
        shares = (told(each.of_kind(kind).outcomes.values()) for kind in kinds)
        cliff = NOTHING if found.cliff is None else str(found.cliff)
        rows.append([each.label, *shares, cliff, found.weakness])
    return Table(("contestant", *kinds, "half up to step", "loses it at"), rows)


def by_difficulty(contestants: Sequence[Contestant]) -> Table:
    """Returns the share that each contestant solves of each difficulty step, for each kind of task."""
    kinds, rows = kinds_of(contestants), Rows()
    for one in contestants:
        rows |= {(one.label, kind)[: len(kinds)]: one.of_kind(kind) for kind in kinds}
    return _shares(rows, difficulties(contestants), lambda each: [step_of(each)])


def by_skill(contestants: Sequence[Contestant]) -> Table:
    """Returns the share of the puzzles that demand each skill for which each contestant finds a plan."""
    rows: Rows = {(each.label,): each.of_kind(PLAN) for each in contestants}
    found = {one.task.skills for each in rows.values() for one in each.outcomes.values()}
    skills = [skill for skill in SKILLS if any(skill in each for each in found)]
    return _shares(rows, skills, lambda each: each.task.skills)


def by_set(contestants: Sequence[Contestant]) -> Table:
    """Returns the share of right answers of the puzzles that have twins, and of these."""
    plain = [each.task for one in contestants for each in one.outcomes.values()]
    twins = {original(each.name) for each in plain if each.set == TWINS}
    rows: Rows = {
        (each.label,): each.only(lambda one: original(one.task.name) in twins)
        for each in contestants
    }
    sets = sorted({each.set for each in plain if original(each.name) in twins})
    return _shares(rows, sets, lambda each: [each.task.set])


def _shares(
    rows: Rows, columns: Sequence[str], columns_of: Callable[[Outcome], Sequence[str]]
) -> Table:
    """Returns the shares of right answers, by rows and by the columns that outcomes belong to."""
    asked: dict[str, set[str]] = {column: set() for column in columns}
    lines = []
    for names, contestant in rows.items():
        found: dict[str, list[Outcome]] = {column: [] for column in columns}
        for outcome in contestant.outcomes.values():
            for column in columns_of(outcome):
                found[column].append(outcome)
                asked[column].add(outcome.task.digest)
        lines.append([*names, *(told(found[column]) for column in columns)])
    header = ("contestant", "task")[: max(map(len, rows), default=1)]
    return Table([*header, *(f"{column} ({len(asked[column])})" for column in columns)], lines)


def _by(outcomes: Sequence[Outcome], key: Callable[[Outcome], int]) -> dict[int, Share]:
    keys = sorted({key(each) for each in outcomes})
    return {value: right_of(each for each in outcomes if key(each) == value) for value in keys}


def _cliff(shares: dict[int, Share]) -> int | None:
    """Returns the last key before the first whose share is below half."""
    last = None
    for key, share in shares.items():
        if (share.value or 0.0) < HALF:
            break
        last = key
    return last
