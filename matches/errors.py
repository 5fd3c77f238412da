"""Every refusal, as data: a stable key and the values that a sentence about it needs.

A front end looks the words up by `key`. What goes wrong underneath is
:class:`storage.StorageUnavailable`: then nothing of the call was applied.
"""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import GameError


class MatchError(Exception):
    """A refusal. `key` is stable; `values` are texts and numbers for the sentence."""

    key: ClassVar[str] = "refused"

    def __init__(self, **values: str | int | tuple[str, ...]) -> None:
        self.values: Mapping[str, str | int | tuple[str, ...]] = MappingProxyType(values)
        super().__init__(" ".join([self.key, *(f"{name}={value}" for name, value in values.items())]))


class GameUnknown(MatchError):
    """No such game. Values: game, games."""

    key = "game_unknown"


class InvalidOption(MatchError):
    """The game refuses its options. Values: reason (the engine's sentence), text, choices."""

    key = "option_refused"


class OptionIsRandom(MatchError):
    """This option is drawn when the match begins; nobody gives it. Values: option."""

    key = "chance_decides"


class InvalidColour(MatchError):
    """No side of that game. Values: colour, sides."""

    key = "colour_refused"


class SelfChallenge(MatchError):
    """Nobody can challenge themself."""

    key = "self_challenge"


class BotChallenge(MatchError):
    """An account that is no person can neither challenge nor be challenged. Values: name."""

    key = "bot_challenge"


class TooManyChallenges(MatchError):
    """This person has as many open challenges as is allowed. Values: limit."""

    key = "too_many_challenges"


class ChallengeUnknown(MatchError):
    """There is no such challenge. Values: challenge."""

    key = "challenge_unknown"


class ChallengeAlreadyAccepted(MatchError):
    """Somebody accepted it already. Values: challenge, by (the name), you (1 if it was yourself)."""

    key = "challenge_taken"


class ChallengeDeclined(MatchError):
    """Its addressee declined it already. Values: challenge."""

    key = "challenge_declined"


class ChallengeWithdrawn(MatchError):
    """Its challenger took it back already. Values: challenge."""

    key = "challenge_withdrawn"


class ChallengeExpired(MatchError):
    """Its time is over. Values: challenge."""

    key = "challenge_lapsed"


class OwnChallenge(MatchError):
    """Nobody accepts or declines their own challenge. Values: challenge."""

    key = "own_challenge"


class NotAddressee(MatchError):
    """It is meant for another, or open to anyone, so not declined. Values: challenge, to (name or empty)."""

    key = "not_addressee"


class NotChallenger(MatchError):
    """Only its challenger withdraws it. Values: challenge, by (the name)."""

    key = "not_challenger"


class MatchUnknown(MatchError):
    """There is no such match. Values: match."""

    key = "match_unknown"


class NotInMatch(MatchError):
    """This person has no seat in the match. Values: match."""

    key = "not_in_match"


class MatchOver(MatchError):
    """The match is over. Values: match."""

    key = "match_over"


class ChoicePending(MatchError):
    """There is no board yet: picks are awaited. Values: match."""

    key = "choice_pending"


class ChoiceAlreadyMade(MatchError):
    """There is nothing (more) to pick in this match. Values: match."""

    key = "choice_made"


class InvalidPick(MatchError):
    """No such pick. Values: match, choices."""

    key = "pick_refused"


class AlreadyPicked(MatchError):
    """This person has picked already, and a pick stands. Values: match."""

    key = "pick_stands"


class StaleBoard(MatchError):
    """The match has moved on since the board that was shown. Values: match, seen, ply."""

    key = "stale_board"


class NotYourTurn(MatchError):
    """The other side is to move. Values: match, name (who is to move)."""

    key = "not_your_turn"


class NoMoveGiven(MatchError):
    """No move was given. Values: match, due, example (a legal move)."""

    key = "nothing_played"


class TooManyMoves(MatchError):
    """More moves in one call than are due in this turn. Values: match, due, given."""

    key = "too_many_moves"


class MoveRefused(MatchError):
    """The game refuses a move; none of the call was played.

    `error` is the engine's own. Always one of the three below. Values: match, index (0 for the
    first of several moves), text, reason (the engine's sentence), choices.
    """

    key = "move_refused"

    def __init__(self, match: int, index: int, text: str, error: GameError) -> None:
        self.error = error
        super().__init__(match=match, index=index, text=text, reason=error.reason, choices=error.choices)


class MoveUnreadable(MoveRefused):
    """The text is no move of this game at all."""

    key = "move_unreadable"


class MoveIllegal(MoveRefused):
    """A move of this game, but not legal here."""

    key = "move_illegal"


class MoveAmbiguous(MoveRefused):
    """The text leaves something open; `choices` are texts that would settle it."""

    key = "move_open"


class NoEndByAgreement(MatchError):
    """The rules know no end by agreement here. Values: match."""

    key = "cannot_agree"


class OfferAlreadyPending(MatchError):
    """This person's offer to end stands already. Values: match."""

    key = "offer_stands"


class OfferDeclined(MatchError):
    """This person's offer was declined on this very board; a move must come first. Values: match."""

    key = "offer_declined"


class NoPendingOffer(MatchError):
    """No offer to end stands, or it died with a move. Values: match."""

    key = "no_offer"


class OwnOffer(MatchError):
    """Nobody answers their own offer. Values: match."""

    key = "own_offer"


class MatchNeverStarted(MatchError):
    """The match ended before there was a board. Values: match."""

    key = "never_started"


class RecordUnknown(MatchError):
    """There is no such imported record. Values: record."""

    key = "record_unknown"


class RecordUnreadable(MatchError):
    """The text is no record of a game. Values: line, column (both from 1), reason (the engine's sentence)."""

    key = "record_unreadable"


class RecordTooLarge(MatchError):
    """The text is longer than is read. Values: limit, size (in bytes)."""

    key = "record_too_large"


class RecordedGameOver(MatchError):
    """The game of the record is over, so nothing can begin from its last position. Values: record."""

    key = "record_over"


class TooManyRecords(MatchError):
    """This person has imported as many records within a day as is allowed. Values: limit."""

    key = "too_many_records"


class NoteTooLong(MatchError):
    """The text is longer than a note may be. Values: match, limit, size (in characters)."""

    key = "note_too_long"


class AnnouncementUnknown(MatchError):
    """There is no such announcement. Values: announcement."""

    key = "announcement_unknown"
