"""Reminders for players whose turn it is."""
