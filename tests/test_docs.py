"""What the documents claim, compared with the code."""

import re
from collections import Counter
from pathlib import Path

import discord
import pytest

from bot.app import FEATURES
from bot.settings import Settings
from bot.ui.permissions import REQUIRED_PERMISSIONS, THREAD_EQUIVALENTS, THREAD_PERMISSIONS
from engine import GAMES
from i18n import Texts
from i18n.translations import digest, list_languages
from runtime.documents import FIRST_LINE, PRIVACY_POLICY, TERMS, is_current
from runtime.settings import EXIT_BAD_SETTINGS, setting_names
from tests.test_import_rules import PACKAGES
from tools.picture_files import same_pixels
from tools.pictures import FOLDER, ILLUSTRATIONS, render_illustration

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TRANSLATIONS = [path for path in DOCUMENTS if FIRST_LINE.match(path.read_text(encoding="utf-8"))]
FENCED, CODE, NUMBER = re.compile(r"```.*?```", re.DOTALL), re.compile(r"`[^`\n]+`"), re.compile(r"\d+")
MARKS = re.compile(r"^(#+ |\| |- |\d+\. |```|<img )", re.MULTILINE)

ARCHITECTURE = ROOT / "docs" / "architecture.md"
MAX_WORDS = 1200
"""Of the first page about the architecture, for somebody's first day."""


Named = (discord.app_commands.Command, discord.app_commands.Group)  # what one types with a slash


def commands() -> set[str]:
    texts = Texts.load()
    found = (build(texts, GAMES) for feature in FEATURES for build in feature.commands)
    return {f"/{one.name}" for one in found if isinstance(one, Named)}


def test_operating_lists_the_commands_outside_servers() -> None:
    texts = Texts.load()
    everywhere, direct = set[str](), set[str]()
    for build in (build for feature in FEATURES for build in feature.commands):
        command = build(texts, GAMES)
        if isinstance(command, Named) and command.allowed_contexts is not None:
            is_installed = command.allowed_installs is not None and command.allowed_installs.user
            (everywhere if is_installed else direct).add(f"/{command.name}")
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    for sentence, found in (
        (r"everywhere in Discord.*?:(.*?)\. Only", everywhere),
        (r"can also use(.*?);", direct),
    ):
        listed = re.search(sentence, text, re.DOTALL)
        assert listed is not None
        assert re.findall(r"`(/[\w-]+)`", listed[1]) == sorted(found)


def test_readme_lists_every_command() -> None:
    listed = re.findall(r"^\| `(/[\w-]+)`", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(commands())


def test_systemd_unit_does_not_restart_for_bad_settings() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    (unit,) = re.findall(r"```ini\n(.*?)```", text, re.DOTALL)
    assert f"RestartPreventExitStatus={EXIT_BAD_SETTINGS}\n" in unit
    (module,) = re.findall(r"^ExecStart=\S+ -m (\w+)$", unit, re.MULTILINE)
    assert (ROOT / module / "__main__.py").exists()
    assert "After=network-online.target\n" in unit


def test_operating_lists_every_setting() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([A-Z_]+)`", text, re.MULTILINE)
    assert sorted(listed) == sorted(name.upper() for name in setting_names(Settings))


def test_invitation_grants_what_the_bot_needs() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    granted = re.findall(r"permissions=(\d+)", text)
    wanted = discord.Permissions(
        **dict.fromkeys([*REQUIRED_PERMISSIONS, *THREAD_EQUIVALENTS.values(), *THREAD_PERMISSIONS], True)
    )
    assert granted == [str(wanted.value)]


@pytest.mark.parametrize("name", ILLUSTRATIONS)
def test_picture_is_up_to_date(name: str) -> None:
    drawn = render_illustration(ILLUSTRATIONS[name])
    assert same_pixels(drawn, (FOLDER / name).read_bytes()), "run `python -m tools.pictures`"


def test_every_picture_is_made_from_the_code() -> None:
    assert {path.name for path in FOLDER.glob("*.png")} == set(ILLUSTRATIONS)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^":]+)"', text)
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_named_in_commands_exist(path: Path) -> None:
    named = re.findall(r"python -m ([\w.]+)", path.read_text(encoding="utf-8"))
    places = [ROOT / name.replace(".", "/") for name in named]
    assert [
        str(place)
        for place in places
        if not place.with_suffix(".py").exists() and not (place / "__main__.py").exists()
    ] == []


def test_first_page_about_the_architecture_is_short_and_names_every_package_and_subject() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    assert len(text.split()) <= MAX_WORDS
    rows = re.findall(r"^\| (`.+?) \|", text.partition("\n\n`tests/")[0], re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(PACKAGES)
    subjects = {path.name for path in (ROOT / "docs" / "architecture").glob("*.md")}
    assert set(re.findall(r"^- \[.+?\]\(architecture/(.+?)\)", text, re.MULTILINE)) == subjects


@pytest.mark.parametrize(
    "path", [one for one in DOCUMENTS if "architecture" in one.as_posix()], ids=lambda path: path.name
)
def test_files_that_the_architecture_names_exist(path: Path) -> None:
    named = re.findall(r"`(\w[\w.-]*(?:/[\w.-]+)+)`", path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sections_that_links_name_exist(path: Path) -> None:
    missing = []
    for target, section in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8")):
        page = path.parent / target if target else path
        headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        if section not in anchors:
            missing.append(f"{target}#{section}")
    assert missing == []


def read_translation(path: Path) -> tuple[str, str]:
    """Return a translated document without its first line, and the English one."""
    text = path.read_text(encoding="utf-8")
    found = FIRST_LINE.match(text)
    assert found is not None
    return text[found.end() :], (ROOT / found["source"]).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_translation_is_current(path: Path) -> None:
    _text, english = read_translation(path)
    is_looked_at = is_current(path.read_text(encoding="utf-8"), english)
    assert is_looked_at, f"look at it again, then write its first line with {digest(english)}"


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_translation_has_the_parts_figures_and_commands_of_the_english(path: Path) -> None:
    text, english = read_translation(path)
    assert MARKS.findall(text) == MARKS.findall(english)
    for part in (FENCED, CODE, NUMBER):
        missing = Counter(part.findall(english)) - Counter(part.findall(text))
        assert not missing


def test_documents_that_the_program_shows_are_translated_and_packaged() -> None:
    packaged = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8").split()
    for language in list_languages()[1:]:
        for name in (PRIVACY_POLICY, TERMS):
            document = f"docs/{language}/{name}"
            assert ROOT / document in TRANSLATIONS
            assert f'"{document}" = "{document}"\n' in packaged
            assert document in image
