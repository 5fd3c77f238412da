"""Reminders to people for whom a match waits."""
