"""The post for the player who is to know that a challenge was declined, was withdrawn or has expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.lobby import show_lobby
from bot.posts.post import Post
from bot.ui import markdown
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.match_names import format_game_and_number
from matches import ChallengeState

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
    recipient = announcement.recipients[0]
    other = challenge.by if recipient != challenge.by.account else challenge.to
    is_unanswered = challenge.state is ChallengeState.EXPIRED and other is not None
    prefix = "" if challenge.rematch_of is None else "rematch_"
    text = texts(
        f"challenge.closed.{prefix}{challenge.state}{'_named' if is_unanswered else ''}",
        mention=markdown.mention(recipient, filter(None, (challenge.by, challenge.to))),
        match_name=format_game_and_number(texts, challenge.game, challenge.rematch_of or 0),
        name="" if other is None else markdown.escaped_name(other),
        game=texts(f"game.{challenge.game}.name"),
    )
    label, marker = texts("button.open_challenges"), f"closed1:{announcement.id}"
    return Post(
        text, None, lambda: view_of(OpenChallengesButton.create(label, marker)), announcement.recipients
    )
