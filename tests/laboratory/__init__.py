"""The fault laboratory: one module for each kind of fault, run by ``python -m tests.laboratory``."""
