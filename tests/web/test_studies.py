"""Comments on analysis boards, and studies on the website, without scripts."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from base64 import urlsafe_b64encode
from contextlib import AsyncExitStack, suppress
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, update

from engine.records import parse_record
from matches import Audience, Refusal
from matches.moderation.values import Act
from matches.names import fold_name
from matches.personal_data.values import ErasureChoice
from matches.studies.values import StudyAudience, StudyKey
from storage.tables import MATCHES, MODERATION_LOG, PEOPLE
from tests.games import GAMES
from tests.web.environment import ALICE, BOB, CAROL, SIGN_IN_SETTINGS, running_web
from web.analysis_board.board_link import MAX_LINK_LENGTH, AnalysisBoard, parse_board, play_board
from web.analysis_board.comments import (
    MAX_CHARACTERS,
    MAX_COMMENT_LENGTH,
    MAX_COMMENTS,
    RAW,
    clean_comment,
    decode_comments,
    encode_comments,
)
from web.analysis_board.import_page import read_game

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

START = GAMES["morphos"].initial_position(size=6, mutators="bd")
COMMENT = 'Why <b>not</b> "E5"?\nよい手です 👍🏽'
BOARD = (
    AnalysisBoard(START)
    .with_moves("C3", "D4")
    .with_comment(COMMENT)
    .at(1)
    .with_moves("E5")
    .with_comment("also good")
    .at(0)
    .with_comment("A start")
)


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    """Run a website whose moderator is Carol, and where Alice is called Ada."""
    async with running_web(database, moderators="@Carol", **SIGN_IN_SETTINGS) as started:
        for person, name in ((ALICE, "Ada"), (BOB, "Bob"), (CAROL, "Carol")):
            await started.start_seat_session(person)
            async with database.transaction() as connection:
                named = {"handle": name, "folded_handle": fold_name(name)}
                where = PEOPLE.c.account == person.account
                await connection.execute(update(PEOPLE).where(where).values(named))
        yield started


@pytest.fixture
async def visitors(env: WebEnvironment) -> AsyncIterator[dict[str, Visitor]]:
    """Return browsers by who is signed in there; in the last one nobody is."""
    async with AsyncExitStack() as stack:
        found = {}
        for person in (ALICE, BOB, CAROL, None):
            visitor = await stack.enter_async_context(env.visitor())
            if person is not None:
                secret = await env.start_seat_session(person)
                visitor.session.cookie_jar.update_cookies({"session": secret})
            found["nobody" if person is None else person.name] = visitor
        yield found


def pack(data: str) -> str:
    """Return any text as the comments of a link are."""
    packer = zlib.compressobj(wbits=RAW)
    return urlsafe_b64encode(packer.compress(data.encode()) + packer.flush()).decode().rstrip("=")


def path_of(page: PageResponse) -> str:
    return urlsplit(page.url).path


def log(page: PageResponse) -> str:
    """Return the list of moves."""
    [found] = re.findall(r'<ol id="log">.*?</ol>', page.text, re.DOTALL)
    return re.sub(r"<[^>]+>", "", found)


def board_link(page: PageResponse) -> str:
    [url] = re.findall(r'data-url="([^"]+)"', page.text)
    return unescape(url)


def link_to(page: PageResponse, start: str) -> str:
    """Return the first link or address of a form that begins so."""
    found = re.search(rf'(?:href|action)="({re.escape(start)}[^"]*)"', page.text)
    assert found is not None, page.text
    return unescape(found[1])


async def save(visitor: Visitor, link: str, **fields: str) -> PageResponse:
    """Save the board of a link in a study, by default a new one."""
    page = await visitor.get(link)
    form = await visitor.get(link_to(page, "/study/save"))
    [number] = re.findall(r'name="number" value="(\w+)"', form.text)
    data = {"study_name": "Endings", "name": "First try", "number": number, **fields}
    return await visitor.post(link_to(form, "/study/save"), data=data)


async def share(env: WebEnvironment, chapter: PageResponse, audience: StudyAudience) -> StudyKey:
    key = StudyKey(path_of(chapter).split("/")[2])
    studies = env.matches.studies
    await studies.change(key, ALICE.account, "Endings", audience, now=env.clock())
    return key


def test_link_brings_back_comments() -> None:
    values = dict(BOARD.parameters())
    board = parse_board(
        GAMES["morphos"], values, [line for name, line in BOARD.parameters() if name == "line"]
    )
    assert {*play_board(board).board.comments} == {*BOARD.comments}
    assert {text for _, text in BOARD.comments} == {COMMENT, "also good", "A start"}
    assert {text for _, text in BOARD.without_line(1).comments} == {COMMENT, "A start"}
    cleared = BOARD.at(0).with_comment(" \n")
    assert {text for _, text in cleared.comments} == {COMMENT, "also good"}


@pytest.mark.parametrize(
    "rows",
    [
        "",
        "AAAA",
        "no base64!",
        pytest.param("eNoDAAAAAAE", id="with a header"),
        pytest.param(pack("[" * 50_000), id="deep"),
        pytest.param(pack('[[0,0,"x"]' + " " * 1_000_000 + "]"), id="much from little"),
        pytest.param(pack('[[9,0,"x"]]'), id="no such line"),
        pytest.param(pack('[[1e300,0,"x"]]'), id="no number of a line"),
        pytest.param(pack('["abc"]'), id="no comment"),
    ],
)
def test_broken_comments_are_refused(rows: str) -> None:
    with pytest.raises(Refusal) as refused:
        decode_comments(rows, BOARD.lines)
    assert refused.value.key == "comments_unreadable"


def test_comments_beyond_the_limits_are_refused() -> None:
    with pytest.raises(Refusal, match="comment_length"):
        AnalysisBoard(START).with_comment("x" * (MAX_COMMENT_LENGTH + 1))
    # Much text that would compress to little.
    lines = (tuple(str(number) for number in range(MAX_COMMENTS + 1)),)
    many = [(lines[0][:number], "x") for number in range(MAX_COMMENTS + 1)]
    long = [(lines[0][:number], "x" * MAX_COMMENT_LENGTH) for number in range(MAX_CHARACTERS // 1000 + 1)]
    for comments in (many, long):
        with pytest.raises(Refusal, match="comments_unreadable"):
            decode_comments(encode_comments(comments, lines), lines)
    assert decode_comments(encode_comments(many[1:], lines), lines) == tuple(many[1:])


async def test_comment_is_written_shown_and_removed(visitor: Visitor) -> None:
    page = await visitor.get(AnalysisBoard(START).with_moves("C3").url())
    commented = await visitor.post(board_link(page), data={"comment": COMMENT})
    assert commented.status == 200
    assert "<b>not</b>" not in commented.text
    assert commented.text.count("Why &lt;b&gt;not&lt;/b&gt;") == 3  # in view, in the list, and in the form
    assert "comments=" in board_link(commented)
    again = await visitor.get(board_link(commented))
    assert again.text.count("Why &lt;b&gt;not&lt;/b&gt;") == 3
    emptied = await visitor.post(board_link(again), data={"comment": " "})
    assert board_link(emptied) == board_link(page)
    refused = await visitor.post(board_link(page), data={"comment": "y" * 1001})
    assert "at most 1,000 characters" in refused.visible_text.replace("1000", "1,000")
    assert "y" * 1001 in refused.text


async def test_game_of_a_match_is_commented(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    match = await env.start_match()
    await env.play(match.id)
    await env.matches.resign(match.id, BOB, now=env.clock())
    page = await visitors["Alice"].get(f"/m/{match.id}/analysis")
    page = await visitors["Alice"].post(board_link(page), data={"comment": "Here it began"})
    assert re.fullmatch(rf"/m/{match.id}/analysis/comments=[\w-]+", board_link(page))
    assert "Here it began" in page.visible_text


@pytest.mark.plain("a list has a date alone")
async def test_study_is_saved_shared_and_copied(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    alice, bob, nobody = visitors["Alice"], visitors["Bob"], visitors["nobody"]
    chapter = await save(alice, BOARD.url())
    assert re.fullmatch(r"/study/[0-9a-f]{16}/1", path_of(chapter))
    assert "A start" in chapter.visible_text
    study = path_of(chapter).rpartition("/")[0]
    for visitor in (bob, nobody, visitors["Carol"]):
        assert [(await visitor.get(path)).status for path in (study, path_of(chapter))] == [404, 404]
    assert "Endings" not in (await bob.get("/@Ada")).text
    # By its link.
    await share(env, chapter, StudyAudience.LINK)
    for visitor in (bob, nobody):
        page = await visitor.get(study)
        assert ("First try" in page.text, "Delete study" in page.text) == (True, False)
        assert 'content="noindex"' in page.text
        shown = await visitor.get(f"{path_of(chapter)}?at=2")
        assert COMMENT.splitlines()[1] in shown.text
        assert "Save changes" not in shown.text
    assert "Endings" not in (await bob.get("/@Ada")).text
    # A move leads to a board of one's own.
    moved = await bob.get(f"{path_of(chapter)}?at=2&text=A1")
    assert path_of(moved).startswith("/analysis/morphos/")
    assert "chapter=" not in moved.url
    copied = await save(bob, board_link(moved), study_name="Second try")
    assert path_of(copied).rpartition("/")[0] != study
    # Public.
    await share(env, chapter, StudyAudience.PUBLIC)
    assert "Endings" in (await nobody.get("/@Ada")).text
    assert "@Ada" in (await nobody.get(study)).text
    await env.matches.visibility.set_alias(ALICE, "The Quill", now=env.clock())
    hidden = await nobody.get(study)
    assert not any(name in hidden.text for name in ("@Ada", "Alice", "Quill"))
    assert "Endings" in (await alice.get("/studies")).text
    assert "Endings" not in (await bob.get("/studies")).text


def full_board() -> AnalysisBoard:
    """Return a board whose link has no room for another character of a comment."""
    signs = "".join(chr(0x4E00 + 7919 * number % 20_000) for number in range(2000))
    board = BOARD.at(0).with_comment(signs[:1000]).at(1)
    for number in range(2000, 1000, -1):
        with suppress(Refusal):
            return board.with_comment(signs[1000:number])
    raise AssertionError(board)


async def test_owner_changes_a_chapter_as_long_as_a_link_can_be(visitors: dict[str, Visitor]) -> None:
    alice, board = visitors["Alice"], full_board()
    assert len(board.state_text()) > MAX_LINK_LENGTH - len("&chapter=0123456789abcdef.1.1")
    chapter = await save(alice, board.url())
    for step in range(3):
        page = await alice.get(f"{path_of(chapter)}?at={step}")
        assert page.status == 200
    shorter = await alice.post(link_to(page, "/analysis/"), data={"comment": ""})
    saved = await alice.post(link_to(shorter, "/study/save"), data={"replace": "1"})
    assert path_of(saved) == path_of(chapter)


def test_comment_keeps_its_direction_and_its_signs() -> None:
    assert clean_comment(" a\u202eb\u2066\0\r\nc 👩\u200d👧 \ud800") == "ab\nc 👩\u200d👧"


async def test_link_of_a_private_chapter_is_that_of_its_board(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    alice, nobody = visitors["Alice"], visitors["nobody"]
    chapter = await save(alice, BOARD.url())
    for is_shared in (False, True):
        if is_shared:
            await share(env, chapter, StudyAudience.LINK)
        page = await alice.get(f"{path_of(chapter)}?at=1")
        [copied] = re.findall(r'data-copy="([^"]+)"', page.text)
        seen = await nobody.get(urlsplit(unescape(copied))._replace(scheme="", netloc="").geturl())
        assert (seen.status, "A start" in log(seen)) == (200, True)
        assert (path_of(seen) == path_of(chapter)) == is_shared


async def test_link_to_a_deleted_chapter_leads_to_the_others(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    chapter = await save(visitors["Alice"], BOARD.url())
    key = await share(env, chapter, StudyAudience.LINK)
    page = await visitors["nobody"].get(f"/study/{key}/2")
    assert (page.status, f'href="{path_of(chapter)}' in page.text) == (404, True)
    assert "does not exist any more" in page.visible_text


async def test_form_sent_twice_makes_one_study(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    saved = [await save(visitors["Alice"], BOARD.url(), number="1" * 32) for _ in range(2)]
    assert path_of(saved[0]) == path_of(saved[1])
    [study] = await env.matches.studies.list_own(ALICE.account)
    assert study.chapters == 1


async def test_second_window_does_not_overwrite_a_chapter(visitors: dict[str, Visitor]) -> None:
    alice = visitors["Alice"]
    chapter = await save(alice, BOARD.url())
    windows = [await alice.get(f"{path_of(chapter)}?at=2&text={move}") for move in ("A1", "B2")]
    assert all("Save changes" in page.text for page in windows)
    first, second = [
        await alice.post(link_to(page, "/study/save"), data={"replace": "1"}) for page in windows
    ]
    assert (path_of(first), "A1" in log(first)) == (path_of(chapter), True)
    assert (second.status, "changed in another window" in second.visible_text) == (409, True)
    assert "B2" not in log(await alice.get(path_of(chapter)))
    # The board is still there: in a new chapter, or instead of the other one.
    key = path_of(chapter).split("/")[2]
    added = await alice.post(link_to(second, "/study/save"), data={"study": key, "name": "Second try"})
    assert (path_of(added), "B2" in log(added)) == (f"/study/{key}/2", True)
    [revision] = re.findall(r'name="replace" value="(\d+)"', second.text)
    replaced = await alice.post(link_to(second, "/study/save"), data={"replace": revision})
    assert (path_of(replaced), "B2" in log(replaced)) == (path_of(chapter), True)
    again = await alice.post(link_to(second, "/study/save"), data={"replace": revision})
    assert again.status == 200  # a double click


async def test_comment_that_is_being_written_is_saved_with_the_changes(visitors: dict[str, Visitor]) -> None:
    alice = visitors["Alice"]
    chapter = await save(alice, BOARD.url())
    page = await alice.get(f"{path_of(chapter)}?at=2&text=A1")
    assert re.search(r'form="comment-edit" formaction="/study/save[^"]+" name="replace"', page.text)
    action = link_to(page, "/study/save")
    long = await alice.post(action, data={"replace": "1", "comment": "z" * 1001})
    assert (long.status, "A1" in log(await alice.get(path_of(chapter)))) == (400, False)
    saved = await alice.post(action, data={"replace": "1", "comment": "The corner"})
    assert "The corner" in log(saved)


@pytest.mark.plain("titles have names that are typed")
async def test_board_of_a_deleted_chapter_is_not_lost(visitors: dict[str, Visitor]) -> None:
    alice = visitors["Alice"]
    chapter = await save(alice, BOARD.url())
    page = await alice.get(f"{path_of(chapter)}?at=2&text=A1")
    action = link_to(page, "/study/save")
    await alice.post(path_of(chapter), data={"act": "delete"})
    gone = await alice.post(action, data={"replace": "1"})
    assert (gone.status, "save your board as a new chapter" in gone.visible_text) == (404, True)
    key = path_of(chapter).split("/")[2]
    added = await alice.post(action, data={"study": key, "name": "Again"})
    assert path_of(added) == f"/study/{key}/2"  # the number of the deleted one is not given again
    assert (await alice.get(path_of(chapter))).status == 404


async def test_chapter_is_a_record_with_its_other_lines_in_comments(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    alice, nobody = visitors["Alice"], visitors["nobody"]
    chapter = await save(alice, BOARD.url())
    link = link_to(chapter, f"{path_of(chapter)}/record.txt")
    assert (await nobody.get(link)).status == 404
    await share(env, chapter, StudyAudience.LINK)
    answer = await nobody.get(link)
    record = parse_record(answer.text, GAMES)
    assert dict(record.other_headers) == {"Study": "Endings", "Chapter": "First try"}
    assert (record.comment, record.start, record.result) == ("A start", str(START), None)
    assert [(one.move, one.comment) for one in record.entries] == [
        ("C3", ""),
        ("D4", f'{COMMENT}\n(2. E5 "also good")'),
    ]
    opened = read_game(answer.text.encode(), GAMES)
    assert (opened.start, opened.lines) == (START, BOARD.lines)
    assert dict(opened.comments) == dict(BOARD.comments)


@pytest.mark.parametrize("game", GAMES)
async def test_chapter_with_a_decided_game_is_a_record(game: str, visitors: dict[str, Visitor]) -> None:
    position, moves = GAMES[game].initial_position(**GAMES[game].first_options), list[str]()
    start = position
    while position.to_move is not None and len(moves) < 60:
        move = position.legal_moves()[-1]
        moves.append(str(move))
        position = position.play(move)
    chapter = await save(visitors["Alice"], AnalysisBoard(start).with_moves(*moves).url())
    record = parse_record((await visitors["Alice"].get(f"{path_of(chapter)}/record.txt")).text, GAMES)
    assert [one.move for one in record.entries] == moves
    assert record.result == position.outcome


@pytest.mark.plain("titles have names that are typed")
async def test_study_is_a_file_of_the_records_that_one_may_see(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    alice, nobody = visitors["Alice"], visitors["nobody"]
    match = await env.start_match(audience=Audience.PLAYERS)
    await env.play(match.id)
    await env.matches.resign(match.id, BOB, now=env.clock())
    chapter = await save(alice, f"/m/{match.id}/analysis", name="../Round 1: 三浦")
    study = path_of(chapter).rpartition("/")[0]
    await save(alice, BOARD.url(), study=study.rpartition("/")[2])
    await share(env, chapter, StudyAudience.LINK)
    files: list[dict[str, str]] = []
    for visitor in (alice, nobody):
        async with visitor.session.get(f"{visitor.base}{study}/records.zip") as answer:
            assert answer.content_type == "application/zip"
            with zipfile.ZipFile(io.BytesIO(await answer.read())) as archive:
                files.append({one: archive.read(one).decode() for one in archive.namelist()})
    assert [[*one] for one in files] == [["01 Round 1 三浦.txt", "02 First try.txt"], ["02 First try.txt"]]
    record = parse_record(files[0]["01 Round 1 三浦.txt"], GAMES)
    assert record.players == (ALICE.name, BOB.name)
    assert record.reason == "resigned"
    assert (await nobody.get(f"{path_of(chapter)}/record.txt")).status == 404


@pytest.mark.plain("titles have names that are typed")
async def test_owner_orders_and_renames_chapters(visitors: dict[str, Visitor]) -> None:
    alice = visitors["Alice"]
    chapter = await save(alice, BOARD.url(), name="One")
    study = path_of(chapter).rpartition("/")[0]
    key = study.rpartition("/")[2]
    for name in ("Two", "Three"):
        await save(alice, BOARD.url(), study=key, name=name)

    def names(page: PageResponse) -> list[str]:
        return re.findall(r'<li><a href="[^"]+"><bdi>([^<]+)</bdi>', page.text)

    assert names(await alice.get(study)) == ["One", "Two", "Three"]
    await alice.post(f"{study}/3", data={"act": "up"})
    assert names(await alice.post(f"{study}/1", data={"act": "down"})) == ["Three", "One", "Two"]
    assert names(await alice.post(f"{study}/3", data={"act": "up"})) == ["Three", "One", "Two"]
    assert names(await alice.post(f"{study}/2", data={"act": "rename", "name": " Dos "}))[2] == "Dos"
    refused = await alice.post(f"{study}/2", data={"act": "rename", "name": " "})
    assert (refused.status, names(refused)[2]) == (400, "Dos")
    assert "Chapter 2 of 3" in (await alice.get(f"{study}/1")).visible_text
    await alice.post(f"{study}/delete")
    assert (await alice.get(study)).status == 404


async def test_only_the_owner_changes_a_study(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    chapter = await save(visitors["Alice"], BOARD.url())
    key = await share(env, chapter, StudyAudience.PUBLIC)
    study = f"/study/{key}"
    own = await visitors["Alice"].get(f"{study}/1?at=2&text=A1")
    for name, status in (("Bob", 404), ("Carol", 404), ("nobody", 403)):
        visitor = visitors[name]
        answers = [
            await visitor.post(study, data={"name": "Second try", "audience": "public"}),
            await visitor.post(f"{study}/delete"),
            await visitor.post(f"{study}/1", data={"act": "delete"}),
            await visitor.post(f"{study}/1", data={"act": "rename", "name": "Second try"}),
        ]
        assert [answer.status for answer in answers] == [status] * 4
        # With a link that the owner has passed on.
        assert "Save changes" not in (await visitor.get(board_link(own))).text
        await visitor.post(link_to(own, "/study/save"), data={"replace": "1"})
    page = await visitors["Alice"].get(f"{study}/1")
    assert ("First try" in page.text, "A1" in log(page)) == (True, False)


async def test_board_waits_for_whoever_signs_in(visitors: dict[str, Visitor]) -> None:
    nobody = visitors["nobody"]
    page = await nobody.get(link_to(await nobody.get(BOARD.url()), "/study/save"))
    assert "Sign in to save" in page.visible_text
    assert "next=%2Fstudy%2Fsave" in page.text
    sent = await nobody.post(link_to(page, "/analysis/").replace("/analysis", "/study/save/analysis", 1))
    assert "Sign in to save" in sent.visible_text
    long = AnalysisBoard(START).with_comment("".join(map(chr, range(0x4E00, 0x4E00 + 900))))
    page = await nobody.get(link_to(await nobody.get(long.url()), "/study/save"))
    assert "new tab" in page.visible_text


async def test_chapter_of_a_match_is_shown_to_whoever_may_see_the_match(
    env: WebEnvironment, visitors: dict[str, Visitor], database: Database
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    await env.matches.resign(match.id, BOB, now=env.clock())
    alice, nobody = visitors["Alice"], visitors["nobody"]
    page = await alice.get(f"/m/{match.id}/analysis?at=0&text=F1-F4")
    chapter = await save(alice, board_link(page))
    await share(env, chapter, StudyAudience.LINK)
    assert "F1-F4" in log(await nobody.get(path_of(chapter)))
    async with database.transaction() as connection:
        closed = update(MATCHES).where(MATCHES.c.id == match.id).values(audience=Audience.PLAYERS.value)
        await connection.execute(closed)
    hidden = await nobody.get(path_of(chapter))
    assert hidden.status == 404
    assert "a match that you may not see" in hidden.visible_text
    assert 'class="button primary" href="/signin?next=%2Fstudy%2F' in hidden.text
    assert not any(move in hidden.text for move in ("F1-F4", "D1-D4"))
    assert "F1-F4" in log(await alice.get(path_of(chapter)))
    key = StudyKey(path_of(chapter).split("/")[2])
    _, stored = await env.matches.studies.load_chapter(key, 1, None)
    assert "D1-D4" not in stored.board.state


@pytest.mark.long
@pytest.mark.plain("titles have names that are typed")
async def test_shared_study_is_reported_and_hidden(
    env: WebEnvironment, database: Database, visitors: dict[str, Visitor]
) -> None:
    alice, bob, carol = visitors["Alice"], visitors["Bob"], visitors["Carol"]
    chapter = await save(alice, BOARD.url(), study_name="<i>Insult</i>")
    key = StudyKey(path_of(chapter).split("/")[2])
    private = await bob.post("/report", data={"study": key, "text": "This is an insult."})
    assert private.status == 404
    await env.matches.studies.change(key, ALICE.account, "<i>Insult</i>", StudyAudience.LINK, now=env.clock())
    form = await bob.get(link_to(await bob.get(f"/study/{key}"), "/report"))
    assert "see the study and its name" in form.visible_text
    await bob.post("/report", data={"study": key, "text": "This is an insult."})
    reports = await carol.get("/moderation")
    assert f'href="/study/{key}"' in reports.text
    assert "<i>Insult" not in reports.text
    moderation = f"/study/{key}/moderation"
    assert (await bob.post(moderation, data={"hide": "1", "reason": "no"})).status == 404
    assert (await carol.post(moderation, data={"hide": "1", "reason": ""})).status == 400
    data = {"act": "hide_study", "reason": "An insult"}  # on a page that does not know the study
    assert (await carol.post(f"/moderation/{ALICE.account}", data=data)).status == 400
    hidden = await carol.post(moderation, data={"hide": "1", "reason": "An insult"})
    assert "Show study again" in hidden.visible_text
    assert (await bob.get(f"/study/{key}")).status == 404
    assert (await bob.get(path_of(chapter))).status == 404
    assert "Their reason: An insult" in (await alice.get(f"/study/{key}")).visible_text
    acts = (await carol.get(f"/moderation/{ALICE.account}")).text.partition('id="acts"')[2]
    assert "Study hidden" in acts
    assert f'<a href="/study/{key}"><bdi>&lt;i&gt;Insult&lt;/i&gt;</bdi></a>' in acts
    env.clock.advance(minutes=1)
    other = await share(env, await save(alice, BOARD.at(0).url(), study_name="Other"), StudyAudience.LINK)
    await carol.post(f"/study/{other}/moderation", data={"hide": "1", "reason": "An advertisement"})
    for hidden_study, reason in ((key, "An insult"), (other, "An advertisement")):
        assert f"Their reason: {reason}" in (await alice.get(f"/study/{hidden_study}")).visible_text
    await carol.post(moderation, data={"show": "1", "reason": "Renamed"})
    assert (await bob.get(f"/study/{key}")).status == 200
    await env.matches.studies.delete(key, ALICE.account)  # what was done to it stays in the log
    person = await env.context.matches.moderation.find_person(CAROL.account, ALICE.account)
    assert [(one.act, one.study, one.study_name) for one in person.acts] == [
        (Act.SHOW_STUDY, key, "<i>Insult</i>"),
        (Act.HIDE_STUDY, other, "Endings"),
        (Act.HIDE_STUDY, key, "<i>Insult</i>"),
    ]
    await env.matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=env.clock())
    async with database.read() as connection:
        names = set(await connection.scalars(select(MODERATION_LOG.c.study_name)))
    assert names == {None}
