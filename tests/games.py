"""The games that the tests use, with their texts and rule books: those of the project and the toy game."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import engine
from i18n import Texts
from rules.content import RuleBooks
from tests.toy_game import BREAKTHROUGH, RULES_FOLDER, TEXTS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game

GAMES: Mapping[str, Game] = MappingProxyType({**engine.GAMES, BREAKTHROUGH.name: BREAKTHROUGH})
TEXTS = Texts.load(TEXTS_FOLDER)
RULE_BOOKS = RuleBooks.load(RULES_FOLDER)
