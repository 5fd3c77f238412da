from tests.databases import (
    database,
    migrated_file,
    migrated_postgres,
    new_database,
    new_postgres,
    postgres_database,
    server,
    spare_postgres,
    sqlite_database,
    sqlite_file,
    store,
)

__all__ = [
    "database",
    "migrated_file",
    "migrated_postgres",
    "new_database",
    "new_postgres",
    "postgres_database",
    "server",
    "spare_postgres",
    "sqlite_database",
    "sqlite_file",
    "store",
]
