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

PROOF_BYTES = 4_000_000
"""The memory of the search for a proof of unsolvability: some tens of milliseconds' worth."""

PROOF_SECONDS = 1.0


@dataclass(frozen=True)
class LearnedPlanner:
    """Best-first search over pushes with the network of an agent; no JAX is needed.

    Attributes:
        agent: the agent whose network guides the search, by name, or a file of weights.
    """

    name: str = "learned"
    description: str = "best-first search over pushes, guided by a small network"
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
    """Returns what the guided search finds, or a proof that there is no plan.

    The network finds ways to goals, but needs long to prove that there are none. Breadth-first search
    proves it for small puzzles. A plan that it finds is not used: the planner solves puzzles only with
    what it has learned.
    """
    proof = _native.Control(PROOF_SECONDS, PROOF_BYTES)
    control.check()
    found = _native.solve_breadth_first(dynamics, proof, seed=0, threads=1)
    control.check()
    if found.status == "unsolvable":
        return found
    return guided_search(puzzle, load_network(agent), control, dynamics=dynamics)
