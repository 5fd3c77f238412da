"""What a feature contributes to the client: commands, persistent items, modals, posts and hooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import discord
    from discord import app_commands

    from bot.context import BotClient, Interaction
    from bot.outbox.direct_messages import FollowerMessages
    from bot.posts.announcement_posts import (
        AnnouncementBuilder,
        ChallengePostBuilder,
        ClosingPostBuilder,
        ResultNote,
    )
    from bot.posts.board_posts import (
        ButtonFactory,
        GuideButtonFactory,
        OptionalButtonFactory,
        PrivateButtonFactory,
    )
    from bot.ui.buttons import PersistentButton
    from bot.ui.replay_state import ReplayState
    from engine.game import Game
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
    - `guide_buttons`: where a newcomer looks first, for a game and its options: under an open challenge, the
      post that asks for a simultaneous choice, the first board, and ``/help``; None adds no button.

    Posts (see :mod:`bot.posts.announcement_posts` and :mod:`bot.outbox.direct_messages`):

    - `announcement_posts`: builds the post of an announcement, by kind.
    - `result_notes`: sentences appended to the post of a result.
    - `challenge_post`, `closing_post`: build the post of a challenge, and the one that tells a player that it
      is closed; one feature provides both.
    - `follower_messages`: builds direct messages to followers of a match; one feature may provide it.

    `periodic_tasks` run every few seconds in one process or several; `gateway_tasks` do so only in those that
    have shards.
    """

    commands: tuple[app_commands.Command[Any, ..., Any] | app_commands.ContextMenu, ...] = ()
    items: tuple[type[discord.ui.DynamicItem[Any]], ...] = ()
    modal_handlers: Mapping[str, Callable[[Interaction], Awaitable[None]]] = field(default_factory=dict)
    board_buttons: tuple[ButtonFactory, ...] = ()
    choice_buttons: tuple[ButtonFactory, ...] = ()
    result_buttons: tuple[ButtonFactory, ...] = ()
    finished_match_buttons: tuple[OptionalButtonFactory, ...] = ()
    private_buttons: tuple[PrivateButtonFactory, ...] = ()
    replay_buttons: tuple[Callable[[Texts, Replay, ReplayState], PersistentButton | None], ...] = ()
    guide_buttons: tuple[GuideButtonFactory, ...] = ()
    announcement_posts: Mapping[AnnouncementKind, AnnouncementBuilder] = field(default_factory=dict)
    result_notes: tuple[ResultNote, ...] = ()
    challenge_post: ChallengePostBuilder | None = None
    closing_post: ClosingPostBuilder | None = None
    follower_messages: FollowerMessages | None = None
    periodic_tasks: tuple[Callable[[BotClient], Awaitable[None]], ...] = ()
    gateway_tasks: tuple[Callable[[BotClient], Awaitable[None]], ...] = ()


FeatureFactory = Callable[["Texts", Mapping[str, "Game"]], Feature]
"""The `setup` function of a feature's module."""
