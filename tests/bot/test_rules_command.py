"""/rules: opening a page, going to other pages, and pages that work after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rules.content import RuleBooks
from tests.bot.environment import running_bot

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply

LIBRARY = RuleBooks.load()
STONES, KINGS = LIBRARY.book_for("morelli.nestor"), LIBRARY.book_for("morelli.throne")


async def open_rules(env: BotEnvironment, **options: str) -> Reply:
    """Use /rules."""
    return await env.alice.command("rules", options, channel=env.channel)


def footer(reply: Reply) -> str:
    """Return the last line of the text."""
    return reply.content.splitlines()[-1]


@pytest.mark.long
async def test_page_is_ephemeral_with_text_picture_and_alt_text(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.nestor", page="capturing")
    page = STONES.pages[STONES.page_index("capturing")]
    assert reply.ephemeral
    assert reply.content.startswith("## Capturing\n")
    assert page.text in reply.content
    [picture] = reply.attachments
    assert picture.description is not None
    assert picture.description.startswith(page.example.caption)


async def test_next_and_back_edit_the_message(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.nestor")
    turned = await env.alice.click(reply, "Next")
    assert turned.updated
    assert footer(turned) == f"-# Morelli, page 2 of {len(STONES.pages)}"
    assert footer(await env.alice.click(turned, "Back")) == f"-# Morelli, page 1 of {len(STONES.pages)}"


@pytest.mark.parametrize(("page", "dead"), [("summary", "Back"), ("typing", "Next")])
async def test_back_and_next_are_disabled_at_the_ends(env: BotEnvironment, page: str, dead: str) -> None:
    reply = await open_rules(env, game="morelli.nestor", page=page)
    assert [button.label for button in reply.buttons if button.disabled] == [dead]


async def test_any_page_can_be_selected(env: BotEnvironment) -> None:
    reply = await env.alice.select(
        await open_rules(env, game="morelli.nestor"), "Go to a page", ["No ripple"]
    )
    assert reply.content.startswith("## No ripple\n")
    menu = next(one for one in reply.selects if one.placeholder == "Go to a page")
    assert [option.label for option in menu.options if option.default] == ["No ripple"]


async def test_another_book_opens_at_its_first_page(env: BotEnvironment) -> None:
    reply = await env.alice.select(await open_rules(env, game="morelli.nestor"), "Other rules", [KINGS.title])
    assert footer(reply) == f"-# {KINGS.title}, page 1 of {len(KINGS.pages)}"


async def test_each_page_takes_one_request(env: BotEnvironment) -> None:
    before = len(env.discord.requests)
    reply = await open_rules(env, game="morelli.nestor")
    await env.alice.click(reply, "Next")
    assert len(env.discord.requests) == before + 2


async def test_pages_work_after_a_restart(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.throne", page="king")
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        turned = await env.alice.click(reply, "Next")
    assert turned.content.startswith("## Completing a frame\n")


@pytest.mark.long
async def test_rules_of_the_match_in_the_channel_are_the_default(env: BotEnvironment) -> None:
    await env.start_match(edition="mindsports", start="pairs")
    assert footer(await open_rules(env)).startswith(f"-# {KINGS.title}, page 1")


async def test_first_book_is_the_default_without_a_match(env: BotEnvironment) -> None:
    assert footer(await open_rules(env)).startswith(f"-# {LIBRARY.books[0].title}, page 1")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"game": "chess"}, "There are no such rules. You can read"),
        ({"game": "morelli.nestor", "page": "castling"}, "There is no such page in Morelli."),
    ],
)
async def test_unknown_book_or_page_is_refused(
    env: BotEnvironment, options: dict[str, str], expected: str
) -> None:
    reply = await open_rules(env, **options)
    assert reply.ephemeral
    assert reply.content.startswith(expected)


@pytest.mark.plain("what is typed is compared with the titles of pages")
async def test_page_can_be_opened_by_title(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli with KINGS", page="no ripple")
    assert reply.content.startswith("## No ripple\n")
    assert footer(reply).startswith(f"-# {KINGS.title}")


async def test_books_and_their_pages_are_suggested(env: BotEnvironment) -> None:
    books = await env.alice.autocomplete("rules", {"game": "king"}, focused="game", channel=env.channel)
    assert [book.value for book in books] == ["morelli.throne"]
    pages = await env.alice.autocomplete(
        "rules", {"game": "morelli.throne", "page": "frame"}, focused="page", channel=env.channel
    )
    assert [page.value for page in pages] == ["frame", "frame-by-capture"]
