"""Rules that people wrote for their agents, made into rules of ours: one module for each agent that has any."""
