"""Rate limits, and the checks of client address, host and origin."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from unittest.mock import Mock

import pytest

from web.server.limits import RequestLimiter, StreamLimiter, TooManyRequests
from web.server.origins import Origins, reachable_host

ANY = "0.0.0.0"  # noqa: S104 - compared with, not listened on


def is_refused(limits: RequestLimiter, client: str, at: float) -> bool:
    try:
        limits.acquire(client, at)
    except TooManyRequests:
        return True
    return False


def test_burst_is_allowed_and_then_the_rate() -> None:
    limits = RequestLimiter(rate=2, burst=3)
    assert [is_refused(limits, "a", 0) for _ in range(5)] == [False, False, False, True, True]
    assert [is_refused(limits, "a", 1) for _ in range(3)] == [False, False, True]
    assert [is_refused(limits, "a", 100) for _ in range(4)] == [False, False, False, True]


def test_refused_client_learns_when_to_try_again() -> None:
    limits = RequestLimiter(rate=0.1, burst=1)
    limits.acquire("a", 0)
    with pytest.raises(TooManyRequests) as caught:
        limits.acquire("a", 0)
    assert not is_refused(limits, "a", caught.value.seconds)


def test_clock_that_goes_back_adds_no_tokens() -> None:
    limits = RequestLimiter(rate=1, burst=1)
    limits.acquire("a", 10)
    assert is_refused(limits, "a", 5)


def test_number_of_remembered_clients_is_bounded() -> None:
    limits = RequestLimiter(rate=1, burst=1, max_clients=100)
    for number in range(1000):
        limits.acquire(f"client {number}", 0)
    assert len(limits) == 100
    assert is_refused(limits, "client 999", 0)


def test_streams_are_limited_per_client_and_in_total() -> None:
    streams = StreamLimiter(per_client=1, total=2)
    with streams.slot("a") as first:
        with streams.slot("a") as second:
            assert (first, second) == (True, False)
        with streams.slot("b") as third, streams.slot("c") as fourth:
            assert (third, fourth) == (True, False)
        with streams.slot("c") as fifth:
            assert fifth


def make_origins(host: str = "127.0.0.1", public: str | None = None, proxies: str = "") -> Origins:
    return Origins(host, public, tuple(ip_network(one) for one in proxies.split()))


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "client"),
    [
        ("", "192.0.2.7", [], "192.0.2.7"),
        ("", "192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7", ["198.51.100.1"], "198.51.100.1"),
        ("192.0.2.0/24", "192.0.2.7", ["6.6.6.6, 198.51.100.1, 192.0.2.8"], "198.51.100.1"),
        ("192.0.2.7", "192.0.2.7", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        ("192.0.2.7", "192.0.2.7", ["198.51.100.1", "6.6.6.6, 192.0.2.7"], "6.6.6.6"),
        ("192.0.2.7", "192.0.2.9", ["198.51.100.1"], "192.0.2.9"),
        ("192.0.2.7", "192.0.2.7", [], "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7", ["nonsense"], "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7", ["198.51.100.1, nonsense"], "192.0.2.7"),
        ("192.0.2.7", "192.0.2.7", ["198.51.100.1:4711"], "198.51.100.1"),
        ("192.0.2.7", "192.0.2.7", ["[2001:db8:1:2::3]:4711"], "2001:db8:1:2::/64"),
        ("192.0.2.7", "::ffff:192.0.2.7", ["198.51.100.1"], "198.51.100.1"),
        ("", "2001:db8:1:2:3:4:5:6", [], "2001:db8:1:2::/64"),
        ("", "::ffff:192.0.2.7", [], "192.0.2.7"),
        ("", "fe80::1%eth0", [], "fe80::/64"),
    ],
)
def test_client_address_behind_proxies(proxies: str, peer: str, forwarded: list[str], client: str) -> None:
    assert make_origins(proxies=proxies).client_address(peer, forwarded) == client


@pytest.mark.parametrize(
    ("host", "public", "header", "is_own"),
    [
        ("127.0.0.1", None, "127.0.0.1:8080", True),
        ("127.0.0.1", None, "localhost", True),
        ("127.0.0.1", None, "[::1]:8080", True),
        ("127.0.0.1", None, "rebound.example:8080", False),
        ("127.0.0.1", None, "192.168.1.5", False),
        ("127.0.0.1", None, "", False),
        ("127.0.0.1", None, "[broken", False),
        (ANY, None, "192.168.1.5:8080", True),
        (ANY, None, "rebound.example", False),
        (ANY, "https://play.example", "play.example", True),
        (ANY, "https://play.example", "PLAY.example", True),
        (ANY, "https://play.example", "192.168.1.5:8080", False),
        (ANY, "https://play.example", "127.0.0.1:8080", True),
        ("127.0.0.1", "https://play.example:8443", "play.example", False),
    ],
)
def test_own_hosts(host: str, public: str | None, header: str, *, is_own: bool) -> None:
    assert make_origins(host, public).is_own_host(header) is is_own


@pytest.mark.parametrize(
    ("public", "headers", "is_same"),
    [
        (None, {"Host": "127.0.0.1:80", "Origin": "http://127.0.0.1:80"}, True),
        (None, {"Host": "127.0.0.1:80", "Origin": "http://127.0.0.1:81"}, False),
        (None, {"Host": "", "Origin": ""}, False),
        (None, {"Origin": "null"}, False),
        (None, {"Host": "a", "Sec-Fetch-Site": "same-origin"}, True),
        (None, {"Host": "a", "Sec-Fetch-Site": "same-site", "Origin": "http://a"}, False),
        ("https://a.example", {"Host": "a.example", "Origin": "https://a.example"}, True),
        ("https://a.example", {"Host": "a.example", "Origin": "http://a.example"}, False),
        ("https://a.example", {"Host": "127.0.0.1:80", "Origin": "http://127.0.0.1:80"}, True),
    ],
)
def test_same_site(public: str | None, headers: dict[str, str], *, is_same: bool) -> None:
    assert make_origins(public=public).is_same_site(headers) is is_same


def test_printed_address_can_be_opened_from_another_machine() -> None:
    assert [reachable_host(host) for host in ("192.0.2.7", "::1", "localhost")] == [
        "192.0.2.7",
        "::1",
        "localhost",
    ]
    for every in (ANY, "::"):
        found = ip_address(reachable_host(every))
        assert not found.is_unspecified
        assert found.version == ip_address(every).version


def test_machine_without_a_network_prints_its_loopback_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket", Mock(side_effect=OSError("no such address family")))
    assert [reachable_host(every) for every in (ANY, "::")] == ["127.0.0.1", "::1"]
