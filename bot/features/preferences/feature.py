"""``/preferences``: the command, and the selects, buttons and modal of the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.preferences import panel
from bot.posts import pictures
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, modals, zone_argument
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import CommandField, define_command
from bot.ui.interactions import send_modal
from bot.ui.selects import PersistentSelect
from i18n.reminders import parse_steps
from matches import (
    ANONYMOUS_NAME,
    MAX_NAME_LENGTH,
    BoardOrientation,
    NoticeKind,
    Person,
    PictureTheme,
    ReminderChannel,
    Way,
    format_quiet_hours,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bot.context import Interaction
    from i18n import Texts
    from matches import Preferences

MODAL_ID, ALIAS_MODAL_ID = "myhours1", "myalias1"
OWN, ANONYMOUS = "own", "anonymous"
PAGE_NAMES = {"pictures": "pictures", "reminders": "notices", "name": "public_name"}
# What messages from before there were notices offer for where to be reminded.
OLD_WAYS: Mapping[str, tuple[Way, ...]] = {
    ReminderChannel.DIRECT: (Way.DIRECT,),
    ReminderChannel.MATCH_CHANNEL: (Way.CHANNEL,),
    ReminderChannel.OFF: (),
}


async def show_preferences(interaction: Interaction, zone: str | None, quiet: str | None) -> None:
    """Save the typed settings, if any, and respond with the panel."""
    changes = {name: value for name, value in (("zone", zone), ("quiet", quiet)) if value is not None}
    preferences = await (
        _change(interaction, **changes) if changes else pictures.load_preferences(interaction)
    )
    post = (
        await _build_notices_post(interaction)
        if changes
        else await _build_pictures_post(interaction, preferences)
    )
    await send_private(interaction, post)


class PreferencesPageButton(PersistentButton, template=r"mypage1:(?P<page>pictures|reminders|name)"):
    """Switches to another page of the panel."""

    @classmethod
    def to(cls, texts: Texts, page: str) -> Self:
        """Create the button that leads to a page."""
        return cls.create(texts(f"button.{PAGE_NAMES[page]}"), f"mypage1:{page}")

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        preferences = await pictures.load_preferences(interaction)
        if self.values["page"] == "pictures":
            await replace_message(interaction, await _build_pictures_post(interaction, preferences))
        elif self.values["page"] == "name":
            await replace_message(
                interaction, await _build_name_post(interaction, await _get_alias(interaction))
            )
        else:
            await replace_message(interaction, await _build_notices_post(interaction))


class PictureSelect(PersistentSelect, template=r"mypicture1:(?P<what>theme|facing|size|words)"):
    """Sets how pictures look."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and show a sample."""
        preferences = await _change(interaction, **_picture_changes(self.values["what"], selected[0]))
        await replace_message(interaction, await _build_pictures_post(interaction, preferences))


class ReminderSelect(PersistentSelect, template=r"myreminder1:(?P<what>way|steps|every)"):
    """Sets when reminders are sent; in messages from before there were notices, also where."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the setting and update the page."""
        what = self.values["what"]
        if what == "way":
            await _choose_ways(interaction, NoticeKind.TIME, OLD_WAYS[selected[0]])
        elif what == "every":
            await _change(interaction, repeat_days=int(selected[0]))
        else:
            await _change(interaction, **parse_steps(selected))
        await replace_message(interaction, await _build_notices_post(interaction))


class NoticeKindSelect(PersistentSelect, template=r"mykind1"):
    """Shows the ways of another kind of notice."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Update the page."""
        await replace_message(interaction, await _build_notices_post(interaction, NoticeKind(selected[0])))


class WaySelect(PersistentSelect, template=rf"myways1:(?P<kind>{'|'.join(NoticeKind)})"):
    """Sets how the user is told of one kind of notice."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the ways and update the page."""
        kind = NoticeKind(self.values["kind"])
        await _choose_ways(interaction, kind, map(Way, selected))
        await replace_message(interaction, await _build_notices_post(interaction, kind))


class QuietHoursButton(PersistentButton, template=r"myquiet1"):
    """Opens the modal for quiet hours and time zone."""

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal with the current values."""
        texts, preferences = interaction.client.texts, await pictures.load_preferences(interaction)
        quiet = modals.text_line(
            "quiet",
            texts("preferences.quiet_label"),
            texts("preferences.quiet_example"),
            value=format_quiet_hours(preferences.quiet),
            required=False,
        )
        zone = modals.text_line(
            "zone", texts("preferences.zone_label"), texts("preferences.zone_example"), value=preferences.zone
        )
        await send_modal(
            interaction, modals.create_modal(texts("preferences.quiet_title"), MODAL_ID, quiet, zone)
        )


class PublicNameButton(PersistentButton, template=r"myname1:(?P<choice>own|anonymous)"):
    """Shows the user by the own name, or by none, on public pages of the website."""

    async def on_click(self, interaction: Interaction) -> None:
        """Save the choice and update the page."""
        await _set_alias(interaction, None if self.values["choice"] == OWN else "")


class ChoiceSelect(PersistentSelect, template=r"my(?P<what>language|computer|puzzles)1"):
    """Chooses the language of notices, how the computer ends games, or whether puzzles are made."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Save the choice and update the page."""
        await _change(interaction, **_choice_changes(self.values["what"], selected[0]))
        await replace_message(interaction, await _build_name_post(interaction, await _get_alias(interaction)))


class AliasButton(PersistentButton, template=r"myalias1"):
    """Opens the modal for an alias."""

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal with the current alias."""
        texts = interaction.client.texts
        line = modals.text_line(
            "alias",
            texts("preferences.alias_label"),
            texts("preferences.alias_example"),
            value=await _get_alias(interaction) or "",
            max_length=MAX_NAME_LENGTH,
        )
        modal = modals.create_modal(texts("preferences.alias_title"), ALIAS_MODAL_ID, line)
        await send_modal(interaction, modal)


ITEMS = (
    PreferencesPageButton,
    PictureSelect,
    ReminderSelect,
    NoticeKindSelect,
    WaySelect,
    QuietHoursButton,
    PublicNameButton,
    AliasButton,
    ChoiceSelect,
)


async def submit_hours(interaction: Interaction) -> None:
    """Save the submitted values and update the page."""
    quiet, zone = (modals.submitted_text(interaction, name) for name in ("quiet", "zone"))
    await _change(interaction, quiet=quiet, zone=zone)
    await replace_message(interaction, await _build_notices_post(interaction))


async def submit_alias(interaction: Interaction) -> None:
    """Save the submitted alias and update the page."""
    # What is blank is refused; empty would mean no name at all.
    await _set_alias(interaction, modals.submitted_text(interaction, "alias", MAX_NAME_LENGTH) or " ")


async def _set_alias(interaction: Interaction, alias: str | None) -> None:
    client, person = interaction.client, ids.to_person(interaction.user)
    saved = await client.matches.visibility.set_alias(person, alias, now=client.now())
    await replace_message(interaction, await _build_name_post(interaction, saved))


async def _get_alias(interaction: Interaction) -> str | None:
    return await interaction.client.matches.visibility.get_alias(ids.user_account(interaction.user))


async def _build_name_post(interaction: Interaction, alias: str | None) -> Post:
    """Return the page with the name on public pages, the language of notices, the computer and puzzles.

    `alias` is empty for no name, None for the own name.
    """
    client, person = interaction.client, ids.to_person(interaction.user)
    texts, preferences = client.texts, await client.matches.people.preferences.get(person.account)
    choice = OWN if alias is None else "alias" if alias else ANONYMOUS
    shown = person if alias is None else Person(person.account, alias or ANONYMOUS_NAME)
    name = texts(f"preferences.public_name_{choice}", name=shown)
    menus = [
        ChoiceSelect.create(texts(f"preferences.hint.{what}"), f"my{what}1", options(texts, preferences))
        for what, options in (
            ("language", panel.language_options),
            ("computer", panel.computer_options),
            ("puzzles", panel.puzzles_options),
        )
    ]
    buttons = (
        PublicNameButton.create(texts("button.own_name"), f"myname1:{OWN}"),
        AliasButton.create(texts("button.alias"), "myalias1"),
        PublicNameButton.create(texts("button.anonymous"), f"myname1:{ANONYMOUS}"),
        PreferencesPageButton.to(texts, "pictures"),
    )
    text = texts(
        "preferences.public_name",
        choice=name,
        language=panel.language_name(texts, preferences.language),
        computer=texts(f"preferences.computer.{panel.computer_name(preferences)}"),
        puzzles=texts(f"preferences.puzzles.{panel.puzzles_name(preferences)}"),
    )
    return Post(text, None, lambda: view_of(*menus, *buttons))


async def _change(interaction: Interaction, **values: Any) -> Preferences:
    client = interaction.client
    return await client.matches.people.preferences.change(
        ids.to_person(interaction.user), now=client.now(), **values
    )


async def _build_pictures_post(interaction: Interaction, preferences: Preferences) -> Post:
    texts = interaction.client.texts
    menus = [
        PictureSelect.create(
            texts(f"preferences.hint.{name}"), f"mypicture1:{name}", lines(texts, preferences)
        )
        for name, lines in (
            ("theme", panel.theme_options),
            ("facing", panel.orientation_options),
            ("size", panel.size_options),
            ("words", panel.words_options),
        )
    ]
    page_buttons = [PreferencesPageButton.to(texts, page) for page in ("reminders", "name")]
    return await panel.build_pictures_post(interaction.client, preferences, menus, *page_buttons)


async def _choose_ways(interaction: Interaction, kind: NoticeKind, ways: Iterable[Way]) -> None:
    client, person = interaction.client, ids.to_person(interaction.user)
    await client.matches.people.notices.change(person, kind, ways, now=client.now())


async def _build_notices_post(interaction: Interaction, kind: NoticeKind = NoticeKind.TURN) -> Post:
    """Return the page about notices, on which the ways of one kind can be chosen."""
    client, account = interaction.client, ids.user_account(interaction.user)
    texts, notices = client.texts, client.matches.people.notices
    choice, reach = await notices.choices(account), await notices.reach(account)
    hint = texts("notices.hint_ways", kind=texts(f"notices.kind.{kind}"))
    ways = panel.way_options(texts, kind, choice, reach)
    menus = [
        NoticeKindSelect.create(texts("notices.hint_kind"), "mykind1", panel.kind_options(texts, kind)),
        WaySelect.create(hint, f"myways1:{kind}", ways, many=True),
        *(
            ReminderSelect.create(
                texts(f"preferences.hint.{name}"),
                f"myreminder1:{name}",
                lines(texts, choice.preferences),
                many=name == "steps",
            )
            for name, lines in (("steps", panel.step_options), ("every", panel.repeat_options))
        ),
    ]
    hours_button = QuietHoursButton.create(texts("button.quiet"), "myquiet1")
    page_buttons = [PreferencesPageButton.to(texts, page) for page in ("pictures", "name")]
    return panel.build_notices_post(client, choice, menus, hours_button, *page_buttons)


def _choice_changes(setting: str, value: str) -> dict[str, Any]:
    """Return the changes for a selected setting of the page with the name."""
    match setting:
        case "language":
            return {"language": "" if value == panel.AS_DISCORD else value}
        case "computer":
            return {"computer_plays_on": value == panel.PLAYS_ON}
        case _:
            return {"puzzles": value == panel.ALLOWED}


def _picture_changes(setting: str, value: str) -> dict[str, Any]:
    """Return the changes for a selected picture setting."""
    match setting:
        case "theme":
            return {"theme": PictureTheme(value)}
        case "facing":
            return {"orientation": BoardOrientation(value)}
        case "words":
            return {"boards_as_text": value == panel.WORDS}
        case _:
            return {"large": value == panel.LARGE}


FEATURE = Feature(
    commands=(
        define_command(
            "preferences",
            show_preferences,
            zone_argument.field("preferences"),
            CommandField("quiet", "command.preferences.quiet"),
            anywhere=True,
        ),
    ),
    items=ITEMS,
    modal_handlers={MODAL_ID: submit_hours, ALIAS_MODAL_ID: submit_alias},
)
