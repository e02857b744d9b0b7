"""The constraints name one version of every package that tests and builds install, for every supported Python."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.install import ROOT, requirements
from tools.lock import EXTRAS

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def pins(name: str, python: str) -> dict[str, str]:
    """Returns the version of each package that a file of constraints names for a version of Python."""
    versions: dict[str, str] = {}
    for line in (ROOT / "constraints" / f"{name}.txt").read_text("utf-8").splitlines():
        pin = Requirement(line)
        if applies(pin, python):
            assert pin.name not in versions, f"two versions of {pin.name}"
            (specifier,) = pin.specifier
            assert specifier.operator == "=="
            versions[canonicalize_name(pin.name)] = specifier.version
    return versions


def applies(requirement: Requirement, python: str) -> bool:
    """Returns whether a requirement of no extra holds for a version of Python on this machine."""
    environment = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    return requirement.marker is None or requirement.marker.evaluate(environment)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", EXTRAS)
def test_the_versions_fit_the_ranges(name: str, python: str) -> None:
    versions = pins(name, python)
    wanted = [text for extra in EXTRAS[name] for text in requirements(extra, whole=name == "main")]
    for requirement in map(Requirement, wanted):
        if applies(requirement, python):
            version = versions[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version, prereleases=True), requirement


def test_what_the_tests_need_is_complete() -> None:
    python = ".".join(map(str, sys.version_info[:2]))
    versions = pins("main", python)
    names = [Requirement(text) for text in requirements("test", whole=True)]
    seen = set()
    for requirement in names:
        key = (canonicalize_name(requirement.name), *sorted(requirement.extras))
        if key in seen or not applies(requirement, python):
            continue
        seen.add(key)
        assert key[0] in versions
        try:
            needs = distribution(key[0]).requires or ()
        except PackageNotFoundError:  # for another system
            continue
        for text in needs:
            needed = Requirement(text)
            for extra in requirement.extras or {""}:
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    names.append(needed)
    assert len(seen) > 50
