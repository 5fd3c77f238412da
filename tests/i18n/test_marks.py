"""The marks of the pseudo language: what they find, and that pages of the website show no other texts."""

from __future__ import annotations

import pytest

from tests import marked_texts
from tests.databases import open_database
from tests.marks import find_faults, remove_marks
from tests.toy_games import RULES_FOLDER, TEXTS_FOLDER
from tests.web.environment import running_web
from tests.web.marks import find_page_faults

PATHS = (
    "/",
    "/new?game=morelli",
    "/rules/morelli",
    "/matches",
    "/lobby",
    "/challenge",
    "/report",
    "/nowhere",
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("⟦Your turn, Ann¦Ŷöûŕ ťûŕñ,⟧", ()),
        ("⟦Your move: ⟦Black¦Bļäćķ⟧ A1-B2¦Ŷöûŕ mövé:⟧", ()),
        ("⟦It is over.¦Îť îš övéŕ.⟧ ⟦Play again?¦Pļäŷ äĝäîñ?⟧", ()),
        ("⟦rated¦ŕäťéď⟧ · ⟦no clock¦ñö ćļöćķ⟧", ()),
        ("A1-B2 x C3, 12:30, Europe/Berlin", ()),
        ("Your turn", ("unmarked", "unmarked")),
        ("⟦Your turn¦Ŷöûŕ ťû", ("cut",)),
        ("⟦Your turn", ("cut",)),
        ("⟦you won¦ŷöû⟧ ⟦against¦ŵöñ⟧ 12", ("joined",)),
    ],
)
def test_faults_of_a_text(text: str, kinds: tuple[str, ...]) -> None:
    assert tuple(one.partition(":")[0] for one in find_faults(text, ["Ann"])) == kinds


def test_english_is_left_without_the_marks() -> None:
    assert remove_marks("⟦Your move: ⟦Black¦Bļäćķ⟧ A1¦Ŷöûŕ mövé:⟧!") == "Your move: Black A1!"


@pytest.mark.plain("its visitor would remove the marks")
async def test_every_text_of_public_pages_is_of_the_catalogue(sqlite_url: str) -> None:
    faults = {}
    async with (
        open_database(sqlite_url) as database,
        running_web(
            database,
            allow_local_games=True,
            has_mail=True,
            has_computer=True,
            texts=marked_texts.load(TEXTS_FOLDER),
            rule_books=marked_texts.load_rule_books(RULES_FOLDER),
        ) as env,
        env.visitor() as visitor,
    ):
        for path in PATHS:
            text = (await visitor.get(path)).text
            assert "⟦" in text, path
            if found := find_page_faults(text):
                faults[path] = found
    assert faults == {}
