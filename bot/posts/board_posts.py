"""Posts that show a board: the start, a turn, the end, a private view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import render
from bot.posts import board_text, formatting, pictures
from bot.posts.post import MAX_TEXT_LENGTH, Picture, Post
from bot.posts.view_button import ViewButton
from bot.ui import clock_formatting, markdown
from bot.ui.buttons import view_of
from i18n.formatting import format_side
from matches import Action, AnnouncementKind, MatchState, is_computer, possible_actions
from metrics import NO_METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import discord

    from bot.ui.buttons import PersistentButton
    from engine.game import Game, OptionValue, Position
    from i18n import Texts
    from matches import Announcement, MatchView
    from metrics import Metrics

ButtonFactory = Callable[["Texts", "MatchView"], "PersistentButton"]
OptionalButtonFactory = Callable[["Texts", "MatchView"], "PersistentButton | None"]
GuideButtonFactory = Callable[["Texts", "Game", "Mapping[str, OptionValue]"], "PersistentButton | None"]
PrivateButtonFactory = Callable[["Texts", "MatchView", str], "PersistentButton | None"]

FIRST_BOARD_KINDS = frozenset({AnnouncementKind.STARTED, AnnouncementKind.REVEALED})
CLOCK_TEXT_RESERVE = 250  # characters kept free for the clocks below a board described as text


@dataclass(frozen=True, slots=True)
class BoardPostFactory:
    """Builds posts with boards. Features provide the buttons; see :class:`bot.feature.Feature`."""

    texts: Texts
    games: Mapping[str, Game]
    board_buttons: tuple[ButtonFactory, ...] = ()
    choice_buttons: tuple[ButtonFactory, ...] = ()
    result_buttons: tuple[ButtonFactory, ...] = ()
    finished_match_buttons: tuple[OptionalButtonFactory, ...] = ()
    private_buttons: tuple[PrivateButtonFactory, ...] = ()
    guide_buttons: tuple[GuideButtonFactory, ...] = ()
    with_pictures: bool = True
    metrics: Metrics = NO_METRICS

    async def start_post(self, view: MatchView, announcement: Announcement, opening: str = "") -> Post:
        """Return the post of the first board; `opening` replaces the sentence about the start."""
        default_opening = self.texts(
            "start.post",
            game=self.texts(f"game.{view.game}.name"),
            **formatting.seat_values(self.texts, view),
        )
        lines = [opening or default_opening, self._accepted_line(view, announcement)]
        return await self._build_post(view, announcement, [*lines, self.turn_line(view, announcement)])

    def _accepted_line(self, view: MatchView, announcement: Announcement) -> str:
        """Return the sentence that calls a challenger who does not move first; empty on an old board."""
        seat = view.to_move
        mover = None if seat is None else seat.person.account
        called = [account for account in announcement.recipients if account != mover]
        by = view.seat(announcement.by)
        is_started = announcement.kind is AnnouncementKind.STARTED and view.is_current
        if is_computer(announcement.by):
            return ""
        if not is_started or not called or by is None:
            return ""
        return self.texts(
            "start.accepted",
            mention=markdown.mention_all(self.texts, called[:1], view),
            by=markdown.escaped_name(by.person),
        )

    async def turn_post(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Return the post of a turn, which may have ended the match; `note` is appended to a result."""
        turns = formatting.format_last_turns(self.texts, view)
        sentences = formatting.format_announced_turns(self.texts, view, announcement, turns)
        lines = [*sentences, self._format_result_or_turn(view, announcement), note]
        return await self._build_post(view, announcement, lines, turns=turns)

    async def end_post(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Return the post of an end without a move, such as a resignation, followed by `note`."""
        return await self._build_post(
            view, announcement, [self._format_result_or_turn(view, announcement), note]
        )

    async def board_post(self, view: MatchView, announcement: Announcement, *lines: str) -> Post:
        """Return a post with these lines and the board, if the match has one yet."""
        return await self._build_post(view, announcement, lines)

    async def private_board_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private view of a match with its picture, for an account."""
        return await self._build_post(view, None, self.format_outline(view), render_options, account)

    async def private_text_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private view of a match with the board as text instead of a picture."""
        lines = self.format_outline(view)
        if view.position is not None:
            max_length = MAX_TEXT_LENGTH - CLOCK_TEXT_RESERVE - sum(len(line) + 1 for line in lines)
            lines += await asyncio.to_thread(
                board_text.describe_board,
                self.texts,
                view.position,
                replace(render_options, is_over=view.result is not None),
                max_length,
            )
        return await self._build_post(view, None, lines, render_options, account, with_picture=False)

    async def incomplete_turn_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return the private answer to a turn that is not complete: what was placed and what remains."""
        placed = self.texts.join([played.text for played in view.unfinished_moves])
        key = "turn.due" if view.unfinished_moves else "turn.undone"
        line = self.texts(key, placed=placed, count=view.moves_due)
        return await self._build_post(view, None, [line], render_options, account)

    async def private_post(
        self,
        view: MatchView,
        lines: Sequence[str],
        render_options: render.RenderOptions,
        *buttons: discord.ui.Item[Any],
    ) -> Post:
        """Return a private post about a match with these lines and buttons."""
        post = await self._build_post(view, None, lines, render_options)
        return replace(post, buttons=lambda: view_of(*buttons))

    def format_outline(self, view: MatchView) -> list[str]:
        """Return two lines: the title of a match, and its status."""
        return [
            formatting.format_title(self.texts, view, self.games[view.game]),
            formatting.format_status(self.texts, view),
        ]

    def move_buttons(self, view: MatchView) -> list[PersistentButton]:
        """Return the buttons with which the player to move plays; none on an old board."""
        return (
            [create(self.texts, view) for create in self.board_buttons]
            if view.to_move and view.is_current and not is_computer(view.to_move.person.account)
            else []
        )

    def play_buttons(self, view: MatchView) -> list[PersistentButton]:
        """Return the buttons with which a player acts now: by moving, or by making a simultaneous choice."""
        if view.state is MatchState.CHOOSING:
            return [create(self.texts, view) for create in self.choice_buttons]
        return self.move_buttons(view)

    def buttons_for_newcomers(self, game: str, options: Mapping[str, OptionValue]) -> list[PersistentButton]:
        """Return the buttons that explain a game with these options."""
        buttons = (create(self.texts, self.games[game], options) for create in self.guide_buttons)
        return [button for button in buttons if button is not None]

    def text_post(
        self, view: MatchView, announcement: Announcement, text: str, *buttons: PersistentButton
    ) -> Post:
        """Return a post about a match without its board."""
        view_button = ViewButton.of(self.texts, view, announcement)
        return Post(text, None, lambda: view_of(*buttons, view_button), announcement.recipients)

    def turn_line(self, view: MatchView, announcement: Announcement) -> str:
        """Return a mention of the player to move; in the opponent's own copy, who that is."""
        seat = view.to_move
        is_own = seat is not None and seat.person.account == announcement.to
        if not announcement.is_direct or is_own or seat is None or not view.is_current:
            return formatting.turn_mention(self.texts, view)
        name = markdown.escaped_name(seat.person)
        return self.texts("board.to_move", name=name, side=format_side(self.texts, seat.side))

    def _format_result_or_turn(self, view: MatchView, announcement: Announcement) -> str:
        """Return the result, or the mention of the player to move."""
        if view.result is None:
            return self.turn_line(view, announcement)
        result = formatting.format_result(self.texts, view, view.result)
        return formatting.format_call(self.texts, view, announcement, "result.post", result=result)

    async def _build_post(
        self,
        view: MatchView,
        announcement: Announcement | None,
        lines: Sequence[str],
        render_options: render.RenderOptions | None = None,
        account: str = "",
        *,
        with_picture: bool = True,
        turns: Sequence[str] | None = None,
    ) -> Post:
        if announcement is not None and announcement.is_direct:
            account = announcement.to or ""
        footer = formatting.format_footer(self.texts, view) if announcement else ""
        clock_text = clock_formatting.describe_match_time(self.texts, view)
        text = self.texts.join([line for line in (*lines, clock_text, footer) if line], "list.lines")
        picture = (
            await self._render_picture(
                view, view.position, render_options or render.RenderOptions(self.texts), turns
            )
            if view.position and with_picture and self.with_pictures
            else None
        )
        mentions = announcement.recipients if announcement and view.is_current else ()

        return Post(text, picture, lambda: view_of(*self._buttons(view, announcement, account)), mentions)

    def _buttons(
        self, view: MatchView, announcement: Announcement | None, account: str
    ) -> list[PersistentButton]:
        """Return the buttons of a public post, or of a private one for `account`."""
        texts, view_button = self.texts, ViewButton.of(self.texts, view, announcement)
        private = [create(texts, view, account) for create in self.private_buttons] if account else []
        found: list[PersistentButton | None]
        if view.result is None:
            is_player = not account or Action.PLAY in possible_actions(view, account)
            play = self.move_buttons(view) if is_player else []
            is_first = announcement is not None and announcement.kind in FIRST_BOARD_KINDS
            guide = self.buttons_for_newcomers(view.game, view.options) if is_first else []
            found = [*play, view_button, *private, *guide]
        else:
            results = [create(texts, view) for create in self.result_buttons] if announcement else []
            finished = [create(texts, view) for create in self.finished_match_buttons]
            found = [*results, view_button, *finished, *private]
        return [button for button in found if button is not None]

    async def _render_picture(
        self,
        view: MatchView,
        position: Position,
        render_options: render.RenderOptions,
        turns: Sequence[str] | None,
    ) -> Picture:
        png, diagram = await pictures.render_board(
            position,
            replace(render_options, last_turn=view.latest_events, is_over=view.result is not None),
            self.metrics,
        )
        return Picture(png, formatting.format_alt_text(self.texts, view, diagram, turns))
