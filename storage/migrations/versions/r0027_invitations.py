"""Mail addresses that were invited, and those that refuse all invitations.

Revision ID: 0027
"""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the table, with the addresses that were invited lately."""
    table = op.create_table(
        "invited_addresses",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("invited_at", sa.BigInteger(), nullable=False),
        sa.Column("refused_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("digest", name="pk_invited_addresses"),
    )
    invited = op.get_bind().execute(
        sa.text(
            "SELECT address, MAX(made_at) FROM letters"
            " WHERE kind = 'invitation' AND address <> '' GROUP BY address"
        )
    )
    rows = [
        {"digest": sha256(address.encode()).hexdigest(), "invited_at": made_at}
        for address, made_at in invited
    ]
    if rows:
        op.bulk_insert(table, rows)
