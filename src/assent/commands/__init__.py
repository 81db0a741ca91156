"""What programs do: one file per family; knows no verdict."""
