"""A turn built answer by answer, for any front end: what is asked, what it would do, and how that looks.

Nothing is played here: at the end stand moves, which whoever asked hands on to be played.
"""

from picking.asking import Asking
from picking.sketch import sketch
from picking.steps import ALL, NONE, Stand, backward, compact, follow, foreseen, is_cell, onward, so_far
from picking.typed import parted, typed

__all__ = [
    "ALL",
    "NONE",
    "Asking",
    "Stand",
    "backward",
    "compact",
    "follow",
    "foreseen",
    "is_cell",
    "onward",
    "parted",
    "sketch",
    "so_far",
    "typed",
]
