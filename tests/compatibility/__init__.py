"""Databases and messages of earlier versions, used with the present code."""
