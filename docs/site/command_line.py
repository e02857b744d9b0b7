"""The page about the command line, from the commands themselves."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from typer.main import get_command

from pushworld.cli.application import app, load_command

PAGE = re.compile(r"docs/([\w/-]+/)([\w-]+)\.md")
"""How help texts name a page of the documents."""

OPENING = """\
# Command line

This page is made from the commands. `pushworld COMMAND --help` shows the same.
`pushworld --install-completion` completes commands and puzzle names in your shell.
"""


def command_line_page() -> str:
    """Returns the page in Markdown: a section for each command."""
    root: Any = get_command(app)
    loaded = {name: load_command(name) for name in root.list_commands(None)}
    sections = [section for pair in commands(loaded, "pushworld") for section in describe(*pair)]
    return "\n".join([OPENING, "## Exit codes\n", *exit_codes(root.epilog), *sections])


def commands(group: Mapping[str, Any], name: str) -> Iterator[tuple[Any, str]]:
    """Returns all commands with the words that call them, groups before their commands."""
    for word, command in group.items():
        yield command, f"{name} {word}"
        if hasattr(command, "commands"):
            yield from commands(command.commands, f"{name} {word}")


def describe(command: Any, name: str) -> Iterator[str]:
    """Returns the lines about one command."""
    context = command.context_class(command, info_name=name)
    depth = name.count(" ")
    yield f"\n{'#' * (1 + depth)} {name.removeprefix('pushworld ')}\n"
    text, _, examples = (command.help or "").partition("[bold]Examples[/]")
    yield PAGE.sub(r"[\2](../\1\2.md)", escape(plain(text.strip()), quote=False)) + "\n"
    if hasattr(command, "commands"):
        return
    yield "```text"
    yield command.get_usage(context).removeprefix("Usage: ").replace("\n", " ")
    yield "```\n"
    records = [each.get_help_record(context) for each in command.get_params(context)]
    yield "| argument or option | meaning |\n| --- | --- |"
    for names, meaning in (record for record in records if record and record[0] != "--help"):
        yield f"| <code>{cell(names)}</code> | {cell(with_default(meaning))} |"
    if examples.strip():
        yield "\n```bash"
        yield from (line.strip() for line in examples.splitlines() if line.strip())
        yield "```"
    if command.epilog:
        yield "\n" + plain(command.epilog)


def exit_codes(epilog: str) -> Iterator[str]:
    """Returns the exit codes as a table."""
    yield "| code | meaning |\n| --- | --- |"
    for code, meaning in re.findall(r"(?:^|, )(\d+) (.+?)(?=, \d|$)", epilog, re.MULTILINE):
        yield f"| {code} | {meaning} |"


def with_default(meaning: str) -> str:
    """Returns the help of an option with its default as a sentence."""
    text, _, note = meaning.rstrip("]").partition("  [")
    default = note.removeprefix("default: ") if note.startswith("default: ") else ""
    note = f" Default: {default.strip('()')}." if default else f" ({note})" if note else ""
    return plain(text) + note


def plain(text: str) -> str:
    """Returns a text without the marks for terminals."""
    return re.sub(r"\[/?(?:bold|dim|italic)?\]", "", text).replace("\\[", "[")


def cell(text: str) -> str:
    """Returns a text for a cell of a table."""
    return escape(text, quote=False).replace("\n", " ").replace("|", "&#124;")
