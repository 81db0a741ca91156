"""Bundlers, frameworks, task runners and servers for JavaScript: they run what the project says."""

from __future__ import annotations

from assent.commands.config_files import SYSTEM_UNITS, kept
from assent.commands.javascript import BABEL_FILES, VITE_FILES
from assent.commands.javascript_scripts import own_copy
from assent.commands.program import Program, changes
from assent.commands.projects import (
    both,
    defined,
    each,
    makes,
    only_asks,
    packs,
    perhaps,
    reaches,
    runs,
    runs_in,
    unmarked,
)
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PACKAGE = "package.json"
ASKS = " -h,--help -v,--version"
CODE = "*.*[jt]s"
LISTENS = changes("net.listen", "a web server")

BUILDS = (
    f"{ASKS} -c,--config= -m,--mode= --watch -w --outDir=into --minify[=] --sourcemap[=] --base= -l,--logLevel="
    " --clearScreen --emptyOutDir --ssr[=] --manifest[=] -d,--debug[=] -f,--filter= --force --host[=] --port= -p="
    " --open[=] --strictPort --cors --profile --dest=into --prod --production --configuration= --no-lint --turbo"
    " --turbopack --hostname= -H= --env= --progress --stats[=] --json[=] --node-env="
    " --output-path,-o=into --silent -s --no-watch --analyze --debug-prerender --fix --code-coverage --browsers="
)
STYLES = (*each("postcss.config"), ".postcssrc.json", *each("tailwind.config"))
NEXT_FILES = (*each("next.config"), *BABEL_FILES, *STYLES, PACKAGE)
NUXT_FILES = (*each("nuxt.config"), ".nuxtrc", *STYLES, PACKAGE)
VUE_FILES = (*each("vue.config"), *BABEL_FILES, *STYLES, *each("jest.config"), PACKAGE)
ANGULAR_FILES = ("angular.json", "workspace.json", "**/project.json", "karma.conf.js", *STYLES, PACKAGE)
WEBPACK_FILES = (
    *(*each("webpack.config"), *each(".webpack/webpack.config"), *each(".webpack/webpackfile"), *BABEL_FILES),
    *(*STYLES, PACKAGE),
)


def _project(*files: str) -> Program:
    """Builds, serves or checks as code of the project says, and writes into it."""
    return Program(BUILDS, "text*", more=runs_in(*files, config="-c"))


def _server(*files: str) -> Program:
    return Program(BUILDS, "text*", does=LISTENS, more=runs_in(*files, config="-c"))


def _framework(files: tuple[str, ...], builds: str, serves: str, style: str = "") -> Program:
    return Program(
        ASKS,
        commands={**dict.fromkeys(builds.split(), _project(*files)), **dict.fromkeys(serves.split(), _server(*files))},
        style=style,
    )


ESBUILD = (
    "--bundle --outfile=write --outdir=into --minify --minify-syntax --minify-whitespace --minify-identifiers"
    " --sourcemap[=] --format= --platform= --target= --splitting --watch[=] --analyze[=] --metafile=write"
    " --tsconfig=read --log-level= --log-limit= --allow-overwrite --global-name= --packages= --keep-names"
    " --tree-shaking= --legal-comments= --jsx= --color= --charset= --public-path= --main-fields= --conditions="
    " --entry-names= --asset-names= --chunk-names= --banner:js= --footer:js= --drop:console --drop:debugger"
    " --define:process.env.NODE_ENV="
    " --version --help"
)


def _esbuild(args: Args) -> Iterator[Fact]:
    """Settings are on the command line only, and no plugins there; what it bundles is what the sources name."""
    if only_asks(args):
        return
    yield from args.file("read", Word(".", "."), deep=True, only=CODE)
    if args.has("--bundle") and args.operands:
        files = tuple(word.value or word.pattern for word in args.operands if word.value or word.pattern)
        yield from defined(args, "esbuild with all that its sources name", files)
    elif args.has("--bundle"):
        yield args.gap("takes in files that the source names", blind=True, reading=True)


def _updates(args: Args) -> Iterator[Fact]:
    """`ng update` fetches the newest command line and lets it and the packages change the project."""
    yield args.effect("change", "JavaScript packages", "pkg.install")
    yield from args.reach("https://registry.npmjs.org/")
    yield from args.file("write", Word(".", "."), deep=True)
    yield from args.project(args.name, ANGULAR_FILES)


def _turbo(args: Args) -> Iterator[Fact]:
    """Task runners of many packages: the words name scripts of theirs, in files that only the workspace names."""
    if only_asks(args):
        return
    shown = " ".join([args.name, *(word.text for word in args.operands[:2])])
    yield from unmarked(args, shown)
    first = args.operands[0].value if args.operands else None
    if first in ("publish", "version", "release"):
        yield args.effect("change", "JavaScript packages", "pkg.publish")
        yield from args.reach("https://registry.npmjs.org/", kind="send")
    elif first in (
        "login",
        "link",
        "logout",
        "unlink",
        "connect",
        "migrate",
        "add",
        "init",
        "import",
        "daemon",
        "reset",
    ):
        yield args.gap(f"{first} is not understood")
        if first in ("login", "logout", "link", "unlink"):
            yield from kept(args, "write", "~/.config/turborepo/config.json")


def _watches(args: Args) -> Iterator[Fact]:
    """`nodemon`: runs a file again and again."""
    if args.operands:
        yield from args.act("script", args.operands[0])
    elif not args.has("-x") and not only_asks(args):
        yield from defined(args, "nodemon", (PACKAGE, "nodemon.json"))


def _serves(args: Args) -> Iterator[Fact]:
    if only_asks(args):
        return
    yield args.effect("change", "a web server", "net.listen")
    for word in args.operands or [Word(".", ".")]:
        yield from packs(args, word)


def _unless_building(args: Args) -> Iterator[Fact]:
    if not only_asks(args) and not (args.operands and args.operands[0].value in ("build", "optimize")):
        yield args.effect("change", "a web server", "net.listen")


def _rollup(args: Args) -> Iterator[Fact]:
    """A word behind `-c` is the file of settings, and cannot be told from one that is bundled."""
    if only_asks(args):
        return
    for word in args.operands:
        yield from args.file("read", word)
    named = [word.value for word in args.operands if word.value]
    yield from defined(args, "rollup", (*each("rollup.config"), *BABEL_FILES, PACKAGE), "-c", named=named)


TURBO = Program(
    f"{ASKS} --filter,-F= --force[=] --no-cache --cache-dir=into --dry-run[=] --dry[=] --graph[=] --parallel"
    " --continue[=] --concurrency= --only --output-logs= --log-order= --summarize[=] --ui= --since= --scope="
    " --stream --no-bail -t,--target,--targets= -p,--projects= --all --skip-nx-cache --skipNxCache --base= --head="
    " --exclude= --configuration= -c= --nxBail --verbose --prod --watch",
    "text*",
    more=own_copy(_turbo),
    style="starts",
)


def _keeper(args: Args) -> Iterator[Fact]:
    """Looking starts the daemon of pm2 when there is none."""
    yield args.effect("note", args.name)
    yield perhaps(args.effect("change", "the daemon of pm2", "process.start"))


PM2_SHOWS = Program(
    "--json --no-color -m,--mini-list --sort= --nostream --lines= --raw --out --err --timestamp", "text*", more=_keeper
)
PM2_CHANGES = Program(
    "--update-env --watch -s,--silent -a,--all --force -f",
    "text*",
    does=changes("process.restart", "processes that pm2 keeps"),
)
PM2_KEEPS = changes("process.startup", "processes that pm2 keeps", "~/.pm2/dump.pm2")

NG_COMMANDS = _framework(
    ANGULAR_FILES, "build b test t lint e2e e extract-i18n generate g version v", "serve s dev"
).commands
NG = Program(
    ASKS,
    commands={
        **NG_COMMANDS,
        "update": Program("--force --next --allow-dirty --verbose", "text*", more=_updates, style="starts"),
    },
    style="starts",
)

PROGRAMS = {
    "vite": Program(BUILDS, "text*", more=both(runs_in(*VITE_FILES, *STYLES, config="-c"), _unless_building)),
    "webpack": Program(BUILDS, "text*", more=own_copy(runs_in(*WEBPACK_FILES, config="-c")), style="starts"),
    "rollup": Program(
        f"{ASKS} -c,--config[=] -i,--input=read -o,--file=write -d,--dir=into -f,--format= -n,--name="
        " -m,--sourcemap[=] -p,--plugin=run -e,--external= -g,--globals= -w,--watch --silent --environment="
        " --configPlugin=run --bundleConfigAsCjs --no-treeshake --compact --exports=",
        "text*",
        more=_rollup,
    ),
    "esbuild": Program(ESBUILD, "read*", more=_esbuild),
    "next": _framework(NEXT_FILES, "build lint info telemetry typegen", "dev start"),
    "nuxt": _framework(
        NUXT_FILES,
        "build generate prepare typecheck analyze info cleanup",
        "dev start preview",
    ),
    "nuxi": _framework(
        NUXT_FILES,
        "build generate prepare typecheck analyze info cleanup",
        "dev start preview",
    ),
    "astro": _framework((*each("astro.config"), *VITE_FILES, *STYLES), "build check sync info", "dev preview"),
    "ng": NG,
    "vue-cli-service": _framework(VUE_FILES, "build lint inspect test:unit test:e2e", "serve", "starts"),
    "react-scripts": _framework(
        (PACKAGE, *BABEL_FILES, "src/setupProxy.js", *each("src/setupTests")), "build test", "start"
    ),
    "turbo": TURBO,
    "nx": TURBO,
    "lerna": TURBO,
    "node-gyp": Program(
        f"{ASKS} --debug --release --verbose --silent --jobs,-j= --target= --arch= --directory,-C=unknown",
        "text*",
        more=both(runs("binding.gyp", "*.gyp", "**/*.gypi", PACKAGE), makes("build/"), reaches("https://nodejs.org/")),
    ),
    "nodemon": Program(
        f"{ASKS} -w,--watch= -e,--ext= -i,--ignore= -x,--exec=run -V,--verbose -q,--quiet --config=read -d,--delay="
        " -L,--legacy-watch --inspect[=] -C,--on-change-only -I,--no-stdin --signal= -r,--require=script",
        "text*",
        style="posix",
        more=_watches,
    ),
    "pm2": Program(
        f"{ASKS} -V -s,--silent --no-color -m,--mini-list",
        commands={
            **dict.fromkeys(
                "list ls ps l status jlist prettylist show describe info logs log id pid ping report".split(),
                PM2_SHOWS,
            ),
            **dict.fromkeys(
                "restart reload stop gracefulReload scale flush reset resurrect update".split(), PM2_CHANGES
            ),
            **dict.fromkeys("save dump cleardump".split(), replace(PM2_CHANGES, does=PM2_KEEPS)),
            **dict.fromkeys(
                "startup unstartup".split(),
                Program(
                    "-u= --hp= --service-name= -s,--silent", "text?", does=(*PM2_KEEPS, ("write", SYSTEM_UNITS, ""))
                ),
            ),
            "set": Program("", "text*", does=changes("process.settings", "settings of pm2", "~/.pm2/module_conf.json")),
            **dict.fromkeys(
                "delete del kill".split(),
                Program("-s,--silent -a,--all", "text*", does=changes("process.kill", "processes that pm2 keeps")),
            ),
            "start": Program(
                "-n,--name= -i,--instances= --watch --no-daemon --env= -f,--force --update-env --interpreter=run"
                " --log,-l=write -o,--output=write -e,--error=write --cwd=unknown --time --max-memory-restart="
                " --no-autorestart --cron= --only= -s,--silent",
                "script* ",
                does=changes("process.start", "processes that pm2 keeps"),
            ),
        },
        style="bare",
    ),
    "serve": Program(
        f"{ASKS} -l,--listen= -p= -s,--single -d,--debug -c,--config=read -L,--no-request-logging -C,--cors"
        " -n,--no-clipboard -u,--no-compression --no-etag -S,--symlinks --ssl-cert=read --ssl-key=read"
        " --ssl-pass=read --no-port-switching",
        "text*",
        more=_serves,
    ),
    "http-server": Program(
        "-h,--help -v,--version -p,--port= -a= -d -i -g,--gzip -b,--brotli -e,--ext[=] -s,--silent --cors[=] -o[=]"
        " -c= -U,--utc -S,--tls,--ssl -C,--cert=read -K,--key=read -r,--robots[=] --no-dotfiles --log-ip",
        "text*",
        more=_serves,
    ),
}

EXAMPLES = {
    "esbuild --bundle --define:process.env.NODE_ENV='\"production\"' --minify a.js": "read a.js"
    " | read ./**/*.*[jt]s | run esbuild with all that its sources name #project",
    "ng update": "change JavaScript packages #pkg.install | reach https://registry.npmjs.org/ | write ./**"
    " | run ng update #project",
    "webpack --mode production": "run webpack #project",
    "vite build": "run vite #project",
    "vite": "run vite #project | change a web server #net.listen",
    "rollup -c": "run rollup #project",
    "rollup -c a.mjs": "read a.mjs | run rollup #project",
    "rollup --config=a.mjs": "read a.mjs | run rollup #project",
    "esbuild --bundle --outfile=out.js a.js": "write out.js | read a.js | read ./**/*.*[jt]s"
    " | run esbuild with all that its sources name #project",
    "next build": "run next build #project",
    "next dev": "change a web server #net.listen | run next dev #project",
    "next": "run next #program | gap next: without a subcommand it does something of its own",
    "nuxt": "run nuxt #program | gap nuxt: without a subcommand it does something of its own",
    "ng --version": "run ng #program | gap ng: without a subcommand it does something of its own",
    "pm2": "note pm2",
    "nuxt build": "run nuxt build #project",
    "nuxi prepare": "run nuxi prepare #project",
    "astro build": "run astro build #project",
    "ng version": "run ng version #project",
    "ng serve": "change a web server #net.listen | run ng serve #project",
    "vue-cli-service lint": "run vue-cli-service lint #project",
    "react-scripts test": "run react-scripts test #project",
    "turbo run build": "run turbo run build #program",
    "nx affected --target test": "run nx affected #program",
    "lerna publish": "run lerna publish #program | change JavaScript packages #pkg.publish"
    " | send https://registry.npmjs.org/",
    "node-gyp rebuild": "run node-gyp #project | write build/** | reach https://nodejs.org/",
    "nodemon a.js": "read a.js | run a.js #script",
    "pm2 list": "note pm2 list | maybe change the daemon of pm2 #process.start",
    "pm2 delete all": "change processes that pm2 keeps #process.kill",
    "pm2 start a.js": "change processes that pm2 keeps #process.start | read a.js | run a.js #script",
    "serve docs": "change a web server #net.listen | read docs/**",
    "http-server": "change a web server #net.listen | read ./**",
}
