"""The fault laboratory: one module for each kind of fault, run by ``benchmarks/faults.py``."""
