"""Puzzles on the website."""
