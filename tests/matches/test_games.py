"""Every game through the same calls, and features of single games that concern the players."""

from random import Random

import pytest

from engine.game import EventKind, OptionValue, Outcome, Side
from matches import EndReason, Matches, MatchState, MatchUpdate, OfferKind
from tests.games import GAMES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    NOON,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused

MORPHOS: dict[str, OptionValue] = {"size": 5}


async def play_swap(matches: Matches) -> MatchUpdate:
    """Start a match of Morphos, place Black's first stone, and let White take over its side."""
    view = await start_match(matches, MORPHOS, game="morphos")
    view = (await play_move(matches, view, "C3")).match
    return await play_move(matches, view, "swap")


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_by_the_same_calls(matches: Matches, game: str) -> None:
    chance = Random(game)
    update = MatchUpdate(await start_match(matches, {}, game=game), None)
    assert [seat.side for seat in update.match.seats] == list(GAMES[game].sides)
    while update.match.state is MatchState.PLAYING and update.match.ply < 30:
        assert update.match.position is not None
        update = await play_move(
            matches, update.match, str(chance.choice(update.match.position.legal_moves()))
        )
        assert update.announcement is not None
        assert await matches.views.at_announcement(update.announcement) == update.match
    assert (await matches.audit(update.match.id)).difference is None


async def test_swap_exchanges_the_people(matches: Matches) -> None:
    update = await play_swap(matches)
    assert {seat.side: seat.person for seat in update.match.seats} == {Side.BLACK: BOB, Side.WHITE: ALICE}
    assert await matches.view(update.match.id, now=NOON) == update.match


async def test_move_that_swaps_is_made_by_the_side_that_it_leaves(matches: Matches) -> None:
    (played,) = (await play_swap(matches)).match.last_turn
    assert (played.side, played.person, played.text) == (Side.WHITE, BOB, "swap")
    assert EventKind.SWAP in {event.kind for event in played.events}


async def test_swap_notifies_the_new_player_to_move(matches: Matches) -> None:
    update = await play_swap(matches)
    assert require_announcement(update.announcement).recipients == (ALICE.account,)
    assert (player_to_move(update.match), update.match.waits_for) == (ALICE, (ALICE,))
    assert [line.id for line in await matches.views.list_awaiting_in(ALICE, CHANNEL)] == [update.match.id]
    with refused("not_your_turn"):
        await matches.play(update.match.id, BOB, ["C4"], now=NOON)


async def test_boards_before_a_swap_show_the_original_seats(matches: Matches) -> None:
    update = await play_move(matches, (await play_swap(matches)).match)
    blacks = []
    for ply in range(4):
        view = await matches.view(update.match.id, ply=ply, now=NOON)
        blacks.append(view.seats[0].person)
    assert blacks == [ALICE, ALICE, BOB, BOB]


async def test_history_shows_who_made_each_move_across_a_swap(matches: Matches) -> None:
    update = await play_move(matches, (await play_swap(matches)).match)
    history = await matches.views.history(update.match.id)
    assert [(played.side, played.person) for played in history.moves] == [
        (Side.BLACK, ALICE),
        (Side.WHITE, BOB),
        (Side.WHITE, ALICE),
    ]


async def test_result_follows_a_swap(matches: Matches) -> None:
    update = await play_swap(matches)
    result = (await matches.resign(update.match.id, BOB, now=NOON)).match.result
    assert result is not None
    assert result.winner is not None
    assert (result.outcome, result.winner.side, result.winner.person) == (Outcome.WHITE, Side.WHITE, ALICE)
    assert result.reason is EndReason.RESIGNED


async def test_log_with_a_swap_agrees(matches: Matches) -> None:
    update = await play_move(matches, (await play_swap(matches)).match)
    assert (await matches.audit(update.match.id)).difference is None


async def test_game_without_an_end_by_agreement_refuses_it(matches: Matches) -> None:
    view = await start_match(matches, MORPHOS, game="morphos")
    with refused("no_end_by_agreement"):
        await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
