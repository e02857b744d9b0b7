"""The notebooks of the tutorials run from their first cell to their last.

``python -m tests.docs.test_notebooks NAME...`` runs them and keeps what they show.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="needs nbformat")
nbclient = pytest.importorskip("nbclient", reason="needs nbclient")

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
NOTEBOOKS = sorted(path.stem for path in TUTORIALS.glob("*.ipynb"))


def execute(notebook: object, folder: Path) -> None:
    """Runs all cells in a new kernel of this Python, in a folder of their own."""
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_runs_and_its_outputs_are_stored(name: str, tmp_path: Path) -> None:
    notebook = nbformat.read(TUTORIALS / f"{name}.ipynb", as_version=4)
    stored = [kinds(cell) for cell in notebook.cells]
    execute(notebook, tmp_path)
    assert [kinds(cell) for cell in notebook.cells] == stored
    assert "image/png" in {kind for cell in stored for kind in cell}


def kinds(cell: dict[str, object]) -> list[str]:
    """Returns what a cell shows: the media types of its outputs, without what it prints."""
    outputs: list[dict[str, dict[str, str]]] = cell.get("outputs", [])  # type: ignore[assignment]
    return sorted(kind for output in outputs for kind in output.get("data", {}))


if __name__ == "__main__":
    import tempfile

    for chosen in sys.argv[1:] or NOTEBOOKS:
        file = TUTORIALS / f"{chosen}.ipynb"
        with tempfile.TemporaryDirectory() as temporary:
            content = nbformat.read(file, as_version=4)
            execute(content, Path(temporary))
        for cell in content.cells:
            cell.get("metadata", {}).pop("execution", None)
        nbformat.write(content, file)
        print(f"wrote {file}")
