"""Structured logs: one line for each event on standard error, without secrets."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from typing import TextIO

    from structlog.typing import Processor, WrappedLogger

HIDDEN = "[hidden]"
# As many warnings and errors of one kind are written in each period; there can be thousands a second.
MAX_SIMILAR = 30
PERIOD_SECONDS = 60
MAX_KINDS = 500
KIND_LENGTH = 40  # characters
ERROR_NUMBER = "number"  # the key of the number of an error that was shown to somebody
# Paths that contain a token: of an interaction or a webhook at Discord, of a seat in the web client.
TOKEN_PATH = re.compile(r"(/(?:(?:interactions|webhooks)/\d+|sit)/)[^/\s?'\"]+")
# What names a person: paths of Discord's API, and the row that PostgreSQL quotes when it refuses a statement.
PERSON_PATH = re.compile(r"(/(?:members|users)/)\d+")
ROW_DETAIL = re.compile(r"(DETAIL: +)(?:(?!\\n).)+")


class Redactor:
    """A structlog processor that removes the given secrets, tokens in paths, and people's ids from texts."""

    def __init__(self, *secrets: str) -> None:
        self._secrets = tuple(secret for secret in secrets if secret)

    def __call__(
        self, _logger: WrappedLogger, _name: str, event: MutableMapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the event with every secret replaced, at any depth."""
        return {key: self._redact(value) for key, value in event.items()}

    def _redact(self, value: object) -> object:
        if isinstance(value, str):
            return self._redact_text(value)
        if isinstance(value, dict):
            return {key: self._redact(part) for key, part in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._redact(part) for part in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        return self._redact_text(str(value))

    def _redact_text(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        for pattern in (TOKEN_PATH, PERSON_PATH, ROW_DETAIL):
            text = pattern.sub(rf"\1{HIDDEN}", text)
        return text


class FloodFilter(logging.Filter):
    """Lets MAX_SIMILAR warnings and errors of one kind through in each period.

    The next one says how many were left out. Messages are of one kind if their logger is the same, and the
    event, or the beginning of the message before its arguments are filled in. An error whose number was shown
    to somebody is always written, but beyond the limit without its traceback.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kinds)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a message."""
        if record.levelno < logging.WARNING:
            return True
        text = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
        kind, now = (record.name, str(text)[:KIND_LENGTH]), self._now()
        began_at, count = self._kinds.pop(kind, (now, 0))
        left_out = 0
        if now - began_at >= PERIOD_SECONDS:
            began_at, count, left_out = now, 0, max(0, count - MAX_SIMILAR)
        self._kinds[kind] = (began_at, count + 1)
        if len(self._kinds) > MAX_KINDS:
            self._kinds.popitem(last=False)
        if isinstance(record.msg, dict) and ERROR_NUMBER in record.msg:
            if count >= MAX_SIMILAR:
                record.msg = _without_traceback(record.msg)
            return True
        if left_out and isinstance(record.msg, dict):
            record.msg = {**record.msg, "left_out": left_out}
        elif left_out:
            record.left_out = left_out
        return count < MAX_SIMILAR


def _without_traceback(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event with the type of its exception only."""
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    rest = {key: value for key, value in event.items() if key != "exc_info"}
    return {**rest, "error": type(error).__name__} if isinstance(error, BaseException) else rest


def configure(level: str, *secrets: str, stream: TextIO | None = None) -> None:
    """Send all logs of the process, those of libraries included, to `stream` (standard error by default).

    Lines are JSON, or easier to read on a terminal. `secrets` are replaced by :data:`HIDDEN`.
    """
    stream = sys.stderr if stream is None else stream
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.addFilter(FloodFilter())
    handler.setFormatter(_formatter(shared, Redactor(*secrets), terminal=stream.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("alembic").setLevel(max(logging.WARNING, root.level))  # it names its own parts
    # At DEBUG discord.py logs whole gateway events: messages of people, tokens and secret picks.
    # The database driver logs statements with their values, oauthlib tokens of people, urllib3 the secret
    # addresses of browsers.
    for library in ("discord", "aiosqlite", "oauthlib", "urllib3"):
        logging.getLogger(library).setLevel(max(logging.INFO, root.level))
    # aiosmtpd logs every command of a mail server, with the addresses of people.
    logging.getLogger("mail.log").setLevel(max(logging.ERROR, root.level))


def _formatter(shared: list[Processor], redactor: Redactor, *, terminal: bool) -> logging.Formatter:
    renderer: Processor = structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer()
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            redactor,
            renderer,
        ],
    )
