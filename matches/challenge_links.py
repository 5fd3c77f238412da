"""The key in the link of a challenge by link: whoever has it may see and accept the challenge."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256

KEY_BYTES = 16


def derive_challenge_key(secret: str, challenge: int) -> str:
    """Return 22 letters, digits, ``-`` and ``_``.

    They follow from the secret of the website, so that no table and no backup holds a key.
    """
    digest = hmac.digest(secret.encode(), f"challenge {challenge}".encode(), sha256)
    return urlsafe_b64encode(digest[:KEY_BYTES]).rstrip(b"=").decode()
