"""All rows that the outbox has ever had: the database copies those that are deleted, when they are deleted.

So the audit can compare every post with its row, also those of matches that were packed meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import column, select, table, union_all

from storage.tables import OUTBOX

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from storage import Database

DELETED = table("deleted_outbox", *(column(one.name, one.type) for one in OUTBOX.c))
_NAMES = ", ".join(f'"{one.name}"' for one in OUTBOX.c)
_VALUES = ", ".join(f'OLD."{one.name}"' for one in OUTBOX.c)
_COPY = f"INSERT INTO deleted_outbox ({_NAMES}) VALUES ({_VALUES})"  # noqa: S608 - our own names
_CREATE = "CREATE TABLE deleted_outbox AS SELECT * FROM outbox WHERE 1 = 0"
_TRIGGERS = {
    "sqlite": (f"CREATE TRIGGER copy_deleted AFTER DELETE ON outbox BEGIN {_COPY}; END",),
    "postgresql": (
        (
            "CREATE FUNCTION copy_deleted() RETURNS trigger LANGUAGE plpgsql AS"
            f" 'BEGIN {_COPY}; RETURN NULL; END'"
        ),
        "CREATE TRIGGER copy_deleted AFTER DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION copy_deleted()",
    ),
}


async def keep_deleted_rows(database: Database) -> None:
    """Let a new database copy the rows of the outbox that are deleted."""
    async with database.transaction() as connection:
        for statement in (_CREATE, *_TRIGGERS[connection.dialect.name]):
            await connection.exec_driver_sql(statement)


async def list_rows(database: Database) -> list[RowMapping]:
    """Return the rows of the outbox and those that were deleted, in the order in which they were written."""
    every = union_all(select(OUTBOX), select(DELETED)).subquery()
    async with database.read() as connection:
        return list((await connection.execute(select(every).order_by(every.c.id))).mappings())
