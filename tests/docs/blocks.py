"""Code blocks of documents."""

from __future__ import annotations

import re


def blocks(text: str, language: str) -> list[str]:
    """Returns the code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sessions(text: str) -> list[tuple[str, str]]:
    """Returns the commands of all console blocks, each with the output that is shown below it."""
    pairs = []
    for block in blocks(text, "console"):
        for chunk in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = chunk.partition("\n")
            pairs.append((command, output))
    return pairs
