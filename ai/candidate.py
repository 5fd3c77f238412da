"""What a search says about one turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """One turn that a search has looked at.

    Attributes:
        text: The canonical text of the turn.
        visits: How many simulations began with it.
        value: The expected result for the player to move, from 0 (lost) to 1 (won).
        prior: How likely it seemed before the search; all add up to 1.
        proven: The result that is certain (0, 0.5 or 1), or None.

    """

    text: str
    visits: int
    value: float
    prior: float
    proven: float | None
