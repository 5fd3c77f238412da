"""Posts that show a board: the start, a turn, the end, a private look."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import render
from bot.features.replays.dialog import OpenReplayButton
from bot.features.replays.state import ReplaySource, ReplayState
from bot.posts import board_text, formatting, pictures
from bot.posts.post import MAX_TEXT_LENGTH, Picture, Post
from bot.posts.view_button import ViewButton
from bot.ui import clock_formatting, ids
from bot.ui.buttons import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import discord

    from bot.ui.buttons import PersistentButton
    from engine.game import Game, Position
    from i18n import Texts
    from matches import Announcement, MatchView


DEFAULT_RENDER_OPTIONS = render.RenderOptions()
CLOCK_TEXT_RESERVE = 250  # characters that are left for what is told of time below a board in words


@dataclass(frozen=True, slots=True)
class BoardPostFactory:
    """What posts are made with: the words, the games, and buttons.

    `board_buttons` makes those of a board that can be played on, `result_buttons` those of one that is
    done with, `private_buttons` those of a private look.
    """

    texts: Texts
    games: Mapping[str, Game]
    board_buttons: tuple[Callable[[Texts, MatchView], PersistentButton], ...] = ()
    private_buttons: tuple[Callable[[Texts, MatchView, str], PersistentButton | None], ...] = ()
    result_buttons: tuple[Callable[[Texts, MatchView], PersistentButton], ...] = ()

    async def start_post(self, view: MatchView, announcement: Announcement, opening: str = "") -> Post:
        """Return the post of the first board; `opening` tells how it came about."""
        default_opening = self.texts(
            "start.post",
            game=formatting.format_game(self.texts, view),
            **formatting.seat_values(self.texts, view),
        )
        return await self._build_post(
            view, announcement, [opening or default_opening, formatting.turn_mention(self.texts, view)]
        )

    async def turn_post(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Return the post of a turn, which may have ended the match; `note` follows the result."""
        sentences = formatting.format_announced_turns(self.texts, view, announcement)
        return await self._build_post(
            view, announcement, [*sentences, self._format_result_or_turn(view, announcement), note]
        )

    async def end_post(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Return the post of an end without a move: somebody resigned, or both agreed; then `note`."""
        return await self._build_post(
            view, announcement, [self._format_result_or_turn(view, announcement), note]
        )

    async def board_post(self, view: MatchView, announcement: Announcement, *lines: str) -> Post:
        """Return a post with these lines and the board, if there is one."""
        return await self._build_post(view, announcement, lines)

    async def private_board_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private look at a match for an account."""
        return await self._build_post(view, None, self.format_outline(view), render_options, account)

    async def private_text_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private look at a match in words alone."""
        lines = self.format_outline(view)
        if view.position is not None:
            max_length = MAX_TEXT_LENGTH - CLOCK_TEXT_RESERVE - sum(len(line) + 1 for line in lines)
            lines += await asyncio.to_thread(
                board_text.describe_board, self.texts, view.position, render_options, max_length
            )
        return await self._build_post(view, None, lines, render_options, account, with_picture=False)

    async def incomplete_turn_post(self, view: MatchView, render_options: render.RenderOptions) -> Post:
        """Return the private answer to an incomplete set-up run: what was placed, what is still due."""
        placed = self.texts.join([played.text for played in view.unfinished_moves])
        return await self._build_post(
            view, None, [self.texts("turn.due", placed=placed, count=view.moves_due)], render_options
        )

    async def private_post(
        self,
        view: MatchView,
        lines: Sequence[str],
        render_options: render.RenderOptions,
        *buttons: discord.ui.Item[Any],
    ) -> Post:
        """Return a private message about a match, as somebody likes to see it, with these buttons."""
        post = await self._build_post(view, None, lines, render_options)
        return replace(post, buttons=lambda: view_of(*buttons))

    def format_outline(self, view: MatchView) -> list[str]:
        """Tell which match it is and where it stands."""
        return [
            formatting.format_title(self.texts, view, self.games[view.game]),
            formatting.format_status(self.texts, view),
        ]

    def move_buttons(self, view: MatchView) -> list[PersistentButton]:
        """Return the buttons by which whoever is to move plays."""
        return (
            [make(self.texts, view) for make in self.board_buttons]
            if view.to_move and view.is_current
            else []
        )

    def text_post(
        self, view: MatchView, announcement: Announcement, text: str, *buttons: PersistentButton
    ) -> Post:
        """Return a post about a match that shows no board."""
        view_button = ViewButton.of(self.texts, view, announcement)
        return Post(text, None, lambda: view_of(*buttons, view_button), announcement.recipients)

    def _format_result_or_turn(self, view: MatchView, announcement: Announcement) -> str:
        """Tell the result, or call whoever is to move."""
        if view.result is None:
            return formatting.turn_mention(self.texts, view)
        mentions = self.texts.join([ids.user_mention(account) for account in announcement.recipients])
        return self.texts(
            "result.post", result=formatting.format_result(self.texts, view, view.result), mentions=mentions
        )

    async def _build_post(
        self,
        view: MatchView,
        announcement: Announcement | None,
        lines: Sequence[str],
        render_options: render.RenderOptions = DEFAULT_RENDER_OPTIONS,
        account: str = "",
        *,
        with_picture: bool = True,
    ) -> Post:
        footer = formatting.format_footer(self.texts, view) if announcement else ""
        clock_text = clock_formatting.describe_match_time(self.texts, view)
        text = self.texts.join([line for line in (*lines, clock_text, footer) if line], "list.lines")
        picture = (
            await self._render_picture(view, view.position, render_options)
            if view.position and with_picture
            else None
        )
        mentions = announcement.recipients if announcement and view.is_current else ()

        def buttons() -> tuple[PersistentButton, ...]:
            move_buttons = self.move_buttons(view) if not account or _is_to_move(view, account) else ()
            view_button = ViewButton.of(self.texts, view, announcement)
            made = [make(self.texts, view, account) for make in self.private_buttons] if account else []
            private_buttons = [one for one in made if one is not None]
            if view.result is None:
                return (*move_buttons, view_button, *private_buttons)
            result_buttons = [make(self.texts, view) for make in self.result_buttons] if announcement else []
            replay = [self._replay_button(view)] if view.position is not None else []
            return (*result_buttons, view_button, *replay, *private_buttons)

        return Post(text, picture, lambda: view_of(*buttons()), mentions)

    def _replay_button(self, view: MatchView) -> PersistentButton:
        return OpenReplayButton.of(self.texts("button.replay"), ReplayState(ReplaySource.MATCH, view.id))

    async def _render_picture(
        self, view: MatchView, position: Position, render_options: render.RenderOptions
    ) -> Picture:
        png, diagram = await pictures.render_board(
            position, replace(render_options, last_turn=formatting.last_turn_events(view))
        )
        return Picture(png, formatting.format_alt_text(self.texts, view, diagram))


def _is_to_move(view: MatchView, account: str) -> bool:
    return view.to_move is not None and view.to_move.person.account == account
