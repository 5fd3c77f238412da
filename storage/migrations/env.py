"""Alembic's entry point: run the revisions over the connection, and in the transaction, that we are given."""

from __future__ import annotations

from alembic import context

from storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
