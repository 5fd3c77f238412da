"""Morabaraba: twelve men's morris with diagonals."""

from engine.morabaraba.game import MORABARABA, Morabaraba, MorabarabaPosition

__all__ = ["MORABARABA", "Morabaraba", "MorabarabaPosition"]
