"""The taskset ``pushworld-v1`` of ``verifiers``, which finds tasksets by the names of packages."""

from pushworld.text.adapters.verifiers import PushWorldEnv, PushWorldTaskset

__all__ = ["PushWorldEnv", "PushWorldTaskset"]
