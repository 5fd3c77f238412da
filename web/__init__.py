"""The table: watch and play in a browser, over the same matches as every other front end."""
