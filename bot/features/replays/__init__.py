"""Replays, animations, export and import of games, and challenges that continue an imported record."""
