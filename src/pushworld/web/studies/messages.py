"""The messages between the page and the server of a study.

All requests are POST with a JSON object; their paths are relative to the page:

| path | fields of the request | answer |
| --- | --- | --- |
| `api/study/enter` | `parameters`, `key` | `Now`: where the participant is; the first request of each visit |
| `api/study/consent` | the same and `agreed`; without agreement nothing is stored | `Now`; from here on there is a participant, and a token |
| `api/study/continue` | `token`, `stage` ("instructions") | `Now`: the instructions are read |
| `api/study/events` | `token`, `events`, `trial` | `Stored` |
| `api/study/answers` | `token`, `trial` as in `QuestionsNow`, `answers` by the ids of the questions | `Now` |
| `api/study/withdraw` | `token` | `Now` with the stage `withdrawn`; all rows are deleted |

- `parameters`: those of the page's address that `StudyInfo.parameters` names.
- `key`: 32 hexadecimal digits that the page made up and keeps in the browser: an id belongs to the browser that
  gave consent. In a study that lets people in without an id, it is the id of those who come without.
- `token`: from the last `Now`; each visit has its own.
- `events`: in order, at most 1,000; an empty list asks whether a limit is reached. Each has the fields of
  `pushworld.web.trace_database.Event` that the page knows: `trial`, `kind`, `action`, `actor`, `shown`, `step`, `state`
  and `time_ms` (`performance.timeOrigin + performance.now()`, rounded: it does not jump in a visit), and `number`,
  which counts the events of this visit from 0, without gaps. The time of a puzzle begins with its `start`. The server
  adds `resume`, `solved`, `time-limit` and `move-limit` by itself.
- `trial` of `events`: the puzzle that the page shows. It matters where a request is sent again because its answer
  was lost: the answer is about this puzzle even if another one comes next.

An answer is sent when what it acknowledges is on the disk. Each request may be sent again: what is
stored already is not stored twice. A request that is refused is answered by
`{"type": "error", "code", "message"}`:

| status | code | meaning |
| --- | --- | --- |
| 400, 403, 408, 413, 415 | `invalid` | the request makes no sense, is too large, or may not be made |
| 403 | `browser` | another browser has begun with this id |
| 404 | `unknown` | nobody has this token: the participant has withdrawn |
| 409 | `elsewhere` | the participant has opened the study in another window, which has taken over |
| 503 | `storage` | nothing was stored, for example because the disk is full: try again later |

The server decides what is true: the state after each move, whether the puzzle is solved, and when a
limit is reached. The page predicts it, and where the two differ it shows what the server says.
"""

from typing import Any, Literal, NotRequired, TypedDict

Stage = Literal[
    "consent", "declined", "instructions", "puzzle", "questions", "finished", "withdrawn"
]
Outcome = Literal["solved", "gave-up", "time-limit", "move-limit", "answered"]


class StudyInfo(TypedDict):
    """The key `study` of `data/site.json`; it is null where there is no study."""

    title: str  # for people
    parameters: list[str]  # the parameters of the page's address to send, the id first
    withdrawal: bool  # whether the page offers to withdraw


class PuzzleNow(TypedDict):
    """The puzzle to play, and the position in it."""

    trial: int  # its place in the participant's order, from 0
    block: str  # the name of its block
    text: str | None  # what to show before the first puzzle of the block; null for nothing
    puzzle: str  # its name in the study file
    title: str | None  # what to show; null if names are hidden
    digest: str  # the SHA-256 of `pwp`
    pwp: str  # its text
    rules: dict[str, Any]  # what is allowed: the fields of `study.Rules`, with null for no limit
    # whether the event `start` is stored; the page sends it once, when the puzzle shows
    started: bool
    plan: str  # the moves made, with the undone ones that can be redone
    actors: str  # who made each of them, by first letters: `p`, `h` or `m`
    step: int  # how many of them are in effect
    moves: int  # how many count for the move limit
    elapsed_ms: int  # since the start, by the server's clock, without the time that no server ran
    remaining_ms: int | None  # until the time limit; null without one


class QuestionsNow(TypedDict):
    """Questions to answer."""

    trial: int | None  # the puzzle that they are about; null at the end of the study
    # how that puzzle ended; null at the end of the study, and if the question takes its place
    outcome: Outcome | None
    text: str | None  # of the block, if the question takes the place of a puzzle
    picture: str | None  # the address of that puzzle's picture
    questions: list[dict[str, Any]]  # in order, as `study.Question.to_message` returns them


class FinishedNow(TypedDict):
    """The end of the study."""

    text: str  # thanks and debriefing
    code: str | None  # the completion code; null if there is none
    redirect: str | None  # where the participant goes next; null for nowhere


class Now(TypedDict):
    """Where a participant is in the study."""

    type: Literal["now"]
    # names the participant and the visit; null before consent and after withdrawal
    token: str | None
    # which of the other fields there is: `consent` and `instructions` have `text`, `puzzle` has
    # `puzzle`, `questions` has `questions`, `finished` has `finished`
    stage: Stage
    # done, total: puzzles that are finished, and all
    done: int
    total: int
    received: int  # how many events of this visit are stored: the `number` of the next one
    text: NotRequired[str]  # plain text; empty lines part paragraphs
    puzzle: NotRequired[PuzzleNow]
    questions: NotRequired[QuestionsNow]
    finished: NotRequired[FinishedNow]


class Refused(TypedDict):
    """An event that the rules do not allow, or that the page computed wrongly."""

    number: int  # of the event; it and those after it are not stored
    message: str  # why


class Stored(TypedDict):
    """The answer to events."""

    type: Literal["stored"]
    received: int  # the `number` of the next event
    remaining_ms: int | None  # until the time limit of the current puzzle; null without one
    refused: Refused | None  # the first event that was refused; null if none was
    # how the puzzle of the last move ended, or else that of the request's `trial`; null while it
    # goes on
    outcome: Outcome | None
    # where the participant is, if the puzzle has ended or an event was refused; otherwise null.
    # After a refusal the page drops its waiting events and shows this.
    now: Now | None
