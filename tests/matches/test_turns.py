import asyncio

import pytest

from engine.game import AmbiguousMove, EventKind, IllegalMove, NotationError, Outcome, Side
from matches import AnnouncementKind, EndReason, Matches, MatchState, Person
from matches.errors import MoveAmbiguous, MoveRefused
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    NOON,
    UNKNOWN_MATCH,
    later,
    legal_move,
    play_move,
    play_to_end,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refusal_key, refused


async def test_move_is_played_and_announced(matches: Matches) -> None:
    view = await start_match(matches)
    update = await matches.play(view.id, ALICE, ["d1 - d4"], seen_revision=0, now=later(minutes=1))
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.by) == (AnnouncementKind.TURN, ALICE.account)
    assert (announcement.first_ply, announcement.ply) == (1, 1)
    assert announcement.recipients == (BOB.account,)
    (played,) = update.match.last_turn
    assert (played.ply, played.turn, played.side, played.person) == (1, 1, Side.BLACK, ALICE)
    assert (played.text, played.played_at, played.position) == (
        "D1-D4",
        later(minutes=1),
        update.match.position,
    )
    assert [event.kind for event in played.events] == [EventKind.MOVE]
    assert (update.match.ply, player_to_move(update.match), update.match.moves_due) == (1, BOB, 1)


async def test_view_of_the_announcement_equals_the_update(matches: Matches) -> None:
    update = await play_move(matches, (await play_move(matches, await start_match(matches))).match)
    assert await matches.view(update.match.id, now=NOON) == update.match


async def test_move_without_a_board_seen_is_played(matches: Matches) -> None:
    view = await start_match(matches)
    update = await matches.play(view.id, ALICE, ["D1-D4"], now=NOON)
    assert update.match.ply == 1


@pytest.mark.parametrize(
    ("person", "texts", "seen", "refusal"),
    [
        (CAROL, ["D1-D4"], 0, "not_in_match"),
        (BOB, ["A4-D4"], 0, "not_your_turn"),
        (ALICE, ["D1-D4"], 1, "stale_board"),
        (ALICE, [], 0, "no_move_given"),
        (ALICE, ["D1-D4", "E1-E4"], 0, "too_many_moves"),
        (ALICE, ["hello"], 0, "move_unreadable"),
        (ALICE, ["D1-D9"], 0, "move_illegal"),
        (ALICE, [""], 0, "move_unreadable"),
    ],
)
async def test_refused_move_changes_nothing(
    matches: Matches, person: Person, texts: list[str], seen: int, refusal: str
) -> None:
    view = await start_match(matches)
    with refused(refusal):
        await matches.play(view.id, person, texts, seen_revision=seen, now=NOON)
    assert await matches.view(view.id, now=NOON) == view
    assert (await matches.views.history(view.id)).moves == ()


@pytest.mark.parametrize(
    ("text", "key", "error"),
    [("hello", "move_unreadable", NotationError), ("D1-D9", "move_illegal", IllegalMove)],
)
async def test_refused_move_has_the_engines_reason(
    matches: Matches, text: str, key: str, error: type[Exception]
) -> None:
    view = await start_match(matches)
    with pytest.raises(MoveRefused) as caught:
        await matches.play(view.id, ALICE, [text], now=NOON)
    assert isinstance(caught.value.error, error)
    assert (caught.value.key, caught.value.values["text"]) == (key, text)
    assert caught.value.values["reason"] is caught.value.error


def test_ambiguous_move_is_a_refusal_of_its_own() -> None:
    refusal = MoveAmbiguous(1, 0, "A1-A4", AmbiguousMove("Which?", choices=("A1-A4xG7", "A1-A4~")))
    assert (refusal.key, refusal.values["choices"]) == ("move_ambiguous", ("A1-A4xG7", "A1-A4~"))


async def test_move_in_an_unknown_match_is_refused(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.play(UNKNOWN_MATCH, ALICE, ["D1-D4"], now=NOON)


async def test_repeated_click_is_played_once(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.play(view.id, ALICE, ["D1-D4"], seen_revision=0, now=NOON)
    with refused("stale_board") as caught:
        await matches.play(view.id, ALICE, ["D1-D4"], seen_revision=0, now=NOON)
    assert caught.value.values == {"match": view.id}


async def test_repeated_command_is_played_once(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.play(view.id, ALICE, ["D1-D4"], now=NOON)
    with refused("not_your_turn") as caught:
        await matches.play(view.id, ALICE, ["D1-D4"], now=NOON)
    assert caught.value.values == {"match": view.id, "name": BOB}


@pytest.mark.parametrize("seen", [0, None])
async def test_one_of_many_concurrent_clicks_is_played(
    matches: Matches, other_matches: Matches, seen: int | None
) -> None:
    view = await start_match(matches)
    texts = [legal_move(view, index) for index in range(6)]
    done = await asyncio.gather(
        *(
            board_posts.play(view.id, ALICE, [text], seen_revision=seen, now=NOON)
            for text in texts
            for board_posts in (matches, other_matches)
        ),
        return_exceptions=True,
    )
    refused = [outcome for outcome in done if refusal_key(outcome) in {"stale_board", "not_your_turn"}]
    assert len(refused) == 11
    assert len((await matches.views.history(view.id)).moves) == 1


@pytest.mark.long
async def test_many_matches_are_played_concurrently(matches: Matches) -> None:
    views = [await start_match(matches) for _ in range(8)]

    async def opening(number: int) -> int:
        update = await play_move(matches, views[number])
        for _ in range(number):
            update = await play_move(matches, update.match)
        return update.match.ply

    assert await asyncio.gather(*map(opening, range(8))) == list(range(1, 9))


@pytest.mark.long
async def test_last_move_ends_the_match(matches: Matches) -> None:
    update = await play_to_end(matches, await start_match(matches))
    result, announcement = update.match.result, require_announcement(update.announcement)
    assert result is not None
    assert (result.reason, update.match.state) == (EndReason.PLAYED, MatchState.OVER)
    assert update.match.position is not None
    assert result.outcome == update.match.position.outcome
    assert announcement.kind is AnnouncementKind.TURN
    assert announcement.recipients != (announcement.by,)
    assert (update.match.to_move, update.match.moves_due, update.match.waits_for) == (None, 0, ())
    assert await matches.view(update.match.id, now=NOON) == update.match


@pytest.mark.long
async def test_winner_has_the_winning_side(matches: Matches) -> None:
    result = (await play_to_end(matches, await start_match(matches))).match.result
    assert result is not None
    assert result.outcome is not None
    sides = {Outcome.BLACK: (ALICE, BOB), Outcome.WHITE: (BOB, ALICE), Outcome.DRAW: None}
    people = result.winner and result.loser and (result.winner.person, result.loser.person)
    assert people == sides[result.outcome]


@pytest.mark.long
async def test_nothing_is_played_after_the_end(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches))).match
    with refused("match_over"):
        await matches.play(view.id, view.last_turn[0].person, ["D1-D4"], now=NOON)


async def test_new_name_of_a_player_is_used(matches: Matches) -> None:
    view = await start_match(matches)
    renamed = Person(ALICE.account, "Countess Alice")
    update = await matches.play(view.id, renamed, ["D1-D4"], now=NOON)
    assert (update.match.last_turn[0].person, update.match.seats[0].person) == (renamed, renamed)
    assert (await matches.view(view.id, now=NOON)).seats[0].person == renamed


async def test_time_without_a_zone_is_refused(matches: Matches) -> None:
    view = await start_match(matches)
    with pytest.raises(ValueError, match="zone"):
        await matches.play(view.id, ALICE, ["D1-D4"], now=NOON.replace(tzinfo=None))


@pytest.mark.long
async def test_unlocked_matches_are_not_kept_in_memory(matches: Matches) -> None:
    for _ in range(3):
        await play_move(matches, await start_match(matches))
    assert len(matches._actions._locker._mutexes) == 0
