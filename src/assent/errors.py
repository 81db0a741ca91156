"""The exception tree: everything Assent raises on purpose is an `AssentError`."""

from __future__ import annotations


class AssentError(Exception):
    """Base of all our errors; `help` says what to do about it."""

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.message} ({self.help})" if self.help else self.message


class UsageError(AssentError):
    """The command line or an argument of the API makes no sense."""


class InputError(AssentError):
    """A payload handed to us is not what its contract says."""


class PolicyError(AssentError):
    """A policy file or rule is wrong; carries where."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, help: str = "") -> None:
        super().__init__(message, help=help)
        self.file = file
        self.line = line
        self.column = column

    @property
    def where(self) -> str:
        """`file:line:column`, as far as known."""
        return ":".join([self.file or "policy", *(str(n) for n in (self.line, self.column) if n)])

    def __str__(self) -> str:
        return f"{self.where}: {super().__str__()}"


class ModeError(AssentError):
    """A mode was requested that the requester may not have."""
