"""The clock of a process does not follow a short leap of the machine's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from runtime.steady_clock import PATIENCE, SteadyClock

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEN_YEARS = timedelta(days=3653)
MINUTE = timedelta(minutes=1)


class Machine:
    """A machine with a monotonic clock and a clock that may be wrong."""

    def __init__(self) -> None:
        self.running = timedelta(days=3)
        self.error = timedelta(0)
        self.clock = SteadyClock(lambda: self.true_time + self.error, lambda: self.running)

    @property
    def true_time(self) -> datetime:
        return START + self.running


@pytest.mark.parametrize("leap", [TEN_YEARS, -TEN_YEARS, timedelta(minutes=2)])
def test_leap_that_is_set_right_is_never_seen(leap: timedelta) -> None:
    machine = Machine()
    for error in (timedelta(0), leap, leap, timedelta(0)):
        machine.running += PATIENCE / 3
        machine.error = error
        assert machine.clock() == machine.true_time


@pytest.mark.parametrize("leap", [TEN_YEARS, -TEN_YEARS])
def test_leap_that_lasts_is_followed(leap: timedelta) -> None:
    machine = Machine()
    machine.error = leap
    assert machine.clock() == machine.true_time
    machine.running += PATIENCE
    assert machine.clock() == machine.true_time + leap
    machine.running += MINUTE
    assert machine.clock() == machine.true_time + leap


def test_small_corrections_are_followed_at_once() -> None:
    machine = Machine()
    for _ in range(9):
        machine.running += MINUTE
        machine.error += MINUTE
        assert machine.clock() == machine.true_time + machine.error


def test_long_time_without_a_call_is_no_leap() -> None:
    machine = Machine()
    machine.running += TEN_YEARS
    assert machine.clock() == machine.true_time
