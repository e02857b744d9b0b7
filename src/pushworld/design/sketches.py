"""Sketches: drawings with free cells, which a search may fill. A puzzle without any is free as a whole.

A sketch is written like a puzzle, with ``?`` for a free cell. No puzzle file has such a cell: an id is
``A``, ``W``, ``AW``, ``M<k>`` or ``G<k>``, so a lone ``?`` is no id. A goal outline may cover a free cell
(``?+G1``). Everything else that is drawn stays as it is, empty cells too. A sketch needs no agent and no
goals: the search then adds them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from pushworld.datasets import resolve_puzzle
from pushworld.puzzle import Position, Puzzle, PuzzleError, PuzzleObject
from pushworld.puzzle.free_space import free_places, interior, occupied

FREE = "?"
AGENT = "A"


@dataclass(frozen=True)
class Sketch:
    """A drawing with free cells.

    Attributes:
        puzzle: what is drawn, with nothing in the free cells. If no agent is drawn, it stands in the
            first of them.
        free: the free cells.
        has_agent: whether an agent is drawn.
        start: the puzzle that the search begins with, if all of it is free.
    """

    puzzle: Puzzle
    free: frozenset[Position]
    has_agent: bool
    start: Puzzle | None = None

    @property
    def drawn(self) -> set[str]:
        """The names of the movables that are drawn."""
        return set() if self.start else {thing.name for thing in self.puzzle.movables}

    def impose(self, puzzle: Puzzle) -> Puzzle | None:
        """Returns a puzzle with everything that is drawn restored, None if that does not fit.

        In the free cells it keeps its walls, and the objects and goals that lie in them completely.
        """
        if self.start is not None:
            return puzzle
        drawn = self.puzzle
        objects = tuple(self._objects(puzzle))
        agent = next((thing for thing in objects if thing.name == AGENT), None)
        if agent is None or all(thing.goal is None for thing in objects):
            return None
        held = {cell for thing in objects for cell in thing.cells_at(thing.start)}
        walls = drawn.walls | ((puzzle.walls & self.free) - held)
        agent_walls = drawn.agent_walls | ((puzzle.agent_walls & self.free) - walls)
        agent_walls -= agent.cells_at(agent.start)
        try:
            return replace(drawn, objects=objects, walls=walls, agent_walls=agent_walls)
        except PuzzleError:
            return None

    def agrees(self, puzzle: Puzzle) -> bool:
        """Returns whether a puzzle differs from the drawing in free cells alone."""
        return self.start is not None or self.impose(puzzle) == puzzle

    def complete(self, random: Random) -> Puzzle:
        """Returns the drawing with an agent and a goal, if it has none, at random places.

        Raises:
            PuzzleError: if they do not fit into the free cells.
        """
        puzzle = self.puzzle
        if not self.has_agent:
            agent = replace(puzzle.agent, start=random.choice(sorted(self.free)))
            puzzle = replace(puzzle, objects=(agent, *puzzle.movables))
        if not puzzle.movables:
            place = random.choice(self._places(puzzle, ((0, 0),), "an object"))
            puzzle = replace(
                puzzle, objects=(*puzzle.objects, PuzzleObject("M1", ((0, 0),), place))
            )
        if not puzzle.goal:
            thing = random.choice(puzzle.movables)
            places = self._places(self.puzzle, thing.shape, f"a goal for {thing.name}", thing.start)
            goal = replace(thing, goal=random.choice(places))
            puzzle = replace(
                puzzle, objects=tuple(goal if each is thing else each for each in puzzle.objects)
            )
        return puzzle

    def _objects(self, puzzle: Puzzle) -> Iterator[PuzzleObject]:
        """Yields the objects of a puzzle that may stay, with those that are drawn as they are drawn."""
        found = {thing.name: thing for thing in puzzle.objects}
        drawn = {
            thing.name: thing
            for thing in self.puzzle.objects
            if self.has_agent or thing.name != AGENT
        }
        missing = {name: thing for name, thing in drawn.items() if name not in found}
        for name, thing in (found | missing).items():
            kept = drawn.get(name)
            if kept is None and not thing.cells_at(thing.start) <= self.free:
                continue
            goal = None if kept is None else kept.goal
            may_have_goal = kept is None or not self.puzzle.goal
            if may_have_goal and thing.goal is not None and thing.cells_at(thing.goal) <= self.free:
                goal = thing.goal
            yield replace(kept or thing, goal=goal)

    def _places(
        self, puzzle: Puzzle, shape: tuple[Position, ...], what: str, but: Position | None = None
    ) -> list[Position]:
        blocked = (interior(puzzle) - self.free) | (occupied(puzzle) if but is None else set())
        places = [place for place in free_places(puzzle, shape, blocked) if place != but]
        if not places:
            raise PuzzleError(f"there is no room for {what} in the free cells of the sketch")
        return places


def is_sketch(text: str) -> bool:
    """Returns whether a text has free cells."""
    return any(FREE in token.split("+") for token in text.split())


def parse_sketch(text: str, file: str | None = None) -> Sketch:
    """Returns the sketch that a text describes.

    Raises:
        PuzzleError: with line and column, if a cell is wrong.
    """
    ids = {each.upper() for token in text.split() for each in token.split("+")}
    has_agent = AGENT in ids
    free: list[Position] = []
    lines = []
    for y, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        for x, token in enumerate(re.finditer(r"\S+", line), start=1):
            parts = token[0].split("+")
            if FREE in parts:
                rest = [part for part in parts if part != FREE]
                if not all(part[:1] in ("G", "g") for part in rest):
                    raise PuzzleError(
                        f"{token[0]!r} is not free and filled at once: write {FREE}, or {FREE}+G1 "
                        "where a goal covers a free cell",
                        file=file,
                        line=y,
                        column=token.start() + 1,
                    )
                if not (free or has_agent):
                    rest.insert(0, AGENT)
                free.append((x, y))
                written = "+".join(rest) or "."
                # The cells of the line keep their columns, so that errors name the right ones.
                line = line[: token.start()] + written.ljust(len(token[0])) + line[token.end() :]
        lines.append(line)
    try:
        puzzle = Puzzle.parse("\n".join(lines))
    except PuzzleError as error:
        error.file = error.file or file
        raise
    return Sketch(puzzle, frozenset(free), has_agent, None if free else puzzle)


def read_drawing(name: str) -> str:
    """Returns the text of the sketch in a file, or of the puzzle that a path or a name stands for.

    Raises:
        PushWorldError: if there is none, or if something in it is wrong.
    """
    path = Path(name)
    if path.is_file():
        text = path.read_bytes().decode("utf-8-sig", errors="replace")
        if is_sketch(text):
            parse_sketch(text, name)
            return text
    return resolve_puzzle(name).to_pwp()
