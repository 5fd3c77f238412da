"""Ratings in Discord: profiles, leaders, and what a match has changed."""
