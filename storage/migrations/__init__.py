"""The history of the tables: one revision a file, applied in order when a database is opened."""
