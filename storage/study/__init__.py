"""Studies: games that people store under names."""
