"""A shortest chain of stones between two edges."""

from __future__ import annotations

from engine.morphos.board import beside, each


def shortest(stones: int, low: int, high: int) -> tuple[int, ...]:
    """Give a shortest orthogonal chain of `stones` from the edge `low` to the edge `high`, in order.

    All are sets of points; the edges themselves are not in the chain. Without a chain it is empty.
    """
    came: dict[int, int | None] = {}
    frontier: list[int] = []
    for at in each(stones):
        if beside(at) & low:
            came[at] = None
            frontier.append(at)
    for at in frontier:
        if beside(at) & high:
            return _back(came, at)
        for neighbour in each(beside(at) & stones):
            if neighbour not in came:
                came[neighbour] = at
                frontier.append(neighbour)
    return ()


def _back(came: dict[int, int | None], end: int) -> tuple[int, ...]:
    chain = []
    at: int | None = end
    while at is not None:
        chain.append(at)
        at = came[at]
    return tuple(reversed(chain))
