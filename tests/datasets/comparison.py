"""Compares the distributions of generated and published Level 0 puzzles, property by property.

``python -m tests.datasets.comparison SET ... --count 6000`` prints all results; the published sets must be
installed. A small p-value says that a property differs more than chance explains.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pushworld.datasets import load_set
from pushworld.datasets.generated.distribution import AS_PUBLISHED
from pushworld.datasets.generated.stream import generate
from pushworld.planners import solve
from pushworld.puzzle import Puzzle, PuzzleObject
from pushworld.puzzle.free_space import inner_walls

SIGNIFICANT = 0.001
"""A property differs if its p-value is smaller; the bound is low because dozens are tested."""

RARE = 10
"""Neighbouring values seen less often than this are merged into one category."""


@dataclass(frozen=True)
class PropertyComparison:
    """A chi-square test of the hypothesis that a property has the same distribution in both sets.

    Attributes:
        name: the property.
        statistic, freedom, p: the test statistic, its degrees of freedom and the p-value.
        generated, published: the means of the property.
    """

    name: str
    statistic: float
    freedom: int
    p: float
    generated: float
    published: float

    @property
    def differs(self) -> bool:
        return self.p < SIGNIFICANT


@dataclass(frozen=True)
class SetComparison:
    """The comparisons of all properties of a set, and the numbers of puzzles compared."""

    name: str
    generated: int
    published: int
    properties: list[PropertyComparison]


def compare_set(
    name: str,
    published: Sequence[Puzzle],
    count: int,
    *,
    seed: int = 0,
    lengths: int = 300,
) -> SetComparison:
    """Compares `count` generated puzzles of a Level 0 set with the published ones.

    Args:
        name: the set.
        published: its published puzzles.
        count: the number of puzzles to generate.
        seed: for the generated puzzles.
        lengths: the number of published puzzles whose shortest plans are compared.
    """
    batch = generate(AS_PUBLISHED[name], count, seed=seed)
    ours = batch.puzzles()
    properties = [
        compare_values(
            label, [measure(each) for each in ours], [measure(each) for each in published]
        )
        for label, measure in PROPERTIES.items()
    ]
    step = max(1, len(published) // lengths) if lengths else len(published) + 1
    plans = (
        solve(puzzle, "astar", time_limit=600, memory_limit_gb=4) for puzzle in published[::step]
    )
    found = [result.length or 0 for result in plans]
    properties.append(compare_values("plan length", batch.lengths.tolist(), found))
    return SetComparison(name, len(ours), len(published), properties)


def compare_values(
    name: str, generated: Sequence[int], published: Sequence[int]
) -> PropertyComparison:
    """Returns the two-sample chi-square test of two samples of integers."""
    ours, theirs = _merge_rare(Counter(generated), Counter(published))
    scale = math.sqrt(len(published) / len(generated))
    statistic = sum(
        (ours[value] * scale - theirs[value] / scale) ** 2 / (ours[value] + theirs[value])
        for value in ours | theirs
    )
    freedom = len(ours | theirs) - 1
    return PropertyComparison(
        name,
        statistic,
        freedom,
        chi_square_tail(statistic, freedom),
        sum(generated) / len(generated),
        sum(published) / len(published),
    )


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Returns the upper tail probability of the chi-square distribution."""
    if freedom == 0:
        return 1.0
    half = statistic / 2
    if freedom % 2:
        tail, term, step = math.erfc(math.sqrt(half)), math.sqrt(half / math.pi) * 2, 0.5
    else:
        tail, term, step = 0.0, 1.0, 0.0
    while step < freedom / 2:
        tail += math.exp(-half) * term
        step += 1
        term *= half / step
    return min(1.0, tail)


def format_comparison(compared: SetComparison) -> str:
    """Returns the comparison as a text table, without properties that are constant in both sets."""
    lines = [f"{compared.name}: {compared.generated} generated, {compared.published} published"]
    lines.append(f"  {'property':22}{'generated':>11}{'published':>11}{'chi2':>9}{'df':>4}{'p':>9}")
    lines += [
        f"  {each.name:22}{each.generated:11.3f}{each.published:11.3f}{each.statistic:9.1f}"
        f"{each.freedom:4}{each.p:9.4f}{'  differs' if each.differs else ''}"
        for each in compared.properties
        if each.freedom
    ]
    return "\n".join(lines)


def _merge_rare(ours: Counter[int], theirs: Counter[int]) -> tuple[Counter[int], Counter[int]]:
    """Returns both counts with neighbouring rare values merged."""
    merged_ours: Counter[int] = Counter()
    merged_theirs: Counter[int] = Counter()
    group, seen = 0, 0
    for value in sorted(ours | theirs):
        merged_ours[group] += ours[value]
        merged_theirs[group] += theirs[value]
        seen += ours[value] + theirs[value]
        if seen >= RARE:
            group, seen = group + 1, 0
    if seen and group:
        merged_ours[group - 1] += merged_ours.pop(group)
        merged_theirs[group - 1] += merged_theirs.pop(group)
    return merged_ours, merged_theirs


def _touches_border(puzzle: Puzzle, cells: Iterable[tuple[int, int]]) -> bool:
    return any(x in (1, puzzle.width - 2) or y in (1, puzzle.height - 2) for x, y in cells)


def _shape_number(thing: PuzzleObject) -> int:
    """Returns a number that identifies the shape."""
    return sum(1 << (8 * y + x) for x, y in thing.shape)


def _with_goal(puzzle: Puzzle) -> tuple[PuzzleObject, ...]:
    return puzzle.objects[1 : 1 + len(puzzle.goal)]


def _distance(puzzle: Puzzle) -> int:
    thing = puzzle.objects[1]
    assert thing.goal is not None
    return abs(thing.start[0] - thing.goal[0]) + abs(thing.start[1] - thing.goal[1])


PROPERTIES: dict[str, Callable[[Puzzle], int]] = {
    "width": lambda puzzle: puzzle.width - 2,
    "height": lambda puzzle: puzzle.height - 2,
    "walls": lambda puzzle: len(inner_walls(puzzle)),
    "goals": lambda puzzle: len(puzzle.goal),
    "obstacles": lambda puzzle: len(puzzle.movables) - len(puzzle.goal),
    "agent's cells": lambda puzzle: len(puzzle.agent.shape),
    "agent's shape": lambda puzzle: _shape_number(puzzle.agent),
    "goal object's cells": lambda puzzle: len(puzzle.objects[1].shape),
    "goal object's shape": lambda puzzle: _shape_number(puzzle.objects[1]),
    "obstacle's shape": lambda puzzle: _shape_number(puzzle.objects[-1]),
    "same goal shapes": lambda puzzle: (
        len(puzzle.goal) - len({thing.shape for thing in _with_goal(puzzle)})
    ),
    "goal object at border": lambda puzzle: sum(
        _touches_border(puzzle, thing.cells_at(thing.start)) for thing in _with_goal(puzzle)
    ),
    "goal at border": lambda puzzle: sum(
        _touches_border(puzzle, thing.cells_at(thing.goal))
        for thing in _with_goal(puzzle)
        if thing.goal is not None
    ),
    "agent at border": lambda puzzle: _touches_border(
        puzzle, puzzle.agent.cells_at(puzzle.agent.start)
    ),
    "obstacle at border": lambda puzzle: _touches_border(
        puzzle, puzzle.objects[-1].cells_at(puzzle.objects[-1].start)
    ),
    "walls at border": lambda puzzle: sum(
        _touches_border(puzzle, [cell]) for cell in inner_walls(puzzle)
    ),
    "way to the goal": _distance,
}
"""The compared properties of a Level 0 puzzle, as integers."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(AS_PUBLISHED), metavar="SET")
    parser.add_argument("--count", type=int, default=4000, help="how many puzzles to generate")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in arguments.sets:
        published = load_set(f"level0/{name}")
        compared = compare_set(name, published, arguments.count, seed=arguments.seed)
        print(format_comparison(compared), flush=True)


if __name__ == "__main__":
    main()
