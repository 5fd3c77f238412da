"""The platform of each announcement, and the identities of persons.

What was announced in the local games of the website is shown on its pages, and sent by nobody.

Revision ID: 0025
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the column, which the prefix of the address of each announcement fills, and the table."""
    op.add_column("outbox", sa.Column("platform", sa.Text(), nullable=False, server_default=""))
    address = 'COALESCE("to", place)'
    end = (
        f"INSTR({address}, ':')" if op.get_bind().dialect.name == "sqlite" else f"POSITION(':' IN {address})"
    )
    op.execute(f"UPDATE outbox SET platform = SUBSTR({address}, 1, {end} - 1) WHERE {end} > 0")  # noqa: S608 - no input
    op.execute("UPDATE outbox SET sent_at = made_at, post = 'web' WHERE platform = 'web' AND sent_at IS NULL")
    op.drop_index("ix_outbox_due", "outbox")
    unsent = sa.text("sent_at IS NULL")
    op.create_index(
        "ix_outbox_due", "outbox", ["platform", "due_at"], sqlite_where=unsent, postgresql_where=unsent
    )
    op.create_table(
        "identities",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("platform", "address", name="pk_identities"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_identities_account"),
    )
    op.create_index("ix_identities_account", "identities", ["account"])
