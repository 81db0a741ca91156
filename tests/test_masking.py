"""Masking: a planted secret never survives, ordinary text stays as it is, and masking twice changes nothing more."""

from __future__ import annotations

import json
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.masking import looks_token, mask_table, mask_value, masked
from assent.masking.cover import cover_closely, cover_value
from assent.masking.glance import may_be_token, may_hide
from assent.masking.tokens import is_known_token

ORDINARY = [
    "git status",
    "git log --oneline -20",
    "git show 3f786850e387550fdab836ed7e6dc881de23001b",
    "git rebase --onto main 3f786850e387550fdab836ed7e6dc881de23001b~1 HEAD",
    "git cherry-pick 89e6c98d92887913cadf06b2adb97f26cde4849b",
    "git clone git@github.com:acme/shop.git",
    "git clone https://github.com/acme/shop.git",
    "git clone ssh://git@github.com/acme/shop.git",
    "git commit -m 'Fix token: handle expiry of sessions'",
    'git commit -m "Rename the password field, keep secrets out of logs"',
    "git config credential.helper store",
    "git push -u origin feature/login-with-token-2024-11-15",
    "git checkout -b claude/fix-issue-12345-parser-rewrite",
    "docker run -p 8080:80 -u 1000:1000 --rm python:3.12.1-slim-bookworm",
    "docker run --user 1000:1000 -v /srv/data:/data postgres:16",
    "docker pull alpine@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "docker build --secret id=mysecret,src=./secret.txt .",
    "docker login --username me --password-stdin registry.example.com",
    "kubectl get secret my-app-credentials-2024 -o yaml",
    "kubectl logs deployment-7d9f8b6c5d-x2x4z --tail=100",
    "kubectl create secret generic db --from-file=password=./password.txt",
    "npm install --save-dev typescript@5.4.2",
    "npm run build -- --max-tokens 4096",
    "npm_config_registry=https://registry.npmjs.org npm ci",
    "pip install requests==2.31.0 --hash=sha256:58cd2187c01e70e6e26505bca751777aa9f2ee0b7f4300988b709f44e013003f",
    "uv run pytest tests/test_tokens.py -k 'password or secret'",
    "pytest --token-count 5 --secret-name foo",
    "python -c 'token = lexer.next(); print(token)'",
    "python -m http.server 8000",
    "curl -fsSL https://example.com/install.sh -o install.sh",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/users',
    'curl -H "Authorization: Bearer ${API_TOKEN}" https://api.example.com/v1/users',
    "curl -u $USER:$PASS https://example.com/",
    "PGPASSWORD=$PGPASSWORD psql -h localhost",
    'psql "postgresql://localhost:5432/shop"',
    "mysql -u root -p shop",
    "mysql -h db.example.com -P 3306 -e 'select count(*) from passwords'",
    "ssh -i ~/.ssh/id_ed25519 deploy@host.example.com uptime",
    "scp -P 2222 build/app.tar.gz deploy@host:/srv/releases/2024-11-15T10-20-30/",
    "rsync -avz --exclude node_modules ./ user@host:/srv/app/",
    "find . -name '*.py' -newer setup.cfg -exec grep -l token {} +",
    "grep -rn 'password' src/ --include='*.ts'",
    "rg 'api_key' -g '!*.lock'",
    "sed -i 's/secret/public/g' README.md",
    "cat /nix/store/0c2hq3hnp2vqz6nn1a2yv4wwdxls0n6z-bash-5.2/bin/bash",
    "ls /home/me/.cache/pip/wheels/a1/b2/c3d4e5f60718293a4b5c6d7e8f9001122334455667788",
    "cp IMG_20231115_123456789.jpg ~/Pictures/holiday-2023-11-15/",
    "tar czf backup-2024-11-15T10-20-30Z.tar.gz src/components/UserProfile2/EditDialogContainer",
    "terraform apply -var-file=prod.tfvars -auto-approve",
    "aws s3 ls s3://my-bucket-name-123456789012/path/2024/11/15/",
    "aws ec2 describe-instances --instance-ids i-0abcd1234ef567890",
    "aws iam get-role --role-name arn:aws:iam::123456789012:role/deploy-production-2024",
    "gh pr view 1234 --json title,body",
    "gh secret set DEPLOY_KEY < key.pem",
    "openssl rand -hex 32",
    "openssl pkcs12 -in cert.p12 -passin file:/run/secrets/pw",
    "export PATH=$PATH:/usr/local/bin PWD=/home/me/project",
    "echo 123e4567-e89b-12d3-a456-426614174000",
    "cargo test --package my_crate --lib -- tests::token::parse --exact",
    "go test ./... -run TestUserAuthenticationFlow",
    "make -j8 CFLAGS='-O2 -g' test",
    "sha256sum -c <<< 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt'",
    "systemctl restart nginx && journalctl -u nginx -n 100",
    '{"max_tokens": 4096, "token_type": "bearer", "tokens": 12, "password_file": "/run/pw"}',
    "The password is asked for once; the token: see the manual. 12 pass, 0 fail.",
    "gpg --delete-secret-keys me@example.com",
    "ansible-playbook site.yml --private-key /home/me/.ssh/deploy --vault-password-file ~/.vault",
    "ssh-keygen -t ed25519 -C me@example.com -f ~/.ssh/deploy_key",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert masked(text) == text


P7, S20 = "‹password, 7 characters›", "‹secret, 20 characters›"
TWENTY = "abcdefghij0123456789"
EXAMPLES = {
    f"curl -H 'Authorization: Bearer {TWENTY}' x": f"curl -H 'Authorization: Bearer {S20}' x",
    "curl -H 'Authorization: Basic dTpw' x": "curl -H 'Authorization: Basic ‹secret, 4 characters›' x",
    'curl --header "X-Api-Key: abc4" x': 'curl --header "X-Api-Key: ‹secret, 4 characters›" x',
    "curl -u me:hunter2 https://example.com/": f"curl -u me:{P7} https://example.com/",
    "curl -ume:hunter2 x": f"curl -ume:{P7} x",
    "curl -H 'Cookie: a=b; c=d' x": "curl -H 'Cookie: ‹secret, 8 characters›' x",
    "curl -b 'sid=1; t=2' -b jar.txt x": "curl -b '‹secret, 10 characters›' -b jar.txt x",
    "deploy --password hunter2 --force": f"deploy --password {P7} --force",
    "deploy --password=hunter2 --force": f"deploy --password={P7} --force",
    "deploy --password 'hunter2' --force": f"deploy --password '{P7}' --force",
    "mysql -u root -phunter2 shop": f"mysql -u root -p{P7} shop",
    "mysqldump -p'hunter2' shop": f"mysqldump -p'{P7}' shop",
    "docker exec db mysql -phunter2 -e 'show tables'": f"docker exec db mysql -p{P7} -e 'show tables'",
    "sshpass -p hunter2 ssh host": f"sshpass -p {P7} ssh host",
    "docker login -u me -p hunter2 r.example.com": f"docker login -u me -p {P7} r.example.com",
    "redis-cli -a hunter2 ping": f"redis-cli -a {P7} ping",
    "PGPASSWORD=hunter2 psql -h localhost": f"PGPASSWORD={P7} psql -h localhost",
    "env API_KEY=hunter2 run": "env API_KEY=‹secret, 7 characters› run",
    "bash -c 'DB_PASSWORD=hunter2 run --now'": f"bash -c 'DB_PASSWORD={P7} run --now'",
    '{"user": "me", "token": "hunter2", "n": 1}': '{"user": "me", "token": "‹secret, 7 characters›", "n": 1}',
    'curl -d "{\\"password\\": \\"hunter2\\"}" x': f'curl -d "{{\\"password\\": \\"{P7}\\"}}" x',
    "password: hunter2": f"password: {P7}",
    "git clone https://me:hunter2@example.com/a.git": f"git clone https://me:{P7}@example.com/a.git",
    "psql postgres://me:pass/wd@host/db": f"psql postgres://me:{P7}@host/db",
    "https://x.example/?a=1&access_token=hunter2&b=2": "https://x.example/?a=1&access_token=‹secret, 7 characters›&b=2",
    "https://x.example/blob?sv=1&sig=hunter2%3D": "https://x.example/blob?sv=1&sig=‹secret, 10 characters›",
    "https://maps.example/api?key=hunter2": "https://maps.example/api?key=‹secret, 7 characters›",
    "kubectl create secret generic x --from-literal=pin=hunter2": (
        "kubectl create secret generic x --from-literal=pin=‹secret, 7 characters›"
    ),
    "aws configure set aws_secret_access_key abcdefg123": (
        "aws configure set aws_secret_access_key ‹secret, 10 characters›"
    ),
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n": "‹private key, 66 characters›\n",
    "echo '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl": "echo '‹private key, 40 characters›",
    "call eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl now": "call ‹JWT, 49 characters› now",
    "echo ghp_abcdefghijklmnop1234 > x": "echo ‹token, 24 characters› > x",
    "AWS_SECRET_ACCESS_KEY=/JalrXUtnFEMI/K7MDENG run": "AWS_SECRET_ACCESS_KEY=‹secret, 21 characters› run",
    "echo AKIAIOSFODNN7EXAMPLE": "echo ‹token, 20 characters›",
    "say wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "say ‹secret, 40 characters›",
    "deploy --token 3f786850e387550fdab836ed7e6dc881de23001b": "deploy --token ‹secret, 40 characters›",
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_secret_leaves_its_kind_and_length(text: str) -> None:
    assert masked(text) == EXAMPLES[text]


P8 = "‹password, 8 characters›"
FED = {
    "sudo -S ls <<EOF\nhunter2X\nEOF\nls": f"sudo -S ls <<EOF\n{P8}\nEOF\nls",
    "sudo -S ls <<'EOF'\nhunter2X\nEOF": f"sudo -S ls <<'EOF'\n{P8}\nEOF",
    "sudo -S ls <<-EOF\n\thunter2X\n\tEOF": f"sudo -S ls <<-EOF\n\t{P8}\n\tEOF",
    "sudo -S ls << EOF\nhunter2X\nEOF": f"sudo -S ls << EOF\n{P8}\nEOF",
    "sudo -S ls <<EOF\nhunter2X": f"sudo -S ls <<EOF\n{P8}",
    "docker login -u me --password-stdin <<EOF\nhunter2X\nEOF": f"docker login -u me --password-stdin <<EOF\n{P8}\nEOF",
    "cat <<EOF | sudo -S ls\nhunter2X\nEOF": f"cat <<EOF | sudo -S ls\n{P8}\nEOF",
    "cat <<EOF |\nhunter2X\nEOF\nsudo -S ls": f"cat <<EOF |\n{P8}\nEOF\nsudo -S ls",
    "{ sudo -S ls; } <<EOF\nhunter2X\nEOF": f"{{ sudo -S ls; }} <<EOF\n{P8}\nEOF",
    "sudo -S id<<EOF\nhunter2X\nEOF": f"sudo -S id<<EOF\n{P8}\nEOF",
    "echo hunter2X \\\n | sudo -S ls": f"echo {P8} \\\n | sudo -S ls",
    "passwd bob <<EOF\nhunter2X\nhunter2X\nEOF": f"passwd bob <<EOF\n{P8}\n{P8}\nEOF",
    "cat > /run/secrets/db <<EOF\nhunter2X\nEOF": f"cat > /run/secrets/db <<EOF\n{P8}\nEOF",
    # below the password stands what is run: that stays to be seen
    "sudo -S sh <<EOF\nhunter2X\nrm -rf /srv\nEOF": f"sudo -S sh <<EOF\n{P8}\nrm -rf /srv\nEOF",
    "(echo hunter2X; echo yes) | sudo -S apt remove x": f"(echo {P8}; echo yes) | sudo -S apt remove x",
    "printf 'hunter2X\\nrm -rf /srv\\n' | sudo -S sh": f"printf '{P8}\\nrm -rf /srv\\n' | sudo -S sh",
    "kubectl apply -f - <<EOF\nkind: Secret\nstringData:\n  a: hunter2X\ntype: Opaque\nEOF": (
        "kubectl apply -f - <<EOF\nkind: Secret\nstringData:\n  a: ‹secret, 8 characters›\ntype: Opaque\nEOF"
    ),
}


@pytest.mark.parametrize("text", FED)
def test_what_feeds_a_program_that_reads_a_secret_is_masked(text: str) -> None:
    assert masked(text) == FED[text]
    assert masked(FED[text]) == FED[text]


@pytest.mark.parametrize(
    "text",
    [
        "cat <<EOF > login\nhello there\nEOF",
        "cat <<EOF | tee notes.txt\nhello there\nEOF",
        "echo hello | grep passwd",
        "echo hello | tee passwd",
        "sudo apt install x <<EOF\nyes\nEOF",
        "echo hello | tr a b | sudo tee /etc/motd",
        "aws ecr get-login-password --region eu-west-1 | docker login --username AWS --password-stdin r.example",
        "cat token.txt | docker login --password-stdin",
        "echo done > out.txt; sudo -S ls < pw.txt",
        "echo hello; sudo -S ls",
        "echo hello && sudo -S ls",
        "echo hello || sudo -S ls",
        "echo hello | cat; sudo -S ls",
        "std::cout << hello;\nstd::cout << there;",
        "say keyboardShortcuts keyToValueMapItem keyValuePairsList",
        'expect -c \'spawn ssh h; expect "(yes/no)"; send "yes\\r"\'',
        "npx expect-type; git send-email x",
        "test('a', () => { expect(token).toBe(1); client.send('hello') })",
        "echo hi | tee docs/secrets/readme.md",
        'kubectl create configmap a && echo \'{"data":{"x":"secret"}}\'',
        "f() { echo hello; }; f | sort; sudo -S ls",
        "hey, act on it: om is a word, and so is swift",
        'kubectl patch deployment a -p \'{"spec":{"replicas":3}}\'',
        "python -c 'auth(\"me\")'",
        "for n in 1 2; do echo $n; done | sort",
    ],
)
def test_what_feeds_other_programs_stays_as_it_is(text: str) -> None:
    assert masked(text) == text


def test_many_pipes_brackets_and_open_documents_take_no_long_time() -> None:
    began = time.process_time()
    for piece in ("echo a | ", "(", "sudo -S <<A\n", "{ echo a; } | ", "cout << x;\n", "$(echo <("):
        masked(piece * 3_000 + " sudo -S ls")
    assert time.process_time() - began < 20


# --- planted secrets -----------------------------------------------------------------------------------------------

LETTERS = string.ascii_letters + string.digits
TRIPLES = st.tuples(
    st.sampled_from(string.ascii_lowercase), st.sampled_from(string.ascii_uppercase), st.sampled_from(string.digits)
)
RANDOM = st.lists(TRIPLES, min_size=8, max_size=14).map(lambda found: "".join(map("".join, found)))
PASSWORDS = st.text(LETTERS + "!#%*+./:@^_~-", min_size=6, max_size=30).filter(
    lambda word: word[0] not in "-#*%." and any(c.isdigit() for c in word) and any(c.islower() for c in word)
)
REST = st.text(LETTERS, min_size=16, max_size=40).map(lambda rest: "a1B" + rest)
BEGINNINGS = ["ghp_", "gho_", "github_pat_", "glpat-", "sk-", "xoxb-", "hf_", "npm_", "pypi-", "AIza", "ya29.", "SG."]
KNOWN = st.tuples(st.sampled_from(BEGINNINGS), REST).map("".join)
JWT = st.tuples(REST, REST, REST).map(lambda parts: "eyJ" + ".".join(parts))
PEM = st.text(LETTERS + "+/\n", min_size=20, max_size=80).map(
    lambda body: f"-----BEGIN PRIVATE KEY-----\nQ{body}\n-----END PRIVATE KEY-----"
)
PLACES = [
    *("foo --password {}", "foo --password={} bar", "foo --password '{}'", 'foo --api-key="{}" x', "foo --token {} x"),
    *("PGPASSWORD={} psql", "export GITHUB_TOKEN='{}'", 'env "SECRET_KEY={}" run', "bash -c 'DB_PASS={} run'"),
    *('{{"password": "{}"}}', "{{'client_secret': '{}'}}", 'curl -d "{{\\"token\\": \\"{}\\"}}" x', "password: {}"),
    *("curl -H 'Authorization: Bearer {}' x", 'curl -H "Authorization: Basic {}" x', "Authorization: token {}"),
    *("curl -H 'X-Api-Key: {}' x", "curl -u me:{} x", "mysql -p{} shop", "sshpass -p {} ssh h", "redis-cli -a '{}'"),
    *("db_password = '{}'", 'apiKey = "{}"', "don't forget: password='{}' or so", "set AWS_SECRET_ACCESS_KEY={}"),
]


@settings(deadline=None)
@given(st.sampled_from(PLACES), PASSWORDS | RANDOM)
def test_a_secret_in_a_telling_place_never_survives(place: str, secret: str) -> None:
    found = masked(place.format(secret))
    assert secret not in found
    assert masked(found) == found


FREE = ["{}", "run {} now", "x={}", "'{}'", '"{}"', "a:{}", "https://x.example/{}/y", "({})", "[{}],", "é {} ü", "{}\n"]


@settings(deadline=None)
@given(st.sampled_from(FREE), RANDOM | KNOWN | JWT | PEM)
def test_a_secret_by_its_look_never_survives(place: str, secret: str) -> None:
    found = masked(place.format(secret))
    assert secret not in found
    assert masked(found) == found


URL_PASSWORDS = st.text(LETTERS + "!$%*+.:@^_~-", min_size=3, max_size=20).filter(lambda word: word[0] not in "$%")


@settings(deadline=None)
@given(URL_PASSWORDS, st.sampled_from(["https://u:{}@h/x", "git clone 'postgres://me:{}@h:5/d'", "a redis://:{}@h"]))
def test_a_password_in_a_url_never_survives(secret: str, place: str) -> None:
    found = masked(place.format(secret))
    assert f":{secret}@" not in found
    assert masked(found) == found


FRAGMENTS = st.sampled_from(
    [
        *(*ORDINARY, *EXAMPLES, *EXAMPLES.values(), "--password", "password", "token:", "=", " ", "'", '"', "\\", "\n"),
        *("://", "@", ":", "‹", "›", "‹secret, 3 characters›", "Bearer ", "Authorization: ", "-----BEGIN ", "curl -u "),
        *(
            "sudo -S ls",
            "<<EOF\n",
            "\nEOF\n",
            "<<< ",
            "< <(",
            "echo x | ",
            "{ ",
            "; }",
            "( ",
            " ) ",
            "expect ",
            'send "',
        ),
        *("passwd", "docker login --password-stdin", "yes ", "stringData:\n  a: b", 'auth=("a", ', "tee secrets/x"),
        *("mysql -p", "$(", "&", ";", "#", "?key=", "eyJ", "ghp_", "é", "\udc80", "\0"),
        *("/", "//", "/home/", "/srv/k8s-a1B2c3D4/e5F6g7H8", "aB3/dE5/gH7/jK9/mN1/pQ3/sT5/vW7", "~", ".", "%2F"),
    ]
)


@settings(deadline=None)
@given(st.lists(FRAGMENTS | st.text(max_size=12), max_size=12).map("".join))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = masked(text)
    assert masked(once) == once


@settings(deadline=None)
@given(st.lists(FRAGMENTS | st.text(max_size=12) | RANDOM | KNOWN, max_size=12).map("".join))
def test_the_quick_look_overlooks_nothing(text: str) -> None:
    assert may_hide(text) or cover_closely(text) == text


@settings(deadline=None)
@given(st.lists(FRAGMENTS | KNOWN | st.text(max_size=12), max_size=4).map("".join))
def test_the_quick_look_for_tokens_overlooks_none(word: str) -> None:
    assert may_be_token(word) or not any(is_known_token(part) for part in word.replace(":", "/").split("/"))


# --- tables --------------------------------------------------------------------------------------------------------


def test_tables_are_masked_by_name_and_by_look() -> None:
    table: dict[str, object] = {
        "password": "correct horse",
        "pin": 1234,
        "passwords": {"db": "plain", "db_password": 99},
        "apiKey": "x",
        "token": "${TOKEN}",
        "tokens": 12,
        "args": ["login", "--password", "correct horse", "--user", "me", "API_KEY=x"],
        "words": ["mysql", "-phunter2", "shop"],
        "more": ("sshpass", "-p", "hunter2"),
        "secrets": [True, None, 1.5],
        "note": "call ghp_abcdefghijklmnop1234",
    }
    assert mask_table(table) == {
        "password": "‹secret, 13 characters›",
        "pin": 1234,
        "passwords": {"db": "plain", "db_password": "‹secret, 2 characters›"},
        "apiKey": "‹secret, 1 characters›",
        "token": "${TOKEN}",
        "tokens": 12,
        "args": ["login", "--password", "‹secret, 13 characters›", "--user", "me", "API_KEY=‹secret, 1 characters›"],
        "words": ["mysql", "-p‹password, 7 characters›", "shop"],
        "more": ["sshpass", "-p", "‹password, 7 characters›"],
        "secrets": [True, None, 1.5],
        "note": "call ‹token, 24 characters›",
    }
    assert mask_table(mask_table(table)) == mask_table(table)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), RANDOM)
def test_a_secret_deep_in_a_table_never_survives(table: dict[str, object], secret: str) -> None:
    found = mask_table({"a": [table, {"b": {"client_secret": secret, "c": f"x {secret} y"}}]})
    assert secret not in json.dumps(found, ensure_ascii=False)


WORDS = (
    FRAGMENTS
    | st.text(max_size=12)
    | st.sampled_from(
        """mysql -phunter2 curl -u me:x sshpass -p --password PIN pwd dbPassword API_Key -----BEGIN x secretKey sKey
        accessToken redis-cli -a docker login from-literal""".split()
    )
)
TABLES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | RANDOM | KNOWN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=300)
@given(WORDS, TABLES)
def test_the_quick_look_at_a_value_overlooks_nothing(name: str, value: object) -> None:
    assert mask_value(name, value) == cover_value(name, value)


@pytest.mark.parametrize("word", ["ghp_abcdefghijklmnop1234", "x/ghp_abcdefghijklmnop1234", "AKIAIOSFODNN7EXAMPLE"])
def test_tokens_of_known_services_are_recognised(word: str) -> None:
    assert looks_token(word)


@pytest.mark.parametrize(
    "word", ["toolu_01A09q90qw90lq917835lq9", "call_abc123", "123e4567-e89b-12d3-a456-426614174000"]
)
def test_ids_of_requests_are_no_tokens(word: str) -> None:
    assert not looks_token(word)
