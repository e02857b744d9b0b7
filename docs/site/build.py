"""Builds the documentation site: `make docs`, or `python docs/site/build.py`.

The pages are the Markdown files and notebooks of docs/. The reference of the command line and of the
package is made from the code. Warnings are errors, and so are links that lead nowhere.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from command_line import command_line_page
from links import broken_links
from notebooks import notebook_page

import pushworld
from pushworld import puzzle
from pushworld.bench import read_results
from pushworld.bench.archives import unpacked, verified
from pushworld.bench.report import write_report
from pushworld.render import save_picture

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
CARRIED = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files of the repository that are pages too."""

FACADE = """\
`import pushworld` gives the names that most programs need, and `pushworld.__version__`. Everything else is imported from
its room: `from pushworld.datasets import resolve_puzzle`. What these pages list is kept stable; all else may change.
"""

LOGO = "G1 .\nM1 A"

API: dict[str, tuple[str, tuple[str, ...]]] = {
    "puzzle": ("pushworld.puzzle", ()),
    "engine": ("pushworld.engine", ()),
    "planners": ("pushworld.planners", ("external", "unified_planning")),
    "datasets": ("pushworld.datasets", ("generated",)),
    "render": ("pushworld.render", ()),
    "export": ("pushworld.export", ()),
    "envs": ("pushworld.envs", ()),
    "envs-jax": ("pushworld.envs.jax", ()),
    "rl": (
        "pushworld.rl",
        ("config", "runs.training", "evaluation.agents", "evaluation.solve_rates"),
    ),
    "bench": ("pushworld.bench", ("report", "scores")),
    "design": ("pushworld.design", ("analysis", "roles", "difficulty", "search")),
    "text": ("pushworld.text", ("evaluation", "adapters")),
    "traces": ("pushworld.traces", ("recording", "games", "measures", "export", "report")),
    "web": ("pushworld.web", ("server", "site", "studies.study", "studies.study_file")),
    "process": ("pushworld.process", ()),
    "play": ("pushworld.play", ("terminal",)),
    "machine": ("pushworld.machine", ()),
    "statistics": ("pushworld.statistics", ()),
}
"""The pages of the reference: a module and those of its modules whose names it does not repeat."""


def main() -> int:
    """Builds the site, and returns 0 if nothing is wrong with it."""
    write_pages()
    settings = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
    unlisted = pages() - listed(settings["nav"])
    wrong = [f"the navigation of zensical.toml lacks {page}" for page in sorted(unlisted)]
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    wrong += re.findall(r"^griffe: .+", done.stdout + done.stderr, re.MULTILINE)
    if done.returncode == 0:
        wrong += broken_links(SITE)
    for line in wrong:
        print(line, file=sys.stderr)
    return done.returncode or bool(wrong)


def write_pages() -> None:
    """Writes build/docs: what the site is made from."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for file in sorted(DOCS.rglob("*")):
        path = file.relative_to(DOCS)
        if file.is_dir() or file.suffix == ".py" or "__pycache__" in path.parts:
            continue
        if file.suffix == ".md":
            write(path, with_files(file.read_text("utf-8"), file.parent, path.parent))
        elif file.suffix == ".ipynb":
            page, pictures = notebook_page(file)
            write(path.with_suffix(".md"), with_files(page, file.parent, path.parent))
            for name, data in pictures.items():
                (PAGES / path.parent / name).write_bytes(data)
        else:
            (PAGES / path.parent).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, PAGES / path)
    for name, target in CARRIED.items():
        write(Path(target), with_files((ROOT / name).read_text("utf-8"), ROOT, Path()))
    stored = ROOT / "benchmarks" / "results"
    with unpacked(stored / f"{name}.zip" for name in ("planners", "agents")) as folders:
        write_report([verified(read_results(each)) for each in folders], PAGES / "scoreboard")
    draw_logo(PAGES / "images" / "logo.svg")
    write(Path("reference/command-line.md"), command_line_page())
    write(Path("reference/api/pushworld.md"), facade_page())
    for page, (module, parts) in API.items():
        below = [f"::: {module}.{part}\n    options:\n      heading_level: 2" for part in parts]
        text = "\n\n".join([f"---\ntitle: {module}\n---", f"::: {module}", *below])
        write(Path(f"reference/api/{page}.md"), f"{text}\n")


def facade_page() -> str:
    """Returns the page about the names of the package itself, which live in its rooms."""
    rooms = {
        name: "puzzle" if hasattr(puzzle, name) else "planners"
        for name in pushworld.__all__
        if name != "__version__"
    }
    rows = [f"| [`{name}`][pushworld.{room}.{name}] | `{room}` |" for name, room in rooms.items()]
    return "\n".join(
        [
            f"# pushworld {pushworld.__version__}\n",
            FACADE,
            "| name | lives in |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )


def draw_logo(file: Path) -> None:
    """Writes a small puzzle as a picture, with half of its border."""
    save_picture(file, puzzle.Puzzle.parse(LOGO), pixels_per_cell=12)
    whole, part = 'viewBox="0 0 48 48"', 'viewBox="8 8 32 32"'
    file.write_text(file.read_text("utf-8").replace(whole, part), encoding="utf-8")


def write(path: Path, text: str) -> None:
    """Writes a page, in a folder that exists then."""
    (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / path).write_text(text, encoding="utf-8")


def with_files(text: str, folder: Path, place: Path) -> str:
    """Returns a page whose links to files outside docs/ lead to copies of them in the site.

    Args:
        text: the page.
        folder: the folder of its source.
        place: the folder of the page in the site.
    """

    def replaced(found: re.Match[str]) -> str:
        target = (folder / found[1]).resolve()
        if target.is_relative_to(DOCS):
            inside = target.relative_to(DOCS)
            goal = inside.with_suffix(".md") if inside.suffix == ".ipynb" else inside
        elif target.is_file() and target.is_relative_to(ROOT):
            name = target.relative_to(ROOT).as_posix()
            goal = Path(CARRIED.get(name, f"files/{name}"))
            if name not in CARRIED:
                (PAGES / goal).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target, PAGES / goal)
        else:
            return found[0]
        return f"]({os.path.relpath(goal, place)}{found[2] or ''})"

    return re.sub(r"\]\((?!\w+:|#)([^)#\s]+)(#[^)]*)?\)", replaced, text)


def pages() -> set[str]:
    """Returns the pages that there are."""
    return {file.relative_to(PAGES).as_posix() for file in PAGES.rglob("*.md")}


def listed(part: Any) -> set[str]:
    """Returns the pages that a part of the navigation names."""
    if isinstance(part, str):
        return {part}
    return set().union(*map(listed, part.values() if isinstance(part, dict) else part))


if __name__ == "__main__":
    sys.exit(main())
