"""Reading the rules on Discord: the command, turning pages, and pages that outlive a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.features.rules.content import RuleBooks
from tests.bot.environment import running_bot

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply

LIBRARY = RuleBooks.load()
STONES, KINGS = LIBRARY.book_for("morelli.nestor"), LIBRARY.book_for("morelli.throne")


async def open_rules(env: BotEnvironment, **options: str) -> Reply:
    return await env.alice.command("rules", options, channel=env.channel)


def footer(reply: Reply) -> str:
    return reply.content.splitlines()[-1]


async def test_page_is_private_with_text_picture_and_alt_text(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.nestor", page="capturing")
    page = STONES.pages[STONES.page_index("capturing")]
    assert reply.ephemeral
    assert reply.content.startswith("## Capturing\n")
    assert page.text in reply.content
    [picture] = reply.attachments
    assert picture.description is not None
    assert picture.description.startswith(page.example.caption)


async def test_next_and_back_turn_the_page_in_place(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.nestor")
    turned = await env.alice.click(reply, "Next")
    assert turned.updated
    assert footer(turned) == f"-# Morelli, page 2 of {len(STONES.pages)}"
    assert footer(await env.alice.click(turned, "Back")) == f"-# Morelli, page 1 of {len(STONES.pages)}"


@pytest.mark.parametrize(("page", "dead"), [("aim", "Back"), ("typing", "Next")])
async def test_book_has_two_ends(env: BotEnvironment, page: str, dead: str) -> None:
    reply = await open_rules(env, game="morelli.nestor", page=page)
    assert [button.label for button in reply.buttons if button.disabled] == [dead]


async def test_contents_lead_to_any_page(env: BotEnvironment) -> None:
    reply = await env.alice.select(
        await open_rules(env, game="morelli.nestor"), "Go to a page", ["No ripple"]
    )
    assert reply.content.startswith("## No ripple\n")
    menu = next(one for one in reply.selects if one.placeholder == "Go to a page")
    assert [option.label for option in menu.options if option.default] == ["No ripple"]


async def test_another_book_opens_at_its_first_page(env: BotEnvironment) -> None:
    reply = await env.alice.select(await open_rules(env, game="morelli.nestor"), "Other rules", [KINGS.title])
    assert footer(reply) == f"-# {KINGS.title}, page 1 of {len(KINGS.pages)}"


async def test_each_page_is_one_request(env: BotEnvironment) -> None:
    before = len(env.discord.requests)
    reply = await open_rules(env, game="morelli.nestor")
    await env.alice.click(reply, "Next")
    assert len(env.discord.requests) == before + 2


async def test_pages_turn_after_a_restart(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli.throne", page="king")
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        turned = await env.alice.click(reply, "Next")
    assert turned.content.startswith("## Completing a frame\n")


async def test_rules_of_the_match_in_this_channel_open_by_themselves(env: BotEnvironment) -> None:
    await env.start_match(edition="mindsports", start="pairs")
    assert footer(await open_rules(env)).startswith(f"-# {KINGS.title}, page 1")


async def test_without_a_match_the_first_book_opens(env: BotEnvironment) -> None:
    assert footer(await open_rules(env)).startswith(f"-# {LIBRARY.books[0].title}, page 1")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "chess"}, "There are no such rules. You can read"),
        ({"game": "morelli.nestor", "page": "castling"}, "There is no such page in Morelli."),
    ],
)
async def test_unknown_book_or_page_is_told(env: BotEnvironment, options: dict[str, str], said: str) -> None:
    reply = await open_rules(env, **options)
    assert reply.ephemeral
    assert reply.content.startswith(said)


async def test_title_is_as_good_as_a_key(env: BotEnvironment) -> None:
    reply = await open_rules(env, game="morelli with KINGS", page="no ripple")
    assert reply.content.startswith("## No ripple\n")
    assert footer(reply).startswith(f"-# {KINGS.title}")


async def test_completion_proposes_books_and_their_pages(env: BotEnvironment) -> None:
    books = await env.alice.autocomplete("rules", {"game": "king"}, focused="game", channel=env.channel)
    assert [book.value for book in books] == ["morelli.throne"]
    pages = await env.alice.autocomplete(
        "rules", {"game": "morelli.throne", "page": "frame"}, focused="page", channel=env.channel
    )
    assert [page.value for page in pages] == ["frame", "frame-by-capture"]
