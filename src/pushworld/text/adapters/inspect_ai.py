"""PushWorld for Inspect: the four tasks, an agent with moves as tools, and a sandbox for programs.

inspect eval pushworld/pushworld --model MODEL -T source=evaluation -T limit=50
inspect eval pushworld/pushworld_agent --model MODEL
inspect eval pushworld/pushworld_programs --model MODEL
"""

from __future__ import annotations

from typing import Any

from pushworld.text import Episode, describe, prompt_for, score_answer
from pushworld.text import Task as PushWorldTask
from pushworld.text.adapters import asked_tasks, needs
from pushworld.text.answers import UNDO, block
from pushworld.text.pictures import picture_url

with needs("inspect"):
    from inspect_ai import Task, task
    from inspect_ai.agent import AgentState, AgentSubmit, as_solver, react
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
    from inspect_ai.tool import ToolDef, ToolError, bash, python

SCORE = "pushworld"
"""Where the store of a sample keeps the score of an episode."""

MOVE = {
    "description": "Carry out actions one after another and see the result.",
    "parameters": {"moves": "Actions as letters L, R, U and D, such as RRUL."},
}
TAKE_BACK = {
    "description": "Take back the last moves. They still count.",
    "parameters": {"count": "How many."},
}

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
    samples = []
    for each in asked_tasks(source, ask, limit, seed):
        text = prompt_for(each, format=format, notation=notation, picture=with_picture)
        content: list[Any] = [ContentText(text=text)]
        if with_picture:
            content.append(ContentImage(image=picture_url(each.puzzle)))
        samples.append(_sample(each, [ChatMessageUser(content=content)]))
    return Task(MemoryDataset(samples), solver=generate(), scorer=replayed(notation))


@task  # type: ignore[untyped-decorator]
def pushworld_agent(
    source: str = "evaluation", limit: int | None = None, seed: str = "0", undo: bool = True
) -> Task:
    """Play puzzles with moves as tools."""
    drawn = asked_tasks(source, "plan", limit, seed)
    samples = [_sample(each, _episode(each, undo).tool_prompt) for each in drawn]
    return Task(MemoryDataset(samples), solver=playing(undo), scorer=replayed())


@task  # type: ignore[untyped-decorator]
def pushworld_programs(
    source: str = "evaluation", limit: int | None = None, seed: str = "0", sandbox: str = "docker"
) -> Task:
    """Ask for plans of a model that may write its own solver; not to be compared with the other tasks."""
    samples = []
    for each in asked_tasks(source, "plan", limit, seed):
        board = {"puzzle.json": describe(each.puzzle, format="json")}
        samples.append(_sample(each, prompt_for(each) + PROGRAMS, files=board))
    agent = react(
        tools=[bash(PROGRAM_SECONDS), python(PROGRAM_SECONDS)], submit=AgentSubmit(answer_only=True)
    )
    return Task(MemoryDataset(samples), solver=agent, scorer=replayed(), sandbox=sandbox)


@solver  # type: ignore[untyped-decorator]
def playing(undo: bool) -> Solver:
    """Lets a model play with tools until the episode ends or it calls none."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episode(PushWorldTask.from_json(state.metadata), undo)

        def reply(answer: str) -> str:
            if episode.done:
                raise ToolError("the episode is over")
            text = episode.reply(answer)
            state.store.set(SCORE, episode.score(prove=False).as_dict())
            return text

        async def move(moves: str) -> str:
            return reply(block(moves))

        async def take_back(count: int) -> str:
            return reply(block(str(count), UNDO))

        async def go_on(now: AgentState) -> bool:
            return bool(now.output.message.tool_calls) and not episode.done

        tools = [ToolDef(move, **MOVE), ToolDef(take_back, **TAKE_BACK)]
        agent = react(
            prompt=None, tools=tools if undo else tools[:1], submit=False, on_continue=go_on
        )
        return await as_solver(agent)(state, generate)

    return solve


@scorer(  # type: ignore[untyped-decorator]
    metrics={"solved": [grouped(mean(), "kind"), stderr()], "reward": [mean(), stderr()]}
)
def replayed(notation: str = "letters") -> Scorer:
    """Scores an episode, or an answer: a plan by replaying it."""

    async def score(state: TaskState, target: Target) -> Score:
        about, text = PushWorldTask.from_json(state.metadata), state.output.completion
        answered = score_answer(about, text, notation=notation, prove=False).as_dict()
        parts = state.store.get(SCORE, answered)
        values = {"solved": float(parts["solved"]), "reward": parts["reward"]}
        return Score(value=values, answer=text, metadata=parts)

    return score


def _episode(about: PushWorldTask, undo: bool) -> Episode:
    return Episode(about.puzzle, undo=undo, best_known=about.best_known)


def _sample(about: PushWorldTask, prompt: Any, **more: Any) -> Sample:
    return Sample(input=prompt, id=about.key, metadata=about.to_json(), **more)
