"""Databases as a whole: copies, dumps, integrity."""
