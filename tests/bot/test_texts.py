"""Every refusal, setting and value has a text."""

from __future__ import annotations

import inspect

import pytest

import matches
from bot.settings import Settings
from bot.ui.markdown import DISCORD
from bot.ui.permissions import REQUIRED_PERMISSIONS, THREAD_EQUIVALENTS, THREAD_PERMISSIONS
from bot.ui.refusals import Refusal, format_refusal
from i18n import Texts
from matches import ChallengeState, EndReason, MatchError
from runtime.settings import setting_names

TEXTS = Texts.load().with_writer(DISCORD)


def all_errors() -> list[type[MatchError]]:
    """Return all error classes of the match layer."""
    found = [one for one in vars(matches).values() if inspect.isclass(one) and issubclass(one, MatchError)]
    return [one for one in found if one not in {MatchError, matches.MoveRefused}]


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.key)
def test_every_refusal_has_a_text(error: type[MatchError]) -> None:
    assert TEXTS.has(f"refused.{error.key}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (matches.TooManyChallenges(limit=10), "You already have 10 open challenges"),
        (matches.TooManyMoves(match=3, due=1, given=2), "You can play only one move"),
        (matches.TooManyMoves(match=3, due=2, given=3), "You can play only 2 moves"),
        (matches.ChallengeAlreadyAccepted(challenge=1, by="Eve", you=0, match=2), "Eve was faster"),
        (
            matches.ChallengeAlreadyAccepted(challenge=1, by="Eve", you=1, match=2),
            "You have already accepted",
        ),
        (matches.NotAddressee(challenge=1, to=""), "open to anyone"),
        (matches.NotAddressee(challenge=1, to="Bob"), "is for Bob"),
        (matches.InvalidColour(colour="red", sides=("black", "white")), "Black or White"),
        (matches.NoVacationDaysLeft(days=30, year=2026), "all 30 days of vacation for 2026"),
        (matches.GameUnknown(game="go", games=("morelli",)), "You can play Morelli"),
        (matches.NotYourTurn(match=1, name="a_b_c"), r"a\_b\_c's turn"),
        (Refusal("no_match_here"), "You have no match under way in this channel"),
    ],
    ids=lambda value: getattr(value, "key", ""),
)
def test_refusal_is_formatted(error: MatchError | Refusal, sentence: str) -> None:
    assert sentence in format_refusal(TEXTS, error)


def test_every_invalid_setting_has_a_text() -> None:
    assert all(TEXTS.has(f"settings.{field}.malformed") for field in setting_names(Settings))
    assert TEXTS.has("settings.discord_token.missing")


def test_every_displayed_value_has_a_text() -> None:
    required = [
        *(f"challenge.{state}" for state in ChallengeState),
        *(
            f"result.{reason}.win"
            for reason in EndReason
            if reason not in {EndReason.ABORTED, EndReason.VOIDED}
        ),
        "result.aborted.draw",
        "result.corrected.draw",
        "result.voided.draw",
        *(
            f"permission.{name}"
            for name in (*REQUIRED_PERMISSIONS, *THREAD_EQUIVALENTS.values(), *THREAD_PERMISSIONS)
        ),
    ]
    assert [key for key in required if not TEXTS.has(key)] == []
