"""Training: exact rewards of attempts, and a stream of tasks whose difficulty follows the solve rate."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pushworld.design.budget import solve_within
from pushworld.design.variants import from_state
from pushworld.puzzle import Puzzle, State
from pushworld.text.answers import read_answer
from pushworld.text.episode import Episode
from pushworld.text.questions import all_asked
from pushworld.text.scores import MOST_UNSOLVED_REWARD, Score, play, proof_states, score_answer
from pushworld.text.steps import ROOM_STEPS
from pushworld.text.tasks import STREAM, Task, tasks

RECENT = 50
"""The attempts that a solve rate counts."""


@dataclass(frozen=True)
class Reward:
    """What an attempt is worth, as far as a search proves it."""

    # from 0 to 1: `Score.reward` if solved, 0 in a proved dead end, otherwise a quarter of the
    # progress; where nothing is proved, `Score.reward`
    value: float
    solved: bool
    # the share of the way that is done, by the lengths of shortest plans before and after; 0 for a
    # step back; None if one of them is not known
    progress: float | None = None
    dead_end: bool | None = None  # whether there is no plan any more; None if that is not known

    @property
    def proved(self) -> dict[str, float | None]:
        """What is proved, as plain data."""
        return {"progress": self.progress, "dead_end": self.dead_end}


def exact_reward(task: Task, answer: str, *, notation: str = "letters") -> Reward:
    """Returns the reward of an answer to the prompt of a task."""
    score = score_answer(task, answer, notation=notation, prove=False)
    if task.kind != "plan" or not score.moves:
        return Reward(score.reward, score.solved)
    state, _ = play(task.puzzle, read_answer(answer, notation))
    return _proved(task, task.puzzle, state, score)


def episode_reward(task: Task, episode: Episode) -> Reward:
    """Returns the reward of an episode of a task, as far as it has come."""
    return _proved(task, episode.puzzle, episode.state, episode.score(prove=False))


def _proved(task: Task, puzzle: Puzzle, state: State, score: Score) -> Reward:
    if score.solved:
        return Reward(score.reward, True, 1.0, False)
    rest = solve_within(from_state(puzzle, state), proof_states(puzzle), "astar")
    if rest.status == "unsolvable":
        return Reward(0.0, False, 0.0, True)
    if rest.plan is None or not (task.shortest and task.best_known):
        return Reward(score.reward, False, None, None if rest.plan is None else False)
    progress = max(0.0, 1 - len(rest.plan) / task.best_known)
    return Reward(MOST_UNSOLVED_REWARD * progress, False, progress, False)


class Curriculum(Iterator[Task]):
    """Tasks of `stream` without end, drawn by seed: most from steps that are solved about half of the time.

    A step is drawn with the weight p (1 - p), where p is the solve rate of its last attempts.

    Examples:
        >>> tasks = Curriculum(seed=1)
        >>> for task in tasks:
        ...     reward = exact_reward(task, model(prompt_for(task)))
        ...     tasks.record(task, reward.solved)
    """

    def __init__(
        self,
        seed: int | str = 0,
        steps: Sequence[int] = tuple(ROOM_STEPS),
        kinds: Sequence[str] = ("plan",),
    ) -> None:
        self._random = Random(f"PushWorld, curriculum, seed {seed}")
        self._tasks = {
            step: all_asked(tasks(f"{STREAM}{step}", seed=seed), kinds) for step in steps
        }
        self._recent: dict[int, deque[bool]] = {step: deque(maxlen=RECENT) for step in steps}

    def __next__(self) -> Task:
        rates = self.solve_rates
        weights = [rate * (1 - rate) for rate in rates.values()]
        (step,) = self._random.choices(list(rates), weights)
        return next(self._tasks[step])

    def record(self, task: Task, solved: bool) -> None:
        """Takes note of an attempt."""
        if task.difficulty in self._recent:
            self._recent[task.difficulty].append(solved)

    @property
    def solve_rates(self) -> dict[int, float]:
        """The solve rate of each step, half before the first attempt."""
        return {
            step: (sum(recent) + 1) / (len(recent) + 2) for step, recent in self._recent.items()
        }
