"""Playing again: the same game and terms, with sides changed."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.game import Setting, Side
from matches import (
    AnnouncementKind,
    Challenge,
    ChallengeState,
    ChallengeStep,
    Matches,
    MatchGoesOn,
    MatchState,
    MatchUnknown,
    MatchView,
    NotInMatch,
    Person,
    RematchDeclined,
    RematchOffered,
    RematchTaken,
    Terms,
    TooManyChallenges,
    read_pace,
)
from matches.terms import USUAL
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    NOON,
    PLACE,
    SERVER,
    SMALL,
    begin,
    challenge,
    later,
    move,
)

DAILY = replace(USUAL, pace=read_pace("1 day"), takeback=False, rated=False)


async def over(
    matches: Matches, options: dict[str, Setting] | None = None, *, game: str = "morelli"
) -> MatchView:
    view = await begin(matches, options, game=game)
    return (await matches.resign(view.id, BOB, now=NOON)).match


async def offered(matches: Matches, view: MatchView, by: Person = ALICE, place: str = PLACE) -> Challenge:
    step = await matches.offers.rematch(view.id, by, server=SERVER, place=place, now=NOON)
    assert isinstance(step, ChallengeStep)
    return step.challenge


async def begun(matches: Matches, view: MatchView, by: Person = ALICE) -> MatchView:
    other = BOB if by is ALICE else ALICE
    return (await matches.accept((await offered(matches, view, by)).id, other, now=NOON)).match


def sides(view: MatchView) -> dict[str, Side]:
    return {seat.person.name: seat.side for seat in view.seats}


async def test_rematch_is_a_challenge_to_the_other(matches: Matches) -> None:
    view = await over(matches)
    step = await matches.offers.rematch(view.id, BOB, server=SERVER, place="test:elsewhere", now=NOON)
    assert isinstance(step, ChallengeStep)
    made = step.challenge
    assert (made.by, made.to, made.rematch_of) == (BOB, ALICE, view.id)
    assert (made.server, made.place, made.state) == (SERVER, "test:elsewhere", ChallengeState.OPEN)
    assert (step.announcement.kind, step.announcement.whom) == (AnnouncementKind.CHALLENGED, (ALICE.account,))
    assert await matches.find_challenge(made.id, now=NOON) == made


@pytest.mark.parametrize("by", [ALICE, BOB])
async def test_sides_are_changed(matches: Matches, by: Person) -> None:
    view = await over(matches)
    again = await begun(matches, view, by)
    assert sides(view) == {"Alice": Side.BLACK, "Bob": Side.WHITE}
    assert sides(again) == {"Alice": Side.WHITE, "Bob": Side.BLACK}
    assert (again.options["setup"], again.state) == (view.options["setup"], MatchState.PLAYING)


@pytest.mark.parametrize("by", [ALICE, BOB])
async def test_sides_are_those_of_the_beginning_whatever_was_swapped(matches: Matches, by: Person) -> None:
    view = await begin(matches, {"size": 5}, game="morphos")
    for text in ("C3", "swap"):
        view = (await move(matches, view, text)).match
    view = (await matches.resign(view.id, BOB, now=NOON)).match
    assert sides(view) == {"Alice": Side.WHITE, "Bob": Side.BLACK}
    assert sides(await begun(matches, view, by)) == {"Alice": Side.WHITE, "Bob": Side.BLACK}


async def test_terms_are_the_same(matches: Matches) -> None:
    step = await matches.challenge(
        ALICE, to=BOB, server=SERVER, place=PLACE, game="morabaraba", terms=DAILY, now=NOON
    )
    view = (await matches.accept(step.challenge.id, BOB, now=NOON)).match
    await matches.resign(view.id, ALICE, now=NOON)
    assert (
        (await begun(matches, view)).terms == DAILY == Terms(read_pace("1 day"), takeback=False, rated=False)
    )


async def test_fists_are_closed_again(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    for person in (ALICE, BOB):
        view = (await matches.pick(view.id, person, "LR", now=NOON)).match
    assert view.options["setup"] == "free"
    view = (await matches.resign(view.id, BOB, now=NOON)).match
    again = await begun(matches, view)
    assert (again.state, again.options["setup"]) == (MatchState.FISTS, "fists")


async def test_chance_decides_anew(matches: Matches) -> None:
    view = await over(matches, {"edition": "2015", "size": 9})
    seeds = {view.options["seed"]}
    for _ in range(4):
        view = await begun(matches, view)
        seeds.add(view.options["seed"])
        view = (await matches.resign(view.id, BOB, now=NOON)).match
    assert len(seeds) > 1


async def test_challenge_to_anyone_is_played_again_by_the_same_two(matches: Matches) -> None:
    made = await challenge(matches, options=SMALL)
    view = (await matches.accept(made.id, CAROL, now=NOON)).match
    await matches.resign(view.id, CAROL, now=NOON)
    assert (await offered(matches, view)).to == CAROL


async def test_whoever_wants_it_too_is_given_the_challenge_to_accept(matches: Matches) -> None:
    view = await over(matches)
    made = await offered(matches, view, ALICE)
    assert await matches.offers.rematch(view.id, BOB, server=SERVER, place="test:elsewhere", now=NOON) == made


async def test_of_both_who_want_it_at_once_one_challenges(matches: Matches, elsewhere: Matches) -> None:
    view = await over(matches)
    found = await asyncio.gather(
        matches.offers.rematch(view.id, ALICE, server=SERVER, place=PLACE, now=NOON),
        elsewhere.offers.rematch(view.id, BOB, server=SERVER, place=PLACE, now=NOON),
    )
    assert sorted(isinstance(one, ChallengeStep) for one in found) == [False, True]
    assert len(await matches.challenges(ALICE, SERVER, now=NOON)) == 1


async def test_rematch_is_offered_once(matches: Matches) -> None:
    view = await over(matches)
    await offered(matches, view)
    with pytest.raises(RematchOffered):
        await offered(matches, view)


async def test_rematch_that_has_begun_is_named(matches: Matches) -> None:
    view = await over(matches)
    again = await begun(matches, view)
    for person in (ALICE, BOB):
        with pytest.raises(RematchTaken) as refusal:
            await offered(matches, view, person)
        assert refusal.value.values["rematch"] == again.id


async def test_declined_rematch_is_not_asked_for_again_but_by_the_other(matches: Matches) -> None:
    view = await over(matches)
    await matches.decline((await offered(matches, view)).id, BOB, now=NOON)
    with pytest.raises(RematchDeclined):
        await offered(matches, view)
    assert (await offered(matches, view, BOB)).to == ALICE


async def test_withdrawn_or_lapsed_rematch_may_be_offered_again(matches: Matches) -> None:
    view = await over(matches)
    await matches.withdraw((await offered(matches, view)).id, ALICE, now=NOON)
    await offered(matches, view)
    late = await matches.offers.rematch(
        view.id, BOB, server=SERVER, place=PLACE, now=NOON + timedelta(days=8)
    )
    assert isinstance(late, ChallengeStep)


async def test_there_is_no_rematch_of_a_match_that_goes_on(matches: Matches) -> None:
    view = await begin(matches)
    with pytest.raises(MatchGoesOn):
        await matches.offers.rematch(view.id, ALICE, server=SERVER, place=PLACE, now=NOON)


async def test_match_of_another_server_is_unknown_here(matches: Matches) -> None:
    view = await over(matches)
    with pytest.raises(MatchUnknown):
        await matches.offers.rematch(view.id, ALICE, server="test:other", place=PLACE, now=NOON)


async def test_onlooker_has_no_rematch(matches: Matches) -> None:
    view = await over(matches)
    with pytest.raises(NotInMatch):
        await matches.offers.rematch(view.id, CAROL, server=SERVER, place=PLACE, now=NOON)


async def test_rematch_counts_as_a_challenge(matches: Matches) -> None:
    view = await over(matches)
    for _ in range(10):
        await challenge(matches, now=later(hours=1))
    with pytest.raises(TooManyChallenges):
        await matches.offers.rematch(view.id, ALICE, server=SERVER, place=PLACE, now=later(hours=1))
