"""Morabaraba: twelve men's morris with diagonals."""

from engine.morabaraba.game import MORABARABA, Morabaraba
from engine.morabaraba.position import MorabarabaPosition

__all__ = ["MORABARABA", "Morabaraba", "MorabarabaPosition"]
