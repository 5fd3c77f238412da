"""Discord's limits, each just met and just exceeded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_server.command_limits import check_commands
from tests.discord_server.errors import ApiError, Json
from tests.discord_server.limits import check_choices, check_message, check_modal

V2 = {"flags": 1 << 15}


def row(*parts: Json) -> Json:
    """Return an action row."""
    return {"type": 1, "components": list(parts)}


def button(number: int = 0, **changes: Any) -> Json:
    """Return a button."""
    return {"type": 2, "style": 1, "label": "b", "custom_id": f"b{number}"} | changes


def menu(count: int = 1, **changes: Any) -> Json:
    """Return a select with this number of options."""
    entries = [{"label": "l", "value": str(number)} for number in range(count)]
    return {"type": 3, "custom_id": "m", "options": entries} | changes


def text(content: str) -> Json:
    """Return a text display."""
    return {"type": 10, "content": content}


def embed(**changes: Any) -> Json:
    """Return an embed."""
    return {"embeds": [{"title": "t"} | changes]}


def problem_paths(error: Json, path: str = "") -> list[str]:
    """Return the paths of the violations in an error."""
    paths = [path] if "_errors" in error else []
    for key, value in error.items():
        if key != "_errors":
            paths += problem_paths(value, f"{path}.{key}" if path else key)
    return paths


WITHIN_LIMITS: list[Json] = [
    {"content": "x" * 2000},
    embed(title="x" * 256, description="x" * 4096),
    embed(fields=[{"name": "x", "value": "x"}] * 25),
    {"components": [row(*(button(5 * line + place) for place in range(5))) for line in range(5)]},
    {"components": [row(button(label="x" * 80, custom_id="x" * 100))]},
    {"components": [row(menu(25, placeholder="x" * 150, max_values=25))]},
    {"components": [row(button(style=5, custom_id=None, url="https://example.com"))]},
    {"attachments": [{"id": 0, "description": "x" * 1024}]},
    {"nonce": "x" * 25},
    V2 | {"components": [text("x" * 4000)]},
    V2 | {"components": [text("x")] * 40},
]


@pytest.mark.parametrize("body", WITHIN_LIMITS)
def test_messages_within_the_limits_are_accepted(body: Json) -> None:
    check_message(body)


BEYOND_LIMITS: list[tuple[Json, str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    (embed(title="x" * 257), "embeds.0.title"),
    (embed(description="x" * 4097), "embeds.0.description"),
    (embed(footer={"text": "x" * 2049}), "embeds.0.footer.text"),
    (embed(author={"name": "x" * 257}), "embeds.0.author.name"),
    (embed(fields=[{"name": "x", "value": "x"}] * 26), "embeds.0.fields"),
    (embed(fields=[{"name": "", "value": "x"}]), "embeds.0.fields.0.name"),
    (embed(fields=[{"name": "x", "value": "x" * 1025}]), "embeds.0.fields.0.value"),
    ({"embeds": [{"description": "x" * 4000}] * 2}, "embeds"),
    ({"attachments": [{"id": 0, "description": "x" * 1025}]}, "attachments.0.description"),
    ({"nonce": "x" * 26}, "nonce"),
    ({"components": [row(button(number)) for number in range(6)]}, "components"),
    ({"components": [row(*(button(number) for number in range(6)))]}, "components.0.components"),
    ({"components": [row()]}, "components.0.components"),
    ({"components": [row(button(1), menu())]}, "components.0.components"),
    ({"components": [button()]}, "components.0.type"),
    ({"components": [text("x")]}, "components.0.type"),
    ({"components": [row(button(label="x" * 81))]}, "components.0.components.0.label"),
    ({"components": [row(button(label=""))]}, "components.0.components.0"),
    ({"components": [row(button(custom_id="x" * 101))]}, "components.0.components.0.custom_id"),
    ({"components": [row(button(custom_id=None))]}, "components.0.components.0.custom_id"),
    ({"components": [row(button(style=5, custom_id=None))]}, "components.0.components.0.url"),
    ({"components": [row(button(style=5, url="https://a.b"))]}, "components.0.components.0"),
    ({"components": [row(button(1), button(1))]}, "components.0.components.1.custom_id"),
    ({"components": [row(menu(26))]}, "components.0.components.0.options"),
    ({"components": [row(menu(0))]}, "components.0.components.0.options"),
    ({"components": [row(menu(placeholder="x" * 151))]}, "components.0.components.0.placeholder"),
    ({"components": [row(menu(2, max_values=3))]}, "components.0.components.0.max_values"),
    (
        {"components": [row(menu(options=[{"label": "l", "value": "1"}] * 2))]},
        "components.0.components.0.options",
    ),
    (
        {"components": [row(menu(options=[{"label": "x" * 101, "value": "1"}]))]},
        "components.0.components.0.options.0.label",
    ),
    (V2 | {"content": "x", "components": [text("x")]}, "content"),
    (V2 | {"components": [text("x" * 4001)]}, "components"),
    (V2 | {"components": [text("x")] * 41}, "components"),
    (V2 | {"components": [{"type": 17, "components": [{"type": 17}]}]}, "components.0.components.0.type"),
    (V2 | {"components": [{"type": 9, "components": [text("x")]}]}, "components.0.accessory"),
    (V2 | {"components": [{"type": 12, "items": []}]}, "components.0.items"),
]


@pytest.mark.parametrize(("body", "path"), BEYOND_LIMITS)
def test_messages_beyond_a_limit_are_refused_with_the_path(body: Json, path: str) -> None:
    with pytest.raises(ApiError, match="Invalid Form Body") as refused:
        check_message(body)
    assert path in problem_paths(refused.value.errors or {})


def label(**changes: Any) -> Json:
    """Return a label with an input."""
    return {"type": 18, "label": "l", "component": {"type": 4, "custom_id": "c", "style": 1}} | changes


def modal(*parts: Json, **changes: Any) -> Json:
    """Return a modal."""
    return {"title": "t", "custom_id": "m", "components": list(parts) or [label()]} | changes


MODALS: list[tuple[Json, str]] = [
    (modal(title="x" * 46), "data.title"),
    (modal(title=""), "data.title"),
    (modal(custom_id="x" * 101), "data.custom_id"),
    (modal(components=[]), "data.components"),
    (modal(*(label(component=None) for _ in range(6))), "data.components"),
    (modal(label(label="x" * 46)), "data.components.0.label"),
    (modal(label(description="x" * 101)), "data.components.0.description"),
    (modal(label(component=button())), "data.components.0.component.0.type"),
    (modal(row({"type": 4, "custom_id": "c", "style": 1})), "data.components.0.components.0.label"),
    (
        modal(label(component={"type": 4, "custom_id": "c", "placeholder": "x" * 101})),
        "data.components.0.component.placeholder",
    ),
    (
        modal(label(component={"type": 4, "custom_id": "c", "min_length": 9, "max_length": 3})),
        "data.components.0.component.max_length",
    ),
    (modal(label(), label()), "data.components.1.component.custom_id"),
]


@pytest.mark.parametrize(("data", "path"), MODALS)
def test_modals_beyond_a_limit_are_refused_with_the_path(data: Json, path: str) -> None:
    with pytest.raises(ApiError) as refused:
        check_modal(data)
    assert path in problem_paths(refused.value.errors or {})


def test_modal_with_five_fields_is_accepted() -> None:
    check_modal(modal(*(label(component={"type": 4, "custom_id": str(one)}) for one in range(5))))


def option(name: str = "o", kind: int = 3, **changes: Any) -> Json:
    """Return a command option."""
    return {"name": name, "description": "d", "type": kind} | changes


def command(*options: Json, **changes: Any) -> Json:
    """Return a command."""
    return {"name": "c", "description": "d", "options": list(options)} | changes


def choice(number: int, **changes: Any) -> Json:
    """Return a choice of an option."""
    return {"name": f"n{number}", "value": f"v{number}"} | changes


COMMANDS: list[tuple[list[Json], str]] = [
    ([command(name="Challenge")], "0.name"),
    ([command(name="a b")], "0.name"),
    ([command(name="x" * 33)], "0.name"),
    ([command(description="")], "0.description"),
    ([command(description="x" * 101)], "0.description"),
    ([command(), command()], "1.name"),
    ([command(name=f"c{number}") for number in range(101)], "0"),
    ([command(*(option(f"o{number}") for number in range(26)))], "0.options"),
    ([command(option(), option())], "0.options.1.name"),
    ([command(option("a"), option("b", required=True))], "0.options.1"),
    ([command(option(choices=[choice(number) for number in range(26)]))], "0.options.0.choices"),
    ([command(option(choices=[choice(1), choice(1)]))], "0.options.0.choices"),
    ([command(option(choices=[choice(1, name="x" * 101)]))], "0.options.0.choices.0.name"),
    ([command(option(choices=[choice(1)], autocomplete=True))], "0.options.0"),
    ([command(option("s", 1), option("o"))], "0.options"),
    ([command(option("s", 1, options=[option("t", 1)]))], "0.options.0.options.0.type"),
    (
        [
            command(
                *(
                    option(f"o{place}", choices=[choice(number, value="x" * 99) for number in range(25)])
                    for place in range(4)
                )
            )
        ],
        "0",
    ),
]


@pytest.mark.parametrize(("commands", "path"), COMMANDS)
def test_commands_beyond_a_limit_are_refused_with_the_path(commands: list[Json], path: str) -> None:
    with pytest.raises(ApiError) as refused:
        check_commands(commands)
    assert path in problem_paths(refused.value.errors or {})


def test_commands_within_the_limits_are_accepted() -> None:
    group = command(option("g", 2, options=[option("s", 1, options=[option()])]), name="größe")
    check_commands([group, *(command(name=f"c{number}") for number in range(99))])


@pytest.mark.parametrize(
    ("choices", "path"),
    [
        ([choice(number) for number in range(26)], "data.choices"),
        ([choice(1, name="x" * 101)], "data.choices.0.name"),
        ([choice(1, value="x" * 101)], "data.choices.0.value"),
    ],
)
def test_autocomplete_choices_beyond_a_limit_are_refused_with_the_path(
    choices: list[Json], path: str
) -> None:
    with pytest.raises(ApiError) as refused:
        check_choices(choices)
    assert path in problem_paths(refused.value.errors or {})
