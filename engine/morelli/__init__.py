"""Morelli, by Richard Moxham, in its three editions."""

from engine.morelli.game import MORELLI, Morelli, MorelliPosition

__all__ = ["MORELLI", "Morelli", "MorelliPosition"]
