"""The button of every match post that shows the board privately, from the user's own side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from bot.posts import pictures
from bot.posts.places import format_earlier_board
from bot.posts.replies import send_private
from bot.ui import access, ids
from bot.ui.buttons import PersistentButton

if TYPE_CHECKING:
    from bot.context import Interaction
    from engine.game import Side
    from i18n import Texts
    from matches import Announcement, MatchId, MatchView


def view_button_id(match: MatchId, revision: int, announcement: Announcement | None) -> str:
    """Return the custom_id, which identifies the post of an announcement."""
    return f"view1:{match}:{revision}:{0 if announcement is None else announcement.id}"


class ViewButton(PersistentButton, template=r"view1:(?P<match>\d+):(?P<stamp>\d+):(?P<announcement>\d+)"):
    """Shows the board of its post in an ephemeral reply."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, announcement: Announcement | None) -> Self:
        """Create the button of a post about `view`."""
        return cls.create(texts("button.view"), view_button_id(view.id, view.revision, announcement))

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the board."""
        await show_posted_board(interaction, self.match, int(self.values["stamp"]))


async def show_posted_board(interaction: Interaction, match: MatchId, revision: int) -> None:
    """Respond with the board of a post (ephemeral). Raises MatchUnknown also if the user may not see it."""
    client = interaction.client
    view = await client.matches.view(
        match, revision=revision, readers=(ids.user_account(interaction.user),), now=client.now()
    )
    await access.require_visible(interaction, view)
    await show_match(interaction, view)


async def show_match(
    interaction: Interaction, view: MatchView, side: Side | None = None, *, text: bool | None = None
) -> None:
    """Respond with a match (ephemeral), seen from `side` or as preferred; with `text` the board is text.

    If `text` is None, that is as preferred too.
    """
    board_posts, account = interaction.client.board_posts, ids.user_account(interaction.user)
    preferences = await pictures.load_preferences(interaction)
    render_options = pictures.build_render_options(interaction.client.texts, preferences, view.seat(account))
    as_text = preferences.boards_as_text if text is None else text
    if side is not None:
        render_options = replace(render_options, bottom_side=side)
    post = await (board_posts.private_text_post if as_text else board_posts.private_board_post)(
        view, account, render_options
    )
    if not view.is_current:
        texts, latest = interaction.client.texts, await interaction.client.matches.views.summary(view.id)
        note = format_earlier_board(texts, view, latest)
        post = replace(post, text=texts.join([note, post.text], "list.lines"))
    await send_private(interaction, post, suppress_embeds=True)
