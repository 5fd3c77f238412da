"""A mail server and a push service in a process of their own: ``python -m bench.notice_services FOLDER``.

They take everything and look at nothing. FOLDER gets the certificate of the push service. The first line of
JSON that is printed has where they are; each line that is read is answered with how much they have got.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from aiohttp import web

from tests.mail.smtp_server import running_smtp
from tests.push.service import CREATED, PushService, running_service

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(slots=True)
class CountingService(PushService):
    """Counts pushes, and reads none."""

    count: int = 0

    async def handle(self, request: web.Request) -> web.Response:
        """Take a push."""
        await request.read()
        self.count += 1
        return web.Response(status=CREATED)


async def serve(folder: Path) -> None:
    """Serve until standard input ends."""
    async with running_smtp() as mail, running_service(folder, CountingService) as push:
        _print({"port": mail.port, "base": push.base, "authority": push.authority})
        while await asyncio.to_thread(sys.stdin.readline):
            _print({"mails": len(mail.mails), "pushes": cast("CountingService", push).count})


def _print(values: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
