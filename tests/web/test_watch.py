"""Public pages without scripts: front page, pages of matches, pictures and records."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from engine.records import parse_record
from matches import Audience, OfferKind, Person
from tests.web.environment import ALICE, BOB, CHANNEL, FISTS, FREE, SERVER

if TYPE_CHECKING:
    from matches import MatchId
    from tests.web.environment import Visitor, WebEnvironment


def turn_lines(text: str) -> list[str]:
    """Return the items of the turn list as text."""
    lines = re.findall(r"<li id=\"t\d+\">(.*?)</li>", text, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip() for line in lines]


async def test_front_page_lists_active_matches_and_open_challenges(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    over = await env.start_match()
    await env.matches.resign(over.id, BOB, now=env.clock())
    await env.matches.challenges.create(
        ALICE,
        server=SERVER,
        channel=CHANNEL,
        game="morphos",
        options={"size": 7},
        audience=Audience.NAMES,
        now=env.clock(),
    )
    page = await visitor.get("/")
    assert page.status == 200
    assert f'href="/m/{match.id}"' in page.text
    assert f'href="/m/{over.id}"' not in page.text
    assert "Morphos" in page.visible_text
    assert "random sides" in page.visible_text
    assert "/new" not in page.text


async def test_front_page_without_matches(visitor: Visitor) -> None:
    page = await visitor.get("/")
    assert "No match is in progress." in page.visible_text


async def test_page_shows_the_match_and_every_turn_as_text(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    page = await visitor.get(f"/m/{match.id}")
    assert page.status == 200
    assert "Alice (Black) to play." in page.visible_text
    assert "Morelli · later rules · 9 \u00d7 9 · Facing" in page.visible_text
    assert turn_lines(page.text) == ["1 Black D1-D4", "2 White A2-B3"]
    assert "White moves A2-B3" in page.visible_text
    assert "<svg" in page.text


async def test_links_lead_through_the_turns(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3", "F1-F4")
    page = await visitor.get(f"/m/{match.id}?turn=2")
    assert "Turn 2." in page.visible_text
    links = dict(re.findall(r'<a href="([^"]+)" data-step="(\w+)"', page.text))
    assert {name: href for href, name in links.items()} == {
        "first": f"/m/{match.id}?turn=0",
        "back": f"/m/{match.id}?turn=1",
        "forward": f"/m/{match.id}?turn=3",
        "latest": f"/m/{match.id}",
    }
    assert "The first board." in (await visitor.get(f"/m/{match.id}?turn=0")).visible_text


async def test_invalid_turn_shows_the_latest(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    for turn in ("99", "-1", "x", "1e3", "9" * 30, "²"):
        page = await visitor.get(f"/m/{match.id}", params={"turn": turn})
        assert page.status == 200
        assert "Turn 1." in page.visible_text


async def test_board_can_be_flipped_and_shown_in_another_theme(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
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


async def test_players_follow_a_swap_of_sides(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({"size": 5}, "morphos")
    await env.play(match.id, "C3", "swap")
    page = await visitor.get(f"/m/{match.id}")
    assert turn_lines(page.text) == ["1 Black places C3", "2 White swaps sides"]
    assert re.search(r'disc black".*?</i>\s*<bdi class="name">Bob', page.text, re.DOTALL)


async def test_page_shows_who_has_still_to_pick(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    await env.matches.pick(match.id, BOB, "LR", now=env.clock())
    page = await visitor.get(f"/m/{match.id}")
    assert "Still to pick: Alice" in page.visible_text
    assert "<figure" not in page.text
    await env.matches.pick(match.id, ALICE, "LL", now=env.clock())
    page = await visitor.get(f"/m/{match.id}")
    assert re.search(r"Alice: \S+ both left \(Adjacent\)\s+Bob: \S+ one in each \(Free\)", page.visible_text)
    assert "<figure" in page.text


async def test_run_of_placements_is_shown_once_it_is_complete(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1", "A2")
    page = await visitor.get(f"/m/{match.id}")
    assert turn_lines(page.text) == ["1 Black places A1"]
    assert "Bob (White) to play." in page.visible_text
    await env.play(match.id, "A3")
    assert turn_lines((await visitor.get(f"/m/{match.id}")).text) == [
        "1 Black places A1",
        "2 White places A2 and A3",
    ]


async def test_result_is_shown(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.matches.resign(match.id, ALICE, now=env.clock())
    assert "White (Bob) wins. Alice resigns." in (await visitor.get(f"/m/{match.id}")).visible_text


async def test_unknown_urls_are_not_found(visitor: Visitor) -> None:
    for path in ("/m/4711", "/m/0", "/m/x", "/m/1/seat/3", "/nothing", "/static/x/y.js"):
        page = await visitor.get(path)
        assert page.status == 404, path
        assert 'class="error"' in page.text


async def test_hostile_names_are_escaped(env: WebEnvironment, visitor: Visitor) -> None:
    names = ("<script>alert(1)</script>", '"><img src=x onerror=1>', "a & b", "{{ 'ab' * 9 }}")
    for number, name in enumerate(names):
        evil = Person(f"test:evil{number}", name)
        match = await env.start_match(people=(evil, BOB))
        await env.play(match.id, "D1-D4")
        await env.matches.challenges.create(
            evil, server=SERVER, channel=CHANNEL, game="morphos", options={"size": 7}, now=env.clock()
        )
        for path in ("/", f"/m/{match.id}"):
            page = await visitor.get(path)
            assert name in page.visible_text
            assert "<script>alert" not in page.text
            assert "<img src=x" not in page.text
            assert "ababab" not in page.text


async def test_link_preview_shows_the_current_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    page = await visitor.get(f"/m/{match.id}")
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert tags["title"] == "Alice \u2013 Bob · Morelli"
    assert tags["description"] == "Bob (White) to play."
    assert tags["image"].startswith(f"{env.base}/m/{match.id}/board.png?turn=1")
    picture = await visitor.get(tags["image"].replace("&amp;", "&"))
    assert (picture.status, picture.headers["Content-Type"]) == (200, "image/png")


async def test_png_shows_the_turn_and_view_options(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    pictures = set()
    for query in ("?turn=0", "?turn=1", "?turn=1&side=white", "?turn=1&theme=clear"):
        async with visitor.session.get(f"{env.base}/m/{match.id}/board.png{query}") as answer:
            body = await answer.read()
            assert Image.open(io.BytesIO(body)).size[0] == 700
            pictures.add(body)
    assert len(pictures) == 4


async def take_back(env: WebEnvironment, match: MatchId, turns: int, *moves: str) -> None:
    """Take the last one or two turns back, and play other moves."""
    view = await env.view(match)
    last, other = sorted(
        (seat.person for seat in view.seats), key=lambda person: person != view.last_turn[-1].person
    )
    by, opponent = (last, other) if turns == 1 else (other, last)
    offered = await env.matches.offers.make(
        match, by, OfferKind.TAKEBACK, seen_revision=view.revision, now=env.clock()
    )
    assert offered.match.pending_offer is not None
    await env.matches.offers.answer(offered.match.pending_offer.id, opponent, accept=True, now=env.clock())
    await env.play(match, *moves)


@pytest.mark.parametrize("address", ["?part=board&", "/board.png?", "/board.svg?"])
async def test_kept_board_stays_true_after_a_takeback(
    env: WebEnvironment, visitor: Visitor, address: str
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3", "F1-F4", "A8-B7")
    await env.play(match.id)

    async def ask(turn: int, more: str) -> tuple[str, str]:
        async with visitor.session.get(f"{env.base}/m/{match.id}{address}turn={turn}{more}") as answer:
            assert answer.status == 200
            return answer.headers["Cache-Control"], sha256(await answer.read()).hexdigest()

    caching, kept = await ask(4, "&takebacks=0")
    assert "max-age" in caching
    for more in ("", "&takebacks=1", "&takebacks=x"):
        assert (await ask(4, more))[0] == "no-cache"
    await take_back(env, match.id, 2, "A6-B5")
    assert (await ask(4, "&takebacks=1"))[0] == "no-cache"  # it is the latest: the match may end on it
    await env.play(match.id)
    old, new = await ask(4, "&takebacks=0"), await ask(4, "&takebacks=1")
    assert old[0] == "no-cache"
    assert "max-age" in new[0]
    assert old[1] == new[1] != kept
    assert (await ask(9, "&takebacks=1"))[0] == "no-cache"  # there is no turn 9 yet


async def test_pages_name_their_boards_so_that_browsers_can_keep_them(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    await take_back(env, match.id, 1, "A8-B7")
    (picture,) = re.findall(r'<img src="(/m/[^"]+)"', (await visitor.get("/")).visible_text)
    (preview,) = re.findall(
        r'og:image" content="([^"]+)"', (await visitor.get(f"/m/{match.id}")).visible_text
    )
    for is_picture_kept in (True, False):
        for address, is_kept in ((picture, is_picture_kept), (preview, not is_picture_kept)):
            assert "takebacks=1" in address
            assert ("max-age" in (await visitor.get(address)).headers["Cache-Control"]) is is_kept
        await env.play(match.id)


@pytest.mark.parametrize("address", ["?part=board&turn=1", "/board.png", "/board.svg", "/game.gif"])
async def test_copy_of_a_browser_is_used_while_it_is_current(
    env: WebEnvironment, visitor: Visitor, address: str
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    path = f"/m/{match.id}{address}"
    first = await visitor.get(path)
    assert first.headers["Cache-Control"] == "no-cache"
    tag = {"If-None-Match": f"W/{first.headers['ETag']}"}
    assert (await visitor.get(path, headers=tag)).status == 304
    assert (await visitor.get(path, headers={**tag, "Cookie": "look=clear"})).status == 200
    await take_back(env, match.id, 1, "A8-B7")
    assert (await visitor.get(path, headers=tag)).status == 200


@pytest.mark.parametrize("name", ["game.gif", "record.txt"])
async def test_whole_game_is_never_kept(env: WebEnvironment, visitor: Visitor, name: str) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    answer = await visitor.get(f"/m/{match.id}/{name}?turn=1&ply=1&takebacks=0")
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.long
async def test_board_as_svg(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    drawing = await visitor.get(f"/m/{match.id}/board.svg")
    assert drawing.headers["Content-Type"].startswith("image/svg+xml")
    assert drawing.text.startswith("<svg")


async def test_animation_has_a_frame_for_every_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3", "F1-F4")
    async with visitor.session.get(f"{env.base}/m/{match.id}/game.gif") as answer:
        animation = Image.open(io.BytesIO(await answer.read()))
    assert getattr(animation, "n_frames", 1) == 4


async def test_record_can_be_parsed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    record = await visitor.get(f"/m/{match.id}/record.txt")
    assert record.headers["Content-Type"].startswith("text/plain")
    assert [entry.move for entry in parse_record(record.text).entries] == ["D1-D4", "A2-B3"]


async def test_no_picture_before_there_is_a_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    for name in ("board.png", "board.svg", "game.gif", "record.txt"):
        answer = await visitor.get(f"/m/{match.id}/{name}")
        assert answer.status == 409, name
        assert "There is no board yet" in answer.visible_text


async def test_new_name_is_shown_after_a_while(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    assert "Alice" in (await visitor.get(f"/m/{match.id}")).visible_text
    await env.start_match(people=(Person(ALICE.account, "Countess Alice"), BOB))
    env.clock.time += timedelta(minutes=2)
    assert "Countess Alice" in (await visitor.get(f"/m/{match.id}")).visible_text
