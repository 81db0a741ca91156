"""The resident helper: what a hook would load is loaded once and kept, so that the hook itself need not load it."""
