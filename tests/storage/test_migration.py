import pkgutil
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import IntegrityError

import storage
from storage import Database, StorageTooNew
from storage.indexes import METADATA
from storage.migration import MIGRATIONS, load_known_revisions
from storage.people import people
from storage.tables import PEOPLE

LATER_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{head}"


def upgrade():
    with op.batch_alter_table("people", recreate="auto") as table:
        table.add_column(sa.Column("motto", sa.Text, nullable=False, server_default="none"))
        table.alter_column("name", new_column_name="called")
    {last}
"""
FAILING_STATEMENT = 'op.execute("SELECT missing FROM nowhere")'


# Tables stand in several modules; all of them make up what the code knows.
for module in pkgutil.iter_modules(storage.__path__, "storage."):
    import_module(module.name)


def head() -> str:
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


def folder_with_later_migration(folder: Path, last: str = "") -> Path:
    """Return the migrations of a future version that rebuilds a referenced table."""
    later = folder / "migrations"
    shutil.copytree(MIGRATIONS, later)
    (later / "versions" / "later.py").write_text(LATER_MIGRATION.format(head=head(), last=last))
    return later


async def remember(database: Database) -> None:
    async with database.transaction() as connection:
        await people.save(connection, "test:1", "Ada", 0)


async def names(database: Database, column: str = "name") -> list[str]:
    async with database.read() as connection:
        return list((await connection.execute(text(f"SELECT {column} FROM people"))).scalars())  # noqa: S608


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
async def test_migrations_create_the_tables_of_the_code(empty_database_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with await Database.open(empty_database_url) as database, database.read() as connection:
        assert await connection.run_sync(difference) == []


def test_revisions_are_read_as_alembic_reads_them() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    known = load_known_revisions(MIGRATIONS)
    assert known.revisions == {script.revision for script in scripts.walk_revisions()}
    assert known.heads == set(scripts.get_heads())


@pytest.mark.long
async def test_checks_of_the_tables_are_migrated_too(empty_database_url: str) -> None:
    def checks(connection: Connection) -> set[str | None]:
        found = inspect(connection)
        return {check["name"] for table in METADATA.tables for check in found.get_check_constraints(table)}

    async with await Database.open(empty_database_url) as database, database.read() as connection:
        assert await connection.run_sync(checks) == {
            "ck_game_analyses_one_game",
            "ck_matches_two_people",
            "ck_matches_turn_began",
            "ck_outbox_one_subject",
        }


@pytest.mark.long
async def test_later_revision_keeps_the_rows(empty_database_url: str, tmp_path: Path) -> None:
    async with await Database.open(empty_database_url) as database:
        await remember(database)
    async with await Database.open(
        empty_database_url, migrations=folder_with_later_migration(tmp_path)
    ) as database:
        assert await names(database, "called") == ["Ada"]
        assert await names(database, "motto") == ["none"]


@pytest.mark.long
async def test_newer_database_is_refused_and_not_changed(empty_database_url: str, tmp_path: Path) -> None:
    later = folder_with_later_migration(tmp_path)
    async with await Database.open(empty_database_url, migrations=later):
        pass
    with pytest.raises(StorageTooNew, match="newer version"):
        await Database.open(empty_database_url)
    async with await Database.open(empty_database_url, migrations=later) as database:
        assert await names(database, "motto") == []


@pytest.mark.long
async def test_migration_that_fails_leaves_the_database_as_it_was(
    empty_database_url: str, tmp_path: Path
) -> None:
    async with await Database.open(empty_database_url) as database:
        await remember(database)
    with pytest.raises(Exception, match="nowhere"):
        await Database.open(
            empty_database_url, migrations=folder_with_later_migration(tmp_path, last=FAILING_STATEMENT)
        )
    async with await Database.open(empty_database_url) as database, database.read() as connection:
        assert list((await connection.execute(select(PEOPLE.c.name))).scalars()) == ["Ada"]


@pytest.mark.long
async def test_migration_that_breaks_a_foreign_key_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'rayuela.db'}"
    orphan = "op.execute(\"INSERT INTO picks VALUES (7, 'nobody', 'LL', 0)\")"
    with pytest.raises(IntegrityError, match="point nowhere"):
        await Database.open(address, migrations=folder_with_later_migration(tmp_path, last=orphan))
