"""Ratings: how strong people are at each game, match by match, and how to take a result back."""
