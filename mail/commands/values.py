"""What a mail asks for, and the answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mail.reading.values import Words
    from matches import ChallengeId, MatchId, Person, PuzzleStep


@dataclass(frozen=True, slots=True)
class MailRequest:
    """What a person has asked for by mail from their confirmed `address`.

    `match` and `revision` are those of the reply address, `challenge` that of a challenge; all None for the
    plain address of the server. `match` can also be one that the words name by its number; then there is no
    `revision`, as for a typed command. `mistake` is the turn that a task is about to which the mail answers.
    `puzzle` is where the person is in the puzzle to whose mail it answers. `subject` is that of the mail.
    """

    person: Person
    address: str
    words: Words
    match: MatchId | None = None
    revision: int | None = None
    challenge: ChallengeId | None = None
    subject: str = ""
    mistake: int | None = None
    puzzle: PuzzleStep | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What to write back: a title, and lines in the reader's words.

    With `match` the mail shows its board, at `revision` if there is one, and answers to it are about the
    match, or about the `mistake` of this turn; with `challenge` they are about that, and with `puzzle` about
    its next turn, whose board is shown.
    """

    title: str
    lines: tuple[str, ...] = ()
    match: MatchId | None = None
    revision: int | None = None
    challenge: ChallengeId | None = None
    mistake: int | None = None
    puzzle: PuzzleStep | None = None
