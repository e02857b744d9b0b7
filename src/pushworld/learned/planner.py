"""The learned planner behind the protocol of all planners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from pushworld import _native
from pushworld.learned.agents import DEFAULT_AGENT, load_network
from pushworld.learned.search import guided_search
from pushworld.planners.native import NativePlanner
from pushworld.planners.protocol import Availability, ProgressCallback, SolveResult
from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class LearnedPlanner:
    """Best-first search over pushes with the network of an agent and heuristics; no JAX is needed.

    Attributes:
        agent: the agent whose network guides the search, by name, or a file of weights.
    """

    name: str = "learned"
    description: str = "best-first search over pushes, guided by a small network and by heuristics"
    complete: bool = True
    optimal: bool = False
    agent: str = DEFAULT_AGENT

    def with_agent(self, agent: str) -> LearnedPlanner:
        """Returns the planner with the network of another agent, or raises PushWorldError."""
        load_network(agent)
        return replace(self, name=f"{self.name}:{agent}", agent=agent)

    def availability(self) -> Availability:
        """Returns the version of the package."""
        return Availability.of_this_package()

    def solve(
        self,
        puzzle: Puzzle,
        *,
        time_limit: float,
        memory_limit_gb: float,
        threads: int,
        seed: int,
        progress: ProgressCallback | None,
        max_states: int | None = None,
    ) -> SolveResult:
        """Returns the result of the search, which is deterministic whatever the seed."""
        planner = NativePlanner(
            self.name,
            self.description,
            self.complete,
            self.optimal,
            partial(_search, puzzle, self.agent),
        )
        return planner.solve(
            puzzle,
            time_limit=time_limit,
            memory_limit_gb=memory_limit_gb,
            threads=threads,
            seed=seed,
            progress=progress,
            max_states=max_states,
        )


def _search(
    puzzle: Puzzle,
    agent: str,
    dynamics: _native.Dynamics,
    control: _native.Control,
    *,
    seed: int,
    threads: int,
) -> _native.SearchResult:
    """Returns what the guided search finds within the limits."""
    return guided_search(puzzle, load_network(agent), control, dynamics=dynamics)
