"""Public posts are in the language of the server, answers in that of each user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from i18n import Texts
from i18n.translations import list_languages
from matches import Person
from storage.tables import PEOPLE

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

TEXTS = {language: Texts.load(language=language) for language in list_languages()}
OTHERS = list_languages()[1:]

pytestmark = pytest.mark.plain("it compares languages")


def language_of(shown: Message | Reply) -> str:
    """Return the language of the buttons under a board."""
    labels = {one.label for one in shown.buttons}
    keys = ("button.move", "button.view", "button.pick")
    found = [one for one, texts in TEXTS.items() if labels & {texts(key) for key in keys}]
    assert len(found) == 1, labels
    return found[0]


async def start_in(env: BotEnvironment, language: str) -> Message:
    """Start a match where posts are in a language, and return its board."""
    challenge = await env.make_challenge(board="9", start="facing")
    reply = await env.bob.click(challenge, TEXTS[language]("button.accept"))
    return await env.wait_for_board(after=reply)


@pytest.mark.parametrize("language", OTHERS)
async def test_posts_are_in_the_language_of_the_server_and_answers_in_that_of_the_user(
    env: BotEnvironment, language: str
) -> None:
    env.alice.user.locale = language
    board = await env.start_match()
    assert language_of(board) == "en"
    assert language_of(await env.move(env.alice, "A1-D4")) == "en"
    for person, own in ((env.alice, language), (env.bob, "en")):
        shown = await person.command("board", {}, channel=env.channel)
        assert (shown.ephemeral, language_of(shown)) == (True, own)
        refused = await person.command("board", {"match": "999"}, channel=env.channel)
        assert refused.text == TEXTS[own]("refused.match_unknown", match=999)


@pytest.mark.parametrize("language", OTHERS)
async def test_server_has_the_language_that_it_has_in_discord(env: BotEnvironment, language: str) -> None:
    env.guild.state.locale = language
    assert language_of(await start_in(env, language)) == language


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
async def test_managers_choose_the_language_of_posts(env: BotEnvironment, eve: Member, language: str) -> None:
    panel = await eve.command("settings", {}, channel=env.channel)
    name = TEXTS["en"](f"language.{language}")
    for _ in range(len(TEXTS) + 1):
        following = next(one.label for one in panel.buttons if (one.label or "").startswith("Post in: "))
        panel = await eve.click(panel, following or "")
        if following == f"Post in: {name}":
            break
    assert f"Language of posts: **{name}**" in panel.text
    assert language_of(await start_in(env, language)) == language


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
async def test_direct_messages_are_in_the_chosen_language(env: BotEnvironment, language: str) -> None:
    page = await env.bob.command("preferences", {}, channel=env.channel)
    page = await env.bob.click(page, TEXTS["en"]("button.public_name"))
    page = await env.bob.select(
        page, TEXTS["en"]("preferences.hint.language"), [TEXTS["en"](f"language.{language}")]
    )
    assert TEXTS["en"](f"language.{language}") in page.text
    await env.start_match(time_control="3d")
    await env.move(env.alice, "A1-D4")
    await env.advance_time(days=2, hours=7)
    assert language_of(env.bob.dms[-1]) == language


@pytest.mark.parametrize("language", OTHERS)
def test_commands_have_names_and_descriptions_in_the_language(env: BotEnvironment, language: str) -> None:
    commands = {one["name"]: one for one in env.discord.commands}
    move = commands["move"]
    assert move["name_localizations"][language] == TEXTS[language]("command.move.name")
    assert move["description_localizations"][language] == TEXTS[language]("command.move.about")
    assert {move["name_localizations"][locale] for locale in ("en-US", "en-GB")} == {"move"}
    option = next(one for one in move["options"] if one["name"] == "match")
    assert option["name_localizations"][language] == TEXTS[language]("command.move.match.name")
    assert "pl" not in move["name_localizations"]


@pytest.mark.parametrize("language", OTHERS)
async def test_direct_messages_are_in_the_language_of_the_discord_of_who_has_chosen_none(
    env: BotEnvironment, language: str
) -> None:
    env.bob.user.locale = language
    await env.start_match(time_control="3d")
    await env.move(env.alice, "A1-D4")
    await env.advance_time(days=2, hours=7)
    assert language_of(env.bob.dms[-1]) == language
    env.bob.user.locale = "en-GB"
    await env.move(env.bob, "A2-B2")
    await env.move(env.alice, "B1-C2")
    await env.wait_until_idle()
    await env.advance_time(days=2, hours=7)
    assert language_of(env.bob.dms[-1]) == "en"


async def test_whose_discord_is_not_known_is_told_in_the_language_of_the_server(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d")
    await env.alice.click(board, "My view")
    server, manager = f"discord:{env.guild.id}", Person("discord:1", "Eve")
    await env.bot.matches.servers.change(server, manager, now=env.bot.now(), language="ja")
    await env.wait_until_idle()
    async with env.database.transaction() as connection:  # as after an upgrade
        await connection.execute(update(PEOPLE).values(locale=None))
    await env.advance_time(days=2, hours=7)
    assert language_of(env.alice.dms[-1]) == "ja"
