"""The form to report a player, and the pages of moderators."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from matches import Person, Refusal
from matches.names import fold_name
from matches.platforms import WEB, WEBSITE
from storage.tables import PEOPLE
from tests.games import TEXTS
from tests.web.environment import SIGN_IN_SETTINGS, running_web
from web.errors import format_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

PAGE = {"Accept": "text/html"}
MOD = Person("discord:100000000000000001", "Mod")
ANNA, BEN, CLEO = (
    Person(f"{WEB}:{number:024x}", name) for number, name in enumerate(("Anna", "Ben", "Cleo"), 10)
)
TEXT = "<script>alert(1)</script> & worse"
WHY = "<b>Insults</b>"


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, moderators=MOD.account, **SIGN_IN_SETTINGS) as started:
        for person in (MOD, ANNA, BEN, CLEO):
            await started.start_seat_session(person)
        async with database.transaction() as connection:
            for person in (ANNA, BEN, CLEO):
                named = {"handle": person.name, "folded_handle": fold_name(person.name)}
                where = PEOPLE.c.account == person.account
                await connection.execute(update(PEOPLE).where(where).values(named))
        yield started


@pytest.fixture
async def visitors(env: WebEnvironment) -> AsyncIterator[dict[str, Visitor]]:
    """Return browsers in which the moderator and the players are signed in, by name."""
    async with AsyncExitStack() as stack:
        found = {}
        for person in (MOD, ANNA, BEN, CLEO):
            visitor = await stack.enter_async_context(env.visitor())
            secret = await env.start_seat_session(person)
            visitor.session.cookie_jar.update_cookies({"session": secret})
            found[person.name] = visitor
        yield found


async def send_report(visitor: Visitor, text: str = TEXT, **subject: Any) -> int:
    return (await visitor.post("/report", data={**subject, "text": text}, allow_redirects=False)).status


async def decide(visitor: Visitor, act: str, about: Person = BEN, **fields: str) -> int:
    data = {"act": act, "reason": WHY, **fields}
    answer = await visitor.post(f"/moderation/{about.account}", data=data, allow_redirects=False)
    return answer.status


async def test_report_reaches_moderators_escaped(visitors: dict[str, Visitor]) -> None:
    form = await visitors["Anna"].get("/report?about=@Ben", headers=PAGE)
    assert (form.status, "Ben" in form.text, 'name="about" value="@Ben"' in form.text) == (200, True, True)
    assert await send_report(visitors["Anna"], about="@Ben") == 303
    for path in ("/moderation", f"/moderation/{BEN.account}", "/moderation/@ben"):
        page = await visitors["Mod"].get(path, headers=PAGE)
        assert page.status == 200
        assert "<script>alert" not in page.text
        assert TEXT in page.visible_text


@pytest.mark.parametrize("text", ["short", "x" * 1001])
async def test_refused_report_is_shown_again(visitors: dict[str, Visitor], text: str) -> None:
    answer = await visitors["Anna"].post("/report", data={"about": "@Ben", "text": text})
    assert answer.status == 400
    assert f"{text}</textarea>" in answer.text
    assert 'role="alert"' in answer.text


async def test_report_is_sent_once(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    assert [await send_report(visitors["Anna"], about="@Ben") for _ in range(2)] == [303, 303]
    assert len(await env.context.matches.moderation.list_open(MOD.account, limit=9)) == 1
    assert await send_report(visitors["Anna"], "Something else happened.", about="@Ben") == 409


@pytest.mark.parametrize(
    "subject", ["about=@nobody", "about=", "challenge=99", "challenge=x", "match=99", "match=-1", ""]
)
async def test_unknown_subject_is_not_found(visitors: dict[str, Visitor], subject: str) -> None:
    assert (await visitors["Anna"].get(f"/report?{subject}", headers=PAGE)).status == 404


async def test_private_match_of_others_answers_like_an_unknown_one(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    match = await env.start_match(people=(ANNA, BEN), audience=None)
    pages = [
        (await visitors["Cleo"].get(f"/report?match={number}", headers=PAGE)) for number in (match.id, 999)
    ]
    assert [page.status for page in pages] == [404, 404]
    private, unknown = (page.text.split("<main")[1] for page in pages)
    assert private == unknown
    assert await send_report(visitors["Cleo"], match=match.id, player=1) == 404
    assert await send_report(visitors["Anna"], match=match.id) == 303


async def test_spectator_chooses_the_player(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    match = await env.start_match(people=(ANNA, BEN))
    form = await visitors["Cleo"].get(f"/report?match={match.id}", headers=PAGE)
    assert form.text.count('type="radio"') == 2
    assert await send_report(visitors["Cleo"], match=match.id, player=2) == 303
    (report,) = await env.context.matches.moderation.list_open(MOD.account, limit=9)
    assert report.about == BEN.account


async def test_player_of_a_match_of_the_website_finds_the_form(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    match = await env.start_match(people=(ANNA, BEN), server=WEBSITE)
    page = await visitors["Anna"].get(f"/m/{match.id}/seat/1", headers=PAGE)
    assert f'href="/report?match={match.id}"' in page.text


async def test_form_asks_to_sign_in(visitor: Visitor) -> None:
    answer = await visitor.get("/report?about=@Ben", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/signin?next=%2Freport%3Fabout%3D%40Ben")
    assert (await visitor.post("/report", data={"about": "@Ben", "text": TEXT})).status == 403


@pytest.mark.parametrize("name", ["Anna", ""])
async def test_pages_of_moderators_do_not_exist_for_others(
    visitor: Visitor, visitors: dict[str, Visitor], name: str
) -> None:
    await send_report(visitors["Anna"], about="@Ben")
    other = visitors[name] if name else visitor
    missing = await other.get("/nothing", headers=PAGE)
    for path in ("/moderation", "/moderation/@ben", "/moderation/@nobody", f"/moderation/{BEN.account}"):
        found = await other.get(path, headers=PAGE)
        assert found.status == 404
        # The link to sign in leads back to each page.
        assert found.text.replace("%2Fmoderation", "").split("<main")[1] == missing.text.split("<main")[1]
    assert await decide(other, "close") == 404
    assert 'href="/moderation"' not in (await other.get("/", headers=PAGE)).text
    assert 'href="/moderation"' in (await visitors["Mod"].get("/", headers=PAGE)).text


async def test_decisions_need_a_reason_and_are_kept_once(visitors: dict[str, Visitor]) -> None:
    page = await visitors["Mod"].post(
        f"/moderation/{BEN.account}",
        data={"act": "exclude", "reason": " "},
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert (page.status, 'role="alert"' in page.text) == (400, True)
    for _ in range(2):
        assert await decide(visitors["Mod"], "exclude") == 303
    page = await visitors["Mod"].get(f"/moderation/{BEN.account}", headers=PAGE)
    assert page.text.count("&lt;b&gt;Insults") == 1
    assert (page.text.count('value="readmit"'), page.text.count('value="exclude"')) == (1, 0)


@pytest.mark.parametrize(
    ("about", "act", "status"),
    [(MOD, "warn", 409), (Person("web:nobody", "?"), "warn", 404), (BEN, "unknown", 400)],
    ids=["self", "unknown", "no such act"],
)
async def test_what_moderators_cannot_decide(
    visitors: dict[str, Visitor], about: Person, act: str, status: int
) -> None:
    assert await decide(visitors["Mod"], act, about) == status


async def test_report_is_closed(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    await send_report(visitors["Anna"], about="@Ben")
    (report,) = await env.context.matches.moderation.list_open(MOD.account, limit=9)
    for number in ("x", "99", ""):
        assert await decide(visitors["Mod"], "close_report", report=number) == 404
    assert await decide(visitors["Mod"], "close_report", report=str(report.id)) == 303
    assert TEXT not in (await visitors["Mod"].get("/moderation", headers=PAGE)).visible_text


async def test_warning_stays_on_top_until_it_is_confirmed(
    env: WebEnvironment, visitors: dict[str, Visitor]
) -> None:
    await decide(visitors["Mod"], "warn")
    warning = await env.context.matches.moderation.find_unread_warning(BEN.account)
    assert warning is not None
    for path in ("/", "/rules", "/nothing"):
        page = await visitors["Ben"].get(path, headers=PAGE)
        assert WHY in page.visible_text
        assert WHY not in page.text
    assert WHY not in (await visitors["Anna"].get("/", headers=PAGE)).visible_text
    back = {"Sec-Fetch-Site": "same-origin", "Referer": f"{env.base}/rules"}
    form = {"warning": str(warning.id)}
    await visitors["Anna"].post("/account/warning", data=form)
    assert await env.context.matches.moderation.find_unread_warning(BEN.account) == warning
    answer = await visitors["Ben"].post("/account/warning", back, data=form, allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/rules")
    assert WHY not in (await visitors["Ben"].get("/", headers=PAGE)).visible_text


async def test_closed_account_is_signed_out(visitors: dict[str, Visitor]) -> None:
    await decide(visitors["Mod"], "close")
    assert "Ben" not in (await visitors["Ben"].get("/account", headers=PAGE, allow_redirects=False)).text
    assert (await visitors["Ben"].post("/report", data={"about": "@Anna", "text": TEXT})).status == 403


@pytest.mark.long
async def test_list_of_reports_has_pages(env: WebEnvironment, visitors: dict[str, Visitor]) -> None:
    people = [Person(f"{WEB}:{number:024x}", f"Writer {number}") for number in range(100, 121)]
    for person in people:
        async with env.visitor() as visitor:
            secret = await env.start_seat_session(person)
            visitor.session.cookie_jar.update_cookies({"session": secret})
            await send_report(visitor, f"From {person.name}, who saw it.", about="@Ben")
    first = await visitors["Mod"].get("/moderation", headers=PAGE)
    assert (first.text.count("who saw it"), "Writer 100" in first.text) == (20, False)
    second = await visitors["Mod"].get("/moderation?before=2", headers=PAGE)
    assert (second.text.count("who saw it"), "Writer 100" in second.text) == (1, True)


@pytest.mark.parametrize("key", ["account_closed", "excluded_from_website"])
def test_whoever_is_refused_reads_the_whole_reason(key: str) -> None:
    reason = " ".join(["Insults"] * 37)
    assert reason in format_error(TEXTS, Refusal(key, reason=reason))
