"""Adapters: PushWorld inside verifiers, reasoning-gym, OpenEnv, MCP and Hugging Face datasets.

Each module imports one optional package, and is imported by nothing but its users.
"""
