"""Pages that need no match: front page, rules, lessons, documents, the look of a page."""
