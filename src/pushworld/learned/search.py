"""Best-first search over pushes, guided by a network and by heuristics; it runs in native code.

A node is an arrangement of the movables and the region where the agent walks freely. Two kinds of
expansions take turns and share the nodes. For one, the network evaluates the arrangement: that gives
the probabilities of all pushes there, and the estimated distance. A successor's cost is the negative log
probability of all pushes on the way to it, plus the weighted distance of its parent, and the node with
the lowest cost is expanded next. The other takes nodes from open lists of the push search, by novelty
and by the manipulation heuristic. Whenever that finds a lower estimate, the network goes on from there.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pushworld import _native
from pushworld.engine import Engine
from pushworld.learned.network import Network
from pushworld.learned.observation import Observer
from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class Guidance:
    """How the search uses the network.

    Attributes:
        distance_weight: the weight of the estimated distance next to the cost of the pushes.
        sharpness: the exponent of the policy.
        uniform: the share of a uniform policy that is mixed in.
        network_share: the share of the work for expansions that the network guides; 0 for a search
            without the network, 1 for one with nothing else.
    """

    distance_weight: float = 0.4
    sharpness: float = 1.5
    uniform: float = 0.02
    network_share: float = 0.5


def guided_search(
    puzzle: Puzzle,
    network: Network,
    control: _native.Control,
    guidance: Guidance | None = None,
    dynamics: _native.Dynamics | None = None,
) -> _native.SearchResult:
    """Returns what the search finds within the limits.

    Raises:
        _native.SearchStopped: if a limit ends the work before the search begins.
    """
    if Observer.bytes_for(puzzle) > control.max_bytes:
        raise _native.SearchStopped("memory-limit")
    frame = Observer(puzzle, control.check).frame
    return _native.solve_guided(
        dynamics or Engine(puzzle, control).native,
        control,
        network.native,
        frame,
        **asdict(guidance or Guidance()),
    )
