"""Looks for links of a built site that lead nowhere."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, and where its links and pictures lead."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes the ids and addresses of an element."""
        given = {key: value for key, value in attrs if value}
        self.ids |= {given[key] for key in ("id", "name") if key in given}
        self.targets |= {given[key] for key in ("href", "src") if key in given}


def broken_links(site: Path) -> list[str]:
    """Returns a line for each link inside the site whose file or anchor does not exist."""
    parsed = {file.resolve(): Page(file) for file in site.rglob("*.html")}
    broken = []
    for file, page in parsed.items():
        if file.name == "404.html":  # its addresses start at the root of the host
            continue
        for target in sorted(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or target.startswith("/"):
                continue
            goal = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if goal.is_dir():
                goal /= "index.html"
            anchor = unquote(parts.fragment)
            if not goal.is_file():
                broken.append(f"{file.relative_to(site.resolve())}: no file {target}")
            elif anchor and goal in parsed and anchor not in parsed[goal].ids | {"top"}:
                broken.append(f"{file.relative_to(site.resolve())}: no anchor {target}")
    return broken
