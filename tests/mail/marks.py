"""With marked texts: what mails say is checked for texts that are not of the catalogue, or cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.marks import find_faults, remove_marks, report_faults
from tests.web.marks import KNOWN, find_page_faults

if TYPE_CHECKING:
    from email.message import EmailMessage

MAIL_NAMES = ("Ann", "Ben", "Eve", "Cid", "Ada")


def check_mail_marks(mail: EmailMessage) -> None:
    """Check the texts of a mail, and remove their marks."""
    names = (*KNOWN, *MAIL_NAMES)
    html = mail.get_body(("html",))
    is_english = html is not None and '<html lang="en"' in str(html.get_content())
    faults = find_faults(str(mail["Subject"]), names) if is_english else []
    subject = remove_marks(str(mail["Subject"]))
    del mail["Subject"]
    mail["Subject"] = subject
    for part in mail.walk():
        kind = part.get_content_type()
        if kind not in ("text/plain", "text/html"):
            continue
        text = str(part.get_content())
        if kind == "text/html":
            faults += find_page_faults(text, MAIL_NAMES)
        elif is_english:
            paragraphs = text.replace("\r\n", "\n").split("\n\n")
            faults += [fault for one in paragraphs for fault in find_faults(one, names)]
        part.set_content(remove_marks(text), subtype=kind.partition("/")[2])
    report_faults(subject, faults)
