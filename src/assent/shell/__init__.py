"""Shell text to commands; knows no program's meaning."""
