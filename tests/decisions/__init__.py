"""Kept decisions: the lines they are about, and what is kept of each."""
