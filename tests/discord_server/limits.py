"""Discord's limits for messages, components and modals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.discord_server.components import LINK_STYLE, SELECTS, V2_FLAG, ComponentType, walk
from tests.discord_server.errors import ValidationProblems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.discord_server.errors import Json

CONTENT = 2000
EMBED_TOTAL = 6000
ROWS = 5
V2_COMPONENTS = 40
V2_TEXT = 4000
MODAL_FIELDS = 5

_EMBED_LENGTHS = (
    ("title", 256),
    ("description", 4096),
    ("footer.text", 2048),
    ("author.name", 256),
)
_V2_TOP = frozenset(
    {
        ComponentType.ROW,
        ComponentType.SECTION,
        ComponentType.TEXT,
        ComponentType.GALLERY,
        ComponentType.FILE,
        ComponentType.SEPARATOR,
        ComponentType.CONTAINER,
    }
)
_IN_CONTAINER = _V2_TOP - {ComponentType.CONTAINER}
_IN_LABEL = SELECTS | {
    ComponentType.TEXT_INPUT,
    ComponentType.RADIO_GROUP,
    ComponentType.CHECKBOX_GROUP,
    ComponentType.CHECKBOX,
}


def check_message(body: Json, *, already_v2: bool = False) -> None:
    """Check the given parts of a message; raises `ApiError` 50035 with all violations."""
    problems = ValidationProblems()
    v2 = already_v2 or bool((body.get("flags") or 0) & V2_FLAG)
    problems.length("content", body.get("content"), 0, CONTENT)
    problems.length("embeds", body.get("embeds"), 0, 10)
    if v2:
        _check_v2_only(problems, body)
    _check_embeds(problems, body.get("embeds") or ())
    for index, attachment in enumerate(body.get("attachments") or ()):
        problems.length(f"attachments.{index}.description", attachment.get("description"), 0, 1024)
    problems.length("attachments", body.get("attachments"), 0, 10)
    problems.length("nonce", None if body.get("nonce") is None else str(body["nonce"]), 0, 25)
    check_components(problems, body.get("components") or (), v2=v2)
    problems.raise_if_any()


def _check_v2_only(problems: ValidationProblems, body: Json) -> None:
    for key in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(key):
            problems.add(
                key,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _check_embeds(problems: ValidationProblems, embeds: Sequence[Json]) -> None:
    total = 0
    for index, embed in enumerate(embeds):
        path = f"embeds.{index}"
        for key, high in _EMBED_LENGTHS:
            text = _value_at(embed, key)
            problems.length(f"{path}.{key}", text, 0, high)
            total += len(text or "")
        problems.length(f"{path}.fields", embed.get("fields"), 0, 25)
        for number, entry in enumerate(embed.get("fields") or ()):
            for key, high in (("name", 256), ("value", 1024)):
                problems.required(f"{path}.fields.{number}.{key}", entry.get(key))
                problems.length(f"{path}.fields.{number}.{key}", entry.get(key), 0, high)
                total += len(entry.get(key) or "")
    if total > EMBED_TOTAL:
        problems.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TOTAL}")


def _value_at(value: Json, path: str) -> Any:
    found: Any = value
    for step in path.split("."):
        found = (found or {}).get(step)
    return found


def check_components(problems: ValidationProblems, components: Sequence[Json], *, v2: bool) -> None:
    """Check the components of a message; version 2 components are valid only with the message flag."""
    if v2:
        _check_v2(problems, components)
    else:
        problems.length("components", components, 0, ROWS)
        _check_kinds(problems, "components", components, frozenset({ComponentType.ROW}))
    for path, part in walk(components):
        _check_part(problems, path, part)
    _check_unique(problems, components)


def _check_v2(problems: ValidationProblems, components: Sequence[Json]) -> None:
    parts = list(walk(components))
    if len(parts) > V2_COMPONENTS:
        problems.add("components", "COMPONENT_MAX_TOTAL", f"Must be {V2_COMPONENTS} or fewer in total.")
    if sum(len(part["content"]) for _, part in parts if part.get("type") == ComponentType.TEXT) > V2_TEXT:
        problems.add(
            "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", f"Exceeds {V2_TEXT} characters."
        )
    _check_kinds(problems, "components", components, _V2_TOP)


def _check_kinds(
    problems: ValidationProblems, path: str, parts: Sequence[Json], allowed: frozenset[ComponentType]
) -> None:
    for index, part in enumerate(parts):
        if part.get("type") not in allowed:
            allowed_kinds = ", ".join(str(int(kind)) for kind in sorted(allowed))
            problems.add(
                f"{path}.{index}.type",
                "UNION_TYPE_CHOICES",
                f"Value of field must be one of ({allowed_kinds}).",
            )


def _check_unique(
    problems: ValidationProblems, components: Sequence[Json], where: str = "components"
) -> None:
    seen: set[str] = set()
    for path, part in walk(components, where):
        custom_id = part.get("custom_id")
        if custom_id in seen:
            problems.add(
                f"{path}.custom_id",
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        if custom_id is not None:
            seen.add(custom_id)


def _check_part(problems: ValidationProblems, path: str, part: Json) -> None:
    problems.length(f"{path}.custom_id", part.get("custom_id"), 1, 100)
    match part.get("type"):
        case ComponentType.ROW:
            _check_row(problems, f"{path}.components", part.get("components") or ())
        case ComponentType.BUTTON:
            _check_button(problems, path, part)
        case kind if kind in SELECTS:
            _check_select(problems, path, part)
        case ComponentType.SECTION:
            problems.length(f"{path}.components", part.get("components"), 1, 3)
            problems.required(f"{path}.accessory", part.get("accessory"))
        case ComponentType.CONTAINER:
            _check_kinds(problems, f"{path}.components", part.get("components") or (), _IN_CONTAINER)
        case ComponentType.GALLERY:
            problems.length(f"{path}.items", part.get("items") or (), 1, 10)
            for index, item in enumerate(part.get("items") or ()):
                problems.length(f"{path}.items.{index}.description", item.get("description"), 1, 1024)


def _check_row(problems: ValidationProblems, path: str, parts: Sequence[Json]) -> None:
    problems.length(path, parts, 1, 5)
    _check_kinds(problems, path, parts, SELECTS | {ComponentType.BUTTON, ComponentType.TEXT_INPUT})
    if len(parts) > 1 and any(part.get("type") != ComponentType.BUTTON for part in parts):
        problems.add(
            path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width"
        )


def _check_button(problems: ValidationProblems, path: str, part: Json) -> None:
    problems.length(f"{path}.label", part.get("label"), 0, 80)
    if not part.get("label") and not part.get("emoji"):
        problems.add(path, "BUTTON_COMPONENT_INVALID_LABEL", "A button must have a label or emoji")
    if part.get("style") == LINK_STYLE:
        problems.required(f"{path}.url", part.get("url"))
        problems.length(f"{path}.url", part.get("url"), 1, 512)
        if part.get("custom_id"):
            problems.add(
                path, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", "A custom id and url cannot both be specified"
            )
    else:
        problems.required(f"{path}.custom_id", part.get("custom_id"))


def _check_select(problems: ValidationProblems, path: str, part: Json) -> None:
    problems.required(f"{path}.custom_id", part.get("custom_id"))
    problems.length(f"{path}.placeholder", part.get("placeholder"), 0, 150)
    if part["type"] != ComponentType.STRING_SELECT:
        return
    options = part.get("options") or ()
    problems.length(f"{path}.options", options, 1, 25)
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        for key, high in (("label", 100), ("value", 100)):
            problems.required(f"{here}.{key}", option.get(key))
            problems.length(f"{here}.{key}", option.get(key), 0, high)
        problems.length(f"{here}.description", option.get("description"), 0, 100)
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        problems.add(
            f"{path}.options", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Option values must be unique"
        )
    _check_counts(problems, path, part, len(options))


def _check_counts(problems: ValidationProblems, path: str, part: Json, options: int) -> None:
    low = 1 if part.get("min_values") is None else part["min_values"]
    high = 1 if part.get("max_values") is None else part["max_values"]
    if low > high or high > options:
        problems.add(
            f"{path}.max_values", "SELECT_COMPONENT_MAX_VALUES", f"Must be between {low} and {options}."
        )
    if sum(bool(option.get("default")) for option in part.get("options") or ()) > high:
        problems.add(
            f"{path}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", f"At most {high} defaults."
        )


def check_modal(data: Json) -> None:
    """Check a modal's title, custom_id and fields; raises `ApiError` 50035 with all violations."""
    problems = ValidationProblems()
    for key, high in (("title", 45), ("custom_id", 100)):
        problems.required(f"data.{key}", data.get(key))
        problems.length(f"data.{key}", data.get(key), 1, high)
    parts = data.get("components") or ()
    problems.length("data.components", parts, 1, MODAL_FIELDS)
    _check_kinds(
        problems,
        "data.components",
        parts,
        frozenset({ComponentType.ROW, ComponentType.LABEL, ComponentType.TEXT}),
    )
    for path, part in walk(parts, "data.components"):
        _check_field(problems, path, part)
    _check_unique(problems, parts, "data.components")
    problems.raise_if_any()


def _check_field(problems: ValidationProblems, path: str, part: Json) -> None:
    problems.length(f"{path}.custom_id", part.get("custom_id"), 1, 100)
    match part.get("type"):
        case ComponentType.LABEL:
            problems.required(f"{path}.label", part.get("label"))
            problems.length(f"{path}.label", part.get("label"), 1, 45)
            problems.length(f"{path}.description", part.get("description"), 0, 100)
            _check_kinds(problems, f"{path}.component", [part.get("component") or {}], _IN_LABEL)
        case ComponentType.ROW:
            problems.length(f"{path}.components", part.get("components"), 1, 1)
            _check_kinds(
                problems, f"{path}.components", part["components"], frozenset({ComponentType.TEXT_INPUT})
            )
            for child in part["components"]:
                problems.required(f"{path}.components.0.label", child.get("label"))
        case ComponentType.TEXT_INPUT:
            _check_text_input(problems, path, part)
        case ComponentType.STRING_SELECT:
            _check_select(problems, path, part)


def _check_text_input(problems: ValidationProblems, path: str, part: Json) -> None:
    problems.required(f"{path}.custom_id", part.get("custom_id"))
    problems.length(f"{path}.label", part.get("label"), 0, 45)
    problems.length(f"{path}.placeholder", part.get("placeholder"), 0, 100)
    problems.length(f"{path}.value", part.get("value"), 0, 4000)
    low = part.get("min_length") or 0
    high = 4000 if part.get("max_length") is None else part["max_length"]
    if not 0 <= low <= high <= 4000 or high < 1:
        problems.add(f"{path}.max_length", "BASE_TYPE_BAD_LENGTH", "Must be between min_length and 4000.")


def check_choices(choices: Sequence[Json]) -> None:
    """Check the choices of an autocomplete: at most 25, with names of 1 to 100 characters."""
    problems = ValidationProblems()
    problems.length("data.choices", choices, 0, 25)
    for index, choice in enumerate(choices):
        problems.required(f"data.choices.{index}.name", choice.get("name"))
        problems.length(f"data.choices.{index}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            problems.length(f"data.choices.{index}.value", choice["value"], 1, 100)
    problems.raise_if_any()
