"""Recorded games as data: games, moves, what a planner says about them, export and report."""

from pushworld.traces.games import Change, Game, read_games
from pushworld.traces.recording import Recording

__all__ = ["Change", "Game", "Recording", "read_games"]
