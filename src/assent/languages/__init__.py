"""Source text of other languages than the shell's: what it spells out, and whether it is proven to do nothing else."""
