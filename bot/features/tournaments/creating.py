"""``/tournament create`` and ``announce``: a tournament of the server, and the post with which one joins."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from discord import app_commands

from bot.features.tournaments import argument
from bot.features.tournaments.posts import format_kind
from bot.outbox.responses import respond_with_post
from bot.ui import game_argument, ids
from bot.ui.commands import CommandField, complete_labels, define_command
from bot.ui.game_options import option_fields
from bot.ui.interactions import mark_committed, require_manager, require_permissions
from bot.ui.permissions import current_server, is_manager
from bot.ui.terms_argument import complete_time_control
from i18n import challenge_values, option_values
from i18n.readers import reading_in
from i18n.typed_values import find_value, parse_length
from matches import FIXED_LEVELS, Refusal
from matches.tournaments.values import (
    MAX_ENTRANTS,
    MAX_NAME_LENGTH,
    MAX_ROUNDS,
    MAX_STAGE,
    MIN_ENTRANTS,
    MIN_STAGE,
    TIME_CONTROL,
    EntryLimits,
    GameSetup,
    Kind,
    Settings,
)

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import Announcement
    from matches.terms import TimeControl

KEY = "command.tournament_create"
REGISTRATION = timedelta(days=7)  # until the start, by default
MAX_RATING = 4000
MAX_TYPED_ABOUT = 400  # characters; the website takes more

Days = app_commands.Range[int, MIN_STAGE.days, MAX_STAGE.days]
Rounds = app_commands.Range[int, 1, MAX_ROUNDS]
Entrants = app_commands.Range[int, MIN_ENTRANTS, MAX_ENTRANTS]
Rating = app_commands.Range[int, 1, MAX_RATING]


async def create(
    interaction: Interaction,
    *,
    name: str,
    kind: str,
    game: str | None = None,
    starts: str | None = None,
    about: str | None = None,
    days: int | None = None,
    rounds: int | None = None,
    time_control: str | None = None,
    rated: bool | None = None,
    entrants: int | None = None,
    from_rating: int | None = None,
    to_rating: int | None = None,
    computer: str | None = None,
    **typed: str | None,
) -> None:
    """Create a tournament of this server, played in this channel; the response announces it."""
    require_permissions(interaction)
    client, texts, server = interaction.client, interaction.client.texts, current_server(interaction)
    if server is None:
        raise Refusal("tournament_in_server")
    key = await game_argument.resolve_game_key_or_default(interaction, game)
    given = {option: value for option, value in typed.items() if value is not None}
    now = client.now()
    settings = Settings(
        name=name,
        kind=_parse_kind(texts, kind),
        games=(GameSetup(key, option_values.parse_options(texts, client.games[key], given)),),
        starts_at=now + (REGISTRATION if starts is None else parse_length(starts)),
        stage_length=timedelta(days=days or 0),
        rounds=rounds,
        time_control=parse_time_control(texts, time_control),
        rated=rated is not False,
        limits=EntryLimits(from_rating, to_rating, entrants or MAX_ENTRANTS),
        computer_level=computer and challenge_values.parse_level(texts, computer, FIXED_LEVELS),
        about=about or "",
        server=server,
        channel=ids.stored_id(interaction.channel_id or 0),
    )
    by = ids.to_person(interaction.user)
    await _respond(interaction, await client.matches.tournaments.create_in_channel(settings, by, now=now))


async def announce(interaction: Interaction, tournament: str) -> None:
    """Post the announcement of a tournament in this channel, for its organiser or a moderator."""
    require_permissions(interaction)
    view, server = await argument.load(interaction, tournament), current_server(interaction)
    if server is None:
        raise Refusal("tournament_in_server")
    if view.settings.is_of_server and view.settings.server != server:
        raise Refusal("tournament_unknown")  # what belongs to another server is not shown here
    is_own = view.settings.server == server and view.rights.can_manage
    if not is_own and not is_manager(interaction):
        require_manager(interaction)
    client, channel = interaction.client, ids.stored_id(interaction.channel_id or 0)
    by = ids.to_person(interaction.user)
    await _respond(
        interaction,
        await client.matches.tournaments.announce(view.id, by, server, channel, now=client.now()),
    )


async def _respond(interaction: Interaction, announcement: Announcement) -> None:
    """Respond with the post that everybody here sees, in the language of the server."""
    mark_committed(interaction)
    client = interaction.client
    with reading_in(await client.languages.of_response(interaction)):
        post = await client.announcement_renderer.render_tournament_post(announcement)
    if post is not None:
        await respond_with_post(interaction, post, announcement)


def _parse_kind(texts: Texts, typed: str) -> Kind:
    """Return the kind with this name. Raises `tournament_kind_unknown`."""
    found = find_value(_kind_labels(texts.plain), typed)
    if found is None:
        raise Refusal("tournament_kind_unknown", text=typed)
    return Kind(found)


def parse_time_control(texts: Texts, typed: str | None) -> TimeControl:
    """Return the time control, by default the usual one of tournaments. Raises `tournament_clock`."""
    if typed is None:
        return TIME_CONTROL
    control = challenge_values.parse_typed_time_control(texts, typed)
    if control is None:
        raise Refusal("tournament_needs_clock")
    return control


def _kind_labels(texts: Texts) -> list[tuple[str, str]]:
    return [(format_kind(texts, kind), kind.value) for kind in Kind]


async def _complete_kind(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(_kind_labels(interaction.client.texts.plain), current)


async def _complete_level(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    texts = interaction.client.texts.plain
    return complete_labels(((texts(f"level.{one}.name"), one) for one in FIXED_LEVELS), current)


COMMANDS = (
    define_command(
        "tournament_create",
        create,
        CommandField("name", f"{KEY}.title", required=True, max_length=MAX_NAME_LENGTH),
        CommandField("kind", f"{KEY}.kind", required=True, completer=_complete_kind),
        game_argument.field("tournament_create"),
        CommandField("starts", f"{KEY}.starts"),
        CommandField("about", f"{KEY}.description", max_length=MAX_TYPED_ABOUT),
        CommandField("days", f"{KEY}.days", Days),
        CommandField("rounds", f"{KEY}.rounds", Rounds),
        CommandField("time_control", f"{KEY}.time_control", completer=complete_time_control),
        CommandField("rated", f"{KEY}.rated", bool),
        CommandField("entrants", f"{KEY}.entrants", Entrants),
        CommandField("from_rating", f"{KEY}.from_rating", Rating),
        CommandField("to_rating", f"{KEY}.to_rating", Rating),
        CommandField("computer", f"{KEY}.computer", completer=_complete_level),
        option_fields,
        managers_only=True,
    ),
    define_command("tournament_announce", announce, argument.tournament_field(argument.UNFINISHED)),
)
