import pytest

from engine.game import OptionValue, Side
from matches import AnnouncementKind, EndReason, LoggedMove, Matches, MatchState, MatchUpdate, OfferKind
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    SMALL,
    UNKNOWN_MATCH,
    end_offered_by,
    later,
    legal_move,
    make_challenge,
    play_move,
    play_to_end,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


async def test_unknown_match_is_refused(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.view(UNKNOWN_MATCH, now=NOON)
    with refused("match_unknown"):
        await matches.views.history(UNKNOWN_MATCH)


async def test_seats_know_their_opponents(matches: Matches) -> None:
    view = await start_match(matches)
    seat, opponent = view.seat(ALICE.account), view.opponent(ALICE.account)
    assert seat is not None
    assert opponent is not None
    assert (seat.side, opponent.person) == (Side.BLACK, BOB)
    assert (view.seat(CAROL.account), view.opponent(CAROL.account)) == (None, None)


async def test_every_past_board_can_be_viewed(matches: Matches) -> None:
    turns = [MatchUpdate(await start_match(matches), None)]
    for _ in range(5):
        turns.append(await play_move(matches, turns[-1].match, now=later(minutes=len(turns))))
    for ply, update in enumerate(turns):
        past = await matches.view(update.match.id, ply=ply, now=NOON)
        assert (past.position, past.last_turn, past.seats) == (
            update.match.position,
            update.match.last_turn,
            update.match.seats,
        )
        assert (past.ply, past.is_current, past.changed_at) == (ply, ply == 5, update.match.changed_at)


async def test_past_board_within_a_run_can_be_viewed(matches: Matches) -> None:
    turns = [MatchUpdate(await start_match(matches, FREE), None)]
    for _ in range(9):
        view = turns[-1].match
        turns.append(await matches.play(view.id, player_to_move(view), [legal_move(view)], now=NOON))
    for update in turns:
        past = await matches.view(update.match.id, ply=update.match.ply, now=NOON)
        assert (past.last_turn, past.unfinished_moves, past.moves_due) == (
            update.match.last_turn,
            update.match.unfinished_moves,
            update.match.moves_due,
        )


@pytest.mark.parametrize("at", [-1, 2])
async def test_board_beyond_the_log_is_refused(matches: Matches, at: int) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    with refused("match_unknown"):
        await matches.view(view.id, ply=at, now=NOON)


async def test_pending_choice_has_no_past_board(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    with refused("match_unknown"):
        await matches.view(view.id, ply=0, now=NOON)


async def test_past_view_does_not_show_a_later_end(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.resign(view.id, ALICE, now=NOON)
    past = await matches.view(view.id, ply=1, now=NOON)
    assert (past.state, past.result, past.is_current) == (MatchState.PLAYING, None, False)


async def test_view_of_the_last_move_shows_the_end_by_the_rules(matches: Matches) -> None:
    end = (await play_to_end(matches, await start_match(matches))).match
    past = await matches.view(end.id, ply=end.ply, now=NOON)
    assert past == end


async def test_history_has_every_move_and_board(matches: Matches) -> None:
    view = await start_match(matches)
    played: list[LoggedMove] = []
    update = MatchUpdate(view, None)
    for _ in range(4):
        update = await play_move(matches, update.match)
        played += update.match.last_turn
    history = await matches.views.history(view.id)
    assert (history.start, history.moves) == (view.position, tuple(played))
    assert history.match == update.match


@pytest.mark.parametrize(("undone", "same"), [(0, 4), (1, 3), (2, 2)])
async def test_history_plays_only_what_is_not_known(matches: Matches, undone: int, same: int) -> None:
    view = await start_match(matches)
    for _ in range(4):
        view = (await play_move(matches, view)).match
    known = (await matches.views.history(view.id)).moves
    if undone:
        by = view.seats[undone % 2].person
        made = await matches.offers.make(view.id, by, OfferKind.TAKEBACK, now=NOON)
        assert made.match.pending_offer is not None
        other = view.seats[1 - undone % 2].person
        view = (await matches.offers.answer(made.match.pending_offer.id, other, accept=True, now=NOON)).match
        assert view.position is not None
        text = max(map(str, view.position.legal_moves()))
        view = (await matches.play(view.id, player_to_move(view), [text], now=NOON)).match
    else:
        view = (await play_move(matches, view)).match
    history = await matches.views.history(view.id, known=known)
    assert history == await matches.views.history(view.id)
    kept = [now.position is before.position for now, before in zip(history.moves, known, strict=False)]
    assert kept == [True] * same + [False] * (len(kept) - same)


async def test_history_of_pending_choice_is_empty(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    history = await matches.views.history(view.id)
    assert (history.start, history.moves, history.match) == (None, (), view)


@pytest.mark.parametrize("options", [SMALL, FREE, {"edition": "mindsports", "size": 9, "setup": "pairs"}])
async def test_announcement_shows_the_board_of_its_ply(
    matches: Matches, options: dict[str, OptionValue]
) -> None:
    update = MatchUpdate(await start_match(matches, options), None)
    told_then: list[MatchUpdate] = []
    for _ in range(12):
        update = await matches.play(
            update.match.id, player_to_move(update.match), [legal_move(update.match)], now=NOON
        )
        told_then += [update] if update.announcement else []
    assert len(told_then) > 5
    for then in told_then:
        seen = await matches.views.at_announcement(require_announcement(then.announcement))
        assert (seen.position, seen.last_turn, seen.unfinished_moves) == (
            then.match.position,
            then.match.last_turn,
            (),
        )
        assert (seen.to_move, seen.moves_due) == (then.match.to_move, then.match.moves_due)


async def test_announcement_of_the_choice_shows_it_pending_when_it_is_revealed(matches: Matches) -> None:
    made = await make_challenge(matches, options=FISTS)
    begun = await matches.challenges.accept(made.id, BOB, now=NOON)
    await matches.pick(begun.match.id, ALICE, "LL", now=NOON)
    revealed = await matches.pick(begun.match.id, BOB, "RR", now=NOON)
    seen = await matches.views.at_announcement(require_announcement(begun.announcement))
    assert (seen.state, seen.options["setup"]) == (MatchState.CHOOSING, "fists")
    assert (seen.position, seen.reveal, seen.picked_by, seen.is_current) == (None, None, (), False)
    assert await matches.views.at_announcement(require_announcement(revealed.announcement)) == revealed.match


async def test_announcement_of_an_offer_shows_it_when_it_is_declined(matches: Matches) -> None:
    view = await start_match(matches)
    offered = await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    assert await matches.views.at_announcement(require_announcement(offered.announcement)) == offered.match
    refused = await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    then = await matches.views.at_announcement(require_announcement(offered.announcement))
    now = await matches.views.at_announcement(require_announcement(refused.announcement))
    assert (end_offered_by(then), then.is_current) == (ALICE, False)
    assert (end_offered_by(now), now.is_current) == (None, True)


async def test_announcement_of_a_turn_is_not_current_after_a_resignation(matches: Matches) -> None:
    update = await play_move(matches, await start_match(matches))
    assert (await matches.views.at_announcement(require_announcement(update.announcement))).is_current
    resigned = await matches.resign(update.match.id, ALICE, now=NOON)
    then = await matches.views.at_announcement(require_announcement(update.announcement))
    now = await matches.views.at_announcement(require_announcement(resigned.announcement))
    assert (then.state, then.result, then.is_current) == (MatchState.PLAYING, None, False)
    assert now.result is not None
    assert (now.result.reason, now.is_current) == (EndReason.RESIGNED, True)


async def test_announcement_of_a_challenge_has_no_match(matches: Matches) -> None:
    update = await matches.challenges.create(ALICE, server=SERVER, channel=CHANNEL, game="morelli", now=NOON)
    with refused("match_unknown"):
        await matches.views.at_announcement(update.announcement)


async def test_list_starts_with_matches_that_wait_for_the_person(matches: Matches) -> None:
    theirs = (await play_move(matches, await start_match(matches, now=NOON))).match
    mine = await start_match(matches, now=later(hours=2))
    fists = await start_match(matches, FISTS, now=later(hours=1))
    listed = await matches.views.list_active_of(ALICE, SERVER)
    assert [line.id for line in listed] == [fists.id, mine.id, theirs.id]
    assert [line.waits_for for line in listed] == [(ALICE, BOB), (ALICE,), (BOB,)]


async def test_list_excludes_finished_foreign_and_other_servers_matches(matches: Matches) -> None:
    over = await start_match(matches)
    await matches.resign(over.id, ALICE, now=NOON)
    here = await start_match(matches)
    assert [line.id for line in await matches.views.list_active_of(BOB, SERVER)] == [here.id]
    assert await matches.views.list_active_of(BOB, "test:other") == ()
    assert await matches.views.list_active_of(CAROL, SERVER) == ()


async def test_summary_agrees_with_the_view(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches), now=later(hours=1))).match
    (line,) = await matches.views.list_active_of(ALICE, SERVER)
    assert (line.seats, line.options, line.state, line.ply) == (
        view.seats,
        view.options,
        view.state,
        view.ply,
    )
    assert (line.server, line.channel, line.game) == (view.server, view.channel, view.game)
    assert (line.changed_at, line.post) == (later(hours=1), None)


async def test_summary_has_the_latest_post(matches: Matches) -> None:
    update = await play_move(matches, await start_match(matches))
    await matches.announcements.mark_sent(
        require_announcement(update.announcement).id, "test:post/7", now=NOON
    )
    assert [line.post for line in await matches.views.list_active_of(ALICE, SERVER)] == ["test:post/7"]


async def test_awaiting_match_in_the_channel_is_found(matches: Matches) -> None:
    here = await start_match(matches)
    await start_match(matches, channel="test:elsewhere")
    await start_match(matches, FISTS)
    assert [line.id for line in await matches.views.list_awaiting_in(ALICE, CHANNEL)] == [here.id]
    assert await matches.views.list_awaiting_in(BOB, CHANNEL) == ()
    await play_move(matches, here)
    assert await matches.views.list_awaiting_in(ALICE, CHANNEL) == ()
    assert [line.id for line in await matches.views.list_awaiting_in(BOB, CHANNEL)] == [here.id]


async def test_announced_kinds_of_a_whole_match(matches: Matches) -> None:
    update = await matches.challenges.create(
        ALICE, to=BOB, server=SERVER, channel=CHANNEL, game="morelli", options=SMALL, now=NOON
    )
    view = (await matches.challenges.accept(update.challenge.id, BOB, now=NOON)).match
    view = (await play_move(matches, view)).match
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=True, now=NOON)
    kinds = []
    while rows := await matches.announcements.claim_due("test", now=later(minutes=1)):
        for row in rows:
            kinds.append(row.kind)
            await matches.announcements.mark_sent(row.id, f"test:{row.id}", now=later(minutes=1))
    assert kinds == [
        AnnouncementKind.CHALLENGED,
        AnnouncementKind.STARTED,
        AnnouncementKind.TURN,
        AnnouncementKind.OFFERED,
        AnnouncementKind.AGREED,
    ]
