"""PushWorld for ``reasoning-gym``: importing this module registers the dataset ``pushworld``.

>>> import reasoning_gym
>>> import pushworld.text.adapters.reasoning_gym
>>> data = reasoning_gym.create_dataset("pushworld", min_step=1, max_step=3, size=100, seed=42)
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from pushworld.puzzle import PushWorldError, Puzzle, parse_plan
from pushworld.text import FORMATS, NOTATIONS, one_shot_prompt, reward, tasks
from pushworld.text.adapters import needs
from pushworld.text.answers import MAX_CHARACTERS, PLAN, block, write_actions
from pushworld.text.steps import ROOM_STEPS
from pushworld.text.tasks import STREAM

with needs("reasoning-gym"):
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset

NAME = "pushworld"


@dataclass
class PushWorldConfig:
    """Which puzzles to generate (steps 1 to 8), and how a model sees and answers them."""

    min_step: int = 1
    max_step: int = 3
    format: str = FORMATS[0]
    notation: str = NOTATIONS[0]
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises PushWorldError if a value is wrong."""
        low, high, most = self.min_step, self.max_step, len(ROOM_STEPS)
        if not 1 <= low <= high <= most:
            told = f"the steps must be 1 <= min_step <= max_step <= {most}, not {low} and {high}"
            raise PushWorldError(told)
        # raises an error that names the formats or notations
        one_shot_prompt(Puzzle.parse("A M1 G1"), format=self.format, notation=self.notation)
        if self.size < 1:
            raise PushWorldError(f"the size must be at least 1, not {self.size}")


class PushWorldDataset(ProceduralDataset):  # type: ignore[misc]
    """Generated puzzles; each entry depends only on the seed, its index and the configuration."""

    def __init__(self, config: PushWorldConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Returns an entry: question, answer and metadata."""
        if not 0 <= idx < self.size:
            raise IndexError(f"there are {self.size} entries, so no entry {idx}")
        config, seed = self.config, f"reasoning-gym {self.seed} {idx}"
        step, notation = Random(seed).randint(config.min_step, config.max_step), config.notation
        task = next(tasks(f"{STREAM}{step}", limit=1, seed=seed))
        return {
            "question": one_shot_prompt(task.puzzle, format=config.format, notation=notation),
            "answer": block(write_actions(parse_plan(task.plan or ""), notation)),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "puzzle": task.puzzle.to_pwp(),
                "notation": notation,
                "best_known": task.best_known,
                "difficulty": {"step": step},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Returns the reward of an answer, from 0 to 1, after replaying its plan.

        A plan alone counts like one in a block, because trainers cut the answer out of other tags.
        """
        if not isinstance(answer, str) or len(answer) > MAX_CHARACTERS:
            return 0.0
        known, given = entry["metadata"], answer if f"<{PLAN}>" in answer else block(answer)
        options = {name: known[name] for name in ("notation", "best_known")}
        return reward(Puzzle.parse(known["puzzle"]), given, **options)


class PushWorldCurriculum(BaseCurriculum):  # type: ignore[misc]
    """Steps of difficulty for `reasoning_gym.coaching`."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__, PushWorldConfig)
        about = {"name": "step", "description": "The step of difficulty", "levels": [*ROOM_STEPS]}
        ends = {"lower_field_name": "min_step", "upper_field_name": "max_step"}
        self._define_attributes(RangeAttributeDefinition(**about, **ends))


register_dataset(NAME, PushWorldDataset, PushWorldConfig, PushWorldCurriculum)
