"""Names of people are shown as they are, whatever they contain: they never act as Discord's syntax."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui import markdown
from engine import GAMES
from engine.records import Record, format_record, parse_record
from i18n.writing import isolate
from matches import Person, clean_name
from matches.names import MAX_MARKS, MAX_NAME_LENGTH
from matches.values import tell_apart
from tests.bot.test_secrecy import message_dump
from tests.discord_markdown import parse
from tests.discord_server import Permission
from tests.unicode_text import unicode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_markdown import Node
    from tests.discord_server import Message, Reply

PIECES = (
    "<@42>", "<@&42>", "<#42>", "<t:0:R>", "<:x:42>", "<a:x:42>", "</help:42>", "<id:guide>", "@everyone",
    "https://a.test", "<https://a.test>", "discord.gg/abc", "[a](https://a.test)", "steam://run", "# ", "-# ",
    "- ", "+ ", "* ", "1. ", "> ", ">>> ", "**", "__", "_", "~~", "||", "`", "```", "\\", "\n", "\r\n", "\t",
    "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\u3164", "\u0301" * 9, "\x00", "\u00ad", "a",
    "é", "漢", "שלום", "🙂", " ", "@here", "<@!42>", "<t:1:t>", "<id:customize>", "</a b:42>", ":smile:", ":",
    "discordapp.com/invite/x", "<mailto:a@b.test>", "<+1 555 0100>", "]", "](https://a.test)", "###", "-#",
    "-", ".", ")", "*", "___", "***", "/", "//", "http", "42", "1", "1)", "\u2029", "\u0085", "\x1b[31m",
    "\ud800", "\U000e0041", "\ufe0f", "\U000e0100", "\u0489" * 70, "𒐫" * 70, "\u2800", "\u1160", "\U0001d159",
    "\u061c",
)  # fmt: skip
names = st.lists(st.sampled_from(PIECES) | unicode_text(4), max_size=12).map("".join)


@pytest.mark.long
@given(names)
def test_cleaned_name_is_one_short_line_of_visible_text(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= MAX_NAME_LENGTH
    assert name == " ".join(name.split())
    assert clean_name(name) == name
    assert all(unicodedata.category(sign)[0] != "C" for sign in name)
    assert re.search(rf"[\u0300-\u036f]{{{MAX_MARKS + 1}}}", name) is None
    assert Person("discord:1234567", text).name == (name or ("#4567" if text else ""))


# The ways in which texts of the catalogue place a name, with what Discord makes of the rest.
BOLD, LIST, LINK = "bold", "list", "masked link"
CONTEXTS: tuple[tuple[str, Callable[[str], tuple[Node, ...]]], ...] = (
    ("{}", lambda name: (name,)),
    ("{}: your turn", lambda name: (f"{name}: your turn",)),
    ("{} to move.\n{} waits", lambda name: (f"{name} to move.\n{name} waits",)),
    ("{}\n{} gg", lambda name: (f"{name}\n{name} gg",)),
    ("Bob ({}) wins. {} resigns.", lambda name: (f"Bob ({name}) wins. {name} resigns.",)),
    ("**{}**, on", lambda name: ((BOLD, (name,)), ", on")),
    ("⌛ **{} ran out**", lambda name: ("⌛ ", (BOLD, (f"{name} ran out",)))),
    ("[{}](https://x.test/m/1) :", lambda name: ((LINK, (name,)), " :")),
    ("[**vs {} (#1)**](https://x.test)", lambda name: ((LINK, ((BOLD, (f"vs {name} (#1)",)),)),)),
    ("- {}, {}", lambda name: ((LIST, (f"{name}, {name}",)),)),
    ("1. {} 1500", lambda name: ((LIST, (f"{name} 1500",)),)),
    ("{}'s **e2**", lambda name: (f"{name}'s ", (BOLD, ("e2",)))),
    ("`a` {} `b`", lambda name: (("code", ("`a`",)), f" {name} ", ("code", ("`b`",)))),
    ("*a* {} _b_", lambda name: (("italic", ("a",)), f" {name} ", ("italic", ("b",)))),
    ("-# {}", lambda name: (("small", (name,)),)),
    ("> {}", lambda name: (("quote", (name,)),)),
)


@pytest.mark.long
@given(names)
def test_name_is_shown_as_it_is_wherever_it_stands(text: str) -> None:
    person = Person("discord:1234567", text)
    escaped, name = markdown.DISCORD.write_name(person.name), isolate(person.name)
    for context, shown in (
        CONTEXTS if text else ()
    ):  # where an imported record lacks a name, texts have a word
        assert parse(context.replace("{}", escaped)) == shown(name)


@pytest.mark.long
@given(names)
def test_text_of_several_lines_is_shown_as_it_is(text: str) -> None:
    assert parse(markdown.DISCORD.escape(text)) == ((text,) if text else ())


@pytest.mark.long
@given(names)
def test_name_stands_in_a_record_as_it_is(text: str) -> None:
    first, second = Person("test:1234", text).name, "Bob"
    options = GAMES["morabaraba"].complete_options()
    written = format_record(Record("morabaraba", 1, options, players=(first, second)))
    assert parse_record(written.encode()).players == (first, second)
    assert all(sign.isprintable() or sign == "\n" for sign in written)


@pytest.mark.parametrize(("text", "kinds"), [
    ("<@42> <@!42> <@&42> <#42> @everyone @here <id:guide> </help:42> </a b:42>", {"mention"}),
    ("<t:0:R> <t:5>", {"timestamp"}),
    (":smile: <:x:42> <a:x:42>", {"emoji"}),
    ("https://a.test steam://run", {"bare link"}),
    ("<https://a.test> <mailto:a@b.test> <+1 555>", {"link"}),
    ("discord.gg/abc discord.com/invite/abc discordapp.com/invite/abc", {"invitation"}),
    ("[a](https://a.test)", {"masked link"}),
    ("**a**", {"bold"}), ("*a*  _a_", {"italic"}), ("__a__", {"underline"}), ("~~a~~", {"strike"}),
    ("||a||", {"spoiler"}), ("`a` ``a`b``", {"code"}), ("```py\na\n```", {"code block"}),
    ("# a\n## b\n### c", {"heading"}), ("-# a", {"small"}), ("> a\n> b", {"quote"}),
    (">>> a\nb", {"block quote"}),
    ("- a\n* b\n1. c", {"list"}),
    (r"\*\*a\*\* \<@42> \:smile: a_b #4 1.5 a-b > <", set()),
])  # fmt: skip
def test_parser_knows_what_discord_does(text: str, kinds: set[str]) -> None:
    found = [node for node in parse(text) if not isinstance(node, str)]
    assert {kind for kind, _ in found} == kinds
    assert all(not node.strip() for node in parse(text) if isinstance(node, str)) or not kinds


@pytest.mark.parametrize(
    "name", ["Mary-Jane O'Neil", "Zoë (GM) 2.0", "d'Hondt, J.", "Nguyễn", "हिन्दी", "♟ pawn"]
)
def test_ordinary_name_stays_as_it_is(name: str) -> None:
    assert markdown.DISCORD.write_name(Person("discord:1", name).name) == clean_name(name) == name


def construct_kinds(nodes: tuple[Node, ...]) -> Iterator[str]:
    """Yield the kind of every construct in a parsed text, also inside of others."""
    for node in nodes:
        if not isinstance(node, str):
            yield node[0]
            yield from construct_kinds(node[1])


HOSTILE = (
    ("<@{bob}> <t:0:R> <#{channel}>", "\u202ediscord.gg/abc\n# https://a.test"),
    ("**[x](https://a.test)** ||`", "1. <:x:42> @everyone</a><script>"),
    ("-", ":skull:"),
)


@pytest.mark.long
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
        # Where nobody is named, no post has any of these.
        assert not {"emoji", "invitation", "strike", "spoiler"} & set(construct_kinds(parse(message.text)))
        assert "\u202e" not in message_dump(message)
    assert carol.pings == []


def written_without_markdown(reply: Reply) -> Iterator[str]:
    """Yield what Discord shows without markdown: the labels of buttons, menus and modals."""
    if reply.modal is not None:
        yield reply.modal.title
        for field in reply.modal.fields:
            yield from (field.label, field.placeholder or "")
        return
    for button in reply.shown.buttons:
        yield button.label or ""
    for select in reply.shown.selects:
        yield select.placeholder or ""
        for option in select.options:
            yield from (option.label, option.description or "")


@pytest.mark.long
async def test_labels_show_names_without_markdown(env: BotEnvironment) -> None:
    """Menus, buttons, modals and suggestions that name players, matches, moves and settings."""
    hostile, carol = "*a*_b_", env.guild.member("Carol")
    env.alice.user.name, env.bob.user.name = hostile, f"`{hostile}`"
    board = await env.start_match(time_control="3d")
    await env.start_match(time_control="3d", opponent=env.bob)
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    env.channel.allow(carol, Permission.MANAGE_GUILD)
    replies = [
        await env.alice.click(board, "Move"),
        await env.alice.click(board, "Pick"),
        await env.move(env.alice, "C1-D3", match="1"),
        await env.alice.command("note", {"match": "1"}, channel=env.channel),
        await env.alice.command("resign", {}, channel=env.channel),
        await env.alice.command("turns", {}, channel=env.channel),
        await env.alice.command("conditional", {"match": "1"}, channel=env.channel),
        await carol.command("unwatch", {}, channel=env.channel),
        await carol.command("settings", {}, channel=env.channel),
    ]
    await env.bob.command("resign", {"match": "2"}, channel=env.channel)
    shown = [text for reply in replies for text in written_without_markdown(reply)]
    for command, field in (
        ("move", "match"),
        ("board", "match"),
        ("replay", "match"),
        ("rematch", "match"),
        ("watch", "match"),
        ("unwatch", "match"),
        ("relocate", "match"),
        ("correct", "match"),
    ):
        person = carol if command in {"watch", "unwatch", "relocate", "correct"} else env.alice
        choices = await person.autocomplete(command, {field: ""}, focused=field, channel=env.channel)
        shown += [choice.name for choice in choices]
    assert sum(hostile in text for text in shown) > 5
    assert [text for text in shown if "\\" in text] == []


@pytest.mark.parametrize("name", ["Alice", "ALICE", "\u0410lice"])
async def test_two_players_with_one_name_are_told_apart(env: BotEnvironment, name: str) -> None:
    env.bob.user.name = name
    board = await env.start_match()
    assert f"Alice (Black) against {name} (2) (White)" in board.text
    assert f"Alice (Black) \N{EN DASH} {name} (2) (White)" in board.text
    found = await env.alice.autocomplete("replay", {}, focused="match", channel=env.channel)
    assert [one.name for one in found] == [f"Morelli: Alice \N{EN DASH} {name} (2) (#1)"]


def test_names_without_letters_are_compared_as_they_are() -> None:
    fox, owl = Person("test:1", "🦊"), Person("test:2", "🦉")
    assert tell_apart(fox, owl) == (fox, owl)
    first, second = tell_apart(Person("test:2", "🦊"), fox)
    assert (first.name, second.name) == ("🦊 (2)", "🦊")
    long = "x" * MAX_NAME_LENGTH
    assert tell_apart(Person("test:1", long), Person("test:2", long))[1].name.endswith(" (2)")
