"""A gateway for MCP servers: everything passes as it is, but no tool is called without permission."""
