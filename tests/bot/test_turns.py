"""Turns by command and by modal: posts, pings, refusals and autocomplete."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.ui.ids import PostId
from tests.bot.environment import labels
from tests.discord_server.attachments import image_size

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment

POST = "POST /interactions/{interaction_id}/{interaction_token}/callback"


@pytest.mark.long
async def test_turn_takes_one_request(env: BotEnvironment) -> None:
    await env.start_match()
    before = len(env.discord.requests)
    reply = await env.move(env.alice, "C1-D2")
    assert reply.attachments
    assert env.bob.pings == [env.channel.messages[0], reply.message]
    assert env.request_routes()[before:] == [POST]


async def test_turn_by_modal_takes_two_requests(env: BotEnvironment) -> None:
    board = await env.start_match()
    before = len(env.discord.requests)
    reply = await env.submit_move(env.alice, board, "C1-D2")
    assert "Black C1-D2" in reply.text
    assert env.request_routes()[before:] == [POST, POST]


@pytest.mark.long
async def test_moves_are_understood_as_people_write_them(env: BotEnvironment) -> None:
    board = await env.start_match()
    assert "Black C1-D2" in (await env.submit_move(env.alice, board, "1. c1 to d2!")).text
    assert "White A2-B3" in (await env.move(env.bob, "White a2b3")).text


async def test_post_describes_the_turn(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.move(env.alice, "C1-D2")
    lines = reply.text.splitlines()
    assert lines[0] == "Alice: **Black C1-D2**"
    assert lines[1] == f"{env.bob.mention}, it is your turn. You play **White**."
    assert lines[2] == "-# Morelli #1 · Alice (Black) – Bob (White) · after move 1"
    assert labels(reply) == ["Pick", "Move", "My view"]


@pytest.mark.long
async def test_picture_has_an_alt_text(env: BotEnvironment) -> None:
    await env.start_match()
    (picture,) = (await env.move(env.alice, "C1-D2")).attachments
    size = image_size(picture.data)
    assert size is not None
    assert size[0] == 700
    assert picture.description is not None
    assert picture.description.startswith("Morelli #1. Black C1-D2. Bob (White) to play.\n")
    assert "\n2 w . . b . . . . w\n1 b b . b b b b b w\n" in picture.description
    assert len(picture.description) <= 1024


@pytest.mark.long
async def test_only_the_player_to_move_is_pinged(env: BotEnvironment) -> None:
    eve = env.guild.member(f"<@{env.alice.id}> @everyone")
    await env.start_match(opponent=eve)
    count = len(env.alice.pings)
    await env.move(env.alice, "C1-D2")
    reply = await env.move(eve, "A2-B3")
    assert env.alice.pings[count:] == [reply.message]
    assert env.bob.pings == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "expected"),
    [("c1 - d2", "Black C1-D2"), ("C1\u2013D2", "Black C1-D2"), (" c1-D2 ", "Black C1-D2")],
)
async def test_case_spaces_and_dashes_are_normalised(env: BotEnvironment, text: str, expected: str) -> None:
    await env.start_match()
    assert expected in (await env.move(env.alice, text)).text


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello", "hello is not a move"),
        ("C1-C1", "must move to another cell"),
        ("Z9-A1", "there is no cell"),
        ("A2-B2", "is White's, and it is Black's turn"),
        ("C1-D1", "D1 lies on yellow, no nearer the Centre than C1"),
        ("E5-E6", "no stone stands on E5"),
        ("C1-D2 D1-E2", "You can play only one move now in Morelli vs Bob (#1), but you gave 2"),
    ],
)
async def test_refused_move_is_explained(env: BotEnvironment, text: str, expected: str) -> None:
    board = await env.start_match()
    for reply in (await env.move(env.alice, text), await env.submit_move(env.alice, board, text)):
        assert expected in reply.text
        assert "othing was played" in reply.text
        assert reply.ephemeral
    assert env.latest_message is board


@pytest.mark.long
async def test_legal_moves_near_a_refused_one_are_offered(env: BotEnvironment) -> None:
    board = await env.start_match()
    for reply in (await env.move(env.alice, "C1-D1"), await env.submit_move(env.alice, board, "c1-d22")):
        assert "Did you mean one of these?" in reply.text
        assert reply.ephemeral
        assert "C1-D2" in labels(reply)
        assert len(reply.buttons) <= 3
    assert labels(await env.move(env.alice, "hello")) == []
    played = await env.alice.click(reply, "C1-D2")
    assert env.latest_message is played.message
    assert "Black C1-D2" in played.text
    assert "not the latest board" in (await env.alice.click(reply, "C1-D2")).text


@pytest.mark.long
async def test_move_out_of_turn_is_refused(env: BotEnvironment) -> None:
    board = await env.start_match()
    for reply in (await env.move(env.bob, "A2-B3"), await env.bob.click(board, "Move")):
        assert "It is Alice's turn in Morelli vs Alice (#1)" in reply.text
        assert reply.ephemeral


@pytest.mark.long
async def test_onlooker_cannot_move(env: BotEnvironment) -> None:
    board = await env.start_match()
    eve = env.guild.member("Eve")
    for reply in (await env.move(eve, "C1-D2", match="1"), await eve.click(board, "Move")):
        assert "You are not playing in Morelli #1" in reply.text
        assert reply.ephemeral


@pytest.mark.long
@pytest.mark.parametrize("button", ["Pick", "Move"])
async def test_buttons_of_an_outdated_board_open_the_picker_of_the_latest(
    env: BotEnvironment, button: str
) -> None:
    board = await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    reply = await env.alice.click(board, button)
    assert reply.ephemeral
    assert "This is a newer board" in reply.text
    assert all(":2:" in one.custom_id for one in reply.selects)


@pytest.mark.long
async def test_outdated_board_links_to_the_latest_out_of_turn(env: BotEnvironment) -> None:
    board = await env.start_match()
    latest = (await env.move(env.alice, "C1-D2")).shown
    await env.wait_until_idle()
    for button in ("Pick", "Move"):
        reply = await env.alice.click(board, button)
        assert reply.ephemeral
        assert "nothing was played" in reply.text
        assert (
            f"[the latest board](https://discord.com/channels/{env.guild.id}/{env.channel.id}/{latest.id})"
            in (reply.text)
        )


@pytest.mark.long
async def test_modal_of_an_outdated_board_is_refused(env: BotEnvironment) -> None:
    board = await env.start_match()
    form = await env.alice.click(board, "Move")
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    reply = await env.alice.submit(form, {"Your move": "D1-E2"})
    assert "so nothing was played" in reply.text
    assert "after move 2" in env.latest_message.text


@pytest.mark.long
async def test_modal_shows_an_example(env: BotEnvironment) -> None:
    form = (await env.alice.click(await env.start_match(), "Move")).modal
    assert form is not None
    assert form.title == "Morelli #1: your move"
    assert form.fields[0].placeholder is not None
    assert form.fields[0].placeholder.startswith("such as A1-")


@pytest.mark.long
async def test_match_of_the_channel_is_the_default(env: BotEnvironment) -> None:
    await env.start_match()
    elsewhere = env.guild.channel("elsewhere")
    reply = await env.alice.command("move", {"move": "C1-D2"}, channel=elsewhere)
    assert "You have no match under way in this channel" in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_thread_counts_as_a_channel_of_its_own(env: BotEnvironment) -> None:
    await env.start_match()
    thread = env.channel.thread("duel", env.alice)
    challenge = await env.alice.command(
        "challenge",
        {"opponent": env.bob, "colour": "black", "board": "9", "start": "adjacent"},
        channel=thread,
    )
    await env.bob.click(challenge, "Accept")
    await thread.wait_for(lambda message: "Move" in labels(message))
    reply = await env.alice.command("move", {"move": "C1-D2"}, channel=thread)
    assert "Morelli #2" in reply.text
    assert thread.messages[-1] is reply.message


@pytest.mark.long
async def test_one_of_several_matches_is_chosen_and_the_move_is_kept(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    reply = await env.move(env.alice, "c1 to d2")
    assert reply.ephemeral
    assert "You have several matches here. Which one do you mean?" in reply.text
    assert "Morelli vs Bob (#2): your turn" in [one.label for one in reply.selects[0].options]
    played = await env.alice.select(reply, "Choose a match", ["Morelli vs Bob (#2): your turn"])
    assert "Black C1-D2" in played.text
    assert "Morelli #2" in played.text
    assert env.latest_message is played.message
    assert "Morelli #1" in (await env.move(env.alice, "C1-D2")).text


@pytest.mark.long
async def test_the_only_match_that_can_play_a_move_is_offered_first(env: BotEnvironment) -> None:
    await env.start_match(game="morabaraba", board=None, start=None, colour="white")
    await env.start_match()
    reply = await env.move(env.alice, "A4")
    assert labels(reply) == ["Play it in Morabaraba vs Bob (#1)"]
    assert reply.selects[0].options[0].label == "Morabaraba vs Bob (#1): your turn"
    assert "White places A4" in (await env.alice.click(reply, "Play it in Morabaraba vs Bob (#1)")).text


@pytest.mark.long
async def test_choosing_a_match_never_plays_on_a_board_that_changed(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    reply = await env.move(env.alice, "D1-E2")
    for person, text in ((env.alice, "C1-D2"), (env.bob, "A2-B3")):
        await env.move(person, text, match="1")
    latest = env.latest_message
    late = await env.alice.select(reply, "Choose a match", ["Morelli vs Bob (#1): your turn"])
    assert "This is not the latest board" in late.text
    assert env.latest_message is latest


@pytest.mark.long
async def test_a_turn_too_long_for_the_menu_must_be_typed_again(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    reply = await env.move(env.alice, "C1-D2 " * 20)
    assert "Use the command again, with the option `match`:" in reply.text
    assert "Morelli vs Bob (\\#1)\\: your turn" in reply.text
    assert not reply.selects


@pytest.mark.long
async def test_other_commands_keep_their_options_too(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    asked = await env.alice.command("board", {"text": True, "from": "White"}, channel=env.channel)
    reply = await env.alice.select(asked, "Choose a match", ["Morelli vs Bob (#2): your turn"])
    assert "#2" in reply.text
    assert "to move: black" in reply.text
    asked = await env.bob.command("resign", {}, channel=env.channel)
    reply = await env.bob.select(asked, "Choose a match", ["Morelli vs Alice (#1)"])
    assert "Resign Morelli vs Alice (#1)?" in reply.text


@pytest.mark.long
async def test_matches_are_suggested_by_name(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    await env.move(env.alice, "C1-D2", match="1")
    choices = await env.alice.autocomplete(
        "move", {"move": "x", "match": ""}, focused="match", channel=env.channel
    )
    assert [(choice.name, choice.value) for choice in choices] == [
        ("Morelli vs Bob (#2): your turn", "2"),
        ("Morelli vs Bob (#1)", "1"),
    ]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("17", "There is no match #17"),
        ("mine", "mine is not a match number"),
        ("9" * 30, "is not a match number"),
    ],
)
async def test_unknown_match_is_refused(env: BotEnvironment, match: str, expected: str) -> None:
    await env.start_match()
    reply = await env.move(env.alice, "C1-D2", match=match)
    assert expected in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_move_from_another_channel_is_posted_in_the_match_channel(env: BotEnvironment) -> None:
    await env.start_match()
    elsewhere = env.guild.channel("elsewhere")
    reply = await env.alice.command("move", {"move": "C1-D2", "match": "1"}, channel=elsewhere)
    assert f"was played. See <#{env.channel.id}>" in reply.text
    assert reply.ephemeral
    post = await env.channel.wait_for(lambda message: "Black C1-D2" in message.text)
    assert env.bob.pings[-1] is post
    assert elsewhere.messages == []


@pytest.mark.long
async def test_post_is_recorded(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    link = f"https://discord.com/channels/{env.guild.id}/{env.channel.id}/{reply.shown.id}"
    assert link in (await env.bob.command("games", {}, channel=env.channel)).text
    assert PostId.parse(f"{env.channel.id}/{reply.shown.id}").url(f"discord:{env.guild.id}") == link


async def test_games_are_listed_in_private(env: BotEnvironment) -> None:
    assert "You have no matches under way." in (await env.bob.command("games", {}, channel=env.bob.dm)).text
    await env.start_match()
    reply = await env.bob.command("games", {}, channel=env.bob.dm)
    assert reply.text.startswith("**Your matches**")
    assert "Morelli vs Alice (#1)" in reply.text


@pytest.mark.long
async def test_nothing_is_sent_twice_and_the_old_board_is_edited(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    before = len(env.discord.requests)
    env.discord.advance(3600)
    await env.bot.outbox.run_once()
    assert env.request_routes()[before:] == ["PATCH /channels/{channel_id}/messages/{message_id}"]


@pytest.mark.long
async def test_ambiguous_move_is_refused_with_the_choices(env: BotEnvironment) -> None:
    await env.start_match(game="morabaraba", board=None, start=None, colour="white")
    for ply, text in enumerate(["A1", "B2", "A4", "D2"]):
        await env.move(env.bob if ply % 2 else env.alice, text)
    reply = await env.move(env.alice, "A7")
    assert "Nothing was played yet. Write `A7xB2`, `A7xD2` or `A7~`." in reply.text
    assert labels(reply) == ["A7xB2", "A7xD2", "A7~"]
    assert reply.ephemeral
    reply = await env.move(env.alice, "A7xB2")
    assert "Alice: **White places A7, closes the mill A1, A4 and A7, removes B2**" in reply.text


async def test_bot_uses_no_privileged_intents_and_no_message_cache(env: BotEnvironment) -> None:
    assert [name for name, asked in env.bot.intents if asked] == ["guilds"]
    assert list(env.bot.cached_messages) == []
    allowed = env.bot.allowed_mentions
    assert allowed is not None
    assert not any(allowed.to_dict().get(key) for key in ("parse", "users", "roles", "replied_user"))


async def suggestions(env: BotEnvironment, typed: str) -> list[str]:
    """Return the moves that autocomplete suggests to Alice."""
    choices = await env.alice.autocomplete("move", {"move": typed}, focused="move", channel=env.channel)
    return [str(choice.value) for choice in choices]


async def test_suggestions_narrow_with_the_typed_text(env: BotEnvironment) -> None:
    await env.start_match()
    assert len(await suggestions(env, "")) == 25
    assert all(text.startswith("C1-") for text in await suggestions(env, "c1"))
    assert await suggestions(env, "C1-D2") == ["C1-D2"]
    assert await suggestions(env, "C1\u2013d2") == ["C1-D2"]
    assert await suggestions(env, "C1-D2 ") == ["C1-D2"]
    assert await suggestions(env, "nonsense") == []


@pytest.mark.long
async def test_nothing_is_suggested_out_of_turn(env: BotEnvironment) -> None:
    await env.start_match()
    choices = await env.bob.autocomplete("move", {"move": "A2"}, focused="move", channel=env.channel)
    assert choices == []


async def test_nothing_is_suggested_without_a_match(env: BotEnvironment) -> None:
    assert await suggestions(env, "A") == []
    assert (
        await env.alice.autocomplete(
            "move", {"move": "A", "match": "77"}, focused="move", channel=env.channel
        )
        == []
    )
