"""Rematches: the same game and terms, with sides changed."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.game import OptionValue, Side
from matches import (
    AnnouncementKind,
    Challenge,
    ChallengeState,
    ChallengeUpdate,
    Matches,
    MatchState,
    MatchView,
    Person,
    Terms,
    parse_time_control,
)
from matches.terms import DEFAULT_TERMS
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    NOON,
    SERVER,
    SMALL,
    later,
    make_challenge,
    play_move,
    start_match,
)
from tests.refusals import refused

DAILY = replace(DEFAULT_TERMS, time_control=parse_time_control("1 day"), takebacks_allowed=False, rated=False)


async def play_finished_match(
    matches: Matches, options: dict[str, OptionValue] | None = None, *, game: str = "morelli"
) -> MatchView:
    view = await start_match(matches, options, game=game)
    return (await matches.resign(view.id, BOB, now=NOON)).match


async def offer_rematch(
    matches: Matches, view: MatchView, by: Person = ALICE, channel: str = CHANNEL
) -> Challenge:
    update = await matches.rematches.request(view.id, by, server=SERVER, channel=channel, now=NOON)
    assert isinstance(update, ChallengeUpdate)
    return update.challenge


async def start_rematch(matches: Matches, view: MatchView, by: Person = ALICE) -> MatchView:
    other = BOB if by is ALICE else ALICE
    return (
        await matches.challenges.accept((await offer_rematch(matches, view, by)).id, other, now=NOON)
    ).match


def sides(view: MatchView) -> dict[str, Side]:
    return {seat.person.name: seat.side for seat in view.seats}


async def test_rematch_is_a_challenge_to_the_opponent(matches: Matches) -> None:
    view = await play_finished_match(matches)
    update = await matches.rematches.request(view.id, BOB, server=SERVER, channel="test:elsewhere", now=NOON)
    assert isinstance(update, ChallengeUpdate)
    made = update.challenge
    assert (made.by, made.to, made.rematch_of) == (BOB, ALICE, view.id)
    assert (made.server, made.channel, made.state) == (SERVER, "test:elsewhere", ChallengeState.OPEN)
    assert (update.announcement.kind, update.announcement.recipients) == (
        AnnouncementKind.CHALLENGED,
        (ALICE.account,),
    )
    assert await matches.challenges.find(made.id, now=NOON) == made


@pytest.mark.parametrize("by", [ALICE, BOB])
async def test_sides_are_changed(matches: Matches, by: Person) -> None:
    view = await play_finished_match(matches)
    again = await start_rematch(matches, view, by)
    assert sides(view) == {"Alice": Side.BLACK, "Bob": Side.WHITE}
    assert sides(again) == {"Alice": Side.WHITE, "Bob": Side.BLACK}
    assert (again.options["setup"], again.state) == (view.options["setup"], MatchState.PLAYING)


@pytest.mark.parametrize("by", [ALICE, BOB])
async def test_sides_are_changed_from_those_at_the_start_despite_a_swap(matches: Matches, by: Person) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    for text in ("C3", "swap"):
        view = (await play_move(matches, view, text)).match
    view = (await matches.resign(view.id, BOB, now=NOON)).match
    assert sides(view) == {"Alice": Side.WHITE, "Bob": Side.BLACK}
    assert sides(await start_rematch(matches, view, by)) == {"Alice": Side.WHITE, "Bob": Side.BLACK}


async def test_terms_are_the_same(matches: Matches) -> None:
    update = await matches.challenges.create(
        ALICE, to=BOB, server=SERVER, channel=CHANNEL, game="morabaraba", terms=DAILY, now=NOON
    )
    view = (await matches.challenges.accept(update.challenge.id, BOB, now=NOON)).match
    await matches.resign(view.id, ALICE, now=NOON)
    assert (
        (await start_rematch(matches, view)).terms
        == DAILY
        == Terms(parse_time_control("1 day"), takebacks_allowed=False, rated=False)
    )


async def test_picks_are_made_again(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    for person in (ALICE, BOB):
        view = (await matches.pick(view.id, person, "LR", now=NOON)).match
    assert view.options["setup"] == "free"
    view = (await matches.resign(view.id, BOB, now=NOON)).match
    again = await start_rematch(matches, view)
    assert (again.state, again.options["setup"]) == (MatchState.CHOOSING, "fists")


async def test_random_options_are_drawn_again(matches: Matches) -> None:
    view = await play_finished_match(matches, {"edition": "2015", "size": 9})
    seeds = {view.options["seed"]}
    for _ in range(4):
        view = await start_rematch(matches, view)
        seeds.add(view.options["seed"])
        view = (await matches.resign(view.id, BOB, now=NOON)).match
    assert len(seeds) > 1


async def test_rematch_of_an_open_challenge_is_addressed_to_the_opponent(matches: Matches) -> None:
    made = await make_challenge(matches, options=SMALL)
    view = (await matches.challenges.accept(made.id, CAROL, now=NOON)).match
    await matches.resign(view.id, CAROL, now=NOON)
    assert (await offer_rematch(matches, view)).to == CAROL


async def test_second_request_returns_the_opponents_challenge(matches: Matches) -> None:
    view = await play_finished_match(matches)
    made = await offer_rematch(matches, view, ALICE)
    assert (
        await matches.rematches.request(view.id, BOB, server=SERVER, channel="test:elsewhere", now=NOON)
        == made
    )


async def test_concurrent_requests_make_one_challenge(matches: Matches, other_matches: Matches) -> None:
    view = await play_finished_match(matches)
    found = await asyncio.gather(
        matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=NOON),
        other_matches.rematches.request(view.id, BOB, server=SERVER, channel=CHANNEL, now=NOON),
    )
    assert sorted(isinstance(one, ChallengeUpdate) for one in found) == [False, True]
    assert len(await matches.challenges.list_for_person(ALICE, SERVER, now=NOON)) == 1


async def test_rematch_is_offered_once(matches: Matches) -> None:
    view = await play_finished_match(matches)
    await offer_rematch(matches, view)
    with refused("rematch_offered"):
        await offer_rematch(matches, view)


async def test_refusal_names_the_rematch_that_has_started(matches: Matches) -> None:
    view = await play_finished_match(matches)
    again = await start_rematch(matches, view)
    for person in (ALICE, BOB):
        with refused("rematch_started") as refusal:
            await offer_rematch(matches, view, person)
        assert refusal.value.values["rematch"] == again.id


async def test_declined_rematch_can_be_offered_by_the_opponent_only(matches: Matches) -> None:
    view = await play_finished_match(matches)
    await matches.challenges.decline((await offer_rematch(matches, view)).id, BOB, now=NOON)
    with refused("rematch_declined"):
        await offer_rematch(matches, view)
    assert (await offer_rematch(matches, view, BOB)).to == ALICE


async def test_withdrawn_or_expired_rematch_can_be_offered_again(matches: Matches) -> None:
    view = await play_finished_match(matches)
    await matches.challenges.withdraw((await offer_rematch(matches, view)).id, ALICE, now=NOON)
    await offer_rematch(matches, view)
    late = await matches.rematches.request(
        view.id, BOB, server=SERVER, channel=CHANNEL, now=NOON + timedelta(days=8)
    )
    assert isinstance(late, ChallengeUpdate)


async def test_no_rematch_before_the_end(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("rematch_before_end"):
        await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=NOON)


async def test_match_of_another_server_is_unknown(matches: Matches) -> None:
    view = await play_finished_match(matches)
    with refused("match_unknown"):
        await matches.rematches.request(view.id, ALICE, server="test:other", channel=CHANNEL, now=NOON)


async def test_spectator_has_no_rematch(matches: Matches) -> None:
    view = await play_finished_match(matches)
    with refused("not_in_match"):
        await matches.rematches.request(view.id, CAROL, server=SERVER, channel=CHANNEL, now=NOON)


async def test_rematch_counts_as_a_challenge(matches: Matches) -> None:
    view = await play_finished_match(matches)
    for _ in range(10):
        await make_challenge(matches, now=later(hours=1))
    with refused("too_many_challenges"):
        await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=later(hours=1))
