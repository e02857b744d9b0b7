"""How much of each set is at hand."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pushworld.datasets.bundled.classic import classic_puzzles
from pushworld.datasets.bundled.teaching import bundled_puzzles
from pushworld.datasets.published.manifest import LEVEL0, LEVEL0_SETS, LEVEL0_SPLITS, LEVELS
from pushworld.datasets.published.store import Status, Store
from pushworld.datasets.sets import BUNDLED, CLASSIC, PUBLISHED


@dataclass(frozen=True)
class SetSummary:
    """A set and what is installed of it.

    Attributes:
        name: the name that `load_set` takes.
        installed: how many of its puzzles are in place, whole.
        total: how many puzzles it has.
        damaged: how many are in place with bytes that are not the published ones.
        where: the folder or archive that holds them.
    """

    name: str
    installed: int
    total: int
    damaged: int
    where: str

    def as_dict(self) -> dict[str, Any]:
        """Returns the summary as plain data for JSON."""
        return asdict(self)


def summarize(store: Store) -> list[SetSummary]:
    """Returns one line for each set of the package, each level, all of them, and each Level 0 set."""
    bundled = len(bundled_puzzles())
    levels = [_level(level, store) for level in LEVELS]
    published = SetSummary(
        PUBLISHED,
        sum(level.installed for level in levels),
        sum(level.total for level in levels),
        sum(level.damaged for level in levels),
        str(store.root),
    )
    classic = len(classic_puzzles())
    in_package = [
        SetSummary(BUNDLED, bundled, bundled, 0, "comes with the package"),
        SetSummary(CLASSIC, classic, classic, 0, "comes with the package"),
    ]
    return [*in_package, *levels, published, *_level0(store)]


def _level(level: str, store: Store) -> SetSummary:
    statuses = [store.status(entry) for entry in store.manifest.of_levels([level])]
    return SetSummary(
        level,
        statuses.count(Status.INSTALLED),
        len(statuses),
        statuses.count(Status.DAMAGED),
        str(store.root / level),
    )


def _level0(store: Store) -> list[SetSummary]:
    summaries = []
    for entry in store.manifest.of_levels([LEVEL0]):
        status = store.status(entry)
        for name in LEVEL0_SETS:
            for split, total in LEVEL0_SPLITS.items():
                summaries.append(
                    SetSummary(
                        f"{LEVEL0}/{name}/{split}",
                        total if status is Status.INSTALLED else 0,
                        total,
                        total if status is Status.DAMAGED else 0,
                        str(store.path_of(entry)),
                    )
                )
    return summaries
