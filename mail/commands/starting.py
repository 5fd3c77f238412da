"""Starting a match by mail: `challenge NAME|ADDRESS GAME [OPTIONS]` and `play LEVEL GAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.announcements import describe_challenge
from i18n.match_names import format_match_name
from mail.commands.challenge_line import read_challenge, read_computer_game
from mail.commands.states import answer_about, split_lines
from mail.commands.values import Answer
from mail.commands.words import find_word
from matches import DEFAULT_TIME_CONTROL, WEBSITE, Audience, Refusal
from matches.people.mail_codes import clean_address

if TYPE_CHECKING:
    from mail.commands.challenge_line import ChallengeWish
    from mail.commands.task import Task
    from matches import ChallengeUpdate, Person


async def challenge(task: Task) -> Answer:
    """Challenge a player by name, whoever reads a mail address, or anyone; the computer plays at once.

    Raises what :func:`mail.commands.challenge_line.read_challenge` and the services raise, `player_unknown`.
    """
    texts, games = task.texts, task.context.games
    if not task.argument:
        raise Refusal("challenge_empty")
    first, _, rest = task.argument.partition(" ")
    if find_word(texts, first, ("computer",)):
        return await _start(task, read_computer_game(texts, games, rest))
    wish = read_challenge(texts, games, task.argument, DEFAULT_TIME_CONTROL)
    if "@" in wish.to[1:]:
        address = clean_address(wish.to)
        update = await _invite(task, wish, address)
        title = texts("mail.reply.invited", address=address)
    else:
        update, title = await _challenge(task, wish)
    lines = describe_challenge(texts, update.challenge, games[update.challenge.game], now=task.now)
    lines = lines[1:]  # the title says who is challenged
    lines.append(texts("mail.reply.challenge_how"))
    return Answer(title, tuple(split_lines(lines)), challenge=update.challenge.id)


async def play_computer(task: Task) -> Answer:
    """Start a match against the computer.

    Raises what :func:`mail.commands.challenge_line.read_computer_game` and
    :meth:`matches.computer.service.Computer.start` raise.
    """
    if not task.argument:
        raise Refusal("play_empty")
    return await _start(task, read_computer_game(task.texts, task.context.games, task.argument))


async def _challenge(task: Task, wish: ChallengeWish) -> tuple[ChallengeUpdate, str]:
    to = await _find_player(task, wish.to) if wish.to else None
    update = await task.matches.challenges.create(
        task.person,
        to=to,
        server=WEBSITE,
        channel=WEBSITE,
        game=wish.game.name,
        options=wish.options,
        terms=wish.terms,
        colour=wish.colour,
        audience=_audience(wish),
        note=wish.note,
        now=task.now,
    )
    if to is None:
        return update, task.texts("mail.reply.challenged_anyone")
    return update, task.texts("mail.reply.challenged", name=to)


async def _invite(task: Task, wish: ChallengeWish, address: str) -> ChallengeUpdate:
    return await task.matches.invitations.create(
        task.person,
        address,
        game=wish.game.name,
        options=wish.options,
        terms=wish.terms,
        colour=wish.colour,
        audience=_audience(wish),
        note=wish.note,
        now=task.now,
    )


async def _start(task: Task, wish: ChallengeWish) -> Answer:
    update = await task.matches.computer.start(
        task.person,
        level=wish.level,
        server=WEBSITE,
        channel=WEBSITE,
        game=wish.game.name,
        options=wish.options,
        colour=wish.colour,
        terms=wish.terms,
        audience=_audience(wish),
        now=task.now,
    )
    name = format_match_name(task.texts, update.match, task.account)
    return answer_about(task, update.match, task.texts("mail.reply.started", match_name=name))


async def _find_player(task: Task, name: str) -> Person:
    found = await task.matches.public_queries.find_player(name.removeprefix("@"))
    if found is None:
        raise Refusal("player_unknown", name=name)
    return found


def _audience(wish: ChallengeWish) -> Audience | None:
    return Audience.PLAYERS if wish.is_private else None
