"""Modes, floor, rules, settings and the deciding function: what people allow, ask about and deny."""
