"""Members: what a person can do and see in Discord's app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.discord_server import posting
from tests.discord_server.components import LINK_STYLE, ComponentType
from tests.discord_server.errors import ActionNotPossible
from tests.discord_server.guilds import ChannelState
from tests.discord_server.interactions import Interaction, InteractionKind, start_interaction
from tests.discord_server.options import CommandForm, command_data, context_menu_data, refer_to_user
from tests.discord_server.permissions import Permission
from tests.discord_server.replies import AutocompleteChoice, Modal, Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.discord_server.components import Button, Select
    from tests.discord_server.errors import Json
    from tests.discord_server.handles import Channel
    from tests.discord_server.messages import Message
    from tests.discord_server.replies import ModalField
    from tests.discord_server.users import User
    from tests.discord_server.world import World


class Member:
    """A person (or another bot) in a guild.

    Every method that sends an interaction returns a `Reply` once the bot has responded or the deadline has
    passed, and raises `ActionNotPossible` if the app would not allow the action.
    """

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self.user = user

    def __repr__(self) -> str:
        return f"<{self.user.name}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return self.user.mention

    @property
    def pings(self) -> list[Message]:
        """The messages that notified this person, oldest first."""
        return list(self.user.pings)

    @property
    def dms(self) -> list[Message]:
        """The messages that this person sees in the direct messages with the bot."""
        return self._visible(self._world.dm(self.user))

    @property
    def dm(self) -> ChannelState:
        """The direct message channel with the bot, for use as `channel`."""
        return self._world.dm(self.user)

    def close_dms(self) -> None:
        """Refuse direct messages from now on."""
        self.user.dms_closed = True

    def open_dms(self) -> None:
        """Accept direct messages again."""
        self.user.dms_closed = False

    def install(self) -> None:
        """Install the bot for the user."""
        self.user.installed = True

    def authorize(self, url: str, *, allow: bool = True) -> str:
        """Answer the page on which an application asks for permission; return where the browser goes next."""
        return self._world.oauth.answer(url, self.user if allow else None)

    def remove_application(self) -> None:
        """Revoke in Discord's settings what the application was allowed to read."""
        self._world.oauth.revoke_all(self.user)

    def visible_messages(self, channel: Channel | ChannelState) -> list[Message]:
        """Return the messages that this person sees in a channel, oldest first, including ephemeral ones."""
        return self._visible(_state(channel))

    def _visible(self, channel: ChannelState) -> list[Message]:
        return [message for message in channel.messages if self._can_see(message)]

    def _can_see(self, message: Message) -> bool:
        if message.deleted or (message.ephemeral and message.addressee is not self.user):
            return False
        return Permission.VIEW_CHANNEL in message.channel.permissions(self.user)

    async def command(
        self, path: str, options: Mapping[str, Any] | None = None, *, channel: Channel | ChannelState
    ) -> Reply:
        """Use a slash command; subcommands are separated by spaces. Options that are None are omitted."""
        state = self._enter(channel)
        self._may_use_commands(state)
        data = command_data(CommandForm(self._world, self.user, state), path, _drop_none(options))
        return await self._send(InteractionKind.COMMAND, state, data)

    async def use_menu(
        self, name: str, target: Member | Message | Reply, *, channel: Channel | ChannelState
    ) -> Reply:
        """Use a command of the context menu of a member or a message."""
        state = self._enter(channel)
        self._may_use_commands(state)
        shown = target if isinstance(target, Member) else self._look_at(target)
        data = context_menu_data(CommandForm(self._world, self.user, state), name, shown)
        return await self._send(InteractionKind.COMMAND, state, data)

    async def autocomplete(
        self,
        path: str,
        options: Mapping[str, Any] | None = None,
        *,
        focused: str,
        channel: Channel | ChannelState,
    ) -> list[AutocompleteChoice]:
        """Type into one option of a command, whose value in `options` is the text typed so far.

        Returns the suggestions; raises `ActionNotPossible` with the app's text if none came in time.
        """
        state = self._enter(channel)
        data = command_data(CommandForm(self._world, self.user, state), path, _drop_none(options), focused)
        reply = await self._send(InteractionKind.AUTOCOMPLETE, state, data)
        if reply.failed:
            raise ActionNotPossible("Loading options failed")
        return reply.choices

    async def click(self, message: Message | Reply, label: str) -> Reply:
        """Click a button, identified by label, emoji or custom_id."""
        target = self._look_at(message)
        button = _find_button(target.buttons, label)
        if button.style == LINK_STYLE:
            raise ActionNotPossible(f"{label!r} is a link: it opens a page and tells the bot nothing")
        if button.disabled:
            raise ActionNotPossible(f"the button {label!r} is disabled")
        data = {"custom_id": button.custom_id, "component_type": int(ComponentType.BUTTON), "id": button.id}
        return await self._send(InteractionKind.COMPONENT, target.channel, data, source=target)

    async def select(self, message: Message | Reply, menu: str, values: Sequence[Any]) -> Reply:
        """Select options (labels or values) or members; the select is given by placeholder or custom_id."""
        target = self._look_at(message)
        select = _find_select(target.selects, menu)
        if select.disabled:
            raise ActionNotPossible(f"the menu {menu!r} is disabled")
        if not select.min_values <= len(values) <= select.max_values:
            raise ActionNotPossible(f"{menu!r} takes {select.min_values} to {select.max_values} entries")
        data: Json = {"custom_id": select.custom_id, "component_type": int(select.type), "id": select.id}
        if select.type is ComponentType.STRING_SELECT:
            data["values"] = [_entry(select.options, menu, value) for value in values]
        else:
            data |= _resolve_values(CommandForm(self._world, self.user, target.channel), values)
        return await self._send(InteractionKind.COMPONENT, target.channel, data, source=target)

    async def submit(self, modal: Modal | Reply, values: Mapping[str, Any]) -> Reply:
        """Fill in fields, given by label or custom_id, and submit the modal. Others keep their value."""
        form = modal.modal if isinstance(modal, Reply) else modal
        if form is None:
            raise ActionNotPossible("no modal is open")
        if form.interaction.user is not self.user or form.submitted:
            raise ActionNotPossible(f"the modal {form.title!r} is not open for {self.name}")
        filled = _fill_in(form, values)
        form.submitted = True
        trigger = form.interaction
        data: Json = {"custom_id": form.custom_id, "components": filled}
        return await self._send(
            InteractionKind.MODAL, trigger.channel, data, source=trigger.source, trigger=trigger
        )

    async def say(self, content: str, *, channel: Channel | ChannelState) -> Message:
        """Send an ordinary message."""
        state = self._enter(channel)
        if Permission.SEND_MESSAGES not in state.permissions(self.user):
            raise ActionNotPossible(f"{self.name} may not write in {state.name}")
        return posting.create(self._world, state, self.user, {"content": content}, {})

    def _enter(self, channel: Channel | ChannelState) -> ChannelState:
        state = _state(channel)
        if Permission.VIEW_CHANNEL not in state.permissions(self.user):
            raise ActionNotPossible(f"{self.name} cannot see {state.name}")
        return state

    def _may_use_commands(self, channel: ChannelState) -> None:
        if Permission.USE_APPLICATION_COMMANDS not in channel.permissions(self.user):
            raise ActionNotPossible(f"{self.name} may not use commands in {channel.name}")

    def _look_at(self, message: Message | Reply) -> Message:
        target = message.shown if isinstance(message, Reply) else message
        if not self._can_see(target):
            raise ActionNotPossible(f"{self.name} cannot see that message")
        return target

    async def _send(
        self,
        kind: InteractionKind,
        channel: ChannelState,
        data: Json,
        *,
        source: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Reply:
        if self.user.bot:
            raise ActionNotPossible(f"{self.name} is a bot, and bots use no commands or components")
        interaction = start_interaction(
            self._world, kind, self.user, channel, data, source=source, trigger=trigger
        )
        return Reply(self._world, interaction, await interaction.response)


def _state(channel: Channel | ChannelState) -> ChannelState:
    return channel if isinstance(channel, ChannelState) else channel.state


def _drop_none(options: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (options or {}).items() if value is not None}


def _find_button(buttons: Sequence[Button], name: str) -> Button:
    for button in buttons:
        if name in (button.label, button.emoji, button.custom_id):
            return button
    offered = ", ".join(str(button.label or button.emoji) for button in buttons) or "none"
    raise ActionNotPossible(f"there is no button {name!r}; there are: {offered}")


def _find_select(selects: Sequence[Select], name: str) -> Select:
    for select in selects:
        if name in (select.placeholder, select.custom_id):
            return select
    offered = ", ".join(str(select.placeholder or select.custom_id) for select in selects) or "none"
    raise ActionNotPossible(f"there is no menu {name!r}; there are: {offered}")


def _entry(options: Iterable[Any], menu: str, value: str) -> str:
    options = tuple(options)
    for option in options:
        if value in (option.label, option.value):
            return str(option.value)
    offered = ", ".join(option.label for option in options)
    raise ActionNotPossible(f"{menu!r} has no entry {value!r}; there are: {offered}")


def _resolve_values(form: CommandForm, values: Sequence[Any]) -> Json:
    users = [getattr(value, "user", value) for value in values]
    if any(user.id not in form.world.users for user in users):
        raise ActionNotPossible("only people can be chosen there")
    for user in users:
        refer_to_user(form, user)
    return {"values": [str(user.id) for user in users], "resolved": form.resolved}


def _fill_in(modal: Modal, values: Mapping[str, Any]) -> list[Json]:
    by_name = {name: one for one in modal.fields for name in (one.custom_id, one.label)}
    unknown = [name for name in values if name not in by_name]
    if unknown:
        labels = ", ".join(one.label for one in modal.fields)
        raise ActionNotPossible(f"{modal.title!r} has no field {unknown[0]!r}; there are: {labels}")
    given = {by_name[name].custom_id: value for name, value in values.items()}
    answers = {one.custom_id: _answer(one, given.get(one.custom_id)) for one in modal.fields}
    return [_submitted(part, answers) for part in modal.components]


def _submitted(part: Json, answers: Mapping[str, Json]) -> Json:
    shell: Json = {"type": part["type"], "id": part["id"]}
    if "components" in part:
        return shell | {"components": [_submitted(child, answers) for child in part["components"]]}
    if "component" in part:
        return shell | {"component": _submitted(part["component"], answers)}
    return shell | answers.get(part.get("custom_id", ""), {})


def _answer(one: ModalField, value: Any) -> Json:
    found: Json = {"custom_id": one.custom_id}
    if one.type is ComponentType.TEXT_INPUT:
        return found | {"value": _text(one, one.value or "" if value is None else value)}
    if one.type is ComponentType.CHECKBOX:
        return found | {"value": bool(value)}
    chosen = (
        [option.value for option in one.options if option.default] if value is None else list(_many(value))
    )
    entries = [_entry(one.options, one.label, entry) for entry in chosen]
    if one.type is ComponentType.RADIO_GROUP:
        if one.required and not entries:
            raise ActionNotPossible(f"{one.label!r} is required")
        return found | {"value": entries[0] if entries else None}
    low = one.min_values if one.required else 0
    if not low <= len(entries) <= one.max_values:
        raise ActionNotPossible(f"{one.label!r} takes {low} to {one.max_values} entries")
    return found | {"values": entries}


def _many(value: Any) -> Iterable[str]:
    return (value,) if isinstance(value, str) else value


def _text(one: ModalField, value: Any) -> str:
    if not isinstance(value, str):
        raise ActionNotPossible(f"{one.label!r} takes a text, not {value!r}")
    if not value and not one.required:
        return value
    if not value:
        raise ActionNotPossible(f"{one.label!r} is required")
    if not one.min_length <= len(value) <= one.max_length:
        raise ActionNotPossible(f"{one.label!r} takes {one.min_length} to {one.max_length} characters")
    return value
