"""The tables of a stored tournament: who is where, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.pairing import knock_out
from matches.tournaments.records import parse_groups
from matches.tournaments.results import EntrantId
from matches.tournaments.standings import build_table
from matches.tournaments.values import Kind, StageState

if TYPE_CHECKING:
    from matches.tournaments.records import Records
    from matches.tournaments.results import TournamentGame
    from matches.tournaments.standings import Row


def build_rounds(records: Records, ended: int) -> tuple[tuple[knock_out.Duel, ...], ...]:
    """Return the bracket of a knock-out of which so many stages are over."""
    seated = [parse_groups(one.groups)[0] for one in records.stages]
    return knock_out.build_bracket(records.plain_entrants(), records.plain_games, ended=ended, seated=seated)


def list_table_games(records: Records, stage: int, division: int) -> tuple[TournamentGame, ...]:
    """Return the games that count for a table: of a Swiss tournament those of all stages until then."""
    if records.settings.kind is Kind.SWISS:
        return tuple(one for one in records.plain_games if one.stage <= stage)
    wanted = {one.id for one in records.games_in(stage, division)}
    return tuple(one for one in records.plain_games if one.id in wanted)


def list_group(records: Records, stage: int, division: int) -> tuple[EntrantId, ...]:
    """Return who is in a table; of a Swiss tournament also those who have left."""
    if records.settings.kind is Kind.SWISS:
        groups = [parse_groups(one.groups)[0] for one in records.stages[:stage]]
        return tuple(dict.fromkeys(entrant for group in groups for entrant in group))
    return parse_groups(records.stages[stage - 1].groups)[division - 1]


def make_table(records: Records, stage: int, division: int = 1) -> tuple[Row, ...]:
    """Return the table of a division, from the games that are over."""
    entrants = records.entrants_at_end(list_group(records, stage, division), stage)
    return build_table(entrants, list_table_games(records, stage, division))


def size_groups(records: Records) -> dict[EntrantId, tuple[int, int]]:
    """Return for each entrant of the newest stage the number of the group, and how many are in it."""
    groups = () if records.stage is None else parse_groups(records.stage.groups)
    return {one: (number, len(group)) for number, group in enumerate(groups, 1) for one in group}


def list_places(records: Records) -> dict[EntrantId, int]:
    """Return the place of each entrant of a tournament, in a league that within the division."""
    stage = records.stage
    if stage is None:
        return {}
    kind = records.settings.kind
    if kind is Kind.LADDER:
        return {EntrantId(one.id): one.rank for one in records.active if one.rank is not None}
    if kind is Kind.KNOCK_OUT:
        ended = stage.number if stage.state == StageState.OVER else stage.number - 1
        entrants = records.plain_entrants()
        rounds = build_rounds(records, ended)
        return {entrant: place for place, entrant in knock_out.list_places(entrants, rounds)}
    divisions = len(parse_groups(stage.groups))
    return {
        row.entrant: row.place
        for division in range(1, divisions + 1)
        for row in make_table(records, stage.number, division)
    }


def find_winners(records: Records) -> tuple[EntrantId, ...]:
    """Return who has the first place of a tournament whose last stage is over."""
    stage = records.stage
    if stage is None:
        return ()
    if records.settings.kind is Kind.KNOCK_OUT:
        winner = knock_out.find_winner(build_rounds(records, stage.number))
        return () if winner is None else (winner,)
    if records.settings.kind is Kind.LADDER:
        return tuple(one for one, place in list_places(records).items() if place == 1)
    return tuple(row.entrant for row in make_table(records, stage.number) if row.place == 1)
