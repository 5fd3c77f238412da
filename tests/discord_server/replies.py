"""The response that a person gets to an action: a message, an update, a modal, choices, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.discord_server import components
from tests.discord_server.components import ComponentType, SelectOption
from tests.discord_server.interactions import Callback
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.discord_server.attachments import Attachment
    from tests.discord_server.components import Button, Select
    from tests.discord_server.errors import Json
    from tests.discord_server.interactions import Interaction, InteractionResponse
    from tests.discord_server.messages import Message
    from tests.discord_server.world import World


@dataclass(frozen=True, slots=True)
class AutocompleteChoice:
    """A suggestion of an autocomplete."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class ModalField:
    """An input of a modal; `value` is its initial value."""

    type: ComponentType
    custom_id: str
    label: str
    value: str | None = None
    placeholder: str | None = None
    required: bool = True
    min_length: int = 0
    max_length: int = 4000
    min_values: int = 1
    max_values: int = 1
    long: bool = False
    description: str | None = None
    options: tuple[SelectOption, ...] = ()


@dataclass(eq=False, slots=True)
class Modal:
    """A modal that the bot opened for one person; it can be submitted once."""

    interaction: Interaction
    custom_id: str
    title: str
    components: list[Json]
    fields: list[ModalField] = field(default_factory=list)
    submitted: bool = False

    @property
    def text(self) -> str:
        """The text displays between the fields."""
        parts = components.walk(self.components)
        return "\n".join(part["content"] for _, part in parts if part["type"] == ComponentType.TEXT)


def modal(interaction: Interaction, data: Json) -> Modal:
    """Parse a modal of the bot's response, with labels or with inputs in action rows."""
    parts = components.normalise(data["components"], lambda url: {"url": url})
    found = Modal(interaction, data["custom_id"], data["title"], parts)
    for given, part in zip(data["components"], parts, strict=True):
        if part["type"] == ComponentType.LABEL:
            found.fields.append(_field(given["component"], part["label"], part.get("description")))
        elif part["type"] == ComponentType.ROW:
            found.fields += [_field(child, child.get("label", ""), None) for child in given["components"]]
    return found


def _field(part: Json, label: str, description: str | None) -> ModalField:
    def given(key: str, default: Any) -> Any:
        return default if part.get(key) is None else part[key]

    return ModalField(
        type=ComponentType(part["type"]),
        custom_id=part["custom_id"],
        label=label,
        value=part.get("value"),
        placeholder=part.get("placeholder"),
        required=given("required", default=True),
        min_length=given("min_length", 0),
        max_length=given("max_length", 4000),
        min_values=given("min_values", 1),
        max_values=given("max_values", 1),
        long=part.get("style") == 2,
        description=description,
        options=components.options(part.get("options") or ()),
    )


class Reply:
    """The response to an interaction, for the person who sent it.

    `message` is the response message, or the clicked message if the response updated it; it is live.
    `failed` is Discord's error text if there was no response in time. `deferred` is true if the first
    response was only "thinking": `await reply.wait_until_complete()` waits for the rest.
    """

    def __init__(self, world: World, interaction: Interaction, answer: InteractionResponse) -> None:
        self._world = world
        self.interaction = interaction
        self.answer = answer
        self.modal: Modal | None = None
        self.choices: list[AutocompleteChoice] = []
        if answer.callback is Callback.MODAL:
            self.modal = modal(interaction, answer.data)
        if answer.callback is Callback.CHOICES:
            self.choices = [
                AutocompleteChoice(one["name"], one["value"]) for one in answer.data["choices"] or ()
            ]
        self._revision = interaction.original.revision if interaction.original else 0

    @property
    def failed(self) -> str | None:
        return self.answer.failed

    @property
    def deferred(self) -> bool:
        return self.answer.callback in (Callback.DEFERRED_MESSAGE, Callback.DEFERRED_UPDATE)

    @property
    def updated(self) -> bool:
        """Whether the response updated the clicked message."""
        return self.answer.callback is Callback.UPDATE

    @property
    def message(self) -> Message | None:
        if self.answer.callback in (None, Callback.MODAL, Callback.CHOICES):
            return None
        return self.interaction.original

    @property
    def followups(self) -> list[Message]:
        return [message for message in self.interaction.followups if not message.deleted]

    @property
    def shown(self) -> Message:
        """The message, for tests that expect one."""
        if self.message is None:
            raise AssertionError(f"no message came: {self!r}")
        return self.message

    @property
    def content(self) -> str:
        return self.shown.content

    @property
    def text(self) -> str:
        return self.shown.text

    @property
    def embeds(self) -> list[Json]:
        return self.shown.embeds

    @property
    def attachments(self) -> list[Attachment]:
        return self.shown.attachments

    @property
    def components(self) -> list[Json]:
        return self.shown.components

    @property
    def buttons(self) -> list[Button]:
        return self.shown.buttons

    @property
    def selects(self) -> list[Select]:
        return self.shown.selects

    @property
    def ephemeral(self) -> bool:
        return self.shown.ephemeral

    async def wait_until_complete(self, seconds: float = PATIENCE) -> Reply:
        """Wait until a deferred response is completed by an edit, a followup or a deletion."""
        await self._world.changed.until(self._complete, seconds, f"the rest of {self!r}")
        return self

    def _complete(self) -> bool:
        if not self.deferred:
            return True
        original = self.interaction.original
        if self.interaction.followups or (original is not None and original.deleted):
            return True
        return original is not None and original.revision > self._revision

    def __repr__(self) -> str:
        if self.failed:
            return f"<Reply failed: {self.failed}>"
        if self.modal:
            return f"<Reply modal {self.modal.title!r}>"
        if self.message is None:
            return f"<Reply choices {names(self.choices)}>"
        callback = self.answer.callback.name.lower() if self.answer.callback else "none"
        return f"<Reply {callback} {self.message.text!r}>"


def names(choices: Sequence[AutocompleteChoice]) -> list[str]:
    return [choice.name for choice in choices]
