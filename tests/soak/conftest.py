"""Fixtures for the soak tests: a PostgreSQL database for the cluster."""

from tests.databases import empty_postgres_url, postgres_server, spare_postgres_url

__all__ = ["empty_postgres_url", "postgres_server", "spare_postgres_url"]
