"""A stored match goes on under the version of the rules that it began with.

Two games are at version 2. Morphos forbids a flip with mutators b and d that version 1 allowed. In Morabaraba
a hundred turns without a capture are a draw.
"""

import pytest
from sqlalchemy import update

from engine import GAMES
from engine.game import IllegalMove, OptionValue, Outcome, Side
from engine.records import parse_record
from i18n import Texts
from i18n.announcements import describe_announcement, describe_turn_to_move
from i18n.match_texts import format_result, format_standing
from matches import ChallengeUpdate, EndReason, Matches, MatchView
from matches.errors import MoveIllegal
from storage import Database
from storage.tables import MATCHES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    NOON,
    SERVER,
    play_move,
    require_announcement,
    start_match,
)

TEXTS = Texts.load()

OPTIONS: dict[str, OptionValue] = {"size": 7, "mutators": "bd"}
BLACK = ["D5", "C4", "C3", "D3", "E2", "G1", "G6"]
WHITE = ["C5", "D6", "C6", "D4", "E4", "E3", "xD5"]
OPENING = [text for pair in zip(BLACK, WHITE, strict=True) for text in pair]
"""White's last turn flips D5."""

FLIP = "A1+xD4"
"""Flips D4; White could then flip it back by putting the captured stone on B5 or E2."""


FOUR_EACH = "morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0"
"""Four men against four; the turns of `TO_AND_FRO` lead back to this board."""

TO_AND_FRO = ["A1-D1", "G1-G4", "D1-A1", "G4-G1"]
DRAWN = "It is a draw. Nothing was captured in a hundred turns."


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


async def start_from_position(matches: Matches, version: int, line: str) -> MatchView:
    """Start a match of Alice and Bob from a record that begins on a board of Morabaraba; Alice is White."""
    text = f'[Game "morabaraba"] [Rules "{version}"] [Start "{line}"] [Result "*"]\n*\n'
    record = (await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)).record
    assert record is not None
    step = await matches.challenges.create_from_record(
        record, ALICE, to=BOB, server=SERVER, channel=CHANNEL, colour=Side.WHITE, now=NOON
    )
    return (await matches.challenges.accept(step.challenge.id, BOB, now=NOON)).match


async def test_the_hundredth_turn_without_a_capture_draws_a_match_and_says_so(matches: Matches) -> None:
    view = await start_from_position(matches, 2, f"{FOUR_EACH} quiet=98")
    view = (await play_move(matches, view, TO_AND_FRO[0])).match
    update = await play_move(matches, view, TO_AND_FRO[1])
    result = update.match.result
    assert result is not None
    assert (result.outcome, result.reason) == (Outcome.DRAW, EndReason.PLAYED)
    told = describe_announcement(
        TEXTS, require_announcement(update.announcement), update.match, GAMES["morabaraba"]
    )
    assert told[1:] == [f"{DRAWN}\nAlice, thank you for the game."]
    assert (await matches.audit(view.id)).difference is None
    text = await matches.export_record(view.id, now=NOON)
    imported = await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)
    assert (imported.rules_version, imported.turns[-1].position) == (2, update.match.position)


async def test_a_conditional_move_can_be_the_hundredth_turn(matches: Matches) -> None:
    view = await start_from_position(matches, 2, f"{FOUR_EACH} quiet=98")
    line = tuple((turn,) for turn in TO_AND_FRO[:2])
    await matches.conditionals.add_line(view.id, BOB, line, seen_revision=view.ply, now=NOON)
    update = await play_move(matches, view, TO_AND_FRO[0])
    assert format_result(TEXTS, update.match) == DRAWN


@pytest.mark.long
async def test_a_match_of_morabaraba_under_version_1_goes_on_without_the_limit(matches: Matches) -> None:
    view = await start_from_position(matches, 1, f"{FOUR_EACH} -")
    start = view.position
    for text in TO_AND_FRO * 26:
        view = (await play_move(matches, view, text)).match
    assert (view.rules_version, view.ply, view.result) == (1, 104, None)
    assert (view.position, str(view.position)) == (start, f"{FOUR_EACH} -")
    assert format_standing(TEXTS, view).endswith("Alice (White) to play.")
    assert (await matches.audit(view.id)).difference is None
    assert parse_record(await matches.export_record(view.id, now=NOON)).rules_version == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"{FOUR_EACH} quiet=79", ""),
        (f"{FOUR_EACH} quiet=80", " Without a capture, the game is a draw after 20 more turns."),
        (f"{FOUR_EACH} quiet=99", " Without a capture, the next turn ends the game as a draw."),
        (
            "morabaraba 12 2w/1r1/3/w5/r2/3/w1r w 0,0 -",
            " Without a capture, the game is a draw after 20 more turns.",
        ),
    ],
)
async def test_players_are_told_how_many_turns_are_left_to_a_draw(
    matches: Matches, line: str, told: str
) -> None:
    view = await start_from_position(matches, 2, line)
    assert format_standing(TEXTS, view) == f"Alice (White) to play.{told}"
    assert describe_turn_to_move(TEXTS, view) == f"Alice, it is your turn. You play White.{told}"
