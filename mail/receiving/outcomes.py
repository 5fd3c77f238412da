"""What becomes of a mail that arrives, for the log and the figures."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What was done with a mail. Only some are answered: machines and forgers never are."""

    ANSWERED = "answered"  # it was carried out or refused, and the answer says so
    ASKED = "asked"  # nothing proves who sent it: a link asks the player
    GREETED = "greeted"  # from an address without an account, which is told how to join
    BOUNCED = "bounced"  # a mail of ours was not delivered
    REPEATED = "repeated"  # it was carried out before
    IGNORED = "ignored"  # no person wrote it, or nobody wants an answer
    NOT_OURS = "not_ours"  # to none of our addresses
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105 - to an address that we have never made
    FORGED = "forged"  # not from the player to whom the address belongs
    LIMITED = "limited"  # more than LIMITS allow
