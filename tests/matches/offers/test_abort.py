"""Matches aborted before both players have moved."""

import pytest

from matches import AnnouncementKind, EndReason, Matches, MatchState, Person
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    later,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


@pytest.mark.parametrize("person", [ALICE, BOB])
@pytest.mark.parametrize("moves", [0, 1])
async def test_either_can_abort_before_both_have_moved(matches: Matches, person: Person, moves: int) -> None:
    view = await start_match(matches)
    for _ in range(moves):
        view = (await play_move(matches, view)).match
    update = await matches.offers.abort(view.id, person, now=later(hours=1))
    result, announcement = update.match.result, require_announcement(update.announcement)
    assert result is not None
    assert (result.outcome, result.reason, result.winner) == (None, EndReason.ABORTED, None)
    assert announcement.kind is AnnouncementKind.ABORTED
    assert announcement.recipients == ((BOB if person is ALICE else ALICE).account,)
    assert (update.match.state, update.match.waits_for) == (MatchState.OVER, ())
    assert await matches.view(view.id, now=NOON) == update.match
    assert await matches.views.at_announcement(announcement) == update.match
    assert (await matches.audit(view.id)).difference is None


async def test_no_abort_after_both_have_moved(matches: Matches) -> None:
    view = await start_match(matches)
    for _ in range(2):
        view = (await play_move(matches, view)).match
    with refused("too_late_to_abort"):
        await matches.offers.abort(view.id, BOB, now=NOON)


async def test_an_unfinished_turn_does_not_count_as_a_move(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE))).match
    assert view.moves_due == 2
    await matches.play(view.id, player_to_move(view), ["A2"], now=NOON)
    assert (await matches.view(view.id, now=NOON)).is_abortable
    await matches.play(view.id, player_to_move(view), ["A3"], now=NOON)
    with refused("too_late_to_abort"):
        await matches.offers.abort(view.id, ALICE, now=NOON)


async def test_match_can_be_aborted_during_the_simultaneous_choice(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, "LR", now=NOON)
    update = await matches.offers.abort(view.id, BOB, now=NOON)
    assert (update.match.position, update.match.reveal) == (None, None)
    assert await matches.views.at_announcement(require_announcement(update.announcement)) == update.match


async def test_spectator_cannot_abort(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("not_in_match"):
        await matches.offers.abort(view.id, CAROL, now=NOON)


async def test_finished_match_cannot_be_aborted(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.abort(view.id, ALICE, now=NOON)
    with refused("match_over"):
        await matches.offers.abort(view.id, BOB, now=NOON)


async def test_aborted_match_is_not_rated(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.offers.abort(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()
    assert (await matches.ratings.results(ALICE, view.server, view.game, now=NOON)).total.played == 0
