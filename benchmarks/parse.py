"""Time per command of `assent.shell.parse` against tree-sitter-bash and bashlex, and what importing each costs.

`python benchmarks/parse.py [ROUNDS]`, 40 unless told. The other parsers are installed from PyPI, once, into a scratch
environment of their own in `.venv/bench`; the first run needs the network. All of them run in one process of one
interpreter, in turn, so that a busy machine is busy for everyone; read the ratios, not the microseconds.
"""

from __future__ import annotations

import compileall
import gc
import os
import statistics
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
SCRATCH = ROOT / ".venv/bench"
WANTED = ("tree-sitter==0.26.0", "tree-sitter-bash==0.25.1", "bashlex==0.18")
INSIDE = "--inside-the-scratch-environment"
IMPORT_ROUNDS = 25
PAUSE = 0.002

SHORT = "cd web && npm run build 2>&1 | tail -3"
LINE = (
    'cd services/api && FOO=1 python3 -m pytest -q tests/unit -k "login and not slow" 2>&1 | tail -n 40; '
    "grep -rn 'def handle' src --include='*.py' | head -20 > /tmp/found.txt && git log --oneline -5 -- \"$file\""
)
LINES = (
    "git add -A && git commit -m 'Read the port from the environment' && git push origin HEAD",
    'for name in src/*.py; do wc -l "$name" | sort -rn; done',
    'docker run --rm -v "$PWD":/app -w /app node:22 npm ci --no-audit 2>&1 | tail -n 5',
    'version=$(git describe --tags --abbrev=0) && echo "building $version" > build/version.txt',
    "find . -name '*.log' -mtime +7 -not -path './node_modules/*' -print0 | xargs -0 ls -l",
    "sed -i.bak -e 's/localhost/0.0.0.0/g' -e '/^#/d' config/app.ini && diff config/app.ini.bak config/app.ini",
    'if [ -f package.json ]; then npm test -- --watch=false; else echo "no package" >&2; fi',
    "curl -fsSL -H 'Accept: application/json' \"https://api.example.com/v1/items?limit=10\" | jq -r '.items[].name'",
    "export PATH=\"$HOME/.local/bin:$PATH\" LANG=C.UTF-8; python3 -c 'import sys; print(sys.version)'",
    "make -C build -j4 all 2> build/errors.txt || tail -n 20 build/errors.txt",
    "ps aux | grep '[n]ode server' | awk '{print $2}' | head -1",
    'tar -czf "backup-$(date +%F).tar.gz" --exclude=.git --exclude=node_modules . && ls -lh backup-*.tar.gz',
)
IMPORTS = {
    "assent": "from assent.shell import parse",
    "tree-sitter": "import tree_sitter, tree_sitter_bash; "
    "tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))",
    "bashlex": "import bashlex",
}
PROBE = (
    "import sys, time; sys.path += {folders!r}; begun = time.process_time()\n{work}\nprint(time.process_time() - begun)"
)

Parse = Callable[[str], object]


# --- the scratch environment ---------------------------------------------------------------------------------------


def scratch_python() -> Path:
    """The interpreter of the scratch environment, which is made when it is not there or holds something else."""
    python, stamp = SCRATCH / "bin/python", SCRATCH / "holds"
    wanted = f"{sys.version}\n{' '.join(WANTED)}\n"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"installing {', '.join(WANTED)} into {SCRATCH.relative_to(ROOT)}")
    venv.create(SCRATCH, clear=True, with_pip=True)
    words = [str(python), "-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check", *WANTED]
    if subprocess.run(words, check=False).returncode:
        raise SystemExit("the other parsers could not be installed (see above); the first run needs the network")
    stamp.write_text(wanted)
    return python


# --- what is timed -------------------------------------------------------------------------------------------------


def texts() -> dict[str, str]:
    """The commands by name: four lengths, and a file written through a heredoc."""
    return {
        "one command": SHORT,
        "one line": LINE,
        "small script": script(2_000),
        "large script": script(20_000),
        "heredoc, small": heredoc(2_000),
        "heredoc, large": heredoc(20_000),
    }


def script(length: int) -> str:
    """Whole lines, about as many characters as wanted."""
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < length - 60:
        lines.append(LINES[len(lines) % len(LINES)])
    return "\n".join(lines)


def heredoc(length: int) -> str:
    """A file as agents write them: quoted, so that nothing in it is expanded."""
    body = "def area(width, height):\n    return width * height  # it's $5 `each`\n"
    return "cat > shapes.py <<'EOF'\n" + body * ((length - 28) // len(body)) + "EOF\n"


def parsers() -> dict[str, Parse]:
    """Every parser as a function of a text; what cannot read a text raises or says so."""
    tree_sitter, grammar, bashlex = map(import_module, ("tree_sitter", "tree_sitter_bash", "bashlex"))
    reader = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    ours = import_module("assent.shell").parse

    def assent(text: str) -> object:
        read = ours(text)
        if read.refused:
            raise ValueError(read.refused)
        return read

    def bare(text: str) -> object:
        return reader.parse(text.encode())

    def walked(text: str) -> object:
        """tree-sitter leaves its tree in C; this makes of every node what Python can look at."""
        cursor = reader.parse(text.encode()).walk()
        nodes = []
        while True:
            node = cursor.node
            nodes.append((node.type, node.start_byte, node.end_byte))
            if cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return nodes

    return {"assent": assent, "tree-sitter": bare, "… and walk": walked, "bashlex": bashlex.parse}


# --- measuring -----------------------------------------------------------------------------------------------------


def microseconds(parse: Parse, text: str, times: int) -> float:
    begun = time.perf_counter()
    for _ in range(times):
        parse(text)
    return (time.perf_counter() - begun) / times * 1e6


def repeats(parse: Parse, text: str) -> int:
    """How often to parse in one measurement: long enough for the clock. 0 when it cannot parse the text at all."""
    try:
        spent = min(microseconds(parse, text, 1) for _ in range(3))
    except Exception as error:
        print(f"  does not parse: {type(error).__name__}: {str(error)[:90]!a}")
        return 0
    return max(1, int(PAUSE * 1e6 / spent))


def measure(text: str, known: dict[str, Parse], rounds: int) -> dict[str, float]:
    """Median microseconds by parser, the parsers taking turns; those that cannot parse it are left out."""
    often = {name: repeats(parse, text) for name, parse in known.items()}
    spent: dict[str, list[float]] = {name: [] for name, times in often.items() if times}
    for _ in range(rounds):
        for name, seen in spent.items():
            seen.append(microseconds(known[name], text, often[name]))
        gc.collect()
    return {name: statistics.median(seen) for name, seen in spent.items()}


def import_times() -> dict[str, float]:
    """Median CPU milliseconds of the import alone, each in a fresh `python -I -S` that finds compiled bytecode."""
    folders = [str(SRC), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    spent: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for _ in range(IMPORT_ROUNDS + 1):
        for name, work in IMPORTS.items():
            words = [sys.executable, "-I", "-S", "-c", PROBE.format(folders=folders, work=work)]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            spent[name].append(float(done.stdout) * 1e3)
    return {name: statistics.median(seen[1:]) for name, seen in spent.items()}


# --- showing -------------------------------------------------------------------------------------------------------


def show_parsing(rounds: int) -> None:
    known = parsers()
    print(f"\nmicroseconds per text, median of {rounds} interleaved rounds; `×` is how many times longer than assent")
    rows = []
    for name, text in texts().items():
        print(f"{name}, {len(text):,} characters")
        rows.append((name, len(text), measure(text, known, rounds)))
    others = [name for name in known if name != "assent"]
    print(f"\n{'':16}{'length':>8}{'assent':>10}" + "".join(f"{name:>14}{'×':>7}" for name in others))
    for name, length, spent in rows:
        ours = spent["assent"]
        cells = [
            f"{spent[other]:>14,.0f}{spent[other] / ours:>7.2f}" if other in spent else f"{'cannot':>14}{'':>7}"
            for other in others
        ]
        print(f"{name:16}{length:>8,}{ours:>10,.0f}" + "".join(cells))


def show_imports() -> None:
    spent = import_times()
    ours = spent["assent"]
    print(f"\nimport: CPU milliseconds in a fresh `python -I -S`, median of {IMPORT_ROUNDS} interleaved processes")
    for name, milliseconds in spent.items():
        print(f"{name:16}{milliseconds:>8.1f}   assent takes {ours / milliseconds:.2f} of it")


def main() -> int:
    rounds = next((int(word) for word in sys.argv[1:] if word.isdigit()), 40)
    if INSIDE not in sys.argv:
        compileall.compile_dir(str(SRC), quiet=1)
        words = [str(scratch_python()), "-I", str(Path(__file__).resolve()), INSIDE, str(rounds)]
        sys.stdout.flush()
        return subprocess.run(words, check=False, env={"PATH": os.defpath}).returncode
    sys.path.insert(0, str(SRC))
    show_parsing(rounds)
    show_imports()
    return 0


if __name__ == "__main__":
    sys.exit(main())
