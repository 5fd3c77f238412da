"""The audience of matches follows their place, the settings of their server, and the choices of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.audience import ANONYMOUS_NAME, SERVER_AUDIENCES, Audience
from matches.computer.accounts import NAME as COMPUTER_NAME
from matches.errors import AliasRefused
from matches.names import clean_name, fold_name, spellings_of
from matches.people.handles import find_in
from matches.personal_data.stand_ins import DELETED_NAME
from matches.platforms import WEBSITE
from matches.servers.settings import load_settings
from matches.times import to_millis
from matches.values import ChallengeState
from storage.people import people
from storage.posting import audiences

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from matches.values import Person
    from storage import Connection, Database

_OPEN = ChallengeState.OPEN
STAND_INS = (DELETED_NAME, ANONYMOUS_NAME)


class Visibility:
    """The channels that everybody on their server can see, and the aliases of persons.

    Channels are opaque ids here. One that was not recorded as open counts as closed, and so does a thread
    that was not opened for a match: nobody can say later who may see it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_channels(self, server: str, open_channels: Collection[str]) -> bool:
        """Record all channels that everybody on a server can see; return whether anything has changed.

        The audience of the matches there follows. A match that began in a channel not everybody can see is
        never shown to others, also if the channel is opened later.
        """
        async with self._database.read() as connection:
            is_known = await _has_known_places(connection, server)
            known = await audiences.list_open_channels(connection, server)
        if is_known and set(open_channels) == known:
            return False
        async with self._database.transaction() as connection:
            # Locked before the channels and the matches, as by every other change.
            chosen = (await load_settings(connection, server, lock=True)).audience
            is_known = await _has_known_places(connection, server)
            before = await audiences.list_open_channels(connection, server)
            closed, opened = before - set(open_channels), set(open_channels) - before
            await _close(connection, closed)
            await audiences.add_open_channels(connection, server, opened)
            await audiences.mark_recorded(connection, server)
            if opened or not is_known:
                seen = opened if is_known else set(open_channels)
                await audiences.replace_in_channels(
                    connection, seen, (Audience.UNKNOWN, Audience.CLOSED), chosen, _OPEN
                )
                await audiences.replace_in_server(
                    connection, server, (Audience.UNKNOWN,), Audience.PLAYERS, _OPEN
                )
        return True

    async def forget_channels(self, server: str) -> None:
        """Close all channels of a server until they are recorded again, since nobody says who sees them."""
        async with self._database.transaction() as connection:
            await load_settings(connection, server, lock=True)
            await _close(connection, await audiences.list_open_channels(connection, server))
            await audiences.unmark_recorded(connection, server)

    async def get_alias(self, account: str) -> str | None:
        """Return the name of a person for public pages: empty for none, None for the own name."""
        async with self._database.read() as connection:
            return await audiences.get_alias(connection, account)

    async def set_alias(self, person: Person, alias: str | None, *, now: datetime) -> str | None:
        """Store and return the name of a person for public pages: empty for none, None for the own name.

        It is cleaned like every name. Raises AliasRefused if nothing visible is left of it, or if it looks
        like the name of somebody else.
        """
        cleaned = clean_name(alias) if alias else alias
        if alias and not cleaned:
            raise AliasRefused("alias_empty")
        if cleaned:
            async with self._database.read() as connection:
                await _check_free(connection, person, cleaned)
        async with self._database.transaction() as connection:
            await people.ensure(connection, person.account, person.name, to_millis(now))
            await audiences.save_alias(connection, person.account, cleaned)
        return cleaned


async def _check_free(connection: Connection, person: Person, alias: str) -> None:
    """Raise AliasRefused for a name like the computer's, a stand-in's or another person's.

    Names of the opponents of `person` are compared as they look, those of everybody else as they are spelt.
    """
    folded = fold_name(alias)
    if folded.startswith(fold_name(COMPUTER_NAME)) or folded in map(fold_name, STAND_INS):
        raise AliasRefused("alias_taken")
    if await find_in(connection, folded) not in {None, person.account}:
        raise AliasRefused("alias_taken")
    if folded == fold_name(person.name):
        return
    if await people.has_name(connection, spellings_of(alias), person.account):
        raise AliasRefused("alias_taken")
    if folded in map(fold_name, await people.list_names_of_opponents(connection, person.account)):
        raise AliasRefused("alias_taken")


async def decide_audience(connection: Connection, server: str, channel: str) -> Audience:
    """Return the audience of what begins in a channel now, or in none.

    The answer stays true until the end of the transaction, which must not have locked a match before.
    """
    if server == WEBSITE:
        return Audience.NAMES
    chosen = (await load_settings(connection, server, lock=True)).audience
    if not channel:
        return Audience.PLAYERS
    if await audiences.is_open(connection, channel):
        return chosen
    return Audience.PLAYERS if await audiences.is_recorded(connection, server) else Audience.UNKNOWN


async def inherit_audience(connection: Connection, challenge: int) -> Audience:
    """Return the audience of the match of a challenge, which begins where the challenge was made."""
    audience = Audience(await audiences.of_challenge(connection, challenge))
    return Audience.PLAYERS if audience is Audience.CLOSED else audience


def follow_move(audience: Audience, place: Audience) -> Audience:
    """Return the audience of a match that is moved; `place` is that of what begins in its new place."""
    if audience is Audience.PLAYERS:
        return audience
    return place if place in SERVER_AUDIENCES else Audience.CLOSED


def follow_loss(audience: Audience) -> Audience:
    """Return the audience of a match that goes on in direct messages."""
    return Audience.CLOSED if audience in SERVER_AUDIENCES else audience


async def _has_known_places(connection: Connection, server: str) -> bool:
    """Return whether the channels of a server are recorded, and the audience of all its matches is known."""
    return await audiences.is_recorded(connection, server) and not await audiences.has_audience(
        connection, server, Audience.UNKNOWN
    )


async def _close(connection: Connection, channels: Collection[str]) -> None:
    """Record that not everybody can see these channels any more, and hide their matches."""
    if channels:
        await audiences.remove_open_channels(connection, channels)
        await audiences.replace_in_channels(connection, channels, SERVER_AUDIENCES, Audience.CLOSED, _OPEN)
