"""Adapters for Python agent frameworks: one file each, and `gate`, which all of them stand on.

Nothing here is imported unless a program asks for it; each file needs its framework, which `assent[NAME]` installs.
"""
