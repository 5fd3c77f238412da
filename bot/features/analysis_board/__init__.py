"""Analysis boards in ephemeral messages: moves are tried for both sides, nothing is played."""
