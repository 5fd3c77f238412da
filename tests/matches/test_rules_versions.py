"""A stored match goes on under the version of the rules that it began with.

Morphos is at version 2: with mutators b and d it forbids a flip that version 1 allowed.
"""

import pytest
from sqlalchemy import update

from engine import GAMES
from engine.game import IllegalMove, OptionValue
from engine.records import parse_record
from matches import ChallengeUpdate, Matches, MatchView
from matches.errors import MoveIllegal
from storage import Database
from storage.tables import MATCHES
from tests.matches.scenario import ALICE, BOB, CHANNEL, NOON, SERVER, play_move, start_match

OPTIONS: dict[str, OptionValue] = {"size": 7, "mutators": "bd"}
BLACK = ["D5", "C4", "C3", "D3", "E2", "G1", "G6"]
WHITE = ["C5", "D6", "C6", "D4", "E4", "E3", "xD5"]
OPENING = [text for pair in zip(BLACK, WHITE, strict=True) for text in pair]
"""White's last turn flips D5."""

FLIP = "A1+xD4"
"""Flips D4; White could then flip it back by putting the captured stone on B5 or E2."""


async def play_opening(matches: Matches, view: MatchView) -> MatchView:
    for text in OPENING:
        view = (await play_move(matches, view, text)).match
    return view


async def set_rules_version(database: Database, view: MatchView, version: int) -> None:
    """Store `version` in the row of a match; version 1 makes it one that an earlier release began."""
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).where(MATCHES.c.id == view.id).values(rules_version=version))


async def start_earlier_match(matches: Matches, database: Database) -> MatchView:
    """Start a match under version 1 and play it to the turn before `FLIP`."""
    view = await start_match(matches, OPTIONS, game="morphos")
    await set_rules_version(database, view, 1)
    return await play_opening(matches, await matches.view(view.id, now=NOON))


async def test_new_match_is_played_under_the_present_rules(matches: Matches) -> None:
    view = await play_opening(matches, await start_match(matches, OPTIONS, game="morphos"))
    assert view.rules_version == GAMES["morphos"].rules_version == 2
    with pytest.raises(MoveIllegal) as caught:
        await play_move(matches, view, FLIP)
    assert isinstance(caught.value.error, IllegalMove)
    assert "could put the captured stone on B5 and flip the stone on D4 straight back" in str(
        caught.value.error
    )


async def test_stored_match_goes_on_under_version_1(matches: Matches, database: Database) -> None:
    view = await start_earlier_match(matches, database)
    turn = await play_move(matches, view, FLIP)
    assert (turn.match.rules_version, turn.match.last_turn[-1].text) == (1, FLIP)
    replied = (await play_move(matches, turn.match, "B5+xD4")).match
    assert replied.position is not None
    assert replied.position.game.rules_version == 1


async def test_stored_match_audits_clean_under_version_1(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_earlier_match(matches, database), FLIP)).match
    assert (await matches.audit(view.id)).difference is None
    await set_rules_version(database, view, 2)
    difference = (await matches.audit(view.id)).difference
    assert difference is not None
    assert (difference.ply, difference.field, difference.stored) == (len(OPENING) + 1, "move", FLIP)


async def test_record_of_a_stored_match_names_version_1(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_earlier_match(matches, database), FLIP)).match
    text = await matches.export_record(view.id, now=NOON)
    assert (parse_record(text).rules_version, parse_record(text).entries[-1].move) == (1, FLIP)
    imported = await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)
    assert (imported.rules_version, imported.turns[-1].position) == (1, view.position)


async def test_match_from_a_record_goes_on_under_the_version_of_the_record(
    matches: Matches, database: Database
) -> None:
    view = await start_earlier_match(matches, database)
    text = await matches.export_record(view.id, now=NOON)
    record = (await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)).record
    assert record is not None
    step = await matches.challenges.create_from_record(
        record, ALICE, to=BOB, server=SERVER, channel=CHANNEL, colour=GAMES["morphos"].sides[0], now=NOON
    )
    continued = (await matches.challenges.accept(step.challenge.id, BOB, now=NOON)).match
    played = (await play_move(matches, continued, FLIP)).match
    assert (continued.rules_version, played.last_turn[-1].text) == (1, FLIP)


async def test_rematch_begins_under_the_present_rules(matches: Matches, database: Database) -> None:
    view = await start_earlier_match(matches, database)
    await matches.resign(view.id, BOB, now=NOON)
    step = await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=NOON)
    assert isinstance(step, ChallengeUpdate)
    rematch = (await matches.challenges.accept(step.challenge.id, BOB, now=NOON)).match
    assert (rematch.options, rematch.rules_version) == (view.options, 2)
