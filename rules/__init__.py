"""The rules of the games for every front end: pages of text, each with a picture of a position."""
