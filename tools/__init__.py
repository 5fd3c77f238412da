"""Scripts for maintainers and `make`; no package imports them."""
