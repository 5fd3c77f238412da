from tests.databases import (
    database,
    database_url,
    empty_database_url,
    empty_postgres_url,
    migrated_file,
    migrated_postgres_url,
    postgres_server,
    postgres_url,
    sqlite_file,
    sqlite_url,
)
from tests.matches.conftest import matches

__all__ = [
    "database",
    "database_url",
    "empty_database_url",
    "empty_postgres_url",
    "matches",
    "migrated_file",
    "migrated_postgres_url",
    "postgres_server",
    "postgres_url",
    "sqlite_file",
    "sqlite_url",
]
