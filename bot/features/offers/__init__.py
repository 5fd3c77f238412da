"""Offers between players: draw, end by agreement, takeback; also resigning, aborting and rematches."""
