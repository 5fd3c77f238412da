"""What is drawn, from a whole number that is published at the start, so that everybody can check it.

The number of a thing in a draw is SHA-256 of the texts of the published number and of the thing's own
numbers, joined by colons, such as ``4711:12``. The lowest comes first.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matches.tournaments.results import EntrantId


def draw_number(published: int, *numbers: int) -> int:
    """Return the number that a thing gets in a draw."""
    text = ":".join(map(str, (published, *numbers)))
    return int.from_bytes(sha256(text.encode("ascii")).digest())


def draw_seeds(entrants: Iterable[EntrantId], published: int) -> dict[EntrantId, int]:
    """Return the seed of each entrant, drawn: 1 is the highest."""
    order = sorted(entrants, key=lambda one: draw_number(published, one))
    return {entrant: seed for seed, entrant in enumerate(order, 1)}


def seed_by_rating(ratings: Mapping[EntrantId, float], published: int) -> dict[EntrantId, int]:
    """Return the seed of each entrant by rating, the highest first; among equals it is drawn."""
    order = sorted(ratings, key=lambda one: (-ratings[one], draw_number(published, one)))
    return {entrant: seed for seed, entrant in enumerate(order, 1)}
