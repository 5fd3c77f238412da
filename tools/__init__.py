"""What the project's own housekeeping runs; nothing imports it."""
