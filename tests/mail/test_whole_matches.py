"""Whole matches between mailboxes: from an invitation to the end, and every mail once, in its thread."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from matches import EndReason, MatchId, MatchState
from tests.mail.correspondence import (
    Mailbox,
    MovedClock,
    Program,
    answer_address,
    running_office,
    text_of,
)
from tests.matches.scenario import NOON, later, legal_move

if TYPE_CHECKING:
    from email.message import EmailMessage

    from matches import MatchView
    from storage import Database
    from tests.mail.correspondence import PostOffice

ANN, ZOE = "ann@example.org", "zoe@elsewhere.example"
MAX_TURNS = 200
QUICK = [("breakthrough", ""), pytest.param("morabaraba", "", marks=pytest.mark.long)]


async def join(office: PostOffice, mailbox: Mailbox, name: str) -> None:
    """Get an account by mail alone."""
    greeting = await mailbox.write("hello, I want to play")
    assert "join" in text_of(greeting)
    welcome = await mailbox.reply(f"join {name}", greeting)
    assert f"Welcome to Rayuela, {name}" in text_of(welcome)
    assert await office.matches.people.accounts.find_by_mail(mailbox.address) is not None


async def begin(office: PostOffice, words: str) -> tuple[dict[str, Mailbox], MatchView]:
    """Let Ann join, and invite Zoe, who accepts with a name; return their mailboxes by account."""
    ann, zoe = office.mailbox(ANN, Program.GMAIL), office.mailbox(ZOE, Program.OUTLOOK)
    await join(office, ann, "Ann")
    await ann.write(f"challenge {ZOE} {words}")
    invitation = zoe.newest
    assert "Ann invites you" in text_of(invitation)
    accepted = await zoe.reply("accept Zoe", invitation)
    assert "begins" in text_of(accepted)
    await office.wait()
    (summary,) = await office.matches.views.list_recent_of((await find_account(office, ZOE)), limit=5)
    boxes = {await find_account(office, one.address): one for one in (ann, zoe)}
    return boxes, await office.matches.view(summary.id, now=office.clock())


async def find_account(office: PostOffice, address: str) -> str:
    person = await office.matches.people.accounts.find_by_mail(address)
    assert person is not None
    return person.account


async def reload(office: PostOffice, view: MatchView) -> MatchView:
    return await office.matches.view(view.id, now=office.clock())


async def play_turn(office: PostOffice, boxes: dict[str, Mailbox], view: MatchView) -> MatchView:
    """Reply to the newest mail with the first legal move, and let the opponent be told."""
    mover = view.waits_for[0].account
    others = [box for account, box in boxes.items() if account != mover]
    before = [len(box.mails) for box in (boxes[mover], *others)]
    answer = await boxes[mover].reply(legal_move(view))
    assert "Your move is played" in text_of(answer)
    await office.wait()
    assert [len(box.mails) for box in (boxes[mover], *others)] == [one + 1 for one in before]
    return await reload(office, view)


def check_mails(office: PostOffice, match: MatchId) -> None:
    """Check that no mail came twice, and that those about the match are one thread."""
    ids = Counter(office.server.ids)
    assert [one for one, count in ids.items() if count > 1] == []
    said = Counter((mail["To"], text_of(mail)) for mail in office.server.mails)
    assert [one for one, count in said.items() if count > 1] == []
    thread = office.context.thread_of(match)
    in_match = [mail for mail in office.server.mails if is_about(mail, match, office)]
    assert in_match
    assert [mail["Subject"] for mail in in_match if thread not in str(mail["References"])] == []


def is_about(mail: EmailMessage, match: MatchId, office: PostOffice) -> bool:
    assert office.context.replies is not None
    token = office.context.replies.read(answer_address(mail))
    return getattr(token, "match", None) == match


def says_result(mail: EmailMessage) -> bool:
    return any(word in text_of(mail) for word in ("wins", "a draw"))


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), QUICK)
async def test_two_people_who_never_saw_the_website_play_to_the_end(
    database: Database, game: str, options: str
) -> None:
    async with running_office(database, MovedClock()) as office:
        boxes, view = await begin(office, f"{game} {options}")
        for _ in range(MAX_TURNS):
            if view.state is not MatchState.PLAYING:
                break
            view = await play_turn(office, boxes, view)
        assert view.result is not None
        assert view.result.reason is EndReason.PLAYED
        assert (await office.matches.audit(view.id)).difference is None
        assert [box.address for box in boxes.values() if not says_result(box.newest)] == []
        check_mails(office, view.id)
        count = len(office.server.mails)
        await office.wait(later(days=3) - NOON)
        assert len(office.server.mails) == count
