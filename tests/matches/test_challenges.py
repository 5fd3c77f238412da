import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from engine.game import OptionValue, Side
from matches import AnnouncementKind, ChallengeId, ChallengeState, Matches, MatchState, Person
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    NOON,
    ROBOT,
    SERVER,
    SMALL,
    UNKNOWN_CHALLENGE,
    later,
    make_challenge,
)
from tests.refusals import refusal_key, refused

Act = Callable[[Matches, ChallengeId], Coroutine[Any, Any, object]]


def accepts(person: Person) -> Act:
    return lambda matches, number: matches.challenges.accept(number, person, now=NOON)


def declines(person: Person) -> Act:
    return lambda matches, number: matches.challenges.decline(number, person, now=NOON)


def withdraws(person: Person) -> Act:
    return lambda matches, number: matches.challenges.withdraw(number, person, now=NOON)


async def test_challenge_notifies_its_addressee(matches: Matches) -> None:
    update = await matches.challenges.create(
        ALICE, to=BOB, server=SERVER, channel=CHANNEL, game="morelli", options=SMALL, now=NOON
    )
    assert update.announcement.kind is AnnouncementKind.CHALLENGED
    assert (update.announcement.by, update.announcement.recipients) == (ALICE.account, (BOB.account,))
    assert (update.announcement.challenge, update.announcement.channel) == (update.challenge.id, CHANNEL)


async def test_open_challenge_notifies_nobody(matches: Matches) -> None:
    update = await matches.challenges.create(ALICE, server=SERVER, channel=CHANNEL, game="morelli", now=NOON)
    assert (update.challenge.to, update.announcement.recipients) == (None, ())


async def test_challenge_completes_its_options(matches: Matches) -> None:
    made = await make_challenge(matches, options={"edition": "2015", "size": "9"})
    assert made.options == {"edition": "2015", "size": 9, "setup": "random"}


async def test_challenge_expires_after_a_week(matches: Matches) -> None:
    made = await make_challenge(matches)
    assert (made.state, made.made_at, made.expires_at) == (ChallengeState.OPEN, NOON, later(days=7))


async def test_challenge_is_found_again(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, options=FISTS, colour=Side.WHITE)
    assert await matches.challenges.find(made.id, now=NOON) == made


@pytest.mark.parametrize(
    ("changes", "refusal", "values"),
    [
        ({"to": ALICE}, "self_challenge", {}),
        ({"to": ROBOT}, "bot_challenge", {"name": ROBOT}),
        ({"by": ROBOT}, "bot_challenge", {"name": ROBOT}),
        ({"game": "chess"}, "game_unknown", {"game": "chess"}),
        ({"options": {"size": 10}}, "invalid_option", {"text": "10"}),
        ({"options": {"edition": "2015", "setup": "fists"}}, "invalid_option", {"text": "fists"}),
        ({"options": {"time_control": 3}}, "invalid_option", {"text": "time_control"}),
        ({"options": {"edition": "2015", "seed": 1}}, "option_is_random", {"option": "seed"}),
        ({"colour": Side.RED}, "invalid_colour", {"colour": "red", "sides": ("black", "white")}),
    ],
)
async def test_impossible_challenge_is_refused(
    matches: Matches, changes: dict[str, Any], refusal: str, values: dict[str, OptionValue]
) -> None:
    asked: dict[str, Any] = {"by": ALICE, "to": BOB, "game": "morelli", "options": SMALL, **changes}
    with refused(refusal) as caught:
        await matches.challenges.create(**asked, server=SERVER, channel=CHANNEL, now=NOON)
    assert values.items() <= caught.value.values.items()
    assert await matches.challenges.list_for_person(ALICE, SERVER, now=NOON) == ()


@pytest.mark.long
async def test_eleventh_open_challenge_is_refused(matches: Matches) -> None:
    for _ in range(10):
        await make_challenge(matches)
    with refused("too_many_challenges") as caught:
        await make_challenge(matches, to=BOB)
    assert caught.value.values == {"limit": 10}


@pytest.mark.parametrize("ends", [accepts(BOB), declines(BOB), withdraws(ALICE)])
async def test_closed_challenge_does_not_count_for_the_limit(matches: Matches, ends: Act) -> None:
    made = await make_challenge(matches, to=BOB)
    for _ in range(9):
        await make_challenge(matches)
    await ends(matches, made.id)
    assert (await make_challenge(matches)).state is ChallengeState.OPEN


@pytest.mark.long
async def test_expired_challenge_does_not_count_for_the_limit(matches: Matches) -> None:
    for _ in range(10):
        await make_challenge(matches)
    assert (await make_challenge(matches, now=later(days=7))).state is ChallengeState.OPEN


@pytest.mark.long
async def test_limit_holds_for_concurrent_challenges(matches: Matches, other_matches: Matches) -> None:
    tries = [make_challenge(board_posts) for _ in range(8) for board_posts in (matches, other_matches)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(refusal_key(outcome) == "too_many_challenges" for outcome in done) == 6
    assert len(await matches.challenges.list_for_person(ALICE, SERVER, now=NOON)) == 10


@pytest.mark.parametrize("colour", [Side.BLACK, Side.WHITE])
async def test_challenger_gets_the_colour_that_was_asked(matches: Matches, colour: Side) -> None:
    made = await make_challenge(matches, colour=colour)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    seats = {seat.side: seat.person for seat in update.match.seats}
    assert seats == {colour: ALICE, ({Side.BLACK, Side.WHITE} - {colour}).pop(): BOB}


async def test_colour_is_random_by_default(matches: Matches) -> None:
    firsts = set()
    for _ in range(64):
        made = await make_challenge(matches, colour=None)
        firsts.add((await matches.challenges.accept(made.id, BOB, now=NOON)).match.seats[0].person)
        if len(firsts) == 2:
            return
    pytest.fail("64 draws gave the same colour")


async def test_accepted_challenge_starts_a_match(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, options=SMALL)
    update = await matches.challenges.accept(made.id, BOB, now=later(hours=1))
    announcement = update.announcement
    assert announcement is not None
    assert (update.match.state, update.match.ply, update.match.challenge) == (MatchState.PLAYING, 0, made.id)
    assert (update.match.server, update.match.channel, update.match.made_at) == (
        SERVER,
        CHANNEL,
        later(hours=1),
    )
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.STARTED, (ALICE.account,))


async def test_accepted_challenge_names_its_match(matches: Matches) -> None:
    made = await make_challenge(matches)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    found = await matches.challenges.find(made.id, now=NOON)
    assert (found.state, found.match) == (ChallengeState.ACCEPTED, update.match.id)


async def test_match_can_be_in_another_channel_than_its_challenge(matches: Matches) -> None:
    made = await make_challenge(matches)
    update = await matches.challenges.accept(made.id, BOB, channel="test:thread", now=NOON)
    announcement = update.announcement
    assert announcement is not None
    assert (update.match.channel, announcement.channel) == ("test:thread", "test:thread")


async def test_seed_is_drawn_once_and_stored(matches: Matches) -> None:
    made = await make_challenge(matches, options={"edition": "2015", "size": 9})
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    assert "seed" in update.match.options
    assert (await matches.view(update.match.id, ply=0, now=NOON)).position == update.match.position


@pytest.mark.long
async def test_two_random_set_ups_differ(matches: Matches) -> None:
    boards = set()
    for _ in range(4):
        made = await make_challenge(matches, options={"edition": "2015"})
        boards.add((await matches.challenges.accept(made.id, BOB, now=NOON)).match.position)
    assert len(boards) == 4


@pytest.mark.parametrize(
    ("to", "act", "refusal"),
    [
        (BOB, accepts(ALICE), "own_challenge"),
        (None, accepts(ALICE), "own_challenge"),
        (BOB, accepts(CAROL), "not_addressee"),
        (None, accepts(ROBOT), "bot_challenge"),
        (BOB, declines(ALICE), "own_challenge"),
        (BOB, declines(CAROL), "not_addressee"),
        (None, declines(BOB), "not_addressee"),
        (BOB, withdraws(BOB), "not_challenger"),
        (None, withdraws(CAROL), "not_challenger"),
    ],
)
async def test_challenge_is_closed_by_its_addressee_or_maker_only(
    matches: Matches, to: Person | None, act: Act, refusal: str
) -> None:
    made = await make_challenge(matches, to=to)
    with refused(refusal):
        await act(matches, made.id)
    assert await matches.challenges.find(made.id, now=NOON) == made


@pytest.mark.parametrize(
    ("ends", "refusal"),
    [
        (accepts(BOB), "challenge_accepted"),
        (declines(BOB), "challenge_declined"),
        (withdraws(ALICE), "challenge_withdrawn"),
    ],
)
@pytest.mark.parametrize("act", [accepts(BOB), declines(BOB), withdraws(ALICE), accepts(CAROL)])
async def test_closed_challenge_says_how_it_was_closed(
    matches: Matches, ends: Act, refusal: str, act: Act
) -> None:
    made = await make_challenge(matches, to=BOB)
    await ends(matches, made.id)
    with refused(refusal):
        await act(matches, made.id)


@pytest.mark.parametrize(("person", "you"), [(BOB, 1), (CAROL, 0)])
async def test_accepted_challenge_names_accepter_and_match(
    matches: Matches, person: Person, you: int
) -> None:
    made = await make_challenge(matches)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    with refused("challenge_accepted") as caught:
        await matches.challenges.accept(made.id, person, now=NOON)
    assert caught.value.values == {"challenge": made.id, "by": BOB, "you": you, "match": update.match.id}


@pytest.mark.parametrize("act", [accepts(BOB), declines(BOB), withdraws(ALICE)])
async def test_unknown_challenge_is_refused(matches: Matches, act: Act) -> None:
    with refused("challenge_unknown"):
        await act(matches, UNKNOWN_CHALLENGE)


@pytest.mark.parametrize(
    ("act", "kind", "recipients"),
    [
        (declines(BOB), AnnouncementKind.DECLINED, (ALICE.account,)),
        (withdraws(ALICE), AnnouncementKind.WITHDRAWN, (BOB.account,)),
    ],
)
async def test_end_of_a_challenge_is_announced(
    matches: Matches, act: Act, kind: AnnouncementKind, recipients: tuple[str, ...]
) -> None:
    made = await make_challenge(matches, to=BOB)
    update: Any = await act(matches, made.id)
    assert (update.announcement.kind, update.announcement.recipients) == (kind, recipients)


@pytest.mark.parametrize("swept", [False, True])
async def test_expired_challenge_is_refused(matches: Matches, *, swept: bool) -> None:
    made = await make_challenge(matches, to=BOB)
    if swept:
        await matches.challenges.expire(now=later(days=7))
    for act in (matches.challenges.accept, matches.challenges.decline):
        with refused("challenge_expired"):
            await act(made.id, BOB, now=later(days=7))
    with refused("challenge_expired"):
        await matches.challenges.withdraw(made.id, ALICE, now=later(days=7))


async def test_challenge_can_be_accepted_until_the_last_moment(matches: Matches) -> None:
    made = await make_challenge(matches)
    update = await matches.challenges.accept(made.id, BOB, now=later(days=6, hours=23, minutes=59))
    assert update.match.state is MatchState.PLAYING


async def test_only_overdue_challenges_expire(matches: Matches) -> None:
    old = await make_challenge(matches)
    await make_challenge(matches, now=later(hours=1))
    taken = await make_challenge(matches)
    await matches.challenges.accept(taken.id, BOB, now=NOON)
    expired = await matches.challenges.expire(now=later(days=7))
    assert [(each.id, each.state) for each in expired] == [(old.id, ChallengeState.EXPIRED)]
    assert await matches.challenges.expire(now=later(days=7)) == ()


async def test_expiry_is_announced_to_the_challenger_at_once(matches: Matches) -> None:
    update = await matches.challenges.create(ALICE, server=SERVER, channel=CHANNEL, game="morelli", now=NOON)
    await matches.announcements.mark_sent(update.announcement.id, "test:post", now=NOON)
    await matches.challenges.expire(now=later(days=7))
    (announcement,) = await matches.announcements.claim_due("test", now=later(days=7))
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.EXPIRED, (ALICE.account,))
    assert announcement.challenge == update.challenge.id


async def test_list_shows_open_challenges_of_a_person_in_a_server(matches: Matches) -> None:
    mine = await make_challenge(matches)
    for_me = await make_challenge(matches, by=BOB, to=ALICE)
    await make_challenge(matches, by=BOB, to=CAROL)
    await make_challenge(matches, by=BOB)
    closed = await make_challenge(matches)
    await matches.challenges.withdraw(closed.id, ALICE, now=NOON)
    await matches.challenges.create(ALICE, server="test:other", channel=CHANNEL, game="morelli", now=NOON)
    assert await matches.challenges.list_for_person(ALICE, SERVER, now=NOON) == (mine, for_me)
    assert await matches.challenges.list_for_person(ALICE, SERVER, now=later(days=7)) == ()


async def test_one_of_two_concurrent_accepts_succeeds(matches: Matches, other_matches: Matches) -> None:
    made = await make_challenge(matches)
    done = await asyncio.gather(
        matches.challenges.accept(made.id, BOB, now=NOON),
        other_matches.challenges.accept(made.id, CAROL, now=NOON),
        return_exceptions=True,
    )
    refusals = [outcome for outcome in done if refusal_key(outcome) == "challenge_accepted"]
    assert len(refusals) == 1
    assert len(await matches.views.list_active_of(ALICE, SERVER)) == 1


async def test_concurrent_withdrawal_and_accept_are_serialised(
    matches: Matches, other_matches: Matches
) -> None:
    made = await make_challenge(matches)
    done = await asyncio.gather(
        matches.challenges.withdraw(made.id, ALICE, now=NOON),
        other_matches.challenges.accept(made.id, BOB, now=NOON),
        return_exceptions=True,
    )
    assert sum(refusal_key(outcome) in {"challenge_accepted", "challenge_withdrawn"} for outcome in done) == 1


async def test_new_name_is_used_everywhere(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB)
    await make_challenge(matches, by=Person(ALICE.account, "Countess Alice"))
    assert (await matches.challenges.find(made.id, now=NOON)).by.name == "Countess Alice"
