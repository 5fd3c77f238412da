"""The analysis board without scripts: its links and forms, what a link may hold, and what it never holds."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from html import unescape
from itertools import islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import web.analysis_board.board_page
from matches import Audience, Terms
from tests.games import GAMES
from tests.marks import remove_marks
from tests.web.environment import ALICE, BOB, FISTS, FREE
from tests.web.raw import send_raw
from web.analysis_board.board_link import (
    MAX_MOVES,
    MAX_OTHER_LINES,
    AnalysisBoard,
    parse_board,
    play_board,
)

if TYPE_CHECKING:
    from matches import MatchView
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
    """Return the moves of the main line, without the word for placing."""
    texts = re.findall(r'<li><a [^>]*data-step="\d+".*</span> ([^<]+)</a>', page.text)
    return [text.removeprefix("places ") for text in texts]


def variations(page: PageResponse) -> list[str]:
    """Return the variations in order, each with its depth and its moves; the one in view has a star."""
    return [
        f"{depth}: "
        + " ".join(
            f"{number}{text}{'*' if 'aria-current' in tag else ''}"
            for tag, number, text in re.findall(r'<a ([^>]*)><span class="n">(\d+\.)</span> ([^<]+)<', line)
        )
        for depth, line in re.findall(r'class="variation depth-(\d)".*?<p>(.*?)</p>', page.text)
    ]


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
        line = random.randrange(len(board.lines))
        if step == "move" and moves and len(board.other_lines) < MAX_OTHER_LINES:
            board = board.with_moves(str(random.choice(moves)))
        elif step == "at":
            board = board.at(random.randrange(len(board.line) + 1))
        elif step == "line":
            board = board.in_line(line, random.randrange(len(board.lines[line]) + 1))
        elif line:
            board = board.without_line(line)
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
    # Its line in view comes first, and is the main line now.
    start = GAMES["morphos"].initial_position(size=6, mutators="bd")
    state = {"rules": "2", "position": str(start), "moves": "C3.E5.F6", "line": "1.D4", "match": "77"}
    old = f"/analysis/morphos?{urlencode({**state, 'at': '1'})}&side=white&theme=clear"
    board = AnalysisBoard(start, ("C3", "E5", "F6"), 1, (("C3", "D4"),), match=77)
    page = await visitor.get(old)
    assert page.url == f"{board.url()}&side=white&theme=clear"
    assert board_link(page) == f"{board.url()}&side=white"
    assert (listed_moves(page), variations(page)) == (["C3", "E5", "F6"], ["1: 2.D4"])
    # Without scripts a move leads to the address of the new board.
    moved = await visitor.get(f"{old}&text=A1")
    assert moved.url == board_link(moved)
    assert parameters(moved)["moves"] == ["C3.E5.F6"]
    assert (parameters(moved)["line"], parameters(moved)["in"]) == (["1.D4", "1.A1"], ["2"])
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
    assert parameters(branched)["moves"] == ["A1.G7.D3"]
    assert (parameters(branched)["line"], parameters(branched)["in"]) == (["2.D5"], ["1"])
    assert (listed_moves(branched), variations(branched)) == (["A1", "G7", "D3"], ["1: 3.D5*"])
    back = await follow(visitor, branched, r'id="main-line" href="([^"]+)"')
    assert (parameters(back)["at"], "in" in parameters(back)) == (["2"], False)
    assert 'id="main-line"' not in back.text
    assert board_link(await click(visitor, back, "D5")) == board_link(branched)
    removed = await follow(visitor, branched, r'class="remove" href="([^"]+)"')
    assert "line" not in parameters(removed)
    assert (parameters(removed)["at"], listed_moves(removed)) == (["2"], ["A1", "G7", "D3"])
    for number in ("0", "2", "x"):
        same = await visitor.get(f"{urlsplit(branched.url).path}?in=1&without={number}")
        assert (same.status, board_link(same)) == (200, board_link(branched))


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
    board = AnalysisBoard(start).with_moves(*cells[:150])
    for cell in cells[2 : 2 + MAX_OTHER_LINES]:
        branched = await visitor.get(f"{board.at(1).url()}&text={cell}")
        assert 'id="notice"' not in branched.text
        board = board.in_line(0, 1).with_moves(cell)
    assert len(board.other_lines) == MAX_OTHER_LINES
    page = await visitor.get(f"{board.at(1).url()}&text={cells[40]}")
    assert f"at most {MAX_OTHER_LINES} other lines" in page.visible_text
    page = await visitor.get(f"{board.url()}?text={cells[40]}")
    assert 'id="notice"' not in page.text


async def test_board_holds_a_limited_number_of_moves(visitor: Visitor) -> None:
    start = GAMES["morabaraba"].versions[1].load(f"{QUIET} -")
    moves = ("A1-D1", "G1-G4", "D1-A1", "G4-G1") * (MAX_MOVES // 4)
    board = AnalysisBoard(start, moves, MAX_MOVES)
    page = await visitor.get(f"{board.url()}?text=A1-D1")
    assert len(listed_moves(page)) == MAX_MOVES
    assert "The link of this board is full" in page.visible_text
    over = replace(board, moves=(*moves, "A1-D1"))
    refused = await visitor.get(over.url())
    assert (refused.status, "is too long" in refused.visible_text) == (400, True)


def long_board(count: int) -> AnalysisBoard:
    """Return a board with so many moves on the largest board."""
    position, random = GAMES["morphos"].initial_position(size=19), Random(1)
    start, cells = position, list[str]()
    while len(cells) < count:
        cells.append(str(random.choice(position.legal_moves())))
        position = position.play(position.parse(cells[-1]))
    return AnalysisBoard(start, tuple(cells), count)


LONG_LINE = 150


def hostile_boards(lines: int = 8, *, shared: int = 140) -> AnalysisBoard:
    """Return a board with as many long lines as asked for, which begin with the same moves."""
    board, random = long_board(LONG_LINE), Random(1)
    start, cells = board.start, board.moves
    others = []
    for _ in range(lines):
        moves = list(cells[:shared])
        position = play_board(AnalysisBoard(start, tuple(moves), shared)).position
        while len(moves) < LONG_LINE:
            moves.append(str(random.choice(position.legal_moves())))
            position = position.play(position.parse(moves[-1]))
        others.append(tuple(moves))
    return AnalysisBoard(start, cells, LONG_LINE, tuple(others))


async def test_the_longest_link_has_a_small_page(visitor: Visitor) -> None:
    board = hostile_boards()
    # As it was shared before the state was in the path.
    page = await visitor.get(f"/analysis/morphos?{board.query()}")
    assert page.status == 200
    assert page.text.count('<li><a href="?at=') == LONG_LINE
    assert page.text.count('class="remove" href="?') == len(board.other_lines)
    assert len(page.text.encode()) < MAX_PAGE_BYTES


@pytest.mark.long
async def test_a_link_with_too_many_moves_shows_its_first_lines(
    env: WebEnvironment, visitor: Visitor
) -> None:
    board = hostile_boards(3, shared=1)
    assert board.all_moves > MAX_MOVES
    page = await visitor.get(board.url())
    assert remove_marks(env.context.texts("web.analysis.too_many_moves")) in page.visible_text
    assert page.text.count('<li><a href="?at=') == LONG_LINE
    assert page.text.count('class="remove"') == 1


def test_no_line_is_lost_when_another_comes_into_view() -> None:
    board = hostile_boards()
    shown = board.in_line(8, 145)
    assert shown.all_moves == board.all_moves == LONG_LINE + 8 * 10
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


async def finish_match(env: WebEnvironment, *moves: str, **options: Any) -> MatchView:
    """Return a match that Bob has resigned after these moves."""
    match = await env.start_match({}, "morabaraba", **options)
    await env.play(match.id, *moves)
    return (await env.matches.resign(match.id, BOB, now=env.clock())).match


GAME = ("A1", "G7", "D3", "B2", "F6")


async def test_finished_match_has_its_whole_game(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env, *GAME)
    path = f"/m/{match.id}/analysis"
    page = await visitor.get(path)
    assert (page.url, board_link(page), listed_moves(page)) == (path, path, [*GAME])
    assert 'data-turn="5" data-last="5"' in page.text
    # The page of a past turn leads to that turn.
    past = await follow(
        visitor, await visitor.get(f"/m/{match.id}?turn=2"), r'href="([^"]+)" data-of-turn rel'
    )
    assert (board_link(past), listed_moves(past)) == (f"{path}?at=2", [*GAME])
    # Another move is a variation below the one that it replaces, and the game stays as it is.
    left = await type_moves(visitor, past, "A7 B4")
    assert board_link(left) == f"{path}/line=2.A7.B4?in=1"
    assert (listed_moves(left), variations(left)) == ([*GAME], ["1: 3.A7 4.B4*"])
    # So it is at the end of the game.
    further = await type_moves(visitor, await visitor.get(f"{path}/line=2.A7.B4"), "C3")
    assert board_link(further) == f"{path}/line=2.A7.B4&line=5.C3?in=2"
    assert variations(further) == ["1: 3.A7 4.B4", "1: 6.C3*"]
    back = await follow(visitor, left, r'id="main-line" href="([^"]+)"')
    assert board_link(back) == f"{path}/line=2.A7.B4?at=2"
    forward = await follow(visitor, back, r'href="([^"]+)" data-step="forward"')
    assert board_link(forward) == f"{path}/line=2.A7.B4?at=3"
    assert f'href="/m/{match.id}"' in page.text


async def test_variations_are_a_tree(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env, *GAME)
    path = f"/m/{match.id}/analysis/line=1.D5.A4.B4&line=3.A7&line=1.D5.C3.C4&line=1.D5.C3.E5&line=1.D5?in=3"
    page = await visitor.get(f"{path}&at=3")
    shown = ["1: 2.D5 3.A4 4.B4", "2: 3.C3* 4.C4", "3: 4.E5", "1: 4.A7"]
    assert variations(page) == shown
    # A move of a line that another one begins with belongs to that one.
    assert variations(await visitor.get(f"{path}&at=2"))[0] == "1: 2.D5* 3.A4 4.B4"
    removed = await follow(visitor, page, r'C4</a>.*?class="remove" href="([^"]+)"')
    assert variations(removed) == ["1: 2.D5 3.A4 4.B4", "2: 3.C3 4.E5", "1: 4.A7"]
    assert 'data-turn="1"' in removed.text


async def test_turns_of_several_moves_are_counted(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1", "B1", "C1", "D1")
    await env.matches.resign(match.id, BOB, now=env.clock())
    cached = await env.cached(match.id)
    assert len(cached.replay_turn(2).move_texts) == 2
    page = await visitor.get(f"/m/{match.id}/analysis?turn=2")
    assert 'data-turn="3" data-last="4"' in page.text


async def test_match_in_progress_has_only_the_board_of_a_turn(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    view = await env.play(match.id, *GAME)
    for path in (f"/m/{match.id}/analysis", f"/m/{match.id}/analysis/line=2.A7?in=1"):
        page = await visitor.get(path)
        assert (listed_moves(page), parameters(page)["position"]) == ([], [str(view.position)])


async def test_own_board_has_the_game_when_the_match_is_over(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env, *GAME)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.get(f"{seat}/analysis?turn=2&text=A7")
    assert board_link(page) == f"{seat}/analysis/line=2.A7?in=1"
    assert listed_moves(page) == [*GAME]
    assert f'href="{seat}"' in page.text
    shared = link_of(page, r'data-copy="([^"]+)"')
    assert shared == f"{env.base}/m/{match.id}/analysis/line=2.A7?in=1"
    explorer = link_of(page, r'href="(/explorer/[^"]+)"')
    assert "moves=A1.G7.A7" in explorer


async def test_own_lines_stay_when_the_match_ends(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    await env.play(match.id, *GAME)
    seat = await env.take_seat(visitor, match.id, ALICE)
    page = await type_moves(visitor, await visitor.get(f"{seat}/analysis"), "A7 B4")
    page = await type_moves(visitor, await visitor.get(f"{board_link(page)}?at=1"), "C3")
    before = board_link(page)
    shown = (["A7", "B4"], ["1: 2.C3*"])
    assert (listed_moves(page), variations(page)) == shown
    await env.matches.resign(match.id, BOB, now=env.clock())
    after = await visitor.get(before)
    assert (board_link(after), listed_moves(after), variations(after)) == (before, *shown)
    further = await type_moves(visitor, page, "C4")
    assert variations(further) == ["1: 2.C3 3.C4*"]


@pytest.mark.parametrize(
    ("state", "status", "found"),
    [
        ("line=2.A1", 200, "cannot be played here"),
        ("line=99.A7", 200, "6. A7"),
        ("line=2.<script>&in=7", 200, "cannot be played here"),
        ("line=&line=-1.D5&at=-4&in=x", 200, "D5"),
        ("&".join(["line=2.A7"] * (MAX_OTHER_LINES + 1)), 400, "is too long"),
        ("line=2." + "A7." * (MAX_MOVES + 1), 400, "is too long"),
    ],
    ids=range(6),
)
async def test_hostile_link_to_a_match(
    env: WebEnvironment, visitor: Visitor, state: str, status: int, found: str
) -> None:
    match = await finish_match(env, *GAME)
    page = await visitor.get(f"/m/{match.id}/analysis/{state}")
    assert (page.status, found in page.visible_text) == (status, True)
    assert "<script>" not in page.text
    if status == 200:
        assert listed_moves(page) == [*GAME]


async def test_private_match_has_no_board_for_strangers(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish_match(env, *GAME, audience=Audience.PLAYERS)
    for path in (f"/m/{match.id}/analysis", f"/m/{match.id}/analysis/line=2.A7?in=1"):
        refused = await visitor.get(path)
        assert (refused.status, "A7" in refused.text, "G7" in refused.text) == (404, False, False)
    await env.take_seat(visitor, match.id, ALICE)
    assert listed_moves(await visitor.get(f"/m/{match.id}/analysis/line=2.A7?in=1")) == [*GAME]


async def test_match_without_a_move_is_a_board_too(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    await env.matches.resign(match.id, BOB, now=env.clock())
    page = await visitor.get(f"/m/{match.id}/analysis?text=A1+G7")
    assert (listed_moves(page), variations(page)) == ([], ["1: 1.A1 2.G7*"])
    assert board_link(page) == f"/m/{match.id}/analysis/line=0.A1.G7?in=1"


@pytest.mark.long
async def test_long_game_opens_in_little_time(env: WebEnvironment, visitor: Visitor) -> None:
    board = long_board(300)
    match = await env.start_match({"size": 19}, "morphos")
    await env.play(match.id, *board.moves)
    await env.matches.resign(match.id, BOB, now=env.clock())
    path = f"/m/{match.id}/analysis"
    await visitor.get(path)  # loads the game, as the page of the match does
    for url in (f"{path}?at=150", f"{path}/line=149.pass?in=1", board.url(), board.at(20).url()):
        seconds = []
        for _ in range(3):
            began = process_time()
            assert len(listed_moves(await visitor.get(url))) == 300
            seconds.append(process_time() - began)
        assert min(seconds) < 0.1, url
