"""The internal parts of the native search. Only development builds have them; else tests skip."""

from __future__ import annotations

from typing import Any

import pytest

from pushworld import _native

_parts: Any = pytest.importorskip(
    "pushworld._native_parts", reason="the native parts are built by 'make test'"
)

INFINITY = _native.INFINITY
NO_NODE: int = _parts.NO_NODE
FeatureBucketOpenList: Any = _parts.FeatureBucketOpenList
NodeStore: Any = _parts.NodeStore
OpenList: Any = _parts.OpenList
Patterns: Any = _parts.Patterns
PushParts: Any = _parts.PushParts
TripleNovelty: Any = _parts.TripleNovelty
WidePushParts: Any = _parts.WidePushParts
