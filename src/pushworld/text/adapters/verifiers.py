"""PushWorld for ``verifiers``: a taskset with rewards, and an environment to play it in turns.

The taskset's id is ``pushworld-v1``. `verifiers` imports a module of that name, which is this one once it is
imported; `pushworld.text.adapters.vf` runs the commands of `verifiers` with it.
"""

from __future__ import annotations

import sys
from asyncio import to_thread
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Literal

from pushworld.puzzle import Puzzle, State
from pushworld.text import Episode, Score, Task, one_shot_prompt, picture, score_answer, tasks
from pushworld.text.adapters import needs
from pushworld.text.tasks import ENDLESS

with needs("verifiers"):
    import verifiers.v1 as vf
    from pydantic import Field

__all__ = ["PushWorldEnv", "PushWorldTaskset"]

TASKSET_ID = "pushworld-v1"
sys.modules[TASKSET_ID.replace("-", "_")] = sys.modules[__name__]

REPLIES = "replies"
"""Where a trace keeps what the model wrote in the turns of an episode."""


class PushWorldConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which tasks to load, and how a model sees and answers them."""

    id: str = TASKSET_ID
    source: str = "generated:1"
    """See `pushworld.text.tasks`. Generated tasks have no end without a limit."""
    seed: int | str = 0
    limit: int | None = Field(None, ge=1)
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

    puzzle: str
    interactive: bool
    undo: bool
    notation: str
    picture: bool
    # Files of traces leave out what is None.
    plan: str | None = None
    best_known: int | None = None
    budget: int | None = None
    format: str | None = None


class PushWorldTask(vf.Task[PushWorldData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A puzzle with the reward `pushworld` and the parts of its score as metrics."""

    @vf.reward  # type: ignore[untyped-decorator]
    async def pushworld(self, trace: vf.Trace) -> float:
        """Returns `Score.reward`, from 0 to 1."""
        return self.result(trace, prove=False).reward

    @vf.metric  # type: ignore[untyped-decorator]
    async def score_parts(self, trace: vf.Trace) -> dict[str, float]:
        """Returns the numbers of the score; those that are not known are left out."""
        score = await to_thread(self.result, trace, prove=True)
        parts = {name: value for name, value in score.as_dict().items() if name != "reward"}
        return {name: float(value) for name, value in parts.items() if value is not None}

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Returns whether the best plan known solves the puzzle; None if there is none."""
        plan = self.data.plan
        return None if plan is None else Puzzle.parse(self.data.puzzle).validate(plan)

    def episode(self) -> Episode:
        """Returns a new episode of the puzzle."""
        data = self.data
        return Episode(
            Puzzle.parse(data.puzzle),
            budget=data.budget,
            undo=data.undo,
            format=data.format,
            notation=data.notation,
            best_known=data.best_known,
            picture=data.picture,
        )

    def result(self, trace: vf.Trace, *, prove: bool) -> Score:
        """Returns the score of a trace, which depends only on its texts."""
        data = self.data
        if not data.interactive:
            task = Task("", Puzzle.parse(data.puzzle), best_known=data.best_known)
            return score_answer(task, trace.last_reply, notation=data.notation, prove=prove)
        episode = self.episode()
        for reply in trace.info.get(REPLIES, [trace.last_reply]):
            if not episode.done:
                episode.reply(reply)
        return episode.score(prove=prove)


class PushWorldTaskset(vf.Taskset[PushWorldTask, PushWorldConfig]):  # type: ignore[misc]
    """The tasks of a source."""

    def __init__(self, config: PushWorldConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.source.startswith(ENDLESS) and config.limit is None

    def load(self) -> Iterator[PushWorldTask]:
        """Yields the tasks."""
        config = self.config
        for task in tasks(config.source, limit=config.limit, seed=config.seed):
            data = PushWorldData(
                name=task.name,
                puzzle=task.puzzle.to_pwp(),
                plan=task.plan,
                best_known=task.best_known,
                interactive=config.interactive,
                budget=config.budget,
                undo=config.undo,
                format=config.format,
                notation=config.notation,
                picture=config.picture,
            )
            loaded = PushWorldTask(data, config.task)
            prompt = (
                loaded.episode().prompt
                if config.interactive
                else one_shot_prompt(
                    task.puzzle,
                    format=config.format,
                    notation=config.notation,
                    picture=config.picture,
                )
            )
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
                answer = episode.reply(segment.last_reply)
                if episode.done:
                    break
                message = _messages(answer, episode.puzzle, episode.state, task.data.picture)
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
    url = "data:image/png;base64," + b64encode(picture(puzzle, state)).decode()
    image = vf.ImageUrlContentPart(image_url=vf.ImageUrlSource(url=url))
    return [vf.UserMessage(content=[vf.TextContentPart(text=text), image])]
