"""The rules of the games in our own words: pages of text, each with a picture of a position."""
