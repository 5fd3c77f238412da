"""The website: watch and play matches in a browser. It knows no other front end."""
