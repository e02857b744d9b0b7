"""The release checklist: says what is missing for a release, and fails if anything is.

    python tools/release.py          # after .ci/run, which notes the commit that passed
    python tools/release.py --write  # writes .zenodo.json from CITATION.cff

Nothing is uploaded. A tag vX.Y.Z publishes (.github/workflows/release.yml).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GREEN = Path("build/green")
"""The commit that passed `.ci/run`."""

FILES = (
    *("LICENSE", "README.md", "SECURITY.md", "CITATION.cff", ".zenodo.json", "CHANGELOG.md"),
    *(".github/pull_request_template.md", ".github/ISSUE_TEMPLATE", "conformance/cases-1.jsonl"),
    "src/pushworld/page/static/wasm/planner.wasm",
)
PLACEHOLDER = "10.5281/zenodo.0000000"


def problems(root: Path = ROOT) -> Iterator[str]:
    """Yields what stands between this folder and a release."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    citation = read_citation(root)
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    for name in FILES:
        if not (root / name).exists():
            hint = ": make page" if name.endswith(".wasm") else ""
            yield f"{name} is missing{hint}"
    if citation["version"] != version:
        yield f"CITATION.cff is of version {citation['version']}, pyproject.toml of {version}"
    if f"## [{version}] - {citation['date-released']}\n" not in changelog:
        yield f"CHANGELOG.md has no section [{version}] of {citation['date-released']}, as CITATION.cff says"
    unreleased = re.search(r"^## Unreleased\n+(?!## )\S", changelog, re.MULTILINE)
    if unreleased:
        yield "CHANGELOG.md has unreleased changes: give them the next version"
    if (root / ".zenodo.json").exists() and read_zenodo(root) != zenodo(root):
        yield ".zenodo.json differs from CITATION.cff: python tools/release.py --write"
    if PLACEHOLDER in (root / "CITATION.cff").read_text("utf-8"):
        yield "CITATION.cff has a placeholder for the DOI: reserve one, and write it there"
    if not project.get("urls"):
        yield "pyproject.toml has no [project.urls]: name the repository and the documentation"
    head = git(root, "rev-parse", "HEAD")
    if git(root, "status", "--porcelain"):
        yield "there are changes that are not committed"
    green = root / GREEN
    if not green.exists() or green.read_text("utf-8").strip() != head:
        yield f"the tests of commit {head[:12]} have not passed here: .ci/run"


def read_citation(root: Path) -> dict[str, str]:
    """Returns the fields of CITATION.cff that are one line of plain text."""
    lines = (root / "CITATION.cff").read_text("utf-8").splitlines()
    fields = (re.fullmatch(r"([a-z-]+): \"?([^\">].*?)\"?", line) for line in lines)
    return {field[1]: field[2] for field in fields if field}


def zenodo(root: Path) -> dict[str, Any]:
    """Returns what Zenodo shows of a release."""
    citation = read_citation(root)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    related = re.findall(r"arXiv:(\d+\.\d+)", (root / "CITATION.cff").read_text("utf-8"))
    return {
        "title": citation["title"],
        "version": citation["version"],
        "publication_date": citation["date-released"],
        "upload_type": "software",
        "description": project["description"],
        "creators": [{"name": each["name"]} for each in project["authors"]],
        "license": citation["license"],
        "keywords": project["keywords"],
        "related_identifiers": [
            {"identifier": f"arXiv:{each}", "relation": "isSupplementTo"} for each in related
        ],
    }


def read_zenodo(root: Path) -> Any:
    return json.loads((root / ".zenodo.json").read_text("utf-8"))


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main(arguments: list[str]) -> int:
    if arguments == ["--write"]:
        text = json.dumps(zenodo(ROOT), indent=2) + "\n"
        (ROOT / ".zenodo.json").write_text(text, encoding="utf-8")
        print("wrote .zenodo.json")
        return 0
    found = list(problems())
    for problem in found:
        print(f"missing: {problem}")
    version = read_citation(ROOT)["version"]
    print(f"{len(found)} things to do" if found else f"ready: git tag v{version}, and push the tag")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
