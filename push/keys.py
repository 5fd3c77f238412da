"""The key pair that shows services who sends a push (VAPID, RFC 8292). A new one ends all subscriptions."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from matches import Matches

KEY_NAME = "vapid"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Both keys in base64url without padding: 32 bytes, and the 65 bytes of an uncompressed point."""

    public: str
    private: str = field(repr=False)


class Keys:
    """The key pair of an installation: made when it is first needed, and read once by each process."""

    def __init__(self, matches: Matches, now: Callable[[], datetime]) -> None:
        self._keys = matches.work.installation_keys
        self._now = now
        self._pair: KeyPair | None = None

    async def get(self) -> KeyPair:
        """Return the key pair. Raises StorageUnavailable."""
        if self._pair is None:
            self._pair = KeyPair(
                **json.loads(await self._keys.find_or_make(KEY_NAME, _make, now=self._now()))
            )
        return self._pair

    async def get_public(self) -> str:
        """Return the key that browsers subscribe with. Raises StorageUnavailable."""
        return (await self.get()).public


async def _make() -> str:
    return await asyncio.to_thread(_make_pair)


def _make_pair() -> str:
    """Return a new key pair as JSON."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - needed once in the life of a key
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_numbers().private_value.to_bytes(32, "big")
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return json.dumps({"public": _encode(public), "private": _encode(private)})


def _encode(key: bytes) -> str:
    return urlsafe_b64encode(key).rstrip(b"=").decode()
