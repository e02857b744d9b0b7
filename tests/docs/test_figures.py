"""Figures in the documents: the stored results say the same, and no figure is typed into two documents."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_FIGURE = re.compile(r"^```.*?^```$|https?://\S+|`[^`]*`", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-]|\.\d)")
NOTES = "experiments.md"
"""What was tried: nothing is repeated from there."""

LEAST_DIGITS = 4
"""Two documents may have a number with fewer significant digits by chance."""


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def test_documents_show_what_the_stored_results_say() -> None:
    from figures import documents, filled

    texts = {str(path): path.read_text("utf-8") for path in documents()}
    stale = [name for name, text in texts.items() if filled(text) != text]
    assert stale == [], "python benchmarks/figures.py writes these anew"


def test_a_place_with_another_figure_is_filled_again() -> None:
    from figures import filled, published

    solved = published("as published", "default")["60"][-1]
    assert filled("<!-- figure default-60 -->178<!-- end --> of 223") == (
        f"<!-- figure default-60 -->{solved}<!-- end --> of 223"
    )


def test_no_measured_number_is_typed_into_two_documents() -> None:
    """While copies are equal they are found, so they cannot come to differ."""
    from figures import PLACE, documents

    found = defaultdict(set)
    for path in (path for path in documents() if path.name != NOTES):
        text = NO_FIGURE.sub("", PLACE.sub("", path.read_text("utf-8")))
        for number in NUMBER.findall(text):
            if looks_measured(number):
                found[number].add(str(path.relative_to(ROOT)))
    copies = {number: names for number, names in found.items() if len(names) > 1}
    assert copies == {}, "put these into benchmarks/results/figures.csv, or state them once"


def looks_measured(number: str) -> bool:
    """Returns whether a number is neither round nor a power of two nor a year."""
    digits = number.replace(",", "").replace(".", "").strip("0")
    value = float(number.replace(",", ""))
    is_year = "," not in number and value in range(1900, 2100)
    is_power = value.is_integer() and int(value) & (int(value) - 1) == 0
    return len(digits) >= LEAST_DIGITS and not is_year and not is_power


def test_what_looks_measured() -> None:
    assert all(map(looks_measured, ("391,033", "0.9581", "17,885")))
    assert not any(map(looks_measured, ("10,000", "100.0", "2023", "65,536", "99.5")))
