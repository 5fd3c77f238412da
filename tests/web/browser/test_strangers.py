"""Two strangers on a public website: from the front page to the end of a game, told by push and by mail.

Everything is real but the notifications of the phone's browser: its subscription is one of a push service on
loopback, which decrypts what arrives.
"""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from mail import app as mail_app
from matches import Database, MatchState
from matches.notices.values import DELAYS, Way
from push import app as push_app
from runtime.settings import parse_settings
from tests.discord_server.waiting import PATIENCE, Signal
from tests.games import GAMES, TEXTS
from tests.mail.smtp_server import running_smtp
from tests.push.service import HOST, running_service
from tests.web.browser.steps import CONFIRM, has_played, has_turns
from tests.web.browser.test_push import TURN_ON, asked, subscribes
from tests.web.chromium import is_accessible, open_window, save_screenshot
from tests.web.environment import SECRET, running_web
from web.mail_links import WebMailLinks
from web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from email.message import EmailMessage
    from pathlib import Path

    from playwright.async_api import Browser, Page

    from matches import MatchView
    from tests.mail.smtp_server import SmtpServer
    from tests.push.service import PushService, Received, StubBrowser
    from tests.web.environment import WebEnvironment

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]

PHIL, DORA = "phil@phone.example", "dora@desk.example"
# The shortest game: Black joins top and bottom of the smallest board, while White stays at the edge.
BLACK, WHITE = ("C3", "C2", "C4", "C1", "C5"), ("A1", "A5", "A2", "A4")


@dataclass(slots=True)
class World:
    """A public website that sends mails and pushes, and what has arrived."""

    env: WebEnvironment
    smtp: SmtpServer
    service: PushService
    arrived: Signal

    async def mail_to(self, address: str, subject: str) -> EmailMessage:
        def find() -> list[EmailMessage]:
            found = zip(self.smtp.recipients, self.smtp.mails, strict=True)
            return [mail for to, mail in found if to == address and subject in str(mail["Subject"])]

        return (await self.arrived.until(find, PATIENCE, f"a mail: {subject}"))[0]

    async def push_to(self, name: str, title: str) -> Received:
        def find() -> list[Received]:
            received = self.service.browsers[name].received
            return [one for one in received if title in one.payload["title"]]

        return (await self.arrived.until(find, PATIENCE, f"a push: {title}"))[0]


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@asynccontextmanager
async def running_world(sqlite_url: str, folder: Path) -> AsyncIterator[World]:
    async with running_smtp() as smtp, running_service(folder) as service:
        arrived = Signal()
        smtp.on_stage, service.on_push = lambda _stage: arrived.notify(), arrived.notify
        settings: dict[str, Any] = {
            "mail_url": f"smtp://127.0.0.1:{smtp.port}",
            "mail_from": "Rayuela <play@example.org>",
            "push_hosts": HOST,
        }
        async with (
            await Database.open(sqlite_url) as database,
            running_web(database, has_mail=True, **settings) as env,
        ):
            context, parsed = env.context, parse_settings(WebSettings, settings)
            transport = mail_app.choose_transport(parsed, TEXTS, is_own_machine=False)
            async with (
                mail_app.serve(
                    context.matches,
                    parsed,
                    WebMailLinks(context),
                    SECRET,
                    transport=transport,
                    steps=context.steps,
                    now=env.clock,
                ),
                push_app.serve(
                    context.matches,
                    context.texts,
                    env.clock,
                    context.steps,
                    contact=parsed.push_contact,
                    more_hosts=parsed.push_hosts,
                    authority=service.authority,
                ),
            ):
                yield World(env, smtp, service, arrived)


async def sign_in(world: World, page: Page, address: str, name: str) -> None:
    """Come to the front page, and sign in with the code of a mail."""
    await page.goto(world.env.base)
    await page.get_by_role("link", name="Sign in").first.click()
    await page.fill("[name=address]", address)
    await page.click("main form button.primary")
    await page.wait_for_url("**/signin/code")
    found = re.search(r"^\d{6}$", text_of(await world.mail_to(address, "code")), re.MULTILINE)
    assert found is not None
    await page.fill("[name=code]", found[0])
    await page.click("main form button.primary")
    await page.wait_for_url("**/signin/name")
    await page.fill("[name=name]", name)
    await page.click("main form button.primary")
    await expect(page.locator(".account .name")).to_have_text(name)


async def choose_push_alone(world: World, page: Page) -> None:
    """Switch notifications on, and mail off for all kinds."""
    await page.goto(f"{world.env.base}/account/notices")
    await page.get_by_role("button", name=TURN_ON).click()
    await expect(page.get_by_text("This device shows notifications.")).to_be_visible()
    for box in await page.locator('input[name$=".mail"]').all():
        await box.uncheck()
    await page.get_by_role("button", name="Save", exact=True).first.click()
    await expect(page.locator('input[name="turn.mail"]')).not_to_be_checked()


async def play(page: Page, cell: str, turns: int) -> None:
    """Place a stone on the board page, with which there are so many turns."""
    await page.wait_for_load_state()  # until its scripts run, a click is a visit of another page
    await page.locator(f'.cells .open[data-cell="{cell}"]').click()
    await page.locator(CONFIRM).click()
    await has_played(page, turns)
    await page.wait_for_load_state()


async def prepare(world: World, phone: Page, desk: Page) -> StubBrowser:
    """Sign both in; Phil wants to be told on his phone alone. Return what his browser is for its service."""
    device = world.service.browser("phone")
    subscription = subscribes(device.endpoint, p256dh=device.p256dh, auth=device.auth_text)
    for script in (asked("granted"), subscription):
        await phone.add_init_script(script)
    await sign_in(world, phone, PHIL, "Phil")
    await choose_push_alone(world, phone)
    await sign_in(world, desk, DORA, "Dora")
    return device


async def meet(world: World, phone: Page, desk: Page) -> MatchView:
    """Have Phil challenge anyone from his phone and leave, and Dora accept on the front page."""
    await phone.goto(world.env.base)
    await phone.get_by_role("link", name="Create a challenge").click()
    await phone.locator("[name=game][value=morphos]").check()
    await phone.locator("summary", has_text="Options of Morphos").click()
    await phone.locator('[name="morphos:size"]').select_option("5")
    await phone.locator('[name="morphos:side"]').select_option(GAMES["morphos"].sides[1].value)
    await phone.get_by_role("button", name="Create the challenge").click()
    await expect(phone.locator("h1")).to_have_text("Your challenge: Morphos")
    await phone.goto(f"{world.env.base}/rules")
    await desk.goto(world.env.base)
    await desk.locator("form[action$=accept] button").click()
    await desk.wait_for_url("**/seat/*")
    (match,) = await world.env.list_active()
    return match


async def test_two_strangers_meet_play_to_the_end_and_are_told(
    sqlite_url: str, tmp_path: Path, browser: Browser
) -> None:
    async with (
        running_world(sqlite_url, tmp_path) as world,
        open_window(browser, width=390, height=844, phone=True) as phone,
        open_window(browser) as desk,
    ):
        env, device = world.env, await prepare(world, phone, desk)
        match = await meet(world, phone, desk)
        await play(desk, BLACK[0], 1)
        await desk.goto(f"{env.base}/lobby")

        env.clock.advance(seconds=DELAYS[Way.PUSH].total_seconds() + 1)
        push = await world.push_to("phone", "Your turn")
        assert push.topic == f"m{match.id}"
        assert "Dora" in push.payload["title"]
        await phone.goto(f"{env.base}{push.payload['url']}")
        await is_accessible(phone)
        await save_screenshot(phone, "stranger-phone")
        await play(phone, WHITE[0], 2)

        env.clock.advance(seconds=DELAYS[Way.MAIL].total_seconds() + 1)
        mail = await world.mail_to(DORA, "Your turn against Phil")
        link = re.search(rf"{re.escape(env.base)}/m/{match.id}\S*", text_of(mail))
        assert link is not None
        await desk.goto(link[0])
        await desk.get_by_role("link", name="Back to your board").click()
        for turns, black, white in zip((3, 5, 7), BLACK[1:4], WHITE[1:], strict=True):
            await play(desk, black, turns)
            await has_turns(phone, turns)
            await play(phone, white, turns + 1)
            await has_turns(desk, turns + 1)
        await phone.goto(f"{env.base}/rules")
        await play(desk, BLACK[-1], 9)
        await expect(desk.locator("main")).to_contain_text("You won!")
        await save_screenshot(desk, "stranger-desk")

        env.clock.advance(seconds=DELAYS[Way.MAIL].total_seconds() + 1)
        over = await world.push_to("phone", "lost")
        await phone.goto(f"{env.base}{over.payload['url']}")
        await expect(phone.locator("main")).to_contain_text("Black (Dora) wins.")
        # Whoever looked at the board was told nowhere else, and Phil by push alone.
        titles = [push.payload["title"], over.payload["title"]]
        assert [one.payload["title"] for one in device.received] == titles
        assert world.smtp.recipients == [PHIL, DORA, DORA]
        assert (await env.view(match.id)).state is MatchState.OVER
