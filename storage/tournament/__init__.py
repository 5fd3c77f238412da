"""Tournaments: their rows, and what is asked of them."""
