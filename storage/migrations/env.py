"""Alembic's entry point: run the migrations on the given connection, in its transaction."""

from __future__ import annotations

from alembic import context

from storage.indexes import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
