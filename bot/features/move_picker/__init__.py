"""Building a move step by step in private: questions, a preview, and only then the move."""
