"""What players can do in a match, as front ends offer it."""

from datetime import timedelta

from matches import Action, Matches, OfferKind, Terms, TimeControl, possible_actions
from tests.matches.scenario import ALICE, BOB, CAROL, FISTS, NOON, later, play_move, start_match
from tests.matches.test_computer import start

TIMED = Terms(time_control=TimeControl.per_move(timedelta(days=1)))
ALWAYS = {Action.RESIGN}
FIRST = ALWAYS | {Action.ABORT}
CLOCK = {Action.GIVE_TIME, Action.OFFER_PAUSE}


async def actions(matches: Matches, number: int) -> tuple[set[Action], set[Action]]:
    """Return what Alice and Bob can do."""
    view = await matches.view(number, now=NOON)  # type: ignore[arg-type]
    assert possible_actions(view, CAROL.account) == set()
    return set(possible_actions(view, ALICE.account)), set(possible_actions(view, BOB.account))


async def test_turns_and_offers(matches: Matches) -> None:
    view = await start_match(matches)
    assert await actions(matches, view.id) == (
        FIRST | {Action.PLAY, Action.OFFER},
        FIRST | {Action.SAVE_LINES, Action.OFFER},
    )
    await play_move(matches, view)
    earlier = await matches.view(view.id, ply=0, now=NOON)
    assert possible_actions(earlier, ALICE.account) == set()
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    assert await actions(matches, view.id) == (
        FIRST | {Action.SAVE_LINES, Action.WITHDRAW_OFFER},
        FIRST | {Action.PLAY, Action.ANSWER_OFFER},
    )
    await play_move(matches, await matches.view(view.id, now=NOON))
    assert Action.ABORT not in (await actions(matches, view.id))[0]
    await matches.resign(view.id, BOB, now=NOON)
    assert await actions(matches, view.id) == ({Action.REMATCH}, {Action.REMATCH})


async def test_no_conditional_moves_against_the_computer(matches: Matches) -> None:
    view = (await start(matches)).match  # the computer is to move
    assert possible_actions(view, ALICE.account) == FIRST | {Action.OFFER}


async def test_picks(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, "LR", now=NOON)
    assert await actions(matches, view.id) == (FIRST, FIRST | {Action.PICK})


async def test_clocks(matches: Matches) -> None:
    view = await start_match(matches, terms=TIMED)
    alice, bob = await actions(matches, view.id)
    assert (alice & bob) - {Action.OFFER} == FIRST | CLOCK
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    alice, bob = await actions(matches, view.id)
    assert (Action.ANSWER_PAUSE in alice, Action.WITHDRAW_PAUSE in bob) == (True, True)
    await matches.clocks.pauses.answer(view.id, ALICE, accept=True, now=NOON)
    assert all(Action.RESUME in possible for possible in await actions(matches, view.id))
    await matches.clocks.pauses.resume(view.id, BOB, now=NOON)
    await matches.clocks.tick(later(days=2))
    alice, bob = await actions(matches, view.id)
    assert (Action.CLAIM in alice, Action.CLAIM in bob) == (False, True)
    assert not {Action.OFFER_PAUSE, Action.RESUME} & (alice | bob)
