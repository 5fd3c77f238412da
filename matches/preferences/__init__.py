"""Preferences of persons: pictures, reminders, quiet hours."""
