"""Message components: iterating over them, storing them like Discord, and how a person sees them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.discord_server.errors import Json

V2_FLAG = 1 << 15


class ComponentType(IntEnum):
    """Discord's component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset(
    {
        ComponentType.STRING_SELECT,
        ComponentType.USER_SELECT,
        ComponentType.ROLE_SELECT,
        ComponentType.MENTIONABLE_SELECT,
        ComponentType.CHANNEL_SELECT,
    }
)
LINK_STYLE = 5
_SINGLE = ("accessory", "component")


def walk(components: Sequence[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Yield every component with its path, parents before children, in display order."""
    for index, component in enumerate(components):
        here = f"{path}.{index}"
        yield here, component
        yield from walk(component.get("components") or (), f"{here}.components")
        for single in _SINGLE:
            if component.get(single):
                yield f"{here}.{single}", component[single]


_DEFAULTS: dict[int, Json] = {
    ComponentType.STRING_SELECT: {"min_values": 1, "max_values": 1},
    ComponentType.USER_SELECT: {"min_values": 1, "max_values": 1},
    ComponentType.ROLE_SELECT: {"min_values": 1, "max_values": 1},
    ComponentType.MENTIONABLE_SELECT: {"min_values": 1, "max_values": 1},
    ComponentType.CHANNEL_SELECT: {"min_values": 1, "max_values": 1},
    ComponentType.SEPARATOR: {"spacing": 1, "divider": True},
    ComponentType.CONTAINER: {"accent_color": None, "spoiler": False},
    ComponentType.THUMBNAIL: {"description": None, "spoiler": False},
    ComponentType.FILE: {"name": None, "size": None, "spoiler": False},
}
_ITEM_DEFAULTS: Json = {"description": None, "spoiler": False}


def normalise(components: Sequence[Json], media: Callable[[str], Json]) -> list[Json]:
    """Return components as Discord returns them: ids assigned, defaults filled in, absent keys omitted.

    `media` resolves the URL of a picture or file (also `attachment://name`) to Discord's media object.
    """
    taken = {part["id"] for _, part in walk(components) if part.get("id")}
    fresh = (number for number in itertools.count(1) if number not in taken)
    return [_normalise(component, media, fresh) for component in components]


def _normalise(component: Json, media: Callable[[str], Json], fresh: Iterator[int]) -> Json:
    found = dict(_DEFAULTS.get(component["type"], {}))
    found |= {key: value for key, value in component.items() if value is not None}
    found["id"] = component.get("id") or next(fresh)
    found.pop("required", None)
    if "components" in found:
        found["components"] = [_normalise(one, media, fresh) for one in found["components"]]
    for single in _SINGLE:
        if single in found:
            found[single] = _normalise(found[single], media, fresh)
    for key in ("media", "file"):
        if key in found:
            found[key] = media(found[key]["url"])
    if "items" in found:
        found["items"] = [_normalise_item(one, media) for one in found["items"]]
    if "options" in found:
        found["options"] = [_without_none(one) for one in found["options"]]
    return found


def _normalise_item(item: Json, media: Callable[[str], Json]) -> Json:
    return _ITEM_DEFAULTS | _without_none(item) | {"media": media(item["media"]["url"])}


def _without_none(value: Json) -> Json:
    return {key: one for key, one in value.items() if one is not None}


@dataclass(frozen=True, slots=True)
class SelectOption:
    """An option of a select."""

    label: str
    value: str
    description: str | None = None
    default: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """A button as a person sees it; a link button has a `url` and no `custom_id`."""

    id: int
    label: str | None
    custom_id: str | None
    style: int
    disabled: bool = False
    url: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A select as a person sees it; only string selects have options."""

    id: int
    type: ComponentType
    custom_id: str
    placeholder: str | None
    options: tuple[SelectOption, ...] = ()
    min_values: int = 1
    max_values: int = 1
    disabled: bool = False


def button(component: Json) -> Button:
    emoji = component.get("emoji") or {}
    return Button(
        id=component["id"],
        label=component.get("label"),
        custom_id=component.get("custom_id"),
        style=component["style"],
        disabled=bool(component.get("disabled")),
        url=component.get("url"),
        emoji=emoji.get("name"),
    )


def options(entries: Sequence[Json]) -> tuple[SelectOption, ...]:
    return tuple(
        SelectOption(one["label"], one["value"], one.get("description"), bool(one.get("default")))
        for one in entries
    )


def select(component: Json) -> Select:
    return Select(
        id=component.get("id", 0),
        type=ComponentType(component["type"]),
        custom_id=component["custom_id"],
        placeholder=component.get("placeholder"),
        options=options(component.get("options", ())),
        min_values=_value_or(component.get("min_values"), 1),
        max_values=_value_or(component.get("max_values"), 1),
        disabled=bool(component.get("disabled")),
    )


def _value_or(value: Any, default: int) -> int:
    return default if value is None else int(value)
