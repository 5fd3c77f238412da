"""Processor time to read mails: replies of many mail programs, and mails made to take long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bench.table import Row, timed
from engine import GAMES
from i18n import Texts
from mail.reading.parsing import parse_mail
from mail.reading.tool import Situation, find_action
from mail.reading.values import OwnMail
from mail.reading.vocabulary import Vocabulary
from tests.mail.attacks import make_attacks
from tests.mail.reading.replies import AUTHSERV, BOB, OWN, POSITION, REPLIES, SENT

if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL = "< 50 ms"
SLOWEST = 3  # attacks that are listed


def rows(rounds: int = 9) -> Iterator[Row]:
    """Measure every reply and every attack, from bytes to the action."""
    own = OwnMail((OWN,), ("Rayuela",), tuple(SENT.splitlines()))
    situation = Situation(GAMES["morelli"].load(POSITION), own, BOB, AUTHSERV)
    vocabulary = Vocabulary.load(Texts.load(), GAMES.values())

    def measure(raw: bytes) -> list[float]:
        milliseconds: list[float] = []
        for _ in range(rounds + 1):
            with timed(milliseconds, time.process_time):
                find_action(parse_mail(raw), situation, vocabulary)
        return sorted(milliseconds[1:])

    replies = [value for reply in REPLIES for value in measure(reply.raw)]
    yield Row.from_values(f"{len(REPLIES)} replies", replies, "ms")
    attacks = {name: measure(raw) for name, raw in make_attacks().items()}
    slowest = sorted(attacks, key=lambda name: attacks[name][len(attacks[name]) // 2], reverse=True)
    for name in slowest[:SLOWEST]:
        yield Row.from_values(f"slowest of {len(attacks)} attacks: {name}", attacks[name], "ms", goal=GOAL)
