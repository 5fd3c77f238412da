"""The options of ``/tournament`` that name a tournament, an entrant or a game, and who the user is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.commands import CommandField, complete_labels, typed_value
from bot.ui.permissions import current_server, is_manager
from i18n.names import name_of
from i18n.typed_values import find_value
from matches import Reader, Refusal
from matches.tournaments.results import EntrantId, GameState
from matches.tournaments.values import TournamentId, TournamentState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from discord import app_commands

    from bot.context import Interaction
    from bot.ui.commands import Completer
    from i18n import Texts
    from matches.tournaments.values import EntrantView, TournamentSummary, TournamentView

MAX_DIGITS = 15
LISTED = 50  # tournaments among which one is found by its name
UNFINISHED = (TournamentState.OPEN, TournamentState.RUNNING)


def tournament_field(states: tuple[TournamentState, ...] = tuple(TournamentState)) -> CommandField:
    """Return the required option `tournament`, which suggests those in these states."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        found = await list_tournaments(interaction, states)
        return complete_labels(((f"{one.name} (#{one.id})", one.id) for one in found), current)

    return CommandField("tournament", "command.tournament.tournament", required=True, completer=complete)


def entrant_field(key: str, is_offered: Callable[[TournamentView, EntrantView], bool]) -> CommandField:
    """Return the required option that names an entrant; its texts are under `key`."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        view = await load(interaction, str(typed_value(interaction, "command.tournament.tournament") or ""))
        offered = (one for one in view.entrants if is_offered(view, one))
        texts = interaction.client.texts
        return complete_labels(((name_of(texts, one.person), one.id) for one in offered), current)

    return CommandField("entrant", key, required=True, completer=complete)


def complete_finished_games() -> Completer:
    """Return what suggests the finished games of the tournament that is typed."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        view = await load(interaction, str(typed_value(interaction, "command.tournament.tournament") or ""))
        return complete_labels(_label_games(interaction.client.texts, view), current)

    return complete


def _label_games(texts: Texts, view: TournamentView) -> Iterable[tuple[str, int]]:
    for group in () if view.stage is None else view.stage.groups:
        for game in group.games:
            if game.state is GameState.OVER and game.second is not None:
                first, second = (
                    name_of(texts, view.entrant(one).person) for one in (game.first, game.second)
                )
                yield f"{first} - {second} (#{game.id})", game.id


async def list_tournaments(
    interaction: Interaction, states: tuple[TournamentState, ...]
) -> list[TournamentSummary]:
    """Return what the user may see here: the user's own tournaments, the server's, and those open to all."""
    client, account = interaction.client, ids.user_account(interaction.user)
    tournaments = client.matches.tournaments
    own = await tournaments.list_of(account, now=client.now())
    shown = await tournaments.list(build_reader(interaction), states=states, limit=LISTED, now=client.now())
    server = current_server(interaction)
    found = {one.id: one for one in (*own, *shown) if one.state in states}
    return sorted(found.values(), key=lambda one: (one not in own, one.server != server, -one.id))


async def load(interaction: Interaction, argument: str, *, stage: int | None = None) -> TournamentView:
    """Return the tournament that was named by number or name. Raises `tournament_unknown`."""
    digits = argument.strip().lstrip("#")
    if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS:
        return await view_tournament(interaction, TournamentId(int(digits)), stage=stage)
    found = await list_tournaments(interaction, tuple(TournamentState))
    number = find_value(((one.name, str(one.id)) for one in found), argument)
    if number is None:
        raise Refusal("tournament_unknown")
    return await view_tournament(interaction, TournamentId(int(number)), stage=stage)


async def view_tournament(
    interaction: Interaction, tournament: TournamentId, *, stage: int | None = None
) -> TournamentView:
    """Return a tournament as the user may see it here. Raises `tournament_unknown`."""
    client = interaction.client
    reader = build_reader(interaction)
    return await client.matches.tournaments.view(tournament, reader, stage=stage, now=client.now())


async def view_shown(interaction: Interaction, tournament: TournamentId) -> TournamentView:
    """Return a tournament with the names that all readers of the message or response may see.

    Raises `tournament_unknown`.
    """
    client, message = interaction.client, interaction.message
    is_private = interaction.guild_id is None or (message is not None and message.flags.ephemeral)
    reader = build_reader(interaction)
    shown = reader if is_private else Reader(servers=reader.servers)
    return await client.matches.tournaments.view(tournament, shown, now=client.now())


def build_reader(interaction: Interaction) -> Reader:
    """Return the user as a reader, who is a member of this server."""
    server = current_server(interaction)
    servers = frozenset[str]() if server is None else frozenset({server})
    return Reader(accounts=frozenset({ids.user_account(interaction.user)}), servers=servers)


def is_moderator(interaction: Interaction, view: TournamentView) -> bool:
    """Return whether the user manages the server whose own tournament it is."""
    return view.settings.server == current_server(interaction) and is_manager(interaction)


async def is_member(interaction: Interaction, view: TournamentView) -> bool:
    """Return whether the user is a member of the server whose own tournament it is."""
    server = view.settings.server
    if server == current_server(interaction):
        return True
    if not view.settings.is_of_server:
        return False
    return await MemberLookup(interaction.client).find(server, ids.user_account(interaction.user)) is not None


def find_entrant(texts: Texts, view: TournamentView, typed: str) -> EntrantId:
    """Return the entrant with this number or name who still plays. Raises `not_entrant`."""
    active = [one for one in view.entrants if one.withdrawn is None]
    if typed in {str(one.id) for one in active}:
        return EntrantId(int(typed))
    found = find_value(((name_of(texts, one.person), str(one.id)) for one in active), typed)
    if found is None:
        raise Refusal("not_entrant")
    return EntrantId(int(found))
