"""What players do with tournaments: find them, look at them, join and leave, play on a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.features.tournaments import argument, buttons
from bot.features.tournaments.posts import format_game, format_summary, list_groups
from bot.posts.post import Post, fit_lines
from bot.posts.replies import ask, send_private
from bot.ui import game_argument, ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import CommandField, complete_labels, define_command, typed_value
from bot.ui.interactions import mark_committed, response_timeout
from i18n.readers import reading_in
from i18n.typed_values import find_value
from i18n.writing import Moment, MomentStyle, Url
from matches import Refusal
from matches.tournaments.results import GameState
from matches.tournaments.values import TournamentId, TournamentState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord import app_commands

    from bot.context import BotClient, Interaction
    from i18n import Texts
    from matches.tournaments.values import EntrantView, GameView, TournamentView

MAX_OWN = 8  # tournaments whose games are listed at once
MAX_BUTTONS = 20
UNFINISHED_GAMES = (GameState.OPEN, GameState.WAITING)
PAST = (TournamentState.OVER, TournamentState.CANCELLED)
SHOWN_STATES = {"current": argument.UNFINISHED, "past": PAST}


async def list_all(interaction: Interaction, which: str | None = None) -> None:
    """Respond with the tournaments that the user may see here."""
    texts = interaction.client.texts
    key = None if which is None else find_value(_which_labels(texts.plain), which)
    states = SHOWN_STATES[key or "current"]
    found = await argument.list_tournaments(interaction, states)
    lines = [format_summary(texts, one) for one in found] or [texts("tournament_post.none")]
    items = [
        buttons.JoinTournamentButton.create(
            texts("tournament_post.join_one", number=one.id), f"tjoin1:{one.id}", Style.success
        )
        for one in found
        if one.state is TournamentState.OPEN
    ][:MAX_BUTTONS]
    heading = texts(f"tournament_post.list.{key or 'current'}")
    text = fit_lines(texts, heading, lines, "tournament_post.more")
    await send_private(interaction, Post(text, buttons=lambda: view_of(*items)))


async def show(interaction: Interaction, tournament: str) -> None:
    """Respond with a tournament: its settings, dates and entrants."""
    view = await argument.load(interaction, tournament)
    await send_private(interaction, buttons.build_private_post(interaction.client, view))


async def show_table(
    interaction: Interaction, tournament: str, stage: int | None = None, division: int | None = None
) -> None:
    """Respond with a table, as a picture or as text."""
    view = await argument.load(interaction, tournament, stage=stage)
    await send_private(interaction, await buttons.build_group_post(interaction, view, division or 0))


async def show_pairings(
    interaction: Interaction, tournament: str, stage: int | None = None, division: int | None = None
) -> None:
    """Respond with who plays whom."""
    view = await argument.load(interaction, tournament, stage=stage)
    await send_private(interaction, buttons.build_pairings_post(interaction.client, view, division or 0))


async def show_own_games(interaction: Interaction) -> None:
    """Respond with the user's games in all tournaments, and the challenges that wait for an answer."""
    client, texts = interaction.client, interaction.client.texts
    found = await client.matches.tournaments.list_of(ids.user_account(interaction.user), now=client.now())
    lines, items = list[str](), list[discord.ui.Item[Any]]()
    for one in found[:MAX_OWN]:
        view = await argument.view_tournament(interaction, one.id)
        if view.me is not None:
            lines += await _list_own_games(client, view)
            items += [item for game in view.rights.can_answer for item in answer_buttons(texts, view, game)]
    text = fit_lines(
        texts,
        texts("tournament_post.own_games"),
        lines or [texts("tournament_post.no_own_games")],
        "tournament_post.more",
    )
    await send_private(interaction, Post(text, buttons=lambda: view_of(*items[:MAX_BUTTONS])))


async def join(interaction: Interaction, tournament: str) -> None:
    """Join a tournament."""
    found = await argument.load(interaction, tournament)
    view = await buttons.join(interaction, found.id)
    await ask(interaction, buttons.format_joined(interaction.client.texts, view))


async def leave(interaction: Interaction, tournament: str) -> None:
    """Leave a tournament; after the start the user is asked first."""
    texts, view = interaction.client.texts, await argument.load(interaction, tournament)
    if buttons.must_ask_to_leave(view):
        await send_private(interaction, buttons.build_leave_question(texts, view))
        return
    await buttons.leave(interaction, view)
    await ask(interaction, texts("tournament_post.left", name=view.settings.name))


async def register(interaction: Interaction, tournament: str, *, play: bool) -> None:
    """Say whether the user plays the next season of a league."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    await client.matches.tournaments.register(
        view.id, ids.to_person(interaction.user), is_registered=play, now=client.now()
    )
    mark_committed(interaction)
    key = "registered" if play else "unregistered"
    await ask(interaction, client.texts(f"tournament_post.{key}", name=view.settings.name))


async def challenge(interaction: Interaction, tournament: str, entrant: str, game: str | None = None) -> None:
    """Challenge an entrant of a ladder, who is told."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    number = argument.find_entrant(interaction.client.texts, view, entrant)
    setup = await _find_setup(interaction, view, game)
    added = await client.matches.tournaments.challenge(
        view.id, ids.to_person(interaction.user), number, setup=setup, now=client.now()
    )
    mark_committed(interaction)
    view = await argument.view_tournament(interaction, view.id)
    until = Moment(_find_game(view, added).answer_by or client.now(), MomentStyle.RELATIVE)
    name = view.entrant(number).person
    await ask(
        interaction,
        client.texts("tournament_post.challenged", name=name, tournament=view.settings.name, when=until),
    )


async def answer(interaction: Interaction, tournament: str, *, accept: bool) -> None:
    """Accept or decline the challenge of a ladder that waits for the user's answer."""
    view = await argument.load(interaction, tournament)
    if not view.rights.can_answer:
        raise Refusal("no_ladder_challenge")
    text = await _answer(interaction, view, view.rights.can_answer[0], accept=accept)
    await ask(interaction, text)


class AnswerButton(
    PersistentButton, template=r"tanswer1:(?P<tournament>\d{1,15}):(?P<game>\d{1,15}):(?P<way>yes|no)"
):
    """Accepts or declines a challenge of a ladder."""

    async def on_click(self, interaction: Interaction) -> None:
        """Answer, and say so to everybody who sees the post."""
        view = await argument.view_tournament(interaction, TournamentId(int(self.values["tournament"])))
        with reading_in(await interaction.client.languages.of_response(interaction)):
            accept = self.values["way"] == "yes"
            text = await _answer(interaction, view, int(self.values["game"]), accept=accept)
        async with response_timeout(interaction):
            await interaction.response.edit_message(**Post(text).edit_arguments())


async def _answer(interaction: Interaction, view: TournamentView, game: int, *, accept: bool) -> str:
    """Answer a challenge; return what to say."""
    client, person = interaction.client, ids.to_person(interaction.user)
    match = await client.matches.tournaments.answer(view.id, game, person, accept=accept, now=client.now())
    mark_committed(interaction)
    key = "declined" if match is None else "accepted"
    return client.texts(f"tournament_post.{key}", by=person, match=match or 0, tournament=view.settings.name)


def answer_buttons(texts: Texts, view: TournamentView, game: int) -> Sequence[AnswerButton]:
    """Return the buttons that answer a challenge of a ladder."""
    return (
        AnswerButton.create(texts("button.accept"), f"tanswer1:{view.id}:{game}:yes", Style.success),
        AnswerButton.create(texts("tournament_post.decline"), f"tanswer1:{view.id}:{game}:no"),
    )


async def _list_own_games(client: BotClient, view: TournamentView) -> list[str]:
    """Return the heading of a tournament and the user's games that are not over."""
    texts = client.texts
    lines = [texts("tournament_post.name", name=view.settings.name)]
    games = [game for group in list_groups(view) for game in group.games]
    own = [one for one in games if view.me in (one.first, one.second) and one.state in UNFINISHED_GAMES]
    return lines + [await _format_own_game(client, view, one) for one in own]


async def _format_own_game(client: BotClient, view: TournamentView, game: GameView) -> str:
    line = format_game(client.texts, view, game)
    if game.match is None:
        return line
    summary = await client.matches.views.summary(game.match)
    link = client.texts("tournament_post.to_board", url=Url(ids.latest_post_url(summary)))
    ends = "" if game.ends_at is None else Moment(game.ends_at, MomentStyle.DATE)
    until = client.texts("tournament_post.ends", ends=ends) if ends else ""
    return client.texts.join([part for part in (line, until, link) if part], "list.dot")


async def _find_setup(interaction: Interaction, view: TournamentView, game: str | None) -> int:
    """Return the index of the game that was named among those of a tournament, by default of the first."""
    if game is None:
        return 0
    key = await game_argument.resolve_game_key_or_default(interaction, game)
    keys = [one.game for one in view.settings.games]
    if key not in keys:
        raise Refusal("game_unknown", game=game, games=tuple(dict.fromkeys(keys)))
    return keys.index(key)


def _find_game(view: TournamentView, number: int) -> GameView:
    return next(game for group in list_groups(view) for game in group.games if game.id == number)


def _can_be_challenged(view: TournamentView, entrant: EntrantView) -> bool:
    return entrant.id in view.rights.can_challenge


def _which_labels(texts: Texts) -> list[tuple[str, str]]:
    return [(texts(f"tournament_post.which.{one}"), one) for one in SHOWN_STATES]


async def _complete_which(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(_which_labels(interaction.client.texts.plain), current)


async def _complete_game(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    texts = interaction.client.texts.plain
    typed = str(typed_value(interaction, "command.tournament.tournament") or "")
    view = await argument.load(interaction, typed)
    names = dict.fromkeys(one.game for one in view.settings.games)
    return complete_labels(((texts(f"game.{one}.name"), one) for one in names), current)


ANY, CURRENT = argument.tournament_field(), argument.tournament_field(argument.UNFINISHED)
STAGE = CommandField("stage", "command.tournament.stage", int)
DIVISION = CommandField("division", "command.tournament.division", int)
OPPONENT = argument.entrant_field("command.tournament.entrant", _can_be_challenged)
GAME = CommandField("game", "command.tournament_challenge.game", completer=_complete_game)
WHICH = CommandField("which", "command.tournament_list.which", completer=_complete_which)

COMMANDS = (
    define_command("tournament_list", list_all, WHICH),
    define_command("tournament_show", show, ANY),
    define_command("tournament_table", show_table, ANY, STAGE, DIVISION),
    define_command("tournament_pairings", show_pairings, ANY, STAGE, DIVISION),
    define_command("tournament_games", show_own_games),
    define_command("tournament_join", join, CURRENT),
    define_command("tournament_leave", leave, CURRENT),
    define_command("tournament_challenge", challenge, CURRENT, OPPONENT, GAME),
    define_command(
        "tournament_answer",
        answer,
        CURRENT,
        CommandField("accept", "command.tournament_answer.accept", bool, required=True),
    ),
    define_command(
        "tournament_season",
        register,
        CURRENT,
        CommandField("play", "command.tournament_season.play", bool, required=True),
    ),
)
