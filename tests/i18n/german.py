"""A few refusals of the games in German, as a language that is not complete."""

from __future__ import annotations

from types import MappingProxyType

from i18n import Texts
from tests.games import TEXTS

GERMAN = Texts(
    MappingProxyType(
        {
            **TEXTS.templates,
            "engine.morelli.empty_start": "Auf {start} steht kein Stein.",
            "vocabulary.morelli.throne.engine.morelli.empty_start": "Auf {start} steht keine Figur.",
            "engine.morelli.not_yours": "Der Stein auf {start} gehört {owner}.",
            "engine.morphos.not_a_turn": "<code>{text}</code> ist kein Zug.",
            "engine.morphos.no_cell": "„{text}“: Das Brett reicht nur bis {last}.",
            "engine.morabaraba.which_man": "Welcher Stein ({men}) wird geschlagen?",
            "engine.side.white": "Weiß",
        }
    )
)
