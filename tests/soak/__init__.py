"""A simulated year at the loopback Discord: all games, all kinds of faults, and an audit at the end."""
