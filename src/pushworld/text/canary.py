"""The canary string of published texts."""

CANARY = (
    "PushWorld benchmark data must never appear in training corpora. "
    "pushworld:canary:7a21bcf0-9384-46d6-adc4-0d961dddd59f"
)
"""A model that can complete this string has been trained on published evaluation data."""
