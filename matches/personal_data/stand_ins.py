"""Accounts that stand for persons whose data were erased: random, so that nobody can link them back."""

from __future__ import annotations

import secrets

from storage.people.people import DELETED_PREFIX

DELETED_NAME = "Deleted player"  # stored like any other name
_RANDOM_BYTES = 12


def new_stand_in() -> str:
    """Return a new account for a person who is being erased; it says nothing about them."""
    return f"{DELETED_PREFIX}{secrets.token_hex(_RANDOM_BYTES)}"


def is_deleted(account: str) -> bool:
    """Return whether an account stands for a person whose data were erased."""
    return account.startswith(DELETED_PREFIX)
