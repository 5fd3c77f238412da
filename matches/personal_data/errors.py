"""Refusals of exports and erasures."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class NothingKept(MatchError):
    """Nothing is stored about the person."""

    key = "nothing_kept"


class AddressTaken(MatchError):
    """The address is that of another account. Values: platform."""

    key = "address_taken"


class AddressUnknown(MatchError):
    """The account has no such address. Values: platform."""

    key = "address_unknown"


class AccountsMet(MatchError):
    """The accounts cannot be joined: both sat in one match, so that they are two persons."""

    key = "accounts_met"


class ExportTooLarge(MatchError):
    """The export is too large for this way of delivery. Values: megabytes."""

    key = "export_too_large"
