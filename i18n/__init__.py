"""What people read: the catalogue of every text, and a game's events as sentences, for any front end."""

from i18n.catalogue import Texts

__all__ = ["Texts"]
