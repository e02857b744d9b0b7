"""Simulated participants in a real browser: from the link of a study to its completion code.

They see what people see: they press the keys and the buttons of the page, and answer its questions.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

from pushworld.puzzle import PushWorldError, Puzzle, State
from pushworld.traces.participants import Command, Kind, Mind

try:
    from playwright.async_api import Browser, Locator, Page, Response, async_playwright
    from playwright.async_api import Error as BrowserError
except ImportError as missing:
    raise PushWorldError(
        "simulated participants need a browser: run pip install 'pushworld[simulate]', and "
        "playwright install chromium if there is no Chromium on this machine"
    ) from missing

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000
KEYS: dict[Command, str] = {
    "L": "ArrowLeft",
    "R": "ArrowRight",
    "U": "ArrowUp",
    "D": "ArrowDown",
    "undo": "z",
    "reset": "r",
    "hint": "h",
}
LOOK = """() => ({
    state: [...document.querySelectorAll(".board .piece")].map((p) => [+p.dataset.x, +p.dataset.y]),
    isOver: document.querySelector("main").dataset.ready !== "puzzle" ||
        Boolean(document.querySelector(".banner.shown")),
    offered: [...document.querySelectorAll(".play button:enabled")].map((b) => b.textContent.trim()),
})"""
TOOLS = {"Undo": "undo", "Reset": "reset", "Hint": "hint", "Give up": "give-up"}
REMARKS = (
    "I looked where the red ones have to go.",
    "I tried until it worked.",
    "First I cleared the way, then I pushed from the other side.",
)


@dataclass(frozen=True)
class Participation:
    """What became of a simulated participant. `ending` is the completion code, an address, or what went wrong."""

    participant: str
    ending: str
    complete: bool
    puzzles: int
    solved: int
    decisions: int
    seconds: float


async def simulate(
    address: str,
    kind: Kind,
    participants: int,
    seed: int,
    concurrent: int,
    think: float,
    on_end: Callable[[Participation], None],
) -> list[Participation]:
    """Returns what became of all participants of the study at an address; raises PushWorldError if there is none.

    The same seed gives the same ids, and the same choices in the same situations. `concurrent` of them
    take part at the same time; a decision takes `think` seconds in the mean.
    """
    parameters = parameters_of(address)
    async with async_playwright() as playwright:
        path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
        try:
            browser = await playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
        except BrowserError as error:
            raise PushWorldError(
                "no browser could be started: install Chromium, or run playwright install chromium "
                f"({_first_line(error)})"
            ) from error
        free = asyncio.Semaphore(concurrent)

        async def take_part(number: int) -> Participation:
            name = f"simulated-{seed}-{number}"
            async with free:
                link = link_of(address, parameters, name)
                ended = await _Participant(name, kind, think).take_part(browser, link)
            on_end(ended)
            return ended

        ended = await asyncio.gather(*map(take_part, range(1, participants + 1)))
        await browser.close()
        return ended


def parameters_of(address: str) -> list[str]:
    """Returns the parameters that the links of the study at an address have; raises PushWorldError."""
    parts = urlsplit(address)
    site = parts._replace(path=f"{parts.path.rstrip('/')}/data/site.json", query="", fragment="")
    try:
        with urlopen(site.geturl(), timeout=PATIENCE_MS / 1000) as answer:
            study = json.load(answer).get("study")
    except (OSError, ValueError, AttributeError) as error:
        raise PushWorldError(f"{address} cannot be opened: {_first_line(error)}") from error
    if not study:
        raise PushWorldError(
            f"{address} is not a study: start one with pushworld play --study FILE"
        )
    return list(study["parameters"])


class _Participant:
    def __init__(self, name: str, kind: Kind, think: float) -> None:
        self._name, self._kind, self._think = name, kind, think
        self._random = Random(name)
        loop = asyncio.get_running_loop()
        self._puzzles: defaultdict[int, asyncio.Future[Puzzle]] = defaultdict(loop.create_future)
        self._counts = {"puzzles": 0, "solved": 0, "decisions": 0}

    async def take_part(self, browser: Browser, link: str) -> Participation:
        """Returns what became of the participant; nothing that happens in the page raises."""
        began = time.monotonic()
        context = await browser.new_context(reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("response", self._remember_puzzle)
        try:
            await page.goto(link)
            ending, complete = await self._go_through(page), True
        except (BrowserError, PushWorldError, TimeoutError) as error:
            ending, complete = _first_line(error), False
        await context.close()
        seconds = time.monotonic() - began
        return Participation(self._name, ending, complete, **self._counts, seconds=seconds)

    async def _remember_puzzle(self, response: Response) -> None:
        if "/api/study/" not in response.url:
            return
        try:
            answer = json.loads(await response.text())
        except (BrowserError, ValueError):
            return  # the page was closed, or a proxy answered
        place = ((answer.get("now") or answer).get("puzzle")) if isinstance(answer, dict) else None
        if place and not self._puzzles[place["trial"]].done():
            self._puzzles[place["trial"]].set_result(Puzzle.parse(place["pwp"]))

    async def _go_through(self, page: Page) -> str:
        """Returns the completion code, or the address at the end of the study."""
        main = page.locator("main[data-ready]")
        while True:
            await page.locator("main[data-ready] > :not([data-seen])").wait_for()
            await page.evaluate("document.querySelector('main > *').dataset.seen = ''")
            stage = await main.get_attribute("data-ready")
            if stage == "finished":
                return await self._ending(page)
            if stage == "consent":
                await self._press(page, "I agree")
            elif stage in ("instructions", "block"):
                await self._press(page, "Continue")
            elif stage == "questions":
                await self._answer(page)
                await self._press(page, "Continue")
            elif stage == "puzzle":
                await self._play(page)
            else:
                raise PushWorldError(" ".join((await main.inner_text()).split()))

    async def _press(self, page: Page, name: str) -> None:
        await page.get_by_role("button", name=name, exact=True).click()

    async def _ending(self, page: Page) -> str:
        for found in (page.locator(".code"), page.get_by_role("link", name="Finish")):
            if await found.count():
                return await found.get_attribute("href") or await found.inner_text()
        return "without a code"

    async def _play(self, page: Page) -> None:
        trial = int(await page.locator(".play").get_attribute("data-trial") or 0)
        puzzle = await asyncio.wait_for(self._puzzles[trial], PATIENCE_MS / 1000)
        mind = Mind(self._kind, puzzle, self._random)
        self._counts["puzzles"] += 1
        while not (seen := await page.evaluate(LOOK))["isOver"]:
            state: State = tuple((x, y) for x, y in seen["state"])
            offered = {TOOLS[name] for name in seen["offered"] if name in TOOLS}
            await asyncio.sleep(mind.think(self._think))
            await self._do(page, await asyncio.to_thread(mind.decide, state, offered))
            self._counts["decisions"] += 1
        banner = page.locator(".banner.shown")
        self._counts["solved"] += "Solved" in await banner.inner_text()
        await banner.get_by_role("button", name="Continue").click()

    async def _do(self, page: Page, command: Command) -> None:
        if command != "give-up":
            await page.keyboard.press(KEYS[command])
            await page.locator(".answer progress").wait_for(state="detached")
            return
        await self._press(page, "Give up")
        confirmed = page.get_by_role("dialog").get_by_role("button", name="Give up")
        await confirmed.click()
        await page.locator(".banner.shown").wait_for()

    async def _answer(self, page: Page) -> None:
        for question in await page.locator(".question").all():
            radios = await question.get_by_role("radio").all()
            if radios:
                await self._random.choice(radios).check()
            else:
                await self._write(question.locator("input, textarea"))

    async def _write(self, field: Locator) -> None:
        if await field.get_attribute("type") == "number":
            low, high = [float(await field.get_attribute(key) or 50) for key in ("min", "max")]
            await field.fill(str(round(self._random.uniform(low, max(low, high)))))
        else:
            most = int(await field.get_attribute("maxlength") or 100)
            await field.fill(self._random.choice(REMARKS)[:most])


def link_of(address: str, parameters: list[str], participant: str) -> str:
    """Returns the link of a participant: each parameter that the address lacks is the id."""
    parts = urlsplit(address)
    query = dict.fromkeys(parameters, participant) | dict(parse_qsl(parts.query))
    return parts._replace(path=parts.path or "/", query=urlencode(query), fragment="").geturl()


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
