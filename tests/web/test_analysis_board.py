"""The analysis board without scripts: its links and forms, what a link may hold, and what it never holds."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from html import unescape
from itertools import islice
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import web.analysis_board.board_page
from matches import Terms
from tests.games import GAMES
from tests.marks import remove_marks
from tests.web.environment import ALICE, BOB, FISTS, FREE
from tests.web.raw import send_raw
from web.analysis_board.board_link import (
    MAX_ALL_MOVES,
    MAX_MOVES,
    MAX_OTHER_LINES,
    AnalysisBoard,
    parse_board,
    play_board,
)

if TYPE_CHECKING:
    from tests.web.environment import PageResponse, Visitor, WebEnvironment
    from web.analysis_board.board_link import PlayedAnalysis

MAX_PAGE_BYTES = 300_000  # uncompressed
PLACING = "morabaraba 12 3/3/3/6/3/3/3 w 12,12 -"


def board_link(page: PageResponse) -> str:
    """Return the link of the board that a page shows."""
    [url] = re.findall(r'data-url="([^"]+)"', page.text)
    return unescape(url)


def parameters(page: PageResponse) -> dict[str, list[str]]:
    """Return the parameters of the link of the board that a page shows."""
    return link_parameters(board_link(page))


def link_parameters(url: str) -> dict[str, list[str]]:
    """Return the parameters in the path and the query of the link of a board."""
    parts = urlsplit(url)
    state = parts.path[parts.path.index("rules=") :]
    return parse_qs(f"{state}&{parts.query}", keep_blank_values=True)


def listed_moves(page: PageResponse) -> list[str]:
    """Return the moves of the line, without the word for placing."""
    log = re.search(r'<ol id="log">.*?</ol>', page.text, re.DOTALL)
    texts = [] if log is None else re.findall(r"</span> ([^<]+)</a>", log[0])
    return [text.removeprefix("places ") for text in texts]


def link_of(page: PageResponse, pattern: str) -> str:
    """Return the link in the first match of a pattern."""
    found = re.search(pattern, page.text)
    assert found is not None
    return unescape(found[1])


async def follow(visitor: Visitor, page: PageResponse, pattern: str) -> PageResponse:
    """Follow the link in the first match of a pattern."""
    href = link_of(page, pattern)
    path = urlsplit(page.url).path
    return await visitor.get(path + href if href.startswith("?") else href)


async def click(visitor: Visitor, page: PageResponse, *cells: str) -> PageResponse:
    """Follow the links of cells on the board, one after another."""
    for cell in cells:
        page = await follow(visitor, page, rf'<a data-cell="{cell}" class="open"[^>]*href="([^"]+)"')
    return page


async def type_moves(visitor: Visitor, page: PageResponse, text: str) -> PageResponse:
    """Submit the form for typed moves."""
    form = re.search(r'<form[^>]*id="typed">.*?</form>', page.text, re.DOTALL)
    assert form is not None
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0])
    values = [(name, unescape(value)) for name, value in fields]
    return await visitor.get(f"{urlsplit(page.url).path}?{urlencode([*values, ('text', text)])}")


@pytest.mark.parametrize("name", GAMES)
async def test_a_new_game_is_analysed_by_clicks_for_both_sides(visitor: Visitor, name: str) -> None:
    page = await visitor.get(f"/analysis/{name}")
    game, position = GAMES[name], None
    for count in range(1, 3):
        while len(listed_moves(page)) < count:
            page = await follow(
                visitor, page, r'(?:class="open"[^>]*|<a class="button primary" )href="([^"]+)"'
            )
        [line] = parameters(page)["moves"]
        position = game.load(parameters(page)["position"][0])
        for move in line.split("."):
            position = position.play(position.parse(move))
    assert position is not None
    again = await visitor.get(board_link(page))
    assert (listed_moves(again), board_link(again)) == (listed_moves(page), board_link(page))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_link_brings_back_every_line(name: str) -> None:
    random, game = Random(7), GAMES[name]
    board = AnalysisBoard(game.initial_position(**game.complete_options()))
    for _ in range(60):
        played = play_board(board)
        moves = list(islice(played.position.moves_with_prefix(""), 40))
        step = random.choice(("move", "move", "move", "at", "line", "remove"))
        if step == "move" and moves and len(board.other_lines) < MAX_OTHER_LINES:
            board = board.with_moves(str(random.choice(moves)))
        elif step == "at":
            board = board.at(random.randrange(len(board.moves) + 1))
        elif board.other_lines:
            change = board.with_line if step == "line" else board.without_line
            board = change(random.randrange(len(board.other_lines)))
        query = link_parameters(board.url())
        values = {name: texts[0] for name, texts in query.items()}
        played = play_board(parse_board(game, values, query.get("line", [])))
        assert (played.error, played.board) == (None, board)
        # Browsers and proxies change a path with such segments.
        assert not {"", ".", ".."} & {*urlsplit(board.url()).path.split("/")[1:]}
    assert board.moves


@pytest.mark.parametrize("name", GAMES)
async def test_board_without_options_is_that_of_a_first_game(visitor: Visitor, name: str) -> None:
    game = GAMES[name]
    shown = parameters(await visitor.get(f"/analysis/{name}"))
    start = game.initial_position(**game.complete_options(**game.first_options))
    assert shown["position"] == [str(start)]


@pytest.mark.parametrize("escaped", ["+", "/", ",", "~", "=", ".", "-", "m"])
async def test_link_is_read_however_it_is_escaped(env: WebEnvironment, escaped: str) -> None:
    start = GAMES["morphos"].initial_position(size=6, mutators="bd")
    board = AnalysisBoard(start).with_moves("C3", "D4").at(1).with_moves("E5")
    prefix = "/analysis/morphos/"
    state = board.url().removeprefix(prefix)
    if escaped == "+":
        state = state.replace("+", "%20")
    elif escaped != "=":
        state = state.replace(escaped, f"%{ord(escaped):02X}")
    rules, _, rest = state.partition("&")
    path = prefix.replace(escaped, f"%{ord(escaped):02X}") if escaped == "m" else prefix
    _, page = await send_raw(env.base, "GET", f"{path}{rest}&{rules}")
    [shown] = re.findall(r'data-url="([^"]+)"', page)
    assert unescape(shown) == board.url()


async def test_link_of_before_leads_to_the_same_board(visitor: Visitor) -> None:
    start = GAMES["morphos"].initial_position(size=6, mutators="bd")
    board = replace(AnalysisBoard(start).with_moves("C3", "D4").at(1).with_moves("E5", "F6"), match=77)
    old = f"/analysis/morphos?{board.at(1).query()}&side=white&theme=clear"
    page = await visitor.get(old)
    assert page.url == f"{board.at(1).url()}&side=white&theme=clear"
    assert board_link(page) == f"{board.at(1).url()}&side=white"
    # Without scripts a move leads to the address of the new board.
    moved = await visitor.get(f"{old}&text=A1")
    assert moved.url == board_link(moved)
    assert parameters(moved)["moves"] == ["C3.A1"]
    assert parameters(moved)["side"] == ["white"]
    picture = await visitor.get(f"/analysis/morphos/board.png?{board.query()}")
    assert picture.headers["Content-Type"] == "image/png"


async def test_options_of_a_new_game_are_in_its_position(visitor: Visitor) -> None:
    page = await visitor.get("/analysis/morphos?size=6&mutators=bd")
    assert parameters(page)["position"] == ["morphos bd 6/6/6/6/6/6 b 0 -"]
    assert parameters(page)["rules"] == [str(GAMES["morphos"].rules_version)]


QUIET = "morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0"


async def test_a_link_keeps_its_version_of_the_rules(visitor: Visitor) -> None:
    query = {"rules": "1", "position": f"{QUIET} -", "moves": "A1-D1"}
    page = await visitor.get(f"/analysis/morabaraba?{urlencode(query)}")
    assert parameters(page)["rules"] == ["1"]
    page = await type_moves(visitor, page, "G1-G4 D1-A1 G4-G1")
    assert len(listed_moves(page)) == 4
    assert "turns-to-draw" not in page.text
    query = {"rules": "1", "position": f"{QUIET} quiet=57"}
    refused = await visitor.get(f"/analysis/morabaraba?{urlencode(query)}")
    assert (refused.status, "quiet=N from 1 to 20" in refused.visible_text) == (400, True)


async def test_an_analysis_board_counts_down_to_a_draw(visitor: Visitor) -> None:
    query = {"rules": "2", "position": f"{QUIET} quiet=98"}
    page = await visitor.get(f"/analysis/morabaraba?{urlencode(query)}")
    assert "Without a capture, the game is a draw after 2 more turns." in page.visible_text
    page = await type_moves(visitor, page, "A1-D1")
    assert "Without a capture, the next turn ends the game as a draw." in page.visible_text
    page = await type_moves(visitor, page, "G1-G4")
    assert "On this board the game ends in a draw." in page.visible_text
    assert "Without a capture" not in page.visible_text


@pytest.mark.long
async def test_line_goes_back_and_forward_and_branches(visitor: Visitor) -> None:
    page = await visitor.get("/analysis/morabaraba")
    page = await type_moves(visitor, page, "A1 G7 D3")
    assert listed_moves(page) == ["A1", "G7", "D3"]
    page = await follow(visitor, page, r'href="([^"]+)" data-step="back"')
    assert parameters(page)["at"] == ["2"]
    assert listed_moves(page) == ["A1", "G7", "D3"]
    forward = await follow(visitor, page, r'href="([^"]+)" data-step="forward"')
    assert "at" not in parameters(forward)
    # The same move follows the line, another one leaves it.
    assert board_link(await click(visitor, page, "D3")) == board_link(forward)
    branched = await click(visitor, page, "D5")
    assert parameters(branched)["moves"] == ["A1.G7.D5"]
    assert parameters(branched)["line"] == ["2.D3"]
    back = await follow(visitor, branched, r'<li><a href="([^"]+)" data-step>3. D3')
    assert parameters(back)["moves"] == ["A1.G7.D3"]
    assert parameters(back)["line"] == ["2.D5"]
    removed = await follow(visitor, back, r'class="remove" href="([^"]+)"')
    assert "line" not in parameters(removed)
    assert listed_moves(removed) == ["A1", "G7", "D3"]


async def test_illegal_move_is_explained_and_changes_nothing(visitor: Visitor) -> None:
    page = await visitor.get("/analysis/morelli?size=9")
    refused = await type_moves(visitor, page, "D1-D3 A2-I2")
    assert listed_moves(refused) == []
    assert "A2" in refused.visible_text
    assert 'id="notice"' in refused.text
    assert 'value="D1-D3 A2-I2"' in refused.text
    near = await type_moves(visitor, await visitor.get(f"{page.url}?side=white"), "D1-D33")
    followed = await follow(visitor, near, r'id="near">.*?<a href="([^"]+)"')
    assert listed_moves(followed) == ["D1-D3"]
    assert parameters(followed)["side"] == ["white"]  # the board stays flipped


async def test_finished_game_says_who_has_won(visitor: Visitor) -> None:
    position = "morabaraba 12 3/3/3/w1w3/3/r1r/r2 w 0,0 -"
    page = await visitor.get(f"/analysis/morabaraba?{urlencode({'position': position})}")
    assert "has won on this board" in page.visible_text
    assert 'class="open"' not in page.text


async def test_analysis_starts_from_the_turn_in_view(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(terms=Terms(rated=True))
    view = await env.play(match.id, "D1-D4", "A2-B3")
    assert match.position is not None
    for query, position in (("", view.position), ("?turn=0", match.position)):
        public = await visitor.get(f"/m/{match.id}{query}")
        page = await follow(visitor, public, r'href="([^"]+)" data-of-turn rel')
        assert parameters(page)["position"] == [str(position)]
        assert f'href="/m/{match.id}"' in page.text


async def test_a_match_keeps_its_version_of_the_rules(visitor: Visitor) -> None:
    old = GAMES["morphos"].versions[1].initial_position(size=5, mutators="bd")
    board = AnalysisBoard(old).with_moves("C3")
    page = await visitor.get(board.url())
    assert parameters(page)["rules"] == ["1"]
    assert listed_moves(page) == ["C3"]


async def test_there_is_no_board_before_the_secret_picks(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    assert f"/m/{match.id}/analysis" not in (await visitor.get(f"/m/{match.id}")).text
    seat = await env.take_seat(visitor, match.id, ALICE)
    for path in (f"/m/{match.id}/analysis", f"{seat}/analysis"):
        answer = await visitor.get(path)
        assert (answer.status, "Both players have to pick a start first" in answer.text) == (409, True)
    refused = await visitor.get("/analysis/morelli?setup=fists")
    assert (refused.status, "This game cannot start like that." in refused.text) == (400, True)


async def test_own_board_leaves_out_an_unfinished_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1", "B1")
    seat = await env.take_seat(visitor, match.id, BOB)
    unfinished = await env.view(match.id)
    assert unfinished.unfinished_moves == ()
    page = await visitor.get(f"{seat}/analysis")
    start = GAMES["morelli"].load(parameters(page)["position"][0])
    assert start == (await env.matches.view(match.id, ply=1, now=env.clock())).position
    shared = link_of(page, r'data-copy="([^"]+)"')
    assert "/seat/" not in shared
    assert (await visitor.get(shared)).status == 200


async def test_own_board_is_closed_to_everybody_else(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    own = await env.take_seat(visitor, match.id, ALICE)
    assert (await visitor.get(f"{own}/analysis")).headers["Cache-Control"] == "no-store"
    for seat in ("1", "2", "both"):
        if not own.endswith(seat):
            assert (await visitor.get(f"/m/{match.id}/seat/{seat}/analysis")).status == 403
    async with env.visitor() as stranger:
        assert (await stranger.get(f"{own}/analysis")).status == 403


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"position": "morelli nestor x"}, "has no position of this game"),
        ({"position": PLACING.replace("12,12", "12,99")}, "has no position of this game"),
        ({"position": "9" * 7000}, "has no position of this game"),
        ({"position": PLACING, "rules": "77"}, "version of the rules that does not exist"),
        ({"position": PLACING, "rules": "-1"}, "version of the rules that does not exist"),
        ({"position": PLACING, "moves": "A1." * (MAX_MOVES + 1)}, "is too long"),
        ({"position": PLACING, "moves": "A" * 6500}, "is too long"),
        ({"position": PLACING, "line": ["0.A1"] * (MAX_OTHER_LINES + 1)}, "is too long"),
        ({"men": "5"}, "cannot start like that"),
    ],
    ids=str,
)
async def test_hostile_link_is_refused_with_one_sentence(
    visitor: Visitor, query: dict[str, str | list[str]], sentence: str
) -> None:
    answer = await visitor.get(f"/analysis/morabaraba?{urlencode(query, doseq=True)}")
    assert answer.status == 400
    [text] = re.findall(r'id="error">([^<]*)<', answer.text)
    assert sentence in text


@pytest.mark.parametrize(
    ("query", "moves", "notice"),
    [
        ({"moves": "A1.G7.A1.D3"}, ["A1", "G7"], "cannot be played here"),
        ({"moves": "A1.<script>"}, ["A1"], "cannot be played here"),
        ({"moves": "A1", "line": "0.G7.G7"}, ["A1"], "cannot be played here"),
        ({"moves": "A1.G7", "at": "9" * 12, "line": ["1.G7", "nonsense", "7.D3"]}, ["A1", "G7"], ""),
        ({"moves": "A1", "answers": "B2.C3.D4"}, ["A1"], "D4"),
        ({"moves": "A1", "then": "Z9", "match": "nonsense"}, ["A1"], "Z9"),
        ({"moves": "A1", "ticked": "1", "take": "A1", "at": "-3"}, ["A1"], ""),
    ],
    ids=str,
)
async def test_what_cannot_be_played_is_left_out_with_the_reason(
    visitor: Visitor, query: dict[str, str | list[str]], moves: list[str], notice: str
) -> None:
    values = urlencode({"position": PLACING, **query}, doseq=True)
    answer = await visitor.get(f"/analysis/morabaraba?{values}")
    assert (answer.status, listed_moves(answer)) == (200, moves)
    found = re.findall(r'id="notice"[^>]*>([^<]*)<', answer.text)
    assert [notice in text for text in found] == ([True] if notice else [])
    assert "<script>" not in answer.text


async def test_unknown_game_has_no_board(visitor: Visitor) -> None:
    assert (await visitor.get("/analysis/chess")).status == 404


@pytest.mark.long
async def test_link_that_is_full_says_so(visitor: Visitor) -> None:
    start = GAMES["morphos"].initial_position(size=19)
    cells = [f"{letter}{number}" for letter in "ABCDEFGHI" for number in range(1, 19)]
    board = AnalysisBoard(start).with_moves(*cells[:MAX_MOVES])
    page = await visitor.get(f"{board.url()}?text={cells[MAX_MOVES]}")
    assert f"at most {MAX_MOVES} moves" in page.visible_text
    for cell in cells[2 : 3 + MAX_OTHER_LINES]:
        branched = await visitor.get(f"{board.at(1).url()}&text={cell}")
        board = play_board(board).board if 'id="notice"' in branched.text else board.at(1).with_moves(cell)
    assert len(board.other_lines) == MAX_OTHER_LINES
    page = await visitor.get(f"{board.at(1).url()}&text={cells[40]}")
    assert f"at most {MAX_OTHER_LINES} other lines" in page.visible_text


def hostile_boards(lines: int = 8, *, shared: int = 140) -> AnalysisBoard:
    """Return a board with as many lines of MAX_MOVES as asked for, which begin with the same moves."""
    position, random = GAMES["morphos"].initial_position(size=19), Random(1)
    start, cells = position, list[str]()
    while len(cells) < MAX_MOVES:
        cells.append(str(random.choice(position.legal_moves())))
        position = position.play(position.parse(cells[-1]))
    others = []
    for _ in range(lines):
        moves = cells[:shared]
        position = play_board(AnalysisBoard(start, tuple(moves), shared)).position
        while len(moves) < MAX_MOVES:
            moves.append(str(random.choice(position.legal_moves())))
            position = position.play(position.parse(moves[-1]))
        others.append(tuple(moves))
    return AnalysisBoard(start, tuple(cells), MAX_MOVES, tuple(others))


async def test_the_longest_link_has_a_small_page(visitor: Visitor) -> None:
    board = hostile_boards()
    # As it was shared before the state was in the path.
    page = await visitor.get(f"/analysis/morphos?{board.query()}")
    assert page.status == 200
    assert page.text.count('<li><a href="?at=') == MAX_MOVES
    assert page.text.count('class="remove"') == len(board.other_lines)
    assert len(page.text.encode()) < MAX_PAGE_BYTES


@pytest.mark.long
async def test_a_link_with_too_many_moves_shows_its_first_lines(
    env: WebEnvironment, visitor: Visitor
) -> None:
    board = hostile_boards(3, shared=1)
    assert board.all_moves > MAX_ALL_MOVES
    page = await visitor.get(board.url())
    assert remove_marks(env.context.texts("web.analysis.too_many_moves")) in page.visible_text
    assert page.text.count('<li><a href="?at=') == MAX_MOVES
    assert page.text.count('class="remove"') == 1


@pytest.mark.parametrize("index", range(8))
def test_no_line_is_lost_when_another_comes_into_view(index: int) -> None:
    board = hostile_boards()
    shown = board.with_line(index)
    assert shown.all_moves == board.all_moves == MAX_MOVES + 8 * 10
    assert play_board(shown).board == shown
    early = AnalysisBoard(board.start, board.other_lines[0][1:2], 1, (board.moves, *board.other_lines[:7]))
    assert not play_board(early).is_cut


async def test_long_work_leaves_the_event_loop(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def record_thread(board: AnalysisBoard) -> PlayedAnalysis:
        threads.append(threading.current_thread())
        return play_board(board)

    monkeypatch.setattr(
        web.analysis_board.board_page,
        "play_board",
        record_thread,
    )
    await visitor.get("/analysis/morabaraba?text=A1")
    assert threads
    assert threading.main_thread() not in threads


async def test_robots_do_not_index_boards(visitor: Visitor) -> None:
    page = await visitor.get("/analysis/morabaraba")
    assert '<meta name="robots" content="noindex">' in page.text


@pytest.mark.long
async def test_examples_and_solved_tasks_can_be_tried(visitor: Visitor) -> None:
    book = await visitor.get("/rules/morabaraba")
    links = set(re.findall(r'href="(/analysis/[^"]+)"', book.text))
    assert "/analysis/morabaraba" in links
    assert len(links) > 3
    for link in links:
        assert (await visitor.get(unescape(link))).status == 200
    solved = await visitor.get("/learn/morelli/1?text=E1-E4")
    board = await follow(visitor, solved, r'href="(/analysis/[^"]+)"')
    assert listed_moves(board) == ["E1-E4"]


async def test_shared_link_has_a_picture(visitor: Visitor) -> None:
    page = await visitor.get(f"/analysis/morabaraba?{urlencode({'position': PLACING, 'moves': 'A1.G7'})}")
    picture = await visitor.get(link_of(page, r'<meta property="og:image" content="([^"]+)"'))
    assert (picture.status, picture.headers["Content-Type"]) == (200, "image/png")
    async with visitor.session.get(f"{visitor.base}/analysis/morabaraba/board.png?position=x") as refused:
        assert refused.status == 400
