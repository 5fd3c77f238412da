"""The process that thinks: it takes what the computer owes in matches, and answers like any other player."""
