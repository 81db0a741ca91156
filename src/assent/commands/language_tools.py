"""Package managers, test runners and build tools of other languages: .NET, Ruby, PHP, Elixir, Erlang, Haskell, OCaml,
Dart and Xcode."""

from __future__ import annotations

from assent.commands.config_files import SHELL_STARTUP, kept
from assent.commands.nested import Shortened
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import (
    both,
    changes_database,
    code_given,
    defined,
    files_below,
    makes,
    packs_here,
    perhaps,
    reaches,
    runs,
    runs_named,
    runs_target,
    runs_words,
    sends,
    unmarked,
    wraps,
)
from assent.commands.said import if_said, is_only
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact

ASKS = " -h,--help -v,--version"
INSTALLS = changes("pkg.install", "packages")
REMOVES = changes("pkg.remove", "packages")
PUBLISHES = changes("pkg.publish", "a package")
PUB = "https://pub.dev/"

# --- .NET ----------------------------------------------------------------------------------------------------------

NUGET = "https://api.nuget.org/"
DOTNET_FILES = (
    *("Directory.Build.props", "Directory.Build.targets", "Directory.Build.rsp", "Directory.Packages.props"),
    *("global.json", "nuget.config", "NuGet.Config", ".config/dotnet-tools.json", "**/*.sln", "**/*.slnx"),
    *("**/*.csproj", "**/*.fsproj", "**/*.vbproj", "**/*.proj", "**/*.props", "**/*.targets"),
)
DOTNET = (
    " -h,--help -v,--verbosity= -c,--configuration= -f,--framework= -r,--runtime= -o,--output=into --no-restore"
    " --no-build --no-incremental --nologo --self-contained[=] --os= -a,--arch= --force --interactive"
    " --no-dependencies -t,--list-tests --filter= -l,--logger= --collect= --results-directory=into --blame"
    " -d,--diag=write --verify-no-changes --include= --exclude= --severity= --project=list --no-http-cache"
    " --ignore-failed-sources -s,--source=url --tl[=] --outdated --vulnerable --deprecated --include-transitive"
    " --format="
)
DOTNET_RUNS = Program(DOTNET, "text*", more=runs_named(*DOTNET_FILES))
DOTNET_FETCHES = Program(
    f"{DOTNET} --version= --prerelease -g,--global --tool-path=into --local",
    "text*",
    does=INSTALLS,
    more=both(reaches(NUGET), runs(*DOTNET_FILES)),
)


DOTNET_PROGRAM = Program(
    "-h,--help --version --info --list-sdks --list-runtimes -d,--diagnostics",
    commands={
        **dict.fromkeys("build run restore clean msbuild format watch vstest pack".split(), DOTNET_RUNS),
        "test": Program(
            DOTNET.replace("-s,--source=url", "-s,--settings=read"), "text*", more=runs_named(*DOTNET_FILES)
        ),
        "publish": DOTNET_RUNS,
        **dict.fromkeys("add remove package tool workload".split(), DOTNET_FETCHES),
        "list": Program(f"{DOTNET}", "text*", more=both(runs(*DOTNET_FILES), reaches(NUGET))),
        **dict.fromkeys(
            "new sln solution".split(),
            Program(f"{DOTNET} -n,--name= --list -lang,--language= --dry-run", "text*", more=runs(*DOTNET_FILES)),
        ),
        "nuget": Program(
            "-h,--help",
            commands={
                "push": Program(
                    "-s,--source= -k,--api-key= --skip-duplicate", "read*", does=PUBLISHES, more=sends(NUGET)
                ),
                "delete": Program(
                    "-s,--source= -k,--api-key= --non-interactive",
                    "text*",
                    does=changes("pkg.publish", "a package"),
                    more=sends(NUGET),
                ),
                "locals": Program("-l,--list", "text"),
                **dict.fromkeys(
                    "add update remove enable disable".split(),
                    Program(
                        "-n,--name= -u,--username= -p,--password= --store-password-in-clear-text -s,--source="
                        " --valid-authentication-types= --configfile=write",
                        "text*",
                        does=changes("pkg.settings", "where packages come from", "~/.nuget/NuGet/NuGet.Config"),
                    ),
                ),
            },
            style="bare",
        ),
        "help": Program("", "text*"),
    },
    style="bare",
)
MSBUILD = Program(operands="text*", style="plain", more=runs_words(*DOTNET_FILES))

# --- Ruby ----------------------------------------------------------------------------------------------------------

RUBYGEMS = "https://rubygems.org/"
GEM = (
    " -h,--help -v,--version= -V,--verbose -q,--quiet --silent --config-file=unknown --backtrace --debug -l,--local"
    " -r,--remote -b,--both"
    " -B= --prerelease -a,--all -d,--details --versions -i,--install-dir=into -n,--bindir=into --user-install"
    " --no-user-install -N,--no-document --document= -f,--force   -x,--executables"
    " -I,--ignore-dependencies --source,-s=url --conservative --norc"
)


def _gem_shows(args: Args) -> Iterator[Fact]:
    """Looks at what is installed unless it is told to ask the server; a package can also be a file."""
    if args.has("-r", "-b", "-B"):
        yield from args.reach(RUBYGEMS)
    for word in args.operands:
        if word.value is not None and ("/" in word.value or word.value.endswith((".gem", ".gemspec"))):
            yield from args.file("read", word)


def _gem_sources(args: Args) -> Iterator[Fact]:
    """Without an option that changes them it lists where gems come from."""
    if args.has("--add", "-a", "--append", "--prepend", "--remove", "-r", "-c"):
        yield args.effect("change", "where gems come from", "pkg.settings")
        yield from kept(args, "write", "~/.gemrc")


GEM_LOGIN = changes("pkg.login", "who is known to the registry", "~/.gem/credentials")
GEM_PROGRAM = Program(
    ASKS,
    commands=Shortened(
        {
            **dict.fromkeys(
                "list environment env contents dependency which help specification stale".split(),
                Program(GEM, "text*", more=_gem_shows),
            ),
            **dict.fromkeys("search query outdated info fetch".split(), Program(GEM, "text*", more=reaches(RUBYGEMS))),
            **dict.fromkeys(
                "install i update".split(),
                Program(
                    GEM,
                    "text*",
                    does=INSTALLS,
                    more=reaches(RUBYGEMS),
                ),
            ),
            **dict.fromkeys("uninstall cleanup".split(), Program(GEM, "text*", does=REMOVES)),
            **dict.fromkeys("push yank owner".split(), Program(GEM, "text*", does=PUBLISHES, more=sends(RUBYGEMS))),
            **dict.fromkeys("signin signout".split(), Program(GEM, "text*", does=GEM_LOGIN, more=sends(RUBYGEMS))),
            "sources": Program(
                f"{GEM} --add= --append= --prepend= --remove= -c,--clear-all -u,--update", "text*", more=_gem_sources
            ),
            "build": Program(
                f"{GEM} -o,--output=write --strict -C=unknown", "script", more=both(packs_here, makes("*.gem"))
            ),
        }
    ),
    style="bare",
)
GEMFILES = ("Gemfile", "Gemfile.lock", ".bundle/config")
BUNDLE = (
    f"{ASKS} --verbose -V --no-color --gemfile=unknown -j,--jobs= --retry= --path= --without= --with= --deployment"
    " --frozen --local --quiet --force --full-index --prefer-local --redownload --all --conservative --major --minor"
    " --patch --strict -g,--group= --source= --parseable --only-explicit --paths --skip-install --git= --branch="
    " --require="
)
BUNDLE_INSTALLS = Program(
    BUNDLE, "text*", does=INSTALLS, more=both(runs(*GEMFILES), reaches(RUBYGEMS), makes("Gemfile.lock"))
)


def _bundle_settings(args: Args) -> Iterator[Fact]:
    """Where gems come from and go to, and passwords for that."""
    yield args.effect("change", "settings of bundler", "pkg.settings")
    local = args.has("--local") or any(word.value == "--local" for word in args.operands)
    yield from args.file("write", BUNDLE_CONFIG) if local else kept(args, "write", "~/.bundle/config")


BUNDLE_CONFIG = Word(".bundle/config", ".bundle/config")
BUNDLE_PROGRAM = Program(
    BUNDLE,
    commands={
        **dict.fromkeys("install update add lock cache package".split(), BUNDLE_INSTALLS),
        **dict.fromkeys(
            "remove clean".split(),
            Program(BUNDLE, "text*", does=REMOVES, more=both(runs(*GEMFILES), makes("Gemfile", "Gemfile.lock"))),
        ),
        **dict.fromkeys(
            "list show info check outdated licenses platform viz env doctor".split(),
            Program(BUNDLE, "text*", more=runs(*GEMFILES)),
        ),
        "exec": Program("--keep-file-descriptors --gemfile=unknown", "text*", style="posix", more=wraps(*GEMFILES)),
        "init": Program(BUNDLE, more=makes("Gemfile")),
        "version": Program(BUNDLE),
        "help": Program(BUNDLE, "text*"),
        "config": Program(f"{BUNDLE} --global --local", "text*", more=_bundle_settings),
    },
)


RSPEC_OPTIONS = (".rspec", ".rspec-local")


@turns_off("-h -v")
def _rspec(args: Args) -> Iterator[Fact]:
    """Its files of options are templates that run Ruby, whatever else it is asked."""
    if is_only(args, "-h", "-v"):
        yield from if_said(args, args.project(args.name, ()), RSPEC_OPTIONS, "<%")
        return
    yield from runs_named(*RSPEC_OPTIONS, "**/spec_helper.rb", "**/rails_helper.rb", "Gemfile")(args)


RSPEC = Program(
    f"{ASKS} -f,--format= -o,--out=write -c,--color,--colour --force-color --no-color -b,--backtrace -w,--warnings"
    " -p,--profile[=] --dry-run -e,--example= -E,--example-matches= -t,--tag= -P,--pattern= --exclude-pattern="
    " --fail-fast[=] --no-fail-fast --order= --seed= --only-failures -n,--next-failure -r,--require=run -I=list"
    " --bisect[=] --no-profile --failure-exit-code=",
    "text*",
    more=_rspec,
    style="starts",
)


@turns_off("-h -v")
def _rubocop(args: Args) -> Iterator[Fact]:
    """The words of `.rubocop` stand in front of those it is given, and may name files to run."""
    if is_only(args, "-h", "-v"):
        yield from map(perhaps, args.project("rubocop", (".rubocop", ".config/.rubocop")))
        return
    fixes = args.has("-a", "-A", "-x")
    yield from files_below(args, "read", "*.rb", ".")
    if fixes:
        yield from files_below(args, "write", "*.rb", ".")
    files = (".rubocop.yml", "**/.rubocop.yml", ".rubocop_todo.yml", ".rubocop", ".config/.rubocop", "Gemfile")
    yield from defined(args, "rubocop", files, "-c")


RUBOCOP = Program(
    "-h,--help -v,--version -V,--verbose-version -a,--autocorrect,--safe-auto-correct --auto-correct"
    " -A,--autocorrect-all,--auto-correct-all -x,--fix-layout -l,--lint -c,--config= -f,--format= -o,--out=write"
    " --only= --except= --only-guide-cops -F,--fail-fast -C,--cache= -D,--display-cop-names --no-display-cop-names"
    " -S,--display-style-guide -E,--extra-details -L,--list-target-files -P,--parallel --no-parallel --fail-level="
    " --display-only-fail-level-offenses --force-exclusion -s,--stdin= --color --no-color -d,--debug"
    " --auto-gen-config -r,--require=run --show-cops[=] --server --no-server",
    "text*",
    more=_rubocop,
    style="starts",
)


RAILS = Program(
    operands="text*",
    style="plain",
    more=both(
        runs_words("bin/rails", "config/application.rb", "Rakefile", "**/*.rake", "Gemfile"),
        changes_database,
        lambda args: code_given(args, "rails", args.operands),
    ),
)
"""Every start, even `rails --version`, goes through `bin/rails` of the project."""

# --- PHP -----------------------------------------------------------------------------------------------------------

PACKAGIST = "https://repo.packagist.org/"
COMPOSER_INSTALLS = frozenset(
    "install i update u upgrade require r remove rm uninstall reinstall create-project global self-update bump".split()
)


def _composer(args: Args) -> Iterator[Fact]:
    """Plugins in `vendor` are loaded by every command, even `--version`."""
    moved = any((word.value or "-d").startswith(("-d", "--working-dir")) for word in args.operands)
    files = ("composer.json", "composer.lock", "vendor/composer/installed.json")
    yield from unmarked(args, args.name) if moved else runs_words(*files)(args)
    names = [word.value for word in args.operands if word.value and not word.value.startswith("-")]
    first = names[0] if names else ""
    if first in COMPOSER_INSTALLS:
        yield args.effect("change", "PHP packages", "pkg.install")
        yield from args.reach(PACKAGIST)
        yield from makes("vendor/", "composer.json", "composer.lock")(args)
    elif first in ("exec", "config", "archive", "init", "run-script", "run"):
        yield args.gap(f"{first} is not understood")
        if first == "config":
            shared = any(word.value in ("-g", "--global") for word in args.operands)
            folder = "~/.config/composer/" if shared else ""
            yield from kept(args, "write", f"{folder}{'config' if shared else 'composer'}.json", f"{folder}auth.json")
    elif first in ("show", "outdated", "audit", "search", "browse", "diagnose"):
        yield from args.reach(PACKAGIST)


PHPUNIT = Program(
    "-h,--help --version -c,--configuration= --no-configuration --bootstrap=script --testsuite= --exclude-testsuite="
    " --group= --exclude-group= --filter= --exclude-filter= --list-tests --list-suites --list-groups --stop-on-error"
    " --stop-on-failure --stop-on-defect --fail-on-warning --colors[=] -v,--verbose --debug --testdox --no-progress"
    " --no-output --no-coverage --coverage-text[=] --coverage-html=into --coverage-clover=write --log-junit=write"
    " --order-by= --random-order-seed= --display-deprecations --display-warnings --display-errors --display-notices"
    " --cache-directory=into",
    "text*",
    more=runs_named("phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist", "tests/bootstrap.php", config="-c"),
)

# --- the BEAM, Haskell, OCaml --------------------------------------------------------------------------------------

HEX = "https://hex.pm/"
ABOUT_ITSELF = ("--version", "-v", "-V", "--help", "-h", "help", "version")
NOWHERE: Mapping[str, tuple[str, ...]] = {}


def _task_runner(
    files: tuple[str, ...], fetches: str, publishes: str, url: str, written: Mapping[str, tuple[str, ...]] = NOWHERE
) -> Program:
    """Every word runs code of the project; some also fetch packages, give them away, or write files at home."""

    def more(args: Args) -> Iterator[Fact]:
        if len(args.operands) == 1 and args.operands[0].value in ABOUT_ITSELF:
            return
        yield from runs_words(*files)(args)
        yield from code_given(args, args.name, args.operands)
        first = args.operands[0].value if args.operands else ""
        if first in fetches.split():
            yield args.effect("change", "packages", "pkg.install")
            yield from args.reach(url)
        if first in ("ecto.drop", "ecto.reset"):
            yield args.effect("change", "the database", "db.drop")
        if first in publishes.split():
            yield args.effect("change", "a package", "pkg.publish")
            yield from args.reach(url, kind="send")
        for word, paths in written.items():
            if (first or word).startswith(word):
                yield args.effect("change", f"settings of {args.name}", "pkg.settings")
                yield from kept(args, "write", *paths)

    return Program(operands="text*", style="plain", more=more)


# --- Dart ----------------------------------------------------------------------------------------------------------

PUBSPEC = ("pubspec.yaml", "analysis_options.yaml", "build.yaml", "dart_test.yaml", "**/pubspec.yaml")
DART_FLAGS = (
    " -h,--help -v,--verbose --fatal-infos --fatal-warnings --no-fatal-infos --format= -o,--output="
    " --set-exit-if-changed --show= -l,--line-length= --apply -n,--dry-run --coverage[=] -r,--reporter= --name="
    " --plain-name= -t,--tags= -x,--exclude-tags= -j,--concurrency= --release --debug --profile -d,--device-id="
    " --no-pub --pub --target= --flavor= --dart-define= --offline --major-versions --machine"
)


def _dart_formats(args: Args) -> Iterator[Fact]:
    yield from files_below(args, "read", "*.dart", "")
    if args.text("-o") not in ("none", "show", "json"):
        yield from files_below(args, "write", "*.dart", "")


PUB_COMMANDS = {
    **dict.fromkeys(
        "get add upgrade downgrade remove global cache".split(),
        Program(
            DART_FLAGS,
            "text*",
            does=INSTALLS,
            more=both(reaches(PUB), makes("pubspec.yaml", "pubspec.lock", ".dart_tool/")),
        ),
    ),
    **dict.fromkeys("outdated deps".split(), Program(f"{DART_FLAGS} --json -s,--style=", "text*", more=reaches(PUB))),
    "publish": Program(f"{DART_FLAGS} -f,--force", "text*", does=PUBLISHES, more=sends(PUB)),
    **dict.fromkeys(
        "login logout token".split(),
        Program(
            DART_FLAGS,
            "text*",
            does=changes("pkg.login", "who is known to the registry", "~/.config/dart/pub-tokens.json"),
            more=sends(PUB),
        ),
    ),
    "run": Program(DART_FLAGS, "text*", style="posix", more=runs_target(*PUBSPEC)),
}
DART_PUB = Program(DART_FLAGS, commands=PUB_COMMANDS, style="bare")
DART_RUNS = Program(DART_FLAGS, "text*", more=runs_named(*PUBSPEC))
DART_CREATES = Program(f"{DART_FLAGS} --template= --org= --platforms= --force --no-pub -t=", "into")

PROGRAMS = {
    "dotnet": DOTNET_PROGRAM,
    "msbuild": MSBUILD,
    "gem": GEM_PROGRAM,
    "bundle": BUNDLE_PROGRAM,
    "bundler": BUNDLE_PROGRAM,
    "rspec": RSPEC,
    "rubocop": RUBOCOP,
    "rails": RAILS,
    "composer": Program(operands="text*", style="plain", more=_composer),
    "phpunit": PHPUNIT,
    "mix": _task_runner(
        ("mix.exs", "mix.lock", "**/mix.exs", "config/*.exs", "**/test_helper.exs", ".formatter.exs", ".credo.exs"),
        "deps.get deps.update local.hex local.rebar archive.install",
        "hex.publish hex.retire",
        HEX,
        {"local.": ("~/.mix",), "archive.": ("~/.mix",), "escript.": ("~/.mix",), "hex.user": ("~/.hex/hex.config",)},
    ),
    "rebar3": _task_runner(
        ("rebar.config", "rebar.config.script", "rebar.lock", "**/rebar.config"),
        "get-deps upgrade update deps",
        "hex",
        HEX,
    ),
    "stack": _task_runner(
        ("stack.yaml", "stack.yaml.lock", "**/package.yaml", "**/*.cabal", "**/Setup.hs"),
        "build test install setup update upgrade",
        "upload",
        "https://hackage.haskell.org/",
        {"config": ("~/.stack/config.yaml", "stack.yaml")},
    ),
    "cabal": _task_runner(
        ("cabal.project", "cabal.project.local", "**/*.cabal", "**/Setup.hs"),
        "build test install update fetch get run",
        "upload",
        "https://hackage.haskell.org/",
        {"user-config": ("~/.cabal/config",), "configure": ("cabal.project.local",)},
    ),
    "opam": _task_runner(
        ("opam",),
        "install update upgrade reinstall pin switch init",
        "publish",
        "https://opam.ocaml.org/",
        {
            "init": ("~/.opam/config", *SHELL_STARTUP),
            "switch": ("~/.opam/config",),
            "option": ("~/.opam/config",),
            "repo": ("~/.opam/config",),
            "setenv": ("~/.opam/config",),
        },
    ),
    "dune": _task_runner(
        ("dune-project", "dune-workspace", "**/dune", "**/dune-project", "**/dune.inc"),
        "pkg",
        "",
        "https://opam.ocaml.org/",
    ),
    "xcodebuild": _task_runner(
        ("**/project.pbxproj", "**/*.xcscheme", "**/*.xcconfig", "Package.swift"),
        "",
        "",
        "https://developer.apple.com/",
    ),
    "dart": Program(
        "-h,--help --version",
        commands={
            "analyze": DART_RUNS,
            "test": DART_RUNS,
            "fix": DART_RUNS,
            "compile": DART_RUNS,
            "doc": DART_RUNS,
            "run": Program(DART_FLAGS, "text*", style="posix", more=runs_named(*PUBSPEC)),
            "format": Program(DART_FLAGS, "text*", more=_dart_formats),
            "create": DART_CREATES,
            "info": Program(DART_FLAGS),
            "pub": DART_PUB,
        },
        style="bare",
    ),
    "flutter": Program(
        "-h,--help --version -v,--verbose -d,--device-id=",
        commands={
            **dict.fromkeys("analyze test run build drive assemble gen-l10n clean".split(), DART_RUNS),
            "doctor": Program(DART_FLAGS, more=reaches(PUB)),
            "devices": Program(DART_FLAGS),
            "create": DART_CREATES,
            "pub": DART_PUB,
            "upgrade": Program(DART_FLAGS, does=INSTALLS, more=reaches("https://storage.googleapis.com/")),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "gem list -r rails": "reach https://rubygems.org/",
    "gem dependency -B 5 a": "reach https://rubygems.org/",
    "gem specification ./a.gem": "read ./a.gem",
    "gem list --config-file ./x": "note gem list | maybe read ./x | gap gem list: `./x` is not understood",
    "rspec --version": "maybe run rspec #project | note rspec",
    "rubocop -v": "maybe run rubocop #project | note rubocop",
    "rubocop --version": "maybe run rubocop #project | note rubocop",
    "bundle": "run bundle #program | gap bundle: without a subcommand it does something of its own",
    "bundle --force": "run bundle #program | gap bundle: without a subcommand it does something of its own",
    "bundle exec rm x": "run bundle exec #project | run rm x #program | delete x",
    "dotnet --version": "note dotnet | maybe run the SDK that global.json names #settings",
    "dotnet build": "run dotnet build #project",
    "dotnet test --filter X": "run dotnet test #project",
    "dotnet test -s my.runsettings": "read my.runsettings | run dotnet test #project",
    "dotnet restore --no-http-cache": "run dotnet restore #project",
    "dotnet publish --output out a.csproj": "write out/** | read a.csproj | run dotnet publish #project",
    "dotnet nuget push a.nupkg": "change a package #pkg.publish | read a.nupkg | send https://api.nuget.org/",
    "dotnet a.dll": "run dotnet a.dll #program | gap dotnet: subcommand a.dll is not known",
    "msbuild a.sln /target:x": "run msbuild a.sln /target:x #project",
    "gem list": "note gem list",
    "gem install rails": "change packages #pkg.install | reach https://rubygems.org/",
    "gem install rails -v 7.0": "change packages #pkg.install | reach https://rubygems.org/",
    "gem push a.gem": "change a package #pkg.publish | send https://rubygems.org/",
    "bundle install": "change packages #pkg.install | run bundle install #project | reach https://rubygems.org/"
    " | write Gemfile.lock",
    "bundle exec rspec": "run bundle exec #project | run rspec #program | run rspec #project",
    "bundle exec rm -rf src": "run bundle exec #project | run rm -rf src #program | delete src/**",
    "bundle list": "run bundle list #project",
    "bundle --version": "note bundle",
    "bundler --version": "note bundler",
    "rspec spec/a_spec.rb": "read spec/a_spec.rb | run rspec #project",
    "rubocop": "read ./**/*.rb | run rubocop #project",
    "rubocop -A src": "read src | read src/**/*.rb | write src | write src/**/*.rb | run rubocop #project",
    "rails db:drop": "run rails db:drop #project | change the database #db.drop",
    "rails routes": "run rails routes #project",
    "rails runner 'puts 1'": "run rails runner 'puts 1' #project | run ruby in rails code #inline",
    "mix run -e 'IO.puts 1'": "run mix run -e 'IO.puts 1' #project | run elixir in mix code #inline",
    "rails --version": "run rails --version #project",
    "composer install": "run composer install #project | change PHP packages #pkg.install"
    " | reach https://repo.packagist.org/ | write vendor/** | write composer.json | write composer.lock",
    "composer --version": "run composer --version #project",
    "composer audit": "run composer audit #project | reach https://repo.packagist.org/",
    "phpunit tests": "read tests/** | run phpunit #project",
    "mix test": "run mix test #project",
    "mix deps.get": "run mix deps.get #project | change packages #pkg.install | reach https://hex.pm/",
    "mix hex.publish": "run mix hex.publish #project | change a package #pkg.publish | send https://hex.pm/",
    "mix ecto.drop": "run mix ecto.drop #project | change the database #db.drop",
    "mix --version": "note mix",
    "rebar3 compile": "run rebar3 compile #project",
    "stack build": "run stack build #project | change packages #pkg.install | reach https://hackage.haskell.org/",
    "cabal test": "run cabal test #project | change packages #pkg.install | reach https://hackage.haskell.org/",
    "opam install x": "run opam install x #project | change packages #pkg.install | reach https://opam.ocaml.org/",
    "dune build": "run dune build #project",
    "xcodebuild -list": "run xcodebuild -list #project",
    "dart analyze": "run dart analyze #project",
    "dart format src": "read src | read src/**/*.dart | write src | write src/**/*.dart",
    "dart pub get": "change packages #pkg.install | reach https://pub.dev/ | write pubspec.yaml | write pubspec.lock"
    " | write .dart_tool/**",
    "flutter test": "run flutter test #project",
    "gem pus a.gem": "change a package #pkg.publish | send https://rubygems.org/",
}
