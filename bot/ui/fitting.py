"""Texts for places with a limit of Discord: the first of several that fits."""

from __future__ import annotations


def fit_text(max_length: int, *candidates: str) -> str:
    """Return the first of `candidates` that has at most `max_length` characters, else the last, shortened."""
    text = next((one for one in candidates if len(one) <= max_length), candidates[-1])
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"
