"""Tool calls of every known agent, read as effects and gaps; knows no verdict and touches nothing."""
