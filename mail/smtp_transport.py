"""Mail by SMTP. Only a process that sends mail imports this module, and with it aiosmtplib."""

from __future__ import annotations

import asyncio
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog
from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponse,
    SMTPResponseException,
    SMTPSenderRefused,
)

from mail.transport import MailDelayed, MailRefused, MailUnavailable
from runtime.mail_settings import DEFAULT_PORTS, is_this_machine

if TYPE_CHECKING:
    from email.message import EmailMessage

    from runtime.mail_settings import MailSettings

log = structlog.stdlib.get_logger(__name__)

ANSWER_SECONDS = 20.0  # for one answer of the server
MAIL_SECONDS = 45.0  # for a whole mail, less than the lease of a letter
CLOSING_SECONDS = 2.0
CONNECTIONS = 3
MAILS_OF_CONNECTION = 50  # many servers end a connection after more
PERMANENT = 500
ADDRESS = re.compile(r"""[^\s<>()\[\],;:\\"@]+@[^\s<>()\[\],;:\\"@]+""")
CLOSING = 421  # the server ends the connection
NO_SUCH_ADDRESS = "5.1."  # how RFC 3463 classes refusals: the address is wrong,
POLICY = "5.7."  # or the server does not want it from us


class _SenderRefused(MailUnavailable):
    """The server takes no mail from this envelope sender."""


class _Client(SMTP):
    """A client that knows whether the server may have a mail whose answer is missing."""

    may_have_arrived = False

    async def data(self, *arguments: Any, **options: Any) -> SMTPResponse:
        """Hand the text of a mail over."""
        self.may_have_arrived = True
        answer = await super().data(*arguments, **options)
        self.may_have_arrived = False
        return answer


@dataclass(slots=True)
class _Connection:
    """An open connection, and how many mails it has carried."""

    client: _Client
    mails: int = 0


class SmtpTransport:
    """Hands mails over to the server that the settings name, by at most CONNECTIONS connections.

    A connection is kept for the next mail until :meth:`close`. `answer_seconds` bounds the wait for an
    answer. With `smtps://` the connection is encrypted from its beginning, with `smtp://` as soon as the
    server offers that. The password is never sent unencrypted to another machine, and the certificate of
    a server on this one is not checked, because nobody could have signed it.
    """

    def __init__(
        self,
        settings: MailSettings,
        *,
        answer_seconds: float = ANSWER_SECONDS,
        tls_context: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(settings.mail_url or "")
        self._host = parts.hostname or ""
        self._port = parts.port or DEFAULT_PORTS[parts.scheme]
        self._is_encrypted = parts.scheme == "smtps"
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        _, self._sender = parseaddr(settings.mail_from or "")
        self._seconds = answer_seconds
        self._tls_context = tls_context
        self._has_one_sender = False
        self._idle: list[_Connection] = []
        self._places = asyncio.Semaphore(CONNECTIONS)

    async def send(self, message: EmailMessage, address: str, *, envelope_sender: str | None = None) -> None:
        """Hand a mail to `address` over. Raises MailRefused, MailDelayed, MailUnavailable.

        A server that takes mails from the address of the sender only gets them from that one, whatever
        `envelope_sender` is.
        """
        if ADDRESS.fullmatch(address) is None:
            raise MailRefused(PERMANENT, is_final=True)
        async with self._places:
            try:
                async with asyncio.timeout(MAIL_SECONDS):
                    await self._send(message, address, envelope_sender)
            except TimeoutError as error:
                raise MailUnavailable("the mail server is silent", may_have_arrived=True) from error

    async def close(self) -> None:
        """End the connections that no mail uses now."""
        idle, self._idle = self._idle, []
        for connection in idle:
            with suppress(SMTPException, OSError):
                await connection.client.quit(timeout=CLOSING_SECONDS)
            connection.client.close()

    async def _send(self, message: EmailMessage, address: str, envelope_sender: str | None) -> None:
        connection = await self._take()
        try:
            if envelope_sender is None or self._has_one_sender:
                await self._hand_over(connection.client, message, address, self._sender)
            else:
                await self._try_sender(connection.client, message, address, envelope_sender)
        except (MailRefused, MailDelayed):
            self._keep(connection)
            raise
        except BaseException:
            connection.client.close()
            raise
        self._keep(connection)

    async def _try_sender(
        self, client: _Client, message: EmailMessage, address: str, envelope_sender: str
    ) -> None:
        """Hand a mail over, and if the envelope sender may be why it is refused, with that of all mails."""
        try:
            await self._hand_over(client, message, address, envelope_sender)
        except (_SenderRefused, MailDelayed) as error:
            if isinstance(error, MailDelayed) and error.code < PERMANENT:
                raise
            await self._hand_over(client, message, address, self._sender)
            self._has_one_sender = True
            log.warning("mail.one_sender", meaning="the mail server refuses other envelope senders")

    async def _hand_over(
        self, client: _Client, message: EmailMessage, address: str, envelope_sender: str
    ) -> None:
        is_international = not address.isascii()
        client.may_have_arrived = False
        try:
            if is_international and not client.supports_extension("smtputf8"):
                raise MailRefused(PERMANENT, is_final=False)
            await client.sendmail(
                envelope_sender,
                [address],
                message.as_bytes(),
                mail_options=["SMTPUTF8"] if is_international else None,
            )
        except SMTPRecipientsRefused as error:
            raise _answer_about_mail(error.recipients[0]) from None
        except SMTPDataError as error:
            raise _answer_about_mail(error) from None
        except SMTPSenderRefused as error:
            if error.code < PERMANENT:
                raise _describe(error) from None
            raise _SenderRefused(str(_describe(error))) from None
        except (SMTPException, OSError) as error:
            unavailable = _describe(error)
            unavailable.may_have_arrived = client.may_have_arrived
            raise unavailable from None

    async def _take(self) -> _Connection:
        """Return a connection that answers. Raises MailUnavailable."""
        while self._idle:
            connection = self._idle.pop()
            with suppress(SMTPException, OSError):
                await connection.client.rset()
                return connection
            connection.client.close()
        return _Connection(await self._connect())

    def _keep(self, connection: _Connection) -> None:
        connection.mails += 1
        if connection.mails < MAILS_OF_CONNECTION and connection.client.is_connected:
            self._idle.append(connection)
        else:
            connection.client.close()

    async def _connect(self) -> _Client:
        client = _Client(
            hostname=self._host,
            port=self._port,
            use_tls=self._is_encrypted,
            timeout=self._seconds,
            local_hostname=self._sender.rpartition("@")[2].encode("idna").decode(),
            validate_certs=self._tls_context is not None or not is_this_machine(self._host),
            tls_context=self._tls_context,
        )
        try:
            await client.connect()
            await self._sign_in(client)
        except BaseException as error:
            client.close()
            if isinstance(error, (SMTPException, OSError)):
                raise _describe(error) from None
            raise
        return client

    async def _sign_in(self, client: SMTP) -> None:
        if not self._user:
            return
        if client.get_transport_info("sslcontext") is None and not is_this_machine(self._host):
            raise MailUnavailable("the mail server offers no encryption, so the password is not sent")
        await client.login(self._user, self._password)


def _answer_about_mail(error: SMTPResponseException | aiosmtplib.SMTPRecipientRefused) -> Exception:
    """Return what the answer to a recipient or to the text of a mail means."""
    if error.code == CLOSING:
        return MailUnavailable("the mail server ended the connection")
    status = error.message.lstrip()
    if error.code < PERMANENT or status.startswith(POLICY):
        return MailDelayed(error.code)
    return MailRefused(error.code, is_final=status.startswith(NO_SUCH_ADDRESS))


def _describe(error: Exception) -> MailUnavailable:
    """Return why nothing can be handed over, without what the server says: that may hold an address."""
    if isinstance(error, MailUnavailable):
        return error
    if any(isinstance(one, ssl.SSLError) for one in (error, error.__cause__, error.__context__)):
        return MailUnavailable("the encryption of the mail server cannot be trusted: check MAIL_URL")
    is_answer = isinstance(error, SMTPResponseException)
    code = f" ({error.code})" if isinstance(error, SMTPResponseException) else ""
    if isinstance(error, SMTPAuthenticationError | SMTPNotSupported):
        return MailUnavailable(f"the mail server refuses the user or the password of MAIL_URL{code}")
    if isinstance(error, SMTPSenderRefused):
        return MailUnavailable(f"the mail server refuses the sender MAIL_FROM{code}")
    if is_answer:
        return MailUnavailable(f"the mail server refuses the connection{code}")
    return MailUnavailable("the mail server cannot be reached, or does not answer")
