"""Errors in puzzles and plans, with what is wrong and where."""

from pushworld.errors import PushWorldError


class PuzzleError(PushWorldError):
    """A puzzle that breaks a rule of the format or of the model.

    Attributes:
        problem: what is wrong, without the place.
        file: the file, if the puzzle came from one.
        line, column: the place in the text, counted from 1, where one applies.
        cell: the cell (x, y) of the world that is concerned, where one applies.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        cell: tuple[int, int] | None = None,
    ) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        self.column = column
        self.cell = cell
        super().__init__(problem)

    def __str__(self) -> str:
        place = [self.file] if self.file else []
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        if self.line is None and self.cell is not None:
            place.append(f"cell ({self.cell[0]}, {self.cell[1]})")
        return f"{', '.join(place)}: {self.problem}" if place else self.problem


class PlanError(PushWorldError):
    """A text that is not a plan."""
