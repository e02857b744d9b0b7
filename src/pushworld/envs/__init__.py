"""Environments for learning: thin adapters over the engine, all with one contract."""
