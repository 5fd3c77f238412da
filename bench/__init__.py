"""Figures: what is fast, how fast, and beside whom."""
