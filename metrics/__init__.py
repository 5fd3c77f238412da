"""What a process measures of itself, for operators who collect it with Prometheus.

:class:`Metrics` is all that the other packages know: they call its methods, and nothing happens unless the
setting METRICS is set. Then :mod:`metrics.monitor` serves the figures; only that imports prometheus-client.

No label holds a name, an id of a person, a server or a match, or a text, and all have few values.
"""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Stage(StrEnum):
    """A stage of the work whose duration is measured."""

    INTERACTION = "interaction"  # from receiving an interaction to the end of its handling
    MATCH_LOCK = "match_lock"  # until a match is locked for a change
    DATABASE_WAIT = "database_wait"  # until a transaction has a connection, and on SQLite its turn to write
    TRANSACTION = "transaction"  # from then until the commit
    PICTURE = "picture"  # until a board is a picture, the wait for a thread included
    ANSWER = "answer"  # one request to Discord that answers an interaction
    POST = "post"  # one request to Discord that posts or edits a message
    WEB_REQUEST = "web_request"  # one request to the website, streams not included
    EVENT_LOOP = "event_loop"  # by how much the event loop is late


class InteractionOutcome(StrEnum):
    """How the handling of an interaction ended."""

    DONE = "done"
    REFUSED = "refused"  # with a sentence that says why
    STORAGE = "storage"  # the database could not be used
    FAILED = "failed"  # with an error; players see its number, if the post is not merely late
    ELSEWHERE = "elsewhere"  # another process has answered


class MailOutcome(StrEnum):
    """What became of an attempt to send a mail."""

    SENT = "sent"
    FAILED = "failed"  # it is tried again
    REFUSED = "refused"  # the address does not take it


# What Discord limits with a rate: this bot, a resource that others use too, or all requests of this bot.
RATE_LIMIT_SCOPES = ("user", "shared", "global")


class Metrics:
    """Measures nothing; :class:`metrics.prometheus.PrometheusMetrics` overrides everything."""

    is_on = False

    def observe(self, stage: Stage, seconds: float) -> None:
        """Record how long a stage took."""

    @contextmanager
    def time(self, stage: Stage) -> Iterator[None]:
        """Record how long the block takes, also if it raises."""
        start = perf_counter()
        try:
            yield
        finally:
            self.observe(stage, perf_counter() - start)

    def count_turns(self, game: str, turns: int) -> None:
        """Count turns that are committed; `game` is the name of a game."""

    def count_interaction(self, kind: str, outcome: InteractionOutcome) -> None:
        """Count a handled interaction; `kind` is the name of Discord's type."""

    def count_post(self, kind: str, *, is_sent: bool) -> None:
        """Count a posted announcement of a kind, or an attempt to post it that failed."""

    def count_received_mail(self, outcome: str) -> None:
        """Count a mail that arrived; `outcome` is what was done with it."""

    def count_mail(self, kind: str, outcome: MailOutcome) -> None:
        """Count an attempt to send a mail; `kind` is the kind of a letter, or "match"."""

    def count_discord_request(self, purpose: str, status: str) -> None:
        """Count a request to Discord by its HTTP status, or "failed" if there was no response."""

    def count_rate_limit(self, scope: str) -> None:
        """Count a request that Discord refused because of a rate limit of this scope."""

    def count_web_request(self, method: str, status: int) -> None:
        """Count a request to the website by its HTTP status."""

    def count_push(self, outcome: str) -> None:
        """Count a push to a browser; `outcome` is what its service made of it."""

    def count_database_failure(self) -> None:
        """Count a statement or transaction that failed because the database could not be used."""

    def count_step(self, step: str, *, is_failed: bool) -> None:
        """Record whether a step of the work in the background failed; `step` is one of few names."""

    def set_gauges(self, values: Mapping[str, float]) -> None:
        """Set figures that are read only when somebody asks, by their names without ``rayuela_``."""

    def set_gateway(self, shards: Mapping[int, tuple[bool, float]]) -> None:
        """Set for each shard of this process whether it is connected, and its latency in seconds."""


NO_METRICS = Metrics()
