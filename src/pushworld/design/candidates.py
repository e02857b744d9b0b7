"""Candidates of a design, their quality (level, skills, no useless objects, tidy walls), and an archive of them."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Generic, TypeVar

from pushworld.design.analysis import SKILLS, Analysis, analyze
from pushworld.design.budget import DESIGNING, DESIGNING_HARD, solve_within
from pushworld.design.difficulty import grade, measure_for_grading, stored_model
from pushworld.design.gadgets.links import Link
from pushworld.design.mutations import wall_symmetry
from pushworld.design.quality import cells_for_each, clutter
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.puzzle.free_space import inner_walls, neighbours, occupied

SEARCH_STATES = (20_000, 50_000, 100_000, 4_000_000)
"""States of the search for a plan, by level."""

WORTH_ANALYSING = 0.25
"""Candidates whose score is further than this from the wanted level are not analysed."""

MIN_LENGTH = 8
HARDEST = 4
FEW, LEAST_CELLS = 4, 13
MOST_WALKING = 0.75
"""The share of actions without a push above which quality falls."""

TRIES = 20
"""How many proposals a search may make for each puzzle that it evaluates."""

Found = TypeVar("Found")

SCORE_STEP, SIZE_STEP = 0.25, 24
"""The steps of difficulty, and of cells, that tell the cells of an archive apart."""


@dataclass(frozen=True)
class Wish:
    """The wanted level, 1 to 4, and the skills that the puzzle must demand.

    Raises:
        PushWorldError: if there is no such level or skill.
    """

    level: int
    skills: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the files of the puzzles are called, before their numbers."""
        return "-".join((f"level{self.level}", *self.skills[:1]))

    def __post_init__(self) -> None:
        if not 1 <= self.level <= HARDEST:
            raise PushWorldError(f"the level must be 1, 2, 3 or 4, not {self.level}")
        for skill in self.skills:
            if skill not in SKILLS:
                raise PushWorldError(
                    f"there is no skill {skill!r}: choose from {', '.join(SKILLS)}"
                )


@dataclass(frozen=True)
class Candidate:
    """A puzzle of the search, with its quality.

    Attributes:
        plan: a plan that solves it.
        score: its difficulty.
        quality: the objective of the search; higher is better.
        accepted: whether it has the wanted level and skills and no useless object.
        skills: the skills that it demands, if it was analysed.
        useless: the objects that make no difference.
        analysis: None if its difficulty is far from the wanted level.
        links: the dependencies that it was composed of.
    """

    puzzle: Puzzle
    plan: str
    score: float
    quality: float
    accepted: bool
    skills: tuple[str, ...] = ()
    useless: tuple[str, ...] = ()
    analysis: Analysis | None = None
    links: tuple[Link, ...] = ()

    @property
    def cell(self) -> tuple[object, ...]:
        """Its skills, steps of difficulty and size, numbers of goals and of movables."""
        puzzle = self.puzzle
        return (
            self.skills,
            int(self.score // SCORE_STEP),
            puzzle.width * puzzle.height // SIZE_STEP,
            len(puzzle.goal),
            len(puzzle.movables),
        )


def evaluate(puzzle: Puzzle, wish: Wish, drawn: Collection[str] = ()) -> Candidate | None:
    """Returns the puzzle as a candidate, or None if it has no plan or a trivial one.

    Args:
        drawn: the objects that stay, whether they are of any use or not.
    """
    known_plan = solve_within(puzzle, SEARCH_STATES[wish.level - 1]).plan
    if known_plan is None or len(known_plan) < MIN_LENGTH:
        return None
    measures = measure_for_grading(puzzle)
    if measures.plan is not None and measures.plan.length < MIN_LENGTH:
        return None
    difficulty = grade(puzzle, measures)
    gap = level_gap(difficulty.score, wish.level)
    if gap > WORTH_ANALYSING:
        quality = -3 * gap - 2 * len(wish.skills) - 2
        return Candidate(puzzle, known_plan, difficulty.score, quality, accepted=False)
    analysis = analyze(
        puzzle,
        DESIGNING_HARD if wish.level == HARDEST else DESIGNING,
        difficulty=difficulty,
        planners=("default",),
        known_plan=known_plan,
    )
    return assess(puzzle, analysis, wish, drawn)


def assess(
    puzzle: Puzzle, analysis: Analysis, wish: Wish, drawn: Collection[str] = ()
) -> Candidate:
    """Returns an analysed puzzle as a candidate; `drawn` is as in `evaluate`."""
    plan, roles, solution = analysis.measures.plan, analysis.roles, analysis.measures.solution
    assert plan is not None
    assert analysis.difficulty is not None  # there was no time limit
    assert solution is not None
    assert roles is not None
    missing = [skill for skill in wish.skills if skill not in analysis.skills]
    kept = roles.together.union(drawn)
    useless = tuple(name for name in roles.of("distractor") if name not in kept)
    gap = level_gap(analysis.difficulty.score, wish.level)
    idle_agent_walls = bool(puzzle.agent_walls) and "agent-walls" not in analysis.skills
    walking = 1 - plan.pushes / plan.length
    mess = clutter(puzzle, plan.moved)
    quality = (
        -3 * gap
        - 2 * len(missing)
        - 0.4 * min(len(useless), 4)
        - 2 * max(0.0, walking - MOST_WALKING)
        - untidiness(puzzle)
        - (0.4 if idle_agent_walls else 0.0)
        - 0.3 * hidden_share(puzzle)
        - 2 * mess
        + 0.15 * len(analysis.skills)
        + 0.3 * min(1.0, plan.runs / 10)
        + 0.1 * min(3, plan.longest_chain)
    )
    crowded = is_confetti(puzzle) and not drawn
    accepted = not missing and not useless and gap == 0 and not crowded
    return Candidate(
        puzzle=puzzle,
        plan=solution.plan,
        score=analysis.difficulty.score,
        quality=quality,
        accepted=accepted,
        skills=analysis.skills,
        useless=useless,
        analysis=analysis,
    )


def level_gap(score: float, level: int) -> float:
    """Returns how far a score lies outside a level's range."""
    cuts = stored_model().cuts
    above = score - cuts[level - 1] if level <= len(cuts) else 0.0
    below = cuts[level - 2] - score if level > 1 else 0.0
    return max(0.0, above, below)


def is_confetti(puzzle: Puzzle) -> bool:
    """Returns whether a puzzle has more than a few movables, and not enough empty cells for each."""
    return len(puzzle.movables) > FEW and cells_for_each(puzzle) < LEAST_CELLS


def untidiness(puzzle: Puzzle) -> float:
    """Returns how untidy the walls look, 0 to 1: asymmetric, or in loose cells."""
    walls = inner_walls(puzzle)
    if not walls | puzzle.agent_walls:
        return 0.0
    # The border counts as a neighbour: walls that touch it look tidy.
    loose = walls - neighbours(puzzle.walls) | puzzle.agent_walls - neighbours(puzzle.agent_walls)
    share = len(loose) / len(walls | puzzle.agent_walls)
    return 0.6 * share + (0.4 if wall_symmetry(puzzle) == "-" else 0.0)


def hidden_share(puzzle: Puzzle) -> float:
    """Returns the share of the agent walls that objects cover at the start."""
    return len(puzzle.agent_walls & occupied(puzzle)) / max(1, len(puzzle.agent_walls))


@dataclass
class Archive(Generic[Found]):
    """The archive of MAP-Elites (Mouret and Clune, 2015): the best candidate found of each cell, with its quality."""

    elites: dict[tuple[object, ...], tuple[float, Found]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.elites)

    def add(self, candidate: Found, cell: tuple[object, ...], quality: float) -> bool:
        """Keeps a candidate if it is the best of its cell; returns whether it was kept."""
        if cell in self.elites and self.elites[cell][0] >= quality:
            return False
        self.elites[cell] = quality, candidate
        return True

    def choose(self, random: Random) -> Found:
        """Returns a parent for the next candidate: the best of three elites drawn at random."""
        drawn = random.choices(list(self.elites.values()), k=3)
        return max(drawn, key=lambda each: each[0])[1]


def proposals(
    propose: Callable[[], Found | None], form_of: Callable[[Found], str], most: int
) -> Iterator[Found]:
    """Yields at most `most` proposals, each of another form; None and known forms are tried again, but not forever."""
    seen: set[str] = set()
    for _ in range(TRIES * most):
        if len(seen) == most:
            return
        made = propose()
        if made is not None and (form := form_of(made)) not in seen:
            seen.add(form)
            yield made
