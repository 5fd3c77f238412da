"""Ending a match and offers by mail, as tables of what is typed and what happens."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from matches import EndReason, MatchState, OfferKind, Terms, TimeControl, TimeoutRule
from matches.platforms import WEBSITE
from tests.games import GAMES
from tests.mail.commands.scenario import text_of, write
from tests.mail.scenario import ANN, BEN, start_quietly
from tests.matches.scenario import NOON, later, play_move, start_match

if TYPE_CHECKING:
    from matches import Matches, MatchView

CLOCK = Terms(TimeControl.per_move(timedelta(days=3)), TimeoutRule.CLAIM)


async def reload(matches: Matches, view: MatchView) -> MatchView:
    return await matches.view(view.id, now=NOON)


async def start_with_clock(matches: Matches) -> MatchView:
    return await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, terms=CLOCK)


async def test_resigning_asks_back(matches: Matches) -> None:
    view = await start_quietly(matches)
    asked = await write(matches, BEN, "I resign", view)
    assert asked.title == f"Resign Morelli vs Ann (#{view.id})? Ann wins then."
    assert "[resign yes]" in text_of(asked)
    assert (await reload(matches, view)).result is None
    answer = await write(matches, BEN, "resign yes", view)
    assert answer.title == f"You resigned Morelli vs Ann (#{view.id})"
    result = (await reload(matches, view)).result
    assert result is not None
    assert result.reason is EndReason.RESIGNED


@pytest.mark.parametrize("typed", ["resign now", "I will not resign yet, let me think.", "resign?"])
async def test_a_sentence_about_resigning_resigns_nothing(matches: Matches, typed: str) -> None:
    view = await start_quietly(matches)
    answer = await write(matches, ANN, typed, view)
    assert answer.title == "Nothing was done"


@pytest.mark.parametrize(
    ("typed", "accepted", "done", "state"),
    [
        ("draw", "accept", "You accepted the draw", MatchState.OVER),
        ("draw", "accept draw", "You accepted the draw", MatchState.OVER),
        ("draw", "draw", "You accepted what your opponent had offered", MatchState.OVER),
        ("draw", "decline", "You declined the draw", MatchState.PLAYING),
        ("takeback please", "accept", "You allowed the takeback", MatchState.PLAYING),
        ("takeback", "decline", "You declined the takeback", MatchState.PLAYING),
    ],
)
async def test_offer_and_its_answer(
    matches: Matches, typed: str, accepted: str, done: str, state: MatchState
) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    made = await write(matches, ANN, typed, view)
    assert "Ben" in made.title
    assert "[withdraw]" in text_of(made)
    assert "Ann" in text_of(await write(matches, BEN, "board", view))
    answer = await write(matches, BEN, accepted, view)
    assert answer.title == done
    after = await reload(matches, view)
    assert (after.state, after.pending_offer) == (state, None)


async def test_takeback_goes_back_to_the_board_before(matches: Matches) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    await write(matches, ANN, "takeback", view)
    answer = await write(matches, BEN, "accept", view)
    after = await reload(matches, view)
    assert (after.ply, answer.revision) == (0, after.revision)


async def test_own_offer_is_withdrawn(matches: Matches) -> None:
    view = await start_quietly(matches)
    await write(matches, ANN, "draw", view)
    assert "still open" in (await write(matches, ANN, "draw", view)).title
    assert "There is nothing to accept" in text_of(await write(matches, ANN, "accept", view))
    assert (await write(matches, ANN, "withdraw", view)).title == "You withdrew your offer."
    assert (await reload(matches, view)).pending_offer is None
    assert "nothing open to withdraw" in text_of(await write(matches, ANN, "withdraw", view))


async def test_several_open_offers_are_asked_for(matches: Matches) -> None:
    view = await start_with_clock(matches)
    await write(matches, ANN, "draw", view)
    await write(matches, ANN, "pause", view)
    asked = await write(matches, BEN, "accept", view)
    assert "Several things are open: [draw] or [pause]" in text_of(asked)
    assert (await write(matches, BEN, "accept pause", view)).title == "You accepted the pause"
    after = await reload(matches, view)
    assert after.time is not None
    assert after.time.paused
    assert after.pending_offer is not None
    assert after.pending_offer.kind is OfferKind.DRAW


IN_A_MATCH = [
    *("draw", "end", "takeback", "claim", "pause", "resume", "rematch", "hint", "withdraw", "board"),
    *("board 0", "note x", "if", "help", "games", "give 1 day", "accept", "decline", "resign", "abort"),
]


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_every_command_is_carried_out_or_refused_in_every_game(matches: Matches, game: str) -> None:
    view = await start_quietly(matches, game=game)
    for typed in IN_A_MATCH:
        for person in (ANN, BEN):
            answer = await write(matches, person, typed, await reload(matches, view))
            assert answer.title
            assert answer.lines
    assert (await matches.audit(view.id)).difference is None


async def test_match_is_aborted_before_both_have_moved(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert (await write(matches, BEN, "abort", view)).title == f"You aborted Morelli vs Ann (#{view.id})"
    after = await reload(matches, view)
    assert after.result is not None
    assert after.result.reason is EndReason.ABORTED


async def test_match_is_not_aborted_after_both_have_moved(matches: Matches) -> None:
    view = await start_quietly(matches)
    for _ in range(2):
        view = (await play_move(matches, view)).match
    assert "so it counts" in text_of(await write(matches, ANN, "abort", view))


async def test_win_is_claimed_when_the_time_is_over(matches: Matches) -> None:
    view = await start_with_clock(matches)
    assert "has not run out of time" in text_of(await write(matches, BEN, "claim", view))
    await matches.announcements.claim_due("web", now=NOON)
    await matches.clocks.tick(now=later(days=4))
    answer = await write(matches, BEN, "claim", view, now=later(days=4))
    assert answer.title == f"You claimed the win in Morelli vs Ann (#{view.id})"
    assert "Ann ran out of time" in text_of(answer)


async def test_abandoned_match_without_a_clock_is_called_then_claimed(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert "yet" in (await write(matches, BEN, "claim", view)).title
    called = await write(matches, BEN, "claim", view, now=later(days=8))
    assert called.title == f"You called your opponent in Morelli vs Ann (#{view.id})"
    again = await write(matches, BEN, "claim", view, now=later(days=9))
    assert "You have called them" in text_of(again)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("give 2 days", "You gave Ann 2 days more"),
        ("pause", "You offered Ann a pause"),
        ("resume", "Nothing was done"),
        ("give 100 days", "Nothing was done"),
    ],
)
async def test_commands_about_time(matches: Matches, typed: str, title: str) -> None:
    view = await start_with_clock(matches)
    assert (await write(matches, BEN, typed, view)).title == title


async def test_paused_match_is_resumed(matches: Matches) -> None:
    view = await start_with_clock(matches)
    await write(matches, ANN, "pause", view)
    assert (await write(matches, BEN, "pause", view)).title == f"Morelli vs Ann (#{view.id}) is paused"
    assert (await write(matches, ANN, "resume", view)).title == f"Morelli vs Ben (#{view.id}) continues"


async def test_rematch_is_offered_and_accepted_in_the_thread(matches: Matches) -> None:
    view = await start_quietly(matches)
    await write(matches, ANN, "resign yes", view)
    over = await reload(matches, view)
    offered = await write(matches, ANN, "rematch", over)
    assert offered.title == "You offered Ben a rematch"
    assert offered.challenge is not None
    assert "already offered" in text_of(await write(matches, ANN, "rematch", over))
    answer = await write(matches, BEN, "accept", over)
    assert answer.title == f"Morelli vs Ann (#{answer.match}) begins"
