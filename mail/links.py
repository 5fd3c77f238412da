"""The addresses in mails, which only the website knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from matches import ChallengeId, MatchId


class Links(Protocol):
    """Makes complete addresses of pages of the website."""

    def home_url(self) -> str:
        """Return the address of the front page."""

    def code_url(self, token: str) -> str:
        """Return the address that answers a question with the token instead of the code."""

    def match_url(self, match: MatchId) -> str:
        """Return the address of the page of a match."""

    def challenge_url(self, challenge: ChallengeId) -> str:
        """Return the address of the page of a challenge."""

    def tournament_url(self, tournament: int) -> str:
        """Return the address of the page of a tournament."""

    def confirm_url(self, command: int) -> str:
        """Return the address that confirms what a mail asks for (see `matches.people.mail_commands`)."""

    def terms_url(self) -> str:
        """Return the address of the terms of use."""

    def notices_url(self) -> str:
        """Return the address of the page on which people choose how they are told."""

    def stop_url(self, account: str, address: str) -> str:
        """Return an address that stops notices to a mail address of an account, without signing in."""

    def refuse_url(self, address: str) -> str:
        """Return an address that refuses all further invitations to a mail address."""

    def unwatch_url(self, account: str, match: MatchId | None) -> str:
        """Return an address that ends watching a match, or with None every one, without signing in."""

    def puzzle_url(self, key: str) -> str:
        """Return the address of the page of a puzzle."""

    def puzzle_stop_url(self, account: str) -> str:
        """Return an address that ends the puzzle of each day by mail, without signing in."""
