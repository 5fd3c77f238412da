"""What people do besides playing: end matches, make offers, view boards, press outdated buttons."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.soak.clock_actions import handle_timeout, offer_pause, stay_silent
from tests.soak.followers import follow_match, unfollow_match
from tests.soak.population import latest_button
from tests.soak.private_actions import add_conditional_move, analyse, check_note

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Channel, Member, Message
    from tests.soak.environment import SoakEnvironment

ACCEPTS = re.compile(r"agree1:|offer1:\d+:accept")
DECLINES = re.compile(r"disagree1:|offer1:\d+:decline")
ACTION_PAUSE = timedelta(hours=1)


async def end_match(env: SoakEnvironment, view: MatchView) -> None:
    """Try to end a match: resign, or agree on its end where the game allows that."""
    if view.position is not None and view.position.agreed_outcome is not None and env.rng.random() < 0.5:
        await make_offer(env, view, "end")
        if (await env.view(view.id)).result is not None:
            return
    who, channel = random_player(env, view)
    confirmation = await env.perform(
        who, "/resign", who.command("resign", {"match": str(view.id)}, channel=channel), view.id
    )
    if confirmation.failed or not confirmation.buttons:
        return
    await env.perform(who, "resigns", who.click(confirmation, "Resign"), view.id)


async def abort_match(env: SoakEnvironment, view: MatchView) -> None:
    """Abort a match as one of the players."""
    who, channel = random_player(env, view)
    given = {"match": str(view.id)}
    confirmation = await env.perform(who, "/abort", who.command("abort", given, channel=channel), view.id)
    if not confirmation.failed and confirmation.buttons:
        await env.perform(who, "aborts", who.click(confirmation, f"abort1:{view.id}"), view.id)


async def make_offer(env: SoakEnvironment, view: MatchView, command: str) -> None:
    """Make an offer by its command; if the bot posts it, the opponent answers at once."""
    who, channel = random_player(env, view)
    opponent = view.opponent(f"discord:{who.id}")
    if opponent is None or not env.has_command(command):
        return
    seen = len(channel.state.messages)
    await env.perform(
        who, f"/{command}", who.command(command, {"match": str(view.id)}, channel=channel), view.id
    )
    accept = env.rng.random() < 0.6
    for post in channel.state.messages[seen:]:
        button = None if post.ephemeral else _answer_button(post, accept=accept)
        if button is not None:
            env.metrics.counts[f"offers: {command}"] += 1
            person = env.population.person(opponent.person.account)
            await env.perform(person, f"presses {button}", person.click(post, button), view.id)
            return


def _answer_button(post: Message, *, accept: bool) -> str | None:
    """Return the custom id of the button that accepts, or declines, an offer; None where there is none."""
    for button in post.buttons:
        if ACCEPTS.match(button.custom_id or "") if accept else DECLINES.match(button.custom_id or ""):
            return button.custom_id
    return None


async def view_board(env: SoakEnvironment, view: MatchView) -> None:
    """View the board, and list one's matches."""
    who, channel = random_player(env, view)
    given = {"match": str(view.id)}
    await env.perform(who, "/board", who.command("board", given, channel=channel), view.id)
    await env.perform(who, "/games", who.command("games", channel=channel))
    env.metrics.counts["boards viewed"] += 1


async def press_outdated_button(env: SoakEnvironment, view: MatchView) -> None:
    """Press a button below an outdated board. Raises SimulationFailure if it opens a modal."""
    channel = env.population.channel(view.channel)
    post = latest_button(channel, f"move1:{view.id}:{view.revision - 1}")
    if post is None or view.to_move is None:
        return
    who = env.population.person(view.to_move.person.account)
    reply = await env.perform(who, "presses an old Move", who.click(*post), view.id)
    if reply.modal is not None and not view.unfinished_moves:
        raise env.log.failure("an outdated button opened a modal", view.id)
    env.metrics.counts["outdated buttons"] += 1


async def maybe_act(env: SoakEnvironment, view: MatchView) -> timedelta | None:
    """Perhaps do something else than play; return the pause until the next action, or None to play now."""
    if await handle_timeout(env, view):
        return ACTION_PAUSE
    drawn = env.rng.random()
    for share, action in ACTIONS:
        if drawn < share:
            return await action(env, view) or ACTION_PAUSE
        drawn -= share
    return None


def random_player(env: SoakEnvironment, view: MatchView) -> tuple[Member, Channel]:
    """Return one of the two players, and the channel of the match."""
    seat = env.rng.choice(view.seats)
    return env.population.person(seat.person.account), env.population.channel(view.channel)


ACTIONS: tuple[tuple[float, Any], ...] = (
    (0.01, partial(make_offer, command="end")),
    (0.01, partial(make_offer, command="draw")),
    (0.02, partial(make_offer, command="takeback")),
    (0.02, view_board),
    (0.01, press_outdated_button),
    (0.015, stay_silent),
    (0.01, offer_pause),
    (0.03, add_conditional_move),
    (0.04, follow_match),
    (0.01, unfollow_match),
    (0.01, check_note),
    (0.006, analyse),
)
