"""A computer whose strength follows the results of a person."""

import pytest

from ai.levels import Level
from ai.worker.worker import find_strength as find_task_strength
from engine.game import Side
from i18n.match_texts import format_title
from matches import ADAPTIVE, LEVELS, Matches, MatchUpdate, MatchView
from matches.computer.accounts import computer_account, strength_levels
from matches.computer.adaptive import FIRST, HIGHEST, RECENT, find_strength, strength_after
from matches.terms import Terms, format_terms, parse_terms
from storage.match.results import SeatedResult
from tests.games import GAMES, TEXTS
from tests.matches.scenario import ALICE, CHANNEL, NOON, SERVER, SMALL, later

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@pytest.mark.parametrize(
    ("found", "strength"),
    [
        ([], FIRST),
        ([("adaptive", WIN)], 1.5),
        ([("adaptive", LOSS)], 0.5),
        ([("adaptive", DRAW)] * 9, 1.0),
        ([("adaptive", WIN), ("adaptive", LOSS)] * 2 + [("adaptive", WIN)], 1.25),  # smaller steps by then
        ([("adaptive", LOSS)] * 9, 0.0),
        ([("adaptive", WIN)] * 40, HIGHEST),
        ([("club", WIN)], 2.5),
        ([("club", WIN), ("beginner", WIN)], 2.5),  # nothing new
        ([("club", LOSS)], FIRST),
        ([("club+", WIN)], 3.0),
        ([("club", WIN), ("casual+", LOSS)], 1.0),
        ([("beginner", LOSS)], 0.0),
        ([("strong", DRAW)], FIRST),
        ([("master", WIN)], HIGHEST),
        ([("of an earlier version", WIN)], FIRST),
    ],
)
def test_strength_follows_results(found: list[tuple[str, float]], strength: float) -> None:
    assert find_strength(found) == strength


def finished(wins: str, strength: float = FIRST) -> list[SeatedResult]:
    """Return matches of Alice, who begins, against the adaptive computer: won (W) or lost."""
    terms, computer = format_terms(Terms(strength=strength)), computer_account(ADAPTIVE)
    return [SeatedResult(ALICE.account, computer, "black" if one == "W" else "white", terms) for one in wins]


def test_who_has_played_long_keeps_the_strength_that_was_reached() -> None:
    found = finished("WL" * (RECENT // 2), strength=3.5)
    assert strength_after(found, GAMES["morelli"]) == 3.5
    assert strength_after([*found[1:], *finished("W", 3.25)], GAMES["morelli"]) == 3.5
    assert strength_after(found[2:], GAMES["morelli"]) == FIRST


@pytest.mark.parametrize(
    ("strength", "levels"),
    [(0.0, ("beginner", "beginner")), (1.25, ("casual", "club")), (HIGHEST, ("expert", "expert"))],
)
def test_strength_lies_between_two_levels(strength: float, levels: tuple[str, str]) -> None:
    assert strength_levels(strength) == levels


def test_terms_keep_the_strength() -> None:
    assert parse_terms(format_terms(Terms(strength=1.25))) == Terms(strength=1.25)
    assert "strength" not in format_terms(Terms())


async def start(matches: Matches, level: str = "adaptive") -> MatchView:
    update = await matches.computer.start(
        ALICE,
        level=level,
        server=SERVER,
        channel=CHANNEL,
        game="morelli",
        options=SMALL,
        colour=Side.WHITE,
        now=NOON,
    )
    return update.match


async def test_next_match_is_played_as_the_results_say(matches: Matches) -> None:
    view = await start(matches)
    assert (view.terms.strength, view.terms.rated) == (FIRST, False)
    assert format_title(TEXTS, view, GAMES["morelli"]).endswith("the computer plays like casual")
    (task,) = await matches.computer.claim(now=later(seconds=2))
    assert find_task_strength(task) == (Level.CASUAL, 0.0)
    await matches.resign(view.id, ALICE, now=later(seconds=3))
    again = await matches.rematches.request(
        view.id, ALICE, server=SERVER, channel=CHANNEL, now=later(hours=1)
    )
    assert isinstance(again, MatchUpdate)
    assert again.match.terms.strength == 0.5
    title = format_title(TEXTS, again.match, GAMES["morelli"])
    assert title.endswith("the computer plays between beginner and casual")


async def test_other_levels_have_no_strength(matches: Matches) -> None:
    first = await start(matches)
    assert first.terms.strength is not None
    for level in LEVELS[:-1]:
        assert (await start(matches, level)).terms.strength is None


async def test_match_keeps_its_strength(matches: Matches) -> None:
    view, other = await start(matches), await start(matches)
    (task, _) = await matches.computer.claim(now=later(seconds=2), limit=2)
    assert task.view.id == view.id
    await matches.resign(other.id, ALICE, now=later(seconds=3))
    assert (await matches.view(view.id, now=NOON)).terms.strength == FIRST
