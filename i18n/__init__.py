"""The message catalogues, and what happens in a game as sentences, for every front end."""

from i18n.catalogue import Texts

__all__ = ["Texts"]
