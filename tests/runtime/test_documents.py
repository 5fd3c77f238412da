"""Documents in the language of the reader."""

from __future__ import annotations

import pytest

from i18n.readers import reading_in
from runtime.documents import PRIVACY_POLICY, TERMS, is_current, load_document


@pytest.mark.parametrize(
    ("language", "name", "title"),
    [
        ("en", PRIVACY_POLICY, "# Privacy\n"),
        ("de", PRIVACY_POLICY, "# Datenschutzerklärung\n"),
        ("ja", PRIVACY_POLICY, "# プライバシーポリシー\n"),
        ("ja", TERMS, "# 利用規約\n"),
        ("pl", TERMS, "# Terms of use\n"),
    ],
)
def test_document_is_in_the_language_of_the_reader(language: str, name: str, title: str) -> None:
    with reading_in(language):
        assert load_document(name).startswith(title)


def test_translation_of_what_has_changed_since_is_stale() -> None:
    translated = "<!-- translates docs/terms.md f2d14573 -->\n\n# 規約"
    assert is_current(translated, "Your turn")
    assert not is_current(translated, "Your turn!")
    assert not is_current("# 規約", "Your turn")
