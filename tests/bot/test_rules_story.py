"""Reading the rules on Discord: the command, turning pages, and pages that outlive a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.rules.book import Library
from tests.bot.stage import bot_over

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Reply

LIBRARY = Library.load()
STONES, KINGS = LIBRARY.book("morelli.nestor"), LIBRARY.book("morelli.throne")


async def opened(stage: Stage, **options: str) -> Reply:
    return await stage.alice.command("rules", options, channel=stage.channel)


def foot(reply: Reply) -> str:
    return reply.content.splitlines()[-1]


async def test_page_is_private_with_text_picture_and_alt_text(stage: Stage) -> None:
    reply = await opened(stage, game="morelli.nestor", page="capturing")
    page = STONES.pages[STONES.index("capturing")]
    assert reply.ephemeral
    assert reply.content.startswith("## Capturing\n")
    assert page.text in reply.content
    [picture] = reply.attachments
    assert picture.description is not None
    assert picture.description.startswith(page.example.caption)


async def test_next_and_back_turn_the_page_in_place(stage: Stage) -> None:
    reply = await opened(stage, game="morelli.nestor")
    turned = await stage.alice.click(reply, "Next")
    assert turned.updated
    assert foot(turned) == f"-# Morelli, page 2 of {len(STONES.pages)}"
    assert foot(await stage.alice.click(turned, "Back")) == f"-# Morelli, page 1 of {len(STONES.pages)}"


@pytest.mark.parametrize(("page", "dead"), [("aim", "Back"), ("typing", "Next")])
async def test_book_has_two_ends(stage: Stage, page: str, dead: str) -> None:
    reply = await opened(stage, game="morelli.nestor", page=page)
    assert [button.label for button in reply.buttons if button.disabled] == [dead]


async def test_contents_lead_to_any_page(stage: Stage) -> None:
    reply = await stage.alice.select(
        await opened(stage, game="morelli.nestor"), "Turn to a page", ["No ripple"]
    )
    assert reply.content.startswith("## No ripple\n")
    menu = next(one for one in reply.selects if one.placeholder == "Turn to a page")
    assert [option.label for option in menu.options if option.default] == ["No ripple"]


async def test_another_book_opens_at_its_first_page(stage: Stage) -> None:
    reply = await stage.alice.select(await opened(stage, game="morelli.nestor"), "Other rules", [KINGS.title])
    assert foot(reply) == f"-# {KINGS.title}, page 1 of {len(KINGS.pages)}"


async def test_each_page_is_one_request(stage: Stage) -> None:
    before = len(stage.discord.requests)
    reply = await opened(stage, game="morelli.nestor")
    await stage.alice.click(reply, "Next")
    assert len(stage.discord.requests) == before + 2


async def test_pages_turn_after_a_restart(stage: Stage) -> None:
    reply = await opened(stage, game="morelli.throne", page="king")
    await stage.bot.close()
    async with bot_over(stage.discord, stage.store):
        turned = await stage.alice.click(reply, "Next")
    assert turned.content.startswith("## Completing a frame\n")


async def test_rules_of_the_match_in_this_channel_open_by_themselves(stage: Stage) -> None:
    await stage.start(edition="mindsports", start="pairs")
    assert foot(await opened(stage)).startswith(f"-# {KINGS.title}, page 1")


async def test_without_a_match_the_first_book_opens(stage: Stage) -> None:
    assert foot(await opened(stage)).startswith(f"-# {LIBRARY.books[0].title}, page 1")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "chess"}, "I have no such rules. I have"),
        ({"game": "morelli.nestor", "page": "castling"}, "There is no such page in Morelli."),
    ],
)
async def test_unknown_book_or_page_is_told(stage: Stage, options: dict[str, str], said: str) -> None:
    reply = await opened(stage, **options)
    assert reply.ephemeral
    assert reply.content.startswith(said)


async def test_title_is_as_good_as_a_key(stage: Stage) -> None:
    reply = await opened(stage, game="morelli with KINGS", page="no ripple")
    assert reply.content.startswith("## No ripple\n")
    assert foot(reply).startswith(f"-# {KINGS.title}")


async def test_completion_proposes_books_and_their_pages(stage: Stage) -> None:
    books = await stage.alice.autocomplete("rules", {"game": "king"}, focused="game", channel=stage.channel)
    assert [book.value for book in books] == ["morelli.throne"]
    pages = await stage.alice.autocomplete(
        "rules", {"game": "morelli.throne", "page": "frame"}, focused="page", channel=stage.channel
    )
    assert [page.value for page in pages] == ["frame", "frame-by-capture"]
