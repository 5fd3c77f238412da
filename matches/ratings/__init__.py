"""Ratings of players for each game, updated match by match; results can be corrected later."""
