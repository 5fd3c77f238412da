"""What people do in a match besides playing; `ACTIONS` says how often."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from matches import Person
from tests.soak.playing import random_move
from tests.soak.population import latest_button

if TYPE_CHECKING:
    from engine.game import Position
    from matches import MatchView
    from tests.discord_server import Member, Message, Reply
    from tests.soak.environment import SoakEnvironment

ACCEPTS = re.compile(r"agree1:|offer1:\d+:accept")
DECLINES = re.compile(r"disagree1:|offer1:\d+:decline")
ACTION_PAUSE = timedelta(hours=1)
SILENCE_TIME = timedelta(days=4)
LONG_PAUSE = timedelta(days=9)


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


def random_player(env: SoakEnvironment, view: MatchView) -> Member:
    """Return one of the two players."""
    return env.population.person(env.rng.choice(view.seats).person.account)


async def end_match(env: SoakEnvironment, view: MatchView) -> None:
    """Try to end a match: resign, or agree on its end where the game allows that."""
    if view.position is not None and view.position.agreed_outcome is not None and env.rng.random() < 0.5:
        await make_offer(env, view, "end")
        if (await env.view(view.id)).result is not None:
            return
    await confirm(env, view, random_player(env, view), "resign", "Resign")


async def abort_match(env: SoakEnvironment, view: MatchView) -> None:
    """Abort a match as one of the players."""
    await confirm(env, view, random_player(env, view), "abort", f"abort1:{view.id}")


async def confirm(env: SoakEnvironment, view: MatchView, who: Member, command: str, button: str) -> bool:
    """Use a command, and press the button with which it asks for confirmation; return whether it did."""
    return await _press(env, view, who, await env.command(who, command, view), button)


async def _press(env: SoakEnvironment, view: MatchView, who: Member, asked: Reply, button: str) -> bool:
    can_press = not asked.failed and bool(asked.buttons)
    if can_press:
        await env.click(who, (asked, button), view.id)
    return can_press


async def make_offer(env: SoakEnvironment, view: MatchView, command: str) -> None:
    """Make an offer by its command; if the bot posts it, the opponent answers at once."""
    who, posts = random_player(env, view), env.population.channel(view.channel).state.messages
    opponent, known = view.opponent(f"discord:{who.id}"), len(posts)
    if opponent is None:
        return
    await env.command(who, command, view)
    accept = env.rng.random() < 0.6
    for post in posts[known:]:
        button = None if post.ephemeral else _answer_button(post, accept=accept)
        if button is not None:
            env.count(f"offers: {command}")
            await env.click(env.population.person(opponent.person.account), (post, button), view.id)
            return


def _answer_button(post: Message, *, accept: bool) -> str | None:
    """Return the custom id of the button that accepts, or declines, an offer; None where there is none."""
    ids = (button.custom_id or "" for button in post.buttons)
    return next(filter((ACCEPTS if accept else DECLINES).match, ids), None)


async def view_board(env: SoakEnvironment, view: MatchView) -> None:
    """View the board, and list one's matches."""
    who = random_player(env, view)
    await env.command(who, "board", view)
    await env.command(who, "games", env.population.channel(view.channel))
    env.count("boards viewed")


async def press_outdated_button(env: SoakEnvironment, view: MatchView) -> None:
    """Press a button below an outdated board. Raises SimulationFailure if it opens a modal."""
    channel = env.population.channel(view.channel)
    post = latest_button(channel, f"move1:{view.id}:{view.revision - 1}")
    if post is None or view.to_move is None:
        return
    reply = await env.click(env.population.person(view.to_move.person.account), post, view.id)
    if reply.modal is not None and not view.unfinished_moves:
        raise env.log.failure("an outdated button opened a modal", view.id)
    env.count("outdated buttons")


async def stay_silent(env: SoakEnvironment, _view: MatchView) -> timedelta:
    """Do nothing for days, so that the clock may run out."""
    env.count("silences")
    return SILENCE_TIME


async def handle_timeout(env: SoakEnvironment, view: MatchView) -> bool:
    """If a player's time is over, perhaps claim the win or give time as the opponent; return whether."""
    late = next((one.person for one in view.time.seats if one.flagged_at), None) if view.time else None
    opponent = None if late is None else view.opponent(late.account)
    if opponent is None:
        return False
    who, drawn = env.population.person(opponent.person.account), env.rng.random()
    if drawn < 0.5:
        post = latest_button(env.population.channel(view.channel), f"claim1:{view.id}")
        asked = await (env.click(who, post, view.id) if post else env.command(who, "claim", view))
        env.count("claims", await _press(env, view, who, asked, f"claimnow1:{view.id}"))
    elif drawn < 0.7:
        await env.command(who, "give-time", view, time="3 days")
        env.count("time given")
    else:
        return False  # the opponent keeps waiting
    return True


async def offer_pause(env: SoakEnvironment, view: MatchView) -> timedelta | None:
    """Offer a pause and answer it, or end one; return a long pause if the clocks are stopped now."""
    if view.time is None:
        return None
    who, other = (env.population.person(seat.person.account) for seat in env.rng.sample(view.seats, 2))
    if view.time.paused:
        await env.command(who, "resume", view)
        return None
    await env.command(who, "pause", view)
    env.count("pauses offered")
    button = f"{env.rng.choice(['pause1', 'nopause1'])}:{view.id}"
    post = latest_button(env.population.channel(view.channel), button)
    if post is None:
        return None
    await env.click(other, post, view.id)
    now = await env.view(view.id)
    return LONG_PAUSE if now.time is not None and now.time.paused else None


async def add_conditional_move(env: SoakEnvironment, view: MatchView) -> None:
    """Save a conditional move as the player who waits; the opponent will usually play that turn."""
    line = None if view.position is None else _random_line(env, view.position)
    waiting = next((seat for seat in view.seats if seat != view.to_move), None)
    if line is None or waiting is None:
        return
    who = env.population.person(waiting.person.account)
    sheet = await env.command(who, "conditional", view)
    for label in ("Add a line", "Type"):
        if label in _labels(sheet):
            sheet = await env.click(who, (sheet, label), view.id)
    if sheet.modal is None:
        return
    field, text = sheet.modal.fields[0].custom_id, " ".join(line)
    sheet = await env.perform(who, f"types {text}", who.submit(sheet, {field: text}), view.id)
    if "Save this line" in _labels(sheet):
        await env.click(who, (sheet, "Save this line"), view.id)
        env.count("conditional moves")
        env.expected_turns[view.id] = (view.ply, line[0])


def _random_line(env: SoakEnvironment, position: Position) -> list[str] | None:
    """Return a turn and an answer to it, or None where either takes more than one move."""
    line: list[str] = []
    for _ in range(2):
        if position.moves_due != 1 or position.to_move is None:
            return None
        move = random_move(position, env.rng)
        line.append(str(move))
        before, position = position.to_move, position.play(move)
        if position.to_move is before:
            return None
    return line


def _labels(sheet: Reply) -> set[str | None]:
    if sheet.failed or sheet.message is None:
        return set()
    return {button.label for button in sheet.buttons if not button.disabled}


async def check_note(env: SoakEnvironment, view: MatchView) -> None:
    """Check that a note is what its author wrote, and write another. Raises SimulationFailure if not."""
    if view.position is None:
        return
    who = random_player(env, view)
    form = await env.command(who, "note", view)
    if form.modal is None:
        return
    field, known = form.modal.fields[0], env.notes.get((view.id, who.id), "")
    if (field.value or "") != known:
        raise env.log.failure(f"{who.name} wrote {known!r} and reads {field.value!r}", view.id)
    text = f"{view.ply}: think of {env.rng.randrange(1000)}"
    faults_before = env.fault_injector.fault_count
    await env.perform(who, "writes a note", who.submit(form, {field.custom_id: text}), view.id)
    if faults_before != env.fault_injector.fault_count:  # the bot may or may not have saved it
        text = await env.matches.people.notes.get(view.id, Person(f"discord:{who.id}", who.name))
    env.notes[view.id, who.id] = text
    env.count("notes")


async def analyse(env: SoakEnvironment, view: MatchView) -> None:
    """Try some moves in an analysis."""
    if view.position is None:
        return
    who = random_player(env, view)
    sheet = await env.command(who, "whatif", view)
    for _ in range(env.rng.randint(1, 4)):
        if sheet.failed or sheet.message is None:
            return
        ids = [one.custom_id or "" for one in sheet.buttons if not one.disabled]
        tries = [one for one in ids if one.startswith("try1:")]
        menu = next((one for one in sheet.selects if one.custom_id.startswith("trying1:")), None)
        if menu is not None and (not tries or env.rng.random() < 0.7):
            value = env.rng.choice(menu.options).value
            action = who.select(sheet, menu.custom_id, [value])
            sheet = await env.perform(who, f"tries {value}", action, view.id)
        elif tries:
            sheet = await env.click(who, (sheet, env.rng.choice(tries)), view.id)
    env.count("analyses")


async def follow_match(env: SoakEnvironment, view: MatchView) -> None:
    """Follow a match as a random member of the server; turn by turn more often than daily or at the end."""
    guild = env.population.guild_of(env.population.channel(view.channel))
    who = env.rng.choice(env.population.members[guild.id])
    interest = env.rng.choice(["turns", "turns", "daily", "end"])
    reply = await env.command(who, "watch", view, when=interest)
    env.count("follows with closed messages" if who.user.dms_closed else f"follows: {interest}")
    if not who.user.dms_closed and not reply.failed:
        env.followers.setdefault(view.id, []).append(who)


async def unfollow_match(env: SoakEnvironment, view: MatchView) -> None:
    """Unfollow a match as one of its followers, by command or by the button of a message."""
    following = env.followers.get(view.id)
    if not following:
        return
    who, button = following.pop(env.rng.randrange(len(following))), f"leave1:{view.id}"
    env.unreachable.add(f"discord:{who.id}")
    messages = [one for one in who.dms if any(b.custom_id == button for b in one.buttons)]
    if messages and env.rng.random() < 0.5:
        await env.click(who, (messages[-1], button), view.id)
    else:
        await env.command(who, "unwatch", who.dm, match=str(view.id))
    env.count("unfollows")


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
