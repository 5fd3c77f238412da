"""The simulated year in short: two months of tournaments with kills, audited, and the same without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from matches.tournaments.values import WEEK, Kind
from tests.tournament_year.plan import SHORT
from tests.tournament_year.year import run_year

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = replace(
    SHORT,
    entrants={Kind.LEAGUE: 11, Kind.SWISS: 8, Kind.KNOCK_OUT: 4, Kind.LADDER: 6},
    lengths=dict.fromkeys(SHORT.entrants, 3 * WEEK),
    rounds={Kind.LEAGUE: 2, Kind.SWISS: 2},
    persons=12,
    outages=1,
)


def list_first_pairs(result: dict[str, Any]) -> dict[str, list[tuple[int, ...]]]:
    """Return who met whom in the first stages, by seeds.

    After a kill a match may begin at the next look, twelve hours later, so later results may be others.
    """
    kinds = (Kind.LEAGUE, Kind.SWISS)
    return {kind: [game[:6] for game in result[kind]["games"] if game[0] == 1] for kind in kinds}


@pytest.mark.long
async def test_two_months_pass_the_audit_with_and_without_kills_and_begin_with_the_same_pairs(
    empty_database_url: str, tmp_path: Path
) -> None:
    if empty_database_url.startswith("sqlite"):
        empty_database_url = f"sqlite:///{tmp_path / 'disturbed.db'}?timeout=60"
    counts, result = await run_year(SMALLEST, empty_database_url, tmp_path)
    assert counts["kills during sweep"] > SMALLEST.kills_on_dates
    assert counts["outages"] == 1
    assert counts["tables compared"] > 4
    address = f"sqlite:///{tmp_path / 'undisturbed.db'}?timeout=60"
    _, undisturbed = await run_year(SMALLEST, address, tmp_path, is_disturbed=False)
    assert list_first_pairs(result) == list_first_pairs(undisturbed)
