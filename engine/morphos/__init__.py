"""Morphos, by Luis Bolaños Mures: a connection game in which surrounded stones are flipped."""

from engine.morphos.game import MORPHOS, Morphos
from engine.morphos.position import MorphosPosition

__all__ = ["MORPHOS", "Morphos", "MorphosPosition"]
