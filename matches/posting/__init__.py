"""Announcements and the posts that show them."""
