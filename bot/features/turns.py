"""``/turns``: the matches that wait for the user, nearest deadline first, each with its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.feature import Feature
from bot.posts.places import describe_place
from bot.posts.post import Page, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, permissions
from bot.ui.buttons import PersistentButton, link_button, view_of
from bot.ui.commands import define_command
from i18n.match_names import format_match_name
from i18n.writing import Moment, MomentStyle

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchSummary, Person

PAGE_SIZE = 4  # matches on a page; each has a row of buttons, and the fifth row has the page buttons
SCOPE_HERE, SCOPE_EVERYWHERE = "h", "e"


class TurnsPageButton(PersistentButton, template=r"turns1:(?P<scope>[he]):(?P<page>\d{1,4})"):
    """Shows a page of the matches in this guild or everywhere, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        everywhere = self.values["scope"] == SCOPE_EVERYWHERE
        post = await _build_page(interaction, int(self.values["page"]), everywhere=everywhere)
        await replace_message(interaction, post)


async def show_turns(interaction: Interaction) -> None:
    """Respond with the first page (ephemeral)."""
    post = await _build_page(interaction, 0, everywhere=permissions.current_server(interaction) is None)
    await send_private(interaction, post, suppress_embeds=True)


async def _build_page(interaction: Interaction, page: int, *, everywhere: bool) -> Post:
    client, who = interaction.client, ids.to_person(interaction.user)
    texts, server = client.texts, permissions.current_server(interaction)
    found = await client.matches.views.list_awaiting(who)
    listed = [one for one in found if everywhere or one.server == server]
    shown = Page.cut(listed, page, PAGE_SIZE)
    lines = [texts("turns.heading" if listed else "turns.none_anywhere" if everywhere else "turns.none")]
    lines += [*(_format_line(texts, who, one) for one in shown.shown), *shown.format_number(texts)]
    if len(found) > len(listed):
        lines.append(texts("turns.elsewhere", count=len(found) - len(listed)))
    scope = SCOPE_EVERYWHERE if everywhere else SCOPE_HERE
    buttons = [
        TurnsPageButton.create(texts(key), f"turns1:{scope}:{to}", row=PAGE_SIZE) for key, to in shown.steps()
    ]
    if len(found) > len(listed):
        everything = f"turns1:{SCOPE_EVERYWHERE}:0"
        buttons.append(TurnsPageButton.create(texts("turns.all"), everything, row=PAGE_SIZE))
    items = list[discord.ui.Item[Any]]()
    for row, one in enumerate(shown.shown):
        items += client.board_posts.buttons_for_turn(one, row)
        items.append(link_button(texts("turns.go", match=one.id), ids.latest_post_url(one), row=row))
    return Post(texts.join(lines, "list.lines"), None, lambda: view_of(*items, *buttons))


def _format_line(texts: Texts, who: Person, summary: MatchSummary) -> str:
    return texts(
        "turns.line",
        match_name=format_match_name(texts, summary, who.account),
        channel=describe_place(texts, summary),
        time=_format_time(texts, who, summary),
    )


def _format_time(texts: Texts, who: Person, summary: MatchSummary) -> str:
    """Return the user's deadline or, without a running clock, since when it is their turn."""
    own_time = None if summary.time is None else summary.time.for_account(who.account)
    if own_time is not None and own_time.flagged_at is not None:
        return texts("turns.expired", when=Moment(own_time.flagged_at, MomentStyle.RELATIVE))
    if own_time is not None and own_time.deadline is not None:
        return texts("turns.deadline", when=Moment(own_time.deadline, MomentStyle.RELATIVE))
    paused = summary.time is not None and summary.time.paused
    return texts(
        "turns.paused" if paused else "turns.since", when=Moment(summary.changed_at, MomentStyle.RELATIVE)
    )


FEATURE = Feature(commands=(define_command("turns", show_turns, anywhere=True),), items=(TurnsPageButton,))
