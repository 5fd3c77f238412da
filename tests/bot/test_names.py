"""Names of people are shown as they are, whatever they contain: they never act as Discord's syntax."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui import markdown
from matches import Person, clean_name
from matches.names import MAX_MARKS, MAX_NAME_LENGTH
from tests.bot.test_secrecy import message_dump
from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message

# What Discord turns into something else than these characters, anywhere in a message.
LIVE_SYNTAX = re.compile(
    r"<(@[!&]?|#|t:|a?:\w+:|/|id:)[^>\s]*>"  # mentions, channels, timestamps, emoji, commands
    r"|[a-z]+://\S|(discord\.gg|discord(app)?\.com)/\w"  # links and invitations
    r"|(?<!\\)(\\\\)*[*_~|`\[\]]",  # formatting
    re.IGNORECASE,
)
LINE_START = re.compile(r"^\s*(#{1,3} |-# |[-*+] |\d+\. |>{1,3} )", re.MULTILINE)
PIECES = (
    "<@42>", "<@&42>", "<#42>", "<t:0:R>", "<:x:42>", "<a:x:42>", "</help:42>", "<id:guide>", "@everyone",
    "https://a.test", "<https://a.test>", "discord.gg/abc", "[a](https://a.test)", "steam://run", "# ", "-# ",
    "- ", "+ ", "* ", "1. ", "> ", ">>> ", "**", "__", "_", "~~", "||", "`", "```", "\\", "\n", "\r\n", "\t",
    "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\u3164", "\u0301" * 9, "\x00", "\u00ad", "a",
    "é", "漢", "שלום", "🙂", " ",
)  # fmt: skip
names = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)


@given(names)
def test_cleaned_name_is_one_short_line_of_visible_text(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= MAX_NAME_LENGTH
    assert name == " ".join(name.split())
    assert clean_name(name) == name
    assert all(unicodedata.category(sign)[0] != "C" for sign in name)
    assert re.search(rf"[\u0300-\u036f]{{{MAX_MARKS + 1}}}", name) is None
    assert Person("discord:1234567", text).name == (name or ("#4567" if text else ""))


@given(names)
def test_escaped_name_has_no_live_syntax_and_reads_as_the_name(text: str) -> None:
    person = Person("discord:1234567", text)
    escaped = markdown.escaped_name(person)
    assert LIVE_SYNTAX.search(escaped) is None
    assert LINE_START.match(escaped) is None
    assert markdown.strip_escapes(escaped).strip("\u2068\u2069") == person.name


@given(names)
def test_escaped_text_of_several_lines_has_no_live_syntax(text: str) -> None:
    assert LIVE_SYNTAX.search(markdown.escape(text)) is None
    assert LINE_START.search(markdown.escape(text)) is None


@pytest.mark.parametrize(
    "name", ["Mary-Jane O'Neil", "Zoë (GM) 2.0", "d'Hondt, J.", "Nguyễn", "हिन्दी", "♟ pawn"]
)
def test_ordinary_name_stays_as_it_is(name: str) -> None:
    assert markdown.escaped_name(Person("discord:1", name)) == clean_name(name) == name


HOSTILE = (
    ("<@{bob}> <t:0:R> <#{channel}>", "\u202ediscord.gg/abc\n# https://a.test"),
    ("**[x](https://a.test)** ||`", "1. <:x:42> @everyone</a><script>"),
)


@pytest.mark.parametrize("pair", HOSTILE)
async def test_hostile_names_are_plain_text_in_every_post(env: BotEnvironment, pair: tuple[str, str]) -> None:
    """Challenge, boards, lists, ratings, records, refusals and direct messages with two hostile names."""
    carol = env.guild.member("Carol")
    for person, name in zip((env.alice, env.bob), pair, strict=True):
        person.user.name = name.format(bob=carol.id, channel=env.channel.id)
    seen: list[Message] = []

    async def see(reply: Any) -> None:
        seen.append((await reply.wait_until_complete() if reply.deferred else reply).shown)

    seen.append((await env.make_challenge(opponent=env.bob, board="9", start="facing")).shown)
    await see(await carol.command("lobby", {}, channel=env.channel))
    seen.append(await env.wait_for_board(after=await env.bob.click(seen[0], "Accept")))
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    await see(await env.move(env.bob, "A2-C2", match="1"))
    await see(await env.move(env.alice, "D1-I6", match="1"))
    for command, options in (
        ("board", {"match": "1"}),
        ("board", {"match": "1", "text": True}),
        ("lobby", {}),
        ("replay", {"match": "1"}),
        ("export", {"match": "1"}),
        ("whatif", {"match": "1"}),
        ("profile", {"person": env.alice}),
        ("leaderboard", {}),
        ("unwatch", {}),
    ):
        await see(await carol.command(command, options, channel=env.channel))
    for command, options in (("games", {}), ("turns", {}), ("resign", {"match": "1"}), ("profile", {})):
        await see(await env.bob.command(command, options, channel=env.channel))
    await see(await env.alice.click(await env.alice.command("resign", {}, channel=env.channel), "Resign"))
    await see(await carol.command("leaderboard", {}, channel=env.channel))
    dora = env.guild.member("Dora")
    env.channel.allow(dora, Permission.MANAGE_GUILD)
    correction = {"match": "1", "result": "black", "reason": "a test"}
    await see(await dora.command("correct", correction, channel=env.channel))
    assert "has corrected" in seen[-1].text
    await env.bot.outbox.run_once()
    mentions = {env.alice.mention, env.bob.mention, dora.mention, f"<#{env.channel.id}>"}
    for message in (*seen, *env.channel.messages, *carol.dms, *env.bob.dms):
        assert not any(unicodedata.category(sign) == "Cf" for sign in message.text), message.text
        assert f"<@{carol.id}>" not in message.text
        assert not re.search(r"<t:0:R>|<:x:42>|discord\.gg/abc|(?<!\\)https://a", message.text), message.text
        assert not re.search(r"^(# |1\. )", message.text, re.MULTILINE), message.text
        assert set(re.findall(r"<[@#]\d+>", message.text)) <= mentions, message.text
        assert "\u202e" not in message_dump(message)
    assert carol.pings == []
