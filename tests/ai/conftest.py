from tests.matches.conftest import (
    database,
    database_url,
    empty_database_url,
    empty_postgres_url,
    matches,
    migrated_file,
    migrated_postgres_url,
    postgres_server,
    postgres_url,
    spare_postgres_url,
    sqlite_file,
    sqlite_url,
)

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
    "spare_postgres_url",
    "sqlite_file",
    "sqlite_url",
]
