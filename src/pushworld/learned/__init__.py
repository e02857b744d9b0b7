"""The learned planner: best-first search guided by a small network and heuristics; it needs no JAX."""

from pushworld.learned.agents import load_network
from pushworld.learned.network import Network
from pushworld.learned.observation import Observer
from pushworld.learned.planner import LearnedPlanner
from pushworld.learned.search import Guidance, guided_search

__all__ = [
    "Guidance",
    "LearnedPlanner",
    "Network",
    "Observer",
    "guided_search",
    "load_network",
]
