"""Message components: walking them, storing them as Discord answers them, and what a person sees of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.discord_server.errors import Json

V2_FLAG = 1 << 15


class Type(IntEnum):
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
        Type.STRING_SELECT,
        Type.USER_SELECT,
        Type.ROLE_SELECT,
        Type.MENTIONABLE_SELECT,
        Type.CHANNEL_SELECT,
    }
)
LINK_STYLE = 5
_SINGLE = ("accessory", "component")


def walk(components: Sequence[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Give every component with its path, parents before children, in the order in which they are shown."""
    for index, component in enumerate(components):
        here = f"{path}.{index}"
        yield here, component
        yield from walk(component.get("components") or (), f"{here}.components")
        for single in _SINGLE:
            if component.get(single):
                yield f"{here}.{single}", component[single]


_DEFAULTS: dict[int, Json] = {
    Type.STRING_SELECT: {"min_values": 1, "max_values": 1},
    Type.USER_SELECT: {"min_values": 1, "max_values": 1},
    Type.ROLE_SELECT: {"min_values": 1, "max_values": 1},
    Type.MENTIONABLE_SELECT: {"min_values": 1, "max_values": 1},
    Type.CHANNEL_SELECT: {"min_values": 1, "max_values": 1},
    Type.SEPARATOR: {"spacing": 1, "divider": True},
    Type.CONTAINER: {"accent_color": None, "spoiler": False},
    Type.THUMBNAIL: {"description": None, "spoiler": False},
    Type.FILE: {"name": None, "size": None, "spoiler": False},
}
_ITEM_DEFAULTS: Json = {"description": None, "spoiler": False}


def stored(components: Sequence[Json], media: Callable[[str], Json]) -> list[Json]:
    """Give components as Discord answers them: ids given out, defaults filled in, absent keys left out.

    `media` turns the URL of a picture or file (`attachment://name` too) into Discord's description of it.
    """
    taken = {part["id"] for _, part in walk(components) if part.get("id")}
    fresh = (number for number in itertools.count(1) if number not in taken)
    return [_stored(component, media, fresh) for component in components]


def _stored(component: Json, media: Callable[[str], Json], fresh: Iterator[int]) -> Json:
    found = dict(_DEFAULTS.get(component["type"], {}))
    found |= {key: value for key, value in component.items() if value is not None}
    found["id"] = component.get("id") or next(fresh)
    found.pop("required", None)
    if "components" in found:
        found["components"] = [_stored(one, media, fresh) for one in found["components"]]
    for single in _SINGLE:
        if single in found:
            found[single] = _stored(found[single], media, fresh)
    for key in ("media", "file"):
        if key in found:
            found[key] = media(found[key]["url"])
    if "items" in found:
        found["items"] = [_item(one, media) for one in found["items"]]
    if "options" in found:
        found["options"] = [_without_none(one) for one in found["options"]]
    return found


def _item(item: Json, media: Callable[[str], Json]) -> Json:
    return _ITEM_DEFAULTS | _without_none(item) | {"media": media(item["media"]["url"])}


def _without_none(value: Json) -> Json:
    return {key: one for key, one in value.items() if one is not None}


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of a select menu."""

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
    """A select menu as a person sees it; only string selects have options."""

    id: int
    type: Type
    custom_id: str
    placeholder: str | None
    options: tuple[Option, ...] = ()
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


def options(entries: Sequence[Json]) -> tuple[Option, ...]:
    return tuple(
        Option(one["label"], one["value"], one.get("description"), bool(one.get("default")))
        for one in entries
    )


def select(component: Json) -> Select:
    return Select(
        id=component.get("id", 0),
        type=Type(component["type"]),
        custom_id=component["custom_id"],
        placeholder=component.get("placeholder"),
        options=options(component.get("options", ())),
        min_values=_or(component.get("min_values"), 1),
        max_values=_or(component.get("max_values"), 1),
        disabled=bool(component.get("disabled")),
    )


def _or(value: Any, default: int) -> int:
    return default if value is None else int(value)
