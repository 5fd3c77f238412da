"""Debian's Postfix and Dovecot, each in a folder of its own, with the lines that docs/mail.md shows."""

from __future__ import annotations

import asyncio
import grp
import os
import pwd
import re
import shutil
import socket
from asyncio.subprocess import DEVNULL
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGTERM
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.discord_server.waiting import PATIENCE
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

POSTFIX, DOVECOT = Path("/usr/sbin/postfix"), Path("/usr/sbin/dovecot")
PAGE = ROOT / "docs" / "mail.md"
PAGE_DOMAIN, PAGE_PORT = "play.example.org", "8025"  # on the page, and in tests
DOMAIN = "example.org"
USER, PASSWORD = "rayuela", "open/sesame@1"
MAIL_USER, MAIL_GROUP = "nobody", "nogroup"
# What a checker of senders would write into mails from example.org, after Postfix has removed forged ones.
STAMP = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org"
FLAGS = re.compile(r":2,(?P<flags>\w*)$")

SERVICES = """\
{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
# What a test needs besides the lines of the page: its own folders, and no waiting.
SETTINGS = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/postfix
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
mynetworks = {networks}
local_recipient_maps =
alias_maps =
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
address_verify_negative_refresh_time = 1s
address_verify_poll_count = 10
address_verify_poll_delay = 1s
smtpd_peername_lookup = no
lmtp_header_checks = regexp:{{ {{/^From:.*@example\\.org/ PREPEND {stamp}}} }}
"""
# The last two have it answer at once after a wrong password, and at the next login from there.
DOVECOT_SETTINGS = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
first_valid_gid = 1
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


def find_reason() -> str:
    """Return why the servers cannot be run; empty if they can."""
    if not POSTFIX.is_file() or not DOVECOT.is_file():
        return "Debian's Postfix and Dovecot are not installed (tools/mail_servers does that)"
    return "" if os.geteuid() == 0 else "only root can run Postfix and Dovecot"


def require_mail_servers() -> None:
    """Skip the test without the servers, or fail if RAYUELA_REQUIRE_POSTFIX says so."""
    reason = find_reason()
    if reason and os.environ.get("RAYUELA_REQUIRE_POSTFIX") == "1":
        pytest.fail(f"Postfix and Dovecot are required: {reason}")
    if reason:
        pytest.skip(f"{reason}, so mail through them is left out")


def read_lines(language: str) -> list[str]:
    """Return the lines of the block of a page that is marked with a language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return list(block.splitlines())


def find_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running_postfix(lmtp_port: int, *, verifies: bool = True) -> AsyncIterator[Postfix]:
    """Run Postfix as the page sets it up, but for another domain and another port.

    With `verifies` False it takes mails without asking whether the address exists, which takes a second each.
    """
    with _open_folder("postfix") as folder:
        port = find_port()
        for name, owner in (("queue", "root"), ("data", "postfix"), ("log", "root")):
            (folder / name).mkdir()
            shutil.chown(folder / name, owner)
        text = "\n".join(read_lines("postfix"))
        text = text.replace(PAGE_DOMAIN, DOMAIN).replace(PAGE_PORT, str(lmtp_port))
        own = SETTINGS.format(
            folder=folder, networks="192.0.2.0/24" if verifies else "127.0.0.0/8", stamp=STAMP
        )
        (folder / "main.cf").write_text(f"{own}{text}\n")
        (folder / "master.cf").write_text(SERVICES.format(port=f"127.0.0.1:{port}"))
        server = Postfix(folder, port)
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


@dataclass(slots=True)
class Postfix:
    """A Postfix that listens for SMTP on `port`."""

    folder: Path
    port: int

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        await self._control("start")
        await wait_for_port(self.port)

    async def stop(self) -> None:
        """Stop it; what is in its queue stays there."""
        await self._control("stop")

    async def _control(self, command: str) -> None:
        """Start or stop it; it goes on by itself, with no connection to this process."""
        process = await asyncio.create_subprocess_exec(
            *(POSTFIX, "-c", self.folder, command), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
        )
        assert await process.wait() == 0

    def count_waiting(self) -> int:
        """Count the mails in its queue."""
        folders = (self.folder / "queue" / name for name in ("incoming", "active", "deferred", "maildrop"))
        return sum(1 for folder in folders for path in folder.rglob("*") if path.is_file())


@asynccontextmanager
async def running_dovecot() -> AsyncIterator[Dovecot]:
    """Run Dovecot with one mailbox."""
    with _open_folder("dovecot") as folder:
        port = find_port()
        owner = pwd.getpwnam(MAIL_USER).pw_uid, grp.getgrnam(MAIL_GROUP).gr_gid
        for name in ("home", "home/Maildir", *(f"home/Maildir/{one}" for one in ("new", "cur", "tmp"))):
            (folder / name).mkdir()
            os.chown(folder / name, *owner)
        own = DOVECOT_SETTINGS.format(folder=folder, port=port, password=PASSWORD, uid=owner[0], gid=owner[1])
        (folder / "dovecot.conf").write_text("\n".join(read_lines("dovecot")) + f"\n{own}")
        server = Dovecot(folder, port, owner)
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


@dataclass(slots=True)
class Dovecot:
    """A Dovecot with a mailbox, which answers by IMAP on `port`."""

    folder: Path
    port: int
    owner: tuple[int, int]
    _master: asyncio.subprocess.Process | None = field(default=None, repr=False)
    _number: int = 0

    @property
    def url(self) -> str:
        """The setting MAIL_IN that reads the mailbox."""
        return f"imap://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/INBOX"

    @property
    def maildir(self) -> Path:
        """The folder of the mails."""
        return self.folder / "home" / "Maildir"

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self._master = await asyncio.create_subprocess_exec(
            *(DOVECOT, "-F", "-c", self.folder / "dovecot.conf"),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        await wait_for_port(self.port)

    async def stop(self) -> None:
        """Stop it; the mails stay."""
        await _end(self._master)

    def deliver(self, raw: bytes) -> None:
        """Put a mail into the mailbox, as a mail server does."""
        self._number += 1
        name = f"{self._number:06}.test"
        path = self.maildir / "tmp" / name
        path.write_bytes(raw)
        os.chown(path, *self.owner)
        path.rename(self.maildir / "new" / name)

    def list_flags(self) -> list[str]:
        """Return the flags of all mails, such as S for seen and F for flagged; empty for a new one."""
        files = [*(self.maildir / "new").iterdir(), *(self.maildir / "cur").iterdir()]
        flags = [FLAGS.search(path.name) for path in sorted(files, key=lambda path: path.name)]
        return ["" if found is None else found["flags"] for found in flags]


async def wait_for_port(port: int) -> None:
    """Wait until somebody listens on a port."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.05)


async def _end(process: asyncio.subprocess.Process | None) -> None:
    if process is not None and process.returncode is None:
        process.send_signal(SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await process.wait()


@contextmanager
def _open_folder(name: str) -> Iterator[Path]:
    """Return a folder that the users of the servers can enter."""
    with TemporaryDirectory(prefix=f"rayuela-{name}-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
