"""Command lines that execute a file, made by a generator: each with the file, and what else the project holds.

`payload` is text in a language; running it appends one line to `ran`. The lines for tools that every machine of ours
has are run for real, so that the generator cannot lie.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Shape(NamedTuple):
    command: str
    file: str
    language: str = "sh"
    files: Mapping[str, str] = {}
    setup: str = ""
    """Run in the project before anything else."""
    env: Mapping[str, str] = {}
    real: bool = False
    """Whether it can be run here."""
    new: bool = False
    """Whether the file is not there until the approval is given."""


def payload(language: str, word: str) -> str:
    """Code that leaves a word behind."""
    return {
        "sh": f"echo {word} >> ran\n",
        "hook": f"#!/bin/sh\necho {word} >> ran\n",
        "py": f"open('ran', 'a').write('{word}\\n')\n",
        "make": f"all:\n\techo {word} >> ran\ntest: all\nbuild: all\n",
        "js": f"require('fs').appendFileSync('ran', '{word}\\n')\n",
        "npm": f'{{"name": "x", "scripts": {{"test": "echo {word} >> ran", "build": "echo {word}"}}}}\n',
        "perl": f"open(my $f, '>>', 'ran'); print $f \"{word}\\n\"; close $f; 1;\n",
        "todo": f"exec echo {word} >> ran\n",
        "text": f"# {word}\n",
    }[language]


def _lines(text: str) -> tuple[str, ...]:
    """One command on each line; ⏎ stands for a line break inside one."""
    return tuple(line.replace("⏎", "\n") for line in text.strip().split("\n"))


SHELL = _lines(r"""
bash FILE
sh FILE
bash -e FILE
bash -x -- FILE
bash ./FILE
sh $PWD/FILE
bash -- FILE
. ./FILE
source ./FILE
bash < FILE
sh 0< FILE
sh -s < FILE
bash -s -- a b < FILE
cat FILE | bash
cat FILE | sh -s
cat < FILE | bash
tac FILE | tac | bash
head -n 50 FILE | sh
grep -v nothing FILE | bash
sed s/a/a/ FILE | sh
cat FILE | tee /dev/null | bash
bash <(cat FILE)
sh -c "$(cat FILE)"
bash -c "$(cat FILE)"
bash -c "$(< FILE)"
eval "$(cat FILE)"
eval "`cat FILE`"
sh -c '. ./FILE'
bash -c 'bash FILE'
bash -c "source FILE"
echo FILE | xargs bash
ls FILE | xargs sh
printf '%s\n' FILE | xargs -n1 bash
printf 'FILE\0' | xargs -0 bash
echo FILE | xargs -I% bash %
find . -name FILE -exec bash {} \;
find . -name FILE -exec sh {} +
find . -name FILE -print0 | xargs -0 bash
find . -name FILE | xargs bash
find . -name FILE | while read f; do bash $f; done
for f in FILE; do bash $f; done
for f in *.sh; do sh "$f"; done
bash *.sh
bash ?.sh
bash [a-z].sh
cat *.sh | sh
ls *.sh | xargs bash
f=FILE; bash $f
f=FILE; bash < $f
f=FILE; . ./$f
env bash FILE
env A=1 bash FILE
nice bash FILE
nohup bash FILE
timeout 9 bash FILE
time bash FILE
exec bash FILE
command bash FILE
stdbuf -o0 bash FILE
setsid bash FILE
nice -n 3 sh < FILE
bash FILE > out.txt
bash FILE 2>&1 | tail
true && bash FILE
false || bash FILE
(bash FILE)
{ bash FILE; }
if true; then bash FILE; fi
cd . && bash FILE
bash FILE &⏎wait
! bash FILE
cp FILE t.sh && bash t.sh
cat FILE > t.sh; sh t.sh
ln -s FILE l.sh; bash l.sh
bash "FILE"
bash 'FILE'
b\ash FILE
/bin/bash FILE
/usr/bin/env bash FILE
A=1 bash FILE
bash --norc FILE
bash -o errexit FILE
bash -c 'sh < FILE'
bash /dev/stdin < FILE
cat FILE - < /dev/null | bash
xargs -a FILE -I% sh -c %
awk 1 FILE | sh
base64 FILE | base64 -d | sh
gzip -c FILE | gunzip | sh
cut -c1- FILE | bash
sort FILE | bash
tr a a < FILE | bash
BASH_ENV=./FILE bash -c true
ENV=./FILE sh -i -c true < /dev/null
export BASH_ENV=./FILE; bash -c true
python3 -c "import os; os.system('sh FILE')"
python3 -c "import subprocess; subprocess.run(['bash', 'FILE'])"
perl -e 'system("sh FILE")'
awk 'BEGIN { system("sh FILE") }'
bash <<< "$(cat FILE)"
bash << EOF⏎$(cat FILE)⏎EOF
bash << 'EOF'⏎. ./FILE⏎EOF
xargs bash <<< FILE
mapfile -t a < FILE; eval "${a[@]}"
read -r a < FILE; eval "$a"
while read -r l; do eval "$l"; done < FILE
paste FILE | bash
nl -b n FILE | cut -f2 | sh
dd if=FILE 2>/dev/null | sh
bash -c 'source "$1"' x FILE
bash -c '. $0' ./FILE
set -- FILE; bash "$1"
function g { bash "$1"; }; g FILE
git --no-pager grep -h -e . --no-index FILE | sh
""")
PYTHON = _lines(r"""
python3 FILE
python3 -u FILE
python3 ./FILE
python3 -- FILE
python3 < FILE
python3 - < FILE
cat FILE | python3
cat FILE | python3 -
python3 -c "$(cat FILE)"
python3 -c "exec(open('FILE').read())"
python3 -m m
python3 -c 'import m'
python3 -X utf8 FILE
env python3 FILE
find . -name FILE -exec python3 {} \;
ls m.py | xargs python3
python3 *.py
python3 -i FILE < /dev/null
python3 -m runpy FILE || python3 FILE
PYTHONPATH=. python3 -c 'import m'
PYTHONSTARTUP=FILE python3 -i < /dev/null
timeout 9 python3 FILE
python3 -c "import runpy; runpy.run_path('FILE')"
python3 -c '__import__("m")'
python3 -c 'import importlib; importlib.import_module("m")'
""")
NOT_HERE = _lines(r"""
node FILE
node ./FILE
node < FILE
cat FILE | node
node -r ./FILE -e 0
node --require=./FILE -e 0
node s
nodejs FILE
bun FILE
bun run FILE
deno run FILE
deno run -A ./FILE
tsx FILE
npx tsx FILE
ts-node FILE
node --import ./FILE x
qjs FILE
NODE_OPTIONS='--require ./FILE' node -e 0
ruby FILE
ruby < FILE
ruby -r./s -e 0
perl FILE
perl < FILE
perl -I. -Ms -e 0
php FILE
php -f FILE
lua FILE
Rscript FILE
julia FILE
osascript FILE
pwsh -File FILE
tclsh FILE
expect FILE
guile FILE
racket FILE
elixir FILE
groovy FILE
java FILE
scala FILE
kotlinc -script FILE
psql -f FILE
psql < FILE
mysql < FILE
sqlite3 x.db < FILE
sqlite3 x.db '.read FILE'
gdb -x FILE
vim -S FILE
emacs --script FILE
ed a < FILE
ssh host 'bash -s' < FILE
ssh host bash < FILE
docker exec -i c sh < FILE
docker run -v $PWD:/w a sh /w/FILE
kubectl exec -i p -- sh < FILE
kubectl apply -f FILE
ansible-playbook FILE
terraform apply FILE
at now -f FILE
crontab FILE
batch < FILE
screen -dm bash FILE
tmux new -d 'bash FILE'
systemd-run bash FILE
sudo bash FILE
sudo -u x sh < FILE
su -c 'sh FILE'
doas sh FILE
chroot . sh FILE
unshare sh FILE
strace bash FILE
script -c 'bash FILE'
parallel bash ::: FILE
parallel < FILE
watch -n1 bash FILE
entr bash FILE
frobnicate FILE
frobnicate --script=FILE
frobnicate -fFILE
frobnicate @FILE
frobnicate < FILE
cat FILE | frobnicate
frobnicate a,FILE,b
frobnicate file://$PWD/FILE
zsh FILE
dash FILE
ksh FILE
fish FILE
busybox sh FILE
zsh -c 'source FILE'
""")
COMMIT, TOOL = "git commit --allow-empty -m x", "mkdir bin; touch bin/tool; chmod +x bin/tool"
OTHER = (
    Shape("python3 pkg", "pkg/__main__.py", "py", real=True),
    Shape("python3 -m pkg", "pkg/__main__.py", "py", real=True),
    Shape("python3 -m pkg.mod", "pkg/mod.py", "py", real=True),
    Shape("python3 -m pkg.mod", "pkg/__init__.py", "py", {"pkg/mod.py": ""}, real=True),
    Shape("python3 start.py", "helper.py", "py", {"start.py": "import helper\n"}, real=True),
    Shape("python3 start.py", "lib/deep/helper.py", "py", {"start.py": "from lib.deep import helper\n"}, real=True),
    Shape("python3 start.py", "lib/helper.py", "py", {"start.py": "import lib.helper as h\n"}, real=True),
    Shape("python3 -c 'import helper'", "lib/helper.py", "py", env={"PYTHONPATH": "lib"}, real=True),
    Shape("PYTHONPATH=lib python3 -c 'import helper'", "lib/helper.py", "py", real=True),
    Shape("python3 -c 1", "lib/sitecustomize.py", "py", env={"PYTHONPATH": "lib"}, real=True),
    Shape("bash start.sh", "lib.sh", "sh", {"start.sh": '. "$(dirname "$0")/lib.sh"\n'}, real=True),
    Shape("bash start.sh", "lib/x.sh", "sh", {"start.sh": "for f in x; do source lib/x.sh; done\n"}, real=True),
    Shape("bash a.sh", "c.sh", "sh", {"a.sh": "sh b.sh\n", "b.sh": "sh c.sh\n"}, real=True),
    Shape("bash sub/a.sh", "sub/b.sh", "sh", {"sub/a.sh": 'cd "${0%/*}/.." && sh sub/b.sh\n'}, real=True),
    Shape("bash -c true", "rc", "sh", env={"BASH_ENV": "./rc"}, real=True),
    Shape("make", "Makefile", "make", real=True),
    Shape("make", "makefile", "make", real=True),
    Shape("make", "GNUmakefile", "make", {"Makefile": "all:\n\ttrue\n"}, real=True),
    Shape("make -f other", "other", "make", real=True),
    Shape("make -fother", "other", "make", real=True),
    Shape("make --file=other", "other", "make", real=True),
    Shape("make -C sub all", "sub/Makefile", "make"),
    Shape("make", "rules.inc", "make", {"Makefile": "include rules.inc\n"}, real=True),
    Shape("make", "mk/rules.inc", "make", {"Makefile": "-include mk/rules.inc\n"}, real=True),
    Shape("make", "run.sh", "sh", {"Makefile": "all:\n\tsh run.sh\n"}, real=True),
    Shape("make test", "tools/t.py", "py", {"Makefile": "test:\n\tpython3 tools/t.py\n"}, real=True),
    Shape(COMMIT, ".git/hooks/pre-commit", "hook", setup="git init -q .", real=True),
    Shape(COMMIT, ".git/hooks/commit-msg", "hook", setup="git init -q .", real=True),
    Shape(COMMIT, "my/pre-commit", "hook", setup="git init -q .; git config core.hooksPath my", real=True),
    Shape(
        COMMIT,
        ".husky/_/pre-commit",
        "hook",
        setup="git init -q .; git config core.hooksPath .husky/_",
        real=True,
    ),
    Shape(
        COMMIT,
        "steps.sh",
        "sh",
        {".git/hooks/pre-commit": "#!/bin/sh\nsh steps.sh\n"},
        setup="git init -q .; chmod +x .git/hooks/*",
    ),
    Shape("git push origin main", ".git/hooks/pre-push", "hook", setup="git init -q ."),
    Shape("git checkout -b other", ".git/hooks/post-checkout", "hook", setup="git init -q ."),
    Shape("git -C sub commit -m x", "sub/.git/hooks/pre-commit", "hook", setup="git init -q sub"),
    Shape("git merge x", ".git/hooks/pre-merge-commit", "hook", setup="git init -q ."),
    Shape("git rebase main", ".git/hooks/pre-rebase", "hook", setup="git init -q ."),
    Shape("git deploy", ".git/config", "text", setup="git init -q ."),
    Shape("git commit -m x", "more.cfg", "text", setup="git init -q .; git config include.path ../more.cfg"),
    Shape("npm test", "package.json", "npm"),
    Shape("npm run build", "package.json", "npm"),
    Shape("npm test", "run.js", "js", {"package.json": '{"scripts": {"test": "node run.js"}}'}),
    Shape("npm test", ".npmrc", "text", {"package.json": "{}"}),
    Shape("yarn build", "package.json", "npm"),
    Shape("pnpm -r test", "package.json", "npm"),
    Shape("bun test", "package.json", "npm"),
    Shape("npx jest", "jest.config.js", "js"),
    Shape("npx tool", "node_modules/.bin/tool", "js"),
    Shape("npx vite build", "vite.config.ts", "js"),
    Shape("npx eslint .", ".eslintrc.js", "js"),
    Shape("npx eslint src", "eslint.config.mjs", "js", {"src/a.js": ""}),
    Shape("node .", "package.json", "npm"),
    Shape("node .", "lib/main.js", "js", {"package.json": '{"main": "lib/main.js"}'}),
    Shape("node .", "index.js", "js"),
    Shape("node app", "app/index.js", "js"),
    Shape("node app.js", "lib/x.js", "js", {"app.js": "require('./lib/x')\n"}),
    Shape("node app.js", "lib/index.js", "js", {"app.js": "require('./lib')\n"}),
    Shape("node app.mjs", "util.mjs", "js", {"app.mjs": "import u from './util.mjs'\n"}),
    Shape("pytest", "conftest.py", "py"),
    Shape("pytest", "tests/conftest.py", "py"),
    Shape("pytest", "pyproject.toml", "text"),
    Shape("pytest", "pytest.ini", "text"),
    Shape("pytest tests", "tests/test_a.py", "py"),
    Shape("pytest tests/test_a.py::test_x", "tests/test_a.py", "py"),
    Shape("python3 -m pytest tests/", "tests/test_a.py", "py"),
    Shape("tox", "tox.ini", "text"),
    Shape("nox", "noxfile.py", "py"),
    Shape("pip install .", "setup.py", "py"),
    Shape("pip install -e .", "pyproject.toml", "text"),
    Shape("pip install -r requirements.txt", "requirements.txt", "text"),
    Shape("python3 manage.py migrate", "manage.py", "py"),
    Shape("cargo build", "build.rs", "text", {"Cargo.toml": ""}),
    Shape("cargo test", "Cargo.toml", "text"),
    Shape("cargo run", ".cargo/config.toml", "text", {"Cargo.toml": ""}),
    Shape("go run .", "main.go", "text"),
    Shape("go run main.go", "main.go", "text"),
    Shape("go run ./cmd/x", "cmd/x/main.go", "text"),
    Shape("go test ./...", "go.mod", "text"),
    Shape("go generate ./...", "go.mod", "text"),
    Shape("docker build .", "Dockerfile", "text"),
    Shape("docker build -f docker/x.Dockerfile .", "docker/x.Dockerfile", "text"),
    Shape("docker build .", "entry.sh", "sh", {"Dockerfile": "COPY entry.sh /\n"}),
    Shape("docker compose up", "compose.yaml", "text"),
    Shape("docker-compose up", "docker-compose.yml", "text"),
    Shape("just deploy", "justfile", "text"),
    Shape("task build", "Taskfile.yml", "text"),
    Shape("rake", "Rakefile", "text"),
    Shape("bundle exec rspec", ".rspec", "text"),
    Shape("bundle install", "Gemfile", "text"),
    Shape("mvn test", "pom.xml", "text"),
    Shape("gradle build", "build.gradle", "text"),
    Shape("./gradlew build", "gradlew", "sh"),
    Shape("./gradlew build", "gradle/wrapper/gradle-wrapper.properties", "text", {"gradlew": ""}),
    Shape("cmake -S . -B out", "CMakeLists.txt", "text"),
    Shape("cmake --build out", "out/Makefile", "make"),
    Shape("./configure", "configure", "sh", setup="touch configure; chmod +x configure"),
    Shape("ninja", "build.ninja", "text"),
    Shape("bazel build //x", "WORKSPACE", "text"),
    Shape("terraform apply", "main.tf", "text"),
    Shape("ansible-playbook site.yml", "roles/x.yml", "text", {"site.yml": "- include: roles/x.yml\n"}),
    Shape("pre-commit run", ".pre-commit-config.yaml", "text"),
    Shape("composer install", "composer.json", "npm"),
    Shape("mix test", "mix.exs", "text"),
    Shape("nix build", "flake.nix", "text"),
    Shape("direnv exec . true", ".envrc", "sh"),
    Shape("./run.sh", "run.sh", "hook", setup="touch run.sh; chmod +x run.sh", real=True),
    Shape("$PWD/run.sh", "run.sh", "hook", setup="touch run.sh; chmod +x run.sh", real=True),
    Shape("bin/tool x", "bin/tool", "hook", setup=TOOL, real=True),
    Shape("tool x", "bin/tool", "hook", setup=TOOL, env={"PATH+": "bin"}, real=True),
    Shape("env tool", "bin/tool", "hook", setup=TOOL, env={"PATH+": "bin"}, real=True),
    Shape("echo a | xargs tool", "bin/tool", "hook", setup=TOOL, env={"PATH+": "bin"}, real=True),
    Shape("bash $(echo cy5zaA== | base64 -d)", "s.sh", "sh", real=True),
    Shape("bash $(ls -t *.sh | head -1)", "s.sh", "sh", real=True),
    Shape("x=$(printf 's%s' .sh); sh $x", "s.sh", "sh", real=True),
    Shape("sh \"$(find . -name 's*h' | head -1)\"", "jobs/s.sh", "sh", real=True),
    Shape("cat $(cat list) | sh", "s.sh", "sh", {"list": "s.sh\n"}, real=True),
    Shape("xargs -a list sh", "s.sh", "sh", {"list": "s.sh\n"}, real=True),
    Shape("xargs cat < list | sh", "s.sh", "sh", {"list": "s.sh\n"}, real=True),
    Shape(". <(cat s.sh)", "s.sh", "sh", real=True),
    Shape("exec 3< s.sh; bash <&3", "s.sh", "sh", real=True),
    Shape("exec < s.sh; sh", "s.sh", "sh", real=True),
    Shape("trap '. ./s.sh' EXIT", "s.sh", "sh", real=True),
    Shape("PROMPT_COMMAND='. ./s.sh' bash -i < /dev/null", "s.sh", "sh"),
    Shape("alias x='sh s.sh'; eval x", "s.sh", "sh"),
    Shape("tar xf a.tar && sh s.sh", "a.tar", "text"),
    Shape("unzip -o a.zip && sh t.sh", "a.zip", "text"),
    Shape("git apply fix.patch && make", "fix.patch", "text"),
    Shape("patch -p1 < fix.patch && sh s.sh", "fix.patch", "text"),
    Shape("cp new.sh s.sh; bash s.sh", "new.sh", "sh", real=True),
    Shape("mv new.sh s.sh && sh s.sh", "new.sh", "sh", real=True),
    Shape("install -m 755 new.sh t && ./t", "new.sh", "hook", real=True),
    Shape("sed 's/x/x/' tpl > out.sh; sh out.sh", "tpl", "sh", real=True),
    Shape("python3 gen.py | sh", "gen.py", "text"),
    Shape("python3 a.py", "cfg/x.json", "text", {"a.py": "import json; exec(json.load(open('cfg/x.json'))['c'])\n"}),
    Shape("gcc -o p p.c && ./p", "p.c", "text"),
    Shape("gcc -o p p.c && ./p", "p.h", "text", {"p.c": '#include "p.h"\n'}),
    Shape("javac A.java && java A", "A.java", "text"),
    Shape("java A", "A.class", "text"),
    Shape("java -jar x.jar", "x.jar", "text"),
    Shape("java -cp lib A", "lib/A.class", "text"),
    Shape("dotnet run", "x.csproj", "text"),
    Shape("swift run", "Package.swift", "text"),
    Shape("flutter test", "pubspec.yaml", "text"),
    Shape("vitest run", "vitest.config.ts", "text"),
    Shape("playwright test", "playwright.config.ts", "text"),
    Shape("uv run app.py", "app.py", "py"),
    Shape("uv run tool", "pyproject.toml", "text"),
    Shape("poetry run python3 a.py", "a.py", "py"),
    Shape("flask run", "app.py", "py"),
    Shape("flask run", ".flaskenv", "text"),
    Shape("uvicorn app.main:app", "app/main.py", "py"),
    Shape("gunicorn web:app", "web.py", "py"),
    Shape("celery -A jobs.main worker", "jobs/main.py", "py"),
    Shape("streamlit run ui.py", "ui.py", "py"),
    Shape("jupyter nbconvert --execute a.ipynb", "a.ipynb", "text"),
    Shape("coverage run -m pkg", "pkg/__main__.py", "py"),
    Shape("coverage run a.py", "a.py", "py"),
    Shape("python3 -m unittest tests.test_a", "tests/test_a.py", "py"),
    Shape("python3 -m unittest", "test_a.py", "py"),
    Shape("python3 -m unittest discover", "tests/test_a.py", "py", {"tests/__init__.py": ""}),
    Shape("npm run start -w pkg", "pkg/package.json", "npm", {"package.json": '{"workspaces": ["pkg"]}'}),
    Shape("npm --prefix sub test", "sub/package.json", "npm"),
    Shape("yarn --cwd sub test", "sub/package.json", "npm"),
    Shape("node --test", "test/a.test.js", "js"),
    Shape("mocha", ".mocharc.json", "text"),
    Shape("mocha", "test/a.js", "js"),
    Shape("jest", "src/a.test.js", "js"),
    Shape("rspec", "spec/a_spec.rb", "text"),
    Shape("go test ./...", "x/a_test.go", "text", {"go.mod": ""}),
    Shape("go build", "main.go", "text"),
    Shape("cargo test", "src/lib.rs", "text", {"Cargo.toml": ""}),
    Shape("cargo run", "src/main.rs", "text", {"Cargo.toml": ""}),
    Shape("pytest", "test_a.py", "py"),
    Shape("pytest", "tests/test_a.py", "py"),
    Shape("make", "src/a.c", "text", {"Makefile": "all: src/a.c\n\tcc src/a.c && ./a.out\n"}),
    Shape("run-parts jobs", "jobs/one", "hook", setup="mkdir jobs; touch jobs/one; chmod +x jobs/one"),
    Shape("find jobs -type f -exec sh {} \\;", "jobs/one", "sh", real=True),
    Shape("find -name one -exec sh {} \\;", "jobs/one", "sh", real=True),
    Shape("cat jobs/* | sh", "jobs/one", "sh", real=True),
    Shape("for f in jobs/*; do sh $f; done", "jobs/one", "sh", real=True),
    Shape("grep -rh . jobs | sh", "jobs/one", "sh", real=True),
    Shape("cd jobs && sh one", "jobs/one", "sh"),
    Shape("(cd jobs; make)", "jobs/Makefile", "make"),
    Shape("pushd jobs; sh one; popd", "jobs/one", "sh"),
)  # fmt: skip


# --- files that run because another file says so ----------------------------------------------------------------------

START_SH = {
    'DIR=$(dirname "$0")\n. "$DIR/lib.sh"': "lib.sh sh",
    'HERE="$(cd "$(dirname "$0")" && pwd)"\n. $HERE/lib/util.sh': "lib/util.sh sh",
    'for f in lib/*.sh; do . "./$f"; done': "lib/a.sh sh",
    'for f in ./hooks.d/*; do sh "$f"; done': "hooks.d/10-a sh",
    "run-parts hooks.d": "hooks.d/a hook",
    "cd sub\nsh b.sh": "sub/b.sh sh",
    "(cd sub && ./b.sh)": "sub/b.sh hook",
    'find sub -name "*.sh" -exec sh {} +': "sub/b.sh sh",
    "N=b\nsh sub/$N.sh": "sub/b.sh sh",
    "sh [b]*.sh": "b.sh sh",
    "sh cmd/${1:-x}.sh": "cmd/x.sh sh",
    'PATH="$PWD/tools:$PATH"\nmytool': "tools/mytool hook",
    "python3 -m pkg": "pkg/__main__.py py",
    "python3 -m pkg.mod": "pkg/mod.py py",
    "python3 pkg": "pkg/__main__.py py",
    "make -C sub": "sub/Makefile make",
    "cd sub && make": "sub/Makefile make",
    ". ./steps.md": "steps.md sh",
    "sh steps.log": "steps.log sh",
    "cat q.db | sh": "q.db sh",
    "sh .pytest_cache/x.sh": ".pytest_cache/x.sh sh",
    "[ -f local.sh ] && . ./local.sh": "local.sh sh",
    "node app": "app.js js",
    "node app ": "app/index.js js",
    "perl -Ilib -MFoo -e 1": "lib/Foo.pm perl",
    "zsh -c 'fpath=(fns); autoload f; f'": "fns/f sh",
    "#" + "x" * 1_100_000 + "\n. ./tail.sh": "tail.sh sh",
    "true\n#\0\n. ./tail.sh": "tail.sh sh",
}
"""What `start.sh` says, and the file that runs then."""
START_PY = {
    "from pkg import (\n    a,\n    b,\n)": "pkg/b.py",
    "x = 1; import helper": "helper.py",
    "if True: import helper": "helper.py",
    "def f(): import helper\nf()": "helper.py",
    'import sys\nsys.path.insert(0, "lib")\nimport helper': "lib/helper.py",
    'import importlib\nname = "helper"\nimportlib.import_module(name)': "helper.py",
    'import os\nfor f in os.listdir("plugins"): exec(open("plugins/" + f).read())': "plugins/p.txt",
    'from pathlib import Path\nexec((Path("lib") / "x.txt").read_text())': "lib/x.txt",
    'import subprocess\nsubprocess.run(["python3", "s" + ".py"])': "s.py",
    'import subprocess\nsubprocess.run(["python3", "s.py"], cwd="sub")': "sub/s.py",
    "import pkg": "pkg/__init__.py",
    "import tempfile": "random.py",
}
MAKEFILE = {
    "include mk/*.make": "mk/a.make make",
    "include $(wildcard mk/*.mk)": "mk/a.mk make",
    "D = mk\ninclude $(D)/a.inc": "mk/a.inc make",
    "all:\n\t$(MAKE) -C sub": "sub/Makefile make",
    "all:\n\tcd sub && $(MAKE)": "sub/Makefile make",
    "export PATH := $(CURDIR)/tl:$(PATH)\nall:\n\tgen": "tl/gen hook",
    "SHELL = ./tl/mysh\nall:\n\ttrue": "tl/mysh hook",
    "all:\n\tpython3 -m tools.x": "tools/x/__main__.py py",
    "S = s\nall:\n\tsh d/$(S).sh": "d/s.sh sh",
    "all:\n\tfor f in d/*; do sh $$f; done": "d/s.sh sh",
    "all:\n\tpython3 -m unittest discover tests": "tests/test_a.py py",
    "-include local.cfg": "local.cfg make",
}
APP_JS = {
    "require('dep')": "node_modules/dep/index.js",
    "require('@s/dep')": "node_modules/@s/dep/index.js",
    "for (const f of require('fs').readdirSync('plugins')) require('./plugins/' + f)": "plugins/p.js",
    "require(require('path').join(__dirname, 'lib', 'x.js'))": "lib/x.js",
    "const d = './lib'; require(`${d}/x`)": "lib/x.js",
}
SCRIPT = {
    "mytool": "node_modules/.bin/mytool hook",
    "node tools/t": "tools/t.js js",
    "cd sub && node t.js": "sub/t.js js",
    "node --test": "test/a.test.js js",
}
"""What the script `test` of a package says."""
BARE = "git init -q .; git commit -q --allow-empty -m x"
LOADED = (
    Shape("bash -c true", "rc", "sh", env={"BASH_ENV": "rc"}, real=True),
    Shape("bash x.sh", "rc.sh", "sh", {"x.sh": ""}, env={"BASH_ENV": "$HOME/project/rc.sh"}, real=True),
    Shape("bash -lc true", "../.bash_profile", "sh", real=True),
    Shape("bash -ic true", "../.bashrc", "sh", real=True),
    Shape("bash -lc true", "../.aliases", "sh", {"../.bash_profile": ". ~/.aliases\n"}, real=True),
    Shape("bash -ic true", "../.bashrc.d/x", "sh", {"../.bashrc": "for f in ~/.bashrc.d/*; do . $f; done"}, real=True),
    Shape("bash -c true", "../elsewhere/rc", "sh", env={"BASH_ENV": "../elsewhere/rc"}, real=True),
    Shape("python3 -c 1", "../libs/deep/sitecustomize.py", "py", env={"PYTHONPATH": "../libs/deep"}, real=True),
    Shape("zsh -c true", "z/.zshenv", "sh", env={"ZDOTDIR": "z"}),
    Shape("true && ls", "lib/x.so", "text", env={"LD_PRELOAD": "lib/x.so"}),
    Shape("ls", "lib/x.so", "text", env={"LD_PRELOAD": "x.so", "LD_LIBRARY_PATH": "lib"}),
    Shape("node -e 0", "pre/x.js", "js", env={"NODE_OPTIONS": "--require ./pre/x.js"}),
    Shape("perl -e 1", "lib/Foo.pm", "perl", env={"PERL5OPT": "-MFoo", "PERL5LIB": "lib"}),
    Shape("git diff", "tools/d", "hook", setup=BARE, env={"GIT_EXTERNAL_DIFF": "tools/d"}),
    Shape(
        COMMIT,
        "hk/pre-commit",
        "hook",
        setup="git init -q .",
        env={"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": "hk"},
        real=True,
    ),
    Shape(f"git init -q n; cd n; {COMMIT}", "tpl/hooks/pre-commit", "hook", env={"GIT_TEMPLATE_DIR": "../project/tpl"}),
    Shape("git rebase --continue", ".git/rebase-merge/git-rebase-todo", "todo", setup=BARE),
    Shape("git status", "tools/fs", "hook", setup=f"{BARE}; git config core.fsmonitor tools/fs"),
    Shape("git add f", "tools/c", "hook", {"f": "", ".gitattributes": "* filter=z\n"}, setup=BARE),
    Shape(COMMIT, "tools/chk.py", "py", {".git/hooks/pre-commit": "#!/bin/sh\npython3 -m tools.chk\n"}, setup=BARE),
    Shape("flask run", "web/__init__.py", "py", env={"FLASK_APP": "web"}),
    Shape("find . -name 'x*' -exec sh {} +", "docs/x.md", "sh", real=True),
    Shape("find . -name '*.sh' -exec sh {} +", ".mypy_cache/x.sh", "sh", real=True),
    Shape("cat docs/* | sh", "docs/x.md", "sh", real=True),
    Shape("PATH=$PWD/tools:$PATH mytool", "tools/mytool", "hook", real=True),
    Shape("PATH=tools:$PATH; mytool", "tools/mytool", "hook", real=True),
    Shape("bash start.sh", "tools/ls", "hook", {"start.sh": "ls\n"}, env={"PATH+": "tools"}, real=True),
    Shape("bash start.sh", "../.local/bin/mytool", "hook", {"start.sh": "mytool\n"}, env={"PATH+": "../.local/bin"}),
    Shape("./run", "tools/interp", "hook", {"run": "#!/usr/bin/env interp\n"}, "chmod +x run", {"PATH+": "tools"}),
    Shape("npm run b -ws", "packages/a/run.sh", "sh", {"package.json": '{"workspaces": ["packages/*"]}'}),
    Shape("cargo build", "crates/m/build.rs", "text", {"Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n'}),
    Shape("go run .", "internal/y/y.go", "text", {"main.go": 'package main\nimport "m/internal/y"\n'}),
    Shape("helm install r chart", "chart/templates/a.yaml", "text"),
    Shape("terraform apply", "modules/x/main.tf", "text", {"main.tf": ""}),
    Shape("pytest", "helpers/fix.py", "py", {"conftest.py": 'pytest_plugins = ["helpers.fix"]\n'}),
    Shape(".venv/bin/tool", ".venv/lib/python3.11/site-packages/dep/cli.py", "py", {".venv/bin/tool": ""}),
    Shape("bash c0.sh", "c320.sh", "sh", {f"c{n}.sh": f". ./c{n + 1}.sh\n" for n in range(320)}, real=True),
    Shape("bash s.sh", "../lib.sh", "sh", {"s.sh": "sh ./l\n"}, setup="ln -s ../lib.sh l", real=True),
    Shape("bash s.sh", "../d/a.sh", "sh", {"s.sh": "for f in l/*; do sh $f; done"}, setup="ln -s ../d l", real=True),
)  # fmt: skip


def _loaded() -> Iterator[Shape]:
    """Each of them twice: with the file changed, and with the file added after the approval."""
    tables = (
        *[("bash start.sh", "start.sh", *row) for row in START_SH.items()],
        *[("python3 start.py", "start.py", text, f"{file} py") for text, file in START_PY.items()],
        *[("make", "Makefile", *row) for row in MAKEFILE.items()],
        *[("node app.js", "app.js", text, f"{file} js") for text, file in APP_JS.items()],
        *[("npm test", "package.json", f'{{"scripts": {{"test": "{text}"}}}}', told) for text, told in SCRIPT.items()],
    )
    for command, start, text, told in tables:
        file, language = told.split()
        needed = next((one for one in ("npm", "node", "zsh", "run-parts") if one in f"{command} {text}"[:200]), "sh")
        files = {start: f"{text}\n", **({"pkg/a.py": ""} if "    a,\n" in text else {})}
        yield Shape(command, file, language, files, real=bool(shutil.which(needed)))
        yield Shape(command, file, language, files, new=True)
    yield from LOADED
    yield from (shape._replace(new=True, real=False) for shape in LOADED if "l" not in shape.setup.split())


def shapes() -> Iterator[Shape]:
    """All of them."""
    yield from _loaded()
    for line in SHELL:
        yield Shape(line.replace("FILE", "s.sh"), "s.sh", "sh", real=True)
    for line in PYTHON:
        yield Shape(line.replace("FILE", "m.py"), "m.py", "py", real=True)
    for line in NOT_HERE:
        file = next((f"s.{end}" for word, end in ENDINGS.items() if word in line), "s.x")
        yield Shape(line.replace("FILE", file), file, "text")
    yield from OTHER


ENDINGS = {"node": "js", "ruby": "rb", "-Ms": "pm"}
