"""Folded names on the website by the newer list of look-alikes.

Of two names that look alike now, the one that was folded so before keeps its folded form, and the other its
old one: both players keep their names.

Revision ID: 0030
"""

# ruff: noqa: RUF001 - the table has the look-alikes of Latin letters

from __future__ import annotations

import re
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

_LOOK_ALIKES = str.maketrans(
    {
        sign: letter
        for letter, signs in {
            "a": "аαɑ", "b": "вβ8", "c": "с", "d": "ԁ", "e": "еε3", "g": "ɡ", "h": "нһ",
            "i": "іıιɩӏl1|!", "j": "ј", "k": "кκĸ", "m": "м", "n": "η", "o": "оο0", "p": "рρ", "q": "ԛ",
            "s": "ѕ5", "t": "тτ", "u": "υ", "v": "ν", "w": "ωԝ", "x": "хχ", "y": "уγ",
        }.items()
        for sign in signs
    }
)  # fmt: skip
_VARIANT = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .+)?")
_TATWEEL, _LAST_ACCENTED = "\u0640", "\u052f"


def upgrade() -> None:
    """Fold the names again, and the earlier names that are kept for their players."""
    connection = op.get_bind()
    rows = connection.execute(
        sa.text("SELECT account, handle, folded_handle FROM people WHERE handle IS NOT NULL")
    )
    people = rows.fetchall()
    taken = {row.folded_handle for row in people}
    for row in people:
        folded = _fold(row.handle)
        if folded not in taken:
            taken.add(folded)
            connection.execute(
                sa.text("UPDATE people SET folded_handle = :folded WHERE account = :account"),
                {"folded": folded, "account": row.account},
            )
    earlier = {row.folded for row in connection.execute(sa.text("SELECT folded FROM old_handles"))}
    for before in sorted(earlier):
        folded = _fold(before)
        if folded not in earlier:
            earlier.add(folded)
            connection.execute(
                sa.text("UPDATE old_handles SET folded = :folded WHERE folded = :before"),
                {"folded": folded, "before": before},
            )


def _fold(name: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters: list[str] = []
    for sign in "".join(map(_simplify, plain)).translate(_LOOK_ALIKES):
        is_mark = unicodedata.category(sign).startswith("M")
        if (sign.isalnum() and sign != _TATWEEL) or (is_mark and letters and letters[-1] > _LAST_ACCENTED):
            letters.append(sign)
    return "".join(letters).replace("rn", "m").replace("vv", "w") or name


def _simplify(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    variant = _VARIANT.fullmatch(unicodedata.name(sign, ""))
    return variant[1].lower() if variant else sign
