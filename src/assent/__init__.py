"""Assent: one permission layer for every AI agent."""

__version__ = "0.1.0.dev0"
