"""PDDL read by the package `pddl`, grounded here by joining static facts, and ready to search."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pddl.logic.base import And, Not
from pddl.logic.effects import Forall, When
from pddl.logic.functions import EqualTo, Increase
from pddl.logic.predicates import Predicate
from pddl.logic.terms import Constant
from pddl.parser.domain import DomainParser
from pddl.parser.problem import ProblemParser

from tests.export.cheapest import SearchTask

Atom = tuple[str, ...]
State = frozenset[Atom]
Binding = dict[str, str]
Types = dict[str, set[str]]


@dataclass(frozen=True)
class Effect:
    """What becomes true and false when the conditions hold."""

    conditions: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


@dataclass(frozen=True)
class Action:
    """A ground action."""

    name: str
    cost: int
    conditions: tuple[Atom, ...]
    effects: tuple[Effect, ...]


@cache
def _parsers() -> tuple[DomainParser, ProblemParser]:
    return DomainParser(), ProblemParser()


def read_pddl(domain_text: str, problem_text: str) -> SearchTask[State]:
    """Returns the task of two PDDL files; fails if the package does not accept them."""
    domain_parser, problem_parser = _parsers()
    domain, problem = domain_parser(domain_text), problem_parser(problem_text)
    assert problem.domain_name == domain.name
    facts = [fact for fact in problem.init if not isinstance(fact, EqualTo)]
    types = _types_of(domain, problem)
    _check_types(domain, types, facts)
    grounder = _Grounder(domain, types, {_atom(fact, {}) for fact in facts})
    actions = [ground for action in domain.actions for ground in grounder.actions(action)]
    by_condition: dict[Atom, list[Action]] = defaultdict(list)
    for ground in actions:
        by_condition[ground.conditions[0]].append(ground)
    goal = {_atom(each, {}) for each in _parts(problem.goal)}

    def successors(state: State) -> Iterator[tuple[str, int, State]]:
        for atom in state:
            for ground in by_condition.get(atom, ()):
                if state.issuperset(ground.conditions):
                    yield ground.name, ground.cost, _apply(ground, state)

    return SearchTask(grounder.fluents, goal.issubset, successors)


def _types_of(domain: Any, problem: Any) -> Types:
    """Returns the types that each object has, those above its own included."""
    types: Types = {}
    for constant in (*domain.constants, *problem.objects):
        family, tag = set(), constant.type_tag
        while tag is not None:
            family.add(str(tag))
            tag = domain.types.get(tag)
        types[constant.name] = family
    return types


def _check_types(domain: Any, types: Types, facts: list[Predicate]) -> None:
    """Fails if a fact does not fit the declaration of its predicate."""
    declared = {predicate.name: predicate.terms for predicate in domain.predicates}
    for fact in facts:
        assert len(fact.terms) == len(declared[fact.name])
        for term, variable in zip(fact.terms, declared[fact.name], strict=True):
            assert types[term.name] & set(variable.type_tags), fact


class _Grounder:
    def __init__(self, domain: Any, types: Types, initial: set[Atom]) -> None:
        self.types = types
        changed = {part.name for action in domain.actions for part in _predicates_in(action.effect)}
        self.fluents = frozenset(atom for atom in initial if atom[0] in changed)
        self.static: dict[str, set[Atom]] = defaultdict(set)
        for atom in initial - self.fluents:
            self.static[atom[0]].add(atom)
        self.changed = changed

    def actions(self, action: Any) -> Iterator[Action]:
        """Yields the ground actions whose static conditions hold."""
        static, fluent = self._split(action.precondition)
        names = [variable.name for variable in action.parameters]
        for binding in self._bindings(static, {}):
            assert set(names) == set(binding)
            if not self._fit(action.parameters, binding):
                continue
            cost = 0
            effects: list[Any] = []
            for part in _parts(action.effect):
                if isinstance(part, Increase):
                    cost += int(part.operands[1].value)
                elif isinstance(part, Forall):
                    effects += self._conditional(part, binding)
                else:
                    effects.append(_effect([part], (), binding))
            yield Action(
                name=" ".join([action.name, *(binding[name] for name in names)]),
                cost=cost,
                conditions=tuple(_atom(each, binding) for each in fluent),
                effects=tuple(effects),
            )

    def _conditional(self, effect: Forall, binding: Binding) -> Iterator[Effect]:
        static, fluent = self._split(effect.effect.condition)
        for inner in self._bindings(static, binding):
            if self._fit(effect.variables, inner):
                conditions = tuple(_atom(each, inner) for each in fluent)
                yield _effect(list(_parts(effect.effect.effect)), conditions, inner)

    def _fit(self, variables: Iterable[Any], binding: Binding) -> bool:
        """Returns whether all values are of the types that the variables are declared with."""
        return all(self.types[binding[each.name]] & set(each.type_tags) for each in variables)

    def _split(self, condition: Any) -> tuple[list[Predicate], list[Predicate]]:
        parts = list(_parts(condition))
        assert all(isinstance(part, Predicate) for part in parts)
        return (
            [part for part in parts if part.name not in self.changed],
            [part for part in parts if part.name in self.changed],
        )

    def _bindings(self, static: list[Predicate], binding: Binding) -> Iterator[Binding]:
        if not static:
            yield binding
            return
        first, *others = static
        for atom in self.static[first.name]:
            extended = dict(binding)
            for term, value in zip(first.terms, atom[1:], strict=True):
                known = _value(term, extended)
                if known is None:
                    extended[term.name] = value
                elif known != value:
                    break
            else:
                yield from self._bindings(others, extended)


def _apply(action: Action, state: State) -> State:
    deleted: set[Atom] = set()
    added: set[Atom] = set()
    for effect in action.effects:
        if state.issuperset(effect.conditions):
            deleted.update(effect.deletes)
            added.update(effect.adds)
    return frozenset((state - deleted) | added)


def _effect(parts: list[Any], conditions: tuple[Atom, ...], binding: Binding) -> Effect:
    return Effect(
        conditions=conditions,
        adds=tuple(_atom(part, binding) for part in parts if isinstance(part, Predicate)),
        deletes=tuple(_atom(part.argument, binding) for part in parts if isinstance(part, Not)),
    )


def _parts(formula: Any) -> Iterator[Any]:
    if isinstance(formula, And):
        yield from formula.operands
    else:
        yield formula


def _predicates_in(formula: Any) -> Iterator[Predicate]:
    """Yields the predicates that an effect changes."""
    for part in _parts(formula):
        if isinstance(part, Predicate):
            yield part
        elif isinstance(part, Not):
            yield part.argument
        elif isinstance(part, Forall | When):
            yield from _predicates_in(part.effect)


def _value(term: Any, binding: Binding) -> str | None:
    return term.name if isinstance(term, Constant) else binding.get(term.name)


def _atom(predicate: Predicate, binding: Binding) -> Atom:
    values = [_value(term, binding) for term in predicate.terms]
    assert None not in values
    return (predicate.name, *(value for value in values if value is not None))
