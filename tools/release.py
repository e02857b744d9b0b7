"""The release checklist: says what is missing for a release, and fails if anything is.

    python tools/release.py  # after .ci/run, which notes the commit that passed

Nothing is uploaded. A tag vX.Y.Z publishes (.github/workflows/release.yml).
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GREEN = "build/green"
"""The commit that passed `.ci/run`."""

RECIPE = "containers/conda-forge/recipe.yaml"
FILES = (
    *("LICENSE", "README.md", "SECURITY.md", "CITATION.cff", ".zenodo.json", "CHANGELOG.md", RECIPE),
    *(".github/pull_request_template.md", ".github/ISSUE_TEMPLATE", "conformance/cases-1.jsonl"),
    "src/pushworld/page/static/wasm/planner.wasm",
)  # fmt: skip
PLACEHOLDER = "10.5281/zenodo.0000000"


def problems(root: Path = ROOT) -> Iterator[str]:
    """Yields what stands between this folder and a release."""
    project = tomllib.loads(read(root, "pyproject.toml"))["project"]
    citation = read_citation(root)
    version, date = project["version"], citation["date-released"]
    changes, head = read(root, "CHANGELOG.md"), git(root, "rev-parse", "HEAD")
    for name in FILES:
        if not (root / name).exists():
            yield f"{name} is missing{': make page' if name.endswith('.wasm') else ''}"
    if citation["version"] != version:
        yield f"CITATION.cff is not of version {version}, as pyproject.toml is"
    if f'version: "{version}"\n' not in read(root, RECIPE):
        yield f"{RECIPE} is not of version {version}, as pyproject.toml is"
    if f"## [{version}] - {date}\n" not in changes:
        yield f"CHANGELOG.md has no section [{version}] of {date}, as CITATION.cff says"
    if re.search(r"^## Unreleased\n+(?!## )\S", changes, re.MULTILINE):
        yield "CHANGELOG.md has unreleased changes: give them the next version"
    if PLACEHOLDER in read(root, "CITATION.cff"):
        yield "CITATION.cff has a placeholder for the DOI: reserve one, and write it there"
    if not project.get("urls"):
        yield "pyproject.toml has no [project.urls]: name the repository (Source) and the documentation"
    if git(root, "status", "--porcelain"):
        yield "there are changes that are not committed"
    if read(root, GREEN).strip() != head:
        yield f"the tests of commit {head[:12]} have not passed here: .ci/run"


def read(root: Path, name: str) -> str:
    """Returns the text of a file, empty if there is none."""
    return (root / name).read_text("utf-8") if (root / name).exists() else ""


def read_citation(root: Path) -> dict[str, str]:
    """Returns the fields of CITATION.cff that are one line of plain text."""
    line = r"^([a-z-]+): \"?([^\">\n].*?)\"?$"
    return dict(re.findall(line, read(root, "CITATION.cff"), re.MULTILINE))


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    found = list(problems())
    for problem in found:
        print(f"missing: {problem}")
    print(f"{len(found)} things to do" if found else "ready: tag the version, and push the tag")
    sys.exit(bool(found))
