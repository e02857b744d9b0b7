"""PushWorld for Inspect: the four tasks, an agent with moves as tools, and a sandbox for programs.

inspect eval pushworld/pushworld --model MODEL -T source=evaluation -T limit=50
inspect eval pushworld/pushworld_agent --model MODEL
inspect eval pushworld/pushworld_programs --model MODEL
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from pushworld.text import (
    KINDS,
    Episode,
    all_asked,
    describe,
    picture,
    prompt_for,
    score_answer,
    tasks,
)
from pushworld.text import Task as PushWorldTask
from pushworld.text.adapters import needs
from pushworld.text.answers import PLAN, UNDO

with needs("inspect"):
    from inspect_ai import Task, task
    from inspect_ai.agent import AgentState, AgentSubmit, as_solver, react
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
    from inspect_ai.tool import Tool, ToolError, bash, python, tool

SCORE = "pushworld"
"""Where the store of a sample keeps the score of an episode."""

PROGRAM_SECONDS = 600
PROGRAMS = """

You may write and run programs with the tools bash and python, such as a solver of your own. The file puzzle.json \
holds the puzzle as JSON: cells are [x, y]. When you have a plan, submit it in its block."""


@task  # type: ignore[untyped-decorator]
def pushworld(
    source: str = "evaluation",
    ask: str = "all",
    limit: int | None = None,
    seed: str = "0",
    format: str = "grid",
    notation: str = "letters",
    with_picture: bool = False,
) -> Task:
    """Ask the questions see, simulate, judge, push and plan, each with one answer."""
    kinds = KINDS if ask == "all" else ask.split(",")
    samples = []
    for each in all_asked(tasks(source, limit=limit, seed=seed), kinds):
        text = prompt_for(each, format=format, notation=notation, picture=with_picture)
        content: list[Any] = [ContentText(text=text)]
        if with_picture:
            url = "data:image/png;base64," + b64encode(picture(each.puzzle)).decode()
            content.append(ContentImage(image=url))
        samples.append(_sample(each, [ChatMessageUser(content=content)]))
    return Task(MemoryDataset(samples), solver=generate(), scorer=answers(notation))


@task  # type: ignore[untyped-decorator]
def pushworld_agent(
    source: str = "evaluation", limit: int | None = None, seed: str = "0", undo: bool = True
) -> Task:
    """Play puzzles with moves as tools."""
    drawn = tasks(source, limit=limit, seed=seed)
    samples = [_sample(each, _episode(each, undo).tool_prompt) for each in drawn]
    return Task(MemoryDataset(samples), solver=playing(undo), scorer=episodes())


@task  # type: ignore[untyped-decorator]
def pushworld_programs(
    source: str = "evaluation", limit: int | None = None, seed: str = "0", sandbox: str = "docker"
) -> Task:
    """Ask for plans of a model that may write its own solver; not to be compared with the other tasks."""
    samples = []
    for each in tasks(source, limit=limit, seed=seed):
        board = {"puzzle.json": describe(each.puzzle, format="json")}
        samples.append(_sample(each, prompt_for(each) + PROGRAMS, files=board))
    agent = react(
        tools=[bash(PROGRAM_SECONDS), python(PROGRAM_SECONDS)],
        submit=AgentSubmit(answer_only=True),
    )
    return Task(MemoryDataset(samples), solver=agent, scorer=answers(), sandbox=sandbox)


@solver  # type: ignore[untyped-decorator]
def playing(undo: bool) -> Solver:
    """Lets a model play with tools until the episode ends or it calls none."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episode(PushWorldTask.from_json(state.metadata), undo)

        def reply(block: str) -> str:
            if episode.done:
                raise ToolError("the episode is over")
            text = episode.reply(block)
            state.store.set(SCORE, episode.score(prove=False).as_dict())
            return text

        @tool  # type: ignore[untyped-decorator]
        def move() -> Tool:
            async def execute(moves: str) -> str:
                """Carry out actions one after another and see the result.

                Args:
                    moves: Actions as letters L, R, U and D, such as RRUL.
                """
                return reply(f"<{PLAN}>{moves}</{PLAN}>")

            return execute

        @tool  # type: ignore[untyped-decorator]
        def take_back() -> Tool:
            async def execute(count: int) -> str:
                """Take back the last moves. They still count.

                Args:
                    count: How many.
                """
                return reply(f"<{UNDO}>{count}</{UNDO}>")

            return execute

        async def go_on(now: AgentState) -> bool:
            return bool(now.output.message.tool_calls) and not episode.done

        tools = [move(), take_back()] if undo else [move()]
        agent = react(prompt=None, tools=tools, submit=False, on_continue=go_on)
        return await as_solver(agent)(state, generate)

    return solve


METRICS = {"solved": [grouped(mean(), "kind"), stderr()], "reward": [mean(), stderr()]}


@scorer(metrics=METRICS)  # type: ignore[untyped-decorator]
def answers(notation: str = "letters") -> Scorer:
    """Scores an answer, by replaying it where it is a plan."""

    async def score(state: TaskState, target: Target) -> Score:
        about = PushWorldTask.from_json(state.metadata)
        text = state.output.completion
        return _score(score_answer(about, text, notation=notation, prove=False).as_dict(), text)

    return score


@scorer(metrics=METRICS)  # type: ignore[untyped-decorator]
def episodes() -> Scorer:
    """Scores what an episode came to."""

    async def score(state: TaskState, target: Target) -> Score:
        empty = _episode(PushWorldTask.from_json(state.metadata), True).score(prove=False)
        return _score(state.store.get(SCORE, empty.as_dict()), "")

    return score


def _score(parts: dict[str, Any], answer: str) -> Score:
    values = {"solved": float(parts["solved"]), "reward": parts["reward"]}
    return Score(value=values, answer=answer, metadata=parts)


def _episode(about: PushWorldTask, undo: bool) -> Episode:
    return Episode(about.puzzle, undo=undo, best_known=about.best_known)


def _sample(about: PushWorldTask, prompt: Any, **more: Any) -> Sample:
    return Sample(input=prompt, id=about.key, metadata=about.to_json(), **more)
