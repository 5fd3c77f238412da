"""Reporting players, and the pages of moderators."""
