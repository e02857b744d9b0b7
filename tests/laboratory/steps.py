"""The same walks by all implementations of the dynamics: whatever one says, the others must say too.

A trial is one step of a random walk, taken by the engine, by the vector environment and by the JAX
environment. The first walk through each puzzle is also taken by the reference dynamics and, where Node.js is
there, by the page. Positions, achieved goals, ends of episodes and rewards are compared after each step.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import Engine
from pushworld.envs.contract import SOLVED_REWARD, STEP_PENALTY
from pushworld.envs.vector_env import PushWorldVectorEnv
from pushworld.puzzle import Puzzle, PuzzleObject
from tests.grids import KINDS, puzzle_on
from tests.laboratory.page import Page, open_page
from tests.laboratory.trials import Options, Outcome, Trials

INPUTS = "steps of random walks by engine, vector environment, JAX, reference and page"
COUNT = 1_000_000_000
CHUNK = 1 << 18
STEPS = 64
EPISODE = 40
REPEATED = 0.3
"""The share of actions that repeat the one before: walks that go somewhere push more."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Shape:
    """The largest world of a kind, so that JAX compiles one program for all of its puzzles.

    Attributes:
        side: width and height of the interior.
        box: width and height of an object.
        movables: the number of movables.
        goals: the number of goals.
        walks: the number of walks through each puzzle.
        jax_walks: how many of them JAX takes; its time grows with the square of the objects.
        share: how many chunks are of this kind, relative to others.
    """

    side: tuple[int, int]
    box: tuple[int, int]
    movables: int
    goals: int
    walks: int
    jax_walks: int
    share: int


SHAPES = {
    "painted": Shape((8, 8), (8, 8), 6, 6, 64, 64, 12),
    "woven": Shape((12, 12), (12, 12), 4, 4, 64, 64, 8),
    "nested": Shape((15, 15), (15, 15), 3, 3, 64, 64, 5),
    "wide": Shape((330, 8), (330, 8), 6, 6, 64, 64, 5),
    "chain": Shape((170, 170), (1, 1), 80, 50, 512, 4, 1),
    "crowd": Shape((16, 16), (3, 2), 110, 60, 512, 16, 1),
}


@dataclass(frozen=True)
class Walks:
    """What the engine says about some walks, T steps of N walks each.

    Attributes:
        puzzles: the puzzles; each has as many walks as any other, one after the other.
        actions: shape (T, N).
        fresh: shape (T, N), whether a new episode begins before the step.
        states: for each puzzle the positions after each step, shape (T, walks, objects, 2).
        achieved, terminated, truncated, rewards: shape (T, N).
    """

    puzzles: list[Puzzle]
    actions: Array
    fresh: Array
    states: list[Array]
    achieved: Array
    terminated: Array
    truncated: Array
    rewards: Array

    @property
    def each(self) -> int:
        """The number of walks through each puzzle."""
        return int(self.actions.shape[1]) // len(self.puzzles)

    def of(self, puzzle: int) -> slice:
        """Returns the columns of a puzzle's walks."""
        return slice(puzzle * self.each, (puzzle + 1) * self.each)

    def first(self, count: int) -> Walks:
        """Returns only the first walks through each puzzle."""
        kept = np.arange(self.actions.shape[1]) % self.each < count
        arrays = (self.achieved, self.terminated, self.truncated, self.rewards)
        states = [trace[:, :count] for trace in self.states]
        both = self.actions[:, kept], self.fresh[:, kept]
        return Walks(self.puzzles, *both, states, *(array[:, kept] for array in arrays))


def start(options: Options) -> Trials:
    """Returns a function that takes some steps."""
    kinds = options.chosen(KINDS)
    order = [kind for kind in kinds for _ in range(SHAPES[kind].share)]
    page = open_page()
    walk_with_jax = _jax_walk()

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        kind = order[trials.start // CHUNK % len(order)]
        count = max(1, len(trials) // (STEPS * SHAPES[kind].walks))
        random = options.random(trials.start)
        puzzles = [_puzzle(kind, random, number) for number in range(count)]
        walks = engine_walks(puzzles, SHAPES[kind].walks, random)
        compared = {
            "vector environment": compare_vector(walks, outcome),
            "reference": compare_reference(walks.first(1), outcome),
        }
        if walk_with_jax is not None:
            compared["JAX"] = compare_jax(
                walks.first(SHAPES[kind].jax_walks), kind, walk_with_jax, outcome
            )
        if page is not None:
            compared["page"] = compare_page(walks.first(1), page, outcome)
        outcome.counts["engine steps"] += walks.actions.size
        for what, steps in compared.items():
            outcome.counts[f"{what} steps"] += steps
        outcome.findings = [f"{kind}: {each}" for each in outcome.findings]
        return outcome

    return tried


def _puzzle(kind: str, random: Random, number: int) -> Puzzle:
    return replace(puzzle_on(KINDS[kind](random), random), name=str(number))


def engine_walks(puzzles: list[Puzzle], walks: int, random: Random) -> Walks:
    """Returns random walks, in which a new episode begins after a solved or truncated one."""
    generator = np.random.default_rng(random.getrandbits(64))
    shape = (STEPS, len(puzzles) * walks)
    actions = generator.integers(0, 4, shape, np.uint8)
    for step in (np.flatnonzero(generator.random(STEPS - 1) < 2 * REPEATED) + 1).tolist():
        again = generator.random(shape[1]) < 0.5
        actions[step, again] = actions[step - 1, again]
    achieved = np.zeros(shape, np.int64)
    before = np.zeros(shape, np.int64)
    terminated, truncated, fresh = (np.zeros(shape, bool) for _ in range(3))
    traces = []
    for number, puzzle in enumerate(puzzles):
        mine = slice(number * walks, (number + 1) * walks)
        engine = Engine(puzzle)
        first = engine.initial_states(walks)
        goals = len(puzzle.goal)
        states = first.copy()
        age = np.zeros(walks, np.int64)
        done = np.zeros(walks, bool)
        trace = np.zeros((STEPS, *states.shape), np.int16)
        for step in range(STEPS):
            fresh[step, mine] = done
            states[done] = first[done]
            age = np.where(done, 1, age + 1)
            before[step, mine] = engine.achieved_goals(states)
            engine.step_batch(states, actions[step, mine])
            trace[step] = states
            achieved[step, mine] = engine.achieved_goals(states)
            terminated[step, mine] = (achieved[step, mine] == goals) & (goals > 0)
            truncated[step, mine] = ~terminated[step, mine] & (age >= EPISODE)
            done = terminated[step, mine] | truncated[step, mine]
        traces.append(trace)
    rewards = np.where(terminated, SOLVED_REWARD, achieved - before - STEP_PENALTY)
    return Walks(puzzles, actions, fresh, traces, achieved, terminated, truncated, rewards)


def compare_vector(walks: Walks, outcome: Outcome) -> int:
    """Takes the same steps in the vector environment; returns their number."""
    steps, count = walks.actions.shape
    env = PushWorldVectorEnv(
        count,
        walks.puzzles,
        observation="state",
        max_episode_steps=EPISODE,
        autoreset_mode="Disabled",
        copy=False,
        threads=1,
    )
    names = [puzzle.name for puzzle in walks.puzzles for _ in range(walks.each)]
    env.reset(seed=0, options={"puzzle": names})
    objects, frame = env.single_observation_space.shape[0], _frame_of(walks.puzzles)  # type: ignore[index]
    expected = np.full((steps, count, objects, 2), -1, np.int16)
    for number, (puzzle, trace) in enumerate(zip(walks.puzzles, walks.states, strict=True)):
        offset = [(frame[0] - puzzle.width) // 2, (frame[1] - puzzle.height) // 2]
        expected[:, walks.of(number), : trace.shape[2]] = trace + np.array(offset)
    for step in range(steps):
        if walks.fresh[step].any():
            env.reset(options={"reset_mask": walks.fresh[step], "puzzle": names})
        seen, rewards, terminated, truncated, infos = env.step(walks.actions[step].astype(np.int64))
        _compare("vector environment", walks, step, outcome, "positions", seen, expected[step])
        # As with Gymnasium's TimeLimit, a last step that solves the puzzle is both.
        found = (terminated, truncated & ~terminated, infos["achieved_goals"])
        _compare_ends("vector environment", walks, step, outcome, found)
        wrong = np.abs(rewards - walks.rewards[step]) > 1e-9
        _compare("vector environment", walks, step, outcome, "reward", wrong, np.zeros(count, bool))
    return int(walks.actions.size)


def compare_jax(walks: Walks, kind: str, walk: Callable[..., Any], outcome: Outcome) -> int:
    """Takes the same steps in the JAX environment; returns their number."""
    from pushworld.envs.jax import pack, slots_of

    shape = SHAPES[kind]
    params = pack(
        [*walks.puzzles, _anchor(shape)],
        max_steps=EPISODE,
        symmetries=False,
        random_placement=False,
        goals=shape.goals,
    )
    variants = np.repeat(np.arange(len(walks.puzzles), dtype=np.int32), walks.each)
    seen, *ends, rewards = map(np.asarray, walk(params, variants, walks.actions, walks.fresh))
    expected = np.zeros(seen.shape, np.int16)
    for number, (puzzle, trace) in enumerate(zip(walks.puzzles, walks.states, strict=True)):
        expected[:, walks.of(number), slots_of(puzzle, shape.goals)] = trace
    wrong = np.abs(rewards - walks.rewards) > 1e-5
    right = np.zeros(walks.actions.shape[1], bool)
    for step in range(STEPS):
        _compare("JAX", walks, step, outcome, "positions", seen[step], expected[step])
        _compare("JAX", walks, step, outcome, "reward", wrong[step], right)
        _compare_ends("JAX", walks, step, outcome, tuple(each[step] for each in ends))
    return int(walks.actions.size)


def _jax_walk() -> Callable[..., Any] | None:
    """Returns a function that takes all steps of all walks, or None without JAX."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return None
    from pushworld.envs.jax import EnvParams, EnvState, initial_state, step_env

    def walk(
        params: EnvParams, variants: jax.Array, actions: jax.Array, fresh: jax.Array
    ) -> tuple[jax.Array, ...]:
        first = jax.vmap(initial_state, (0, None))(variants, params)

        def step(state: EnvState, given: tuple[jax.Array, jax.Array]) -> tuple[EnvState, Any]:
            action, anew = given

            def chosen(new: jax.Array, old: jax.Array) -> jax.Array:
                return jnp.where(anew.reshape(-1, *[1] * (new.ndim - 1)), new, old)

            state = jax.tree.map(chosen, first, state)
            state, reward, _, info = jax.vmap(step_env, (0, 0, None))(state, action, params)
            ends = (info["terminated"], info["truncated"], info["achieved"])
            return state, (state.positions, *ends, reward)

        return jax.lax.scan(step, first, (actions, fresh))[1]  # type: ignore[no-any-return]

    return jax.jit(walk)


def compare_reference(walks: Walks, outcome: Outcome) -> int:
    """Takes the first walk of each puzzle by the reference dynamics; returns the number of steps."""
    for column, (puzzle, trace) in enumerate(zip(walks.puzzles, walks.states, strict=True)):
        state = puzzle.initial_state
        for step in range(STEPS):
            if walks.fresh[step, column]:
                state = puzzle.initial_state
            state = puzzle.step(state, int(walks.actions[step, column]))
            said = (state, puzzle.achieved_goals(state))
            engine = tuple((int(x), int(y)) for x, y in trace[step, 0])
            if said != (engine, walks.achieved[step, column]):
                outcome.findings.append(_story("reference", walks, step, column, "state"))
                break
    return STEPS * len(walks.puzzles)


def compare_page(walks: Walks, page: Page, outcome: Outcome) -> int:
    """Takes the first walk of each puzzle by the page's rules; returns the number of steps."""
    for column, (puzzle, trace) in enumerate(zip(walks.puzzles, walks.states, strict=True)):
        fresh = walks.fresh[:, column].tolist()
        answer = page.ask(puzzle.to_pwp(), walks.actions[:, column].tolist(), fresh)
        same = np.array_equal(answer["states"], trace[:, 0])
        if not same or answer["achieved"] != walks.achieved[:, column].tolist():
            outcome.findings.append(_story("page", walks, STEPS - 1, column, "state"))
    return STEPS * len(walks.puzzles)


def _compare_ends(
    who: str, walks: Walks, step: int, outcome: Outcome, found: tuple[Array, ...]
) -> None:
    expected = (walks.terminated[step], walks.truncated[step], walks.achieved[step])
    names = ("terminated", "truncated", "achieved goals")
    for what, seen, right in zip(names, found, expected, strict=True):
        _compare(who, walks, step, outcome, what, seen, right)


def _compare(
    who: str, walks: Walks, step: int, outcome: Outcome, what: str, seen: Array, expected: Array
) -> None:
    """Adds a finding for the first walk in which two arrays differ."""
    if np.array_equal(seen, expected):
        return
    differ = (np.asarray(seen) != expected).reshape(len(expected), -1).any(axis=1)
    outcome.findings.append(_story(who, walks, step, int(np.flatnonzero(differ)[0]), what))


def _story(who: str, walks: Walks, step: int, column: int, what: str) -> str:
    puzzle = walks.puzzles[column // walks.each]
    begun = int(np.flatnonzero(walks.fresh[: step + 1, column])[-1:].sum())
    plan = "".join("LRUD"[action] for action in walks.actions[begun : step + 1, column])
    return f"{who} and engine differ ({what}) after {plan} in\n{puzzle.to_pwp()}"


def _frame_of(puzzles: list[Puzzle]) -> tuple[int, int]:
    return max(puzzle.width for puzzle in puzzles), max(puzzle.height for puzzle in puzzles)


def _anchor(shape: Shape) -> Puzzle:
    """Returns a puzzle as large as any of its kind, with as many objects, one of them the largest."""
    width, height = shape.side
    largest = [(1, 1), shape.box]
    cells = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    free = iter(cell for cell in cells if cell not in largest)
    agent = PuzzleObject.from_cells("A", [next(free)])
    spread = PuzzleObject.from_cells("M0", largest)
    others = [PuzzleObject.from_cells(f"M{k}", [next(free)]) for k in range(1, shape.movables)]
    return Puzzle(width + 2, height + 2, (agent, spread, *others), frozenset(), name="anchor")
