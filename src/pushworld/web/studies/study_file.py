"""The study file: read, checked as a whole, and every fault named with its line and key."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from pushworld.datasets import resolve_puzzle
from pushworld.files import parse_toml, read_text
from pushworld.puzzle import PushWorldError
from pushworld.web.catalogue import puzzle_digest
from pushworld.web.studies.checked_table import NAME_IS, CheckedTable, KeyPath, is_name, line_of
from pushworld.web.studies.study import (
    DEFAULT_PARAMETERS,
    ORDERS,
    QUESTION_KINDS,
    Block,
    Condition,
    Order,
    Question,
    QuestionKind,
    Rules,
    Study,
    StudyPuzzle,
)

EXAMPLE = Path(__file__).parent / "example.toml"
MAX_SECONDS = 7 * 24 * 3600
PNG = b"\x89PNG\r\n\x1a\n"  # the first bytes of such a file
_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Fault:
    """What is wrong in a study file, and where."""

    line: int
    key: str
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {f'{self.key}: ' if self.key else ''}{self.problem}"


class StudyFileError(PushWorldError):
    """A study file with faults."""

    def __init__(self, path: Path, faults: list[Fault]) -> None:
        more = f" (and {len(faults) - 1} more: pushworld study check {path})" if faults[1:] else ""
        super().__init__(f"{path}, {faults[0]}{more}")
        self.faults = faults


def load_study(path: Path) -> Study:
    """Returns the study in a file, with its puzzles.

    Raises:
        StudyFileError: if it has faults.
        PushWorldError: if it cannot be read.
    """
    text = read_text(path)
    try:
        values = parse_toml(text, "the file")
    except PushWorldError as error:
        problem, _, place = str(error).rpartition(" (at ")
        found = re.search(r"line (\d+)", place)
        line = int(found[1]) if found else text.count("\n") + 1
        raise StudyFileError(path, [Fault(line, "", problem or str(error))]) from error
    problems: list[tuple[KeyPath, str]] = []
    version = hashlib.sha256(path.read_bytes()).hexdigest()
    study = _read(CheckedTable(values, (), problems), path.parent, version, text)
    if problems:
        faults = [Fault(line_of(text, place), _key(place), what) for place, what in problems]
        raise StudyFileError(path, sorted(faults, key=lambda fault: fault.line))
    return study


def remarks(study: Study) -> Iterator[str]:
    """Yields what is allowed, but may surprise the author of a study."""
    if any(
        not (rules.give_up or rules.time_limit or rules.move_limit)
        for rules in study.all_rules.values()
    ):
        yield (
            "a puzzle has no limit and cannot be given up: people who do not solve it cannot finish the study"
        )
    if any(not (rules.undo or rules.reset) for rules in study.all_rules.values()):
        yield "a puzzle has neither undo nor reset: one wrong push can make it unsolvable for good"
    if study.code is None and study.redirect is None:
        yield "there is neither a completion code nor a redirect: nobody can prove to have finished"


def _read(table: CheckedTable, folder: Path, version: str, text: str) -> Study:
    """Returns the study; it is of no use if a problem was noted."""
    people, end = table.table("participants"), table.table("completion")
    asked = table.table("questions")
    parameters = people.texts("parameters", DEFAULT_PARAMETERS)
    for index, each in enumerate(parameters):
        if not is_name(each):
            people.wrong(("parameters", index), f"must be {NAME_IS}")
    if not parameters:
        people.wrong("parameters", "must name at least one parameter of the link")
    id_parameter = people.choice("id", parameters, parameters[0] if parameters else "")
    rules = Rules(**_rules(table.table("rules")))
    blocks = table.tables("blocks", "name")
    if not blocks:
        table.wrong("blocks", "there must be at least one block of puzzles: [[blocks]]")
    puzzles: dict[str, StudyPuzzle] = {}
    study = Study(
        version=version,
        file=text,
        title=table.text("title", required=True),
        consent=table.text("consent", required=True),
        instructions=table.text("instructions"),
        thanks=table.text("thanks", "Thank you for taking part."),
        seed=table.number("seed", 0, 0, 2**53, whole=True),
        show_names=table.flag("show_names", False),
        id_parameter=id_parameter,
        parameters=parameters,
        anonymous=people.flag("anonymous", False),
        withdrawal=people.flag("withdrawal", True),
        code=end.text("code") or None,
        redirect=_redirect(end, parameters),
        rules=rules,
        block_order=cast("Order", table.choice("block_order", ORDERS, "fixed")),
        blocks=tuple(_block(each, folder, puzzles) for each in blocks),
        conditions=tuple(_condition(each) for each in table.tables("conditions", "name")),
        after_puzzle=_questions(asked, "after_puzzle"),
        at_end=_questions(asked, "end"),
        puzzles=puzzles,
    )
    for one in (people, end, asked, table):
        one.end()
    return study


def _rules(table: CheckedTable) -> dict[str, Any]:
    """Returns the rules that a table names."""
    values = {
        "time_limit": table.number("time_limit", 0, 0, MAX_SECONDS),
        "move_limit": table.number("move_limit", 0, 0, 1_000_000, whole=True),
        "undo": table.flag("undo", True),
        "reset": table.flag("reset", True),
        "hints": table.flag("hints", False),
        "solution": table.flag("solution", False),
        "give_up": table.flag("give_up", True),
        "give_up_after": table.number("give_up_after", 0, 0, MAX_SECONDS),
    }
    table.end()
    return {key: value for key, value in values.items() if key in table.values}


def _block(table: CheckedTable, folder: Path, puzzles: dict[str, StudyPuzzle]) -> Block:
    names = table.texts("puzzles")
    if not names:
        table.wrong("puzzles", "must name at least one puzzle")
    for index, name in enumerate(names):
        if name not in puzzles:
            try:
                puzzles[name] = _puzzle(name, folder)
            except PushWorldError as error:
                table.wrong(("puzzles", index), str(error))
    block = Block(
        name=table.name("name"),
        puzzles=names,
        order=cast("Order", table.choice("order", ORDERS, "fixed")),
        text=table.text("text"),
        questions=table.flag("questions", True),
        asks=_asks(table, names, folder, puzzles),
        rules=_rules(table.table("rules")),
    )
    table.end()
    return block


def _asks(
    table: CheckedTable, names: tuple[str, ...], folder: Path, puzzles: dict[str, StudyPuzzle]
) -> dict[str, str]:
    """Returns what is asked about each puzzle; adds to the puzzles the pictures beside their files."""
    asks = table.table("asks")
    if not asks.values:
        return {}
    found = {name: asks.text(name, required=True) for name in names}
    asks.end()
    for name in puzzles.keys() & found.keys():
        path = (folder / name).with_suffix(".png")
        data = path.read_bytes() if path.is_file() else b""
        if not data.startswith(PNG):
            asks.wrong(name, f"needs a picture for people to see: {path.name} beside the puzzle")
        address = f"data:image/png;base64,{b64encode(data).decode()}"
        puzzles[name] = replace(puzzles[name], picture=address)
    return found


def _puzzle(name: str, folder: Path) -> StudyPuzzle:
    """Returns a puzzle; the path of a file is relative to the study file."""
    path = folder / name
    puzzle = resolve_puzzle(path if path.suffix.lower() == ".pwp" and path.is_file() else name)
    if not puzzle.goal:
        raise PushWorldError(f"{name!r} has no goals, so nobody can solve it")
    if puzzle.is_solved(puzzle.initial_state):
        raise PushWorldError(f"{name!r} is solved from the start")
    pwp = puzzle.to_pwp()
    title = re.sub(r"[-_]", " ", puzzle.name)
    return StudyPuzzle(puzzle, title[:1].upper() + title[1:], pwp, puzzle_digest(pwp), "")


def _condition(table: CheckedTable) -> Condition:
    condition = Condition(table.name("name"), _rules(table.table("rules")))
    table.end()
    return condition


def _questions(table: CheckedTable, key: str) -> tuple[Question, ...]:
    return tuple(_question(each) for each in table.tables(key, "id"))


def _question(table: CheckedTable) -> Question:
    if "kind" not in table.values:
        table.wrong("kind", f"is missing: one of {', '.join(QUESTION_KINDS)}")
    kind = table.choice("kind", QUESTION_KINDS, "")
    question: dict[str, Any] = {
        "id": table.name("id"),
        "kind": cast("QuestionKind", kind),
        "text": table.text("text", required=True),
        "required": table.flag("required", True),
    }
    if kind == "choice":
        question["options"] = table.texts("options")
        if len(question["options"]) < 2:
            table.wrong("options", "must be a list of at least two texts")
    elif kind == "likert":
        question["points"] = table.number("points", 7, 2, 11, whole=True)
        question["options"] = table.texts("labels")
        if len(question["options"]) != 2:
            table.wrong("labels", "must be two texts: for the first and for the last point")
    elif kind == "number":
        question["minimum"] = table.number("minimum", None, -1e15, 1e15)
        question["maximum"] = table.number("maximum", None, -1e15, 1e15)
        question["integer"] = table.flag("integer", False)
        limits = (question["minimum"], question["maximum"])
        if None not in limits and limits[0] > limits[1]:
            table.wrong("maximum", "must not be less than minimum")
    elif kind == "text":
        question["max_length"] = table.number("max_length", 2_000, 1, 20_000, whole=True)
        question["lines"] = table.number("lines", 4, 1, 40, whole=True)
    if kind:
        table.end()
    return Question(**question)


def _redirect(table: CheckedTable, parameters: tuple[str, ...]) -> str | None:
    address = table.text("redirect")
    if not address:
        return None
    try:
        parts = urlsplit(_PLACE.sub("x", address))
        is_address = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        is_address = False
    if not is_address or any(character.isspace() for character in address):
        table.wrong("redirect", "must be an address that begins with https:// or http://")
    for name in _PLACE.findall(address):
        if name not in parameters:
            table.wrong("redirect", f"{{{name}}} is not one of the parameters of the link")
    return address


def _key(path: KeyPath) -> str:
    """Returns a path as people write it: ``blocks[1].puzzles[2]``, counted from 1."""
    return "".join(
        f"[{each + 1}]" if isinstance(each, int) else f".{each}" for each in path
    ).removeprefix(".")
