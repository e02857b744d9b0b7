"""What the tests of evaluations share: a few tasks, servers with scripts, and evaluations of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from pushworld.text import Task, tasks
from pushworld.text.evaluation import Endpoint, Result, Settings, evaluate
from tests.text.evaluation.hostile import HostileServer
from tests.text.evaluation.server import ScriptedServer, serving

SET, LIMIT = "stream:3", 6


@cache
def few_tasks() -> tuple[Task, ...]:
    return tuple(tasks(SET, limit=LIMIT, seed="0"))


def settings(model: str = "good", **changes: Any) -> Settings:
    values: dict[str, Any] = {
        "name": model,
        "kind": "model",
        "endpoint": "http://localhost/v1/chat/completions",
        "model": model,
        "sources": (SET,),
        "limit": LIMIT,
        "tasks_seed": "0",
    }
    return Settings(**values | changes)


@contextmanager
def scripted(**options: Any) -> Iterator[tuple[ScriptedServer, str]]:
    """Yields a server that knows the tasks, and its address."""
    server = HostileServer(few_tasks(), **options)
    with serving(server) as address:
        yield server, address


def ask(folder: Path, address: str, model: str = "good", **changes: Any) -> Result:
    """Returns the result of an evaluation of a scripted model."""
    budget = {name: changes.pop(name) for name in ("budget_of", "key") if name in changes}
    endpoint = Endpoint(address, model, key=budget.get("key"), retries=changes.pop("retries", 1))
    if "budget_of" in budget:
        endpoint.budget = budget["budget_of"]
    return evaluate(folder, settings(model, **changes), endpoint)
