"""Notebooks as pages: their cells with the outputs that are stored in them."""

import json
import re
import tomllib
from base64 import b64decode
from pathlib import Path
from typing import Any

from pushworld import __version__

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
GITHUB, COLAB = "https://github.com/", "https://colab.research.google.com/github"


def notebook_page(file: Path) -> tuple[str, dict[str, bytes]]:
    """Returns a notebook as Markdown, and its pictures by the names that the page gives them."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        source = text(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source.strip():
            parts.append(f"```python\n{source}\n```")
            parts += [shown(output, file.stem, pictures) for output in cell["outputs"]]
    title, *rest = [part for part in parts if part]
    source = tomllib.loads(PROJECT.read_text("utf-8"))["project"].get("urls", {}).get("Source", "")
    note = f"[Download this page as a notebook]({file.name}.txt){{ download={file.name} }}"
    if source.startswith(GITHUB):
        place = source.removeprefix(GITHUB).strip("/")
        note += f" or [open it in Colab]({COLAB}/{place}/blob/v{__version__}/docs/tutorials/{file.name})"
    pictures[f"{file.name}.txt"] = file.read_bytes()
    return "\n\n".join([title, note, *rest]) + "\n", pictures


def shown(output: dict[str, Any], name: str, pictures: dict[str, bytes]) -> str:
    """Returns an output as Markdown; its picture is added to the pictures."""
    if output["output_type"] == "stream":
        return f"```{{ .text .output }}\n{text(output['text']).rstrip()}\n```"
    data = output.get("data", {})
    for media, suffix in (("image/png", "png"), ("image/gif", "gif"), ("image/svg+xml", "svg")):
        if media in data:
            content = text(data[media])
            picture = f"{name}-{len(pictures) + 1}.{suffix}"
            pictures[picture] = content.encode() if suffix == "svg" else b64decode(content)
            return f"![Output of the cell above]({picture})"
    if "text/html" in data:
        return re.sub(r"\n\s*\n", "\n", text(data["text/html"]))
    if "text/markdown" in data:
        return text(data["text/markdown"])
    if "text/plain" in data:
        return f"```{{ .text .output }}\n{text(data['text/plain'])}\n```"
    return ""


def text(value: str | list[str]) -> str:
    """Returns a text that a notebook holds as one string or as lines."""
    return value if isinstance(value, str) else "".join(value)
