"""Runtimes of JavaScript that also manage packages, bun and deno, and managers of Node versions."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP
from assent.commands.javascript_packages import (
    INSTALLS,
    NPM_PROGRAM,
    PUBLISHES,
    REACHES,
    REMOVES,
    cached,
    creating,
    described_by,
    downloaded,
    versioning,
)
from assent.commands.javascript_scripts import PACKAGE, REGISTRY, installing, packing, script_named
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, choices, makes, only_asks, packs_here, reaches, runs, sends, unless, when
from assent.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

# --- bun and deno --------------------------------------------------------------------------------------------------

BUN = (
    " -h,--help -v,--version --silent --verbose --cwd=unknown -g,--global -d,-D,--dev --development --optional"
    " --peer -E,--exact --no-save --save --frozen-lockfile --production -p --dry-run -f,--force --ignore-scripts"
    " --no-cache --no-progress --no-summary --registry=url --cache-dir=into --latest -i,--interactive -r,--recursive"
    " --filter,-F= --yarn --lockfile-only --omit= --backend= -a,--all --trust --only-missing"
)
BUN_ADDS = Program(BUN, "text*", does=INSTALLS, more=installing("bun.lock"))
BUN_TEST = Program(
    "-h,--help -t,--test-name-pattern= --timeout= --rerun-each= --only --todo --coverage --coverage-reporter="
    " --coverage-dir=into --bail[=] --watch --preload,-r=script -u,--update-snapshots --concurrent --reporter="
    " --reporter-outfile=write --env-file=read",
    "text*",
    more=runs(PACKAGE, "bunfig.toml"),
)


@turns_off("-e -p")
def _bun_runs(args: Args) -> Iterator[Fact]:
    """A file, or a script of `package.json`."""
    if args.has("-e", "-p") or only_asks(args):
        return
    if not args.operands:
        yield args.effect("note", args.name)
    elif "." in (args.operands[0].value or ".") or "/" in (args.operands[0].value or "/"):
        yield from args.act("script", args.operands[0])
    else:
        yield from script_named(args, args.operands[0])


BUN_RUNS = (
    "-h,--help --watch --hot --silent --bun,-b --if-present --filter,-F= -r,--preload=script --env-file=read --smol"
    " --no-install --cwd=unknown"
)
BUN_TABLE = {
    **dict.fromkeys("install i add a update link unlink patch".split(), BUN_ADDS),
    **dict.fromkeys("remove rm".split(), Program(BUN, "text*", does=REMOVES, more=installing("bun.lock"))),
    **dict.fromkeys("outdated info audit".split(), Program(BUN, "text*", more=REACHES)),
    "why": Program(BUN, "text*"),
    "run": Program(BUN_RUNS, "text*", style="posix", more=_bun_runs),
    "test": BUN_TEST,
    "x": Program(f"{BUN} --bun", "text*", style="posix", more=downloaded),
    "exec": Program("", "code*"),
    "build": Program(
        "-h,--help --outfile=write --outdir=into --target= --format= --sourcemap[=] --minify --minify-syntax"
        " --minify-whitespace --minify-identifiers --splitting --external,-e= --production --compile --bytecode"
        " --watch --no-bundle --define,-d= --public-path= --env= --packages= --banner= --footer= --root=",
        "read*",
        more=runs(PACKAGE, "bunfig.toml", "tsconfig.json"),
    ),
    **dict.fromkeys("init create c".split(), Program(f"{BUN} -y,--yes -m,--minimal", "text*", more=creating)),
    "publish": Program(f"{BUN} --access= --tag= --otp=", "text*", does=PUBLISHES, more=both(packing, sends(REGISTRY))),
    "upgrade": Program("--canary --stable", does=changes("pkg.install", "bun"), more=reaches("https://github.com/")),
    "pm": Program(
        BUN,
        commands={
            "ls": Program(BUN),
            "list": Program(BUN),
            "bin": Program(BUN),
            "hash": Program(BUN),
            "hash-string": Program(BUN),
            "hash-print": Program(BUN),
            "cache": Program(BUN, "text*", more=cached),
            "pkg": Program(BUN, "text*", more=described_by),
            "version": Program(BUN, "text*", more=versioning),
            "whoami": Program(BUN, more=REACHES),
            "untrusted": Program(BUN),
            "pack": Program(f"{BUN} --destination=into", more=both(packing, makes("*.tgz"))),
        },
        style="bare",
    ),
}
DENO = (
    " -h,--help -V,--version -q,--quiet -L,--log-level= --unstable -c,--config=read --no-config --no-lock --lock[=]"
    " --frozen[=] --cached-only --no-remote --no-npm --node-modules-dir[=] -r,--reload[=] --check[=] --no-check[=]"
    " --json --import-map=read --env-file[=]read --vendor[=] --watch[=] --unstable-kv --unstable-sloppy-imports"
)
DENO_ALLOWS = (
    f"{DENO} -A,--allow-all -R,--allow-read[=] -W,--allow-write[=] -N,--allow-net[=] -E,--allow-env[=]"
    " -S,--allow-sys[=] --allow-run[=] --allow-ffi[=] --allow-import[=] -I[=] --deny-read[=] --deny-write[=]"
    " --deny-net[=] --deny-env[=] --deny-run[=] --no-prompt -P[=] --seed= --v8-flags[=] --ext= --preload=script"
)


DENO_FILES = ("deno.json", "deno.jsonc", "import_map.json", PACKAGE)


def _deno_file(args: Args) -> Iterator[Fact]:
    if not args.operands:
        if not only_asks(args):
            yield args.effect("run", "deno code", "stdin")
    elif "://" in (args.operands[0].value or ""):
        yield from args.act("url", args.operands[0])
        yield args.effect("run", args.operands[0].text, "program")
        yield args.gap("what a downloaded program does is not known")
    else:
        yield from args.act("script", args.operands[0])


DENO_TABLE = {
    **dict.fromkeys(
        "run serve".split(), Program(f"{DENO_ALLOWS} --port= --host=", "text*", style="posix", more=_deno_file)
    ),
    "test": Program(
        f"{DENO_ALLOWS} --filter= --fail-fast[=] --coverage[=] --parallel --no-run --doc --reporter="
        " --junit-path=write --ignore= --permit-no-files",
        "tree*",
        more=runs(*DENO_FILES),
    ),
    "bench": Program(f"{DENO_ALLOWS} --filter= --no-run --ignore=", "tree*", more=runs(*DENO_FILES)),
    "task": Program(
        f"{DENO} --cwd=unknown --recursive --filter=",
        "text*",
        style="posix",
        more=lambda args: script_named(args, args.operands[0]) if args.operands else iter(()),
    ),
    "eval": Program(f"{DENO} -p,--print --ext=", "code text*", style="posix"),
    "check": Program(f"{DENO} --all --doc --doc-only", "tree*", more=reaches("https://jsr.io/", REGISTRY)),
    "lint": Program(
        f"{DENO} --fix --rules --rules-tags= --rules-include= --rules-exclude= --compact --ignore=",
        "tree*",
        ".",
        more=both(runs(*DENO_FILES), when("--fix", makes("./"))),
    ),
    "fmt": Program(
        f"{DENO} --check --ignore= --ext= --use-tabs --line-width= --indent-width= --single-quote --prose-wrap="
        " --no-semicolons",
        "tree*",
        ".",
        more=unless("--check", makes("./")),
    ),
    "info": Program(DENO, "text*", more=reaches("https://jsr.io/", REGISTRY)),
    "doc": Program(
        f"{DENO} --html --lint --private --filter= --output=into --name=",
        "text*",
        more=reaches("https://jsr.io/", REGISTRY),
    ),
    "types": Program(DENO),
    "completions": Program(DENO, "text*"),
    **dict.fromkeys(
        "install i add cache outdated update".split(),
        Program(
            f"{DENO_ALLOWS} -g,--global -D,--dev -n,--name= -f,--force --root=into --entrypoint,-e --npm --jsr"
            " --allow-scripts[=]",
            "text*",
            does=INSTALLS,
            more=both(reaches("https://jsr.io/", REGISTRY), makes("deno.json", "deno.lock", "node_modules/")),
        ),
    ),
    **dict.fromkeys(
        "remove rm uninstall".split(),
        Program(f"{DENO} -g,--global", "text*", does=REMOVES, more=makes("deno.json", "deno.lock")),
    ),
    "compile": Program(
        f"{DENO_ALLOWS} -o,--output=write --target= --include=tree --no-terminal",
        "read text*",
        style="posix",
        more=both(reaches("https://dl.deno.land/"), unless("-o", makes("./"))),
    ),
    "publish": Program(
        f"{DENO} --dry-run --allow-dirty --allow-slow-types --token=",
        does=PUBLISHES,
        more=both(packs_here, sends("https://jsr.io/")),
    ),
    "upgrade": Program(
        f"{DENO} --canary --version= --dry-run",
        "text?",
        does=changes("pkg.install", "deno"),
        more=reaches("https://dl.deno.land/"),
    ),
}

# --- versions of Node ----------------------------------------------------------------------------------------------


def _release(args: Args) -> Iterator[Fact]:
    """corepack fetches the version of npm that the project asks for, and starts it."""
    yield from args.project("the release of npm", (PACKAGE,))


NODE_INSTALL = Program(
    "--lts[=] --latest-npm --reinstall-packages-from= --default --no-progress -s -b --save --fetch -q,--quiet",
    "text*",
    does=changes("pkg.install", "Node"),
    more=reaches("https://nodejs.org/"),
)
USES = Program(
    "--silent --install --lts[=] -q,--quiet", "text*", does=changes("shell.environment", "the version of Node")
)
PREFERS = Program("--no-colors", "text*", does=changes("pkg.environment", "the version of Node", "~/.nvm/alias"))
SHIMS = changes("pkg.environment", "package managers", "/usr/local/bin/yarn", "/usr/local/bin/pnpm")
VERSIONS = Program("--no-colors --no-alias --lts[=] -c,--current -d,--default --format= -h,--help", "text*")

PROGRAMS = {
    "bun": Program(
        f"{BUN_RUNS} -v,--version --revision -e,--eval=code -p,--print=code",
        "text*",
        style="posix",
        more=choices(BUN_TABLE, _bun_runs),
    ),
    "bunx": Program(f"{BUN} --bun", "text*", style="posix", more=downloaded),
    "deno": Program(f"{DENO_ALLOWS}", "text*", style="posix", more=choices(DENO_TABLE, _deno_file)),
    "nvm": Program(
        "--version --help -v -h",
        commands={
            **dict.fromkeys("ls list current version which help alias-list version-remote-cached".split(), VERSIONS),
            **dict.fromkeys(
                "ls-remote list-remote version-remote".split(),
                Program("--lts[=] --no-colors", "text*", more=reaches("https://nodejs.org/")),
            ),
            **dict.fromkeys("install i".split(), NODE_INSTALL),
            "uninstall": Program("--lts[=]", "text", does=changes("pkg.remove", "Node")),
            **dict.fromkeys("use deactivate unload".split(), USES),
            **dict.fromkeys("alias unalias".split(), PREFERS),
        },
        style="bare",
    ),
    "volta": Program(
        "-v,--version -h,--help --quiet --verbose",
        commands={
            **dict.fromkeys("list ls help which completions".split(), VERSIONS),
            **dict.fromkeys("install fetch".split(), NODE_INSTALL),
            "pin": Program(
                "-q,--quiet",
                "text*",
                does=changes("pkg.install", "Node"),
                more=both(reaches("https://nodejs.org/"), makes(PACKAGE)),
            ),
            "uninstall": Program("-q,--quiet", "text*", does=changes("pkg.remove", "Node")),
            "setup": Program(
                "-q,--quiet", does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP)
            ),
        },
        style="bare",
    ),
    "corepack": Program(
        "-v,--version -h,--help",
        commands={
            **dict.fromkeys(
                "enable disable".split(),
                Program("--install-directory=into", "text*", does=SHIMS),
            ),
            **dict.fromkeys(
                "prepare install use up".split(),
                Program(
                    "--activate --all -g,--global -o,--output[=]",
                    "text*",
                    does=changes("pkg.install", "package managers"),
                    more=both(REACHES, makes(PACKAGE)),
                ),
            ),
            "cache": Program("", "text*", does=changes("pkg.cache", "the cache of corepack")),
            "npm": replace(NPM_PROGRAM, more=both(REACHES, _release), style="bare starts"),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "bun install": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | run bun install #project | write node_modules/** | write package.json | write bun.lock",
    "bun run build": "run bun run build #project",
    "bun a.ts": "read a.ts | run a.ts #script",
    "bun test": "run bun test #project",
    "bun -e 1": "run bun code #inline",
    "bun exec 'rm -rf src'": "run bun exec code #inline",
    "bun pm ls": "note bun pm ls",
    "bun build a.ts --outfile out.js": "write out.js | read a.ts | run bun build #project",
    "bunx cowsay": "reach https://registry.npmjs.org/ | run cowsay #program"
    " | gap bunx: what a downloaded program does is not known",
    "deno run -A a.ts": "read a.ts | run a.ts #script",
    "deno run https://x.example/a.ts": "reach https://x.example/a.ts | run https://x.example/a.ts #program"
    " | gap deno run: what a downloaded program does is not known",
    "deno fmt --check": "read ./**",
    "deno eval 1": "run deno eval code #inline",
    "deno task build": "run deno task build #project",
    "deno task --config b.json build": "read b.json | run deno task build #project",
    "deno task --recursive build": "run deno task build #program",
    "deno --version": "note deno",
    "deno": "run deno code #stdin",
    "nvm ls": "note nvm ls",
    "nvm install 20": "change Node #pkg.install | reach https://nodejs.org/",
    "nvm use 20": "change the version of Node #shell.environment",
    "volta list": "note volta list",
    "corepack npm ls": "reach https://registry.npmjs.org/ | run the release of npm #project | note corepack npm ls",
    "corepack npm --version": "reach https://registry.npmjs.org/ | run the release of npm #project",
    "corepack enable": "change package managers #pkg.environment | write /usr/local/bin/yarn | write"
    " /usr/local/bin/pnpm",
}
