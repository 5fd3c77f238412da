"""The simultaneous choice before a match: both players pick in secret, and one post reveals both picks.

No post, ephemeral response or log line contains a pick before both players have picked.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.posts import pictures
from bot.posts.option_pictures import draw_starts
from bot.posts.post import Post
from bot.posts.replies import send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import leave_unusable_channel
from i18n import match_texts
from i18n.clocks import describe_match_time
from i18n.match_texts import describe_pick
from matches import AnnouncementKind, MatchId, MatchState, NotInMatch, Refusal

if TYPE_CHECKING:
    from bot.context import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from engine.game import Game, SimultaneousChoice
    from i18n import Texts
    from matches import Announcement, MatchSummary, MatchView


class SimultaneousChoiceButton(PersistentButton, template=r"fists1:(?P<match>\d+)"):
    """A button of the post that asks both players to pick."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Create the button of a match."""
        return cls.create(texts.for_game(view.game, "choice.button"), f"fists1:{view.id}", Style.primary)

    @classmethod
    def in_list(cls, texts: Texts, summary: MatchSummary, row: int) -> Self | None:
        """Create the button of a match in a list; None if nobody has to pick there."""
        if summary.state is not MatchState.CHOOSING:
            return None
        label = texts.for_game(summary.game, "turns.choice", match=summary.id)
        return cls.create(label, f"fists1:{summary.id}", Style.primary, row=row)

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the picks (ephemeral)."""
        client, match = interaction.client, self.match
        view = await client.matches.view(match, now=client.now())
        _check_can_pick(view, ids.user_account(interaction.user))
        opponent = view.opponent(ids.user_account(interaction.user))
        name = "" if opponent is None else opponent.person
        game = client.games[view.game]
        shown = await pictures.load_render_options(interaction)
        starts = await asyncio.to_thread(lambda: tuple(draw_starts(client.texts, game, view.options, shown)))
        buttons = [
            SubmitPickButton.of(client.texts, game, match, pick)
            for pick in require_simultaneous_choice(game).picks
        ]
        text = client.texts.for_game(game.name, "choice.ask", opponent=name)
        post = Post(text, buttons=lambda: view_of(*buttons), attachments=starts)
        await send_private(interaction, post)


class SubmitPickButton(PersistentButton, template=r"fist1:(?P<match>\d+):(?P<pick>\w+)"):
    """Submits one of the picks."""

    @classmethod
    def of(cls, texts: Texts, game: Game, match: MatchId, pick: str) -> SubmitPickButton:
        """Create the button for a pick."""
        values = describe_pick(texts.plain, game, pick)
        label = texts.plain.for_game(game.name, "choice.option", **values)
        return cls.create(label, f"fist1:{match}:{pick}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Save the pick; if it is the second one, reveal both publicly."""
        await leave_unusable_channel(interaction)
        client, match = interaction.client, self.match
        pick, who = self.values["pick"], ids.to_person(interaction.user)
        update = await client.matches.pick(match, who, pick, now=client.now())
        game, opponent = client.games[update.match.game], update.match.opponent(who.account)
        pick_texts = describe_pick(client.texts, game, pick)
        if update.announcement is None:
            name = "" if opponent is None else opponent.person
            confirmation = client.texts.for_game(game.name, "choice.picked", opponent=name, **pick_texts)
        else:
            confirmation = client.texts.for_game(game.name, "choice.picked_last", **pick_texts)
        await respond_with_update(interaction, update, Post(confirmation))


async def build_choice_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post that asks both players to pick."""
    texts = board_posts.texts
    lines = board_posts.describe(view, announcement)
    lines += [describe_match_time(texts, view), match_texts.format_footer(texts, view)]
    buttons = [
        *([SimultaneousChoiceButton.of(texts, view)] if view.is_current else []),
        *board_posts.buttons_for_newcomers(view.game, view.options),
    ]
    mentions = announcement.recipients if view.is_current else ()
    text = texts.join([line for line in lines if line], "list.lines")
    return Post(text, None, lambda: view_of(*buttons), mentions)


def require_simultaneous_choice(game: Game) -> SimultaneousChoice:
    """Return the game's simultaneous choice. Raises LookupError for a game without one."""
    if game.simultaneous_choice is None:
        raise LookupError(f"{game.name} has no simultaneous choice.")
    return game.simultaneous_choice


def _check_can_pick(view: MatchView, account: str) -> None:
    """Raise NotInMatch, `match_over`, `choice_over` or `already_picked` if the user cannot pick."""
    if view.seat(account) is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise Refusal("match_over", match=view.id)
    if view.state is not MatchState.CHOOSING:
        raise Refusal("choice_over", match=view.id)
    if any(person.account == account for person in view.picked_by):
        raise Refusal("already_picked", match=view.id)


FEATURE = Feature(
    items=(SimultaneousChoiceButton, SubmitPickButton),
    choice_buttons=(SimultaneousChoiceButton.of,),
    turn_buttons=(SimultaneousChoiceButton.in_list,),
    announcement_posts={
        AnnouncementKind.CHOOSING: build_choice_post,
    },
)
