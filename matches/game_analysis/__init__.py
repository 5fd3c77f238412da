"""Analyses of finished games: request, work, store, read. The thinking is in :mod:`ai.game_analysis`."""
