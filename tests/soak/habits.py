"""What people do beside playing: end matches, look, press what is past."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.soak.cast import latest
from tests.soak.timing import fall_silent, pause, see_to_flags

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Channel, Member
    from tests.soak.stage import Stage

PAUSE = timedelta(hours=1)


async def give_up(stage: Stage, view: MatchView) -> None:
    """End a match that has lasted long enough: resign, or agree on its end where the game allows that."""
    if view.position is not None and view.position.agreed_outcome is not None and stage.chance.random() < 0.5:
        await offer_end(stage, view)
        if (await stage.view(view.id)).result is not None:
            return
    who, channel = player(stage, view)
    asked = await stage.do(
        who, "/resign", who.command("resign", {"match": str(view.id)}, channel=channel), view.id
    )
    if asked.failed or not asked.buttons:
        return
    await stage.do(who, "resigns", who.click(asked, "Resign"), view.id)


async def offer_end(stage: Stage, view: MatchView) -> None:
    """Offer to end by agreement; the other answers at once."""
    who, channel = player(stage, view)
    seen = len(channel.state.messages)
    given = {"match": str(view.id)}
    await stage.do(who, "/end", who.command("end", given, channel=channel), view.id)
    stage.figures.deeds["offers to end"] += 1
    other = view.opponent(f"discord:{who.id}")
    if other is None:
        return
    answer = "Accept the end" if stage.chance.random() < 0.6 else "Play on"
    for post in channel.state.messages[seen:]:
        if not post.ephemeral and any(button.label == answer for button in post.buttons):
            person = stage.cast.person(other.person.account)
            await stage.do(person, f"presses {answer}", person.click(post, answer), view.id)
            return


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
    post = latest(channel, f"move1:{view.id}:{view.ply - 1}")
    if post is None or view.to_move is None:
        return
    who = stage.cast.person(view.to_move.person.account)
    reply = await stage.do(
        who, "presses an old Move", who.click(post, f"move1:{view.id}:{view.ply - 1}"), view.id
    )
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
    (0.01, offer_end),
    (0.02, look),
    (0.01, press_what_is_past),
    (0.015, fall_silent),
    (0.01, pause),
)
