"""Queries about the outbox and the places of matches."""
