"""Passkeys in a real browser, with an authenticator that its developer tools provide."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from matches import Database
from matches.people.mail_codes import derive_code
from tests.web.chromium import is_accessible, open_window, save_screenshot
from tests.web.environment import SECRET, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, CDPSession, Page

    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

ADD, SIGN_IN = "Add a passkey", "Sign in with a passkey"
OFFER = "Next time you can sign in by fingerprint, face or PIN."
MISSING = "in a current browser that allows JavaScript"
REFUSED = "This passkey was not accepted, and nothing has changed."
# Instead of the browser's own answer: one from another page, one to another question, one of before.
FALSIFY = """(said) => {
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    const answer = (await get(options)).toJSON();
    const text = atob(answer.response.clientDataJSON.replaceAll("-", "+").replaceAll("_", "/"));
    const data = btoa(JSON.stringify({ ...JSON.parse(text), ...said }));
    answer.response.clientDataJSON = data.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    return answer;
  };
}"""
REPEAT = """(last) => { navigator.credentials.get = async () => JSON.parse(last); }"""


@pytest_asyncio.fixture(loop_scope="session")
async def env(sqlite_url: str) -> AsyncIterator[WebEnvironment]:
    async with await Database.open(sqlite_url) as database, running_web(database, has_mail=True) as started:
        # A passkey is made for a name of a host, which 127.0.0.1 is not.
        started.base = started.base.replace("127.0.0.1", "localhost")
        yield started


@asynccontextmanager
async def window_with_passkeys(browser: Browser, **size: Any) -> AsyncIterator[tuple[Page, CDPSession, str]]:
    """Open a window whose device keeps passkeys; yield it, the developer tools and the id of the device."""
    async with open_window(browser, **size) as page:
        tools = await page.context.new_cdp_session(page)
        await tools.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
        }
        added = await tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        yield page, tools, added["authenticatorId"]


async def join(env: WebEnvironment, page: Page) -> None:
    """Sign in by mail as somebody new."""
    await page.goto(f"{env.base}/signin?next=/rules")
    await page.get_by_label("Your mail address").fill("ann@heron.example")
    await page.get_by_role("button", name="Send me a code").click()
    question = await page.locator('[name="question"]').get_attribute("value")
    assert question is not None
    await page.get_by_label("The code").fill(derive_code(SECRET, question))
    await page.get_by_role("button", name="Go on").click()
    await page.get_by_label("Name").fill("Heron")
    await page.get_by_role("button", name="Create my account").click()


async def add(env: WebEnvironment, page: Page) -> None:
    await page.goto(f"{env.base}/account")
    await page.get_by_role("button", name=ADD).click()
    await expect(page.get_by_text("Not used yet")).to_be_visible()


async def sign_out(page: Page) -> None:
    await page.locator(".account summary").click()
    await page.get_by_role("button", name="Sign out", exact=True).first.click()
    await expect(page.locator("a.sign-in")).to_be_visible()


async def sign_in(env: WebEnvironment, page: Page) -> None:
    await page.goto(f"{env.base}/signin?next=/learn")
    await page.get_by_role("button", name=SIGN_IN).click()


@pytest.mark.long
async def test_player_adds_a_passkey_and_returns_with_it(env: WebEnvironment, browser: Browser) -> None:
    async with window_with_passkeys(browser, width=360, height=740, phone=True) as (page, _, _):
        await join(env, page)
        await expect(page.get_by_text(OFFER)).to_be_visible()
        await is_accessible(page)
        await save_screenshot(page, "passkey-offer")
        await page.get_by_role("link", name=ADD).click()
        await expect(page.get_by_text(OFFER)).to_have_count(0)
        await expect(page.get_by_text(MISSING)).to_be_hidden()
        await page.get_by_role("button", name=ADD).click()
        await expect(page.get_by_text("Not used yet")).to_be_visible()
        await is_accessible(page)
        await page.emulate_media(color_scheme="dark")
        await is_accessible(page, only_contrast=True)
        await save_screenshot(page, "passkey-added", whole=True)
        await page.get_by_role("button", name=ADD).click()
        await expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()
        await sign_out(page)
        await page.goto(f"{env.base}/signin?next=/learn")
        await is_accessible(page)
        await save_screenshot(page, "passkey-sign-in", whole=True)
        await page.get_by_role("button", name=SIGN_IN).click()
        await page.wait_for_url(f"{env.base}/learn")
        await expect(page.locator(".account .name")).to_have_text("Heron")
        await page.goto(f"{env.base}/account")
        passkey = page.get_by_role("list", name="Passkeys").get_by_role("listitem")
        await expect(passkey).to_contain_text("Last used May 1, 2026")
        await passkey.get_by_role("button", name="Remove").click()
        await expect(passkey).to_have_count(0)
        await sign_out(page)
        await sign_in(env, page)
        await expect(page.get_by_text(REFUSED)).to_be_visible()
        await is_accessible(page)
        await save_screenshot(page, "passkey-refused", whole=True)


@pytest.mark.long
async def test_browser_without_passkeys_shows_none(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await page.add_init_script("delete window.PublicKeyCredential;")
        await join(env, page)
        await expect(page.get_by_text(OFFER)).to_be_hidden()
        await page.goto(f"{env.base}/account")
        await expect(page.get_by_text(MISSING)).to_be_visible()
        await expect(page.get_by_role("button", name=ADD)).to_be_hidden()
        await sign_out(page)
        for base in (env.base, env.base.replace("localhost", "127.0.0.1")):
            await page.goto(f"{base}/signin")
            await expect(page.get_by_role("button", name="Send me a code")).to_be_visible()
            await expect(page.get_by_role("button", name=SIGN_IN)).to_be_hidden()


@pytest.mark.long
async def test_other_host_of_the_same_website_shows_none(env: WebEnvironment, browser: Browser) -> None:
    async with open_window(browser) as page:
        await page.goto(env.base.replace("localhost", "127.0.0.1") + "/signin")
        await expect(page.get_by_role("button", name=SIGN_IN)).to_be_hidden()


@pytest.mark.long
async def test_answer_that_does_not_count_is_refused_in_a_sentence(
    env: WebEnvironment, browser: Browser
) -> None:
    async with window_with_passkeys(browser) as (page, tools, device):
        await join(env, page)
        await add(env, page)
        await sign_out(page)
        for said in ({"origin": "https://evil.example"}, {"challenge": "b3RoZXI"}):
            await page.goto(f"{env.base}/signin")
            await page.evaluate(FALSIFY, said)
            await page.get_by_role("button", name=SIGN_IN).click()
            await expect(page.get_by_text(REFUSED)).to_be_visible()
        async with page.expect_request("**/signin/passkey") as sending:
            await sign_in(env, page)
        await page.wait_for_url(f"{env.base}/learn")
        fields = (await sending.value).post_data_json
        assert isinstance(fields, dict)
        await sign_out(page)
        await page.goto(f"{env.base}/signin")
        await page.evaluate(REPEAT, fields["answer"])
        await page.get_by_role("button", name=SIGN_IN).click()
        await expect(page.get_by_text(REFUSED)).to_be_visible()
        # A copy of the device that has counted less.
        found = await tools.send("WebAuthn.getCredentials", {"authenticatorId": device})
        (credential,) = found["credentials"]
        await tools.send("WebAuthn.clearCredentials", {"authenticatorId": device})
        copy = {**credential, "signCount": 0}
        await tools.send("WebAuthn.addCredential", {"authenticatorId": device, "credential": copy})
        await sign_in(env, page)
        await expect(page.get_by_text(REFUSED)).to_be_visible()
        await tools.send("WebAuthn.clearCredentials", {"authenticatorId": device})
        await sign_in(env, page)
        await expect(page.get_by_text("No passkey was used.")).to_be_visible()
        await expect(page.get_by_role("button", name=SIGN_IN)).to_be_enabled()
