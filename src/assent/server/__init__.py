"""The web inbox: an HTTP server on this machine that shows what waits for a person and takes answers."""
