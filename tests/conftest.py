"""What all tests share."""

import warnings

# discord.py imports a module of the standard library that later versions drop; warnings are errors here.
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="'audioop' is deprecated", category=DeprecationWarning)
    import discord  # noqa: F401 - imported once here, and from then on without a warning
