"""The keys of the facts about turns of Morphos, the most important first.

The comment above each says what the `cells` and the `count` of the fact are (see :class:`engine.game.Fact`).
Keys that begin with ``allows`` are drawbacks.
"""

from __future__ import annotations

from enum import StrEnum


class MorphosFact(StrEnum):
    """What can be true of a turn of Morphos."""

    # the game is won; cells: none
    CONNECTS = "connects"
    # no reply keeps the player from connecting next; cells: where now
    FORCES_CONNECTION = "forces_connection"
    # cells: where the opponent could have connected next, and now cannot
    PREVENTS_CONNECTION = "prevents_connection"
    # the player could connect next, and could not before; cells: where
    THREATENS_CONNECTION = "threatens_connection"
    # count: the points that the opponent still needs to connect; before: fewer; cells: none
    LENGTHENS_CONNECTION = "lengthens_connection"
    # count: the points that the player still needs to connect, few or two fewer; before: more; cells: none
    SHORTENS_CONNECTION = "shortens_connection"
    # cells: stones of the opponent that the player could flip next, and could not before
    THREATENS_FLIPS = "threatens_flips"
    # cells: own stones that the opponent could have flipped next, and now cannot
    PROTECTS_STONES = "protects_stones"
    # cells: the stones placed on points that are on a shortest way of both sides
    TAKES_SHARED_POINTS = "takes_shared_points"
    # cells: where the opponent can connect next
    ALLOWS_CONNECTION = "allows_connection"
    # the opponent has a turn after which no reply keeps it from connecting; cells: where
    ALLOWS_FORCED_CONNECTION = "allows_forced_connection"
    # cells: own stones that the opponent can flip next, and could not before
    ALLOWS_FLIPS = "allows_flips"
