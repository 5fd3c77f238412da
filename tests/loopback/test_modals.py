"""Modals of both kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest

from tests.discord_server import ActionNotPossible, Modal

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


async def open_form(env: LoopbackEnvironment, button: str) -> Modal:
    """Open a modal from the panel as Alice."""
    shown = await env.alice.command("panel", channel=env.channel)
    reply = await env.bob.click(shown, button)
    assert reply.message is None
    assert reply.modal is not None
    return reply.modal


async def test_modal_fields_have_labels_and_descriptions(env: LoopbackEnvironment) -> None:
    form = await open_form(env, "Form")
    assert form.title == "A move"
    assert [(one.label, one.required, one.max_length) for one in form.fields] == [
        ("Move", True, 10),
        ("Side", False, 4000),
    ]
    assert form.fields[0].description == "As text"


async def test_modal_is_filled_in_by_label(env: LoopbackEnvironment) -> None:
    form = await open_form(env, "Form")
    reply = await env.bob.submit(form, {"Move": "D1-I6", "Side": "Black"})
    assert (reply.content, reply.ephemeral) == ("D1-I6 by ['Black']", True)


async def test_untouched_fields_keep_their_value_and_the_message_can_be_updated(
    env: LoopbackEnvironment,
) -> None:
    form = await open_form(env, "Old form")
    reply = await env.bob.submit(form, {})
    assert reply.updated
    assert env.channel.messages[-1].content == "form: as it was"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "'Move' is required"),
        ({"Move": "D"}, "takes 2 to 10 characters"),
        ({"Move": "D1-I6~H5,H6"}, "takes 2 to 10 characters"),
        ({"Move": "D1-I6", "Side": "Red"}, "no entry 'Red'"),
        ({"Move": "D1-I6", "Speed": "fast"}, "no field 'Speed'; there are: Move, Side"),
        ({"Move": 3}, "takes a text"),
    ],
)
async def test_invalid_values_are_not_sent(
    env: LoopbackEnvironment, values: dict[str, Any], reason: str
) -> None:
    form = await open_form(env, "Form")
    with pytest.raises(ActionNotPossible, match=reason):
        await env.bob.submit(form, values)


async def test_modal_is_for_its_opener_and_submitted_once(env: LoopbackEnvironment) -> None:
    form = await open_form(env, "Form")
    with pytest.raises(ActionNotPossible, match="not open for Alice"):
        await env.alice.submit(form, {"Move": "A4"})
    await env.bob.submit(form, {"Move": "A4"})
    with pytest.raises(ActionNotPossible, match="not open for Bob"):
        await env.bob.submit(form, {"Move": "A4"})


async def test_modal_beyond_a_limit_is_refused(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    form = discord.ui.Modal(title="t" * 46)
    form.add_item(discord.ui.Label(text="Name", component=discord.ui.TextInput(placeholder="p" * 100)))
    with pytest.raises(discord.HTTPException, match="45 or fewer") as refused:
        await handed.interaction.response.send_modal(form)
    assert refused.value.code == 50035
    env.discord.violations.clear()


async def test_radio_groups_and_checkboxes_can_be_submitted(env: LoopbackEnvironment) -> None:
    got: list[str] = []

    class Wishes(discord.ui.Modal, title="Wishes"):
        side: discord.ui.Label[Any] = discord.ui.Label(
            text="Side",
            component=discord.ui.RadioGroup(
                options=[
                    discord.RadioGroupOption(label="Black", value="b"),
                    discord.RadioGroupOption(label="White", value="w"),
                ]
            ),
        )
        rated: discord.ui.Label[Any] = discord.ui.Label(text="Rated", component=discord.ui.Checkbox())

        async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
            got.append(f"{self.side.component.value} {self.rated.component.value}")  # type: ignore[attr-defined]
            await interaction.response.defer()

    handed = await env.hand()
    await handed.interaction.response.send_modal(Wishes())
    reply = await env.alice.submit(await handed.waiting, {"Side": "White", "Rated": True})
    assert reply.deferred
    assert got == ["w True"]
