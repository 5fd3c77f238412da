"""Benchmarks: how fast and how small things are, compared with other software in the same run."""
