"""Challenges by mail: a challenge by link, and a letter that invites whoever reads an address to it.

Nothing tells the challenger whether the address belongs to an account, has stopped mails, refuses
invitations, or was invited lately: the challenge is made and counted in any case, and only then the letter is
not sent.
"""

from __future__ import annotations

import json
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from matches.challenge_drafts import ChallengeDraft
from matches.errors import Refusal
from matches.options import MatchSetup
from matches.people.accounts import register_in
from matches.platforms import MAIL, WEBSITE
from matches.posting.letters import KEPT, LetterKind
from matches.terms import DEFAULT_TERMS
from matches.times import to_millis
from matches.values import ChallengeId
from storage.people import blocks, invitations
from storage.posting import letters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game, OptionValue, Side
    from matches.audience import Audience
    from matches.challenges import Challenges
    from matches.terms import Terms
    from matches.updates import ChallengeUpdate, MatchUpdate
    from matches.values import Person
    from storage import Connection, Database

MAX_INVITATIONS = 5  # of one account in a day
PAUSE = KEPT  # between two invitations to one address
LETTER_LIFETIME = timedelta(days=2)
_KIND = LetterKind.INVITATION
_DAY = timedelta(days=1)


class Invitations:
    """The invitations of a database."""

    def __init__(self, database: Database, challenges: Challenges, games: Mapping[str, Game]) -> None:
        self._database = database
        self._challenges = challenges
        self._games = games

    async def create(
        self,
        by: Person,
        address: str,
        *,
        game: str,
        options: Mapping[str, OptionValue] | None = None,
        terms: Terms = DEFAULT_TERMS,
        colour: Side | None = None,
        audience: Audience | None = None,
        note: str = "",
        now: datetime,
    ) -> ChallengeUpdate:
        """Make a challenge by link on the website, and write to `address`, a mail address in one form.

        The letter has nothing that `by` has typed. Raises as :meth:`matches.challenges.Challenges.create`,
        and `too_many_invitations`.
        """
        draft = ChallengeDraft(
            by=by,
            to=None,
            server=WEBSITE,
            channel=WEBSITE,
            setup=MatchSetup.for_game(self._games, game, options or {}),
            terms=terms,
            colour=colour,
            audience=audience,
            note=note,
            by_link=True,
        )
        async with self._database.transaction() as connection:
            # The challenger's row is locked by this, so that counting afterwards is safe.
            update = await self._challenges.create_in(connection, draft, now)
            since = to_millis(now - _DAY)
            if await invitations.count_by(connection, by.account, _KIND, since) >= MAX_INVITATIONS:
                raise Refusal("too_many_invitations", limit=MAX_INVITATIONS)
            await _write(connection, by, address, update.challenge.id, now)
        return update

    async def accept(
        self, challenge: ChallengeId, address: str, name: str, *, now: datetime
    ) -> tuple[Person, MatchUpdate]:
        """Accept the challenge of an invitation as somebody who has confirmed its address and chosen a name.

        The account is made with the match, or neither. Raises as
        :meth:`matches.people.accounts.Accounts.register` and
        :meth:`matches.challenges.Challenges.accept`.
        """
        async with self._database.transaction() as connection:
            person = await register_in(connection, address, name, now=now)
            update = await self._challenges.accept_by(connection, challenge, person, has_link=True, now=now)
        return person, update

    async def find_latest(self, address: str, *, now: datetime) -> ChallengeId | None:
        """Return the challenge to which an address was invited last; None if that was long ago, or never."""
        since = to_millis(now - PAUSE)
        async with self._database.read() as connection:
            details = await letters.find_latest(connection, address, _KIND.value, since)
        return None if details is None else ChallengeId(int(json.loads(details)["challenge"]))

    async def refuse(self, digest: str, *, now: datetime) -> None:
        """Invite the address with this :func:`address_digest` never again, whoever asks for it."""
        async with self._database.transaction() as connection:
            await invitations.refuse(connection, digest, to_millis(now))


def address_digest(address: str) -> str:
    """Return what is kept of an address that was invited: not the address itself."""
    return sha256(address.encode()).hexdigest()


async def _write(connection: Connection, by: Person, address: str, challenge: int, now: datetime) -> None:
    """Write the letter; one that must not be sent has no address and counts as sent: it still counts."""
    account, is_stopped = await invitations.find_reader(connection, MAIL, address)
    is_apart = account is not None and (
        account == by.account or await blocks.find_blockers_between(connection, by.account, account)
    )
    millis = to_millis(now)
    is_silent = (
        is_stopped
        or bool(is_apart)
        or not await invitations.claim_address(
            connection, address_digest(address), millis, to_millis(now - PAUSE)
        )
    )
    await letters.add(
        connection,
        kind=_KIND.value,
        address="" if is_silent else address,
        account=None if is_silent else account,
        details=json.dumps({"challenge": challenge}),
        made_at=millis,
        due_at=millis,
        expires_at=to_millis(now + LETTER_LIFETIME),
        sent_at=millis if is_silent else None,
    )
