"""The computer as an opponent: what it owes, who may take it, and what needs no answer."""

import asyncio
from datetime import timedelta

from sqlalchemy import select, update

from engine.game import Side
from matches import (
    AnnouncementKind,
    ComputerTask,
    Database,
    Matches,
    MatchState,
    MatchUpdate,
    MatchView,
    MoveReason,
    OfferKind,
    Person,
    Terms,
    computer_level,
    is_computer,
    parse_time_control,
)
from matches.computer.service import ANSWER_DELAY, LEASE, MAX_ACTIVE, computer_person
from storage.tables import MATCHES
from tests.games import GAMES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    FISTS,
    NOON,
    SERVER,
    SMALL,
    later,
    legal_move,
    make_challenge,
    play_move,
    require_announcement,
)
from tests.refusals import refused

CLUB = computer_person("club")


async def start(
    matches: Matches,
    options: dict[str, str | int] | None = None,
    *,
    colour: Side | None = Side.WHITE,
    terms: Terms | None = None,
) -> MatchUpdate:
    """Start a match of Alice against the computer, which by default is to move."""
    return await matches.computer.start(
        ALICE,
        level="club",
        server=SERVER,
        channel=CHANNEL,
        game="morelli",
        options=SMALL if options is None else options,
        colour=colour,
        terms=terms,
        now=NOON,
    )


async def claim_one(matches: Matches, **amount: float) -> ComputerTask:
    (task,) = await matches.computer.claim(now=later(**amount), limit=5)
    return task


async def answer(matches: Matches, task: ComputerTask, **amount: float) -> MatchUpdate:
    """Play the first legal move for the computer."""
    return await matches.play(
        task.view.id,
        task.person,
        [legal_move(task.view)],
        seen_revision=task.view.revision,
        latest_only=True,
        now=later(**amount),
    )


async def think_at(database: Database, view: MatchView) -> int | None:
    async with database.read() as connection:
        query = select(MATCHES.c.think_at).where(MATCHES.c.id == view.id)
        return (await connection.execute(query)).scalar_one()  # type: ignore[no-any-return]


async def test_match_starts_at_once_and_is_answered_once(matches: Matches, other_matches: Matches) -> None:
    update = await start(matches)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.STARTED, (ALICE.account,))
    assert (update.match.state, update.match.terms.rated, update.match.time) == (
        MatchState.PLAYING,
        False,
        None,
    )
    assert [seat.person.name for seat in update.match.seats] == ["Rayuela (club)", "Alice"]
    claims = await asyncio.gather(
        *(one.computer.claim(now=later(seconds=1)) for one in (matches, other_matches) * 2)
    )
    ((task,),) = [found for found in claims if found]
    assert (task.person, computer_level(task.person.account), task.level) == (CLUB, "club", "club")
    assert task.answer_from == NOON + ANSWER_DELAY
    assert await matches.computer.is_thinking()
    assert not await matches.computer.is_due(now=later(seconds=1))
    # The worker is killed: its lease ends, and another one answers. Then the first comes back.
    again = await claim_one(other_matches, seconds=1 + LEASE.total_seconds())
    played = require_announcement((await answer(other_matches, again, seconds=90)).announcement)
    assert (played.by, played.recipients) == (CLUB.account, (ALICE.account,))
    with refused("stale_board", "not_your_turn"):
        await answer(matches, task, seconds=91)
    assert not await matches.computer.is_thinking()
    due = await matches.announcements.claim_due("test", now=later(seconds=90))
    assert [(row.kind, row.ply) for row in due] == [(AnnouncementKind.STARTED, 0)]  # then the turn, at once
    await matches.announcements.mark_sent(due[0].id, "1/1", now=NOON)
    assert [row.id for row in await matches.announcements.claim_due("test", now=later(seconds=90))] == [
        played.id
    ]


async def test_lease_lasts_as_long_as_it_is_renewed(matches: Matches, other_matches: Matches) -> None:
    view = (await start(matches, colour=Side.BLACK)).match
    view = (await play_move(matches, view)).match
    task: ComputerTask | None = await claim_one(matches, seconds=1)
    for seconds in (7, 13, 19):
        assert task is not None
        task = await matches.computer.renew(task, now=later(seconds=seconds))
        assert await other_matches.computer.claim(now=later(seconds=seconds + 9)) == ()
    assert task is not None
    taken = await claim_one(other_matches, seconds=19 + LEASE.total_seconds())  # it came too late
    assert await matches.computer.renew(task, now=later(seconds=30)) is None
    await matches.offers.make(view.id, ALICE, OfferKind.TAKEBACK, now=later(seconds=31))
    assert await other_matches.computer.renew(taken, now=later(seconds=32)) is None
    assert not await matches.computer.is_thinking()


async def test_takeback_needs_no_answer(matches: Matches) -> None:
    view = (await start(matches, colour=Side.BLACK)).match
    view = (await play_move(matches, view)).match
    task = await claim_one(matches, seconds=1)
    view = (await matches.offers.make(view.id, ALICE, OfferKind.TAKEBACK, now=later(seconds=2))).match
    assert (view.ply, view.takebacks, view.pending_offer, view.to_move) == (0, 1, None, view.seats[0])
    with refused("stale_board", "not_your_turn"):  # the move that it was still searching
        await answer(matches, task, seconds=3)
    assert not await matches.computer.is_thinking()
    view = (await play_move(matches, view)).match
    view = (await answer(matches, await claim_one(matches, seconds=4), seconds=5)).match
    update = await matches.offers.make(view.id, ALICE, OfferKind.TAKEBACK, now=later(seconds=6))
    taken_back = require_announcement(update.announcement)
    assert (taken_back.kind, taken_back.by, update.match.ply) == (
        AnnouncementKind.TAKEN_BACK,
        ALICE.account,
        0,
    )


async def test_both_choose_before_either_sees_the_other_choice(matches: Matches) -> None:
    view = (await start(matches, FISTS)).match
    task = await claim_one(matches, seconds=1)
    assert task.view.state is MatchState.CHOOSING
    view = (await matches.pick(view.id, ALICE, "LR", now=later(seconds=2))).match
    again = await claim_one(matches, seconds=3)
    assert (again.view.reveal, [one.account for one in again.view.picked_by]) == (None, [ALICE.account])
    update = await matches.pick(view.id, again.person, "LR", now=later(seconds=4))
    assert update.match.state is MatchState.PLAYING
    mover = update.match.to_move
    assert mover is not None
    assert await matches.computer.is_thinking() == is_computer(mover.person.account)


async def test_offers_wait_for_an_answer_and_then_for_the_move(matches: Matches) -> None:
    view = (await start(matches, colour=Side.BLACK)).match
    view = (await matches.offers.make(view.id, ALICE, OfferKind.END, now=later(seconds=1))).match
    task = await claim_one(matches, seconds=2)
    offer = task.view.pending_offer
    assert offer is not None
    assert offer.by.account == ALICE.account
    await matches.offers.answer(offer.id, task.person, accept=False, now=later(seconds=3))
    assert not await matches.computer.is_thinking()
    view = (await play_move(matches, view, now=later(seconds=4))).match
    offered = await matches.offers.make(view.id, ALICE, OfferKind.END, now=later(seconds=5))
    assert offered.match.pending_offer is not None
    await matches.offers.withdraw(offered.match.pending_offer.id, ALICE, now=later(seconds=6))
    task = await claim_one(matches, seconds=7)
    assert (task.view.pending_offer, task.view.to_move) == (None, task.view.seats[1])


async def test_rematch_begins_at_once_with_other_sides(matches: Matches) -> None:
    view = (await start(matches)).match
    await matches.resign(view.id, ALICE, now=later(seconds=1))
    rematch = await matches.rematches.request(
        view.id, ALICE, server=SERVER, channel=CHANNEL, now=later(days=1)
    )
    assert isinstance(rematch, MatchUpdate)
    assert [seat.person.account for seat in rematch.match.seats] == [ALICE.account, CLUB.account]
    assert rematch.match.id != view.id


async def test_only_the_challenger_calls_the_computer_to_an_open_challenge(matches: Matches) -> None:
    challenge = await make_challenge(matches, terms=Terms(time_control=parse_time_control("1d")))
    addressed = await make_challenge(matches, to=BOB)
    with refused("not_challenger"):
        await matches.computer.take_challenge(challenge.id, BOB, level="club", now=NOON)
    with refused("not_addressee"):
        await matches.computer.take_challenge(addressed.id, ALICE, level="club", now=NOON)
    with refused("level_unknown"):
        await matches.computer.take_challenge(challenge.id, ALICE, level="god", now=NOON)
    view = (await matches.computer.take_challenge(challenge.id, ALICE, level="club", now=NOON)).match
    assert (view.terms.rated, view.time) == (False, None)
    assert {seat.person.account for seat in view.seats} == {ALICE.account, CLUB.account}
    with refused("challenge_accepted"):
        await matches.challenges.accept(challenge.id, BOB, now=NOON)


async def test_nobody_plays_in_the_name_of_the_computer(matches: Matches) -> None:
    for by, to in ((ALICE, CLUB), (CLUB, ALICE), (CLUB, None)):
        with refused("bot_challenge"):
            await make_challenge(matches, by, to)
    with refused("bot_challenge"):
        await matches.challenges.accept((await make_challenge(matches)).id, CLUB, now=NOON)
    with refused("bot_challenge"):
        await matches.computer.start(
            Person(CLUB.account, "x"), level="club", server=SERVER, channel=CHANNEL, game="morelli", now=NOON
        )


async def test_computer_is_never_out_of_time_or_patience(matches: Matches) -> None:
    view = (await start(matches, terms=Terms(time_control=parse_time_control("1d")))).match
    assert view.time is not None
    assert [seat.deadline for seat in view.time.seats] == [None, None]
    await matches.clocks.tick(now=later(days=60))
    assert (await matches.view(view.id, now=NOON)).result is None
    await answer(matches, await claim_one(matches, days=60), days=60)
    paused = await matches.clocks.pauses.offer(view.id, ALICE, now=later(days=60, minutes=1))
    assert paused.match.time is not None
    assert paused.match.time.paused
    without_clock = (await start(matches)).match
    for match in (view.id, without_clock.id):
        with refused("computer_never_late"):
            await matches.clocks.timeouts.claim(match, ALICE, now=later(days=61))
        with refused("computer_never_late"):
            await matches.clocks.timeouts.give_time(match, ALICE, timedelta(days=1), now=later(days=61))
        with refused("computer_never_late"):
            await matches.clocks.abandoned.nudge(match, ALICE, now=later(days=61))
    assert await matches.people.reminders.remind(now=later(days=61)) == 0


async def test_what_is_owed_is_found_in_the_matches(matches: Matches, database: Database) -> None:
    owed, waiting = (await start(matches)).match, (await start(matches, colour=Side.BLACK)).match
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).values(think_at=None))
    assert not await matches.computer.is_thinking()
    assert await matches.computer.restore(now=NOON) == 1
    assert (await claim_one(matches, seconds=1)).view.id == owed.id
    assert await think_at(database, waiting) is None
    async with database.transaction() as connection:  # and what is not owed is forgotten
        await connection.execute(update(MATCHES).where(MATCHES.c.id == waiting.id).values(think_at=1))
    assert await matches.computer.claim(now=later(seconds=1), limit=5) == ()
    assert await think_at(database, waiting) is None


async def test_nothing_is_sent_to_the_computer_where_the_channel_is_lost(matches: Matches) -> None:
    view = (await start(matches, colour=Side.BLACK)).match
    await matches.posting.places.lose(SERVER, CHANNEL, MoveReason.FORBIDDEN, now=later(seconds=1))
    await play_move(matches, view, now=later(seconds=2))
    await answer(matches, await claim_one(matches, seconds=3), seconds=4)
    while rows := await matches.announcements.claim_due("test", now=later(minutes=5)):
        for row in rows:
            assert (row.to, row.is_direct) == (ALICE.account, True)
            await matches.announcements.mark_sent(row.id, f"1/{row.id}", now=later(minutes=5))


async def test_number_of_matches_is_limited(matches: Matches) -> None:
    for _ in range(MAX_ACTIVE):
        await start(matches)
    with refused("too_many_computer_matches"):
        await start(matches)


async def test_turns_against_people_come_first(matches: Matches) -> None:
    alone = (await start(matches, colour=Side.BLACK)).match
    challenge = await make_challenge(matches, to=BOB)
    later_match = (await matches.challenges.accept(challenge.id, BOB, now=later(hours=1))).match
    lines = await matches.views.list_awaiting(ALICE, server=SERVER)
    assert [line.id for line in lines] == [later_match.id, alone.id]


async def test_only_the_person_is_rated_and_only_where_the_server_wants_it(database: Database) -> None:
    matches = Matches(database, games=GAMES, computer_ratings={("morelli", "club"): 1700.0})
    assert not (await start(matches, colour=Side.BLACK)).match.terms.rated
    await matches.servers.change(SERVER, BOB, rate_computer=True, now=NOON)
    for number in range(2):
        view = (await start(matches, colour=Side.BLACK)).match
        assert view.terms.rated
        await play_move(matches, view)
        await answer(matches, await claim_one(matches, seconds=1), seconds=2)
        await matches.resign(view.id, CLUB if number else ALICE, now=later(minutes=number))
    (change,) = await matches.ratings.changes(view.id, now=NOON)
    assert change.person == ALICE
    assert change.after.rating > change.before.rating
    board = await matches.ratings.leaderboard(SERVER, "morelli", now=later(days=1))
    assert [line.person for line in board.standings] == [ALICE]
    await matches.ratings.recompute()
    assert await matches.ratings.audit() == {}
    assert not (
        await matches.computer.start(
            ALICE, level="expert", server=SERVER, channel=CHANNEL, game="morelli", now=NOON + timedelta(1)
        )
    ).match.terms.rated


async def test_level_between_two_others_has_a_rating_of_its_own_and_is_kept_by_rematches(
    database: Database,
) -> None:
    known = {("morelli", "club"): 1700.0, ("morelli", "club+"): 1790.0}
    matches = Matches(database, games=GAMES, computer_ratings=known)
    await matches.servers.change(SERVER, BOB, rate_computer=True, now=NOON)
    view, unrated = [
        (
            await matches.computer.start(
                ALICE, level=level, server=SERVER, channel=CHANNEL, game="morelli", now=NOON
            )
        ).match
        for level in ("club+", "casual+")
    ]
    assert (view.terms.rated, unrated.terms.rated) == (True, False)
    await matches.resign(view.id, ALICE, now=later(seconds=1))
    again = await matches.rematches.request(
        view.id, ALICE, server=SERVER, channel=CHANNEL, now=later(hours=1)
    )
    assert isinstance(again, MatchUpdate)
    assert again.match.terms == view.terms
    assert {seat.person for seat in again.match.seats} == {ALICE, computer_person("club+")}


async def test_excluded_person_cannot_play_the_computer(matches: Matches) -> None:
    open_challenge = await make_challenge(matches, to=None)
    await matches.people.blocks.exclude(SERVER, ALICE, BOB, now=NOON)
    with refused("excluded"):
        await start(matches)
    with refused("challenge_withdrawn"):
        await matches.computer.take_challenge(open_challenge.id, ALICE, level="club", now=NOON)
