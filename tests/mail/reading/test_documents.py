"""What the documents for players say that mails understand, in English and in Japanese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from i18n.readers import reading_in
from mail.commands.challenge_line import read_challenge
from mail.reading.values import Command, CommandName
from tests.games import GAMES, READER_TEXTS
from tests.mail.reading.scenario import read

GUIDE = (Path(__file__).parents[3] / "docs" / "ja" / "play-by-mail.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"`([^`\n]+)`\uff08`([^`\n]+)`\uff09", GUIDE.partition("```\nchallenge ")[0])
CHALLENGES = re.findall(r"(申し込み ben morelli .*?)`|^(challenge ben morelli .*)$", GUIDE, re.MULTILINE)


def test_japanese_commands_mean_what_the_english_ones_beside_them_mean() -> None:
    understood = set()
    for japanese, english in COMMANDS:
        known = read(english)
        found = read(japanese)
        if isinstance(known, Command):
            assert isinstance(found, Command)
            assert (found.name, found.is_sure) == (known.name, known.is_sure)
            understood.add(known.name)
    assert len(understood) >= len(CommandName) - 7  # some stand in pairs, such as stop and start


@pytest.mark.plain("what is typed is compared with the texts of options")
@pytest.mark.parametrize(("language", "number"), [("ja", 0), ("en", 1)])
def test_challenges_have_the_same_terms(language: str, number: int) -> None:
    (typed,) = [found[number] for found in CHALLENGES if found[number]]
    order = read(typed)
    assert isinstance(order, Command)
    with reading_in(language):
        wish = read_challenge(READER_TEXTS, GAMES, order.argument, None)
    assert (wish.to, wish.game.name, wish.options) == ("ben", "morelli", {"size": 9, "setup": "fists"})
    assert (str(wish.terms.time_control), wish.terms.rated, wish.colour) == ("3d per move", False, "black")
    assert wish.note
