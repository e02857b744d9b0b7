"""A planner that has learnt: best-first search guided by a small network, in NumPy alone."""

from pushworld.planners.learned.network import Network, shipped_network
from pushworld.planners.learned.observation import Observer
from pushworld.planners.learned.planner import LearnedPlanner
from pushworld.planners.learned.search import Guidance, GuidedSearch

__all__ = [
    "Guidance",
    "GuidedSearch",
    "LearnedPlanner",
    "Network",
    "Observer",
    "shipped_network",
]
