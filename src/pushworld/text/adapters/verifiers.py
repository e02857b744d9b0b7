"""PushWorld for ``verifiers``: a taskset with rewards, and an environment to play it in turns.

The taskset's id is ``pushworld-v1``. `verifiers` imports a module of that name, which is this one once it is
imported; `pushworld.text.adapters.vf` runs the commands of `verifiers` with it.
"""

from __future__ import annotations

import sys
from asyncio import to_thread
from collections.abc import Iterator
from typing import Any, Literal

from pushworld.puzzle import Puzzle, State
from pushworld.text import (
    Episode,
    Reward,
    Score,
    Task,
    all_asked,
    episode_reward,
    exact_reward,
    prompt_for,
    score_answer,
    tasks,
)
from pushworld.text.adapters import needs
from pushworld.text.pictures import picture_url
from pushworld.text.tasks import ENDLESS

with needs("verifiers"):
    import verifiers.v1 as vf
    from pydantic import Field

__all__ = ["PushWorldEnv", "PushWorldTaskset"]

TASKSET_ID = "pushworld-v1"
sys.modules[TASKSET_ID.replace("-", "_")] = sys.modules[__name__]

NOT_PROVED = Reward(0.0, False)
REPLIES = "replies"
"""Where a trace keeps what the model wrote in the turns of an episode."""


class PushWorldConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which tasks to load, and how a model sees and answers them."""

    id: str = TASKSET_ID
    source: str = "generated:1"
    """See `pushworld.text.tasks`. Generated tasks have no end without a limit."""
    seed: int | str = 0
    limit: int | None = Field(None, ge=1)
    ask: list[Literal["see", "simulate", "judge", "push", "plan"]] = ["plan"]  # noqa: RUF012
    """What is asked about each puzzle; in turns, only for plans."""
    interactive: bool = False
    """Whether the model plays in turns; otherwise it answers with a whole plan."""
    budget: int | None = Field(None, ge=1)
    """The most moves of an interactive episode; None depends on the best plan known."""
    undo: bool = False
    format: Literal["grid", "objects", "json"] | None = "grid"
    """None shows the puzzle only in pictures."""
    notation: Literal["letters", "words", "numbers"] = "letters"
    picture: bool = False
    """Whether prompts and observations come with a picture."""


class PushWorldData(vf.TaskData):  # type: ignore[misc]
    """A task as data; a trace keeps it, so that its rewards can be computed again."""

    task: dict[str, Any]
    """As `pushworld.text.Task.from_json` takes it."""
    interactive: bool
    options: dict[str, Any]
    """Of the prompt, or of the episode."""


class PushWorldTask(vf.Task[PushWorldData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A puzzle with the reward `pushworld` and the parts of its score as metrics."""

    @vf.reward  # type: ignore[untyped-decorator]
    async def pushworld(self, trace: vf.Trace) -> float:
        """Returns `Score.reward`, from 0 to 1."""
        return self.result(trace, prove=False)[0].reward

    @vf.metric  # type: ignore[untyped-decorator]
    async def score_parts(self, trace: vf.Trace) -> dict[str, float]:
        """Returns the numbers of the score, and what is proved; those that are not known are left out."""
        score, exact = await to_thread(self.result, trace, prove=True)
        parts = score.as_dict() | exact.proved
        del parts["reward"]
        return {name: float(value) for name, value in parts.items() if value is not None}

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Returns whether the best plan known solves the puzzle; None if there is none."""
        task = self.task
        return None if task.plan is None else task.puzzle.validate(task.plan)

    @property
    def task(self) -> Task:
        """What the data describe."""
        return Task.from_json(self.data.task)

    def episode(self) -> Episode:
        """Returns a new episode of the puzzle."""
        task = self.task
        return Episode(task.puzzle, best_known=task.best_known, **self.data.options)

    def result(self, trace: vf.Trace, *, prove: bool) -> tuple[Score, Reward]:
        """Returns the score and the reward of a trace, which depend only on its texts."""
        task, answer = self.task, trace.last_reply
        if not self.data.interactive:
            known = {"notation": self.data.options["notation"]}
            score = score_answer(task, answer, **known, prove=prove)
            return score, exact_reward(task, answer, **known) if prove else NOT_PROVED
        episode = self.episode()
        for reply in trace.info.get(REPLIES, [answer]):
            if not episode.done:
                episode.reply(reply)
        proved = episode_reward(task, episode) if prove else NOT_PROVED
        return episode.score(prove=prove), proved


class PushWorldTaskset(vf.Taskset[PushWorldTask, PushWorldConfig]):  # type: ignore[misc]
    """The tasks of a source."""

    def __init__(self, config: PushWorldConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.source.startswith(ENDLESS) and config.limit is None

    def load(self) -> Iterator[PushWorldTask]:
        """Yields the tasks."""
        config = self.config
        options = config.model_dump(include={"format", "notation", "picture"})
        if config.interactive:
            options |= config.model_dump(include={"budget", "undo"})
        drawn = tasks(config.source, limit=config.limit, seed=config.seed)
        for task in all_asked(drawn, ["plan"] if config.interactive else config.ask):
            known = {"interactive": config.interactive, "options": options}
            data = PushWorldData(name=task.name, task=task.to_json(), **known)
            loaded = PushWorldTask(data, config.task)
            prompt = loaded.episode().prompt if config.interactive else prompt_for(task, **options)
            yield loaded.with_data(prompt=_messages(prompt, task.puzzle, None, config.picture))


class PushWorldEnvConfig(vf.SingleAgentEnvConfig):  # type: ignore[misc]
    """The environment's only seat: a chat without tools, in a process of this machine."""

    agent: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class PushWorldEnv(vf.SingleAgentEnv, vf.Env[PushWorldEnvConfig]):  # type: ignore[misc]
    """Asks for a plan, or plays an episode in turns, as the task says.

    An episode ends by itself: see `pushworld.text.Episode`.
    """

    async def run(self, task: PushWorldTask, agents: vf.Agents) -> None:
        """Plays one task."""
        if not task.data.interactive:
            await super().run(task, agents)
            return
        episode = task.episode()
        async with agents.agent.interaction(task) as interaction:
            replies = interaction.trace.info.setdefault(REPLIES, [])
            segment = await interaction.turn()
            while not segment.terminated:
                replies.append(segment.last_reply)
                text, shown = episode.reply(segment.last_reply), task.data.options["picture"]
                if episode.done:
                    break
                message = _messages(text, episode.puzzle, episode.state, shown)
                segment = await interaction.turn(message)


def load_environment(**options: Any) -> PushWorldEnv:
    """Returns the environment over a taskset with these fields of `PushWorldConfig`.

    >>> env = load_environment(source="generated:3", interactive=True, limit=100)
    """
    return PushWorldEnv(PushWorldEnvConfig(taskset={"id": TASKSET_ID, **options}))


def _messages(
    text: str, puzzle: Puzzle, state: State | None, with_picture: bool
) -> str | list[vf.UserMessage]:
    """Returns a text, or a message with the text and a picture of a state."""
    if not with_picture:
        return text
    source = vf.ImageUrlSource(url=picture_url(puzzle, state))
    image = vf.ImageUrlContentPart(image_url=source)
    return [vf.UserMessage(content=[vf.TextContentPart(text=text), image])]
