"""Replies of many mail programs: nothing wrong is ever played, and what is clear is played."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.parsing import parse_mail
from mail.reading.tool import find_action, main
from mail.reading.typed import find_typed
from mail.reading.values import IncomingMail, Play, Unclear
from mail.reading.words import read_words
from tests.mail.reading.replies import HEADS, MOVE, REPLIES, SENT, SENTENCES, Reply
from tests.mail.reading.scenario import MORELLI, OWN_MAIL, SITUATION, STRANGE_MAIL, VOCABULARY, read
from tests.unicode_text import unicode_text

MAILS = Path(__file__).resolve().parents[4] / "shared" / "mails"
PROSE = ("Nice move! I answer tomorrow.", "Let me think about B1-B10.", "I will not resign yet.", "", "Bob")
TYPED = [reply for reply in REPLIES if reply.action != "refuse"]
SINGLE_SENTENCES = [text for text in SENTENCES if "\n" not in text]


def by_name(reply: Reply) -> str:
    return reply.name


@pytest.mark.parametrize("reply", REPLIES, ids=by_name)
def test_reply(reply: Reply) -> None:
    assert find_action(parse_mail(reply.raw), SITUATION, VOCABULARY) == reply.action


@pytest.mark.parametrize("reply", REPLIES, ids=by_name)
def test_reply_to_a_mail_that_is_not_known_is_right_or_a_question(reply: Reply) -> None:
    situation = replace(SITUATION, own=STRANGE_MAIL)
    assert find_action(parse_mail(reply.raw), situation, VOCABULARY) in {reply.action, "refuse"}


@pytest.mark.parametrize("reply", TYPED, ids=by_name)
def test_reply_with_prose_instead_of_the_typed_line_does_nothing(reply: Reply) -> None:
    mail = parse_mail(reply.raw)
    typed = find_typed(mail, OWN_MAIL)
    line = next(
        one
        for paragraph in typed
        for one in paragraph
        if not isinstance(read_words(((one,),), MORELLI, VOCABULARY), Unclear)
    )
    for prose, own in product(PROSE, (OWN_MAIL, STRANGE_MAIL)):
        changed = replace(mail, text=mail.text.replace(line, prose))
        assert isinstance(read_words(find_typed(changed, own), MORELLI, VOCABULARY), Unclear)


def surroundings() -> st.SearchStrategy[list[str]]:
    """Return lines that stand around typed text; none is by itself a move."""
    separators = ["", "", "-- ", "________________________________", "-----Original Message-----", "Hi Bob,"]
    marked = [
        "> A1-B2",
        "> B1-B10",
        "| resign",
        "On Mon, Nov 23, Rayuela wrote:",
        "Sent from my iPhone",
        "Bob",
    ]
    heads = [line for head in HEADS.values() for line in head.splitlines()]
    known = st.sampled_from([*separators, *marked, *heads, *SENT.splitlines()])
    return st.lists(known | unicode_text(30).filter(is_unclear), max_size=12)


def is_unclear(text: str) -> bool:
    return all(
        isinstance(read_words(((line,),), MORELLI, VOCABULARY), Unclear)
        for line in (text, *text.splitlines(), *text.split("\n"))
    )


@pytest.mark.long
@given(surroundings(), st.sampled_from([*SINGLE_SENTENCES, *PROSE]), surroundings())
def test_sentence_never_plays_whatever_stands_around_it(
    above: list[str], text: str, below: list[str]
) -> None:
    for own in (OWN_MAIL, STRANGE_MAIL):
        assert isinstance(read("\n".join([*above, text, *below]), own=own), Unclear)


@pytest.mark.long
@given(surroundings())
def test_no_other_move_than_the_typed_one_is_played(below: list[str]) -> None:
    words = read("\n".join([MOVE, "", *below]))
    assert isinstance(words, Unclear) or (isinstance(words, Play) and words.words == (MOVE,))


@pytest.mark.parametrize(
    "wrapped",
    [
        "To play, reply to this mail with your move in the first line, for\nexample:\nA1-B2",
        "A1-B2\nYou can also reply with one of these words: resign, takeback,\nboard,\nhelp.",
        "> To play, reply to this mail with your move in the first line, for example:\nA1-B2\n> You",
    ],
)
def test_pieces_of_our_lines_are_not_typed(wrapped: str) -> None:
    assert find_typed(IncomingMail(text=wrapped), OWN_MAIL) == ()


def test_mailbox_of_a_provider_shares_its_domain_with_players() -> None:
    own = replace(STRANGE_MAIL, addresses=("games+m1-2-abc@mail.example",))
    text = f"\nFrom: Carol <carol@mail.example>\nSent: Sunday\nTo: games+m1-2-abc@mail.example\n\n{MOVE}\n"
    mail = IncomingMail(from_address="bob@mail.example", text=text)
    assert find_typed(mail, own) == ()


@pytest.mark.long
def test_every_mail_of_the_collection_is_read_as_its_index_says(capsys: pytest.CaptureFixture[str]) -> None:
    if not MAILS.is_dir():
        pytest.skip("The collection of reply mails is not beside this checkout.")
    main(["--index", str(MAILS / "index.json"), str(MAILS)])
    rows = [line.split(" | ") for line in (MAILS / "INDEX.md").read_text().splitlines() if ".eml |" in line]
    expected = [f"{row[0].strip('| ')}\t{row[2].strip()}" for row in rows]
    assert capsys.readouterr().out.splitlines() == expected
    assert len(expected) == len(list(MAILS.glob("*.eml")))
