"""Morelli, by Richard Moxham, in its three editions."""

from engine.morelli.game import MORELLI, Morelli
from engine.morelli.position import MorelliPosition

__all__ = ["MORELLI", "Morelli", "MorelliPosition"]
