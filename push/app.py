"""Runs the sending of pushes in a process that does background work."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from matches.platforms import PUSH
from push.keys import Keys
from push.notices import compose
from push.sender import PushSender

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime

    from i18n import Texts
    from matches import Matches
    from metrics.monitor import Monitor
    from push.delivery import Pusher
    from runtime.pace import Pace
    from runtime.steps import Steps


@asynccontextmanager
async def serve(
    matches: Matches,
    texts: Texts,
    now: Callable[[], datetime],
    steps: Steps,
    *,
    contact: str | None,
    more_hosts: tuple[str, ...] = (),
    authority: str | None = None,
    pace: Pace | None = None,
) -> AsyncIterator[PushSender | None]:
    """Send pushes while the block runs; yield None if none can be sent, because services need a `contact`.

    It is the address of the operator. `more_hosts` are services besides the known ones, `authority` is the
    path of certificates instead of those of the known authorities. `pace` is how fast they are sent.
    """
    if contact is None:
        yield None
        return
    keys = Keys(matches, now)

    async def make_pusher() -> Pusher:
        pair = await keys.get()
        return await asyncio.to_thread(lambda: _load_pusher()(pair, contact, more_hosts, authority))

    sender = PushSender(matches, partial(compose, matches, texts.plain), make_pusher, now, pace)
    async with sender.running(steps):
        yield sender


def _load_pusher() -> type[Pusher]:
    """Import what sends pushes: a process that sends none need not have it in memory."""
    from push.delivery import Pusher  # noqa: PLC0415

    return Pusher


def watch_push(monitor: Monitor, matches: Matches, now: Callable[[], datetime]) -> None:
    """Have a monitor report how many notices wait to be pushed, and for how long."""

    async def report() -> None:
        backlog = await matches.work.backlogs.find(PUSH, now=now())
        if backlog is not None:
            matches.metrics.set_gauges(
                {
                    "push_waiting": backlog.outbox_waiting,
                    "push_oldest_seconds": backlog.outbox_oldest.total_seconds(),
                }
            )

    monitor.probes.append(report)
