"""The games that the tests use, with their texts and rule books: those of the project and the toy games."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import engine
from i18n import Texts
from i18n.readers import ReaderTexts
from rules.content import RuleBooks
from tests.marks import IS_MARKED
from tests.toy_games import RULES_FOLDER, TEXTS_FOLDER, TOY_GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game

GAMES: Mapping[str, Game] = MappingProxyType({**engine.GAMES, **{game.name: game for game in TOY_GAMES}})
TEXTS = Texts.load(TEXTS_FOLDER)
READER_TEXTS = ReaderTexts.of_folders(TEXTS_FOLDER)  # in the language of each reader
RULE_BOOKS = RuleBooks.load(RULES_FOLDER)
if IS_MARKED:
    from tests import marked_texts

    READER_TEXTS, RULE_BOOKS = marked_texts.load(TEXTS_FOLDER), marked_texts.load_rule_books(RULES_FOLDER)
    marked_texts.replace_lessons()
