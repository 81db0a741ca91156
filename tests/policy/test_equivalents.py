"""One command said in several ways: a rule that denies or asks is about all of them, whichever it spells."""

from __future__ import annotations

import pytest

from assent.commands.equivalents import BY_ITSELF, EQUAL, INCLUDED
from decided import answer, policy_of

FOUND = """
tar cf | tar -cf a.tar src | tar cvf a.tar src | tar -c -f a.tar src | tar --create --file=a.tar src | gtar cf a.tar b
tar xf | tar -xf a.tar | tar xvf a.tar | tar --extract --file a.tar | tar -x --file=a.tar
tar -xf | tar xf a.tar | tar xzf a.tar
npm test | npm run test | npm run-script test | npm t | npm tst | npm --silent run test | npm it | npm cit
npm run test | npm test | npm t
npm run-script test | npm tst
npm run start | npm start
npm start | npm run start | npm restart
npm install | npm it | npm install-test | npm i x | npm add x
npm ci | npm clean-install | npm cit
npm exec | npx x | npm x y
npx | npm exec x | npm x y
pnpx | pnpm dlx x
pnpm dlx | pnpx x
bunx | bun x y
bun x | bunx y
uvx | uv tool run x
uv tool run | uvx x
yarn run deploy | yarn deploy | yarn workspace x deploy | yarn workspace x run deploy
yarn deploy | yarn run deploy
yarn test | yarn run test
yarn add | yarn workspace x add y | yarn global add y
yarn install | yarn | yarn --frozen-lockfile | corepack yarn
pnpm test | pnpm run test | pnpm t
pnpm run lint-all | pnpm lint-all
pnpm lint-all | pnpm run lint-all
pnpm add | pnpm i x
bun run deploy | bun deploy
bun deploy | bun run deploy
bun add | bun i x
docker-compose up | docker compose up | podman compose up | podman-compose up | docker compose -f x.yml up
docker compose up | docker-compose up
docker build | docker buildx build . | podman build . | docker image build .
docker buildx build | docker build .
docker run | podman run x | docker container run x
podman run | docker run x
git stash push | git stash | git stash -u | git stash save x
git stash | git stash push
git add | git stage x
git stage | git add x
pip install | pip3 install x | uv pip install x | python3 -m pip install x | python -Im pip install x
uv pip install | pip install x | python -m pip install x
python -m pip install | pip install x | uv pip install x
python -m pytest | pytest x | python3 -m pytest x | py.test x
pytest | python -m pytest x | poetry run pytest
terraform apply | tofu apply
tofu apply | terraform apply
kubectl delete | k delete pod x | k3s kubectl delete pod x
k delete | kubectl delete pod x
apt install | apt-get install x
apt-get remove | apt remove x
yum install | dnf install x
dnf install | yum install x
conda install | mamba install x
brew uninstall | brew rm x | brew remove x
brew install | brew cask install x
gem install | gem i x
bundle exec rake | bundle e rake | bundler exec rake
bundle install | bundle | bundle i
systemctl stop | service nginx stop
service nginx stop | systemctl stop nginx | systemctl stop nginx.service
systemctl reboot | reboot
cargo b | cargo build
cargo build | cargo b | cargo +nightly build
gmake | make
grep -E | egrep x y
rustup install | rustup toolchain install nightly
make | perl -e '`make`' | ruby -e '`make`' | ruby -e '%x(make)' | perl -e 'open(F,"make|")'
make | perl -e 'open(F,"-|","make")' | perl -e 'qx(make test)' | compgen -C make | mapfile -C make -c1 a < x
make | /usr/bin/ma?e | ma?e test | /usr/bin/m* test | $(which make) test | $(command -v make) test
make | `type -p make` test | /lib64/ld-linux-x86-64.so.2 /usr/bin/make
make | /lib64/ld-linux-x86-64.so.2 --library-path /x /usr/bin/make | at now <<< make
"""
PIPED = """
make | echo make ~ at now
make | echo '* * * * * make test' ~ crontab -
make | echo '@daily make test' ~ crontab -
make | printf '0 5 * * 1 make test\\n' ~ crontab
"""
MISSED = """
tar xf | tar tf a.tar | tar -cf a.tar src
tar cf | tar xf a.tar
npm test | npm run build | npm install
npm install | npm test | npm ci
npm install-test | npm install | npm test
npm run start | npm run test
yarn install | yarn build | yarn --version
yarn add | yarn workspace x build
yarn run | yarn add x
yarn run deploy | yarn build
bun run test | bun test
git stash push | git stash list | git stash pop
docker build | docker buildx ls
npx | npm test | npm install
uvx | uv tool list
uv | pip install x
python | pytest x | pip install x
uv pip install | pip list
python -m pytest | pip install x | python -m pip
make | cat ma?e.txt | echo make | which make | ls /usr/bin/m* | crontab -l | compgen -c make | grep make Makefile
make | perl -e 'print "make"' | /usr/bin/c?t x | ./run*.sh
systemctl stop | service nginx status
k3s | kubectl get pods
"""


def pairs(text: str, *, piped: bool = False) -> list[tuple[str, str]]:
    rows = [row.split(" | ") for row in text.strip().splitlines()]
    return [(rule, line.replace(" ~ ", " | ") if piped else line) for rule, *lines in rows for line in lines]


@pytest.mark.parametrize(("rule", "line"), [*pairs(FOUND), *pairs(PIPED, piped=True)])
def test_a_denied_command_is_found_in_other_words(rule: str, line: str) -> None:
    assert answer(line, policy_of(deny=[f"Bash({rule}:*)"], mode="full_auto")) == "deny by deny"


@pytest.mark.parametrize(("rule", "line"), pairs(MISSED))
def test_another_command_is_not_that_one(rule: str, line: str) -> None:
    assert answer(line, policy_of(deny=[f"Bash({rule}:*)"], mode="full_auto")) != "deny by deny"


def table() -> list[tuple[str, str]]:
    """Every pair of the tables, in both directions where it has two."""
    found: list[tuple[str, str]] = []
    for line in EQUAL.strip().splitlines():
        phrases = [phrase.strip() for phrase in line.replace("~", "=").split("=")]
        found += [(one, other) for one in phrases for other in phrases if one != other]
    for line in INCLUDED.strip().splitlines():
        whole, _, part = line.partition(" > ")
        if len(part.split()) > 1:
            found.append((part, whole.replace("*", "x")))
    for command, usual in BY_ITSELF.items():
        found += [(f"{command} {usual}", command), (command, f"{command} {usual}")]
    return found


@pytest.mark.parametrize(("rule", "line"), table())
def test_every_pair_of_the_table_holds(rule: str, line: str) -> None:
    assert answer(line, policy_of(deny=[f"Bash({rule}:*)"], mode="full_auto")) == "deny by deny"
    assert answer(line, policy_of(ask=[f"Bash({rule}:*)"], mode="full_auto")) == "ask by ask"


@pytest.mark.parametrize(("rule", "line"), pairs(FOUND)[:60])
def test_an_allow_is_not_about_other_words(rule: str, line: str) -> None:
    with_rule = answer(line, policy_of([f"Bash({rule}:*)"]))
    assert with_rule == answer(line, policy_of()) or line.startswith(rule)
