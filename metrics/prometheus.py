"""The figures of this process, kept by prometheus-client. Imported only if METRICS is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from metrics import RATE_LIMIT_SCOPES, Metrics, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metrics import InteractionOutcome, MailOutcome

CONTENT_TYPE = CONTENT_TYPE_LATEST
PREFIX = "rayuela"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
# Figures of `Metrics.set_gauges`.
GAUGES = {
    "database_up": "Whether the database answered when the figures were collected.",
    "outbox_waiting": "Announcements that are not sent yet, those that are tried again later included.",
    "outbox_tried": "Announcements that somebody has tried to send, and that are not sent yet.",
    "outbox_oldest_seconds": "How long the announcement that is due longest has been waiting to be taken.",
    "mail_waiting": "Notices and letters that are to go by mail and are not sent yet.",
    "mail_look_seconds": "How long ago the mailbox was last looked into.",
    "mail_oldest_seconds": "How long the notice that is due longest has been waiting to be taken.",
    "computer_answers_owed": "Matches in which the computer owes a move, a pick or an answer.",
    "analyses_open": "Analyses of games that are not complete.",
    "push_waiting": "Notices to browsers that are not sent yet, those that are tried again later included.",
    "push_oldest_seconds": "How long the notice to browsers that is due longest has been waiting.",
    "reports_open": "Reports about players that no moderator has closed.",
    "backup_overdue": "1 if a scheduled backup is overdue, else 0.",
    "streams": "Open event streams of the website.",
}


class PrometheusMetrics(Metrics):
    """The figures of one process, in a registry of their own."""

    is_on = True

    def __init__(self) -> None:
        # No series of the times at which others began.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)

        def counter(name: str, help_text: str, *labels: str) -> Counter:
            return Counter(f"{PREFIX}_{name}", help_text, labels, registry=registry)

        def gauge(name: str, help_text: str, *labels: str) -> Gauge:
            return Gauge(f"{PREFIX}_{name}", help_text, labels, registry=registry)

        stages = Histogram(
            f"{PREFIX}_stage_seconds", "Durations by stage.", ("stage",), registry=registry, buckets=SECONDS
        )
        self._stages = {stage: stages.labels(stage.value) for stage in Stage}
        self._turns = counter("turns", "Turns that were committed by this process.", "game")
        self._interactions = counter("interactions", "Interactions of Discord.", "kind", "outcome")
        self._posts = counter("posts", "Announcements by kind: sent, or failed attempts.", "kind", "outcome")
        self._received = counter("received_mails", "Mails that arrived, by what was done.", "outcome")
        self._mails = counter("mails", "Mails by kind: sent, refused, or failed attempts.", "kind", "outcome")
        self._discord = counter("discord_requests", "Requests to Discord.", "purpose", "status")
        self._limits = counter(
            "discord_rate_limits", "Requests that Discord refused for their rate.", "scope"
        )
        for scope in RATE_LIMIT_SCOPES:  # Prometheus sees the first one only as an increase from 0
            self._limits.labels(scope)
        self._web = counter("web_requests", "Requests to the website.", "method", "status")
        self._pushes = counter("pushes", "Notifications sent to browsers, by what became of them.", "outcome")
        self._failures = counter("database_failures", "Uses of the database that failed.")
        self._step_failures = counter("step_failures", "Failures of work in the background.", "step")
        self._failing = gauge("step_failing", "Whether a step failed the last time it ran.", "step")
        self._connected = gauge("gateway_connected", "Whether a shard is connected.", "shard")
        self._latency = gauge("gateway_latency_seconds", "Time of a heartbeat to Discord.", "shard")
        self._gauges: dict[str, Gauge] = {}  # a process has only those that concern it

    def format(self) -> bytes:
        """Return all figures in Prometheus's text format."""
        return generate_latest(self._registry)

    def observe(self, stage: Stage, seconds: float) -> None:
        """Record how long a stage took."""
        self._stages[stage].observe(seconds)

    def count_turns(self, game: str, turns: int) -> None:
        """Count turns that are committed."""
        self._turns.labels(game).inc(turns)

    def count_interaction(self, kind: str, outcome: InteractionOutcome) -> None:
        """Count a handled interaction."""
        self._interactions.labels(kind, outcome.value).inc()

    def count_post(self, kind: str, *, is_sent: bool) -> None:
        """Count an announcement that was posted, or an attempt that failed."""
        self._posts.labels(kind, "sent" if is_sent else "failed").inc()

    def count_received_mail(self, outcome: str) -> None:
        """Count a mail that arrived."""
        self._received.labels(outcome).inc()

    def count_mail(self, kind: str, outcome: MailOutcome) -> None:
        """Count an attempt to send a mail."""
        self._mails.labels(kind, outcome.value).inc()

    def count_discord_request(self, purpose: str, status: str) -> None:
        """Count a request to Discord."""
        self._discord.labels(purpose, status).inc()

    def count_rate_limit(self, scope: str) -> None:
        """Count a request that Discord refused because of a rate limit."""
        self._limits.labels(scope).inc()

    def count_web_request(self, method: str, status: int) -> None:
        """Count a request to the website."""
        self._web.labels(method, str(status)).inc()

    def count_push(self, outcome: str) -> None:
        """Count a push by what became of it."""
        self._pushes.labels(outcome).inc()

    def count_database_failure(self) -> None:
        """Count a failure of the database."""
        self._failures.inc()

    def count_step(self, step: str, *, is_failed: bool) -> None:
        """Record whether a step failed."""
        self._step_failures.labels(step).inc(is_failed)
        self._failing.labels(step).set(is_failed)

    def set_gauges(self, values: Mapping[str, float]) -> None:
        """Set figures of GAUGES. Raises KeyError for any other."""
        for name, value in values.items():
            if name not in self._gauges:
                self._gauges[name] = Gauge(f"{PREFIX}_{name}", GAUGES[name], registry=self._registry)
            self._gauges[name].set(value)

    def set_gateway(self, shards: Mapping[int, tuple[bool, float]]) -> None:
        """Set the state of each shard."""
        self._connected.clear()
        self._latency.clear()
        for shard, (is_connected, latency) in shards.items():
            self._connected.labels(str(shard)).set(is_connected)
            self._latency.labels(str(shard)).set(latency)
