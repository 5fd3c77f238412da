"""The rules of the games: pages of text, each with a picture of a position."""
