"""One push to one browser: encrypted, signed and sent, and what its service says to that.

Imported only when the first push is sent: pywebpush takes some megabytes.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import requests
from py_vapid import Vapid02, VapidException
from pywebpush import WebPushException, webpush

from matches.people.push_endpoints import is_endpoint, is_host_among
from push.guard import GuardedSession
from push.outcomes import Answer, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches.people.push_subscriptions import Browser
    from push.keys import KeyPair
    from push.message import Message

OUTCOMES = {
    404: Outcome.GONE,
    410: Outcome.GONE,
    401: Outcome.KEY_REFUSED,
    403: Outcome.KEY_REFUSED,
    429: Outcome.BUSY,
}


@dataclass(frozen=True, slots=True)
class Push:
    """What is sent to each browser of a person: the payload, and headers such as TTL and Topic."""

    payload: bytes
    headers: Mapping[str, str]


class Pusher:
    """Sends pushes, each from a thread. `contact` is the operator's address, `more_hosts` are allowed too.

    `authority` is the path of certificates instead of those of the known authorities.
    """

    def __init__(
        self, keys: KeyPair, contact: str, more_hosts: tuple[str, ...] = (), authority: str | None = None
    ) -> None:
        self._key = Vapid02.from_raw(keys.private.encode())
        self._contact = contact
        self._more_hosts = more_hosts
        self._authority = authority
        self._local = threading.local()

    @staticmethod
    def wrap(message: Message, now: datetime) -> Push:
        """Return what is sent to each browser of a person about a notice."""
        lifetime = int(message.lifetime(now).total_seconds())
        headers = {"TTL": str(lifetime), "Topic": message.topic, "Urgency": message.urgency.value}
        return Push(message.encode(), headers)

    def send(self, browser: Browser, push: Push) -> Answer:
        """Send a push to a browser, and return what became of it."""
        if not is_endpoint(browser.endpoint, self._more_hosts):
            return Answer(Outcome.REFUSED, "host")
        try:
            webpush(
                {"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}},
                push.payload,
                vapid_private_key=self._key,
                vapid_claims={"sub": self._contact},  # a new one for each call, which changes it
                headers=dict(push.headers),
                requests_session=self._session(browser.endpoint),
            )
        except WebPushException as error:
            return _read_failure(error)
        except requests.RequestException as error:  # its text names the endpoint
            return Answer(Outcome.UNREACHED, type(error).__name__)
        except VapidException:
            return Answer(Outcome.KEY_REFUSED, "contact")
        except ValueError:  # no point of the curve
            return Answer(Outcome.GONE, "keys")
        return Answer(Outcome.SENT)

    def _session(self, endpoint: str) -> GuardedSession:
        """Return the session of this thread for a service."""
        is_guarded = not is_host_among(urlsplit(endpoint).hostname or "", self._more_hosts)
        name = "guarded" if is_guarded else "plain"
        if not hasattr(self._local, name):
            session = GuardedSession(is_guarded=is_guarded)
            session.verify = self._authority or os.environ.get("SSL_CERT_FILE") or True
            setattr(self._local, name, session)
        found: GuardedSession = getattr(self._local, name)
        return found


def _read_failure(error: WebPushException) -> Answer:
    """Return what the answer of a service means: all that is not a success is one error of the library."""
    if error.response is None:
        return Answer(Outcome.REFUSED, "keys")
    status: int = error.response.status_code
    reason = f"{status} {error.response.text[:200]}".strip()
    if status in OUTCOMES:
        return Answer(OUTCOMES[status], reason, _retry_seconds(error.retry_after))
    is_permanent = 400 <= status < 500 and status != requests.codes.request_timeout
    return Answer(
        Outcome.REFUSED if is_permanent else Outcome.FAILED, reason, _retry_seconds(error.retry_after)
    )


def _retry_seconds(text: str | None) -> float | None:
    """Return the seconds of a header ``Retry-After``: a number, or a date; None without one."""
    if text is None:
        return None
    try:
        return float(text) if text.isdecimal() else _seconds_until(parsedate_to_datetime(text))
    except ValueError:
        return None


def _seconds_until(moment: datetime) -> float:
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - datetime.now(UTC)).total_seconds()
