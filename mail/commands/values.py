"""What a mail asks for, and the answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mail.reading.values import Words
    from matches import ChallengeId, MatchId, Person


@dataclass(frozen=True, slots=True)
class MailRequest:
    """What a person has asked for by mail from their confirmed `address`.

    `match` and `revision` are those of the reply address, `challenge` that of a challenge; all None for the
    plain address of the server. `match` can also be one that the words name by its number; then there is no
    `revision`, as for a typed command. `subject` is that of the mail.
    """

    person: Person
    address: str
    words: Words
    match: MatchId | None = None
    revision: int | None = None
    challenge: ChallengeId | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What to write back: a title, and lines in the reader's words.

    With `match` the mail shows its board, at `revision` if there is one, and answers to it are about the
    match; with `challenge` they are about that.
    """

    title: str
    lines: tuple[str, ...] = ()
    match: MatchId | None = None
    revision: int | None = None
    challenge: ChallengeId | None = None
