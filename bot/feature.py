"""What a feature contributes to the client: commands, persistent items, modals, posts and hooks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    import discord

    from bot.context import Interaction
    from bot.outbox.sender import PeriodicTask
    from bot.posts.announcement_posts import AnnouncementBuilder, PrivatePostBuilder, TournamentPostBuilder
    from bot.posts.board_posts import (
        ButtonFactory,
        GuideButtonFactory,
        OptionalButtonFactory,
        PrivateButtonFactory,
        TurnButtonFactory,
    )
    from bot.ui.buttons import PersistentButton
    from bot.ui.commands import CommandBuilder
    from bot.ui.replay_state import ReplayState
    from i18n import Texts
    from matches import AnnouncementKind, Replay


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature. The client registers every feature that :mod:`bot.app` lists, in that order.

    Commands (slash commands and those of context menus) and components:

    - `items`: buttons and selects that work on messages of any age.
    - `modal_handlers`: handlers of submitted modals, by the first word of the custom_id
      (see :mod:`bot.ui.modals`).

    Buttons under the boards of other modules (see :class:`bot.posts.board_posts.BoardPostFactory`):

    - `board_buttons`: under the latest board, for the player to move.
    - `choice_buttons`: for players who still have to make their simultaneous choice.
    - `result_buttons`: under the post of a result.
    - `finished_match_buttons`: under every board of a finished match.
    - `private_buttons`: under a private board, for the account that views it; None adds no button.
    - `replay_buttons`: under a replay page that one person sees; None adds no button.
    - `turn_buttons`: in a list of matches, for the player for whom one waits, in a given row; None adds no
      button.
    - `guide_buttons`: where a newcomer looks first, for a game and its options: under an open challenge, the
      post that asks for a simultaneous choice, the first board, and ``/help``; None adds no button.

    `announcement_posts` build the post of an announcement, by kind (see :mod:`bot.posts.announcement_posts`),
    `tournament_posts` those about a tournament, `private_posts` those to one person about neither a match, a
    challenge nor a tournament.

    `periodic_tasks` run in the background.
    """

    commands: tuple[CommandBuilder, ...] = ()
    items: tuple[type[discord.ui.DynamicItem[Any]], ...] = ()
    modal_handlers: Mapping[str, Callable[[Interaction], Awaitable[None]]] = field(default_factory=dict)
    board_buttons: tuple[ButtonFactory, ...] = ()
    choice_buttons: tuple[ButtonFactory, ...] = ()
    result_buttons: tuple[ButtonFactory, ...] = ()
    finished_match_buttons: tuple[OptionalButtonFactory, ...] = ()
    private_buttons: tuple[PrivateButtonFactory, ...] = ()
    replay_buttons: tuple[Callable[[Texts, Replay, ReplayState], PersistentButton | None], ...] = ()
    turn_buttons: tuple[TurnButtonFactory, ...] = ()
    guide_buttons: tuple[GuideButtonFactory, ...] = ()
    announcement_posts: Mapping[AnnouncementKind, AnnouncementBuilder] = field(default_factory=dict)
    tournament_posts: tuple[TournamentPostBuilder, ...] = ()
    private_posts: Mapping[AnnouncementKind, PrivatePostBuilder] = field(default_factory=dict)
    periodic_tasks: tuple[PeriodicTask, ...] = ()
