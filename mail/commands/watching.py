"""Watching matches of others by mail, after each turn, once a day, or at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from mail.commands.values import Answer
from matches import FollowMode, MatchId, MatchUnknown

if TYPE_CHECKING:
    from mail.commands.task import Task


async def watch(task: Task) -> Answer:
    """Watch a match that is open to all; without its number, list what is watched.

    Raises MatchUnknown, also for a match that the person may not see, `match_over`, `too_many_followed`.
    """
    match, mode = await _read(task)
    if match is None:
        return await _list(task)
    if await task.matches.views.names_for(match, task.account) is None:
        raise MatchUnknown(match=match)
    await task.matches.people.following.follow(match, task.person, mode, now=task.now)
    texts, name = task.texts, await _name(task, match)
    how = texts("mail.reply.watching.how", mode=texts(f"watch.{mode}"), match=match)
    return Answer(texts("mail.reply.watching.done", match_name=name), (how,), match=match)


async def unwatch(task: Task) -> Answer:
    """Stop watching a match; without its number, list what is watched. Raises NotFollowed."""
    match, _ = await _read(task)
    if match is None:
        return await _list(task)
    await task.matches.people.following.unfollow(match, task.account, now=task.now)
    return Answer(task.texts("mail.reply.watching.over", match_name=await _name(task, match)))


async def _read(task: Task) -> tuple[MatchId | None, FollowMode]:
    """Return the match that is meant, which is not one in which the person plays, and when to tell them."""
    words = task.argument.split()
    mode = next((FollowMode(word) for word in words if word in set(FollowMode)), FollowMode.TURNS)
    named = next((MatchId(int(word)) for word in words if word.isdigit()), None)
    if named is None and task.request.match is not None:
        view = await task.matches.view(task.request.match, now=task.now)
        named = None if view.seat(task.account) is not None else view.id
    return named, mode


async def _list(task: Task) -> Answer:
    texts = task.texts
    followed = await task.matches.people.following.list_followed(task.account)
    lines = [
        texts(
            "mail.reply.watching.line",
            match_name=format_match_name(texts, one.match, task.account),
            mode=texts(f"watch.{one.mode}"),
        )
        for one in followed
    ]
    return Answer(texts("mail.reply.watching.title"), tuple(lines or [texts("mail.reply.watching.none")]))


async def _name(task: Task, match: MatchId) -> str:
    """Return the name of a match with the names of its players that the person may see."""
    names = await task.matches.views.names_for(match, task.account)
    if names is None:
        return task.texts("match_name.bare", match=match)
    view = await task.matches.views.current(match, (task.account,), names)
    return format_match_name(task.texts, view, task.account)
