"""Queries about work that processes share."""
