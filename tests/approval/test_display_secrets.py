"""Finding the places that masking replaced."""

import pytest

from assent.approval.secrets import secret_spans
from assent.masking import masked

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.mark.parametrize(
    "text",
    [
        "ls",
        f"a {TOKEN} b {TOKEN}",
        f"curl -H 'Authorization: Bearer {TOKEN}' https://ann:hunter22@x.example/?token={TOKEN}",
        "echo '‹secret, 5 characters›' ‹ ›",
        f"‹token, 40 characters› {TOKEN} ‹",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----\nls",
    ],
)
def test_the_spans_put_together_again_are_the_masked_text(text: str) -> None:
    made, at = "", 0
    for start, end, said in secret_spans(text):
        made += text[at:start] + said
        at = end
    assert made + text[at:] == masked(text)


def test_nested_secrets_stay_hidden() -> None:
    text = f'{{"password": "x {TOKEN} y", "other": 1}}'
    at, shown = 0, ""
    for start, end, said in secret_spans(text):
        shown, at = shown + text[at:start] + said, end
    assert TOKEN not in shown + text[at:]
    assert (shown + text[at:]).endswith('", "other": 1}')
