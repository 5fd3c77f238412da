"""The form that opens a record or a position on an analysis board, and its errors: one sentence each."""

from __future__ import annotations

import re
from hashlib import sha512
from html import unescape
from typing import TYPE_CHECKING

import aiohttp
import pytest

from engine.records import MAX_RECORD_BYTES, Record, RecordEntry, format_record
from tests.games import GAMES
from tests.web.environment import BOB
from tests.web.test_analysis_board import link_parameters, listed_moves
from web.analysis_board.board_link import MAX_MOVES
from web.analysis_board.comments import MAX_COMMENT_LENGTH
from web.analysis_board.import_page import read_game

if TYPE_CHECKING:
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

START = "morabaraba 12 3/3/3/6/3/3/3 w 12,12 -"
HEADERS = '[Game "morabaraba"]\n[Rules "2"]\n[Result "*"]\n\n'
RECORD = HEADERS + "1. A1 {a corner}\n2. G7\n3. D3\n*\n"
QUIET = "morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0 -"


async def send(visitor: Visitor, text: str = "", file: bytes = b"") -> PageResponse:
    """Submit the form as a browser does, also without a file."""
    form = aiohttp.FormData()
    form.add_field("text", text.replace("\n", "\r\n"))
    form.add_field("file", file, filename="match.txt" if file else "", content_type="text/plain")
    return await visitor.post("/import", data=form)


def notice_of(page: PageResponse) -> str:
    """Return the sentence that says why nothing was opened."""
    [notice] = re.findall(r'id="(?:notice|error)"[^>]*>([^<]*)<', page.text)
    return unescape(notice)


@pytest.mark.parametrize("name", GAMES)
async def test_record_of_every_game_opens_with_its_moves(visitor: Visitor, name: str) -> None:
    game = GAMES[name]
    options = game.complete_options(**game.first_options)
    position, entries = game.initial_position(**options), list[RecordEntry]()
    for _ in range(4):
        move = position.legal_moves()[0]
        position = position.play(move)
        entries.append(RecordEntry(str(move)))
    record = Record(name, game.rules_version, options, tuple(entries), games={name: game})
    for text, file in ((format_record(record), b""), ("", format_record(record).encode("utf-8-sig"))):
        page = await send(visitor, text, file)
        assert page.url.startswith(f"/analysis/{name}/rules={game.rules_version}&")
        assert link_parameters(page.url)["moves"] == [".".join(entry.move for entry in entries)]
        assert len(re.findall(r"data-step=\"\d", page.text)) == len(entries)


async def test_record_of_a_match_comes_back(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    await env.play(match.id, "A1", "G7", "D3")
    await env.matches.resign(match.id, BOB, now=env.clock())
    record = (await visitor.get(f"/m/{match.id}/record.txt")).text
    assert listed_moves(await send(visitor, record)) == ["A1", "G7", "D3"]


async def test_record_keeps_its_rules_and_its_start(visitor: Visitor) -> None:
    text = f'[Game "morabaraba"] [Rules "1"] [Result "*"]\n[Start "{QUIET}"]\n1. a1\u2013d1 {{typed}} *'
    page = await send(visitor, text)
    shown = link_parameters(page.url)
    assert (shown["rules"], shown["position"], shown["moves"]) == (["1"], [QUIET], ["A1-D1"])


async def test_record_keeps_its_comments(visitor: Visitor) -> None:
    text = HEADERS + "{before <b>it</b>} 1. A1 {a corner\nof the board}\n2. G7\n3. D3 {the end} {really} *\n"
    page = await send(visitor, text)
    assert [part.strip() for part in re.findall(r'<p class="comment" dir="auto">([^<]*)</p>', page.text)] == [
        "before &lt;b&gt;it&lt;/b&gt;",
        "a corner\nof the board",
        "the end\nreally",
    ]


@pytest.mark.parametrize("size", [100, 1200])
def test_comments_beyond_the_room_of_a_link_are_left_out(size: int) -> None:
    """The first ones stay; one that is too long is cut."""
    moves = ("A1-D1", "G1-G4", "D1-A1", "G4-G1") * (MAX_MOVES // 8)
    comments = [sha512(bytes(number)).hexdigest() * 10 for number in range(len(moves))]
    texts = [
        f"{number}. {move} {{{text[:size]}}}"
        for number, (move, text) in enumerate(zip(moves, comments, strict=True), 1)
    ]
    head = f'[Game "morabaraba"] [Rules "1"] [Result "*"]\n[Start "{QUIET}"]\n'
    board = read_game((head + "\n".join(texts) + "\n*").encode(), GAMES)
    assert (len(board.moves), board.has_room()) == (len(moves), True)
    assert [len(line) for line, _ in board.comments] == [*range(1, len(board.comments) + 1)]
    assert 5 < len(board.comments) < len(moves)
    assert {len(text) for _, text in board.comments} == {min(size, MAX_COMMENT_LENGTH)}


async def test_position_line_opens(visitor: Visitor) -> None:
    for text in (START, f"\n  {START}  \n\n", f"\ufeff{START}", START.replace("mor", "Mor")):
        page = await send(visitor, text)
        assert link_parameters(page.url)["position"] == [START]
    assert link_parameters((await send(visitor, "nothing", START.encode())).url)["position"] == [START]


@pytest.mark.parametrize(
    ("text", "status", "sentence"),
    [
        ("", 400, "There is nothing to open. Paste"),
        (" \n\n ", 400, "There is nothing to open. Paste"),
        ("\nchess e4", 400, 'Line 2 begins neither a record ([Game ") nor a position (Mor'),
        (START.replace("12,12", "12,99"), 400, "Line 1 is not a valid position."),
        (f"{START}\n\nmore", 400, "Line 3 goes on after the position. Leave only"),
        (RECORD.replace("G7", "A1"), 400, "Line 6, column 4: "),
        (RECORD.replace('"2"', '"77"'), 400, "Line 2, column 9: "),
        (RECORD.replace("\n*", ""), 400, "Line 8, column 1: "),
        (RECORD.replace("{a", "{<script>"), 200, ""),
        (RECORD.replace("A1", "<script>"), 400, "Line 5, column 4: "),
        (f"{HEADERS}{'x' * MAX_RECORD_BYTES}", 400, f"and the most allowed is {MAX_RECORD_BYTES}"),
        ("x" * MAX_RECORD_BYTES * 3, 400, f"and the most allowed is {MAX_RECORD_BYTES}"),
    ],
    ids=range(12),
)
async def test_error_is_one_sentence_that_says_what_to_do(
    visitor: Visitor, text: str, status: int, sentence: str
) -> None:
    page = await send(visitor, text)
    assert page.status == status
    assert "<script>" not in page.text
    if status == 200:
        return
    notice = notice_of(page)
    assert sentence in notice
    assert re.search(r"again\.$|choose a file\.$", notice)
    if len(text) < MAX_RECORD_BYTES:  # what was typed is still there to be corrected
        assert re.search(r"<textarea[^>]*>\n([^<]*)</textarea>", page.text)
        assert (
            unescape(page.text.partition("<textarea")[2].partition(">\n")[2].partition("</textarea>")[0])
            == text
        )


async def test_longest_record_opens_and_longer_ones_are_not_played(visitor: Visitor) -> None:
    moves = ("A1-D1", "G1-G4", "D1-A1", "G4-G1") * (MAX_MOVES // 4)
    head = f'[Game "morabaraba"] [Rules "1"] [Result "*"]\n[Start "{QUIET}"]\n'

    def record(*texts: str) -> str:
        return head + "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1)) + "\n*"

    assert len(listed_moves(await send(visitor, record(*moves)))) == MAX_MOVES
    refused = await send(visitor, record(*moves, "nonsense"))
    assert notice_of(refused).startswith(
        f"This record has more than {MAX_MOVES} turns, too many for the link"
    )


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/x-www-form-urlencoded", "text=x"),
        ("multipart/form-data", "x"),
        ("multipart/form-data; boundary=", "--\r\n\r\n----"),
        ("multipart/form-data; boundary=b", "--b\r\n\r\nx\r\n"),
        ("multipart/form-data; boundary=b", "--b\r\nX: y\r\n\r\nx\r\n--b--"),
        (
            "multipart/form-data; boundary=b",
            '--b\r\nContent-Disposition: form-data; filename="text"\r\n\r\nx\r\n--b--',
        ),
        ("multipart/form-data; boundary=b", "\r\n--b" * 3000),
        ("multipart/form-data; boundary=b", f"--b{'content-disposition:' * 20_000}\r\n--b--"),
        ('multipart/form-data; boundary="é"', "--é\r\n\r\n--é--"),
    ],
    ids=range(9),
)
async def test_malformed_form_is_refused(visitor: Visitor, content_type: str, body: str) -> None:
    headers = {"Origin": visitor.base, "Content-Type": content_type}
    page = await visitor.post("/import", headers=headers, data=body.encode())
    assert page.status == 400


async def test_form_of_another_website_is_refused(visitor: Visitor) -> None:
    page = await visitor.post("/import", headers={"Origin": "https://elsewhere.example"}, data=b"x")
    assert page.status == 403


async def test_other_forms_stay_small(visitor: Visitor) -> None:
    page = await visitor.post("/colours", data=b"x" * 20_000)
    assert page.status == 413


async def test_form_is_found(visitor: Visitor) -> None:
    for path in ("/analysis/morabaraba", "/rules/morabaraba"):
        assert 'href="/import"' in (await visitor.get(path)).text
    [example] = re.findall("<code>([^<]+)</code>", (await visitor.get("/import")).text)
    assert link_parameters((await send(visitor, unescape(example))).url)["position"] == [unescape(example)]
