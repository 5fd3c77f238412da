"""Which match is meant: the one named, or the one that fits the channel or thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot.ui import ids, markdown, permissions
from bot.ui.commands import CommandField, completion_choice
from bot.ui.refusals import Refusal
from matches import MatchId, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discord import app_commands

    from bot.client import Interaction
    from i18n import Texts
    from matches import MatchSummary, Person

MAX_LISTED = 20
SEARCH_LIMIT = 200  # matches of a server among which one is proposed


def field(name: str) -> CommandField:
    """Return the parameter `match` of the command `name`."""
    return CommandField("match", f"command.{name}.match", completer=_complete)


async def resolve_to_play(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match to play in: the one named, or the one here that waits for the person.

    In private those of all servers fit. Raises Refusal where none or several do. Where it is the other's
    turn, the match itself is given, for it has its own refusal.
    """
    if argument is not None:
        return parse_match_id(argument)
    client, who = interaction.client, ids.to_person(interaction.user)
    found: Sequence[MatchSummary] = await (
        client.matches.list_awaiting(who, now=client.now())
        if permissions.current_server(interaction) is None
        else client.matches.list_awaiting_in(
            who, ids.stored_id(interaction.channel_id or 0), now=client.now()
        )
    )
    return _require_single_own(interaction, who, found or await _list_own_here(interaction, who))


async def resolve_own(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match that is meant: the one named, or the person's own here. Raises Refusal."""
    if argument is not None:
        return parse_match_id(argument)
    who = ids.to_person(interaction.user)
    return _require_single_own(interaction, who, await _list_own_here(interaction, who))


async def resolve_visible(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match to look at: the one named, the person's own here, or else the one that goes on here.

    Raises Refusal.
    """
    if argument is not None:
        return parse_match_id(argument)
    who = ids.to_person(interaction.user)
    own_matches = await _list_own_here(interaction, who)
    here = [] if own_matches else await list_ongoing_here(interaction)
    return require_single(interaction, here) if here else _require_single_own(interaction, who, own_matches)


async def list_ongoing(interaction: Interaction) -> list[MatchSummary]:
    """Return the matches of this server that go on and that the person may look at."""
    client = interaction.client
    _, found = await client.matches.load_lobby(
        permissions.current_server(interaction) or "", now=client.now(), limit=SEARCH_LIMIT
    )
    return [
        one
        for one in found
        if one.state is not MatchState.OVER and permissions.can_view_match(interaction, one)
    ]


async def list_ongoing_here(interaction: Interaction) -> list[MatchSummary]:
    """Return those of this channel or thread."""
    here = ids.stored_id(interaction.channel_id or 0)
    return [one for one in await list_ongoing(interaction) if one.channel == here]


def require_single(interaction: Interaction, found: Sequence[MatchSummary]) -> MatchId:
    """Return the only one of some matches, whoever plays it. Raises Refusal where they are several."""
    if len(found) == 1:
        return found[0].id
    texts = interaction.client.texts
    labels = [escape_markdown(format_public_label(texts, one)) for one in found[:MAX_LISTED]]
    raise Refusal("which_match", matches=texts.join(labels, "list.lines"))


def format_public_label(texts: Texts, summary: MatchSummary) -> str:
    """Tell a match that anybody plays, in plain text."""
    first, second = (seat.person.name for seat in summary.seats)
    return texts(
        "watch.choice", match=summary.id, game=texts(f"game.{summary.game}.name"), first=first, second=second
    )


def parse_match_id(text: str) -> MatchId:
    """Read the number of a match. Raises Refusal."""
    digits = text.strip().lstrip("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 18):
        raise Refusal("match_unreadable", text=escape_markdown(text[:100]))
    return MatchId(int(digits))


def find_opponent(summary: MatchSummary, account: str) -> Person:
    """Return whom `account` plays against."""
    return next(seat.person for seat in summary.seats if seat.person.account != account)


async def _list_own_here(interaction: Interaction, who: Person) -> list[MatchSummary]:
    """Return a person's matches here; in private those of all servers."""
    client, server = interaction.client, permissions.current_server(interaction)
    found = await client.matches.list_active_of(who, server, now=client.now())
    here = ids.stored_id(interaction.channel_id or 0)
    return [one for one in found if server is None or one.channel == here]


def _require_single_own(interaction: Interaction, who: Person, found: Sequence[MatchSummary]) -> MatchId:
    if len(found) == 1:
        return found[0].id
    if not found:
        raise Refusal("no_match_here" if permissions.current_server(interaction) else "no_match_anywhere")
    texts = interaction.client.texts
    raise Refusal(
        "which_match",
        matches=texts.join(list(_format_labels(interaction, who, found[:MAX_LISTED])), "list.lines"),
    )


def _format_labels(interaction: Interaction, who: Person, found: Iterable[MatchSummary]) -> Iterable[str]:
    texts = interaction.client.texts
    for one in found:
        turn = any(person.account == who.account for person in one.waits_for)
        yield texts(
            "games.choice_waiting" if turn else "games.choice",
            match=one.id,
            game=texts(f"game.{one.game}.name"),
            opponent=markdown.escaped_name(find_opponent(one, who.account)),
        )


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, who = interaction.client, ids.to_person(interaction.user)
    found = await client.matches.list_active_of(
        who, permissions.current_server(interaction), now=client.now()
    )
    labels = zip(_format_labels(interaction, who, found), found, strict=True)
    query = current.strip().casefold()
    return [
        completion_choice(markdown.strip_escapes(label), str(one.id))
        for label, one in labels
        if query in label.casefold()
    ]
