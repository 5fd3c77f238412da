import pytest

from engine.game import Setting, Side
from matches import (
    AnnouncementKind,
    Matches,
    MatchState,
    MatchUnknown,
    Played,
    Reason,
    Turn,
)
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    NOWHERE,
    PLACE,
    SERVER,
    SMALL,
    begin,
    challenge,
    later,
    legal,
    move,
    mover,
    play_out,
    told,
)


async def test_unknown_match_is_refused(matches: Matches) -> None:
    for look in (matches.view, matches.history):
        with pytest.raises(MatchUnknown):
            await look(NOWHERE, now=NOON)


async def test_seats_know_who_sits_across(matches: Matches) -> None:
    view = await begin(matches)
    seat, opponent = view.seat(ALICE.account), view.opponent(ALICE.account)
    assert seat is not None
    assert opponent is not None
    assert (seat.side, opponent.person) == (Side.BLACK, BOB)
    assert (view.seat(CAROL.account), view.opponent(CAROL.account)) == (None, None)


async def test_every_past_board_is_seen_again(matches: Matches) -> None:
    turns = [Turn(await begin(matches), None)]
    for _ in range(5):
        turns.append(await move(matches, turns[-1].match, now=later(minutes=len(turns))))
    for ply, turn in enumerate(turns):
        past = await matches.view(turn.match.id, at=ply, now=NOON)
        assert (past.position, past.last, past.seats) == (
            turn.match.position,
            turn.match.last,
            turn.match.seats,
        )
        assert (past.ply, past.current, past.changed_at) == (ply, ply == 5, turn.match.changed_at)


async def test_past_of_a_run_is_seen_again(matches: Matches) -> None:
    turns = [Turn(await begin(matches, FREE), None)]
    for _ in range(9):
        view = turns[-1].match
        turns.append(await matches.play(view.id, mover(view), [legal(view)], now=NOON))
    for turn in turns:
        past = await matches.view(turn.match.id, at=turn.match.ply, now=NOON)
        assert (past.last, past.run, past.due) == (turn.match.last, turn.match.run, turn.match.due)


@pytest.mark.parametrize("at", [-1, 2])
async def test_board_beyond_the_log_is_refused(matches: Matches, at: int) -> None:
    view = (await move(matches, await begin(matches))).match
    with pytest.raises(MatchUnknown):
        await matches.view(view.id, at=at, now=NOON)


async def test_closed_fists_have_no_board_to_look_back_at(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    with pytest.raises(MatchUnknown):
        await matches.view(view.id, at=0, now=NOON)


async def test_past_knows_nothing_of_a_later_end(matches: Matches) -> None:
    view = (await move(matches, await begin(matches))).match
    await matches.resign(view.id, ALICE, now=NOON)
    past = await matches.view(view.id, at=1, now=NOON)
    assert (past.state, past.result, past.current) == (MatchState.PLAYING, None, False)


async def test_last_board_knows_that_the_rules_ended_the_game(matches: Matches) -> None:
    end = (await play_out(matches, await begin(matches))).match
    past = await matches.view(end.id, at=end.ply, now=NOON)
    assert past == end


async def test_history_holds_every_move_and_board(matches: Matches) -> None:
    view = await begin(matches)
    played: list[Played] = []
    turn = Turn(view, None)
    for _ in range(4):
        turn = await move(matches, turn.match)
        played += turn.match.last
    history = await matches.history(view.id, now=NOON)
    assert (history.start, history.moves) == (view.position, tuple(played))
    assert history.match == turn.match


async def test_history_of_closed_fists_is_empty(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    history = await matches.history(view.id, now=NOON)
    assert (history.start, history.moves, history.match) == (None, (), view)


@pytest.mark.parametrize("options", [SMALL, FREE, {"edition": "mindsports", "size": 9, "setup": "pairs"}])
async def test_announcement_shows_the_board_of_its_ply_whatever_came_later(
    matches: Matches, options: dict[str, Setting]
) -> None:
    turn = Turn(await begin(matches, options), None)
    told_then: list[Turn] = []
    for _ in range(12):
        turn = await matches.play(turn.match.id, mover(turn.match), [legal(turn.match)], now=NOON)
        told_then += [turn] if turn.announcement else []
    assert len(told_then) > 5
    for then in told_then:
        seen = await matches.view_of(told(then.announcement), now=NOON)
        assert (seen.position, seen.last, seen.run) == (then.match.position, then.match.last, ())
        assert (seen.to_move, seen.due) == (then.match.to_move, then.match.due)


async def test_announcement_of_fists_shows_them_closed_when_they_are_open(matches: Matches) -> None:
    made = await challenge(matches, options=FISTS)
    begun = await matches.accept(made.id, BOB, now=NOON)
    await matches.pick(begun.match.id, ALICE, "LL", now=NOON)
    revealed = await matches.pick(begun.match.id, BOB, "RR", now=NOON)
    seen = await matches.view_of(told(begun.announcement), now=NOON)
    assert (seen.state, seen.options["setup"]) == (MatchState.FISTS, "fists")
    assert (seen.position, seen.reveal, seen.picked, seen.current) == (None, None, (), False)
    assert await matches.view_of(told(revealed.announcement), now=NOON) == revealed.match


async def test_announcement_of_an_offer_shows_it_when_it_is_declined(matches: Matches) -> None:
    view = await begin(matches)
    offered = await matches.offer_end(view.id, ALICE, now=NOON)
    assert await matches.view_of(told(offered.announcement), now=NOON) == offered.match
    refused = await matches.answer_end(view.id, BOB, accept=False, now=NOON)
    then = await matches.view_of(told(offered.announcement), now=NOON)
    now = await matches.view_of(told(refused.announcement), now=NOON)
    assert (then.offer, then.current) == (ALICE, False)
    assert (now.offer, now.current) == (None, True)


async def test_announcement_of_a_turn_is_not_current_after_a_resignation(matches: Matches) -> None:
    turn = await move(matches, await begin(matches))
    assert (await matches.view_of(told(turn.announcement), now=NOON)).current
    resigned = await matches.resign(turn.match.id, ALICE, now=NOON)
    then = await matches.view_of(told(turn.announcement), now=NOON)
    now = await matches.view_of(told(resigned.announcement), now=NOON)
    assert (then.state, then.result, then.current) == (MatchState.PLAYING, None, False)
    assert now.result is not None
    assert (now.result.reason, now.current) == (Reason.RESIGNED, True)


async def test_announcement_of_a_challenge_has_no_match(matches: Matches) -> None:
    step = await matches.challenge(ALICE, server=SERVER, place=PLACE, game="morelli", now=NOON)
    with pytest.raises(MatchUnknown):
        await matches.view_of(step.announcement, now=NOON)


async def test_list_begins_with_what_waits_for_me(matches: Matches) -> None:
    theirs = (await move(matches, await begin(matches, now=NOON))).match
    mine = await begin(matches, now=later(hours=2))
    fists = await begin(matches, FISTS, now=later(hours=1))
    listed = await matches.games(ALICE, SERVER, now=NOON)
    assert [line.id for line in listed] == [fists.id, mine.id, theirs.id]
    assert [line.waits_for for line in listed] == [(ALICE, BOB), (ALICE,), (BOB,)]


async def test_list_leaves_out_what_is_over_elsewhere_or_of_others(matches: Matches) -> None:
    over = await begin(matches)
    await matches.resign(over.id, ALICE, now=NOON)
    here = await begin(matches)
    assert [line.id for line in await matches.games(BOB, SERVER, now=NOON)] == [here.id]
    assert await matches.games(BOB, "test:other", now=NOON) == ()
    assert await matches.games(CAROL, SERVER, now=NOON) == ()


async def test_line_of_a_list_says_what_a_view_says(matches: Matches) -> None:
    view = (await move(matches, await begin(matches), now=later(hours=1))).match
    (line,) = await matches.games(ALICE, SERVER, now=NOON)
    assert (line.seats, line.options, line.state, line.ply) == (
        view.seats,
        view.options,
        view.state,
        view.ply,
    )
    assert (line.server, line.place, line.game) == (view.server, view.place, view.game)
    assert (line.changed_at, line.post) == (later(hours=1), None)


async def test_line_of_a_list_leads_to_the_latest_post(matches: Matches) -> None:
    turn = await move(matches, await begin(matches))
    await matches.announced(told(turn.announcement).id, "test:post/7", now=NOON)
    assert [line.post for line in await matches.games(ALICE, SERVER, now=NOON)] == ["test:post/7"]


async def test_match_that_waits_for_me_here_is_found(matches: Matches) -> None:
    here = await begin(matches)
    await begin(matches, place="test:elsewhere")
    await begin(matches, FISTS)
    assert [line.id for line in await matches.waiting(ALICE, PLACE, now=NOON)] == [here.id]
    assert await matches.waiting(BOB, PLACE, now=NOON) == ()
    await move(matches, here)
    assert await matches.waiting(ALICE, PLACE, now=NOON) == ()
    assert [line.id for line in await matches.waiting(BOB, PLACE, now=NOON)] == [here.id]


async def test_announced_kinds_of_a_whole_match(matches: Matches) -> None:
    step = await matches.challenge(
        ALICE, to=BOB, server=SERVER, place=PLACE, game="morelli", options=SMALL, now=NOON
    )
    view = (await matches.accept(step.challenge.id, BOB, now=NOON)).match
    view = (await move(matches, view)).match
    await matches.offer_end(view.id, ALICE, now=NOON)
    await matches.answer_end(view.id, BOB, accept=True, now=NOON)
    kinds = []
    while rows := await matches.unannounced(now=later(minutes=1)):
        for row in rows:
            kinds.append(row.kind)
            await matches.announced(row.id, f"test:{row.id}", now=later(minutes=1))
    assert kinds == [
        AnnouncementKind.CHALLENGED,
        AnnouncementKind.STARTED,
        AnnouncementKind.TURN,
        AnnouncementKind.OFFERED,
        AnnouncementKind.AGREED,
    ]
