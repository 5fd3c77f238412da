"""Watching without a script: lists, pages of matches, pictures and records."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from PIL import Image

from engine.records import read
from matches import Person
from tests.web.stage import ALICE, BOB, FISTS, FREE, PLACE, SERVER

if TYPE_CHECKING:
    from tests.web.stage import Stage, Visitor


def turns(text: str) -> list[str]:
    """Give the lines of the list of turns."""
    lines = re.findall(r"<li id=\"t\d+\">(.*?)</li>", text, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip() for line in lines]


def stones(text: str, cell: str = "") -> int:
    """Count the figures of the board on a page."""
    return len(re.findall(r"<use ", text)) if not cell else text.count(f'data-cell="{cell}"')


async def test_list_has_what_is_under_way_and_what_is_open(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    over = await stage.begin()
    await stage.matches.resign(over.id, BOB, now=stage.clock())
    await stage.matches.challenge(
        ALICE, server=SERVER, place=PLACE, game="morphos", options={"size": 7}, now=stage.clock()
    )
    page = await visitor.get("/")
    assert page.status == 200
    assert f'href="/m/{match.id}"' in page.text
    assert f'href="/m/{over.id}"' not in page.text
    assert "Morphos" in page.words
    assert "plays a colour drawn by lot" in page.words
    assert "Start a game" not in page.words


async def test_empty_list_says_so(visitor: Visitor) -> None:
    page = await visitor.get("/")
    assert "No match is under way." in page.words


async def test_page_tells_the_match_and_every_turn_in_words(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3")
    page = await visitor.get(f"/m/{match.id}")
    assert page.status == 200
    assert "Alice (Black) is to move." in page.words
    assert "Morelli · later rules · 9 \u00d7 9 · Facing" in page.words
    assert turns(page.text) == ["1 Black D1-D4", "2 White A2-B3"]
    assert "White A2-B3" in page.words
    assert "<svg" in page.text


async def test_pages_lead_through_the_turns_without_a_script(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3", "F1-F4")
    page = await visitor.get(f"/m/{match.id}?turn=2")
    assert "Turn 2." in page.words
    links = dict(re.findall(r'<a href="([^"]+)" data-step="(\w+)"', page.text))
    assert {name: href for href, name in links.items()} == {
        "first": f"/m/{match.id}?turn=0",
        "back": f"/m/{match.id}?turn=1",
        "forward": f"/m/{match.id}?turn=3",
        "latest": f"/m/{match.id}",
    }
    assert "The first board." in (await visitor.get(f"/m/{match.id}?turn=0")).words


async def test_turn_that_is_none_shows_the_latest(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    for turn in ("99", "-1", "x", "1e3", "9" * 30, "²"):
        page = await visitor.get(f"/m/{match.id}", params={"turn": turn})
        assert page.status == 200
        assert "Turn 1." in page.words


async def test_board_is_seen_from_either_side_and_in_either_colours(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    usual = await visitor.get(f"/m/{match.id}")
    flipped = await visitor.get(f"/m/{match.id}?side=white")
    assert f'href="/m/{match.id}?side=white" data-keep="flip"' in usual.text
    assert f'href="/m/{match.id}" data-keep="flip"' in flipped.text
    assert re.findall(r"^13 .*|^ ?9 .*", usual.text, re.MULTILINE) != re.findall(
        r"^13 .*|^ ?9 .*", flipped.text, re.MULTILINE
    )
    clear = await visitor.get(f"/m/{match.id}?theme=clear")
    again = await visitor.get(f"/m/{match.id}")
    assert 'data-theme="clear"' in clear.text
    assert 'data-theme="clear"' in again.text


async def test_swap_is_followed_by_the_people(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin({"size": 5}, "morphos")
    await stage.play(match.id, "C3", "swap")
    page = await visitor.get(f"/m/{match.id}")
    assert turns(page.text) == ["1 Black places C3", "2 White changes sides"]
    assert re.search(r'disc black".*?</i>\s*<span class="name">Bob', page.text, re.DOTALL)


async def test_closed_fists_show_who_has_still_to_pick(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    await stage.matches.pick(match.id, BOB, "LR", now=stage.clock())
    page = await visitor.get(f"/m/{match.id}")
    assert "still to pick: Alice" in page.words
    assert "<figure" not in page.text
    await stage.matches.pick(match.id, ALICE, "LL", now=stage.clock())
    page = await visitor.get(f"/m/{match.id}")
    assert "Alice: both left, Bob: one in each" in page.words
    assert "<figure" in page.text


async def test_run_of_placements_is_shown_once_it_is_complete(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FREE)
    await stage.play(match.id, "A1", "A2")
    page = await visitor.get(f"/m/{match.id}")
    assert turns(page.text) == ["1 Black places A1"]
    assert "Bob (White) is placing: 1 done, 1 to go." in page.words
    await stage.play(match.id, "A3")
    assert turns((await visitor.get(f"/m/{match.id}")).text) == [
        "1 Black places A1",
        "2 White places A2 and A3",
    ]


async def test_end_is_told(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.matches.resign(match.id, ALICE, now=stage.clock())
    assert "White (Bob) wins. Alice resigns." in (await visitor.get(f"/m/{match.id}")).words


async def test_what_is_not_there_is_said_so(visitor: Visitor) -> None:
    for path in ("/m/4711", "/m/0", "/m/x", "/m/1/seat/3", "/nothing", "/static/x/y.js"):
        page = await visitor.get(path)
        assert page.status == 404, path
        assert 'class="refusal"' in page.text


async def test_hostile_name_is_text_and_nothing_else(stage: Stage, visitor: Visitor) -> None:
    names = ("<script>alert(1)</script>", '"><img src=x onerror=1>', "a & b", "{{ 'ab' * 9 }}")
    for number, name in enumerate(names):
        evil = Person(f"test:evil{number}", name)
        match = await stage.begin(people=(evil, BOB))
        await stage.play(match.id, "D1-D4")
        await stage.matches.challenge(
            evil, server=SERVER, place=PLACE, game="morphos", options={"size": 7}, now=stage.clock()
        )
        for path in ("/", f"/m/{match.id}"):
            page = await visitor.get(path)
            assert name in page.words
            assert "<script>alert" not in page.text
            assert "<img src=x" not in page.text
            assert "ababab" not in page.text


async def test_link_unfolds_with_the_current_board(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    page = await visitor.get(f"/m/{match.id}")
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert tags["title"] == "Alice \u2013 Bob · Morelli"
    assert tags["description"] == "Bob (White) is to move."
    assert tags["image"].startswith(f"{stage.base}/m/{match.id}/board.png?turn=1")
    picture = await visitor.get(tags["image"].replace("&amp;", "&"))
    assert (picture.status, picture.headers["Content-Type"]) == (200, "image/png")


async def test_board_as_png_is_that_of_the_turn(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    seen = set()
    for query in ("?turn=0", "?turn=1", "?turn=1&side=white", "?turn=1&theme=clear"):
        async with visitor.session.get(f"{stage.base}/m/{match.id}/board.png{query}") as answer:
            body = await answer.read()
            assert Image.open(io.BytesIO(body)).size[0] == 700
            seen.add(body)
    assert len(seen) == 4


async def test_past_is_kept_for_good_and_the_present_is_asked_for_again(
    stage: Stage, visitor: Visitor
) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    past = await visitor.get(f"/m/{match.id}/board.png?turn=0")
    now = await visitor.get(f"/m/{match.id}/board.png")
    assert "max-age=31536000" in past.headers["Cache-Control"]
    assert now.headers["Cache-Control"] == "no-cache"
    tag = {"If-None-Match": now.headers["ETag"]}
    assert (await visitor.get(f"/m/{match.id}/board.png", headers=tag)).status == 304
    await stage.play(match.id, "A2-B3")
    assert (await visitor.get(f"/m/{match.id}/board.png", headers=tag)).status == 200


async def test_drawing_is_svg(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    drawing = await visitor.get(f"/m/{match.id}/board.svg")
    assert drawing.headers["Content-Type"].startswith("image/svg+xml")
    assert drawing.text.startswith("<svg")


async def test_film_has_a_frame_for_every_turn(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3", "F1-F4")
    async with visitor.session.get(f"{stage.base}/m/{match.id}/game.gif") as answer:
        film = Image.open(io.BytesIO(await answer.read()))
    assert getattr(film, "n_frames", 1) == 4


async def test_record_can_be_read_again(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3")
    record = await visitor.get(f"/m/{match.id}/record.txt")
    assert record.headers["Content-Type"].startswith("text/plain")
    assert [entry.move for entry in read(record.text).entries] == ["D1-D4", "A2-B3"]


async def test_no_picture_before_there_is_a_board(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    for name in ("board.png", "board.svg", "game.gif", "record.txt"):
        answer = await visitor.get(f"/m/{match.id}/{name}")
        assert answer.status == 409, name
        assert "There is no board yet" in answer.words


async def test_new_name_is_shown_before_long(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    assert "Alice" in (await visitor.get(f"/m/{match.id}")).words
    await stage.begin(people=(Person(ALICE.account, "Countess Alice"), BOB))
    stage.clock.at += timedelta(minutes=2)
    assert "Countess Alice" in (await visitor.get(f"/m/{match.id}")).words
