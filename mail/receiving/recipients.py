"""What a mail is about, by the addresses of ours to which it was sent, and whose mail it must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mail.reply_addresses import (
    BounceToken,
    ChallengeToken,
    JoinToken,
    MatchToken,
    MistakeToken,
    Plain,
    PuzzleToken,
)
from matches import MatchUnknown, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from mail.reply_addresses import ReplyAddresses, Token
    from matches import Matches


@dataclass(frozen=True, slots=True)
class Several:
    """A mail to reply addresses of several matches or challenges: nobody knows which one is meant."""


OwnedToken = MatchToken | MistakeToken | ChallengeToken
Subject = OwnedToken | PuzzleToken | JoinToken | BounceToken | Plain | Several


def find_subject(replies: ReplyAddresses, recipients: Iterable[str]) -> Subject | None:
    """Return what the addresses say, None if none is ours.

    The plain address besides one with a token says nothing more.
    """
    found = {read for one in recipients if (read := replies.read(one)) is not None}
    tokens = [one for one in found if not isinstance(one, Plain)]
    if len(tokens) > 1:
        return Several()
    return tokens[0] if tokens else next(iter(found), None)


async def find_owner(
    matches: Matches, replies: ReplyAddresses, token: OwnedToken, *, now: datetime
) -> str | None:
    """Return the account for which a token was made; None if it was made for nobody, or not here.

    Only the players of a match, and the two of a challenge, have such tokens.
    """
    if isinstance(token, MatchToken | MistakeToken):
        accounts = await _list_players(matches, token)
    else:
        accounts = await _list_challenged(matches, token, now)
    return next((one for one in accounts if replies.is_valid(token, one)), None)


async def is_known(matches: Matches, replies: ReplyAddresses, token: Token | Plain, *, now: datetime) -> bool:
    """Return whether a mail to an address can be meant for somebody.

    That an address without an account, that of a puzzle or a bounce is the right one is known with the mail
    only.
    """
    match token:
        case MatchToken() | MistakeToken() | ChallengeToken():
            return await find_owner(matches, replies, token, now=now) is not None
        case JoinToken():
            return not token.has_expired(now)
    return True


async def _list_players(matches: Matches, token: MatchToken | MistakeToken) -> tuple[str, ...]:
    try:
        return tuple((await matches.people.seats.load(token.match)).generations)
    except MatchUnknown:
        return ()


async def _list_challenged(matches: Matches, token: ChallengeToken, now: datetime) -> tuple[str, ...]:
    try:
        challenge = await matches.challenges.find(token.challenge, now=now)
    except Refusal:
        return ()
    persons = (challenge.by, challenge.to)
    return tuple(one.account for one in persons if one is not None)
