"""Tournaments that end on their date: pairings, stages, results, tables."""
