"""A reader of SAS+ files, written from the description of the format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.export.cheapest import SearchTask

Fact = tuple[int, int]
State = tuple[int, ...]


@dataclass(frozen=True)
class Operator:
    """An operator; an effect is its conditions and the fact that it makes true."""

    name: str
    cost: int
    conditions: tuple[Fact, ...]
    effects: tuple[tuple[tuple[Fact, ...], Fact], ...]


class _Lines:
    def __init__(self, text: str) -> None:
        assert text.endswith("\n")
        self.lines = iter(text.splitlines())

    def text(self) -> str:
        return next(self.lines)

    def number(self) -> int:
        return int(self.text())

    def numbers(self) -> list[int]:
        return [int(word) for word in self.text().split()]

    def expect(self, text: str) -> None:
        assert self.text() == text


def read_sas(text: str) -> SearchTask[State]:
    """Returns the task of a SAS+ file without axioms; fails if the file breaks the format."""
    lines = _Lines(text)
    for each in ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric"):
        lines.expect(each)
    sizes = [_read_variable(lines) for _ in range(lines.number())]
    assert lines.number() == 0  # groups of facts that exclude each other
    lines.expect("begin_state")
    initial = tuple(lines.number() for _ in sizes)
    lines.expect("end_state")
    lines.expect("begin_goal")
    goal = [_fact(lines.numbers(), sizes) for _ in range(lines.number())]
    lines.expect("end_goal")
    operators = [_read_operator(lines, sizes) for _ in range(lines.number())]
    assert lines.number() == 0  # axioms
    assert next(lines.lines, None) is None
    assert all(0 <= value < size for value, size in zip(initial, sizes, strict=True))
    assert len({operator.name for operator in operators}) == len(operators)
    by_condition: dict[Fact, list[Operator]] = defaultdict(list)
    for operator in operators:
        by_condition[operator.conditions[0]].append(operator)

    def successors(state: State) -> Iterator[tuple[str, int, State]]:
        for fact in enumerate(state):
            for operator in by_condition.get(fact, ()):
                if all(state[variable] == value for variable, value in operator.conditions):
                    yield operator.name, operator.cost, _apply(operator, state)

    def is_goal(state: State) -> bool:
        return all(state[variable] == value for variable, value in goal)

    return SearchTask(initial, is_goal, successors)


def _apply(operator: Operator, state: State) -> State:
    after = list(state)
    for conditions, (variable, value) in operator.effects:
        if all(state[each] == needed for each, needed in conditions):
            after[variable] = value
    return tuple(after)


def _read_variable(lines: _Lines) -> int:
    lines.expect("begin_variable")
    lines.text()
    lines.expect("-1")
    values = [lines.text() for _ in range(lines.number())]
    lines.expect("end_variable")
    assert len(set(values)) == len(values) > 0
    return len(values)


def _read_operator(lines: _Lines, sizes: list[int]) -> Operator:
    lines.expect("begin_operator")
    name = lines.text()
    conditions = [_fact(lines.numbers(), sizes) for _ in range(lines.number())]
    effects = []
    for _ in range(lines.number()):
        count, *rest = lines.numbers()
        variable, before, after = rest[2 * count :]
        when = tuple(_fact(rest[2 * i : 2 * i + 2], sizes) for i in range(count))
        if before != -1:
            conditions.append(_fact([variable, before], sizes))
        effects.append((when, _fact([variable, after], sizes)))
    cost = lines.number()
    lines.expect("end_operator")
    unique = tuple(dict.fromkeys(conditions))
    assert len({variable for variable, _ in unique}) == len(unique)
    return Operator(name, cost, unique, tuple(effects))


def _fact(numbers: list[int], sizes: list[int]) -> Fact:
    variable, value = numbers
    assert 0 <= value < sizes[variable]
    return variable, value
