"""The settings of a guild: an ephemeral panel of selects for guild managers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, modals
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import define_command
from bot.ui.game_argument import default_game
from bot.ui.interactions import require_manager, send_modal
from bot.ui.permissions import missing_thread_permissions
from bot.ui.selects import PersistentSelect, select_option
from i18n import challenge_values, clocks
from i18n.translations import list_languages
from matches import (
    SERVER_AUDIENCES,
    SUGGESTED_TIME_CONTROLS,
    Audience,
    format_time_control,
    parse_time_control,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import ServerSettings

CHANNEL, THREAD = "channel", "thread"
MODAL_ID = "housepaces1"
MAX_NAMES = 20  # names of excluded users on the panel


async def show_settings(interaction: Interaction) -> None:
    """Respond with the panel."""
    client = interaction.client
    settings = await client.matches.servers.settings(_server(interaction), now=client.now())
    await send_private(interaction, await _build_panel(interaction, settings))


class LocationSelect(PersistentSelect, template=r"houseplace1"):
    """Sets whether matches are played in the channel or in a thread."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and update the panel."""
        await _save(interaction, threads=selected[0] == THREAD)


class DefaultGameSelect(PersistentSelect, template=r"housegame1"):
    """Sets the game of challenges that name none."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and update the panel."""
        await _save(interaction, game=selected[0])


class DefaultTimeControlSelect(PersistentSelect, template=r"housepace1"):
    """Sets the time control of challenges that name none."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and update the panel."""
        await _set_time_control(interaction, selected[0])


class AudienceSelect(PersistentSelect, template=r"housewebsite1"):
    """Sets who sees the matches of the server on the website."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and update the panel."""
        await _save(interaction, audience=Audience(selected[0]))


class CustomTimeControlButton(PersistentButton, template=r"housetype1"):
    """Opens a modal for any time control."""

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal."""
        require_manager(interaction)
        texts = interaction.client.texts
        line = modals.text_line("pace", texts("server.time_control_label"), SUGGESTED_TIME_CONTROLS[-2])
        await send_modal(interaction, modals.create_modal(texts("server.time_control_title"), MODAL_ID, line))


class RateComputerButton(PersistentButton, template=r"housecomputer1:(?P<rated>yes|no)"):
    """Sets whether matches against the computer count for the ratings."""

    @classmethod
    def of(cls, texts: Texts, settings: ServerSettings) -> Self:
        """Create the button that changes the setting."""
        rated = "no" if settings.rate_computer else "yes"
        return cls.create(texts(f"server.rate_computer_{rated}"), f"housecomputer1:{rated}")

    async def on_click(self, interaction: Interaction) -> None:
        """Save the setting and update the panel."""
        await _save(interaction, rate_computer=self.values["rated"] == "yes")


class LanguageButton(PersistentButton, template=r"houselanguage1:(?P<language>[a-z]*)"):
    """Sets the language of public posts; each click leads to the next one."""

    @classmethod
    def of(cls, texts: Texts, settings: ServerSettings) -> Self:
        """Create the button that chooses the language after the current one."""
        languages = ("", *list_languages())
        index = languages.index(settings.language) if settings.language in languages else 0
        following = languages[(index + 1) % len(languages)]
        label = texts("server.language_button", language=_language_name(texts, following))
        return cls.create(label, f"houselanguage1:{following}")

    async def on_click(self, interaction: Interaction) -> None:
        """Save the setting and update the panel."""
        language = self.values["language"]
        await _save(interaction, language=language if language in list_languages() else "")


async def submit_time_control(interaction: Interaction) -> None:
    """Save the time control submitted in the modal."""
    await _set_time_control(interaction, modals.submitted_text(interaction, "pace"))


async def _set_time_control(interaction: Interaction, text: str) -> None:
    require_manager(interaction)
    time_control = challenge_values.parse_typed_time_control(interaction.client.texts, text)
    await _save(interaction, time_control=time_control)


async def _save(interaction: Interaction, **changes: Any) -> None:
    """Change a setting of the server, and update the panel. Raises Refusal for anybody but a manager."""
    require_manager(interaction)
    client, by = interaction.client, ids.to_person(interaction.user)
    settings = await client.matches.servers.change(_server(interaction), by, now=client.now(), **changes)
    client.languages.forget(_server(interaction))
    await replace_message(interaction, await _build_panel(interaction, settings))


async def _build_panel(interaction: Interaction, settings: ServerSettings) -> Post:
    """Return the text with the current settings and the components that change them."""
    client = interaction.client
    texts, games = client.texts, client.games
    excluded = await client.matches.people.blocks.list_excluded(_server(interaction), now=client.now())
    missing = missing_thread_permissions(interaction) if settings.threads else ()
    names = excluded[:MAX_NAMES]
    text = texts(
        "server.panel",
        location=texts(f"server.{_location(settings)}"),
        game=texts(f"game.{settings.game or default_game(games).name}.name"),
        time_control=clocks.describe_time_control(texts, settings.time_control),
        computer=texts("server.computer_rated" if settings.rate_computer else "server.computer_unrated"),
        audience=texts(f"server.audience.{settings.audience}"),
        language=_language_name(texts, settings.language),
        excluded=texts.join(names) if names else texts("server.nobody"),
    )
    if missing:
        permission_names = texts.join([texts(f"permission.{name}") for name in missing])
        text = texts.join(
            [text, texts("server.missing_permissions", count=len(missing), names=permission_names)],
            "list.lines",
        )
    button = CustomTimeControlButton.create(texts("server.time_control_button"), "housetype1")
    items = (
        _location_select(texts, settings),
        _game_select(texts, games, settings),
        _time_control_select(texts, settings),
        _audience_select(texts, settings),
        button,
        RateComputerButton.of(texts, settings),
        LanguageButton.of(texts, settings),
    )
    return Post(text, buttons=lambda: view_of(*items))


def _location_select(texts: Texts, settings: ServerSettings) -> PersistentSelect:
    current = _location(settings)
    options = [
        select_option(texts(f"server.{one}"), one, is_selected=one == current) for one in (CHANNEL, THREAD)
    ]
    return LocationSelect.create(texts("server.location_hint"), "houseplace1", options)


def _game_select(texts: Texts, games: Mapping[str, Game], settings: ServerSettings) -> PersistentSelect:
    current = settings.game or default_game(games).name
    options = [select_option(texts(f"game.{name}.name"), name, is_selected=name == current) for name in games]
    return DefaultGameSelect.create(texts("server.game_hint"), "housegame1", options)


def _time_control_select(texts: Texts, settings: ServerSettings) -> PersistentSelect:
    current = format_time_control(settings.time_control)
    time_controls = dict.fromkeys((*SUGGESTED_TIME_CONTROLS, current))
    options = [
        select_option(
            clocks.describe_time_control(texts.plain, parse_time_control(one)),
            one,
            is_selected=one == current,
        )
        for one in time_controls
    ]
    return DefaultTimeControlSelect.create(texts("server.time_control_hint"), "housepace1", options)


def _audience_select(texts: Texts, settings: ServerSettings) -> PersistentSelect:
    options = [
        select_option(
            texts(f"server.audience.{one}"),
            one,
            texts(f"server.audience_about.{one}"),
            is_selected=one is settings.audience,
        )
        for one in SERVER_AUDIENCES
    ]
    return AudienceSelect.create(texts("server.audience_hint"), "housewebsite1", options)


def _language_name(texts: Texts, language: str) -> str:
    return texts(f"language.{language}") if language else texts("server.language_of_discord")


def _location(settings: ServerSettings) -> str:
    return THREAD if settings.threads else CHANNEL


def _server(interaction: Interaction) -> str:
    return ids.stored_id(interaction.guild_id or 0)


FEATURE = Feature(
    commands=(define_command("settings", show_settings, managers_only=True),),
    items=(
        LocationSelect,
        DefaultGameSelect,
        DefaultTimeControlSelect,
        CustomTimeControlButton,
        RateComputerButton,
        AudienceSelect,
        LanguageButton,
    ),
    modal_handlers={MODAL_ID: submit_time_control},
)
