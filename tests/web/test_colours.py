"""The menu of every page: light and dark pages, by default as the system's; preferences of board pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.environment import ALICE

if TYPE_CHECKING:
    from tests.web.environment import PageResponse, Visitor, WebEnvironment


@pytest.mark.long
async def test_pages_follow_the_system_until_the_visitor_chooses(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    for path in ("/", "/rules", "/learn/morelli/1", f"/m/{match.id}/seat/1?answers=D1", "/nothing"):
        page = await visitor.get(path)
        assert "data-colours" not in page.text
        assert '<meta name="color-scheme" content="light dark">' in page.text
        assert 'name="colours" value="system" aria-pressed="true"' in page.text
    path = f"/m/{match.id}/seat/1?answers=D1"
    for colours in ("dark", "light"):
        page = await visitor.post("/colours", data={"colours": colours}, headers=sent_from(env, path))
        assert page.url == path
        for shown in (page, await visitor.get("/rules")):
            assert f'data-colours="{colours}"' in shown.text
            assert f'name="colours" value="{colours}" aria-pressed="true"' in shown.text
    page = await visitor.post("/colours", data={"colours": "system"}, headers=sent_from(env, path))
    assert "data-colours" not in page.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/m/1/seat/1/play", "/m/1/seat/1"),  # a refused turn, shown in answer to its form
        ("/nothing/at/all", "/"),
        ("//elsewhere.example/rules", "/"),
    ],
)
async def test_menu_leads_back_to_a_page_that_can_be_opened(
    env: WebEnvironment, visitor: Visitor, before: str, after: str
) -> None:
    match = await env.start_match()
    await env.take_seat(visitor, match.id, ALICE)
    page = await visitor.post("/colours", data={"colours": "dark"}, headers=sent_from(env, before))
    assert (page.status, page.url) == (200, after)
    page = await visitor.post("/colours", data={"colours": "dark"})
    assert (page.status, page.url) == (200, "/")


@pytest.mark.long
async def test_preferences_of_board_pages_are_off_until_the_visitor_turns_them_on(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    assert preferences(await visitor.get("/")) == {}
    assert preferences(await visitor.get(f"/m/{match.id}")) == {"sound": "false"}
    page = await visitor.get(seat)
    assert 'id="preferences" hidden' in page.text  # without scripts they would do nothing
    assert preferences(page) == {"at_once": "false", "sound": "false", "notify": "false"}
    page = await visitor.post(
        "/preferences", data={"at_once": "on", "sound": "loud", "other": "on"}, headers=sent_from(env, seat)
    )
    assert page.url == seat
    assert preferences(page) == {"at_once": "true", "sound": "false", "notify": "false"}
    await visitor.post("/preferences", data={"sound": "on"}, headers=sent_from(env, seat))
    assert preferences(await visitor.get(seat)) == {"at_once": "true", "sound": "true", "notify": "false"}
    page = await visitor.post("/preferences", data={"at_once": ""}, headers=sent_from(env, seat))
    assert preferences(page) == {"at_once": "false", "sound": "true", "notify": "false"}
    assert (await visitor.post("/preferences", data={"sound": ""}, headers={})).status == 403


def preferences(page: PageResponse) -> dict[str, str]:
    """Return the preferences that a page offers, and whether they are on."""
    form = page.text.partition('action="/preferences"')[2].partition("</form>")[0]
    return dict(re.findall(r'<button name="([^"]+)" value="[^"]*" aria-pressed="(\w+)"', form))


def sent_from(env: WebEnvironment, path: str) -> dict[str, str]:
    """Return the headers of a form that was sent from the page at `path`."""
    return {"Sec-Fetch-Site": "same-origin", "Referer": f"{env.base}{path}"}
