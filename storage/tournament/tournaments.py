"""Tournaments, their entrants, stages and log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, or_, select, union, update

from storage.statements import (
    columns_for,
    count_where,
    fetch_dict,
    fetch_row,
    fetch_rows,
    has_row,
    insert_if_new,
    insert_row,
)
from storage.tables import (
    BLOCKS,
    EXCLUSIONS,
    PEOPLE,
    SERVERS,
    TOURNAMENT_ENTRANTS,
    TOURNAMENT_GAMES,
    TOURNAMENT_LOG,
    TOURNAMENT_STAGES,
    TOURNAMENT_WINS,
    TOURNAMENTS,
    VACATIONS,
)
from storage.tournament.rows import EntrantRow, LogRow, StageRow, SummaryRow, TournamentRow, WinRow

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a tournament and return its id."""
    return await insert_row(connection, TOURNAMENTS, **values)


async def get(connection: AsyncConnection, tournament: int) -> TournamentRow | None:
    """Return a tournament, or None."""
    names = {"by_name": PEOPLE.c.name, "by_alias": PEOPLE.c.alias}
    statement = select(*columns_for(TournamentRow, {**TOURNAMENTS.c, **names}))
    joined = statement.join(PEOPLE, PEOPLE.c.account == TOURNAMENTS.c.by)
    return await fetch_row(connection, TournamentRow, joined.where(TOURNAMENTS.c.id == tournament))


async def find_place(connection: AsyncConnection, tournament: int) -> str | None:
    """Return the place of a tournament, or None without the tournament."""
    statement = select(TOURNAMENTS.c.place).where(TOURNAMENTS.c.id == tournament)
    return (await connection.execute(statement)).scalar_one_or_none()


async def leave_places(connection: AsyncConnection, server: str, places: Collection[str], place: str) -> None:
    """Have the tournaments of a server in these places be in another one, or without one."""
    lost = (TOURNAMENTS.c.server == server, TOURNAMENTS.c.place.in_(sorted(places)))
    await connection.execute(update(TOURNAMENTS).where(*lost).values(place=place))


async def lock(connection: AsyncConnection, tournament: int) -> bool:
    """Lock a tournament until the commit; return whether there is one.

    Whoever holds this lock locks no match any more, so that nobody waits for each other.
    """
    statement = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.id == tournament)
    return (await connection.execute(statement.with_for_update(key_share=True))).first() is not None


async def change(connection: AsyncConnection, tournament: int, **values: ColumnValue) -> None:
    """Write columns of a tournament."""
    await connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(values))


async def list_due(connection: AsyncConnection, now: int, limit: int) -> list[int]:
    """Return the tournaments with something to do, those that wait longest first."""
    times = select(TOURNAMENTS.c.id, TOURNAMENTS.c.work_at).where(TOURNAMENTS.c.work_at <= now)
    games = TOURNAMENT_GAMES.c
    news = select(games.tournament, games.news_at).where(games.news_at <= now)
    due = times.union_all(news).subquery("due")
    statement = select(due.c.id).group_by(due.c.id).order_by(func.min(due.c.work_at), due.c.id)
    return list(await connection.scalars(statement.limit(limit)))


async def move_work(connection: AsyncConnection, tournament: int, since: int, until: int) -> None:
    """Let a tournament have nothing to do until a time, unless what was due `since` a time has changed."""
    where = (TOURNAMENTS.c.id == tournament, TOURNAMENTS.c.work_at == since)
    await connection.execute(update(TOURNAMENTS).where(*where).values(work_at=until))


async def count_of(connection: AsyncConnection, account: str, states: Sequence[str]) -> int:
    """Return how many tournaments in these states somebody organises."""
    return await count_where(
        connection, TOURNAMENTS, TOURNAMENTS.c.by == account, TOURNAMENTS.c.state.in_(states)
    )


# Entrants.


async def add_entrant(connection: AsyncConnection, **values: Any) -> int:
    """Insert an entrant and return the id."""
    return await insert_row(connection, TOURNAMENT_ENTRANTS, **values)


async def change_entrant(connection: AsyncConnection, entrant: int, **values: Any) -> None:
    """Write columns of an entrant."""
    await connection.execute(
        update(TOURNAMENT_ENTRANTS).where(TOURNAMENT_ENTRANTS.c.id == entrant).values(values)
    )


async def delete_entrant(connection: AsyncConnection, entrant: int) -> None:
    """Delete an entrant who has no games."""
    await connection.execute(delete(TOURNAMENT_ENTRANTS).where(TOURNAMENT_ENTRANTS.c.id == entrant))


async def list_entrants(connection: AsyncConnection, tournament: int) -> list[EntrantRow]:
    """Return everybody who has joined, in that order."""
    people = {name: PEOPLE.c[name] for name in ("name", "alias", "closed_at")}
    statement = (
        select(*columns_for(EntrantRow, {**TOURNAMENT_ENTRANTS.c, **people}))
        .join(PEOPLE, PEOPLE.c.account == TOURNAMENT_ENTRANTS.c.account)
        .where(TOURNAMENT_ENTRANTS.c.tournament == tournament)
        .order_by(TOURNAMENT_ENTRANTS.c.id)
    )
    return await fetch_rows(connection, EntrantRow, statement)


async def list_accounts(connection: AsyncConnection, entrants: Collection[int]) -> dict[int, str]:
    """Return the accounts of these entrants."""
    table = TOURNAMENT_ENTRANTS.c
    statement = select(table.id, table.account).where(table.id.in_(sorted(entrants)))
    return await fetch_dict(connection, statement)


async def count_joined(connection: AsyncConnection, account: str, states: Sequence[str]) -> int:
    """Return in how many tournaments in these states somebody plays."""
    entrants = TOURNAMENT_ENTRANTS.c
    statement = (
        select(func.count())
        .select_from(TOURNAMENT_ENTRANTS)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == entrants.tournament)
        .where(entrants.account == account, entrants.withdrawn.is_(None), TOURNAMENTS.c.state.in_(states))
    )
    return (await connection.execute(statement)).scalar_one()


async def list_excluded(connection: AsyncConnection, server: str, accounts: Collection[str]) -> set[str]:
    """Return which of these accounts are excluded from a server."""
    statement = select(EXCLUSIONS.c.person).where(
        EXCLUSIONS.c.server == server, EXCLUSIONS.c.person.in_(sorted(accounts))
    )
    return set(await connection.scalars(statement))


async def is_left(connection: AsyncConnection, server: str) -> bool:
    """Return whether the bot is no longer on a server."""
    where = (SERVERS.c.server == server, SERVERS.c.left_at.is_not(None))
    return await has_row(connection, select(SERVERS.c.server).where(*where))


async def list_blocks(connection: AsyncConnection, accounts: Collection[str]) -> list[tuple[str, str]]:
    """Return the blocks among these accounts: who blocks whom."""
    wanted = sorted(accounts)
    statement = select(BLOCKS.c.person, BLOCKS.c.blocked).where(
        BLOCKS.c.person.in_(wanted), BLOCKS.c.blocked.in_(wanted)
    )
    return [(person, blocked) for person, blocked in await connection.execute(statement)]


async def list_vacations(
    connection: AsyncConnection, accounts: Collection[str], since: int
) -> list[tuple[str, int, int | None]]:
    """Return the vacations of these accounts that did not end before a time: who, begin, end."""
    table = VACATIONS.c
    statement = select(table.person, table.began_at, table.ended_at).where(
        table.person.in_(sorted(accounts)), or_(table.ended_at.is_(None), table.ended_at > since)
    )
    return [(person, began, ended) for person, began, ended in await connection.execute(statement)]


# Stages.


async def add_stage(connection: AsyncConnection, **values: ColumnValue) -> bool:
    """Insert a stage unless there is one with its number; return whether it was inserted."""
    return await insert_if_new(connection, TOURNAMENT_STAGES, **values)


async def change_stage(
    connection: AsyncConnection, tournament: int, number: int, **values: ColumnValue
) -> None:
    """Write columns of a stage."""
    table = TOURNAMENT_STAGES.c
    where = (table.tournament == tournament, table.number == number)
    await connection.execute(update(TOURNAMENT_STAGES).where(*where).values(values))


async def list_stages(connection: AsyncConnection, tournament: int) -> list[StageRow]:
    """Return the stages of a tournament in their order."""
    statement = select(*columns_for(StageRow, dict(TOURNAMENT_STAGES.c)))
    wanted = statement.where(TOURNAMENT_STAGES.c.tournament == tournament)
    return await fetch_rows(connection, StageRow, wanted.order_by(TOURNAMENT_STAGES.c.number))


# The log, and first places.


async def log(connection: AsyncConnection, **values: ColumnValue) -> None:
    """Insert an entry of the log."""
    await connection.execute(insert(TOURNAMENT_LOG).values(values))


async def count_logged(connection: AsyncConnection, tournament: int, act: str, since: int) -> int:
    """Return how often an act was logged since a time."""
    table = TOURNAMENT_LOG.c
    where = (table.tournament == tournament, table.act == act, table.made_at >= since)
    return await count_where(connection, TOURNAMENT_LOG, *where)


async def list_log(connection: AsyncConnection, tournament: int) -> list[LogRow]:
    """Return the log of a tournament, the oldest entry first."""
    by, about = PEOPLE.alias("by_person"), PEOPLE.alias("about_person")
    names = {
        "by_name": by.c.name,
        "by_alias": by.c.alias,
        "about_name": about.c.name,
        "about_alias": about.c.alias,
    }
    statement = (
        select(*columns_for(LogRow, {**TOURNAMENT_LOG.c, **names}))
        .outerjoin(by, by.c.account == TOURNAMENT_LOG.c.by)
        .outerjoin(about, about.c.account == TOURNAMENT_LOG.c.about)
        .where(TOURNAMENT_LOG.c.tournament == tournament)
        .order_by(TOURNAMENT_LOG.c.id)
    )
    return await fetch_rows(connection, LogRow, statement)


async def list_withdrawals(
    connection: AsyncConnection, tournament: int, acts: Sequence[str]
) -> list[tuple[str, int, str]]:
    """Return who no longer plays by the log, when that was, and its details; the oldest first."""
    log = TOURNAMENT_LOG.c
    where = (log.tournament == tournament, log.act.in_(acts), log.about.is_not(None))
    statement = select(log.about, log.made_at, log.details).where(*where).order_by(log.id)
    return [(about, at, details or "{}") for about, at, details in await connection.execute(statement)]


async def set_wins(
    connection: AsyncConnection, tournament: int, stage: int, entrants: Collection[int], now: int
) -> None:
    """Record who has the first places of a stage, and nobody else; again does no harm."""
    table = TOURNAMENT_WINS.c
    where = (table.tournament == tournament, table.stage == stage, table.entrant.not_in(sorted(entrants)))
    await connection.execute(delete(TOURNAMENT_WINS).where(*where))
    for entrant in entrants:
        await insert_if_new(
            connection, TOURNAMENT_WINS, tournament=tournament, stage=stage, entrant=entrant, won_at=now
        )


async def list_winners(connection: AsyncConnection, tournament: int, stage: int) -> list[int]:
    """Return who has a first place of a stage, 0 of the whole tournament."""
    table = TOURNAMENT_WINS.c
    statement = select(table.entrant).where(table.tournament == tournament, table.stage == stage)
    return list(await connection.scalars(statement.order_by(table.entrant)))


async def list_wins(connection: AsyncConnection, account: str, server: str) -> list[WinRow]:
    """Return the first places of an account in tournaments of a server, the newest first."""
    wins, entrants = TOURNAMENT_WINS.c, TOURNAMENT_ENTRANTS.c
    sources = {**wins, "name": TOURNAMENTS.c.name, "kind": TOURNAMENTS.c.kind}
    statement = (
        select(*columns_for(WinRow, sources))
        .join(TOURNAMENT_ENTRANTS, entrants.id == wins.entrant)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == wins.tournament)
        .where(entrants.account == account, TOURNAMENTS.c.server == server)
        .order_by(wins.won_at.desc(), wins.tournament)
    )
    return await fetch_rows(connection, WinRow, statement)


# Lists.


async def list_summaries(
    connection: AsyncConnection,
    states: Sequence[str],
    servers: Collection[str],
    before: int | None,
    limit: int,
) -> list[SummaryRow]:
    """Return the tournaments of these servers in these states, the newest first, those before an id."""
    where: list[ColumnElement[bool]] = [
        TOURNAMENTS.c.state.in_(states),
        TOURNAMENTS.c.server.in_(sorted(servers)),
    ]
    if before is not None:
        where.append(TOURNAMENTS.c.id < before)
    statement = _summaries().where(*where).order_by(TOURNAMENTS.c.id.desc()).limit(limit)
    return await fetch_rows(connection, SummaryRow, statement)


async def list_summaries_of(
    connection: AsyncConnection, account: str, states: Sequence[str]
) -> list[SummaryRow]:
    """Return the tournaments in these states that somebody organises or plays in, the newest first."""
    entrants = TOURNAMENT_ENTRANTS.c
    own = union(
        select(entrants.tournament).where(entrants.account == account, entrants.withdrawn.is_(None)),
        select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.by == account),
    )
    statement = _summaries().where(TOURNAMENTS.c.id.in_(own), TOURNAMENTS.c.state.in_(states))
    return await fetch_rows(connection, SummaryRow, statement.order_by(TOURNAMENTS.c.id.desc()))


def _summaries() -> Select[Any]:
    entrants, stages = TOURNAMENT_ENTRANTS.c, TOURNAMENT_STAGES.c
    joined = select(func.count()).where(entrants.tournament == TOURNAMENTS.c.id, entrants.withdrawn.is_(None))
    of_stage = stages.tournament == TOURNAMENTS.c.id
    extra = {
        "entrants": joined.scalar_subquery(),
        "stage": select(func.max(stages.number)).where(of_stage).scalar_subquery(),
        "stage_ends_at": select(func.max(stages.ends_at)).where(of_stage).scalar_subquery(),
    }
    return select(*columns_for(SummaryRow, {**TOURNAMENTS.c, **extra}))
