"""Moves that are compared and hashed by their text."""

from __future__ import annotations

from engine.game import Move


class TextMove(Move):
    """A move that stores its canonical text; moves of the same class with the same text are equal."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(other) == self.text

    def __hash__(self) -> int:
        return hash(self.text)
