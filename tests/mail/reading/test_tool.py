"""``python -m mail read`` says what would be done with the mails of a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mail.reading.tool import main
from tests.games import GAMES
from tests.mail.reading.replies import BOB, OWN, POSITION, REPLIES, SENT, Reply, plain
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TOP = next(reply for reply in REPLIES if reply.name == "gmail_dutch")
BELOW_WITHOUT_MARKS = next(reply for reply in REPLIES if reply.name == "portuguese_below_without_marks")
MARKED = [reply for reply in REPLIES if reply.name.startswith("gmail_")]


def write(folder: Path, replies: Iterable[Reply], position: str = POSITION, **index: Any) -> list[str]:
    """Write mails and their index; return the arguments of the tool."""
    for reply in replies:
        (folder / f"{reply.name}.eml").write_bytes(reply.raw)
    (folder / "index.json").write_text(json.dumps({"position": position, **index}))
    return ["--index", str(folder / "index.json"), str(folder)]


def run(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> dict[str, str]:
    main(arguments)
    pairs = (line.partition("\t") for line in capsys.readouterr().out.splitlines())
    return {name: action for name, _, action in pairs}


@pytest.mark.long
def test_every_reply_is_printed_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, write(tmp_path, REPLIES))
    assert list(found) == sorted(f"{reply.name}.eml" for reply in REPLIES)
    wrong = {
        reply.name: found[f"{reply.name}.eml"]
        for reply in REPLIES
        if found[f"{reply.name}.eml"] not in {reply.action, "refuse"}
    }
    assert wrong == {}
    right = [reply for reply in REPLIES if found[f"{reply.name}.eml"] == reply.action]
    assert len(right) > 0.95 * len(REPLIES)


def test_one_mail_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, write(tmp_path, [TOP])) == {"gmail_dutch.eml": TOP.action}


def test_what_we_sent_is_known_from_other_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{BELOW_WITHOUT_MARKS.name}.eml"
    assert run(capsys, write(tmp_path, [BELOW_WITHOUT_MARKS]))[name] == "refuse"
    assert (
        run(capsys, write(tmp_path, [BELOW_WITHOUT_MARKS, *MARKED[:2]]))[name] == BELOW_WITHOUT_MARKS.action
    )


def test_what_we_sent_is_known_from_a_mail_that_came_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = Reply("sent", b"Content-Type: text/plain\n\n" + SENT.encode(), "ignore")
    (tmp_path / "sent.eml").write_bytes(sent.raw.replace(f"Bob Example <{BOB}>".encode(), OWN.encode()))
    name = f"{BELOW_WITHOUT_MARKS.name}.eml"
    found = run(capsys, write(tmp_path, [BELOW_WITHOUT_MARKS, TOP]))
    assert found[name] == BELOW_WITHOUT_MARKS.action
    assert found["sent.eml"] == "ignore"


def test_position_of_another_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = GAMES["morabaraba"].initial_position()
    replies = [plain("point", "a1 please\n"), plain("other_game", "B1-B10\n"), plain("taken", "A1\nno, A4\n")]
    assert run(capsys, write(tmp_path, replies, str(position))) == {
        "other_game.eml": "refuse",
        "point.eml": "play A1",
        "taken.eml": "refuse",
    }


def test_index_decides_nothing_but_the_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lies = [{"file": "gmail_dutch.eml", "typed": "A1-B2", "action": "ignore"}, {"file": "none.eml"}]
    assert run(capsys, write(tmp_path, [TOP], mails=lies, move="A1-B2")) == {"gmail_dutch.eml": TOP.action}


def test_another_sender_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "carol.eml").write_bytes(
        TOP.raw.replace(f"Bob Example <{BOB}>".encode(), b"carol@other.example")
    )
    (tmp_path / "fail.eml").write_bytes(TOP.raw.replace(b"dmarc=pass", b"dmarc=fail"))
    found = run(capsys, write(tmp_path, [TOP]))
    assert (found["carol.eml"], found["fail.eml"]) == ("reject sender", "reject sender")


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "has no `position`"),
        ('{"position": "chess x"}', "has no `position` that begins with the name of a game"),
        ('{"position": "morelli x"}', "index.json"),
        (None, "index.json"),
    ],
)
def test_bad_index_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], index: str | None, message: str
) -> None:
    arguments = write(tmp_path, [TOP])
    (tmp_path / "index.json").unlink()
    if index is not None:
        (tmp_path / "index.json").write_text(index)
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err


def test_folder_without_mails_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(write(tmp_path, []))
    assert "has no files *.eml" in capsys.readouterr().err


@pytest.mark.long
def test_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mail", "read", *write(tmp_path, [TOP])]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603 - ours
    assert done.stdout == f"gmail_dutch.eml\t{TOP.action}\n"
