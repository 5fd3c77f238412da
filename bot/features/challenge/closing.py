"""The post for the player who is to know that a challenge was declined, was withdrawn or has expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.lobby import show_lobby
from bot.posts.post import Post
from bot.ui.buttons import PersistentButton, view_of
from i18n.announcements import describe_closed_challenge

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import Announcement, Challenge


class OpenChallengesButton(PersistentButton, template=r"closed1:(?P<announcement>\d+)"):
    """Lists the open challenges of the server. Its id is the marker of the post."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the lobby."""
        await show_lobby(interaction)


def build_closing_post(texts: Texts, challenge: Challenge, announcement: Announcement) -> Post:
    """Return the post of a closed challenge; it mentions the recipients of the announcement."""
    text = describe_closed_challenge(texts, challenge, announcement.recipients[0])
    label, marker = texts("button.open_challenges"), f"closed1:{announcement.id}"
    return Post(
        text, None, lambda: view_of(OpenChallengesButton.create(label, marker)), announcement.recipients
    )
