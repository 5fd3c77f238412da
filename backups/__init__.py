"""Backups of the database: making, checking, keeping and restoring them, and moving to another database."""
