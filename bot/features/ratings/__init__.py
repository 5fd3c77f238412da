"""Ratings in Discord: profiles, leaderboards and rating changes."""
