"""Puzzles: their rows, what one can choose from, attempts, ratings and reports."""
