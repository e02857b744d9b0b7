"""Simulated participants of a study: programs that send what the page would send.

They are for pilots of studies and for tests, not models of people.
"""

import json
import time
from collections.abc import Set
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request, urlopen

from pushworld.design.variants import from_state
from pushworld.planners import solve
from pushworld.puzzle import LETTERS, PushWorldError, Puzzle, State

SEARCH_SECONDS = 5.0
ANSWER_SECONDS = 60.0
THINK_SIGMA = 0.8
TOOLS = {"undo": 0.05, "reset": 0.01, "hint": 0.02}
"""How often a decision is for a tool, where it is offered."""

LEAST_SKILL, MOST_SKILL = 0.3, 0.95
"""Participants differ in how often a decision follows a plan; otherwise it is any move."""

PATIENCE = 30, 300
"""The least and the most decisions until one gives up. Where that is not allowed, one follows a plan after three
times as many: every study ends."""


class Mind:
    """What a simulated participant knows about a puzzle, and its patience with it."""

    def __init__(self, skill: float, puzzle: Puzzle, random: Random) -> None:
        self._skill, self._puzzle, self._random = skill, puzzle, random
        self._patience = random.randint(*PATIENCE)
        self._decisions = 0
        self._next: dict[State, str] = {}

    def decide(self, state: State, offered: Set[str]) -> str:
        """Returns what to do in a state: a letter, or one of the tools that are offered."""
        self._decisions += 1
        if self._decisions > self._patience and "give-up" in offered:
            return "give-up"
        hurries = self._decisions > 3 * self._patience
        for tool, chance in TOOLS.items():
            if tool in offered and not hurries and self._random.random() < chance:
                return tool
        if hurries or self._random.random() < self._skill:
            back = (way for way in ("undo", "reset", "give-up") if way in offered)
            if way := self._planned(state) or next(back, ""):
                return way
        return self._random.choice(LETTERS)

    def _planned(self, state: State) -> str:
        """Returns the next move of a plan, or nothing if there is none."""
        if state not in self._next:
            self._next[state] = ""
            here = from_state(self._puzzle, state)
            plan = solve(here, time_limit=SEARCH_SECONDS).plan or ""
            self._next |= zip(here.replay(plan), plan, strict=False)
        return self._next[state]


class Participant:
    """Takes part in a study. The same name makes the same choices in the same situations."""

    def __init__(self, address: str, name: str, think: float) -> None:
        """Arguments: the address of the study, and the mean seconds of a decision."""
        parts = urlsplit(address)
        self._site = parts._replace(path=parts.path.rstrip("/"), query="", fragment="").geturl()
        self._given = dict(parse_qsl(parts.query))
        self._name, self._think, self._random = name, think, Random(name)
        self._skill = self._random.uniform(LEAST_SKILL, MOST_SKILL)
        self._now: dict[str, Any] = {}
        self._counts = {"puzzles": 0, "solved": 0, "decisions": 0}

    def take_part(self) -> dict[str, Any]:
        """Returns what became of the participant: `ending` is the completion code, an address, or what went wrong."""
        began = time.monotonic()
        try:
            ending, complete = self._go_through(), True
        except PushWorldError as error:
            ending, complete = str(error), False
        told = {"participant": self._name, "ending": ending, "complete": complete}
        return told | self._counts | {"seconds": time.monotonic() - began}

    def parameters(self) -> dict[str, str]:
        """Returns what the link holds: each parameter that the address lacks is the id."""
        study = self._ask("data/site.json").get("study")
        if not study:
            raise PushWorldError(
                f"{self._site} is not a study: start one with pushworld play --study FILE"
            )
        return dict.fromkeys(study["parameters"], self._name) | self._given

    def _go_through(self) -> str:
        """Returns the completion code, or the address at the end of the study."""
        key = f"{Random(f'key {self._name}').getrandbits(128):032x}"
        who = {"parameters": self.parameters(), "key": key}
        self._go("enter", **who)
        while (stage := self._now["stage"]) != "finished":
            if stage == "consent":
                self._go("consent", agreed=True, **who)
            elif stage == "instructions":
                self._go("continue")
            elif stage == "puzzle":
                self._play(self._now["puzzle"])
            else:
                asked = self._now["questions"]
                answers = {each["id"]: self._answer(each) for each in asked["questions"]}
                self._go("answers", trial=asked["trial"], answers=answers)
        ending = self._now["finished"]
        return ending["redirect"] or ending["code"] or "without a code"

    def _play(self, place: dict[str, Any]) -> None:
        """Plays a puzzle until the server says that it has ended."""
        puzzle, rules = Puzzle.parse(place["pwp"]), place["rules"]
        mind = Mind(self._skill, puzzle, self._random)
        path = [*puzzle.replay(place["plan"][: place["step"]])]
        began = time.monotonic() - place["elapsed_ms"] / 1000
        self._counts["puzzles"] += 1
        answer = {} if place["started"] else self._send(place["trial"], "start", None, 0)
        while not answer.get("outcome"):
            time.sleep(
                self._think * self._random.lognormvariate(-(THINK_SIGMA**2) / 2, THINK_SIGMA)
            )
            may_end = rules["give_up"] and time.monotonic() - began > rules["give_up_after"]
            allowed = rules["undo"] and len(path) > 1, rules["reset"], rules["hints"], may_end
            offered = dict(zip((*TOOLS, "give-up"), allowed, strict=True))
            chosen = mind.decide(path[-1], {tool for tool in offered if offered[tool]})
            self._counts["decisions"] += 1
            kind, action = ("move", chosen) if chosen in LETTERS else (chosen, None)
            if action and (after := puzzle.step(path[-1], LETTERS.index(action))) != path[-1]:
                path.append(after)
            elif kind in ("undo", "reset"):
                del path[-1 if kind == "undo" else 1 :]
            answer = self._send(place["trial"], kind, action, len(path) - 1)
        self._counts["solved"] += answer["outcome"] == "solved"

    def _send(self, trial: int, kind: str, action: str | None, step: int) -> dict[str, Any]:
        event = {"number": self._now["received"], "trial": trial, "kind": kind, "action": action}
        event |= {"actor": "player", "shown": "hint-1" if kind == "hint" else None, "step": step}
        event["time_ms"] = round(time.time() * 1000)
        answer = self._ask(
            "api/study/events", token=self._now["token"], trial=trial, events=[event]
        )
        if answer["refused"] and not answer["outcome"]:
            raise PushWorldError(f"the server refused a {kind}: {answer['refused']['message']}")
        self._now = answer["now"] or self._now | {"received": answer["received"]}
        return answer

    def _answer(self, question: dict[str, Any]) -> object:
        """Returns an answer to a question."""
        if question["kind"] == "choice":
            return self._random.choice(question["options"])
        if question["kind"] == "text":
            return f"An answer of {self._name}."[: question["max_length"]]
        if question["kind"] == "likert":
            return self._random.randint(1, question["points"])
        low, high = question["minimum"], question["maximum"]
        low = min(0, high or 0) if low is None else low
        number = self._random.uniform(low, max(low, 100) if high is None else high)
        return max(int(-(-low // 1)), int(number)) if question["integer"] else number

    def _go(self, request: str, **body: Any) -> None:
        token = {"token": self._now["token"]} if self._now.get("token") else {}
        self._now = self._ask(f"api/study/{request}", **token, **body)

    def _ask(self, path: str, **body: Any) -> dict[str, Any]:
        """Returns the answer to a request; raises PushWorldError if there is none."""
        address = f"{self._site}/{path}"
        try:
            data = json.dumps(body).encode() if body else None
            request = Request(address, data, {"Content-Type": "application/json"})
            with urlopen(request, timeout=ANSWER_SECONDS) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except HTTPError as error:
            said = error.read().decode(errors="replace")
            raise PushWorldError(f"{address} answered {error.code}: {said[:200]}") from error
        except (OSError, ValueError) as error:
            raise PushWorldError(f"{self._site}/ cannot be opened: {error}") from error
