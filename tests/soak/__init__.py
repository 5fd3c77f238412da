"""A simulated year at the loopback Discord: all games, bad days; then every account is settled."""
