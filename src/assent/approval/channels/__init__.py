"""Ways to reach a person: one file each. All are offered a request at once; the first valid answer wins."""
