"""A match as everybody may see it: pages, pictures, downloads, event streams."""
