"""The first view of every kind of page: with all that it loads at most MAX_BYTES, as the server sends it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin
from zlib import MAX_WBITS, decompress

import pytest
from yarl import URL

from matches import MatchState
from matches.studies.values import StudyKey
from matches.tournaments.values import Kind
from tests.analyses import store_analysis
from tests.games import GAMES
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles
from tests.web.environment import ALICE, BOB, CAROL, FISTS, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_tournaments import create_tournament
from web.addresses import study_path
from web.analysis_board.board_link import match_board
from web.mail_links import WebMailLinks
from web.studies.saving import chapter_board

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

MAX_BYTES = 80 * 1024
PLIES = 12  # of the match of each game
LAZY_PICTURES = 12  # at most so many are near enough to the first view to be loaded with it
COMPRESSED = {"Accept-Encoding": "gzip, deflate"}
TAG = re.compile(r"<(link|script|img)\b([^>]+)>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
LOADING_LINKS = {"stylesheet", "preload", "modulepreload", "icon", "manifest"}
# Style sheets name the files that they load, and scripts those that they import.
REFERENCES = {"text/css": re.compile(r'url\("([^"]+)"\)'), "text/javascript": re.compile(r'from "([^"]+)"')}
NOTHING = re.compile(r"(?!)")


@dataclass(slots=True)
class SizedFiles:
    """What a visitor has loaded: the size of each URL as sent, and the URLs that it loads in turn."""

    visitor: Visitor
    files: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    async def first_view(self, path: str) -> dict[str, int]:
        """Return the size of a page and of everything that it loads; of many pictures only the first ones."""
        sizes, due = dict[str, int](), [path]
        for url in due:
            if url not in self.files:
                self.files[url] = await self._load(url)
            sizes[url], references = self.files[url]
            due += [one for one in references if one not in due]
        return sizes

    async def _load(self, url: str) -> tuple[int, tuple[str, ...]]:
        async with self.visitor.session.get(
            f"{self.visitor.base}{url}", headers=COMPRESSED, auto_decompress=False
        ) as answer:
            body, encoding = await answer.read(), answer.headers.get("Content-Encoding")
            content_type = answer.content_type
        text = _decode(body, encoding) if content_type.startswith("text/") else ""
        find = _page_urls if content_type == "text/html" else REFERENCES.get(content_type, NOTHING).findall
        return len(body), tuple(urljoin(url, reference) for reference in find(text))


def _decode(body: bytes, encoding: str | None) -> str:
    return (decompress(body, MAX_WBITS | 32) if encoding else body).decode()


def _page_urls(html: str) -> Iterator[str]:
    """Yield the URLs that a browser loads with a page."""
    lazy = 0
    for name, text in TAG.findall(html):
        attributes = dict(ATTRIBUTE.findall(text))
        lazy += attributes.get("loading") == "lazy"
        is_loaded = name != "link" or attributes["rel"] in LOADING_LINKS
        if is_loaded and (lazy <= LAZY_PICTURES or "loading" not in attributes):
            yield unescape(attributes.get("src") or attributes["href"])


async def prepare_pages(env: WebEnvironment, visitor: Visitor) -> list[str]:
    """Play matches of every game and return the paths of pages of every kind; the visitor plays Alice."""
    paths = [
        "/",
        "/new",
        "/my-games",
        "/account",
        "/account/notices",
        "/report/sent",
        "/studies",
        "/lobby",
        "/challenge",
        "/tournaments",
        "/tournaments/new",
        "/matches",
        "/matches?state=finished",
        "/rules",
        "/learn",
        "/privacy",
        "/terms",
        "/nothing",
        "/m/999",
        "/embed/999",
    ]
    paths += ["/analysis/morphos?size=19", "/explorer/morphos?size=19", "/import"]
    paths.append(WebMailLinks(env.context).stop_url(ALICE.account, "ada@example.org").removeprefix(env.base))
    puzzles = [puzzle_of(game) for game in GAMES]
    await store_puzzles(env.database, puzzles)
    paths += [f"/puzzles/{puzzle.key}" for puzzle in puzzles]
    paths.append(f"/tournaments/{await create_tournament(env, Kind.SWISS, (ALICE, BOB))}")
    choosing = await env.start_match(FISTS)
    paths += [f"/m/{choosing.id}", await env.take_seat(visitor, choosing.id, ALICE)]
    for game in GAMES:
        finished = await env.start_match({}, game, people=(BOB, CAROL))
        for _ in range(3):
            await env.play(finished.id)
        await env.matches.resign(finished.id, BOB, now=env.clock())
        await store_analysis(env.matches, finished.id, None, has_tasks=True, now=env.clock())
        paths.append(f"/m/{finished.id}/mistakes/2")
        match = await env.start_match({}, game)
        while match.state is not MatchState.OVER and match.ply < PLIES:
            match = await env.play(match.id)
        seat = await env.take_seat(visitor, match.id, ALICE)
        paths += [seat, *(path.format(match.id) for path in ("/m/{}", "/embed/{}")), f"/m/{finished.id}"]
        paths.append(f"/m/{finished.id}/analysis")
        paths.append(f"/study/save/m/{finished.id}/analysis")
        key = StudyKey(f"{finished.id:016x}")
        board = chapter_board(match_board(await env.cached(finished.id)))
        await env.matches.studies.add_chapter(
            key, ALICE.account, game, board, new_study=game, now=env.clock()
        )
        paths += [study_path(key), study_path(key, 1)]
        paths.append(f"/new?game={game}")
    await env.matches.people.handles.choose(ALICE.account, ALICE.name, now=env.clock())
    paths.append("/@Alice")
    for start in ("/rules", "/learn"):
        linked = re.findall(r'href="((?:/rules|/learn)/[^"]+)"', (await visitor.get(start)).text)
        paths += [unescape(path) for path in linked]
    return list(dict.fromkeys(paths))


@pytest.mark.long
async def test_first_view_of_every_page_is_small(database: Database) -> None:
    async with (
        running_web(database, allow_local_games=True, has_computer=True, **SIGN_IN_SETTINGS) as env,
        env.visitor() as visitor,
    ):
        cookie = {"session": await env.start_seat_session(ALICE)}
        visitor.session.cookie_jar.update_cookies(cookie, URL(env.base))
        paths, files = await prepare_pages(env, visitor), SizedFiles(visitor)
        views = {path: await files.first_view(path) for path in paths}
        assert {path: sizes for path, sizes in views.items() if sum(sizes.values()) > MAX_BYTES} == {}
        assert all(any(url.endswith(".woff2") for url in sizes) for sizes in views.values())
