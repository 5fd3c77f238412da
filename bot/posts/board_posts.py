"""Posts that show a board: the start, a turn, the end, a private view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import render
from bot.posts import board_text, pictures
from bot.posts.post import Picture, Post
from bot.posts.view_button import ViewButton
from bot.ui.buttons import view_of
from bot.ui.markdown import MAX_TEXT_LENGTH
from i18n import announcements, clocks, match_texts
from i18n.match_names import format_short_match_name
from matches import Action, AnnouncementKind, MatchState, is_computer, possible_actions
from metrics import NO_METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import discord

    from bot.ui.buttons import PersistentButton
    from engine.game import Game, OptionValue, Position
    from i18n import Texts
    from matches import Announcement, MatchSummary, MatchView
    from metrics import Metrics

ButtonFactory = Callable[["Texts", "MatchView"], "PersistentButton"]
OptionalButtonFactory = Callable[["Texts", "MatchView"], "PersistentButton | None"]
GuideButtonFactory = Callable[["Texts", "Game", "Mapping[str, OptionValue]"], "PersistentButton | None"]
TurnButtonFactory = Callable[["Texts", "MatchSummary", int], "PersistentButton | None"]
PrivateButtonFactory = Callable[["Texts", "MatchView", str], "PersistentButton | None"]

FIRST_BOARD_KINDS = frozenset({AnnouncementKind.STARTED, AnnouncementKind.REVEALED})


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
    turn_buttons: tuple[TurnButtonFactory, ...] = ()
    guide_buttons: tuple[GuideButtonFactory, ...] = ()
    with_pictures: bool = True
    metrics: Metrics = NO_METRICS

    async def announcement_post(self, view: MatchView, announcement: Announcement, note: str = "") -> Post:
        """Return the post of an announcement with its board, if the match has one; `note` is appended."""
        return await self._build_post(view, announcement, [*self.describe(view, announcement), note])

    def announcement_text_post(
        self, view: MatchView, announcement: Announcement, *buttons: PersistentButton, time: str = ""
    ) -> Post:
        """Return the post of an announcement without a board; `time` is what it says about the clocks."""
        lines = [line for line in (*self.describe(view, announcement), time) if line]
        view_button = ViewButton.of(self.texts, view, announcement)
        text = self.texts.join(lines, "list.lines")
        return Post(text, None, lambda: view_of(*buttons, view_button), announcement.recipients)

    def describe(self, view: MatchView, announcement: Announcement) -> list[str]:
        """Return the sentences of an announcement."""
        return announcements.describe_announcement(self.texts, announcement, view, self.games[view.game])

    async def private_board_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private view of a match with its picture, for an account."""
        lines = match_texts.format_outline(self.texts, view, self.games[view.game])
        return await self._build_post(view, None, lines, render_options, account)

    async def private_text_post(
        self, view: MatchView, account: str, render_options: render.RenderOptions
    ) -> Post:
        """Return a private view of a match with the board as text instead of a picture."""
        lines = match_texts.format_outline(self.texts, view, self.games[view.game])
        if view.position is not None:
            others = (*lines, clocks.describe_match_time(self.texts, view, reader=account))
            max_length = MAX_TEXT_LENGTH - sum(len(line) + 1 for line in others)
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
        account: str = "",
    ) -> Post:
        """Return a private post about a match, for `account` if it is a player's, with lines and buttons."""
        post = await self._build_post(view, None, lines, render_options, account)
        return replace(post, buttons=lambda: view_of(*buttons))

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

    def buttons_for_turn(self, summary: MatchSummary, row: int) -> list[PersistentButton]:
        """Return the buttons with which a player acts in a match of a list, for a row of buttons."""
        buttons = (create(self.texts, summary, row) for create in self.turn_buttons)
        return [button for button in buttons if button is not None]

    def buttons_for_newcomers(self, game: str, options: Mapping[str, OptionValue]) -> list[PersistentButton]:
        """Return the buttons that explain a game with these options."""
        buttons = (create(self.texts, self.games[game], options) for create in self.guide_buttons)
        return [button for button in buttons if button is not None]

    async def _build_post(
        self,
        view: MatchView,
        announcement: Announcement | None,
        lines: Sequence[str],
        render_options: render.RenderOptions | None = None,
        account: str = "",
        *,
        with_picture: bool = True,
    ) -> Post:
        if announcement is not None and announcement.is_direct:
            account = announcement.to or ""
        footer = match_texts.format_footer(self.texts, view) if announcement else ""
        clock_text = clocks.describe_match_time(self.texts, view, reader=account)
        is_for_reader = account in view.text_readers if account else bool(announcement and view.text_readers)
        pieces = self._describe_pieces(view) if is_for_reader and with_picture else ""
        text = self.texts.join([line for line in (*lines, pieces, clock_text, footer) if line], "list.lines")
        if len(text) > MAX_TEXT_LENGTH:
            text = self.texts.join([line for line in (*lines, clock_text, footer) if line], "list.lines")
        picture = (
            await self._render_picture(
                view, view.position, render_options or render.RenderOptions(self.texts.plain)
            )
            if view.position and with_picture and self.with_pictures
            else None
        )
        mentions = announcement.recipients if announcement and view.is_current else ()

        return Post(text, picture, lambda: view_of(*self._buttons(view, announcement, account)), mentions)

    def _describe_pieces(self, view: MatchView) -> str:
        """Return the cells of the pieces on the board, for players who want it in words; else empty."""
        if view.position is None or not (view.is_current or view.result):
            return ""
        return self.texts.join(match_texts.describe_pieces(self.texts, view.position), "list.lines")

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
        self, view: MatchView, position: Position, render_options: render.RenderOptions
    ) -> Picture:
        png, diagram = await pictures.render_board(
            position,
            replace(render_options, last_turn=view.latest_events, is_over=view.result is not None),
            self.metrics,
        )
        texts = self.texts.plain
        status, name = match_texts.format_standing(texts, view), format_short_match_name(texts, view)
        return Picture(png, match_texts.format_alt_text(texts, name, status, diagram))
