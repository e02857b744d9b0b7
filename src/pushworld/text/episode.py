"""Interactive episodes: a model moves, sees the new state, and moves again."""

from collections.abc import Sequence
from itertools import pairwise

from pushworld.engine import Engine
from pushworld.puzzle import Action, PushWorldError, Puzzle, State
from pushworld.text.answers import (
    MAX_MOVES,
    MOST_ILLEGAL_ANSWERS,
    PLAN,
    UNDO,
    AnswerError,
    read_answer,
    read_block,
    write_actions,
)
from pushworld.text.description import describe
from pushworld.text.prompts import interactive_prompt, rules
from pushworld.text.scores import Score, score_position

DEFAULT_BUDGET = 400
BUDGET_FACTOR, LEAST_BUDGET = 4, 40
"""A budget is this factor times the length of the best plan known, and at least this number of moves."""


class Episode:
    """An episode in which a model solves a puzzle in turns.

    It ends when the puzzle is solved, when the budget of moves is spent, or with the last of
    `MOST_ILLEGAL_ANSWERS` illegal answers. A move taken back still counts, so an episode has at most
    2 x budget + `MOST_ILLEGAL_ANSWERS` turns.

    Examples:
        >>> episode = Episode(puzzle, budget=20)
        >>> message = episode.prompt
        >>> while not episode.done:
        ...     message = episode.reply(model(message))
        >>> episode.score().solved
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        budget: int | None = None,
        undo: bool = False,
        format: str | None = "grid",
        notation: str = "letters",
        best_known: int | None = None,
        picture: bool = False,
    ) -> None:
        """Begins an episode.

        Args:
            budget: the most moves; by default 4 times `best_known` and at least 40, or 400.
            undo: whether the model may take moves back.
            format, notation, picture: as in `one_shot_prompt`.
            best_known: the length of the best plan known, for the score.
        """
        if budget is None:
            budget = DEFAULT_BUDGET
            if best_known is not None:
                budget = min(MAX_MOVES, max(LEAST_BUDGET, BUDGET_FACTOR * best_known))
        if not 1 <= budget <= MAX_MOVES:
            raise PushWorldError(f"the budget must be 1 to {MAX_MOVES} moves, not {budget}")
        self.puzzle = puzzle
        self.budget = budget
        self.undo = undo
        self.format = format
        self.notation = notation
        self.best_known = best_known
        self.prompt = interactive_prompt(
            puzzle, format=format, notation=notation, budget=budget, undo=undo, picture=picture
        )  # the first message for the model
        self.moves = 0  # those made, without effect or taken back included
        self.turns = 0  # the replies that were read
        self.illegal_answers = 0  # those that could not be read or carried out
        self._engine = Engine(puzzle)
        self._plan: list[Action] = []
        self._states = [puzzle.initial_state]

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def solved(self) -> bool:
        return self.puzzle.is_solved(self.state)

    @property
    def done(self) -> bool:
        spent = self.moves >= self.budget or self.illegal_answers >= MOST_ILLEGAL_ANSWERS
        return spent or self.solved

    @property
    def plan(self) -> tuple[Action, ...]:
        """The moves that were not taken back."""
        return tuple(self._plan)

    @property
    def tool_prompt(self) -> str:
        """The first message for a model that plays with tools: the rules and the puzzle."""
        shown = describe(self.puzzle, self.state, self.format or "grid")
        return (
            f"{rules()}\n\n{shown}\n\n"
            f"You have {self.budget} moves. Those without effect or taken back count."
        )

    @property
    def observation(self) -> str:
        """The current state as text: goals reached, moves left, and the puzzle."""
        if self.solved:
            result = f"The puzzle is solved after {self.moves} moves."
        elif self.done:
            result = "The episode is over. The puzzle is not solved."
        else:
            result = f"{self.budget - self.moves} of {self.budget} moves are left."
        achieved = self.puzzle.achieved_goals(self.state)
        text = f"Goals reached: {achieved} of {len(self.puzzle.goal)}. {result}"
        if self.format is not None:
            text += "\n" + describe(self.puzzle, self.state, self.format, legend=False)
        return text

    def reply(self, text: str) -> str:
        """Carries out a reply of the model; returns what happened and the new state, or what is wrong with it."""
        if self.done:
            raise PushWorldError("the episode is over: begin a new one")
        self.turns += 1
        try:
            if not self.undo or f"<{UNDO}>" not in text:
                report = self._move(read_answer(text, self.notation))
            elif f"<{PLAN}>" in text:
                raise AnswerError(f"Write one <{PLAN}> or one <{UNDO}> block, not both.")
            else:
                report = self._take_back(read_block(text, UNDO).strip())
        except AnswerError as error:
            self.illegal_answers += 1
            left = MOST_ILLEGAL_ANSWERS - self.illegal_answers
            end = f"{left} more such answers end the episode." if left else "The episode is over."
            return f"Your answer was not carried out. {error} {end}"
        return f"{report}\n{self.observation}"

    def score(self, *, prove: bool = True) -> Score:
        """Returns the score so far; see `score_plan`."""
        useless = self.moves - sum(one != other for one, other in pairwise(self._states))
        visited = self._states if prove else ()
        known = (self.moves, useless, self.best_known, self.illegal_answers)
        return score_position(self.puzzle, self.state, *known, visited)

    def _move(self, plan: Sequence[Action]) -> str:
        """Makes moves until the episode ends; returns a sentence about them."""
        first = len(self._plan)
        for action in plan:
            if self.done:
                break
            self._plan.append(action)
            self._states.append(self._engine.step(self.state, action))
            self.moves += 1
        made = len(self._plan) - first
        report = f"{made} of {len(plan)} actions were carried out."
        pairs = enumerate(pairwise(self._states[first:]))
        idle = [index for index, (before, after) in pairs if before == after]
        named = (f"{each + 1} ({write_actions([plan[each]], self.notation)})" for each in idle)
        return f"{report} Without effect: {', '.join(named)}." if idle else report

    def _take_back(self, content: str) -> str:
        """Takes the last moves back; returns a sentence about them."""
        if not (content.isascii() and content.isdigit() and len(content) <= 6):
            raise AnswerError(f"The <{UNDO}> block must hold one number of moves, such as 1.")
        if not 1 <= (count := int(content)) <= len(self._plan):
            raise AnswerError(
                f"{count} moves cannot be taken back. There are {len(self._plan)} to take back."
            )
        del self._plan[-count:], self._states[-count:]
        return f"{count} moves were taken back."
