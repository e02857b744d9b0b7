"""What the package and its rooms export is what `public_api.txt` lists.

python -m tests.test_public_api writes the list again: the changelog names what has gone from it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from textwrap import dedent
from types import FunctionType

import pushworld

LIST = Path(__file__).with_name("public_api.txt")


def test_exports_are_those_of_the_list() -> None:
    assert "\n".join(public_api()) == LIST.read_text("utf-8").rstrip(), (
        "the public API has changed: python -m tests.test_public_api lists it again"
    )


def public_api() -> Iterator[str]:
    """Yields the names in `__all__` of the package, and those of its rooms with signatures and members."""
    yield from (f"pushworld.{name}" for name in pushworld.__all__)
    for room in sorted(f"pushworld.{each.name}" for each in iter_modules(pushworld.__path__)):
        module = None if room == "pushworld.__main__" else import_module(room)
        for name in getattr(module, "__all__", ()):
            yield from describe(f"{room}.{name}", getattr(module, name))


def describe(name: str, value: object) -> Iterator[str]:
    """Yields a line about a value, and one for each public member if it is a class."""
    members = vars(value) if isinstance(value, type) else {}
    own = {key: each for key, each in sorted(members.items()) if not key.startswith("_")}
    if isinstance(value, type) and issubclass(value, Enum):
        yield f"{name}: {', '.join(value.__members__)}"
        own = {key: each for key, each in own.items() if key not in value.__members__}
    else:
        yield f"{name}{signature(value)}"
    for key, each in own.items():
        yield f"{name}.{key}{signature(getattr(each, '__func__', each))}"


def signature(value: object) -> str:
    """Returns the parameters and the result of a function or a class that names them."""
    if not isinstance(value, FunctionType | type):
        return ""
    try:
        found = inspect.signature(value)
    except ValueError:  # of exceptions and native classes
        return ""
    written = written_annotations(value)
    parameters = [
        each.replace(annotation=written.get(each.name, each.annotation))
        for each in found.parameters.values()
    ]
    result = written.get("return", found.return_annotation)
    text = str(found.replace(parameters=parameters, return_annotation=result))
    text = re.sub(r" at 0x[0-9a-f]+", "", text).replace("'", "")
    return "" if text.startswith("(*args, **kwargs)") else text


def written_annotations(value: FunctionType | type) -> dict[str, str]:
    """Returns the annotations of parameters and of the result as the source has them, which all versions of Python print alike."""
    if isinstance(value, type) and isinstance(value.__init__, FunctionType):  # type: ignore[misc]
        own = value.__init__  # type: ignore[misc]
        if own.__code__.co_filename != "<string>":  # a dataclass has no source of it
            return written_annotations(own)
    classes = reversed(value.__mro__) if isinstance(value, type) else [value]
    found: dict[str, str] = {}
    for each in (each for each in classes if each.__module__.startswith("pushworld")):
        (node,) = ast.parse(dedent(inspect.getsource(each))).body
        for part in node.body if isinstance(node, ast.ClassDef) else ast.walk(node):
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                found[part.target.id] = ast.unparse(part.annotation)
            elif isinstance(part, ast.arg) and part.annotation:
                found[part.arg] = ast.unparse(part.annotation)
        if isinstance(node, ast.FunctionDef) and node.returns:
            found["return"] = ast.unparse(node.returns)
    return found


if __name__ == "__main__":
    LIST.write_text("\n".join(public_api()) + "\n", encoding="utf-8")
