"""Queries about people and what they store."""
