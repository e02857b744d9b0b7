"""Answers of models, read strictly: one tagged block with actions in one notation."""

from collections.abc import Sequence

from pushworld.puzzle import LETTERS, Action, Plan, PushWorldError

NOTATIONS = ("letters", "words", "numbers")
"""How an answer writes actions: ``LRUD``; ``left right up down``; ``0 1 2 3``."""

PLAN, UNDO, ANSWER = "plan", "undo", "answer"  # the tags of the blocks
MAX_CHARACTERS = 1_000_000
MAX_MOVES = 10_000
MOST_ILLEGAL_ANSWERS = 5  # end an episode
SHOWN_CHARACTERS = 20

_ACTIONS: dict[str, dict[str, Action]] = {
    "letters": {letter: a for a in Action for letter in (a.letter, a.letter.lower())},
    "words": {a.name.lower(): a for a in Action},
    "numbers": {str(a.value): a for a in Action},
}


class AnswerError(PushWorldError):
    """An answer that cannot be read, with a message that a model can act on."""


def action_words(notation: str) -> tuple[str, ...]:
    """Returns how a notation writes left, right, up and down."""
    if notation not in NOTATIONS:
        raise PushWorldError(
            f"there is no notation {notation!r}: choose one of {', '.join(NOTATIONS)}"
        )
    return tuple(LETTERS) if notation == "letters" else tuple(_ACTIONS[notation])


def write_actions(plan: Sequence[int], notation: str = "letters") -> str:
    """Returns actions in a notation, as `read_answer` reads them inside a block."""
    words = action_words(notation)
    return ("" if notation == "letters" else " ").join(words[action] for action in plan)


def block(content: str, tag: str = PLAN) -> str:
    """Returns a block as an answer has it."""
    return f"<{tag}>{content}</{tag}>"


def read_answer(text: str, notation: str = "letters") -> Plan:
    """Returns the actions in the only ``<plan>`` block of an answer.

    The text around the block does not matter. Case does not matter either, nor white space between
    letters. Words and numbers are separated by white space or commas. The time is linear in the
    length of the text.

    Raises:
        AnswerError: if the answer is not of this form, or longer than `MAX_MOVES` or `MAX_CHARACTERS`.
    """
    words, content = action_words(notation), read_block(text, PLAN)
    items: Sequence[str] = "".join(content.split())
    if notation != "letters":
        items = content.lower().replace(",", " ").split()
    if not items:
        raise AnswerError(f"The <{PLAN}> block is empty. Write at least one action.")
    if len(items) > MAX_MOVES:
        raise AnswerError(
            f"The <{PLAN}> block has {len(items)} actions. At most {MAX_MOVES} are allowed."
        )
    known = _ACTIONS[notation]
    try:
        return tuple([known[item] for item in items])
    except KeyError:
        index = next(index for index, item in enumerate(items) if item not in known)
    place, separation = f"item {index + 1}", ", separated by spaces"
    if notation == "letters":
        place, separation = f"character {index + 1} (white space not counted)", ""
    wrong = items[index][:SHOWN_CHARACTERS] + "..." * (len(items[index]) > SHOWN_CHARACTERS)
    raise AnswerError(
        f"{wrong!a}, {place} of the <{PLAN}> block, is not an action. "
        f"Write only {', '.join(words[:-1])} and {words[-1]}{separation}."
    )


def read_block(text: str, tag: str) -> str:
    """Returns the content of the only block with a tag; raises AnswerError."""
    if len(text) > MAX_CHARACTERS:
        raise AnswerError(
            f"The answer has {len(text)} characters. At most {MAX_CHARACTERS} are allowed."
        )
    before, opening, rest = text.partition(f"<{tag}>")
    content, closing, after = rest.partition(f"</{tag}>")
    if not opening:
        raise AnswerError(f"There is no <{tag}> block. End the answer with <{tag}>...</{tag}>.")
    if not closing:
        raise AnswerError(f"The <{tag}> block has no end. Close it with </{tag}>.")
    if f"<{tag}>" in rest or f"</{tag}>" in before or f"</{tag}>" in after:
        raise AnswerError(
            f"The tags <{tag}> and </{tag}> occur more than once. Write exactly one block."
        )
    return content
