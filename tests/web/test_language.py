"""The language of pages: chosen by the visitor, or asked for by the browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiohttp.test_utils import make_mocked_request

from i18n import Texts
from i18n.translations import list_languages
from tests.web.environment import OWN_SITE
from tests.web.test_sse import open_stream
from web.pages.language import visitor_language
from web.pages.pages import capitalize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.web.environment import Visitor, WebEnvironment

OTHERS = list_languages()[1:]
TEMPLATES = sorted((Path(__file__).parents[2] / "web" / "templates").iterdir())
# A text at the end of an expression, perhaps tags, and a space before a word, another text or an element.
TAGS = r"(?:\{%(?:(?!%\}).)*%\}|</?(?:a|b|bdi|em|i|small|span|strong)\b[^>]*>)*"
SPACE_AFTER_TEXT = re.compile(
    rf"texts\('(?P<key>[\w.]+)'(?P<more> ~)?(?:(?!\}}\}}).)*\}}\}}{TAGS}[ ]{TAGS}(?:\{{\{{|[^\s<{{\"·])"
)


def ask(accepted: str, chosen: str = "") -> str:
    headers = {"Accept-Language": accepted, "Cookie": f"language={chosen}"}
    return visitor_language(make_mocked_request("GET", "/", headers=headers))


@pytest.mark.parametrize(
    "accepted",
    ["", "*", "en-GB", "xx, yy;q=0.5", ";q=1", "en;q=abc", ",,,", "x" * 5000, "xx;q=nan, en;q=-1", "\x00"],
)
def test_what_nobody_understands_is_english(accepted: str) -> None:
    assert ask(accepted) == "en"


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_chosen_by_its_weight_or_by_the_visitor(language: str) -> None:
    assert ask(f"{language}-XX,en;q=0.8") == language
    assert ask(f"en;q=0.3,xx,{language.upper()};q=0.7") == language
    assert ask(f"en, {language};q=0.9") == "en"
    assert ask(f"{language};q=0, en;q=0.1") == "en"
    assert ask(language, chosen="en") == "en"
    assert ask("en", chosen=language) == language
    assert ask("en", chosen="xx") == "en"


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
async def test_two_visitors_get_their_languages_one_after_the_other(
    env: WebEnvironment, language: str
) -> None:
    """What is made for one reader is not shown to another, whoever comes first."""
    match = await env.start_match()
    await env.play(match.id)
    texts = {one: Texts.load(language=one) for one in ("en", language)}
    pages = ("/", "/rules", "/rules/morphos", "/learn", "/analysis/morphos", "/privacy", "/nothing")
    for path in (*pages, f"/m/{match.id}"):
        async with env.visitor() as english, env.visitor() as other:
            for _ in range(2):
                for visitor, own in ((english, "en"), (other, language)):
                    page = await visitor.get(path, headers={"Accept-Language": own})
                    assert f'<html lang="{own}"' in page.text
                    assert f">{texts[own]('web.nav.rules')}<" in page.text
                    foreign = next(one for one in texts if one != own)
                    assert f">{texts[foreign]('web.nav.rules')}<" not in page.text
                    assert "Accept-Language" in page.headers["Vary"]


@pytest.mark.parametrize("language", OTHERS)
async def test_boards_have_a_tag_for_each_language(
    visitor: Visitor, env: WebEnvironment, language: str
) -> None:
    match = await env.start_match()
    pages = [
        await visitor.get(f"/m/{match.id}/board.svg", headers={"Accept-Language": one})
        for one in ("en", language)
    ]
    assert len({page.headers["ETag"] for page in pages}) == 2


@pytest.mark.parametrize("language", OTHERS)
async def test_each_spectator_gets_the_turns_in_their_own_language(
    env: WebEnvironment, language: str
) -> None:
    """The same event is written for each, and what was made for one is not sent to the other."""
    match = await env.start_match()
    words = {one: Texts.load(language=one)("side.black") for one in ("en", language)}
    async with env.visitor() as english, env.visitor() as other:
        streams = {
            own: await open_stream(visitor, match.id, **{"Accept-Language": own})
            for visitor, own in ((english, "en"), (other, language), (english, "en"), (other, language))
        }
        for _ in range(3):
            await env.play(match.id)
            for own, stream in streams.items():
                said = json.dumps(await stream.next_event(), ensure_ascii=False)
                assert words[own] in said
                assert not any(word in said for one, word in words.items() if one != own)


@pytest.mark.parametrize("language", OTHERS)
async def test_the_menu_of_every_page_chooses_the_language(env: WebEnvironment, language: str) -> None:
    async with env.visitor() as visitor:
        headers = {**OWN_SITE, "Referer": f"{env.context.base}/rules"}
        page = await visitor.post("/language", data={"language": language}, headers=headers)
        assert page.url == "/rules"
        assert f'<html lang="{language}"' in page.text
        page = await visitor.post("/language", data={"language": "xx"}, headers=headers)
        assert f'<html lang="{language}"' in page.text
        page = await visitor.post("/language", data={"language": "en"}, headers=headers)
        assert '<html lang="en"' in page.text


def marked_as_english(page: str) -> list[str]:
    """Return the elements of a page that are marked as English, without the button of the menu."""
    return re.findall(r'<(?!html|button)[^>]* lang="en"[^>]*>', page)


@pytest.mark.plain("marked rule books are not as they are loaded")
async def test_what_nobody_has_translated_is_marked_as_english(visitor: Visitor) -> None:
    """The tests have rule books in English only, but lessons in every language."""
    japanese, english = {"Accept-Language": "ja"}, {"Accept-Language": "en"}
    rules = await visitor.get("/rules/breakthrough", headers=japanese)
    assert '<html lang="ja"' in rules.text
    found = marked_as_english(rules.text)
    assert '<h2 id="summary-title" lang="en">' in found
    assert {'<p lang="en">', '<div lang="en">', '<figcaption aria-live="polite" lang="en">'} <= set(found)
    assert marked_as_english((await visitor.get("/rules/breakthrough", headers=english)).text) == []
    lesson = await visitor.get("/learn/morphos", headers=japanese)
    assert marked_as_english(lesson.text) == []


@pytest.mark.parametrize("language", list_languages())
def test_every_language_has_its_name(language: str) -> None:
    assert Texts.load().has(f"language.{language}")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_a_space_after_a_japanese_sentence(template: Path) -> None:
    """What follows a full stop or a colon is separated by `gap()`, which is nothing in Japanese."""
    endings = {key: last_sign(text) for key, text in Texts.load(language="ja").templates.items()}
    found = []
    for text in SPACE_AFTER_TEXT.finditer(template.read_text(encoding="utf-8")):
        key = text["key"]
        keys = [one for one in endings if one.startswith(key)] if text["more"] else [key]
        found += [key for one in keys if endings[one] in "。！？："]  # noqa: RUF001 - full-width marks
    assert found == []


def last_sign(template: str | Mapping[str, str]) -> str:
    text = template if isinstance(template, str) else template["other"]
    return re.sub(r"</?\w+>", "", text)[-1:] or "-"


def test_a_capital_first_letter_leaves_the_nouns_of_german_alone() -> None:
    assert capitalize("kennt die Regeln") == "Kennt die Regeln"
    assert capitalize("") == ""
