"""The `match` option of slash commands: resolution, defaults and autocomplete.

Once a command knows its match, what it logs names that match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import access, ids, match_choice, permissions
from bot.ui.buttons import view_of
from bot.ui.commands import CommandField, complete_labels
from bot.ui.interactions import bind_match
from bot.ui.refusals import RefusalWithView
from i18n.match_names import format_match_name
from i18n.refusals import Formatted
from matches import MatchId, MatchState, NotInMatch, Refusal, StaleBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from discord import app_commands

    from bot.context import Interaction
    from matches import MatchSummary, MatchView, Person

MAX_LISTED = 20
SEARCH_LIMIT = 200  # matches of a server that are searched
MAX_TRIED = 8  # matches in which a typed move is tried


def field(name: str) -> CommandField:
    """Return the option `match` of the command `name`."""
    return CommandField("match", f"command.{name}.match", completer=_complete)


async def resolve_to_play(
    interaction: Interaction, argument: str | None, can_play: Callable[[MatchView], bool] | None = None
) -> MatchId:
    """Return the match in `argument`, or the user's match here in which it is the user's turn.

    In private messages the matches of all servers count. If it is the opponent's turn in the user's only
    match, that match is returned. Raises Refusal if no match or several matches fit; it offers those first in
    which `can_play` holds.
    """
    if argument is not None:
        return parse_match_id(argument)
    client, who = interaction.client, ids.to_person(interaction.user)
    found: Sequence[MatchSummary] = await (
        client.matches.views.list_awaiting(who)
        if permissions.current_server(interaction) is None
        else client.matches.views.list_awaiting_in(who, ids.stored_id(interaction.channel_id or 0))
    )
    found = found or await _list_own_here(interaction, who)
    playable = [] if can_play is None or len(found) < 2 else await _filter(found, who, interaction, can_play)
    return _require_single_own(interaction, who, found, playable)


async def resolve_own(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match in `argument`, or the user's only match here. Raises Refusal."""
    if argument is not None:
        return parse_match_id(argument)
    who = ids.to_person(interaction.user)
    return _require_single_own(interaction, who, await _list_own_here(interaction, who))


async def resolve_visible(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match in `argument`, or the user's own match here, or else the only match here.

    Raises Refusal.
    """
    if argument is not None:
        return parse_match_id(argument)
    who = ids.to_person(interaction.user)
    own_matches = await _list_own_here(interaction, who)
    here = [] if own_matches else await list_ongoing_here(interaction)
    return require_single(interaction, here) if here else _require_single_own(interaction, who, own_matches)


async def list_ongoing(interaction: Interaction) -> list[MatchSummary]:
    """Return the ongoing matches of this server that the user may view."""
    client = interaction.client
    _, found = await client.matches.public_queries.load_lobby(
        permissions.current_server(interaction) or "", now=client.now(), limit=SEARCH_LIMIT
    )
    return await access.visible(interaction, [one for one in found if one.state is not MatchState.OVER])


async def list_ongoing_here(interaction: Interaction) -> list[MatchSummary]:
    """Return the ongoing matches of this channel or thread that the user may view."""
    here = ids.stored_id(interaction.channel_id or 0)
    return [one for one in await list_ongoing(interaction) if one.channel == here]


async def list_recent(
    interaction: Interaction, *, here: bool = False, limit: int = SEARCH_LIMIT
) -> tuple[MatchSummary, ...]:
    """Return the newest matches of this server, or with `here` of this channel, over or not.

    In private messages they are those of the user, from all servers.
    """
    views, server = interaction.client.matches.views, permissions.current_server(interaction)
    if server is None:
        return await views.list_recent_of(ids.user_account(interaction.user), limit=limit)
    channel = ids.stored_id(interaction.channel_id or 0) if here else None
    return await views.list_recent(server, channel=channel, limit=limit)


def require_single(interaction: Interaction, found: Sequence[MatchSummary]) -> MatchId:
    """Return the only match of a list. Raises Refusal if there are several."""
    if len(found) == 1:
        return bind_match(found[0].id)
    raise _ask_which(
        interaction, found, [format_match_name(interaction.client.texts.plain, one) for one in found]
    )


async def resolve_ongoing(interaction: Interaction, argument: str | None) -> tuple[MatchView, Person]:
    """Return the match that an argument means, and the opponent.

    Raises Refusal, MatchUnknown, NotInMatch, `match_over`.
    """
    client = interaction.client
    view = await client.matches.view(await resolve_own(interaction, argument), now=client.now())
    opponent = view.opponent(ids.user_account(interaction.user))
    if opponent is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise Refusal("match_over", match=view.id)
    return view, opponent.person


def check_turn(view: MatchView, account: str, revision: int) -> None:
    """Raise a Refusal unless `account` is to move and saw the current board, which had that `revision`.

    The board with the unfinished moves of `account`, if the view has them, counts as current too.
    """
    if view.seat(account) is None:
        raise NotInMatch(match=view.id)
    if view.to_move is None:
        raise Refusal("match_over", match=view.id)
    if revision not in {view.revision, view.revision + len(view.unfinished_moves)}:
        raise StaleBoard(match=view.id)
    if view.to_move.person.account != account:
        raise Refusal("not_your_turn", match=view.id, name=view.to_move.person)


def parse_match_id(text: str) -> MatchId:
    """Parse the number of a match. Raises Refusal."""
    digits = text.strip().lstrip("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 18):
        raise Refusal("match_unreadable", text=text)
    return bind_match(MatchId(int(digits)))


def find_opponent(summary: MatchSummary, account: str) -> Person:
    """Return the opponent of `account`."""
    return next(seat.person for seat in summary.seats if seat.person.account != account)


async def _list_own_here(interaction: Interaction, who: Person) -> list[MatchSummary]:
    """Return a person's active matches here, or in private messages those of all servers."""
    client, server = interaction.client, permissions.current_server(interaction)
    found = await client.matches.views.list_active_of(who, server)
    here = ids.stored_id(interaction.channel_id or 0)
    return [one for one in found if server is None or one.channel == here]


async def _filter(
    found: Sequence[MatchSummary],
    who: Person,
    interaction: Interaction,
    can_play: Callable[[MatchView], bool],
) -> list[MatchSummary]:
    """Return those of the first MAX_TRIED matches that wait for `who` and for which `can_play` holds."""
    client, playable = interaction.client, []
    for one in found[:MAX_TRIED]:
        if any(person.account == who.account for person in one.waits_for):
            view = await client.matches.view(one.id, readers=(who.account,), now=client.now())
            if can_play(view):
                playable.append(one)
    return playable


def _require_single_own(
    interaction: Interaction,
    who: Person,
    found: Sequence[MatchSummary],
    playable: Sequence[MatchSummary] = (),
) -> MatchId:
    if len(found) == 1:
        return bind_match(found[0].id)
    if not found:
        raise Refusal("no_match_here" if permissions.current_server(interaction) else "no_match_anywhere")
    ordered = [*playable, *(one for one in found if one not in playable)]
    only = playable[0] if len(playable) == 1 else None
    raise _ask_which(interaction, ordered, list(_format_labels(interaction, who, ordered)), only)


def _ask_which(
    interaction: Interaction,
    found: Sequence[MatchSummary],
    labels: Sequence[str],
    only: MatchSummary | None = None,
) -> Refusal:
    """Return the refusal that asks which match is meant; `labels` are plain text."""
    texts = interaction.client.texts
    items = match_choice.create_items(interaction, found, labels, only)
    lines = texts.join(labels[:MAX_LISTED], "list.lines")
    if not items:
        return Refusal("which_match_again", matches=Formatted(lines))
    return RefusalWithView(
        "which_match" if len(found) <= match_choice.MAX_OPTIONS else "which_match_newest",
        view_of(*items),
        count=match_choice.MAX_OPTIONS,
    )


def _format_labels(interaction: Interaction, who: Person, found: Iterable[MatchSummary]) -> Iterable[str]:
    texts = interaction.client.texts.plain
    for one in found:
        turn = any(person.account == who.account for person in one.waits_for)
        name = format_match_name(texts, one, who.account)
        yield texts("games.choice_waiting", match_name=name) if turn else name


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, who = interaction.client, ids.to_person(interaction.user)
    found = await client.matches.views.list_active_of(who, permissions.current_server(interaction))
    labels = zip(_format_labels(interaction, who, found), (one.id for one in found), strict=True)
    return complete_labels(labels, current)
