"""``/board`` and ``/games``: a board in an ephemeral message, and the list of the user's matches.

The command in the menu of a message shows the board of that message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.posts.places import describe_place
from bot.posts.post import Page, Post
from bot.posts.replies import replace_message, send_private
from bot.posts.view_button import ViewButton, show_match, show_posted_board
from bot.ui import access, ids, match_argument, permissions
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import CommandField, complete_labels, define_command, define_message_menu
from engine.game import Side
from i18n import clocks, formatting
from i18n.match_names import format_match_name
from i18n.typed_values import find_value
from i18n.writing import Moment, MomentStyle, Url
from matches import MatchId, MatchUnknown, Refusal

if TYPE_CHECKING:
    import re

    import discord
    from discord import app_commands

    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchSummary, MatchView, Person

PAGE_SIZE = 6  # matches on a page of /games; the longest lines of six fit into a message


async def show_board(
    interaction: Interaction, match: str | None, side: str | None, text: bool | None
) -> None:
    """Show a board in an ephemeral response, as text if `text` is set, or if None as the user prefers."""
    client = interaction.client
    view = await client.matches.view(
        await match_argument.resolve_visible(interaction, match),
        readers=(ids.user_account(interaction.user),),
        now=client.now(),
    )
    await access.require_visible(interaction, view)
    if permissions.current_server(interaction) is None and not await _is_own_or_followed(interaction, view):
        raise MatchUnknown(match=view.id)
    await show_match(
        interaction, view, None if side is None else _resolve_side(client.texts, view, side), text=text
    )


async def _is_own_or_followed(interaction: Interaction, view: MatchView) -> bool:
    account = ids.user_account(interaction.user)
    followed = await interaction.client.matches.people.following.list_followed(account)
    return view.seat(account) is not None or any(one.match.id == view.id for one in followed)


async def show_games(interaction: Interaction) -> None:
    """List the user's matches in this guild, or in private messages everywhere, those waiting first."""
    post = await _build_games_page(interaction, 0)
    await send_private(interaction, post, suppress_embeds=True)


class GamesPageButton(PersistentButton, template=r"games1:(?P<page>\d{1,4})"):
    """Shows a page of the user's matches, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        post = await _build_games_page(interaction, int(self.values["page"]))
        await replace_message(interaction, post)


async def _build_games_page(interaction: Interaction, page: int) -> Post:
    client, who = interaction.client, ids.to_person(interaction.user)
    texts, server = client.texts, permissions.current_server(interaction)
    found = await client.matches.views.list_active_of(who, server)
    shown = Page.cut(found, page, PAGE_SIZE)
    where = "_anywhere" if server is None else ""
    lines = [texts(f"games.heading{where}" if found else f"games.none{where}")]
    lines += [*(_format_line(texts, who, one) for one in shown.shown), *shown.format_number(texts)]
    buttons = [GamesPageButton.create(texts(key), f"games1:{to}") for key, to in shown.steps()]
    return Post(texts.join(lines, "list.lines"), None, (lambda: view_of(*buttons)) if buttons else None)


def _format_line(texts: Texts, who: Person, summary: MatchSummary) -> str:
    is_to_move = any(person.account == who.account for person in summary.waits_for)
    post = ids.find_post(summary.post)
    return texts(
        "games.waiting" if is_to_move else "games.idle",
        match_name=format_match_name(texts, summary, who.account),
        opponent=match_argument.find_opponent(summary, who.account),
        channel=describe_place(texts, summary),
        when=Moment(summary.changed_at, MomentStyle.RELATIVE),
        time=clocks.describe_summary_time(texts, summary),
        link="" if post is None else texts("games.link", url=Url(post.url(summary.server))),
    )


def _resolve_side(texts: Texts, view: MatchView, argument: str) -> Side:
    """Return the side of a match by its name or value. Raises Refusal."""
    sides = [seat.side for seat in view.seats]
    side = find_value(((formatting.format_side(texts, one), one.value) for one in sides), argument)
    if side is None:
        raise Refusal("side_unreadable", text=argument, sides=tuple(one.value for one in sides))
    return Side(side)


async def _complete_side(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    known = {side for game in client.games.values() for side in game.sides}
    labels = {formatting.format_side(client.texts, side): side.value for side in Side if side in known}
    return complete_labels(labels.items(), current)


async def _show_board_of_message(interaction: Interaction, message: discord.Message) -> None:
    """Show the board that a message of the bot is about (ephemeral). Raises Refusal for any other message."""
    is_own = message.author.id == interaction.client.application_id
    found = _find_board(message) if is_own else None
    if found is None:
        raise Refusal("no_board_in_message")
    await show_posted_board(interaction, MatchId(int(found["match"])), int(found["stamp"]))


def _find_board(message: discord.Message) -> re.Match[str] | None:
    """Return the match and the revision in the id of the button *My view* of a message."""
    template = ViewButton.__discord_ui_compiled_template__
    for row in message.components:
        for component in getattr(row, "children", ()):
            found = template.fullmatch(getattr(component, "custom_id", None) or "")
            if found is not None:
                return found
    return None


FEATURE = Feature(
    commands=(
        define_command(
            "board",
            show_board,
            match_argument.field("board"),
            CommandField("side", "command.board.from", completer=_complete_side),
            CommandField("text", "command.board.text", bool),
            anywhere=True,
        ),
        define_command("games", show_games, anywhere=True),
        define_message_menu("board", _show_board_of_message),
    ),
    items=(ViewButton, GamesPageButton),
)
