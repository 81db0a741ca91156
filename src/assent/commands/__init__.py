"""What programs do: one file per family states facts about words, options and operands; none knows a verdict."""
