"""The policy in force written as an agent's own rules: a second line for when no hook runs."""
