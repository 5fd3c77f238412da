"""Posts that show a board: the start, a turn, the end, a private look."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import render
from bot import people, pictures, spoken, telling
from bot.clocks import wording
from bot.posts import LONGEST_TEXT, Picture, Post
from bot.presses import row
from bot.replays.bookmark import Bookmark, Kind
from bot.replays.dialogue import Opener
from bot.views import ViewButton

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import discord

    from bot.presses import Press
    from engine.game import Game, Position
    from matches import Announcement, MatchView
    from words import Words


AS_POSTED = render.View()
ELSE = 250  # characters that are left for what is told of time below a board in words


@dataclass(frozen=True, slots=True)
class Desk:
    """What posts are made with: the words, the games, and buttons.

    `on_board` makes those of a board that can be played on, `at_end` those of one that is
    done with, `in_private` those of a private look.
    """

    words: Words
    games: Mapping[str, Game]
    on_board: tuple[Callable[[Words, MatchView], Press], ...] = ()
    in_private: tuple[Callable[[Words, MatchView, str], Press | None], ...] = ()
    at_end: tuple[Callable[[Words, MatchView], Press], ...] = ()

    async def started(self, view: MatchView, announcement: Announcement, opening: str = "") -> Post:
        """Give the post of the first board; `opening` tells how it came about."""
        begins = self.words(
            "start.post", game=telling.game(self.words, view), **telling.seats(self.words, view)
        )
        return await self._post(view, announcement, [opening or begins, telling.call(self.words, view)])

    async def turn(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Give the post of a turn, which may have ended the match; `note` follows the result."""
        sentences = telling.all_turns(self.words, view, announcement)
        return await self._post(view, announcement, [*sentences, self._outlook(view, announcement), note])

    async def over(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Give the post of an end without a move: somebody resigned, or both agreed; then `note`."""
        return await self._post(view, announcement, [self._outlook(view, announcement), note])

    async def told(self, view: MatchView, announcement: Announcement, *lines: str) -> Post:
        """Give a post with these lines and the board, if there is one."""
        return await self._post(view, announcement, lines)

    async def look(self, view: MatchView, account: str, seen: render.View) -> Post:
        """Give a private look at a match for an account."""
        return await self._post(view, None, self.outline(view), seen, account)

    async def spoken(self, view: MatchView, account: str, seen: render.View) -> Post:
        """Give a private look at a match in words alone."""
        lines = self.outline(view)
        if view.position is not None:
            room = LONGEST_TEXT - ELSE - sum(len(line) + 1 for line in lines)
            lines += await asyncio.to_thread(spoken.board, self.words, view.position, seen, room)
        return await self._post(view, None, lines, seen, account, pictured=False)

    async def unfinished(self, view: MatchView, seen: render.View) -> Post:
        """Give the private answer to an incomplete set-up run: what was placed, what is still due."""
        placed = self.words.listed([played.text for played in view.run])
        return await self._post(view, None, [self.words("turn.due", placed=placed, count=view.due)], seen)

    async def letter(
        self, view: MatchView, lines: Sequence[str], seen: render.View, *buttons: discord.ui.Item[Any]
    ) -> Post:
        """Give a private message about a match, as somebody likes to see it, with these buttons."""
        post = await self._post(view, None, lines, seen)
        return replace(post, buttons=lambda: row(*buttons))

    def outline(self, view: MatchView) -> list[str]:
        """Tell which match it is and where it stands."""
        return [telling.title(self.words, view, self.games[view.game]), telling.standing(self.words, view)]

    def playing(self, view: MatchView) -> list[Press]:
        """Give the buttons by which whoever is to move plays."""
        return [make(self.words, view) for make in self.on_board] if view.to_move and view.current else []

    def bare(self, view: MatchView, announcement: Announcement, text: str, *buttons: Press) -> Post:
        """Give a post about a match that shows no board."""
        own = ViewButton.of(self.words, view, announcement)
        return Post(text, None, lambda: row(*buttons, own), announcement.whom)

    def _outlook(self, view: MatchView, announcement: Announcement) -> str:
        """Tell the result, or call whoever is to move."""
        if view.result is None:
            return telling.call(self.words, view)
        whom = self.words.listed([people.mention(account) for account in announcement.whom])
        return self.words("result.post", result=telling.result(self.words, view, view.result), whom=whom)

    async def _post(
        self,
        view: MatchView,
        announcement: Announcement | None,
        lines: Sequence[str],
        seen: render.View = AS_POSTED,
        account: str = "",
        *,
        pictured: bool = True,
    ) -> Post:
        foot = telling.foot(self.words, view) if announcement else ""
        time = wording.standing(self.words, view)
        text = self.words.listed([line for line in (*lines, time, foot) if line], "list.lines")
        picture = await self._picture(view, view.position, seen) if view.position and pictured else None
        calls = announcement.whom if announcement and view.current else ()

        def buttons() -> tuple[Press, ...]:
            playing = self.playing(view) if not account or _moves(view, account) else ()
            own = ViewButton.of(self.words, view, announcement)
            made = [make(self.words, view, account) for make in self.in_private] if account else []
            private = [one for one in made if one is not None]
            if view.result is None:
                return (*playing, own, *private)
            ending = [make(self.words, view) for make in self.at_end] if announcement else []
            replay = [self._replay(view)] if view.position is not None else []
            return (*ending, own, *replay, *private)

        return Post(text, picture, lambda: row(*buttons()), calls)

    def _replay(self, view: MatchView) -> Press:
        return Opener.of(self.words("button.replay"), Bookmark(Kind.MATCH, view.id))

    async def _picture(self, view: MatchView, position: Position, seen: render.View) -> Picture:
        png, diagram = await pictures.paint(position, replace(seen, last=telling.events(view)))
        return Picture(png, telling.alt(self.words, view, diagram))


def _moves(view: MatchView, account: str) -> bool:
    return view.to_move is not None and view.to_move.person.account == account
