"""Codes by mail: six digits and a link, which show that whoever typed an address also reads its mail."""

from __future__ import annotations

import hmac
from hashlib import sha256

CODE_DIGITS = 6


def derive_code(secret: str, question: str) -> str:
    """Return the six digits that answer the question with this id.

    They follow from the secret of the website, so that no table and no backup holds a code.
    """
    return f"{int.from_bytes(_derive(secret, 'code', question)) % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def derive_link_token(secret: str, question: str) -> str:
    """Return what the link in the mail has instead of the code: 128 bits as hexadecimal digits."""
    return _derive(secret, "link", question)[:16].hex()


def _derive(secret: str, purpose: str, question: str) -> bytes:
    return hmac.digest(secret.encode(), f"mail {purpose} {question}".encode(), sha256)
