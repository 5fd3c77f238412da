"""Connections to SQLite and PostgreSQL: engines, transactions, errors."""
