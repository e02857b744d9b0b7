"""The learned planner: best-first search guided by a small network; it needs NumPy only."""

from pushworld.learned.network import Network, shipped_network
from pushworld.learned.observation import Observer
from pushworld.learned.planner import LearnedPlanner
from pushworld.learned.search import Guidance, GuidedSearch

__all__ = [
    "Guidance",
    "GuidedSearch",
    "LearnedPlanner",
    "Network",
    "Observer",
    "shipped_network",
]
