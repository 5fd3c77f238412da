"""What people read: the catalogue of every text, and a game's events as sentences, for any front end."""

from words.catalogue import Words

__all__ = ["Words"]
