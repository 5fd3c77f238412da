"""Morphos, by Luis Bolaños Mures: a connection game in which surrounded stones are flipped."""

from engine.morphos.game import MORPHOS, MORPHOS_VERSIONS, Morphos, MorphosPosition

__all__ = ["MORPHOS", "MORPHOS_VERSIONS", "Morphos", "MorphosPosition"]
