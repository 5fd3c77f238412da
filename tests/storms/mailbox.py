"""A mail server that can be killed, as a process, and the folder in which it keeps what it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from tests.mail.smtp_server import SmtpServer, running_smtp

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

    from tests.cluster.process import Parent

PARTIAL, COMPLETE = ".partial", ".eml"


@dataclass(slots=True)
class SavingServer(SmtpServer):
    """Stores each mail as a file before it answers, so that a kill loses nothing that it has acknowledged."""

    folder: Path = field(default_factory=Path)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        file = self.folder / f"{uuid4().hex}{PARTIAL}"
        file.write_bytes(content)
        file.rename(file.with_suffix(COMPLETE))
        answer = await super(SavingServer, self).handle_DATA(server, session, envelope)
        self.mails.clear()
        self.recipients.clear()
        return answer


async def serve_mail(parent: Parent, port: int, folder: Path) -> None:
    """Take mails on a port until the parent wants an end."""
    async with running_smtp(SavingServer(folder=folder), port=port):
        async for _ in parent.requests():
            pass


def read_mails(folder: Path) -> list[EmailMessage]:
    """Return the mails that a server has taken."""
    files = sorted(folder.glob(f"*{COMPLETE}"))
    return [message_from_bytes(file.read_bytes(), EmailMessage, policy=policy.default) for file in files]
