"""Fixtures that several test files share, and signals as a person's shell leaves them."""

import signal

import pytest

from assent.testing import FrozenWorld
from frozen_project import FILES, LINKS

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    # Behind `&` and `nohup` they are ignored; whatever the tests start would inherit that.
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture
def frozen() -> FrozenWorld:
    return FrozenWorld(FILES, links=LINKS, devices={"/dev/sda": "block", "/dev/null": "char"})
