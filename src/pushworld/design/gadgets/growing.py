"""Growing a puzzle, gadget by gadget: each is proved, graded and analysed until the puzzle is as wished; mutations polish it."""

from dataclasses import dataclass, replace
from random import Random

from pushworld.design.budget import shorten_within
from pushworld.design.candidates import HARDEST, Candidate, Wish, hidden_share, untidiness
from pushworld.design.difficulty import stored_model
from pushworld.design.gadgets.chains import Chain
from pushworld.design.gadgets.composition import LARGE_AGENTS, begin, extend, shut_in
from pushworld.design.gadgets.evaluation import (
    FIRST_SHORTENING,
    PROVING,
    SLACK,
    SOLVING,
    USEFUL,
    Look,
    evaluate_composition,
    judge,
    may_demand,
)
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.links import (
    PROOF_STATES,
    Composition,
    gates_that_matter,
    held_by,
    proves_links,
    works_alone,
)
from pushworld.design.gadgets.rooms import central, places
from pushworld.design.mutations import (
    Mutation,
    add_walls,
    change_shape,
    move_object,
    remove_walls,
    with_object,
)
from pushworld.design.quality import clutter, looks, touching
from pushworld.design.variants import fill_pockets
from pushworld.puzzle import Puzzle, PuzzleError
from pushworld.puzzle.free_space import free_cells, occupied
from pushworld.puzzle.transform import canonical_form

EXTENSIONS = 5
"""How many gadgets are tried for each puzzle that may be evaluated: most fail at a first look."""

BATCH = 4
"""Changes of an accepted puzzle come in batches: the one that looks best is evaluated."""

SPREADING = 0.5
"""How often such a change moves an object away from those that it touches."""

POLISH: dict[Mutation, float] = {move_object: 4, remove_walls: 1, add_walls: 0.3, change_shape: 0.7}
"""The mutations that polish, with their relative frequencies."""


def grow(
    wish: Wish, width: int, height: int, random: Random, evaluations: int, polish: int
) -> tuple[Candidate | None, tuple[int, int, int]]:
    """Returns a puzzle as wished, if one is found, and how many were evaluated, solvable and accepted.

    Args:
        width, height: the largest interior.
        evaluations: how many puzzles may be evaluated.
        polish: how many changes of an accepted puzzle are tried.
    """
    tower = Tower(wish, width, height, random)
    best: Candidate | None = None
    seen: set[str] = set()
    looked_at = solvable = accepted = polished = 0
    while looked_at < EXTENSIONS * evaluations and polished < polish:
        looked_at += 1
        candidate = None
        if best is None:
            candidate = tower.climb()
        else:
            polished += BATCH
            proposed = _prettier(best, random)
            form = None if proposed is None else canonical_form(proposed.puzzle)
            if proposed is not None and form is not None and form not in seen:
                seen.add(form)
                candidate = evaluate_composition(proposed, wish)
        if candidate is None:
            continue
        solvable += 1
        if candidate.accepted:
            accepted += 1
            if best is None or candidate.quality > best.quality:
                best = candidate
    return best, (looked_at, solvable, accepted)


def _prettier(best: Candidate, random: Random) -> Composition | None:
    """Returns the puzzle after the small change that looks best, None if none looks better than before."""
    changes = [
        _spread(best, random) if random.random() < SPREADING else _changed(best, random)
        for _ in range(BATCH)
    ]
    made = [each for each in changes if each is not None]
    prettiest = max(made, key=lambda each: _appearance(each.puzzle), default=None)
    if prettiest is None or _appearance(prettiest.puzzle) <= _appearance(best.puzzle):
        return None
    return prettiest


def _spread(best: Candidate, random: Random) -> Composition | None:
    """Returns the puzzle with a loose object that touched another one in a place of its own nearby."""
    puzzle = best.puzzle
    crowded = sorted(set(touching(puzzle.objects)) - held_by(best.links))
    if not crowded:
        return None
    name = random.choice(crowded)
    (thing,) = (each for each in puzzle.objects if each.name == name)
    free = set(free_cells(puzzle) - occupied(puzzle, but=name) - puzzle.agent_walls)
    starts = central(places(thing.shape, free), thing.shape, free)
    x, y = thing.start
    nearest = sorted(starts, key=lambda place: abs(place[0] - x) + abs(place[1] - y))[:BATCH]
    if not nearest:
        return None
    moved = with_object(puzzle, replace(thing, start=random.choice(nearest)))
    return Composition(moved, best.links)


def _appearance(puzzle: Puzzle) -> float:
    """Returns the part of a candidate's quality that needs no search."""
    mess = clutter(puzzle, [thing.name for thing in puzzle.movables])
    return looks(puzzle) - untidiness(puzzle) - 0.3 * hidden_share(puzzle) - 2 * mess


def _changed(parent: Candidate, random: Random) -> Composition | None:
    """Returns a puzzle after a small change, with the same links."""
    mutation = random.choices(list(POLISH), list(POLISH.values()))[0]
    try:
        puzzle = mutation(parent.puzzle, random)
    except PuzzleError:
        return None
    if puzzle is None or puzzle.agent.shape != parent.puzzle.agent.shape:
        return None
    return Composition(fill_pockets(puzzle), parent.links)


PATIENCE = 8
"""How many gadgets may fail on top of a chain before its last ones are taken away."""

GADGETS_TRIED = 20
"""How many gadgets are tried for one that fits and works."""

ANEW = 60
"""After how many gadgets a search for the hardest puzzles begins anew: what begins badly remains so."""

IN_CELL = 0.05
"""How much harder it makes a puzzle, about, that the agent begins in a cell."""

LEAST_RISE = 0.12
"""How much harder each gadget must make a chain."""

MORE_STATES = 10
"""How many times as many states the search may see after one more gadget."""


@dataclass(frozen=True)
class Stage:
    """A stage of a growing chain: the chain up to here, its difficulty, and the look at its puzzle."""

    chain: Chain
    score: float
    look: Look


class Tower:
    """A chain that grows gadget by gadget as long as its links are proved and it becomes harder.

    Where many gadgets fail, the last ones go.
    """

    def __init__(self, wish: Wish, width: int, height: int, random: Random) -> None:
        self.wish = wish
        self.shuts_in = wish.level == HARDEST and "irreversible-choice" in wish.skills
        self.width, self.height = width, height
        self.large_agents = 0 if self.shuts_in or "agent-walls" in wish.skills else LARGE_AGENTS
        self.random = random
        self._stages: list[Stage] = []
        self._failures = [0]  # before the first stage, and after each
        self._tried = 0
        self._seen: set[Puzzle] = set()

    def climb(self) -> Candidate | None:
        """Tries one more gadget; returns the puzzle as a candidate if it has a plan."""
        level = self.wish.level
        self._tried += 1
        while self._stages and (
            self._failures[-1] >= PATIENCE or (level == HARDEST and self._tried % ANEW == 0)
        ):
            self._stages.pop()
            self._failures.pop()
        self._failures[-1] += 1
        top = self._stages[-1] if self._stages else None
        found = self._longer(None if top is None else top.chain)
        if found is None:
            return None
        chain, composition = found
        last = composition.links[-1]
        if not proves_links(composition, PROOF_STATES, [last]):
            return None
        if gates_that_matter(composition, PROOF_STATES, [last]) != set(last.moves):
            return None
        states = max(FIRST_SHORTENING, MORE_STATES * top.look.states if top else 0)
        before = top.look if top and level == HARDEST else None
        look = Look.at(composition, min(SOLVING[level - 1], states), before)
        if look is None:
            return None
        # Plans of hard puzzles have more to lose.
        shortening = max(FIRST_SHORTENING, 2 * look.states)
        plan = shorten_within(composition.puzzle, look.plan, shortening).plan
        look = replace(look, plan=plan)
        candidate = look.rejected()
        begins = stored_model().cuts[max(0, level - 2)]  # level 1 ends there
        if self.shuts_in:
            begins -= IN_CELL
        enough = min(top.score + LEAST_RISE if top else float("-inf"), begins)
        if look.score < enough:
            return candidate
        if not proves_links(composition, PROVING[level - 1], composition.links[:-1]):
            return candidate
        if may_demand(composition, self.wish):
            if not self.shuts_in and look.may_have(level, SLACK):
                candidate = judge(look, self.wish)
            elif self.shuts_in and look.score >= begins and (begun := shut_in(composition)):
                candidate = evaluate_composition(begun, self.wish, look) or candidate
        if enough <= candidate.score < begins:
            self._stages.append(Stage(chain, candidate.score, look))
            self._failures.append(0)
        return candidate

    def _longer(self, chain: Chain | None) -> tuple[Chain, Composition] | None:
        """Returns a chain with one more gadget that works alone, and its puzzle; None if none is found."""
        for _ in range(GADGETS_TRIED):
            longer = self._begun() if chain is None else chain.copy()
            if longer is None or (chain is not None and not extend(longer, self._kinds(chain))):
                continue
            composition = longer.furnished()
            if composition is None:
                continue
            composition = replace(composition, puzzle=fill_pockets(composition.puzzle))
            if composition.puzzle in self._seen:
                continue
            self._seen.add(composition.puzzle)
            if works_alone(composition, {} if chain is None else chain.starts):
                return longer, composition
        return None

    def _begun(self) -> Chain | None:
        """Returns a chain of one gadget, or None if it does not fit."""
        useful = [kind for skill in self.wish.skills for kind in USEFUL.get(skill, ())]
        sinks = [kind for kind in useful if kind in SINKS] or list(SINKS)
        kinds = (*sinks, *VAULTS)
        size = self.width, self.height
        return begin(self.random, *size, kinds, self.large_agents, self.shuts_in)

    def _kinds(self, chain: Chain) -> tuple[str, ...]:
        """Returns the gadgets to choose from: those that a skill needs, until the chain has one."""
        present = [link.gadget for link in chain.links]
        missing = (
            useful
            for skill in self.wish.skills
            if (useful := USEFUL.get(skill)) and set(useful).isdisjoint(present)
        )
        return next(missing, (*SINKS, *VAULTS))
