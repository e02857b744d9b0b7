"""The accounts of an evaluation: what answers cost, what further samples change, and runs compared in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from pushworld.bench.tables import NOTHING, Table
from pushworld.files import read_toml
from pushworld.puzzle import PushWorldError
from pushworld.statistics import Share, Z
from pushworld.text.evaluation.outcomes import Contestant

MILLION = 1_000_000
NO_ANSWERS = ("illegal", "cut off", "refused", "no answer")


@dataclass(frozen=True)
class Prices:
    """Dollars for a million tokens of prompts and of answers, by the model's name at its endpoint."""

    name: str
    date: str
    models: Mapping[str, tuple[float, float]]

    @classmethod
    def load(cls, path: Path) -> Prices:
        """Returns the prices in a TOML file."""
        values = read_toml(path)
        try:
            models = {
                name: (float(each["input"]), float(each["output"]))
                for name, each in values["models"].items()
            }
            return cls(path.name, str(values["date"]), models)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PushWorldError(
                f"{path} is no table of prices: write date = 2026-01-31 and, for each model, "
                '[models."NAME"] with input and output in dollars for a million tokens'
            ) from error

    def dollars(self, contestant: Contestant) -> float | None:
        """Returns what the answers of a contestant cost; None if its model has no price."""
        price = self.models.get(contestant.settings.model)
        if price is None:
            return None
        turns = [turn for each in contestant.evaluation.turns.values() for turn in each]
        costs = (turn.tokens[side] * price[side] for turn in turns for side in (0, 1))
        return sum(costs) / MILLION


def costs(contestants: Sequence[Contestant], prices: Prices | None) -> Table:
    """Returns what the answers of each model cost, and which of them are no answers."""
    rows = []
    for each in contestants:
        if not each.is_model:
            continue
        outcomes = list(each.outcomes.values())
        counts = Counter(one.status for one in outcomes)
        right = sum(one.score.solved for one in outcomes)
        dollars = None if prices is None else prices.dollars(each)
        rows.append(
            [
                each.label,
                *(str(Share(counts[status], len(outcomes))) for status in NO_ANSWERS),
                f"{fmean(one.tokens for one in outcomes):,.0f}",
                f"{fmean(one.seconds for one in outcomes):.1f}",
                NOTHING if dollars is None else f"{dollars:.2f}",
                NOTHING if dollars is None or not right else f"{dollars / right:.3f}",
            ]
        )
    figures = ("tokens a task", "s a task", "dollars", "for a right answer")
    return Table(("contestant", *NO_ANSWERS, *figures), rows)


def samples(contestants: Sequence[Contestant]) -> Table:
    """Returns the mean share of right answers in all samples, and the tasks with a right one among them."""
    rows = []
    for each in contestants:
        if (count := each.settings.samples) == 1:
            continue
        by_task: dict[str, list[bool]] = {}
        for key, one in each.outcomes.items():
            by_task.setdefault(key.partition("#")[0], []).append(one.score.solved)
        means = [fmean(right) for right in by_task.values()]
        mean, half = fmean(means), Z * stdev(means) / sqrt(len(means)) if len(means) > 1 else 1.0
        low, high = max(0.0, mean - half), min(1.0, mean + half)
        passed = Share.of(any(right) for right in by_task.values())
        shown = f"{100 * mean:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
        rows.append([each.label, str(count), shown, str(passed)])
    return Table(("contestant", "samples", "mean of all samples", "right in any sample"), rows)


def pairs(contestants: Sequence[Contestant]) -> Table:
    """Returns for each two models the tasks that only one of them got right, and the difference of the shares.

    Its interval is that of Bonett and Price for paired shares.
    """
    rows = []
    for one, other in combinations((each for each in contestants if each.is_model), 2):
        shared = one.outcomes.keys() & other.outcomes.keys()
        if not shared:
            continue
        ours = {key for key in shared if one.outcomes[key].score.solved}
        theirs = {key for key in shared if other.outcomes[key].score.solved}
        won, lost = len(ours - theirs), len(theirs - ours)
        p, q = (won + 1) / (len(shared) + 2), (lost + 1) / (len(shared) + 2)
        half = Z * sqrt((p + q - (p - q) ** 2) / (len(shared) + 2))
        difference = (won - lost) / len(shared)
        shown = f"{100 * difference:+.0f} % ({100 * (p - q - half):+.0f} to {100 * (p - q + half):+.0f})"
        rows.append(
            [f"{one.label} and {other.label}", str(len(shared)), str(won), str(lost), shown]
        )
    return Table(
        ("two runs", "tasks of both", "only the first", "only the second", "difference"), rows
    )


def price_notes(contestants: Sequence[Contestant], prices: Prices | None) -> Iterator[str]:
    """Yields what dollars are computed from."""
    if prices is not None:
        named = sorted({each.settings.model for each in contestants} & prices.models.keys())
        pairs = ((name, *prices.models[name]) for name in named)
        told = "; ".join(f"{name} {sent:g} and {answered:g}" for name, sent, answered in pairs)
        yield f"Dollars by {prices.name} of {prices.date}, for a million tokens of prompts and answers: {told}."
