"""Refusals of exports and erasures."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class NothingKept(MatchError):
    """Nothing is stored about the person."""

    key = "nothing_kept"


class ExportTooLarge(MatchError):
    """The export is too large for this way of delivery. Values: megabytes."""

    key = "export_too_large"
