"""The command `assent`: one file per verb. `fast` starts the verbs that agents wait for."""
