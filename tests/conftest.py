"""Fixtures that several test files share."""

import pytest

from assent.testing import FrozenWorld
from frozen_project import FILES, LINKS


@pytest.fixture
def frozen() -> FrozenWorld:
    return FrozenWorld(FILES, links=LINKS, devices={"/dev/sda": "block", "/dev/null": "char"})
