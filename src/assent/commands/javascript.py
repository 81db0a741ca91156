"""Tools for JavaScript and TypeScript: compilers, linters, formatters and test runners.

The settings of most of them are code, so they run what the project says.
"""

from __future__ import annotations

from assent.commands.interpreters import script
from assent.commands.javascript_scripts import own_copy
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, each, files_below, makes, only_asks, reaches, runs, runs_named
from assent.commands.said import if_said
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

# --- TypeScript ----------------------------------------------------------------------------------------------------

TSC = (
    " -h,--help -v,--version --all --pretty[=] -w,--watch --preserveWatchOutput -b,--build --init --showConfig"
    " --listFiles --listFilesOnly --listEmittedFiles --explainFiles --traceResolution --diagnostics"
    " --extendedDiagnostics -p,--project=read -t,--target= -m,--module= --moduleResolution= --lib= --jsx= --types="
    " --typeRoots= --allowJs --checkJs --noEmit --noEmitOnError --emitDeclarationOnly -d,--declaration"
    " --declarationMap --declarationDir=into --sourceMap --inlineSourceMap --inlineSources --removeComments"
    " --outDir=into --outFile=write --rootDir= --baseUrl= --strict --strictNullChecks --strictFunctionTypes"
    " --strictBindCallApply --strictPropertyInitialization --noImplicitAny --noImplicitThis --noImplicitReturns"
    " --noImplicitOverride --noUnusedLocals --noUnusedParameters --noFallthroughCasesInSwitch"
    " --noUncheckedIndexedAccess --exactOptionalPropertyTypes --useUnknownInCatchVariables --alwaysStrict"
    " --esModuleInterop --allowSyntheticDefaultImports --allowImportingTsExtensions --verbatimModuleSyntax"
    " --resolveJsonModule --isolatedModules --isolatedDeclarations --skipLibCheck --skipDefaultLibCheck"
    " --forceConsistentCasingInFileNames --experimentalDecorators --emitDecoratorMetadata --useDefineForClassFields"
    " --downlevelIteration --importHelpers --incremental -i --composite --tsBuildInfoFile=write --generateTrace=into"
    " --generateCpuProfile=write --force -f --dry --verbose --clean --noCheck --noResolve --noLib"
    " --maxNodeModuleJsDepth= --newLine= --customConditions= --erasableSyntaxOnly --allowUnreachableCode"
    " --ignoreConfig"
)


def _with_one_dash(options: str) -> str:
    """tsc takes `-noEmit` for `--noEmit`."""
    spelled = []
    for item in options.split():
        names, equals, role = item.partition("=")
        optional = "[" if names.endswith("[") else ""
        known = names.removesuffix("[").split(",")
        spelled.append(",".join([*known, *(name[1:] for name in known if name[:2] == "--")]) + optional + equals + role)
    return " ".join(spelled)


def _build_info(args: Args) -> Iterator[Fact]:
    """Even without output it notes what it has checked, if words or settings say that it builds step by step."""
    made = makes("tsconfig.tsbuildinfo")(args)
    settings = tuple(word.value for word in args.values("-p") if word.value)
    files = (*settings, *(f"{folder.rstrip('/')}/tsconfig.json" for folder in settings), "tsconfig.json")
    steps = args.has("--incremental", "-i", "--composite")
    yield from made if steps else if_said(args, made, files, "incremental", "composite", "extends")


@turns_off("--init --showConfig --listFilesOnly --noEmit --outDir --outFile --dry --clean")
def _tsc(args: Args) -> Iterator[Fact]:
    """`tsconfig.json` is data: it says what is read and, unless the words do, where the output goes."""
    if only_asks(args):
        return
    for word in args.operands:
        if word.value is None:
            yield args.gap(f"`{word.text}` may hold further options", blind=True)
        elif word.value in ("true", "false"):
            yield args.gap("a flag may be switched off")
    if args.has("--init"):
        yield from makes("tsconfig.json")(args)
        return
    yield from files_below(args, "read", CODE, ".")
    if args.has("--clean"):
        yield from args.file("delete", Word(".", "."), deep=True, only="*.*[jt]s*")
    elif args.has("--noEmit", "--showConfig", "--listFilesOnly", "--dry") and not args.has("-b"):
        yield from _build_info(args)
    elif not args.has("--outDir", "--outFile"):
        yield from args.file("write", Word(".", "."), deep=True, only="*.*[jt]s*")
        if not args.operands or args.has("-p", "-b"):
            yield args.gap("the settings say where it writes")


@turns_off("-e")
def _script(args: Args) -> Iterator[Fact]:
    if not args.has("-e") and not only_asks(args):
        yield from script(args, args.operands)


# --- linters and formatters ----------------------------------------------------------------------------------------

ESLINT_FILES = (
    *each("eslint.config"),
    "**/.eslintrc*",
    *each(".eslintrc", "js cjs json yaml yml"),
    ".eslintrc",
    PACKAGE,
)
PRETTIER_FILES = (
    *(".prettierrc", *each(".prettierrc", "js mjs cjs ts mts cts json json5 yaml yml toml"), "**/.prettierrc*"),
    *(*each("prettier.config"), "**/prettier.config.*", ".editorconfig", PACKAGE, "package.yaml"),
)
STYLELINT_FILES = (
    *(".stylelintrc", *each(".stylelintrc", "js mjs cjs json yaml yml"), "**/.stylelintrc*"),
    *(*each("stylelint.config"), "**/stylelint.config.*", PACKAGE),
)


def _looks_over(args: Args) -> Iterator[Fact]:
    """Reads its operands with everything below; when told to fix, it writes them too."""
    for word in args.operands:
        yield from args.act("tree", word)
    if args.has("--fix", "--write", "-w", "--apply", "--apply-unsafe", "--fix-suggestions", "--fix-dangerously"):
        for word in args.operands or [Word(".", ".")]:
            yield from args.act("into", word)


def _lints(args: Args) -> Iterator[Fact]:
    yield from files_below(args, "read", CODE, ".")
    if args.has("--fix", "--fix-suggestions", "--fix-dangerously"):
        yield from files_below(args, "write", CODE, ".")


ESLINT = Program(
    f"{ASKS} -c,--config= --no-config-lookup --no-eslintrc --env= --ext= --global= --parser=run --parser-options="
    " --resolve-plugins-relative-to=run --plugin=run --rule= --rulesdir=run --fix --fix-dry-run --fix-type="
    " --ignore-path=read --no-ignore --ignore-pattern= --stdin --stdin-filename= --quiet --max-warnings="
    " -o,--output-file=write -f,--format= --color --no-color --no-inline-config --report-unused-disable-directives"
    " --report-unused-disable-directives-severity= --cache --cache-location=into --cache-strategy="
    " --no-error-on-unmatched-pattern --exit-on-fatal-error --no-warn-ignored --pass-on-no-patterns --debug"
    " --print-config= --stats --flag= --concurrency= --suppress-all --prune-suppressions",
    "text*",
    more=both(_lints, runs(*ESLINT_FILES, config="-c")),
)
PRETTIER = Program(
    f"{ASKS} -c,--check -l,--list-different -w,--write --config= --no-config --config-precedence= --no-editorconfig"
    " --find-config-path= --ignore-path=read --plugin=run --with-node-modules --parser= --stdin-filepath="
    " --log-level,--loglevel= --cache --cache-location=into --cache-strategy= --no-error-on-unmatched-pattern"
    " --ignore-unknown,-u --color --no-color --print-width= --tab-width= --use-tabs --no-semi --single-quote"
    " --jsx-single-quote --quote-props= --trailing-comma= --no-bracket-spacing --bracket-same-line --arrow-parens="
    " --prose-wrap= --end-of-line= --html-whitespace-sensitivity= --experimental-ternaries --object-wrap="
    " --file-info= --support-info --insert-pragma --require-pragma --single-attribute-per-line",
    "text*",
    more=both(_looks_over, runs(*PRETTIER_FILES, config="--config")),
)
STYLELINT = Program(
    f"{ASKS} -c,--config= --config-basedir=list --fix[=] -f,--formatter= --custom-formatter=run --custom-syntax=run"
    " --cache --cache-location=into --ignore-path,-i=read --ignore-pattern,--ip= --allow-empty-input,--aei"
    " --max-warnings,--mw= -q,--quiet -o,--output-file=write --color --no-color --report-needless-disables,--rd",
    "text*",
    more=both(_looks_over, runs(*STYLELINT_FILES, config="-c")),
)
BIOME_FLAGS = (
    f"{ASKS} -V --colors= --verbose --config-path= --max-diagnostics= --skip-errors --error-on-warnings"
    " --no-errors-on-unmatched --reporter= --log-level= --diagnostic-level= --write --fix --unsafe --apply"
    " --apply-unsafe --staged --changed --since= --files-ignore-unknown= --only= --skip= --stdin-file-path="
    " --linter-enabled= --formatter-enabled= --indent-style= --indent-width= --line-width= --vcs-enabled="
)
BIOME_RUN = Program(
    BIOME_FLAGS,
    "text*",
    more=both(_looks_over, runs("biome.json", "biome.jsonc", "**/biome.json*", config="--config-path")),
)
BIOME = Program(
    f"{ASKS} -V",
    commands={
        **dict.fromkeys("check lint format ci".split(), BIOME_RUN),
        "version": Program(""),
        "rage": Program(BIOME_FLAGS),
        "explain": Program("", "text"),
        "init": Program("--jsonc", more=makes("biome.json")),
    },
    style="bare",
)
OXLINT = Program(
    f"{ASKS} -V -c,--config= --tsconfig=read -A,--allow= -W,--warn= -D,--deny= --fix --fix-suggestions"
    " --fix-dangerously --ignore-path=read --ignore-pattern= --no-ignore --quiet --deny-warnings --max-warnings="
    " -f,--format= --threads= --rules --print-config --disable-nested-config --type-aware --react-plugin"
    " --import-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --nextjs-plugin --promise-plugin --node-plugin",
    "text*",
    more=both(_lints, runs(".oxlintrc.json", "**/.oxlintrc.json", config="-c")),
)

# --- tests ---------------------------------------------------------------------------------------------------------

BABEL_FILES = (*each("babel.config", "js mjs cjs ts cts json"), *each(".babelrc", "js mjs cjs cts json"), ".babelrc")
VITE_FILES = (*each("vite.config"), "**/vite.config.*", *each("postcss.config"), ".postcssrc.json", PACKAGE)
JEST = Program(
    f"{ASKS} -c,--config= --rootDir=list -t,--testNamePattern= --testPathPattern,--testPathPatterns="
    " --testPathIgnorePatterns= --runTestsByPath -i,--runInBand -w,--maxWorkers= --maxConcurrency= --watch"
    " --watchAll[=] --no-watchAll --coverage,--collectCoverage[=] --no-coverage --collectCoverageFrom="
    " --coverageDirectory=into --coverageReporters= --coverageThreshold= -b,--bail[=] --ci --silent --verbose"
    " --no-verbose -u,--updateSnapshot -o,--onlyChanged -f,--onlyFailures --changedSince= --findRelatedTests"
    " --listTests --showConfig --passWithNoTests --forceExit --detectOpenHandles --logHeapUsage --no-cache --cache"
    " --clearCache --clearMocks --resetMocks --resetModules --testTimeout= --json --outputFile=write --colors"
    " --no-color --errorOnDeprecated --expand -e --shard= --selectProjects= --ignoreProjects= --randomize --seed="
    " --env= --reporters=run --setupFilesAfterEnv=script --useStderr --workerIdleMemoryLimit= --noStackTrace"
    " --openHandlesTimeout= --ci=",
    "text*",
    more=own_copy(
        runs(
            *(*each("jest.config", "js mjs cjs ts mts cts json"), "**/jest.config.*", *BABEL_FILES, ".swcrc", PACKAGE),
            config="-c",
            folder="--rootDir",
        )
    ),
    style="starts",
)
VITEST = Program(
    f"{ASKS} -c,--config= -r,--root=unknown --run -w,--watch --no-watch -u,--update -t,--testNamePattern= --dir=list"
    " --ui --silent[=] --reporter= --outputFile=write --coverage --coverage.enabled[=] --coverage.provider="
    " --coverage.reporter= --coverage.reportsDirectory=into --mode= --globals --environment= --passWithNoTests"
    " --logHeapUsage --allowOnly --dangerouslyIgnoreUnhandledErrors --shard= --changed[=] --sequence.shuffle"
    " --sequence.seed= --testTimeout= --hookTimeout= --bail= --retry= --exclude= --project= --pool="
    " --poolOptions.threads.singleThread --no-file-parallelism --maxWorkers= --minWorkers= --no-isolate --no-color"
    " --hideSkippedTests --typecheck --expandSnapshotDiff --disable-console-intercept --standalone --no-coverage"
    " --maxConcurrency= --threads --no-threads --browser[=] --clearScreen --no-clearScreen",
    "text*",
    more=runs(
        *(*each("vitest.config"), "**/vitest.config.*", *each("vitest.workspace", "js mjs cjs ts mts cts json")),
        *VITE_FILES,
        config="-c",
    ),
)
MOCHA = Program(
    f"{ASKS} -V --config= --no-config --package=read -r,--require=script -R,--reporter= -O,--reporter-option="
    " -t,--timeout= -s,--slow= -g,--grep= -f,--fgrep= -i,--invert -b,--bail --exit --recursive --watch -w"
    " --watch-files= --extension= --ignore= --spec= -p,--parallel -j,--jobs= --check-leaks --full-trace -c,--color"
    " --no-color --colors -u,--ui= --retries= --dry-run --forbid-only --forbid-pending --sort -S --file=script"
    " -A,--async-only --allow-uncaught --diff --no-diff --inline-diffs --list-files --pass-on-failing-test-suite"
    " --fail-zero",
    "text*",
    more=runs_named(*each(".mocharc", "js mjs cjs json jsonc yaml yml"), "test/mocha.opts", PACKAGE, config="--config"),
)
PLAYWRIGHT_TEST = Program(
    "-h,--help -c,--config= -g,--grep= --grep-invert= --project= --headed --debug --ui --workers,-j= --reporter="
    " --retries= --timeout= --global-timeout= --max-failures= -x --shard= --list --trace= --update-snapshots,-u[=]"
    " --forbid-only --fully-parallel --pass-with-no-tests --quiet --repeat-each= --output=into --last-failed"
    " --no-deps --only-changed[=] --ignore-snapshots --tsconfig=read",
    "text*",
    more=runs(*each("playwright.config"), PACKAGE, config="-c"),
)
CYPRESS_FLAGS = (
    f"{ASKS} -b,--browser= -c,--config= -C,--config-file= -e,--env= --headless --headed --spec,-s= --e2e --component"
    " --project,-P=unknown -p,--port= -q,--quiet -r,--reporter= -o,--reporter-options= --record --no-exit --tag,-t="
)
CYPRESS_FILES = (*each("cypress.config"), "cypress.json", "cypress/support/**/*.*s", "cypress/plugins/**/*.*s", PACKAGE)
CYPRESS_RUN = Program(CYPRESS_FLAGS, more=runs(*CYPRESS_FILES, config="-C"))

TSX = Program(
    "-h,--help -v,--version -e,--eval=code -p,--print=code --tsconfig=read --no-cache --env-file=script"
    " -r,--require=script --import=script --conditions= --no-warnings --test",
    "text*",
    style="posix",
    more=_script,
)

PROGRAMS = {
    "tsc": Program(_with_one_dash(TSC), "text*", style="single exact response", more=_tsc),
    "vue-tsc": Program(
        _with_one_dash(TSC), "text*", style="single exact response", more=both(_tsc, runs("tsconfig.json", PACKAGE))
    ),
    "tsx": TSX,
    "ts-node": Program(
        "-h,--help -v,--version -e,--eval=code -p,--print -r,--require=script -P,--project=read"
        " -T,--transpile-only,--transpileOnly --esm -F,--files --swc -O,--compilerOptions= -s,--script-mode"
        " --skipProject --cwd-mode",
        "text*",
        style="posix",
        more=_script,
    ),
    "swc": Program(
        f"{ASKS} -V -d,--out-dir=into -o,--out-file=write --config-file=read -C,--config= -s,--source-maps[=]"
        " -w,--watch -q,--quiet --strip-leading-paths --copy-files,-D --ignore= --only= --extensions=",
        "tree*",
        more=runs(".swcrc", PACKAGE, config="--config-file"),
    ),
    "eslint": ESLINT,
    "prettier": PRETTIER,
    "stylelint": STYLELINT,
    "biome": BIOME,
    "oxlint": OXLINT,
    "jest": JEST,
    "vitest": VITEST,
    "mocha": MOCHA,
    "playwright": Program(
        "-h,--help -V,--version",
        commands={
            "test": PLAYWRIGHT_TEST,
            "install": Program(
                "--with-deps --force --dry-run --list --only-shell --no-shell",
                "text*",
                does=changes("pkg.install", "browsers"),
                more=reaches("https://cdn.playwright.dev/"),
            ),
            "show-report": Program("--host= --port=", "tree?", "playwright-report", does=LISTENS),
        },
        style="bare",
    ),
    "cypress": Program(
        ASKS,
        commands={
            "run": CYPRESS_RUN,
            "open": CYPRESS_RUN,
            "version": Program("--component="),
            "info": Program(""),
            "verify": Program(""),
            "install": Program(
                "-f,--force", does=changes("pkg.install", "cypress"), more=reaches("https://download.cypress.io/")
            ),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "tsc --noEmit": "read ./**/*.*[jt]s | maybe write tsconfig.tsbuildinfo #settings",
    "tsc -p tsconfig.json --noEmit": "read tsconfig.json | read ./**/*.*[jt]s"
    " | maybe write tsconfig.tsbuildinfo #settings",
    "tsc --noEmit false": "read false | read false/**/*.*[jt]s | maybe write tsconfig.tsbuildinfo #settings"
    " | gap tsc: a flag may be switched off",
    "tsc": "read ./**/*.*[jt]s | write ./**/*.*[jt]s* | gap tsc: the settings say where it writes",
    "tsc --outDir out a.ts": "write out/** | read a.ts",
    "tsc --outFile a.js a.ts": "write a.js | read a.ts",
    "tsc @opts": "read opts | read @opts | read @opts/**/*.*[jt]s | write ./**/*.*[jt]s*"
    " | blind tsc: @opts holds more of its words",
    "tsc --init": "write tsconfig.json",
    "tsc -noEmit -tsBuildInfoFile out a.ts": "write out | read a.ts | maybe write tsconfig.tsbuildinfo #settings",
    "tsc -b": "read ./**/*.*[jt]s | write ./**/*.*[jt]s* | gap tsc: the settings say where it writes",
    "tsc --version": "note tsc",
    "vue-tsc --noEmit": "read ./**/*.*[jt]s | maybe write tsconfig.tsbuildinfo #settings | run vue-tsc #project",
    "tsx a.ts": "read a.ts | run a.ts #script",
    "ts-node -e 1": "run ts-node code #inline",
    "swc src -d out": "write out/** | read src/** | run swc #project",
    "eslint .": "read ./**/*.*[jt]s | run eslint #project",
    "eslint --fix src": "read src | read src/**/*.*[jt]s | write src | write src/**/*.*[jt]s | run eslint #project",
    "eslint -o a --plugin evil src": "write a | run evil #program | read src | read src/**/*.*[jt]s"
    " | run eslint #project",
    "prettier --check .": "read ./** | run prettier #project",
    "prettier --write src": "read src/** | write src/** | run prettier #project",
    "stylelint a.css": "read a.css/** | run stylelint #project",
    "biome check --write src": "read src/** | write src/** | run biome check #project",
    "biome --version": "note biome",
    "oxlint src": "read src | read src/**/*.*[jt]s | run oxlint #project",
    "jest": "run jest #project",
    "jest --version": "maybe run jest #project | note jest",
    "jest --coverage src/a.test.js": "run jest #project",
    "jest --rootDir src -c a.json": "list src | read a.json | run jest #project",
    "vitest run": "run vitest #project",
    "mocha tests": "read tests/** | run mocha #project",
    "mocha --config a.json": "read a.json | run mocha #project",
    "playwright test": "run playwright test #project",
    "playwright install": "change browsers #pkg.install | reach https://cdn.playwright.dev/",
    "cypress run": "run cypress run #project",
}
