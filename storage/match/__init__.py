"""Queries about challenges, matches and what belongs to them."""
