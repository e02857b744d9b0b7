"""The messages between the page and the server of a study.

All requests are POST with a JSON object; their paths are relative to the page:

| path | fields of the request | answer |
| --- | --- | --- |
| `api/study/enter` | `parameters`, `key` | `Now`: where the participant is; the first request of each visit |
| `api/study/consent` | the same and `agreed`; without agreement nothing is stored | `Now`; from here on there is a participant, and a token |
| `api/study/continue` | `token`, `stage` ("instructions") | `Now`: the instructions are read |
| `api/study/events` | `token`, `events`, `trial` | `Stored` |
| `api/study/answers` | `token`, `trial` of the `questions`, `answers` by the ids of the questions | `Now` |
| `api/study/withdraw` | `token` | `Now` with the stage `withdrawn`; all rows are deleted |

- `parameters`: those of the page's address that `Study.info` names.
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


class Now(TypedDict):
    """Where a participant is in the study."""

    type: Literal["now"]
    # names the participant and the visit; null before consent and after withdrawal
    token: str | None
    # which of the other fields there is: `consent` and `instructions` have `text`, `puzzle` has
    # `puzzle`, `questions` has `questions`, `finished` has `finished`; `stages` explains these three
    stage: Stage
    # done, total: puzzles that are finished, and all
    done: int
    total: int
    received: int  # how many events of this visit are stored: the `number` of the next one
    text: NotRequired[str]  # plain text; empty lines part paragraphs
    puzzle: NotRequired[dict[str, Any]]
    questions: NotRequired[dict[str, Any]]
    finished: NotRequired[dict[str, str | None]]


class Stored(TypedDict):
    """The answer to events."""

    type: Literal["stored"]
    received: int  # the `number` of the next event
    remaining_ms: int | None  # until the time limit of the current puzzle; null without one
    # the first event that the rules do not allow, or that the page computed wrongly: its `number`,
    # and why (`message`); it and those after it are not stored. Null if none was refused
    refused: dict[str, Any] | None
    # how the puzzle of the last move ended, or else that of the request's `trial`: solved, gave-up,
    # time-limit, move-limit or answered; null while it goes on
    outcome: str | None
    # where the participant is, if the puzzle has ended or an event was refused; otherwise null.
    # After a refusal the page drops its waiting events and shows this.
    now: Now | None
