"""What organisers and moderators do, each with a reason, and the log of it that everybody can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.features.tournaments import argument
from bot.posts.post import Post, fit_lines
from bot.posts.replies import ask, replace_message, send_private
from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import CommandField, complete_labels, define_command
from bot.ui.interactions import mark_committed, require_permissions, response_timeout
from i18n.readers import reading_in
from i18n.tournament_log import describe_entry
from i18n.typed_values import find_value
from i18n.writing import Code, Mention, Moment, MomentStyle
from matches import Person, Refusal
from matches.tournaments.results import DRAW, LOSS, WIN, EntrantId, format_points
from matches.tournaments.values import MAX_REASON_LENGTH, MIN_REASON_LENGTH, TournamentId

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from i18n import Texts
    from matches.tournaments.values import EntrantView, LogEntry, TournamentView

RESULTS = {
    f"{format_points(one)}-{format_points(other)}": (one, other)
    for one, other in ((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN), (LOSS, LOSS))
}


async def exclude(interaction: Interaction, tournament: str, entrant: str, reason: str) -> None:
    """Exclude an entrant."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    number, by = (
        argument.find_entrant(interaction.client.texts, view, entrant),
        ids.to_person(interaction.user),
    )
    may = argument.is_moderator(interaction, view)
    await client.matches.tournaments.exclude(
        view.id, number, by, reason=reason, is_moderator=may, now=client.now()
    )
    await confirm(interaction, "excluded", view.settings.name, name=view.entrant(number).person)


async def correct(interaction: Interaction, tournament: str, game: str, result: str, reason: str) -> None:
    """Correct the result of a game; ratings and the match stay."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    points = RESULTS.get(find_value(((one, one) for one in RESULTS), result) or "")
    digits = game.strip().lstrip("#")
    if points is None:
        raise Refusal("tournament_points")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= argument.MAX_DIGITS):
        raise Refusal("tournament_game_unknown")
    may, by = argument.is_moderator(interaction, view), ids.to_person(interaction.user)
    await client.matches.tournaments.correct(
        view.id, int(digits), points, by, reason=reason, is_moderator=may, now=client.now()
    )
    await confirm(interaction, "corrected", view.settings.name)


async def end_early(interaction: Interaction, tournament: str, reason: str) -> None:
    """End a tournament now."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    may, by = argument.is_moderator(interaction, view), ids.to_person(interaction.user)
    await client.matches.tournaments.end_early(view.id, by, reason=reason, is_moderator=may, now=client.now())
    await confirm(interaction, "ended", view.settings.name)


async def ask_to_replace(
    interaction: Interaction,
    tournament: str,
    entrant: str,
    member: discord.Member | discord.User,
    reason: str,
) -> None:
    """Ask somebody, in public, to take the place of an entrant; the button carries it out."""
    require_permissions(interaction)
    if len(" ".join(reason.split())) < MIN_REASON_LENGTH:
        raise Refusal("tournament_reason", least=MIN_REASON_LENGTH, most=MAX_REASON_LENGTH)
    client, view = interaction.client, await argument.load(interaction, tournament)
    number, person = argument.find_entrant(interaction.client.texts, view, entrant), ids.to_person(member)
    if not (view.rights.can_manage or argument.is_moderator(interaction, view)):
        raise Refusal("not_organiser")
    if not view.is_replaceable:
        raise Refusal("tournament_not_replaceable")
    if not isinstance(member, discord.Member) or member.bot:
        raise Refusal("not_on_server", name=person)
    with reading_in(await client.languages.of_response(interaction)):
        texts = client.texts
        text = texts(
            "tournament_act.replacement",
            mention=Mention.of(person),
            name=view.entrant(number).person,
            tournament=view.settings.name,
            reason=Code(" ".join(reason.split())),
        )
        custom_id = f"treplace1:{view.id}:{number}:{member.id}:{interaction.user.id}"
        button = ReplaceButton.create(texts("tournament_act.take_place"), custom_id, Style.success)
    post = Post(text, buttons=lambda: view_of(button), mentions=(person.account,))
    async with response_timeout(interaction):
        await interaction.response.send_message(**post.send_arguments())


class ReplaceButton(
    PersistentButton,
    template=r"treplace1:(?P<tournament>\d{1,15}):(?P<entrant>\d{1,15}):(?P<to>\d{1,20}):(?P<by>\d{1,20})",
):
    """Lets the person who was asked take the place of an entrant."""

    async def on_click(self, interaction: Interaction) -> None:
        """Take the place, and close the post."""
        client, person = interaction.client, ids.to_person(interaction.user)
        if person.account != ids.stored_id(int(self.values["to"])):
            raise Refusal("not_asked")
        view = await argument.view_tournament(interaction, TournamentId(int(self.values["tournament"])))
        by, may = await _find_organiser(interaction, view, ids.stored_id(int(self.values["by"])))
        old = EntrantId(int(self.values["entrant"]))
        content = "" if interaction.message is None else interaction.message.content
        await client.matches.tournaments.replace(
            view.id, old, person, by, reason=_read_reason(content), is_moderator=may, now=client.now()
        )
        mark_committed(interaction)
        name = view.entrant(old).person
        with reading_in(await client.languages.of_response(interaction)):
            text = client.texts(
                "tournament_act.replaced", by=person, name=name, tournament=view.settings.name
            )
        await replace_message(interaction, Post(text))


async def _find_organiser(
    interaction: Interaction, view: TournamentView, account: str
) -> tuple[Person, bool]:
    """Return who asked for a replacement, and whether they are a moderator now. Raises `not_organiser`."""
    if account == view.organiser.account:
        return view.organiser, False
    member = await MemberLookup(interaction.client).find(view.settings.server, account)
    if member is None or not member.guild_permissions.manage_guild:
        raise Refusal("not_organiser")
    return ids.to_person(member), True


def _read_reason(content: str) -> str:
    """Return the reason in the post of a replacement: what stands in code there at last."""
    parts = content.rsplit("`", 2)
    return parts[1] if len(parts) == 3 else ""


async def show_log(interaction: Interaction, tournament: str) -> None:
    """Respond with what was done in a tournament, by whom and why; the newest first."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    texts = client.texts
    lines = [format_entry(texts, view, one) for one in reversed(view.log)]
    heading = texts("tournament_post.log", name=view.settings.name)
    await send_private(interaction, Post(fit_lines(texts, heading, lines, "tournament_post.more")))


def format_entry(texts: Texts, view: TournamentView, entry: LogEntry) -> str:
    """Return an entry of the log as a line."""
    values = {"when": Moment(entry.at, MomentStyle.FULL), "what": describe_entry(texts, view, entry)}
    if entry.reason:
        return texts("tournament_post.log_reason", reason=entry.reason, **values)
    return texts("tournament_post.log_line", **values)


async def confirm(interaction: Interaction, key: str, tournament: str, **values: object) -> None:
    """Respond with what an organiser has done; `values` are those of the text."""
    mark_committed(interaction)
    await ask(interaction, interaction.client.texts(f"tournament_act.{key}", tournament=tournament, **values))


async def _complete_result(_interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(((one, one) for one in RESULTS), current)


def _is_active(_view: TournamentView, entrant: EntrantView) -> bool:
    return entrant.withdrawn is None


TOURNAMENT = argument.tournament_field(argument.UNFINISHED)
ENTRANT = argument.entrant_field("command.tournament.entrant", _is_active)
REASON = CommandField("reason", "command.tournament.reason", required=True, max_length=MAX_REASON_LENGTH)

COMMANDS = (
    define_command("tournament_log", show_log, argument.tournament_field()),
    define_command("tournament_exclude", exclude, TOURNAMENT, ENTRANT, REASON),
    define_command(
        "tournament_replace",
        ask_to_replace,
        TOURNAMENT,
        ENTRANT,
        CommandField("member", "command.tournament_replace.member", discord.Member, required=True),
        REASON,
    ),
    define_command(
        "tournament_correct",
        correct,
        TOURNAMENT,
        CommandField(
            "game",
            "command.tournament_correct.game",
            required=True,
            completer=argument.complete_finished_games(),
        ),
        CommandField(
            "result", "command.tournament_correct.result", required=True, completer=_complete_result
        ),
        REASON,
    ),
    define_command("tournament_end", end_early, TOURNAMENT, REASON),
)
