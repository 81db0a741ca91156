"""Section 3: suggestions never store a secret."""

from __future__ import annotations

import pytest

from spec.spec_scene import bash

SECRETS = [
    ("mysql -phunter2 shop", "hunter2"),
    ("curl -u ann:hunter2 https://example.com/x", "hunter2"),
    ("sshpass -p hunter2 ssh example.com ls", "hunter2"),
    ("docker login -u ann -p hunter2 example.com", "hunter2"),
    ("redis-cli -a hunter2 flushall", "hunter2"),
    ("zip -P hunter2 a.zip readme.md", "hunter2"),
    ("keytool -storepass hunter2 -list", "hunter2"),
    ("psql postgresql://ann:hunter2@example.com/shop", "hunter2"),
    ("make deploy KEY=sk_live_51Habcdefghijklmnopqrstuv", "sk_live_"),
    ("git clone https://ann:hunter2@example.com/x.git", "hunter2"),
    ("npm config set //registry.npmjs.org/:_authToken=npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abc"),
    ("aws configure set aws_secret_access_key wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY", "wJalr"),
    ("openssl enc -aes-256-cbc -k hunter2 -in readme.md", "hunter2"),
    ("twine upload -u ann -p hunter2 dist/x", "hunter2"),
]


@pytest.mark.parametrize(("command", "secret"), SECRETS)
def test_no_suggested_rule_holds_a_password(command: str, secret: str) -> None:
    """A rule file is no place for secrets, in whichever option of whichever program they stand."""
    result = bash(command)
    assert all(secret not in rule for rule in (*result.suggestions, *result.together))
