"""What the tests of reading share: the words of all games, who we are, and what a text means."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from engine.game import OptionError
from mail.reading.parsing import parse_mail
from mail.reading.tool import Situation
from mail.reading.typed import find_typed
from mail.reading.values import IncomingMail, OwnMail
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words
from tests.games import GAMES, TEXTS
from tests.mail.reading.replies import AUTHSERV, BOB, OWN, POSITION, SENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Position
    from mail.reading.values import Words

VOCABULARY = Vocabulary.load(TEXTS, GAMES.values())
MORELLI = GAMES["morelli"].load(POSITION)
OWN_MAIL = OwnMail((OWN, "play@games.example"), ("Rayuela",), tuple(SENT.splitlines()))
STRANGE_MAIL = replace(OWN_MAIL, sent_lines=())
SITUATION = Situation(MORELLI, OWN_MAIL, BOB, AUTHSERV)


def read(text: str, position: Position | None = MORELLI, own: OwnMail = OWN_MAIL) -> Words:
    """Return what a text means that was typed into a reply."""
    return read_words(find_typed(IncomingMail(text=text), own), position, VOCABULARY)


def parse(*headers: str, body: str = "B1-B10\n") -> IncomingMail:
    """Return a mail of some headers."""
    return parse_mail("\n".join([*headers, "", body]).encode())


def starts(values: int = 4) -> Iterator[tuple[str, Position]]:
    """Yield some first positions of every game, and the next one if a turn is several moves there."""
    for name, game in GAMES.items():
        yield name, game.initial_position()
        for option in game.options:
            for value in islice(game.option_values(option), values):
                try:
                    position = game.initial_position(**{option.name: value})
                except OptionError:  # the value is decided by the players, or needs another option
                    continue
                yield f"{name} {option.name} {value}", position
                next_position = position.play(next(position.moves_with_prefix("")))
                if next_position.moves_due > 1:
                    yield f"{name} {option.name} {value}, second turn", next_position
