"""Who may challenge whom, and how the order changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.tournaments.pairing.ladder import (
    LadderRefusal,
    apply_win,
    check_challenge,
    drop_idle,
    is_unanswered,
    list_idle,
    list_opponents,
)
from matches.tournaments.results import EntrantId

ORDER = tuple(map(EntrantId, range(1, 11)))
NOW = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("challenger", "defender", "running", "refusal"),
    [
        (5, 4, (), None),
        (5, 2, (), None),
        (5, 1, (), LadderRefusal.TOO_FAR),
        (5, 5, (), LadderRefusal.NOT_ABOVE),
        (5, 6, (), LadderRefusal.NOT_ABOVE),
        (5, 99, (), LadderRefusal.NOT_IN_LADDER),
        (9, 8, (), LadderRefusal.BLOCKED),
        (5, 4, ((5, 3),), LadderRefusal.HAS_SENT),
        (5, 4, ((6, 4),), LadderRefusal.HAS_RECEIVED),
        (5, 4, ((4, 3), (6, 5)), None),
        (5, 4, ((4, 5),), LadderRefusal.ALREADY_PAIRED),
    ],
)
def test_challenge(
    challenger: int, defender: int, running: tuple[tuple[int, int], ...], refusal: LadderRefusal | None
) -> None:
    found = check_challenge(
        ORDER,
        EntrantId(challenger),
        EntrantId(defender),
        running=[(EntrantId(one), EntrantId(other)) for one, other in running],
        blocks=frozenset({frozenset(map(EntrantId, (8, 9)))}),
    )
    assert found == refusal


def test_opponents() -> None:
    assert list_opponents(ORDER, EntrantId(5)) == (2, 3, 4)
    assert list_opponents(ORDER, EntrantId(5), running=[(ORDER[6], ORDER[2])]) == (2, 4)
    assert list_opponents(ORDER, EntrantId(1)) == ()


@pytest.mark.parametrize(
    ("winner", "loser", "after"),
    [(4, 2, (1, 4, 2, 3, 5)), (2, 4, (1, 2, 3, 4, 5)), (9, 2, (1, 2, 3, 4, 5)), (2, 9, (1, 2, 3, 4, 5))],
)
def test_result(winner: int, loser: int, after: tuple[int, ...]) -> None:
    assert apply_win(ORDER[:5], EntrantId(winner), EntrantId(loser)) == after


def test_times() -> None:
    assert not is_unanswered(NOW, NOW + timedelta(days=5, seconds=-1))
    assert is_unanswered(NOW, NOW + timedelta(days=5))
    last = {ORDER[0]: NOW - timedelta(days=30), ORDER[1]: NOW - timedelta(days=29)}
    assert list_idle(last, NOW) == {1}


@pytest.mark.parametrize(
    ("idle", "after"),
    [
        ((), ORDER),
        ((3,), (1, 2, 4, 3, 5, 6, 7, 8, 9, 10)),
        ((3, 4), (1, 2, 5, 3, 4, 6, 7, 8, 9, 10)),
        ((9, 10), ORDER),
        (ORDER, ORDER),
    ],
)
def test_idle_players_go_down(idle: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert drop_idle(ORDER, map(EntrantId, idle)) == after


@pytest.mark.long
@given(st.integers(0, 40), st.sets(st.integers(1, 40)))
def test_those_who_play_lose_no_place_to_idle_ones(count: int, idle: set[int]) -> None:
    order = tuple(map(EntrantId, range(1, count + 1)))
    after = drop_idle(order, map(EntrantId, idle))
    assert sorted(after) == list(order)
    active = [one for one in order if one not in idle]
    assert [one for one in after if one not in idle] == active
    assert all(after.index(one) <= order.index(one) for one in active)
    assert [one for one in after if one in idle] == [one for one in order if one in idle]
