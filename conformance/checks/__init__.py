"""The checks, one file per concern."""
