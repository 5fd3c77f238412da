"""Browsers that show notifications: which are accepted, whose they are, and when they end."""

from base64 import urlsafe_b64encode

import pytest

from matches import ErasureChoice, Grant, Matches, Person, Session
from matches.people.push_endpoints import is_endpoint
from matches.people.push_subscriptions import MAX_BROWSERS
from tests.matches.scenario import ALICE, BOB, NOON, later, start_match
from tests.refusals import refused

GRANT = Grant(frozenset(), "token")


def encode(key: bytes) -> str:
    return urlsafe_b64encode(key).decode()


POINT, AUTH = encode(b"\4" + bytes(64)), encode(bytes(16))
ENDPOINT = "https://fcm.googleapis.com/fcm/send/{}"


async def sign_in(matches: Matches, person: Person = ALICE) -> Session:
    secret = await matches.people.sessions.start(person, GRANT, device="Firefox on Linux", now=NOON)
    session = await matches.people.sessions.find(secret, now=NOON)
    assert session is not None
    return session


async def add(matches: Matches, session: Session, name: str = "one", *, seconds: int = 0) -> None:
    endpoint, now = ENDPOINT.format(name), later(seconds=seconds)
    await matches.people.push.add(session, endpoint, p256dh=POINT, auth=AUTH, now=now)


async def names(matches: Matches, person: Person = ALICE) -> list[str]:
    found = await matches.people.push.list_for(person.account, now=later(minutes=1))
    return [one.endpoint.rpartition("/")[2] for one in found]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/a:b-C_1",
        "https://FCM.googleapis.com:443/wp/x",
        "https://jmt17.google.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://eu.updates.push.services.mozilla.com/wpush/v1/x",
        "https://db5p.notify.windows.com/w/?token=BQYAAA%3d",
        "https://web.push.apple.com/QOXx",
    ],
)
def test_service_of_a_browser_is_known(endpoint: str) -> None:
    assert is_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        *(
            "",
            "fcm",
            "https://10.0.0.1/",
            "https://127.0.0.1:8476/",
            "https://[::1]/",
            "https://evil.example/",
        ),
        *("http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "https://fcm.googleapis.com"),
        *("https://fcm.googleapis.com.evil.example/", "https://evilfcm.googleapis.com/"),
        *("https://fcm.googleapis.com@evil.example/", "https://evil.example\\@fcm.googleapis.com/"),
        *("https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:99999/x"),
        *("https://push.apple.com/x", "https://.push.apple.com/x", "https://evilpush.apple.com/x"),
        *(
            "https://fcm.googleapis.com/a b",
            "https://fcm.googleapis.com/a\r\nHost: x",
            " https://web.push.apple.com/",
        ),
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_other_address_is_refused(endpoint: str) -> None:
    assert not is_endpoint(endpoint)


@pytest.mark.parametrize(
    ("hosts", "is_allowed"),
    [((), False), (("push.example",), True), (("*.example",), True), (("*.push.example",), False)],
)
def test_operator_allows_more_hosts(hosts: tuple[str, ...], *, is_allowed: bool) -> None:
    assert is_endpoint("https://push.example:8443/x", hosts) is is_allowed


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (POINT, ""),
        (POINT[:-4], AUTH),
        (encode(b"\2" + bytes(64)), AUTH),
        (POINT, encode(bytes(17))),
        ("é" * 87, AUTH),
        (POINT * 100, AUTH),
    ],
)
async def test_key_of_another_form_is_refused(matches: Matches, p256dh: str, auth: str) -> None:
    session = await sign_in(matches)
    with refused("push_malformed"):
        await matches.people.push.add(session, ENDPOINT, p256dh=p256dh, auth=auth, now=NOON)


@pytest.mark.long
async def test_session_has_one_browser_and_an_account_few(matches: Matches) -> None:
    session = await sign_in(matches)
    for name in ("one", "two", "two"):
        await add(matches, session, name)
    assert await names(matches) == ["two"]
    for number in range(MAX_BROWSERS):
        await add(matches, await sign_in(matches), str(number), seconds=number + 1)
    assert await names(matches) == [str(number) for number in reversed(range(MAX_BROWSERS))]


async def test_browser_in_which_somebody_else_signs_in_is_theirs(matches: Matches) -> None:
    alice, bob = await sign_in(matches), await sign_in(matches, BOB)
    await add(matches, alice)
    await add(matches, bob)
    assert (await names(matches), await names(matches, BOB)) == ([], ["one"])


@pytest.mark.long
async def test_person_removes_only_their_own_browsers(matches: Matches) -> None:
    await add(matches, await sign_in(matches))
    (browser,) = await matches.people.push.list_for(ALICE.account, now=NOON)
    await matches.people.push.remove(BOB.account, [browser.id])
    assert await names(matches) == ["one"]
    await matches.people.push.remove(ALICE.account, [browser.id])
    assert await names(matches) == []


@pytest.mark.long
@pytest.mark.parametrize("is_own", [True, False])
async def test_browser_ends_with_its_session(matches: Matches, *, is_own: bool) -> None:
    sessions = [await sign_in(matches), await sign_in(matches)]
    for name, session in zip(("one", "two"), sessions, strict=True):
        await add(matches, session, name)
    await matches.people.sessions.end(ALICE.account, sessions[0].id if is_own else None)
    assert await names(matches) == (["two"] if is_own else [])
    with refused("signed_out"):
        await add(matches, sessions[0])


@pytest.mark.long
async def test_browser_of_an_expired_session_is_gone_before_and_after_it_is_deleted(matches: Matches) -> None:
    await add(matches, await sign_in(matches))
    late = later(days=30)
    assert await matches.people.push.list_for(ALICE.account, now=late) == ()
    await matches.people.sessions.delete_expired(now=late)
    assert await names(matches) == []


async def test_revoked_grant_ends_the_browsers_of_its_sessions(matches: Matches) -> None:
    await add(matches, await sign_in(matches))
    await matches.people.sessions.revoke_grant(ALICE.account, GRANT.token)
    assert await names(matches) == []


@pytest.mark.long
@pytest.mark.parametrize("choice", ErasureChoice)
async def test_browser_is_erased_with_its_person(matches: Matches, choice: ErasureChoice) -> None:
    await start_match(matches)
    await add(matches, await sign_in(matches))
    await matches.people.personal_data.erase(ALICE.account, choice, now=NOON)
    assert await names(matches) == []


@pytest.mark.long
async def test_browsers_of_joined_accounts_are_those_of_the_one_that_stays(matches: Matches) -> None:
    await add(matches, await sign_in(matches), "one")
    await add(matches, await sign_in(matches, BOB), "two", seconds=1)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=NOON)
    assert (await names(matches), await names(matches, BOB)) == ([], ["two"])
    await matches.people.sessions.end(BOB.account)
    assert await names(matches, BOB) == []
