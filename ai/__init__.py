"""The computer opponent: it chooses moves in every game. See :mod:`ai.search`."""
