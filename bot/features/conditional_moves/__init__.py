"""Conditional moves in private: listed as text, opened on a board, cleared, and told of when lost."""
