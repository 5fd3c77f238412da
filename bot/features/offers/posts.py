"""The posts of offers, of the answers to them, and of aborted matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from bot.outbox.responses import respond_with_update
from bot.posts import formatting
from bot.ui import ids, markdown
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import leave_unusable_channel
from i18n.formatting import format_agreed_end
from matches import AnnouncementKind, MatchId, OfferId, OfferKind

if TYPE_CHECKING:
    from bot.context import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from i18n import Texts
    from matches import Announcement, MatchView


async def build_offer_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of an offer with its two buttons, or of a declined offer."""
    texts, kind = board_posts.texts, OfferKind(str(announcement.details["what"]))
    values = _text_values(board_posts, view, announcement)
    if announcement.kind is AnnouncementKind.OFFER_DECLINED:
        return board_posts.text_post(
            view, announcement, texts(f"offer.{kind}.refused", match=view.id, **values)
        )
    if view.position is not None:
        values["result"] = format_agreed_end(texts, view.position)
    offer_id = int(announcement.details["offer"])
    buttons = (OfferButton.of(texts, kind, offer_id, answer) for answer in OfferButton.ANSWERS)
    return board_posts.text_post(
        view, announcement, texts(f"offer.{kind}.post", match=view.id, **values), *buttons
    )


async def build_offer_result_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of a takeback or of an aborted match."""
    texts, values = board_posts.texts, _text_values(board_posts, view, announcement)
    if announcement.kind is AnnouncementKind.ABORTED:
        return await board_posts.board_post(view, announcement, texts("abort.post", match=view.id, **values))
    opponent = view.opponent(announcement.by)
    name = "" if opponent is None else markdown.escaped_name(opponent.person)
    sentence = texts("takeback.post", match=view.id, by=values["by"], name=name)
    return await board_posts.board_post(view, announcement, sentence, formatting.turn_mention(texts, view))


def _text_values(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> dict[str, str]:
    by = view.seat(announcement.by)
    mentions = [ids.user_mention(account) for account in announcement.recipients]
    return {
        "by": "" if by is None else markdown.escaped_name(by.person),
        "mentions": board_posts.texts.join(mentions),
    }


ACCEPT, DECLINE = "accept", "decline"


class OfferButton(PersistentButton, template=r"offer1:(?P<offer>\d+):(?P<answer>accept|decline)"):
    """Accepts or declines the offer of its post."""

    ANSWERS: ClassVar = (ACCEPT, DECLINE)

    @classmethod
    def of(cls, texts: Texts, kind: OfferKind, offer: int, answer: str) -> Self:
        """Create the button for one of ANSWERS."""
        style = Style.success if answer == ACCEPT else Style.secondary
        return cls.create(texts(f"offer.{kind}.{answer}"), f"offer1:{offer}:{answer}", style)

    async def on_click(self, interaction: Interaction) -> None:
        """Answer the offer and announce the result in the match's channel."""
        await leave_unusable_channel(interaction)
        client, offer = interaction.client, OfferId(int(self.values["offer"]))
        who, accept = ids.to_person(interaction.user), self.values["answer"] == ACCEPT
        await respond_with_update(
            interaction, await client.matches.offers.answer(offer, who, accept=accept, now=client.now())
        )


class LegacyAcceptEndButton(PersistentButton, template=r"agree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Accepts an offer of the old format to end the match."""

    async def on_click(self, interaction: Interaction) -> None:
        """End the match."""
        await _answer_legacy_offer(self, interaction, accept=True)


class LegacyDeclineEndButton(PersistentButton, template=r"disagree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Declines an offer of the old format to end the match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Decline the offer."""
        await _answer_legacy_offer(self, interaction, accept=False)


async def _answer_legacy_offer(button: PersistentButton, interaction: Interaction, *, accept: bool) -> None:
    await leave_unusable_channel(interaction)
    client, match, ply = interaction.client, MatchId(int(button.values["match"])), int(button.values["ply"])
    who = ids.to_person(interaction.user)
    update = await client.matches.offers.answer_end(
        match, who, accept=accept, seen_revision=ply, now=client.now()
    )
    await respond_with_update(interaction, update)


ANNOUNCEMENT_POSTS = {
    AnnouncementKind.OFFERED: build_offer_post,
    AnnouncementKind.OFFER_DECLINED: build_offer_post,
    AnnouncementKind.TAKEN_BACK: build_offer_result_post,
    AnnouncementKind.ABORTED: build_offer_result_post,
}
