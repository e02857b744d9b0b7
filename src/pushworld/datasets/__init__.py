"""Puzzles by name: the sets of the package, the published sets and how to install them."""

from pushworld.datasets.bundled import (
    BundledPuzzle,
    ClassicPuzzle,
    FrontierPuzzle,
    bundled_puzzles,
    classic_puzzles,
    frontier_puzzles,
    heldout_puzzles,
    package_puzzles,
)
from pushworld.datasets.errors import DataError
from pushworld.datasets.human import HumanSolutions, installed_human_solutions, read_human_solutions
from pushworld.datasets.published.download import download
from pushworld.datasets.published.importer import import_path
from pushworld.datasets.published.manifest import Entry, Manifest, published_manifest
from pushworld.datasets.published.store import Problem, Report, Store, default_store
from pushworld.datasets.resolve import load_set, resolve_puzzle
from pushworld.datasets.sets import set_names

__all__ = [
    "BundledPuzzle",
    "ClassicPuzzle",
    "DataError",
    "Entry",
    "FrontierPuzzle",
    "HumanSolutions",
    "Manifest",
    "Problem",
    "Report",
    "Store",
    "bundled_puzzles",
    "classic_puzzles",
    "default_store",
    "download",
    "frontier_puzzles",
    "heldout_puzzles",
    "import_path",
    "installed_human_solutions",
    "load_set",
    "package_puzzles",
    "published_manifest",
    "read_human_solutions",
    "resolve_puzzle",
    "set_names",
]
