"""The journal: a record nobody can quietly change. `journal` writes it, `reading` reads it, `verify` proves it."""
