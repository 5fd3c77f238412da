"""A device that makes and uses passkeys, as the standard says (WebAuthn), with one key."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40  # flags


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass(slots=True)
class Authenticator:
    """A device whose counter goes up by `step` with every use; those that count nothing have the step 0."""

    host: str
    origin: str
    step: int = 1
    uses: int = 0
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, challenge: str) -> str:
        """Return the answer of a browser that was asked for a new passkey."""
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32) for number in (numbers.x, numbers.y))
        public_key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        known = bytes(16) + len(self.id).to_bytes(2) + self.id + public_key
        stated = {"fmt": "none", "attStmt": {}, "authData": self._data(PRESENT | VERIFIED | HAS_KEY) + known}
        return self._answer("create", challenge, attestationObject=encode(cbor2.dumps(stated)))

    def use(self, challenge: str) -> str:
        """Return the answer of a browser that was asked for a passkey."""
        self.uses += self.step
        data = self._data(PRESENT | VERIFIED)
        signed = data + sha256(self._client_data("get", challenge)).digest()
        signature = self.key.sign(signed, ec.ECDSA(SHA256()))
        return self._answer("get", challenge, authenticatorData=encode(data), signature=encode(signature))

    def _answer(self, kind: str, challenge: str, **response: str) -> str:
        said = {"clientDataJSON": encode(self._client_data(kind, challenge)), **response}
        return json.dumps(
            {"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": said}
        )

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps(
            {"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin}
        ).encode()

    def _data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4)
