"""Addresses of pages of the website, for mails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.invitations import address_digest
from web.addresses import (
    CODE_LINK_PATH,
    INVITATION_STOP_PATH,
    MAIL_CONFIRM_PATH,
    MAIL_STOP_PATH,
    NOTICES_PATH,
    PUZZLE_STOP_PATH,
    PUZZLES_PATH,
    TOURNAMENTS_PATH,
    UNWATCH_PATH,
    challenge_path,
    match_path,
)
from web.pages.documents import TERMS_PATH

if TYPE_CHECKING:
    from matches import ChallengeId, MatchId
    from web.context import WebContext


@dataclass(frozen=True, slots=True)
class WebMailLinks:
    """Complete addresses; see :class:`mail.links.Links`."""

    context: WebContext

    def home_url(self) -> str:
        """Return the address of the front page."""
        return f"{self.context.base}/"

    def code_url(self, token: str) -> str:
        """Return the address that answers a question with the token instead of the code."""
        return f"{self.context.base}{CODE_LINK_PATH}{token}"

    def match_url(self, match: MatchId) -> str:
        """Return the address of the page of a match."""
        return f"{self.context.base}{match_path(match)}"

    def challenge_url(self, challenge: ChallengeId) -> str:
        """Return the address of the page of a challenge, which opens one by link too."""
        key = self.context.token_signer.challenge_key(challenge)
        return f"{self.context.base}{challenge_path(challenge, key)}"

    def tournament_url(self, tournament: int) -> str:
        """Return the address of the page of a tournament."""
        return f"{self.context.base}{TOURNAMENTS_PATH}/{tournament}"

    def confirm_url(self, command: int) -> str:
        """Return the address that confirms what a mail asks for, without signing in."""
        return f"{self.context.base}{MAIL_CONFIRM_PATH}{self.context.token_signer.sign_mail_command(command)}"

    def terms_url(self) -> str:
        """Return the address of the terms of use."""
        return f"{self.context.base}{TERMS_PATH}"

    def notices_url(self) -> str:
        """Return the address of the page on which people choose how they are told."""
        return f"{self.context.base}{NOTICES_PATH}"

    def stop_url(self, account: str, address: str) -> str:
        """Return an address that stops notices to a mail address of an account, without signing in."""
        token = self.context.token_signer.sign_mail_stop(account, address)
        return f"{self.context.base}{MAIL_STOP_PATH}{token}"

    def refuse_url(self, address: str) -> str:
        """Return an address that refuses all further invitations to a mail address."""
        token = self.context.token_signer.sign_invitation_stop(address_digest(address))
        return f"{self.context.base}{INVITATION_STOP_PATH}{token}"

    def unwatch_url(self, account: str, match: MatchId | None) -> str:
        """Return an address that ends watching a match, or with None every one, without signing in."""
        token = self.context.token_signer.sign_unwatch(account, match)
        return f"{self.context.base}{UNWATCH_PATH}{token}"

    def puzzle_url(self, key: str) -> str:
        """Return the address of the page of a puzzle."""
        return f"{self.context.base}{PUZZLES_PATH}/{key}"

    def puzzle_stop_url(self, account: str) -> str:
        """Return an address that ends the puzzle of each day by mail, without signing in."""
        return f"{self.context.base}{PUZZLE_STOP_PATH}{self.context.token_signer.sign_puzzle_stop(account)}"
