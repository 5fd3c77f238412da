"""Stamps: what a button remembers of the board that it stands under.

Moves can be taken back, so the number of a board's last move does not tell which board it is: another move
may bear the same number since. A stamp does. It is that number, and a million more for each time that moves
of the match had been taken back; where none ever were, it is the number itself.
"""

from __future__ import annotations

_AGE = 1_000_000  # more moves than any match has


def write_stamp(ply: int, takebacks: int) -> int:
    """Give the stamp of a board."""
    return takebacks * _AGE + ply


def read_stamp(stamp: int) -> tuple[int, int]:
    """Give the ply of a board, and how often moves had been taken back before."""
    takebacks, ply = divmod(stamp, _AGE)
    return ply, takebacks
