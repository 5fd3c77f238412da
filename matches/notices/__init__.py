"""Notices: how each person is told what concerns them, and what is told by mail and push."""
