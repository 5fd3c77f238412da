"""Puzzles: chosen, solved and rated; their first set, those from matches, and that of a day."""
