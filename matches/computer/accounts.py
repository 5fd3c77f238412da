"""The accounts of the computer: one for each level. Nobody else can have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ACCOUNT_PREFIX = "computer:"
LEVELS = ("beginner", "casual", "club", "strong", "expert")
"""The levels, weakest first. What they mean is decided by whoever thinks."""

NAME = "Rayuela"


def computer_account(level: str) -> str:
    """Return the account that plays at a level."""
    return f"{ACCOUNT_PREFIX}{level}"


def computer_level(account: str) -> str | None:
    """Return the level of an account of the computer, None for a person's account."""
    return account.removeprefix(ACCOUNT_PREFIX) if account.startswith(ACCOUNT_PREFIX) else None


def computer_name(level: str) -> str:
    """Return the name of the computer at a level."""
    return f"{NAME} ({level})"


def is_computer(account: str | None) -> bool:
    """Return whether an account is one of the computer."""
    return account is not None and account.startswith(ACCOUNT_PREFIX)


def without_computers(accounts: Iterable[str]) -> tuple[str, ...]:
    """Return those of the accounts that belong to persons."""
    return tuple(account for account in accounts if not is_computer(account))
