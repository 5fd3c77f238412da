"""With marked texts: what notifications say is checked for unmarked and cut texts."""

from __future__ import annotations

from typing import Any

from tests.mail.marks import MAIL_NAMES
from tests.marks import find_faults, remove_marks, report_faults
from tests.web.marks import KNOWN


def check_push_marks(payload: dict[str, Any]) -> dict[str, Any]:
    """Check the texts of a notification, and return it without their marks."""
    names = (*KNOWN, *MAIL_NAMES)
    shown = {key: str(payload[key]) for key in ("title", "body")}
    report_faults(shown["title"], [fault for text in shown.values() for fault in find_faults(text, names)])
    return {**payload, **{key: remove_marks(text) for key, text in shown.items()}}
