"""The base of the enums that hold a package's sentences for refusals."""

from __future__ import annotations

from enum import Enum


class MessageTemplate(Enum):
    """Sentences by name; each value is a format string with named fields in braces."""

    def to_text(self, **values: object) -> str:
        """Return the sentence with its fields replaced by `values`."""
        text: str = self.value
        return text.format(**values)
