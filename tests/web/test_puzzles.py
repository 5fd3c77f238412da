"""Puzzles on the website without scripts: links and forms lead to a turn, then to a verdict."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from sqlalchemy import update

from engine.puzzle import Puzzle
from lessons.content import default_lessons
from move_builder import apply_answers
from storage.tables import MATCHES
from tests.games import GAMES
from tests.lessons.solving import answers_for
from tests.matches.puzzles.puzzles import OTHER_RULES, puzzle_of, store_puzzles, wrong_turn
from tests.web.environment import ALICE, BOB, CAROL, OWN_SITE
from web.puzzles.seen import MAX_SEEN

if TYPE_CHECKING:
    from matches import MatchId, Person
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

GAME = min(GAMES)


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> None:
    visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(person)})


async def store(env: WebEnvironment, *found: Puzzle) -> None:
    await store_puzzles(env.database, found)


def path_of(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.key}"


async def play(visitor: Visitor, page: PageResponse, text: str) -> PageResponse:
    """Send a typed turn with the form of a page."""
    url = urlsplit(page.url)
    fields = dict(parse_qsl(url.query)) | {"text": text}
    return await visitor.post(f"{url.path}/turn", data=fields)


def state_of(page: PageResponse) -> str:
    found = re.search(r'id="lesson-controls"[^>]*data-state="(\w+)"', page.text)
    assert found is not None
    return found[1]


async def list_attempts(env: WebEnvironment, person: Person) -> list[tuple[str, bool]]:
    history = await env.matches.puzzles.list_history(person.account)
    return [(one.attempt.puzzle, one.attempt.is_solved) for one in history]


async def test_page_says_which_rules_hold(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = Puzzle.parse(OTHER_RULES, GAMES)
    await store(env, puzzle)
    page = await visitor.get(path_of(puzzle))
    assert " · mutator d: stones come back" in page.visible_text


async def test_next_puzzle_is_shown_at_once_without_an_account(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    page = await visitor.get("/puzzles")
    assert page.url == path_of(puzzle)
    assert page.headers["Cache-Control"] == "no-store"
    assert 'class="cells"' in page.text
    assert "to play. One turn is clearly better" in page.visible_text


async def test_without_puzzles_the_page_says_so(visitor: Visitor) -> None:
    page = await visitor.get("/puzzles")
    assert "There are no puzzles here yet." in page.visible_text
    for path in ("/", "/learn"):
        assert 'href="/puzzles"><' not in (await visitor.get(path)).text.partition("<main")[2]


@pytest.mark.parametrize("name", sorted(GAMES))
async def test_puzzle_is_solved_turn_by_turn(env: WebEnvironment, visitor: Visitor, name: str) -> None:
    puzzle = puzzle_of(name, turns=3)
    await store(env, puzzle)
    page = await play(visitor, await visitor.get(path_of(puzzle)), puzzle.line[0])
    assert state_of(page) == "open"
    assert "Right!" in page.visible_text
    assert "The reply:" in page.visible_text
    assert page.url == f"{path_of(puzzle)}?{urlencode({'turns': puzzle.line[0]})}"
    page = await play(visitor, page, puzzle.line[2])
    assert state_of(page) == "solved"
    assert "Solved!" in page.visible_text
    assert page.text.count("<li>") >= len(puzzle.line)


@pytest.mark.parametrize("name", sorted(GAMES))
async def test_turn_is_entered_by_links_and_confirmed(
    env: WebEnvironment, visitor: Visitor, name: str
) -> None:
    puzzle = puzzle_of(name)
    await store(env, puzzle)
    answers = answers_for(puzzle.start, puzzle.start.parse(puzzle.line[0]))
    page = await visitor.get(path_of(puzzle))
    assert 'name="answers" value=""' in page.text
    page = await visitor.get(f"{path_of(puzzle)}?{urlencode({'answers': '.'.join(answers)})}")
    assert "Play this turn" in page.visible_text
    assert state_of(page) == "open"
    [given] = re.findall(r'name="answers" value="([^"]+)"', page.text)
    page = await visitor.post(f"{path_of(puzzle)}/turn", data={"answers": unescape(given)})
    assert state_of(page) == "solved"


async def test_click_on_a_cell_leads_to_the_next_question(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of("morelli", turns=3)
    await store(env, puzzle)
    page = await play(visitor, await visitor.get(path_of(puzzle)), puzzle.line[0])
    answers = answers_for(puzzle.position_at(2), puzzle.position_at(2).parse(puzzle.line[2]))
    [href] = re.findall(rf'<a data-cell="{answers[0]}"[^>]*href="([^"]+)"', page.text)
    page = await visitor.get(f"{path_of(puzzle)}{unescape(href)}")
    assert state_of(page) == "open"
    assert f"turns={puzzle.line[0]}" in page.url
    assert answers[0] in dict(parse_qsl(urlsplit(page.url).query))["answers"]


def find_turn_with_ticks() -> tuple[Puzzle, list[str], list[str]]:
    """Return a puzzle, answers of its solution, and the cells that are then ticked, of several possible."""
    for lesson in default_lessons():
        for task in lesson.tasks:
            start = GAMES[lesson.game].load(task.position)
            move = start.parse(task.solution)
            answers = list(answers_for(start, move))
            for number, answer in enumerate(answers):
                choice = apply_answers(start, answers[:number]).choice
                if choice is not None and choice.multiple and len(choice.options) > 1:
                    return Puzzle(start, (str(move),)), answers[:number], answer.split(",")
    raise AssertionError("no lesson has such a turn")


async def test_pieces_to_capture_are_ticked(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle, answers, cells = find_turn_with_ticks()
    await store(env, puzzle)
    fields = [("answers", ".".join(answers)), ("ticked", "1"), *(("take", cell) for cell in cells)]
    page = await visitor.get(f"{path_of(puzzle)}?{urlencode(fields[:1])}")
    assert page.text.count('type="checkbox"') > 1
    page = await visitor.get(f"{path_of(puzzle)}?{urlencode(fields)}")
    assert "Play this turn" in page.visible_text
    page = await visitor.post(f"{path_of(puzzle)}/turn", data=fields)
    assert state_of(page) == "solved"


async def test_wrong_turn_is_told_and_can_be_tried_again(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of(GAME, turns=3)
    await store(env, puzzle)
    begun = await play(visitor, await visitor.get(path_of(puzzle)), puzzle.line[0])
    page = await play(visitor, begun, wrong_turn(puzzle, 2))
    assert state_of(page) == "failed"
    assert "Not yet." in page.visible_text
    [retry] = re.findall(r'id="go-on" href="([^"]+)"', page.text)
    again = await visitor.get(unescape(retry))
    assert again.url == begun.url
    assert state_of(await play(visitor, again, puzzle.line[2])) == "solved"


async def test_refused_turn_is_explained(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of("morabaraba")
    await store(env, puzzle)
    page = await visitor.get(f"{path_of(puzzle)}?text=hello")
    assert 'class="notice"' in page.text
    part = await visitor.post(f"{path_of(puzzle)}/turn", data={"text": "hello", "part": "puzzle"})
    assert 'class="notice"' in part.text
    assert "<html" not in part.text


async def test_part_says_its_address(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    part = await visitor.post(
        f"{path_of(puzzle)}/turn", data={"text": puzzle.line[0], "part": "puzzle", "choice": f"{GAME}.mill"}
    )
    [url] = re.findall(r'data-url="([^"]+)"', part.text)
    assert dict(parse_qsl(urlsplit(unescape(url)).query)) == {
        "turns": puzzle.line[0],
        "choice": f"{GAME}.mill",
    }
    assert f'href="/puzzles?game={GAME}&amp;theme=mill"' in part.text


async def test_first_attempt_of_a_member_is_rated(env: WebEnvironment, visitor: Visitor) -> None:
    first, second = puzzle_of(GAME, 1), puzzle_of(GAME, 2)
    await store(env, first, second)
    await sign_in(env, visitor, ALICE)
    page = await play(visitor, await visitor.get(path_of(first)), first.line[0])
    assert await list_attempts(env, ALICE) == [(first.key, True)]
    [rating] = await env.matches.puzzles.list_ratings(ALICE.account)
    assert f"Your rating</dt><dd>{round(rating.rating.rating)}? <small>(+162)</small>" in page.visible_text
    assert "Solved by</dt><dd>1 of 1 player<" in page.visible_text
    env.clock.advance(minutes=1)
    page = await visitor.get(path_of(second))
    assert f"Your rating</dt><dd>{round(rating.rating.rating)}?</dd>" in page.visible_text
    assert "Rating of the puzzle" not in page.visible_text
    page = await play(visitor, page, wrong_turn(second))
    assert "(\u2212" in page.visible_text
    page = await play(visitor, await visitor.get(path_of(second)), second.line[0])
    assert "Only your first attempt counts." in page.visible_text
    assert await list_attempts(env, ALICE) == [(second.key, False), (first.key, True)]
    assert page.text.count('class="solved"') == page.text.count('class="failed"') == 1


async def test_nothing_counts_that_is_only_looked_at(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of(GAME, turns=3)
    await store(env, puzzle)
    await sign_in(env, visitor, ALICE)
    wrong = wrong_turn(puzzle)
    for query in ({"turns": wrong}, {"text": wrong}, {"solution": "1"}, {"hint": "1"}):
        page = await visitor.get(f"{path_of(puzzle)}?{urlencode(query)}")
        assert "The solution" not in page.visible_text
        assert "Look at" not in page.visible_text
    assert await list_attempts(env, ALICE) == []


@pytest.mark.parametrize("act", ["hint", "solution"])
async def test_hint_and_solution_count_as_not_solved(env: WebEnvironment, visitor: Visitor, act: str) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    await sign_in(env, visitor, ALICE)
    page = await visitor.post(f"{path_of(puzzle)}/{act}")
    assert await list_attempts(env, ALICE) == [(puzzle.key, False)]
    assert ("The solution" in page.visible_text) is (act == "solution")
    assert ("Look at" in page.visible_text) is (act == "hint")


async def test_guest_solves_unrated_and_gets_no_puzzle_twice(env: WebEnvironment, visitor: Visitor) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(6)]
    await store(env, *found)
    lines = {path_of(one): one for one in found}
    seen = set[str]()
    for number in range(len(found)):
        page = await visitor.get("/puzzles")
        assert page.url not in seen
        seen.add(page.url)
        puzzle = lines[page.url]
        if number == 0:
            page = await visitor.post(f"{page.url}/solution")
            assert "The solution" in page.visible_text
        else:
            turn = puzzle.line[0] if number % 2 else wrong_turn(puzzle)
            page = await play(visitor, page, turn)
        assert "Your rating" not in page.visible_text
    page = await visitor.get("/puzzles")
    assert "You have seen all of these puzzles." in page.visible_text
    assert (await env.matches.puzzles.get(found[0].key)).solved == 0


@pytest.mark.parametrize("value", ["QUJD" * (MAX_SEEN + 9), "broken cookie", "A", ""])
async def test_cookie_of_a_guest_keeps_its_size(env: WebEnvironment, visitor: Visitor, value: str) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    post = visitor.session.post(
        f"{env.base}{path_of(puzzle)}/solution",
        headers={**OWN_SITE, "Cookie": f"puzzles={value}"},
        allow_redirects=False,
    )
    async with post as answer:
        cookie = answer.cookies["puzzles"]
    assert 0 < len(cookie.value) <= 4 * MAX_SEEN
    assert cookie["path"] == "/puzzles"
    assert "There are no puzzles" not in (await visitor.get("/puzzles")).visible_text
    assert "You have seen all" in (await visitor.get("/puzzles")).visible_text


async def test_game_can_be_chosen_and_stays_chosen(env: WebEnvironment, visitor: Visitor) -> None:
    names = sorted(GAMES)[:2]
    found = [puzzle_of(name, seed) for name in names for seed in (1, 2)]
    await store(env, *found)
    for name in names:
        page = await visitor.get(f"/puzzles?game={name}")
        assert page.url.endswith(f"?choice={name}")
        puzzle = next(one for one in found if page.url.startswith(path_of(one)))
        assert puzzle.game.name == name
        page = await play(visitor, page, puzzle.line[0])
        assert f'id="go-on" href="/puzzles?game={name}"' in page.text
    for unknown in ("game=chess&theme=pin", "game=chess", "theme=pin", f"game={names[0]}&theme=pin"):
        page = await visitor.get(f"/puzzles?{unknown}")
        assert "There are no such puzzles here. Choose a game." in page.visible_text
        assert f'href="/puzzles?game={names[0]}"' in page.text


async def test_members_report_a_puzzle_until_a_search_has_confirmed_it(env: WebEnvironment) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    turns = {"turns": wrong_turn(puzzle)}
    for person in (ALICE, BOB, CAROL):
        async with env.visitor() as visitor:
            assert (await visitor.post(f"{path_of(puzzle)}/report", data=turns)).status == 403
            await sign_in(env, visitor, person)
            page = await play(visitor, await visitor.get(path_of(puzzle)), turns["turns"])
            assert "Report a second solution" in page.visible_text
            page = await visitor.post(f"{path_of(puzzle)}/report", data=turns)
            assert "Your report has arrived." in page.visible_text
    report = await env.matches.puzzles.claim_report(now=env.clock())
    assert report is not None
    await env.matches.puzzles.settle_report(report, is_confirmed=True, now=env.clock())
    async with env.visitor() as visitor:
        assert (await visitor.get(path_of(puzzle))).status == 410


async def make_public_match(env: WebEnvironment) -> MatchId:
    match = (await env.start_match()).id
    await env.matches.resign(match, ALICE, now=env.clock())
    return match


async def test_player_of_its_match_removes_a_puzzle(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle, match = puzzle_of(GAME), await make_public_match(env)
    assert await env.matches.puzzles.add_found(match, [puzzle], now=env.clock()) == 1
    await sign_in(env, visitor, CAROL)
    page = await visitor.get(path_of(puzzle))
    assert "from your match" not in page.visible_text
    assert ALICE.name not in page.text
    assert (await visitor.post(f"{path_of(puzzle)}/remove")).status == 404
    async with env.visitor() as player:
        await sign_in(env, player, BOB)
        page = await player.get(path_of(puzzle))
        assert f"from your match #{match}" in page.visible_text
        await player.post(f"{path_of(puzzle)}/remove")
    assert (await visitor.get(path_of(puzzle))).status == 410


async def test_player_keeps_their_matches_out_of_puzzles_on_the_page_of_their_data(
    env: WebEnvironment, visitor: Visitor
) -> None:
    found, match = [puzzle_of(GAME, seed) for seed in (1, 2, 3)], await make_public_match(env)
    await env.matches.puzzles.add_found(match, found[:2], now=env.clock())
    await sign_in(env, visitor, CAROL)
    assert "from matches of yours" not in (await visitor.get("/account/data")).visible_text
    await visitor.post("/account/data/puzzles", data={"allow": "0"})
    assert await env.matches.puzzles.count_own(ALICE.account) == 2
    async with env.visitor() as player:
        await sign_in(env, player, ALICE)
        page = await player.get("/account/data")
        assert "2 puzzles are from matches of yours." in page.visible_text
        page = await player.post("/account/data/puzzles", data={"allow": "0"})
        assert "No puzzles are made from your matches." in page.visible_text
        assert await env.matches.puzzles.add_found(match, found, now=env.clock()) == 0
        page = await player.post("/account/data/puzzles", data={"allow": "1"})
        assert "Puzzles are made from public matches" in page.visible_text
        assert await env.matches.puzzles.add_found(match, found, now=env.clock()) == 1
    assert (await visitor.get(path_of(found[0]))).status == 410


async def test_puzzle_of_a_private_match_is_not_shown(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle, match = puzzle_of(GAME), await make_public_match(env)
    await env.matches.puzzles.add_found(match, [puzzle], now=env.clock())
    assert (await visitor.get("/puzzles")).url == path_of(puzzle)
    async with env.database.transaction() as connection:
        await connection.execute(update(MATCHES).values(audience="members"))
    for path in (path_of(puzzle), f"{path_of(puzzle)}/board.png"):
        assert (await visitor.get(path)).status == 410
    assert "There are no puzzles" not in (await visitor.get("/puzzles")).visible_text


async def test_link_has_a_picture(env: WebEnvironment, visitor: Visitor) -> None:
    puzzle = puzzle_of(GAME)
    await store(env, puzzle)
    page = await visitor.get(path_of(puzzle))
    [picture] = re.findall(r'property="og:image" content="([^"]+)"', page.text)
    async with visitor.session.get(picture) as answer:
        assert answer.content_type == "image/png"
        assert (await answer.read()).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/puzzles/0123456789abcdef", 404),
        ("/puzzles/0123456789abcdef/board.png", 404),
        ("/puzzles/xyz", 404),
        ("/puzzles?game=%F0%9F%8E%B2&theme=%22%3E", 200),
    ],
)
async def test_unknown_puzzle_is_not_found(visitor: Visitor, path: str, status: int) -> None:
    assert (await visitor.get(path)).status == status


@pytest.mark.parametrize(
    "query",
    [
        {"turns": "Z99.A1.x"},
        {"turns": "." * 500},
        {"answers": "Z99.Z99"},
        {"answers": "A1", "ticked": "1", "take": "Z9"},
        {"text": "Z" * 5000},
        {"choice": "a.b.c" * 200},
        {"side": "green", "theme": "none"},
    ],
)
async def test_malformed_addresses_show_the_puzzle(
    env: WebEnvironment, visitor: Visitor, query: dict[str, str]
) -> None:
    puzzle = puzzle_of("morabaraba")
    await store(env, puzzle)
    page = await visitor.get(f"{path_of(puzzle)}?{urlencode(query)}")
    assert (page.status, state_of(page)) == (200, "open")
    page = await visitor.post(f"{path_of(puzzle)}/turn", data=query)
    assert page.status == 200


async def test_lessons_and_the_front_page_lead_to_puzzles(env: WebEnvironment, visitor: Visitor) -> None:
    await store(env, puzzle_of("morabaraba"))
    for path in ("/", "/learn"):
        assert 'href="/puzzles"' in (await visitor.get(path)).text.partition("<main")[2]
