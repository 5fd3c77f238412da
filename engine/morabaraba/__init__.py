"""Morabaraba: twelve men's morris with diagonals."""

from engine.morabaraba.game import MORABARABA, MORABARABA_VERSIONS, Morabaraba, MorabarabaPosition

__all__ = ["MORABARABA", "MORABARABA_VERSIONS", "Morabaraba", "MorabarabaPosition"]
