"""Who may see matches and challenges on the website: the column `audience`, and the channels it follows.

The values are defined in `matches.audience`. "open_channels" has the channels of Discord that every member of
their server can see, and one row for each server whose channels are known, also if none is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, select, update

from storage.statements import dialect_insert, has_row
from storage.tables import CHALLENGES, MATCHES, OPEN_CHANNELS, PEOPLE, THREADS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


async def list_open_channels(connection: AsyncConnection, server: str) -> set[str]:
    """Return the channels of a server that everybody there can see."""
    statement = select(OPEN_CHANNELS.c.channel).where(OPEN_CHANNELS.c.server == server)
    return set(await connection.scalars(statement)) - {_record_mark(server)}


async def is_recorded(connection: AsyncConnection, server: str) -> bool:
    """Return whether the open channels of a server are known, also if it has none."""
    statement = select(OPEN_CHANNELS.c.channel).where(OPEN_CHANNELS.c.channel == _record_mark(server))
    return await has_row(connection, statement)


async def mark_recorded(connection: AsyncConnection, server: str) -> None:
    """Record that the open channels of a server are known."""
    await add_open_channels(connection, server, [_record_mark(server)])


async def unmark_recorded(connection: AsyncConnection, server: str) -> None:
    """Record that nobody knows the open channels of a server any more."""
    await remove_open_channels(connection, [_record_mark(server)])


async def add_open_channels(connection: AsyncConnection, server: str, channels: Collection[str]) -> None:
    """Record that everybody on a server can see these channels."""
    rows = [{"channel": channel, "server": server} for channel in sorted(channels)]
    if rows:
        insertion = dialect_insert(connection, OPEN_CHANNELS).on_conflict_do_nothing()
        await connection.execute(insertion, rows)


async def remove_open_channels(connection: AsyncConnection, channels: Collection[str]) -> None:
    """Record that not everybody can see these channels any more."""
    await connection.execute(delete(OPEN_CHANNELS).where(OPEN_CHANNELS.c.channel.in_(sorted(channels))))


async def is_open(connection: AsyncConnection, channel: str) -> bool:
    """Return whether everybody on its server can see a channel, or a thread that was opened for a match.

    The answer stays true until the end of the transaction.
    """
    parent = select(THREADS.c.parent).where(THREADS.c.place == channel).scalar_subquery()
    own = or_(OPEN_CHANNELS.c.channel == channel, OPEN_CHANNELS.c.channel == parent)
    statement = select(OPEN_CHANNELS.c.channel).where(own).with_for_update(read=True)
    return await has_row(connection, statement)


async def has_audience(connection: AsyncConnection, server: str, audience: str) -> bool:
    """Return whether any match of a server has this audience."""
    where = (MATCHES.c.server == server, MATCHES.c.audience == audience)
    return await has_row(connection, select(MATCHES.c.id).where(*where).limit(1))


async def of_challenge(connection: AsyncConnection, challenge: int) -> str:
    """Return the audience of a challenge."""
    statement = select(CHALLENGES.c.audience).where(CHALLENGES.c.id == challenge)
    audience: str = (await connection.execute(statement)).scalar_one()
    return audience


async def of_match(connection: AsyncConnection, match: int) -> str:
    """Return the audience of a match."""
    statement = select(MATCHES.c.audience).where(MATCHES.c.id == match)
    audience: str = (await connection.execute(statement)).scalar_one()
    return audience


async def replace_in_server(
    connection: AsyncConnection, server: str, old: Sequence[str], new: str, open_state: str
) -> None:
    """Replace the audiences `old` of the matches of a server, and of its challenges in `open_state`."""
    await _replace(
        connection, MATCHES.c.server == server, CHALLENGES.c.server == server, old, new, open_state
    )


async def replace_in_channels(
    connection: AsyncConnection, channels: Collection[str], old: Sequence[str], new: str, open_state: str
) -> None:
    """Replace audiences as :func:`replace_in_server` does, in channels and the threads of matches in them.

    Matches that are played in direct messages are left out.
    """
    names = sorted(channels)
    threads = select(THREADS.c.place).where(THREADS.c.parent.in_(names))
    in_match = or_(MATCHES.c.place.in_(names), MATCHES.c.place.in_(threads)) & MATCHES.c.direct_since.is_(
        None
    )
    in_challenge = or_(CHALLENGES.c.place.in_(names), CHALLENGES.c.place.in_(threads))
    await _replace(connection, in_match, in_challenge, old, new, open_state)


async def _replace(
    connection: AsyncConnection,
    in_match: ColumnElement[bool],
    in_challenge: ColumnElement[bool],
    old: Sequence[str],
    new: str,
    open_state: str,
) -> None:
    """Change challenges first: a match that begins meanwhile takes its audience from one."""
    challenge = (CHALLENGES.c.state == open_state, in_challenge, CHALLENGES.c.audience.in_(old))
    match = (in_match, MATCHES.c.audience.in_(old))
    for table, where in ((CHALLENGES, challenge), (MATCHES, match)):
        # Locked in a fixed order to avoid deadlocks.
        await connection.execute(select(table.c.id).where(*where).order_by(table.c.id).with_for_update())
        await connection.execute(update(table).where(*where).values(audience=new))


async def get_alias(connection: AsyncConnection, account: str) -> str | None:
    """Return the name of a person for public pages: empty for none, None for the own name."""
    return await connection.scalar(select(PEOPLE.c.alias).where(PEOPLE.c.account == account))


async def save_alias(connection: AsyncConnection, account: str, alias: str | None) -> None:
    """Store the name of a known person for public pages."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(alias=alias))


def _record_mark(server: str) -> str:
    """Return what stands in "open_channels" for the server itself; no channel has this id."""
    return f"all of {server}"
