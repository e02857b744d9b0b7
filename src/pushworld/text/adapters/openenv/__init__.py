"""PushWorld for OpenEnv: typed actions and observations, the environment, and its client.

    uvicorn pushworld.text.adapters.openenv:app --port 8000

serves it; `PushWorldClient` talks to it.
"""

from __future__ import annotations

import os
from base64 import b64encode
from functools import partial
from secrets import token_hex
from typing import Any

from pushworld.puzzle import PushWorldError
from pushworld.text import Curriculum, Episode, Task, episode_reward, picture
from pushworld.text.adapters import DEFAULT_SOURCE, draw_task, needs

with needs("openenv"):
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import (
        Action,
        ConcurrencyConfig,
        Environment,
        Observation,
        State,
        create_app,
    )
    from openenv.core.env_server.types import EnvironmentMetadata
    from pydantic import Field

CURRICULUM = "curriculum"


class PushWorldAction(Action):  # type: ignore[misc]
    """One turn of a model."""

    answer: str = Field(
        description="The whole reply of a model. Its <plan> block holds the moves; where undo is "
        "allowed, an <undo> block takes moves back."
    )


class PushWorldObservation(Observation):  # type: ignore[misc]
    """What a model sees after a turn; at the start, `text` is the prompt with the rules."""

    text: str = Field(description="The message for the model.")
    goals_achieved: int
    goals: int
    moves: int = Field(
        description="Moves made so far, those without effect or taken back included."
    )
    budget: int = Field(description="The most moves.")
    solved: bool
    picture: str | None = Field(default=None, description="A PNG file in base64, if asked for.")


class PushWorldState(State):  # type: ignore[misc]
    """The episode behind the observations; it never holds a plan."""

    source: str = ""
    score: dict[str, Any] = Field(
        default_factory=dict, description="The score so far, with what is proved."
    )


class PushWorldEnvironment(Environment[PushWorldAction, PushWorldObservation, PushWorldState]):  # type: ignore[misc]
    """Episodes of `pushworld.text.Episode`. The rewards of an episode add up to `Score.reward`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, source: str = DEFAULT_SOURCE) -> None:
        super().__init__()
        self._default_source = source
        self._curriculum = Curriculum(token_hex(8))
        self._task: Task | None = None
        self._picture = False
        self._episode: Episode | None = None
        self._episode_id: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        source: str | None = None,
        picture: bool = False,
        **options: Any,
    ) -> PushWorldObservation:
        """Begins an episode and returns its prompt.

        Args:
            seed: the same seed gives the same puzzle.
            source: a named set, such as ``generated:3`` or ``evaluation``; see `draw_task`. ``curriculum``
                follows what the session solves; see `pushworld.text.Curriculum`.
            picture: whether observations come with a picture.
            options: ``budget``, ``undo``, ``format`` and ``notation`` of `pushworld.text.Episode`.
        """
        source = self._default_source if source is None else source
        task = next(self._curriculum) if source == CURRICULUM else draw_task(source, seed)
        self._episode = Episode(task.puzzle, best_known=task.best_known, picture=picture, **options)
        self._picture, self._episode_id, self._task = picture, episode_id, task
        return self._observe(self._episode, self._episode.prompt, None)

    def step(self, action: PushWorldAction, timeout_s: float | None = None) -> PushWorldObservation:
        """Carries out a turn and returns what it did, or what is wrong with it."""
        episode = self._episode
        if episode is None:
            raise PushWorldError("there is no episode: call reset first, in the same session")
        text = episode.reply(action.answer)
        reward = episode.score(prove=False).reward if episode.done else 0.0
        if episode.done and self._task is not None:
            self._curriculum.record(self._task, episode.solved)
        return self._observe(episode, text, reward)

    @property
    def state(self) -> PushWorldState:
        """The state of the episode."""
        episode, task = self._episode, self._task
        known = PushWorldState(episode_id=self._episode_id, source=self._default_source)
        if episode is not None and task is not None:
            known.step_count, known.source = episode.turns, task.set
            proved = episode_reward(task, episode).proved
            known.score = episode.score(prove=False).as_dict() | proved
        return known

    def get_metadata(self) -> EnvironmentMetadata:
        """Returns what the server tells about the environment."""
        told = "Puzzles on a grid: push objects, which push each other, onto their outlines."
        return EnvironmentMetadata(name="pushworld", description=told)

    def _observe(self, episode: Episode, text: str, reward: float | None) -> PushWorldObservation:
        shown = picture(episode.puzzle, episode.state) if self._picture else None
        return PushWorldObservation(
            text=text,
            goals_achieved=episode.puzzle.achieved_goals(episode.state),
            goals=len(episode.puzzle.goal),
            moves=episode.moves,
            budget=episode.budget,
            solved=episode.solved,
            picture=None if shown is None else b64encode(shown).decode(),
            done=episode.done,
            reward=reward,
        )


class PushWorldClient(EnvClient[PushWorldAction, PushWorldObservation, PushWorldState]):  # type: ignore[misc]
    """Talks to a server of `PushWorldEnvironment`; `sync` gives a client without ``async``."""

    def _step_payload(self, action: PushWorldAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[PushWorldObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = PushWorldObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> PushWorldState:
        return PushWorldState(**payload)


app = create_app(
    partial(PushWorldEnvironment, os.environ.get("PUSHWORLD_SOURCE", DEFAULT_SOURCE)),
    PushWorldAction,
    PushWorldObservation,
    env_name="pushworld",
    concurrency_config=ConcurrencyConfig(max_concurrent_envs=64, session_timeout=3600.0),
)
"""At most 64 sessions; those that are idle for an hour end."""
