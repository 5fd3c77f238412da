"""What people do beside playing: end matches, look, press what is past."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.soak.cast import latest
from tests.soak.onlookers import unwatch, watch
from tests.soak.private import note, settle, think
from tests.soak.timing import fall_silent, pause, see_to_flags

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Channel, Member, Message
    from tests.soak.stage import Stage

ACCEPTS = re.compile(r"agree1:|offer1:\d+:accept")
DECLINES = re.compile(r"disagree1:|offer1:\d+:decline")
PAUSE = timedelta(hours=1)


async def give_up(stage: Stage, view: MatchView) -> None:
    """End a match that has lasted long enough: resign, or agree on its end where the game allows that."""
    if view.position is not None and view.position.agreed_outcome is not None and stage.chance.random() < 0.5:
        await offer(stage, view, "end")
        if (await stage.view(view.id)).result is not None:
            return
    who, channel = player(stage, view)
    asked = await stage.do(
        who, "/resign", who.command("resign", {"match": str(view.id)}, channel=channel), view.id
    )
    if asked.failed or not asked.buttons:
        return
    await stage.do(who, "resigns", who.click(asked, "Resign"), view.id)


async def abort(stage: Stage, view: MatchView) -> None:
    """Give a match up before it has begun."""
    who, channel = player(stage, view)
    given = {"match": str(view.id)}
    asked = await stage.do(who, "/abort", who.command("abort", given, channel=channel), view.id)
    if not asked.failed and asked.buttons:
        await stage.do(who, "aborts", who.click(asked, f"abort1:{view.id}"), view.id)


async def offer(stage: Stage, view: MatchView, what: str) -> None:
    """Offer something by its command; where that is possible the other answers it at once."""
    who, channel = player(stage, view)
    other = view.opponent(f"discord:{who.id}")
    if other is None or not stage.knows(what):
        return
    seen = len(channel.state.messages)
    await stage.do(who, f"/{what}", who.command(what, {"match": str(view.id)}, channel=channel), view.id)
    accept = stage.chance.random() < 0.6
    for post in channel.state.messages[seen:]:
        button = None if post.ephemeral else _answer(post, accept=accept)
        if button is not None:
            stage.figures.deeds[f"offers: {what}"] += 1
            person = stage.cast.person(other.person.account)
            await stage.do(person, f"presses {button}", person.click(post, button), view.id)
            return


def _answer(post: Message, *, accept: bool) -> str | None:
    """Give the button that accepts, or declines, what a post offers."""
    for button in post.buttons:
        if ACCEPTS.match(button.custom_id or "") if accept else DECLINES.match(button.custom_id or ""):
            return button.custom_id
    return None


async def look(stage: Stage, view: MatchView) -> None:
    """Look at the board, and list one's matches."""
    who, channel = player(stage, view)
    given = {"match": str(view.id)}
    await stage.do(who, "/board", who.command("board", given, channel=channel), view.id)
    await stage.do(who, "/games", who.command("games", channel=channel))
    stage.figures.deeds["looks"] += 1


async def press_what_is_past(stage: Stage, view: MatchView) -> None:
    """Press a button under a board that is no longer the latest: nothing may be played."""
    channel = stage.cast.place(view.place)
    post = latest(channel, f"move1:{view.id}:{view.stamp - 1}")
    if post is None or view.to_move is None:
        return
    who = stage.cast.person(view.to_move.person.account)
    reply = await stage.do(who, "presses an old Move", who.click(*post), view.id)
    if reply.modal is not None and not view.run:
        raise stage.story.fail("an old button opened a form", view.id)
    stage.figures.deeds["old buttons"] += 1


async def something(stage: Stage, view: MatchView) -> timedelta | None:
    """Perhaps do something else first; give a pause where it takes the place of the turn."""
    if await see_to_flags(stage, view):
        return PAUSE
    drawn = stage.chance.random()
    for share, habit in HABITS:
        if drawn < share:
            return await habit(stage, view) or PAUSE
        drawn -= share
    return None


def player(stage: Stage, view: MatchView) -> tuple[Member, Channel]:
    """Give one of the two people, and the place of the match."""
    seat = stage.chance.choice(view.seats)
    return stage.cast.person(seat.person.account), stage.cast.place(view.place)


HABITS: tuple[tuple[float, Any], ...] = (
    (0.01, partial(offer, what="end")),
    (0.01, partial(offer, what="draw")),
    (0.02, partial(offer, what="takeback")),
    (0.02, look),
    (0.01, press_what_is_past),
    (0.015, fall_silent),
    (0.01, pause),
    (0.03, settle),
    (0.04, watch),
    (0.01, unwatch),
    (0.01, note),
    (0.006, think),
)
