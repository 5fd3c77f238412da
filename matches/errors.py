"""Refusals as data: a stable key, and the values for a sentence about it.

A front end looks up the sentence by `key`. Failures of the database are :class:`storage.StorageUnavailable`;
then nothing of the call was applied.
"""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import GameError


class MatchError(Exception):
    """A refusal. `key` is stable; `values` fill the placeholders of its sentence.

    Its message, which may get into a log, has the key and the numbers: other values can be names and texts.
    """

    key: ClassVar[str] = "refused"

    def __init__(self, **values: str | int | tuple[str, ...] | GameError) -> None:
        self.values: Mapping[str, str | int | tuple[str, ...] | GameError] = MappingProxyType(values)
        numbers = [f"{name}={value}" for name, value in values.items() if isinstance(value, int)]
        super().__init__(" ".join([self.key, *numbers]))


class GameUnknown(MatchError):
    """There is no such game. Values: game, games."""

    key = "game_unknown"


class InvalidOption(MatchError):
    """The game rejects its options. Values: reason (the game's refusal), text, choices."""

    key = "option_refused"


class OptionIsRandom(MatchError):
    """The option is drawn at random when the match starts and cannot be given. Values: option."""

    key = "chance_decides"


class InvalidColour(MatchError):
    """The game has no such side. Values: colour, sides."""

    key = "colour_refused"


class SelfChallenge(MatchError):
    """A person cannot challenge themselves."""

    key = "self_challenge"


class BotChallenge(MatchError):
    """A bot account can neither challenge nor be challenged. Values: name."""

    key = "bot_challenge"


class TooManyChallenges(MatchError):
    """The person has reached the maximum of open challenges. Values: limit."""

    key = "too_many_challenges"


class ChallengeUnknown(MatchError):
    """There is no such challenge. Values: challenge."""

    key = "challenge_unknown"


class ChallengeAlreadyAccepted(MatchError):
    """It was already accepted. Values: challenge, by (the name), you (1 if by the person), match."""

    key = "challenge_taken"


class ChallengeDeclined(MatchError):
    """The addressee has declined it. Values: challenge."""

    key = "challenge_declined"


class ChallengeWithdrawn(MatchError):
    """The challenger has withdrawn it. Values: challenge."""

    key = "challenge_withdrawn"


class ChallengeExpired(MatchError):
    """It has expired. Values: challenge."""

    key = "challenge_lapsed"


class OwnChallenge(MatchError):
    """A person cannot accept or decline their own challenge. Values: challenge."""

    key = "own_challenge"


class NotAddressee(MatchError):
    """It is addressed to somebody else, or open to anyone. Values: challenge, to (name or "")."""

    key = "not_addressee"


class NotChallenger(MatchError):
    """Only the challenger can withdraw it. Values: challenge, by (the name)."""

    key = "not_challenger"


class MatchUnknown(MatchError):
    """There is no such match. Values: match."""

    key = "match_unknown"


class NotInMatch(MatchError):
    """The person has no seat in the match. Values: match."""

    key = "not_in_match"


class MatchOver(MatchError):
    """The match is over. Values: match."""

    key = "match_over"


class ChoicePending(MatchError):
    """There is no position yet: a simultaneous choice is pending. Values: match."""

    key = "choice_pending"


class ChoiceAlreadyMade(MatchError):
    """There is nothing to pick in this match, or not any more. Values: match."""

    key = "choice_made"


class InvalidPick(MatchError):
    """There is no such pick. Values: match, choices."""

    key = "pick_refused"


class AlreadyPicked(MatchError):
    """The person has picked already, and a pick is final. Values: match."""

    key = "pick_stands"


class StaleBoard(MatchError):
    """The match has changed since the revision that was shown. Values: match, seen, ply."""

    key = "stale_board"


class NotYourTurn(MatchError):
    """It is the opponent's turn. Values: match, name (who is to move)."""

    key = "not_your_turn"


class NoMoveGiven(MatchError):
    """No move was given. Values: match, due, example (a legal move)."""

    key = "nothing_played"


class NothingToUndo(MatchError):
    """The person has no unfinished turn. Values: match."""

    key = "nothing_to_undo"


class TooManyMoves(MatchError):
    """More moves were given than are due in this turn. Values: match, due, given."""

    key = "too_many_moves"


class MoveRefused(MatchError):
    """The game rejects a move; none of the given moves was played.

    `error` is the engine's. Always one of the three subclasses. Values: match, index (from 0, among the given
    moves), text, reason (the game's refusal), choices.
    """

    key = "move_refused"

    def __init__(self, match: int, index: int, text: str, error: GameError) -> None:
        self.error = error
        super().__init__(match=match, index=index, text=text, reason=error, choices=error.choices)


class MoveUnreadable(MoveRefused):
    """The text is not a move of this game."""

    key = "move_unreadable"


class MoveIllegal(MoveRefused):
    """The move is not legal here."""

    key = "move_illegal"


class MoveAmbiguous(MoveRefused):
    """The text matches several legal moves; `choices` are texts that tell them apart."""

    key = "move_open"


class NoEndByAgreement(MatchError):
    """The rules do not define an end by agreement here. Values: match."""

    key = "cannot_agree"


class OfferAlreadyPending(MatchError):
    """The person's offer is already pending. Values: match."""

    key = "offer_stands"


class OfferDeclined(MatchError):
    """The person's offer was declined on this board; a move must come first. Values: match."""

    key = "offer_declined"


class NoPendingOffer(MatchError):
    """No offer to end is pending, or a move has withdrawn it. Values: match."""

    key = "no_offer"


class OwnOffer(MatchError):
    """A person cannot answer their own offer. Values: match."""

    key = "own_offer"


class MatchNeverStarted(MatchError):
    """The match ended before it had a position. Values: match."""

    key = "never_started"


class RecordUnknown(MatchError):
    """There is no such imported record. Values: record."""

    key = "record_unknown"


class RecordUnreadable(MatchError):
    """The text is not a game record. Values: line, column (both from 1), reason (the game's refusal)."""

    key = "record_unreadable"


class RecordTooLarge(MatchError):
    """The record is too large. Values: limit, size (in bytes)."""

    key = "record_too_large"


class RecordedGameOver(MatchError):
    """The recorded game is over and cannot be continued. Values: record."""

    key = "record_over"


class TooManyRecords(MatchError):
    """The person has imported the maximum of records within a day. Values: limit."""

    key = "too_many_records"


class NoteTooLong(MatchError):
    """The note is too long. Values: match, limit, size (in characters)."""

    key = "note_too_long"


class AliasEmpty(MatchError):
    """The alias has no visible characters."""

    key = "alias_empty"


class AnnouncementUnknown(MatchError):
    """There is no such announcement. Values: announcement."""

    key = "announcement_unknown"
