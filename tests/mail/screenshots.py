"""Save mails as pictures and as text: `python -m tests.mail.screenshots FOLDER [LANGUAGE]`.

Each mail narrow and wide, light and dark, as ``MAIL-WIDTH-COLOURS.png``, and its text as ``MAIL.txt``.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from engine.game import Side
from i18n.plurals import ENGLISH
from mail.commands.values import Answer
from matches import Database, FollowMode, Matches, OfferKind, Person
from matches.platforms import WEBSITE
from matches.posting.letters import LetterKind
from matches.terms import Terms, TimeControl
from tests.games import GAMES
from tests.mail.scenario import ANN, BEN, REPLIES, SECRET, address_of, give_mail, sending, write, write_answer
from tests.mail.smtp_server import running_smtp
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles
from tests.matches.scenario import NOON, later, make_challenge, play_move, start_match
from tests.web.chromium import running_browser

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches import MatchView

WIDTHS = (360, 720)
COLOURS = ("light", "dark")
EVE = Person(f"web:{'e' * 24}", "Eve")
TERMS = Terms(time_control=TimeControl.per_move(timedelta(days=3)))


async def start(
    matches: Matches, by: Person = ANN, to: Person = BEN, moves: int = 5, **options: str | int
) -> MatchView:
    view = await start_match(
        matches, dict(options), by=by, to=to, server=WEBSITE, channel=WEBSITE, terms=TERMS
    )
    for _ in range(moves):
        view = (await play_move(matches, view)).match
    return view


async def prepare_mails(database: Database, language: str) -> dict[str, EmailMessage]:
    """Return mails of every sort to Ben, who reads them in a language, by name."""
    await give_mail(database, ANN, BEN, EVE)
    matches, mails = Matches(database, games=GAMES), dict[str, EmailMessage]()
    for person in (ANN, BEN):  # an invitation is in the language of who invites
        await matches.people.preferences.change(person, zone="Europe/Berlin", language=language, now=NOON)
    view = await start(matches)
    mails["turn"] = await take(database, later(hours=1))
    await matches.offers.make(view.id, ANN, OfferKind.TAKEBACK, now=later(hours=2))
    mails["offer"] = await take(database, later(hours=3))
    answer = Answer(
        "A1-A9 is not possible", ("A1-A9: there is no stone on A1.", "Nothing was played."), view.id
    )
    await write_answer(
        database, answer, address_of(BEN), BEN.account, subject="Your turn against Ann", now=later(hours=3)
    )
    mails["refusal"] = await take(database, later(hours=3))
    await matches.resign(view.id, ANN, now=later(hours=3))
    mails["over"] = await take(database, later(hours=4))
    await start(matches, BEN, ANN, moves=0, setup="fists")
    mails["fists"] = await take(database, later(hours=5))
    challenge = await make_challenge(
        matches, ANN, BEN, colour=Side.BLACK, channel=WEBSITE, terms=TERMS, now=later(hours=5)
    )
    mails["challenge"] = await take(database, later(hours=6))
    await write(
        database, LetterKind.INVITATION, "new@example.org", challenge=challenge.id, now=later(hours=6)
    )
    mails["invitation"] = await take(database, later(hours=6), "new@example.org")
    await write(database, LetterKind.CODE, "new@example.org", code=SECRET, now=later(hours=6))
    mails["code"] = await take(database, later(hours=6), "new@example.org")
    for _ in range(2):
        watched = await start(matches, to=EVE, moves=1)
        await matches.people.following.follow(watched.id, BEN, FollowMode.DAILY, now=NOON)
        await play_move(matches, watched, now=later(hours=7))
    await matches.people.following.announce_digests(now=later(days=1))
    mails["digest"] = await take(database, later(days=1, hours=1))
    await store_puzzles(database, [puzzle_of("morabaraba", turns=3)])
    await matches.puzzle_mails.switch_on(BEN, now=later(days=1))
    await matches.puzzle_mails.write_due(now=later(days=2))
    mails["puzzle"] = await take(database, later(days=2))
    return mails


async def take(database: Database, now: datetime, address: str = address_of(BEN)) -> EmailMessage:
    """Send what is due, and return the last mail to an address."""
    async with running_smtp() as server, sending(database, server.port, lambda: now, REPLIES) as sender:
        await sender.send_due()
    return [mail for mail in server.mails if mail["To"] == address][-1]


def show(mail: EmailMessage) -> str:
    """Return the HTML of a mail with its pictures inside."""
    body = mail.get_body(("html",))
    html = "" if body is None else body.get_content()
    for part in mail.walk():
        if part.get_content_type() == "image/png":
            name, data = part["Content-ID"].strip("<>"), part.get_payload(decode=True)
            picture = b64encode(data if isinstance(data, bytes) else b"").decode()
            html = html.replace(f"cid:{name}", f"data:image/png;base64,{picture}")
    return html


async def save_screenshots(folder: Path, mails: Mapping[str, EmailMessage]) -> None:
    """Save the text of mails and their pictures."""
    async with running_browser() as browser:
        for width in WIDTHS:
            for colours in COLOURS:
                window = await browser.new_page(
                    viewport={"width": width, "height": 640},
                    color_scheme="dark" if colours == "dark" else "light",
                )
                for name, mail in mails.items():
                    await window.set_content(show(mail))
                    path = folder / f"{name}-{width}-{colours}.png"
                    await window.screenshot(path=path, full_page=True)
                await window.close()


def save_texts(folder: Path, mails: Mapping[str, EmailMessage]) -> None:
    """Save the headers and the text of mails."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, mail in mails.items():
        headers = "\n".join(f"{header}: {value}" for header, value in mail.items())
        body = mail.get_body(("plain",))
        text = "" if body is None else body.get_content()
        (folder / f"{name}.txt").write_text(f"{headers}\n\n{text}", encoding="utf-8")


async def main(folder: Path, language: str = ENGLISH) -> None:
    with TemporaryDirectory() as temporary:
        async with await Database.open(f"sqlite+aiosqlite:///{temporary}/rayuela.db") as database:
            mails = await prepare_mails(database, language)
    save_texts(folder, mails)
    await save_screenshots(folder, mails)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
