"""Natural-language rules: a sentence a person wrote, a call, and a model that says whether the one fits the other."""
