"""Boards to think on in private: moves are tried for both sides, back and forward, and nothing is played."""
