"""What writers need of the texts of a language, and of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable


class Lookup(Protocol):
    """The texts of a language; see :class:`i18n.catalogue.Texts`."""

    @property
    def language(self) -> str:
        """The code of the language."""

    @property
    def plain(self) -> Lookup:
        """The same texts in plain words."""

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of a key with its values."""

    def join(self, values: Iterable[Any], kind: str = ..., /) -> str:
        """Return values as one text; `kind` is the key of the joining patterns."""


@runtime_checkable
class Named(Protocol):
    """A person, such as :class:`matches.Person`; a text shows the name."""

    @property
    def account(self) -> str:
        """The account, which begins with the platform."""

    @property
    def name(self) -> str:
        """The name, without markup."""
