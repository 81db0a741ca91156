"""Asking people: the host that waits, the store that remembers, what is shown, and the channels it is shown on."""
