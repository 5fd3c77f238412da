"""A state machine of a match: whatever two players try, the rules about players hold and the log agrees."""

import asyncio
import shutil
from collections.abc import Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from engine.game import OptionValue
from matches import (
    AnnouncementKind,
    Database,
    EndReason,
    Matches,
    MatchState,
    MatchUpdate,
    MatchView,
    OfferKind,
    Person,
)
from tests.matches.scenario import ALICE, BOB, FISTS, FREE, NOON, SMALL, end_offered_by, later, start_match
from tests.refusals import refused

PAIRS: dict[str, OptionValue] = {"edition": "2015", "size": 9, "setup": "pairs"}
people = st.sampled_from([ALICE, BOB])
RefusalKey = str | None


class MatchStateMachine(RuleBasedStateMachine):
    """One match and its expected state: the pending offer and the announcements."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "rayuela.db"
        shutil.copy(self.template, path)
        self.database = self.runner.run(Database.open(f"sqlite:///{path}"))
        self.matches = Matches(self.database)
        self.view: MatchView
        self.offer: Person | None = None
        self.declined = set[Person]()
        self.announced: list[tuple[AnnouncementKind, int]] = []

    @initialize(options=st.sampled_from([SMALL, FREE, FISTS, PAIRS]))
    def begins(self, options: dict[str, OptionValue]) -> None:
        self.view = self.runner.run(start_match(self.matches, options))
        closed = self.view.state is MatchState.CHOOSING
        self.announced = [(AnnouncementKind.CHOOSING if closed else AnnouncementKind.STARTED, 0)]

    @rule(person=people, pick=st.sampled_from(["LL", "RR", "LR"]))
    def picks(self, person: Person, pick: str) -> None:
        refusal: RefusalKey = None
        if self.view.state is not MatchState.CHOOSING:
            refusal = "choice_over"
        elif person in self.view.picked_by:
            refusal = "already_picked"
        last = len(self.view.picked_by) == 1
        if self._try(self.matches.pick(self.view.id, person, pick, now=NOON), refusal):
            self._tells(AnnouncementKind.REVEALED if last else None)

    @rule(number=st.sampled_from([1, 1, 1, 2, 3]), seed=st.integers(0, 1000), person=st.none() | people)
    def plays(self, number: int, seed: int, person: Person | None) -> None:
        """Play legal moves; without a `person` as the player to move."""
        mover = None if self.view.to_move is None else self.view.to_move.person
        person, due, position = person or mover or ALICE, self.view.moves_due, self.view.position
        if self.view.turn_start is not None and self.view.turn_start.moves_due == number > due:
            position, due = self.view.turn_start, number  # the whole turn anew
        texts: list[str] = []
        for index in range(number):
            if position is not None and position.to_move is not None:
                move = position.legal_moves()[(seed + index) % len(position.legal_moves())]
                position, texts = position.play(move), [*texts, str(move)]
        refusal = self._refusal_of_play(person, mover, number, due)
        if self._try(self.matches.play(self.view.id, person, texts or ["A1"], now=NOON), refusal):
            if number == due:
                self.offer = None
                self.declined.clear()
            assert self.view.position == position
            self._tells(AnnouncementKind.TURN if number == due else None)

    def _refusal_of_play(self, person: Person, mover: Person | None, number: int, due: int) -> RefusalKey:
        if self.view.state is MatchState.CHOOSING:
            return "choice_pending"
        if person != mover:
            return "not_your_turn"
        return "too_many_moves" if number > due else None

    @rule(person=people)
    def undoes(self, person: Person) -> None:
        """Undo a move of an unfinished turn."""
        moves, mover = self.view.unfinished_moves, self.view.to_move
        refusal: RefusalKey = "nothing_to_undo"
        if self.view.state is MatchState.CHOOSING:
            refusal = "choice_pending"
        elif moves and mover is not None and mover.person == person:
            refusal = None
        if self._try(self.matches.undo(self.view.id, person, now=NOON), refusal):
            assert self.view.unfinished_moves == moves[:-1]

    @rule(person=people)
    def offers(self, person: Person) -> None:
        refusal: RefusalKey = None
        if self.view.state is MatchState.CHOOSING:
            refusal = "choice_pending"
        elif person == self.offer:
            refusal = "offer_pending"
        elif person in self.declined and self.offer is None:
            refusal = "offer_declined"
        meets = self.offer is not None
        if self._try(self.matches.offers.make(self.view.id, person, OfferKind.END, now=NOON), refusal):
            self.offer = None if meets else person
            self._tells(AnnouncementKind.AGREED if meets else AnnouncementKind.OFFERED)

    @rule(person=people, accept=st.sampled_from([False, False, True]))
    def answers(self, person: Person, *, accept: bool) -> None:
        refusal: RefusalKey = None
        if self.view.state is MatchState.CHOOSING:
            refusal = "choice_pending"
        elif self.offer is None:
            refusal = "no_offer"
        elif person == self.offer:
            refusal = "own_offer"
        if self._try(self.matches.offers.answer_end(self.view.id, person, accept=accept, now=NOON), refusal):
            if self.offer is not None and not accept:
                self.declined.add(self.offer)
            self.offer = None
            self._tells(AnnouncementKind.AGREED if accept else AnnouncementKind.OFFER_DECLINED)

    @rule(person=people, chance=st.integers(0, 9))
    def resigns(self, person: Person, chance: int) -> None:
        if chance == 9 and self._try(self.matches.resign(self.view.id, person, now=NOON), None):
            self.offer = None
            self._tells(AnnouncementKind.RESIGNED)
            assert self.view.result is not None
            assert self.view.result.loser == self.view.seat(person.account)
            assert self.view.result.reason is EndReason.RESIGNED

    @invariant()
    def answer_is_what_is_stored(self) -> None:
        if hasattr(self, "view"):
            assert self.runner.run(self._view()) == self.view
            assert end_offered_by(self.view) == self.offer

    @invariant()
    def log_agrees(self) -> None:
        if hasattr(self, "view"):
            assert self.runner.run(self.matches.audit(self.view.id)).difference is None

    def teardown(self) -> None:
        try:
            assert self.runner.run(self._announced()) == self.announced
        finally:
            self.runner.run(self.database.close())
            self.runner.close()
            self.folder.cleanup()

    def _try(self, call: Coroutine[Any, Any, MatchUpdate], refusal: RefusalKey) -> bool:
        """Make a call that must succeed or raise one of the given refusals; return whether it succeeded."""
        if self.view.state is MatchState.OVER:
            refusal = "match_over"
        if refusal is not None:
            with refused(refusal):
                self.runner.run(call)
            return False
        update = self.runner.run(call)
        self.view, self.answer = self.runner.run(self._view()), update.announcement
        assert update.match in (self.view, self.runner.run(self.matches.view(self.view.id, now=NOON)))
        return True

    async def _view(self) -> MatchView:
        """Return the match as the player to move sees it."""
        view = await self.matches.view(self.view.id, now=NOON)
        mover = () if view.to_move is None else (view.to_move.person.account,)
        return await self.matches.view(view.id, readers=mover, now=NOON)

    def _tells(self, kind: AnnouncementKind | None) -> None:
        """Check and record the announcement of the last call."""
        assert (self.answer and self.answer.kind) == kind
        if kind is not None:
            self.announced.append((kind, self.view.ply - len(self.view.unfinished_moves)))

    async def _announced(self) -> list[tuple[AnnouncementKind, int]]:
        announced = []
        while rows := await self.matches.announcements.claim_due("test", now=later(minutes=1)):
            for row in rows:
                await self.matches.announcements.mark_sent(row.id, "test:post", now=NOON)
                announced += [(row.kind, row.ply)] if row.match else []
        return announced


def test_life_of_a_match(migrated_file: Path) -> None:
    MatchStateMachine.template = migrated_file
    run_state_machine_as_test(
        MatchStateMachine,
        settings=settings(
            max_examples=6,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
