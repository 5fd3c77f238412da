import pytest

from engine.game import EventKind, Side
from matches import AnnouncementKind, Matches, MatchUpdate, MatchView, OfferKind
from tests.matches.scenario import (
    ALICE,
    BOB,
    FREE,
    NOON,
    end_offered_by,
    later,
    legal_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


async def start_free_setup(matches: Matches) -> MatchView:
    """Start a free set-up and place Black's first stone; White now owes two."""
    view = await start_match(matches, FREE)
    return (await matches.play(view.id, ALICE, ["A1"], seen_revision=0, now=NOON)).match


def played_texts(turn: MatchUpdate) -> list[str]:
    return [played.text for played in turn.match.last_turn]


async def test_first_placement_is_a_run_of_one(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    assert (player_to_move(view), view.moves_due) == (ALICE, 1)
    update = await matches.play(view.id, ALICE, ["A1"], now=NOON)
    assert require_announcement(update.announcement).recipients == (BOB.account,)
    assert (player_to_move(update.match), update.match.moves_due) == (BOB, 2)


async def test_whole_run_in_one_call_is_one_announcement(matches: Matches) -> None:
    view = await start_free_setup(matches)
    update = await matches.play(view.id, BOB, ["A2", "A3"], seen_revision=1, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 2, 3)
    assert [(played.ply, played.turn, played.text) for played in update.match.last_turn] == [
        (2, 2, "A2"),
        (3, 2, "A3"),
    ]
    assert all(event.kind is EventKind.PLACE for played in update.match.last_turn for event in played.events)
    assert (update.match.unfinished_moves, player_to_move(update.match), update.match.moves_due) == (
        (),
        ALICE,
        2,
    )


async def test_part_of_a_run_is_committed_and_not_announced(matches: Matches) -> None:
    view = await start_free_setup(matches)
    update = await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    assert (update.announcement, update.match.ply, player_to_move(update.match), update.match.moves_due) == (
        None,
        2,
        BOB,
        1,
    )
    assert played_texts(update) == ["A1"]
    assert [played.text for played in update.match.unfinished_moves] == ["A2"]
    assert await matches.view(view.id, readers=[BOB.account], now=NOON) == update.match


@pytest.mark.parametrize("readers", [(), (ALICE.account,)])
async def test_part_of_a_run_is_visible_to_its_player_alone(
    matches: Matches, readers: tuple[str, ...]
) -> None:
    announced = await start_free_setup(matches)
    before = (await matches.view(announced.id, now=NOON), await matches.views.history(announced.id))
    part = (await matches.play(announced.id, BOB, ["A2"], now=later(hours=1))).match
    assert await matches.view(announced.id, readers=readers, now=NOON) == before[0]
    assert await matches.views.history(announced.id) == before[1]
    offered = await matches.offers.make(announced.id, ALICE, OfferKind.END, seen_revision=1, now=NOON)
    assert offered.match.unfinished_moves == ()
    assert (require_announcement(offered.announcement).ply, offered.match.position) == (1, before[0].position)
    with refused("match_unknown"):
        await matches.view(announced.id, ply=2, readers=readers, now=NOON)
    with refused("match_unknown"):
        await matches.view(announced.id, revision=2, readers=readers, now=NOON)
    assert (await matches.view(part.id, readers=[BOB.account], now=NOON)).position == part.position


async def test_part_of_a_run_leaves_an_offer_open(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.play(view.id, BOB, ["A2"], now=NOON)
    assert end_offered_by(await matches.view(view.id, now=NOON)) == ALICE
    await matches.play(view.id, BOB, ["A3"], now=NOON)
    assert end_offered_by(await matches.view(view.id, now=NOON)) is None


async def test_part_of_a_run_can_be_undone(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], now=NOON)
    with refused("nothing_to_undo"):
        await matches.undo(view.id, ALICE, now=NOON)
    assert (await matches.undo(view.id, BOB, now=NOON)) == MatchUpdate(view, None)
    with refused("nothing_to_undo"):
        await matches.undo(view.id, BOB, now=NOON)
    await matches.play(view.id, BOB, ["A4"], now=NOON)
    update = await matches.play(view.id, BOB, ["A5"], now=NOON)
    assert played_texts(update) == ["A4", "A5"]
    with refused("nothing_to_undo"):
        await matches.undo(view.id, BOB, now=NOON)
    assert (await matches.audit(view.id)).difference is None


async def test_whole_run_replaces_its_part(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], now=NOON)
    with refused("move_illegal"):
        await matches.play(view.id, BOB, ["A4", "A1"], now=NOON)
    update = await matches.play(view.id, BOB, ["A4", "A5"], seen_revision=1, latest_only=True, now=NOON)
    assert played_texts(update) == ["A4", "A5"]
    assert require_announcement(update.announcement).first_ply == 2
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.long
async def test_rest_of_a_run_is_played_from_the_board_that_was_posted(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    update = await matches.play(view.id, BOB, ["A3"], seen_revision=1, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.first_ply, announcement.ply) == (2, 3)
    assert played_texts(update) == ["A2", "A3"]
    assert await matches.view(view.id, now=NOON) == update.match


async def test_rest_of_a_run_is_played_from_the_board_as_it_is(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    update = await matches.play(view.id, BOB, ["A3"], seen_revision=2, latest_only=True, now=NOON)
    assert update.match.ply == 3


async def test_preview_of_a_board_before_ones_own_placement_is_stale(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    with refused("stale_board"):
        await matches.play(view.id, BOB, ["A3"], seen_revision=1, latest_only=True, now=NOON)


async def test_board_of_an_earlier_run_is_stale(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2", "A3"], seen_revision=1, now=NOON)
    with refused("stale_board"):
        await matches.play(view.id, BOB, ["A4", "A5"], seen_revision=1, now=NOON)


async def test_repeated_placement_is_made_once(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    with refused("move_illegal"):
        await matches.play(view.id, BOB, ["A2"], seen_revision=1, now=NOON)
    assert (await matches.view(view.id, readers=[BOB.account], now=NOON)).ply == 2


async def test_run_with_one_illegal_placement_is_refused_whole(matches: Matches) -> None:
    view = await start_free_setup(matches)
    with refused("move_illegal") as caught:
        await matches.play(view.id, BOB, ["A2", "A1"], seen_revision=1, now=NOON)
    assert (caught.value.values["index"], caught.value.values["text"]) == (1, "A1")
    assert await matches.view(view.id, now=NOON) == view


@pytest.mark.parametrize("given", [["A2", "A3", "A4"], ["A2", "A3", "A4", "A5"]])
async def test_more_than_is_due_is_refused(matches: Matches, given: list[str]) -> None:
    view = await start_free_setup(matches)
    with refused("too_many_moves") as caught:
        await matches.play(view.id, BOB, given, now=NOON)
    assert caught.value.values == {"match": view.id, "due": 2, "given": len(given)}


async def test_other_side_does_not_place_within_a_run(matches: Matches) -> None:
    view = await start_free_setup(matches)
    await matches.play(view.id, BOB, ["A2"], now=NOON)
    with refused("not_your_turn"):
        await matches.play(view.id, ALICE, ["A3"], now=NOON)


async def test_last_placement_is_a_turn_and_the_same_side_then_moves(matches: Matches) -> None:
    update = MatchUpdate(await start_match(matches, FREE), None)
    while update.match.ply < 31:
        update = await matches.play(
            update.match.id, player_to_move(update.match), [legal_move(update.match)], now=NOON
        )
    assert (player_to_move(update.match), update.match.moves_due) == (ALICE, 1)
    update = await matches.play(update.match.id, ALICE, [legal_move(update.match)], now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.first_ply, announcement.ply, announcement.recipients) == (32, 32, (ALICE.account,))
    update = await matches.play(update.match.id, ALICE, [legal_move(update.match)], now=NOON)
    assert (require_announcement(update.announcement).first_ply, player_to_move(update.match)) == (33, BOB)
    assert [(played.side, played.turn) for played in update.match.last_turn] == [(Side.BLACK, 18)]
    assert (await matches.audit(update.match.id)).difference is None


async def test_resigning_within_a_run_keeps_the_board_as_it_is(matches: Matches) -> None:
    view = await start_free_setup(matches)
    part = await matches.play(view.id, BOB, ["A2"], now=NOON)
    update = await matches.resign(view.id, ALICE, now=NOON)
    assert (update.match.position, update.match.unfinished_moves) == (
        part.match.position,
        part.match.unfinished_moves,
    )
    assert (await matches.audit(view.id)).difference is None


async def test_latest_events_are_those_of_the_unfinished_run_or_of_the_last_turn(matches: Matches) -> None:
    complete = await start_free_setup(matches)
    mover = player_to_move(complete)
    unfinished = (await matches.play(complete.id, mover, [legal_move(complete)], now=NOON)).match
    assert complete.latest_events == complete.last_turn[0].events
    assert unfinished.latest_events == unfinished.unfinished_moves[0].events


async def test_match_is_abortable_until_the_opponent_has_moved(matches: Matches) -> None:
    view = await start_free_setup(matches)
    part = (await matches.play(view.id, BOB, ["A2"], now=NOON)).match
    whole = (await matches.play(view.id, BOB, ["A3"], now=NOON)).match
    assert [one.is_abortable for one in (view, part, whole)] == [True, True, False]
