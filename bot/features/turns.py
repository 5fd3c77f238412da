"""``/turns``: the matches that wait for the user, nearest deadline first, each with its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.feature import Feature
from bot.features.move.feature import MoveButton
from bot.features.move_picker.feature import PickButton
from bot.features.simultaneous_choice import SimultaneousChoiceButton
from bot.posts.places import describe_place
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, permissions
from bot.ui.buttons import PersistentButton, Style, link_button, view_of
from bot.ui.commands import create_command
from i18n.match_names import format_match_name
from i18n.writing import Moment, MomentStyle
from matches import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import discord

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import MatchSummary, Person

PAGE_SIZE = 4  # matches on a page; each has a row of buttons, and the fifth row has the page buttons
SCOPE_HERE, SCOPE_EVERYWHERE = "h", "e"


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the command and the page button."""
    return Feature(
        commands=(create_command(texts, "turns", show_turns, anywhere=True),), items=(TurnsPageButton,)
    )


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
    last_page = max(0, (len(listed) - 1) // PAGE_SIZE)
    page = min(page, last_page)
    shown = listed[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    lines = [texts("turns.heading" if listed else "turns.none_anywhere" if everywhere else "turns.none")]
    lines += [_format_line(texts, who, one) for one in shown]
    if last_page:
        lines.append(texts("list.page", page=page + 1, pages=last_page + 1))
    if len(found) > len(listed):
        lines.append(texts("turns.elsewhere", count=len(found) - len(listed)))
    scope = SCOPE_EVERYWHERE if everywhere else SCOPE_HERE
    page_buttons = _page_buttons(texts, scope, page, last_page, has_elsewhere=len(found) > len(listed))
    items = [item for number, one in enumerate(shown) for item in _row_items(texts, one, number)]
    return Post(texts.join(lines, "list.lines"), None, lambda: view_of(*items, *page_buttons))


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


def _row_items(texts: Texts, summary: MatchSummary, row: int) -> Iterator[discord.ui.Item[Any]]:
    """Yield the buttons of a match: to play in it and to open it."""
    if summary.state is MatchState.CHOOSING:
        label = texts.for_game(summary.game, "turns.choice", match=summary.id)
        yield SimultaneousChoiceButton.create(label, f"fists1:{summary.id}", Style.primary, row=row)
    else:
        label = texts("turns.move", match=summary.id)
        yield MoveButton.create(label, f"move1:{summary.id}:{summary.revision}", Style.primary, row=row)
        label = texts("turns.pick", match=summary.id)
        yield PickButton.create(label, f"pick1:{summary.id}:{summary.revision}", Style.primary, row=row)
    yield link_button(texts("turns.go", match=summary.id), ids.latest_post_url(summary), row=row)


def _page_buttons(
    texts: Texts, scope: str, page: int, last_page: int, *, has_elsewhere: bool
) -> list[PersistentButton]:
    steps = [("button.back", page - 1)] if page else []
    steps += [("button.next", page + 1)] if page < last_page else []
    buttons: list[PersistentButton] = [
        TurnsPageButton.create(texts(key), f"turns1:{scope}:{to}", row=PAGE_SIZE) for key, to in steps
    ]
    if has_elsewhere:
        buttons.append(
            TurnsPageButton.create(texts("turns.all"), f"turns1:{SCOPE_EVERYWHERE}:0", row=PAGE_SIZE)
        )
    return buttons
