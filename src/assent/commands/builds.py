"""Build tools that run what a file of the project says: make, ninja, cmake, meson, bazel, gradle, maven."""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.inputs import input_text
from assent.commands.program import Program, changes
from assent.commands.projects import (
    both,
    changes_database,
    chosen,
    cut_apart,
    including,
    only_asks,
    runs_target,
    runs_words,
    within,
)
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
MADE_BELOW = ("**/GNUmakefile", "**/[Mm]akefile", "**/*.mk", "**/*.mak")
"""What `include` and `$(MAKE) -C` bring in, as a rule."""
MAKE_INCLUDES = ("include", "-include", "sinclude", "load", "-load")
HARMLESS_VARIABLES = frozenset("V Q VERBOSE DEBUG NDEBUG SILENT".split())


def _make(args: Args) -> Iterator[Fact]:
    """Even `make -n` runs what `$(shell)` and `+` say, so everything but the version is a run of the project."""
    if only_asks(args):
        return
    folder = ""
    for word in args.values("-C"):
        folder = within(folder, (word.value or ".",))[0]
        if word.value is None:
            yield args.gap(f"the folder it works in is not known ({word.why})", blind=True)
    files = tuple(word.value for word in args.values("-f") if word.value) or MAKEFILES
    for word in args.values("-E"):
        yield from _rules(args, word.value or "")
    if "-" in files or "/dev/stdin" in files:
        yield args.effect("run", "make code", "stdin")
        yield from _rules(args, input_text(args.call) or "")
    targets: list[str] = []
    for word in args.operands:
        name, equals, value = (word.value or "").partition("=")
        if word.value is None:
            yield args.gap(f"what it makes is not known ({word.why})", blind=True)
        elif equals and (name not in HARMLESS_VARIABLES or not value.isalnum()):
            yield from _rules(args, value) if name.rstrip(":?+!") == "SHELL" or "shell " in value else ()
            yield from map(mention, _rules(args, value) if value[:1].isalpha() else ())
            yield replace(args.gap(f"sets the variable {name}"), about="project")
        elif not equals and not (word.value.isdigit() and args.has("-j", "-l")):
            targets.append(word.value)
    for word in args.values("-f"):
        yield from args.file("read", word)
    where = f" -C {folder}" if folder else ""
    inside = within(folder, (*files, *MADE_BELOW, *(f"{path.rstrip('/')}/*" for path in chosen(args))))
    yield from including(MAKE_INCLUDES, args.project(" ".join([f"make{where}", *targets]), inside))


def _rules(args: Args, text: str) -> Iterator[Fact]:
    """What stands in a makefile, as a shell would get it: `all:;@rm x`, `$(shell rm x)`."""
    lines = text.replace("$(shell ", "$(").replace("${shell ", "$(").replace("$$", "$").replace(":;", "\n").split("\n")
    said = "\n".join(line.strip().lstrip("@-+ ") for line in lines).strip()
    if said:
        yield args.effect("run", said, "inline")


MAKE = Program(
    "-b -m -B,--always-make -C,--directory= -d --debug[=] -e,--environment-overrides -E,--eval=code"
    " -f,--file,--makefile= -h,--help -i,--ignore-errors -I,--include-dir=list -j,--jobs[=] -k,--keep-going"
    " -l,--load-average[=] -L,--check-symlink-times -n,--just-print,--dry-run,--recon -o,--old-file,--assume-old="
    " -O,--output-sync[=] -p,--print-data-base -q,--question -r,--no-builtin-rules -R,--no-builtin-variables"
    " -s,--silent,--quiet --no-silent -S,--no-keep-going,--stop -t,--touch --trace -v,--version -w,--print-directory"
    " --no-print-directory -W,--what-if,--new-file,--assume-new= --warn-undefined-variables --shuffle[=]",
    "text*",
    more=_make,
)

# --- cmake ---------------------------------------------------------------------------------------------------------

RISKY_SETTINGS = (
    "COMPILER",
    "LAUNCHER",
    "COMMAND",
    "PROGRAM",
    "TOOLCHAIN",
    "EXECUTABLE",
    "LINKER",
    "EMULATOR",
    "INCLUDE",
    "MODULE",
)


def _cmake(args: Args) -> Iterator[Fact]:
    """Configures, builds or installs a project; `-P` runs a script, `-E` is a box of tools."""
    from assent.commands.args import Args

    if args.operands and args.operands[0].value == "-E":
        from assent.commands.cmake_tools import tool

        yield from tool(args, args.operands[1:])
        return
    own = Args(args.call, args.number, args.base, args.name, Program(CMAKE, style="single"))
    yield from own.take(cut_apart(args.operands, "DUGSB"))
    if own.has("--system-information"):
        yield args.effect("run", "cmake --system-information", "program")
    if own.has("--system-information", *CMAKE_EXPLAINS, *CMAKE_LISTS) and not own.has("--build", "--install"):
        for word in own.operands:
            yield from args.file("write", word)
    elif not only_asks(own):
        yield from _configured(own)


def _configured(args: Args) -> Iterator[Fact]:
    for word in args.values("-D"):
        name = (word.value or "COMMAND").partition("=")[0].partition(":")[0]
        if any(piece in name for piece in RISKY_SETTINGS) or "$" in (word.value or ""):
            yield args.gap(f"the setting {name} may start a program")
    if args.has("--build"):
        for word in args.operands:
            if not (word.value or "").isdigit():
                yield args.gap(f"`{word.text}` goes to the build tool")
        built = within(args.text("--build"), CMAKE_MAKES)
        yield from args.project(f"cmake --build {args.text('--build') or '…'}", (*CMAKE_FILES, *built))
    elif args.has("--install"):
        yield args.effect("change", "installed programs", "pkg.install")
        yield from args.project("cmake --install", (*CMAKE_FILES, *within(args.text("--install"), CMAKE_MAKES)))
    elif not args.has("-P"):
        for word in args.operands:
            yield from args.act("tree", word)
        source = args.text("-S") or (args.operands[0].value if args.operands else "")
        scripts = tuple(word.value for word in args.values("-C") if word.value)
        yield from args.project("cmake", (*scripts, *within(source, CMAKE_FILES)))
        if not args.has("-B"):
            yield from args.file("write", Word(".", "."), deep=True, only="*[Cc][Mm]ake*")


CMAKE_FILES = ("CMakeLists.txt", "**/CMakeLists.txt", "**/*.cmake", "CMakePresets.json", "CMakeUserPresets.json")
CMAKE_MAKES = ("CMakeCache.txt", "Makefile", "build.ninja", "**/*.cmake", "**/*.make", "**/*.ninja")
"""What is in a folder that cmake prepared for building."""
CMAKE_EXPLAINS = tuple(f"--help-{topic}" for topic in "command manual module policy property variable".split())
CMAKE_LISTS = tuple(f"{name}-list" for name in CMAKE_EXPLAINS)
"""All of them print what they know, or write it into the file that is named behind."""
CMAKE = (
    "-h,--help,-help -version,--version,-V -S=tree -B=into -G= -D= -U= -A= -T= -C=script -P=script -L -LA -LAH -LH -N"
    " --preset= --list-presets[=] --fresh --build=into --target,-t= --config= --clean-first --parallel,-j[=]"
    " --verbose,-v --install=tree --prefix=into --component= --strip --log-level= --trace --trace-expand"
    " --trace-source= --warn-uninitialized -Wdev -Wno-dev -Werror=dev --debug-output --workflow --system-information"
    f" {' '.join(CMAKE_LISTS)} {' '.join(f'{name}=' for name in CMAKE_EXPLAINS)}"
)
CTEST = Program(
    "-h,--help --version -C,--build-config= -V,--verbose -VV,--extra-verbose --output-on-failure --stop-on-failure"
    " -j,--parallel[=] -N,--show-only[=] -L,--label-regex= -LE,--label-exclude= -R,--tests-regex= -E,--exclude-regex="
    " -I= -Q,--quiet -O,--output-log=write --output-junit=write --test-dir=tree --rerun-failed --repeat= --timeout="
    " --progress --no-tests= --print-labels --schedule-random --preset= --list-presets",
    "text*",
    more=runs_target("CTestTestfile.cmake", "CMakeLists.txt", *CMAKE_MAKES, folder="--test-dir"),
    style="single",
)
NINJA = Program(
    "-h,--help --version -v,--verbose --quiet -C=unknown -f=read -j= -k= -l= -n -d= -w=",
    "text*",
    more=runs_target("build.ninja", "**/*.ninja"),
)
MESON_FLAGS = (
    " -h,--help --version -v --verbose -C=choice -D=choice --prefix= --buildtype= --default-library= --wipe"
    " --reconfigure --backend= --warnlevel= --werror -j,--jobs= --suite= --no-rebuild --print-errorlogs --repeat="
    " --list --benchmark --quiet --clean -t,--timeout-multiplier= --ninja-args=unknown"
)
MESON_FILES = ("meson.build", "meson_options.txt", "meson.options", "**/meson.build", "**/*.wrap")
MESON_MAKES = ("build.ninja", "meson-private/*.dat", "meson-private/*.ini")


def _meson(args: Args) -> Iterator[Fact]:
    """Runs what the sources say, and what an earlier `setup` made of them in the folder of the build."""
    if only_asks(args):
        return
    for word in (*args.operands, *args.values("-C")):
        if word.value is None:
            yield args.gap(f"what it runs is not known ({word.why})", blind=True)
    folders = [word.value for word in (*args.values("-C"), *args.operands) if word.value]
    files = [file for folder in folders for file in within(folder, (*MESON_FILES, *MESON_MAKES))]
    target = " ".join([args.name, *(word.text for word in args.operands)])
    yield from args.project(target, (*MESON_FILES, *MESON_MAKES, *files))


MESON_RUN = Program(MESON_FLAGS, "text*", more=_meson)
MESON = Program(
    "-h,--help -v,--version",
    commands={
        **dict.fromkeys("setup compile test configure dist".split(), MESON_RUN),
        "introspect": Program(
            "-h,--help -a,--all --targets --tests --buildoptions --dependencies --projectinfo --installed"
            " --benchmarks -i,--indent -f,--force-object-output",
            "tree?",
        ),
        "install": Program(
            f"{MESON_FLAGS} --destdir=into", does=changes("pkg.install", "installed programs"), more=_meson
        ),
    },
)


# --- other runners -------------------------------------------------------------------------------------------------


BAZEL_FILES = (
    *("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod", ".bazelrc", ".bazelversion", ".bazeliskrc"),
    *("tools/bazel", "BUILD", "BUILD.bazel", "**/BUILD", "**/BUILD.bazel", "**/*.bzl", "**/*.bazelrc"),
)


BAZEL = Program(operands="text*", more=runs_words(*BAZEL_FILES, includes=("import", "try-import")), style="plain")
"""Every start, even `bazel version`, goes through `tools/bazel` and `.bazelrc` of the project."""

JVM_FLAGS = (
    " -h,--help -v,--version,-version -q,--quiet -i,--info -d,--debug -s,--stacktrace -S,--full-stacktrace -w,--warn"
    " --no-daemon --daemon --stop --status --parallel --no-parallel --offline --continue --build-cache"
    " --no-build-cache --configuration-cache --no-configuration-cache -m,--dry-run --rerun-tasks --rerun"
    " --refresh-dependencies --console= --warning-mode= -x,--exclude-task= --tests= -t,--continuous --scan --no-scan"
    " --max-workers= -u --profile --all --configuration= --dependency= --write-locks --gradle-version="
    " --distribution-type= --dsl= --type="
)
GRADLE_FILES = (
    *("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties"),
    *("**/*.gradle", "**/*.gradle.kts", "**/gradle.properties", "gradle/*.toml", "gradle/wrapper/*.properties"),
    *("buildSrc/**/*.kt", "buildSrc/**/*.java", "buildSrc/**/*.groovy", "buildSrc/**/*.scala"),
    *("build-logic/**/*.kt", "build-logic/**/*.java", "build-logic/**/*.groovy"),
)


GIVEN_AWAY = ("publish", "deploy", "uploadArchives", "release")
SHORTEST = {"publish": 2, "upload": 2, "release": 3, "deploy": 4}
"""How much of such a name must be there, so that it is not the usual short form of another."""
GRADLES = ("gradle", "gradlew")


def _is_short(name: str) -> bool:
    """Whether gradle may complete a name to one of these: it needs the first letters of each part, as in `pubToMav`."""
    first = next((name[:at] for at, sign in enumerate(name) if sign.isupper()), name)
    return any(known.startswith(first) and len(first) >= least for known, least in SHORTEST.items())


def _published(args: Args) -> Iterator[Fact]:
    """A task or goal whose name says that it gives the result to others."""
    for word in args.operands:
        name = (word.value or "").rpartition(":")[2]
        if name.startswith(GIVEN_AWAY) or (args.name in GRADLES and _is_short(name)):
            yield args.effect("change", "a package", "pkg.publish")


GRADLE = Program(
    f"{JVM_FLAGS} -P=choice -D=unknown -p,--project-dir=unknown -b,--build-file=unknown -I,--init-script=script",
    "text*",
    more=both(runs_target(*GRADLE_FILES), _published),
)
MVN = (
    "-h,--help -v,--version -V,--show-version -q,--quiet -X,--debug -e,--errors -B,--batch-mode"
    " -ntp,--no-transfer-progress -o,--offline -U,--update-snapshots -nsu,--no-snapshot-updates -T,--threads="
    " -pl,--projects= -am,--also-make -amd,--also-make-dependents -rf,--resume-from= -P,--activate-profiles="
    " -N,--non-recursive -fae,--fail-at-end -ff,--fail-fast -fn,--fail-never -f,--file=read -C,--strict-checksums"
    " -c,--lax-checksums -D,--define="
)
MVN_FILES = (
    *("pom.xml", "**/pom.xml", ".mvn/jvm.config", ".mvn/maven.config", ".mvn/extensions.xml"),
    *(".mvn/maven-user.properties", ".mvn/wrapper/maven-wrapper.properties"),
)
HARMLESS_PROPERTIES = (
    "skipTests",
    "skipITs",
    "maven.test.skip",
    "test=",
    "it.test=",
    "surefire.",
    "checkstyle.skip",
    "style.color",
)


def _maven(args: Args) -> Iterator[Fact]:
    """Every start, even `mvn -v`, takes options of the Java machine from `.mvn/jvm.config` of the project."""
    from assent.commands.args import Args

    own = Args(args.call, args.number, args.base, args.name, Program(MVN, style="single"))
    yield from own.take(cut_apart(args.operands, "DP"))
    for word in own.values("-D"):
        if not (word.value or "").startswith(HARMLESS_PROPERTIES):
            yield args.gap(f"the property {word.text} may change what runs")
    file = own.text("-f") or ""
    folder = file.rpartition("/")[0] if file.endswith((".xml", ".pom")) else file
    named = [file] if folder != file else []
    target = " ".join([args.name, *(word.text for word in own.operands)])
    yield from args.project(target, (*named, *within(folder, MVN_FILES), *MVN_FILES))
    yield from _published(own)


JUST = Program(
    "-h,--help -V,--version -l,--list --summary --show,-s= --dump --evaluate --variables --groups -n,--dry-run"
    " -q,--quiet -v,--verbose --yes -u,--unsorted --color= --highlight --no-highlight -f,--justfile=read"
    " -d,--working-directory=unknown --set=unknown --fmt --check --unstable",
    "text*",
    style="posix",
    more=runs_target(
        *("justfile", "Justfile", "JUSTFILE", ".justfile", "**/*.just", "**/[Jj]ustfile", "**/.justfile"),
        includes=("import", "import?", "mod", "mod?", "!include"),
    ),
)
YAML = ("yml", "yaml")
TASK = Program(
    "-h,--help --version -l,--list -a,--list-all -n,--dry --summary --status -s,--silent -v,--verbose -f,--force"
    " -p,--parallel -w,--watch -y,--yes -c,--color[=] -C,--concurrency= -o,--output= -x,--exit-code -t,--taskfile=read"
    " -d,--dir=unknown -j,--json --sort=",
    "text*",
    more=runs_target(
        *(f"{name}{middle}.{end}" for name in ("Taskfile", "taskfile") for middle in ("", ".dist") for end in YAML),
        *("**/[Tt]askfile*.yml", "**/[Tt]askfile*.yaml", *(f".taskrc.{end}" for end in YAML)),
        includes=("includes:", "dotenv:"),
    ),
)

SBT_FILES = (
    *("build.sbt", "**/*.sbt", "**/*.sc", "project/**/*.scala", "project/**/*.java", "project/build.properties"),
    *(".sbtopts", ".jvmopts", ".sbtrc"),
)
RAKE_FILES = (
    *("rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb", "**/*.rake", "**/[Rr]akefile", "**/[Rr]akefile.rb"),
    *("Gemfile", "Gemfile.lock", "config/application.rb"),
)

PROGRAMS = {
    "make": MAKE,
    "gmake": MAKE,
    "cmake": Program(operands="text*", more=_cmake, style="plain"),
    "ctest": CTEST,
    "ninja": NINJA,
    "meson": MESON,
    "bazel": BAZEL,
    "bazelisk": BAZEL,
    "gradle": GRADLE,
    "gradlew": GRADLE,
    "mvn": Program(operands="text*", more=_maven, style="plain"),
    "mvnw": Program(operands="text*", more=_maven, style="plain"),
    "ant": Program(
        "-h,-help -version -v,-verbose -q,-quiet -d,-debug -p,-projecthelp -e,-emacs -k,-keep-going"
        " -f,-file,-buildfile=read -D=unknown",
        "text*",
        more=runs_target("build.xml", "**/build*.xml", "**/*.properties", includes=("<import", "<include")),
        style="single",
    ),
    "sbt": Program(
        operands="text*",
        more=both(runs_words(*SBT_FILES), _published),
        style="plain",
    ),
    "just": JUST,
    "task": TASK,
    "rake": Program(
        "-h,--help,-H -V,--version -T,--tasks[=] -P,--prereqs -W,--where[=] -n,--dry-run -q,--quiet -s,--silent"
        " -v,--verbose[=] -t,--trace[=] -j,--jobs[=] -m,--multitask -A,--all -D,--describe[=] -f,--rakefile=read"
        " -I,--libdir=list -r,--require=run -e,--execute=code -p,--execute-print=code -E,--execute-continue=code"
        " -R,--rakelibdir=list -N,--no-search -G,--no-system -X,--no-deprecation-warnings",
        "text*",
        more=both(runs_target(*RAKE_FILES), changes_database),
    ),
}

EXAMPLES = {
    "make": "run make #project",
    "make --version": "note make",
    "make -v": "note make",
    "make test": "run make test #project",
    "make -n": "run make #project",
    "make -C sub all": "run make -C sub all #project",
    "make -j 4 test": "run make test #project",
    "make test SHELL=./x.sh": "run ./x.sh #inline | run make test #project | gap make: sets the variable SHELL",
    "make V=1": "run make #project",
    "make V='$(shell touch x)'": "run $(touch x) #inline | run make #project | gap make: sets the variable V",
    "make -f - all": "run make code #stdin | maybe read - | run make all #project",
    "make -f other.mk": "read other.mk | run make #project",
    "make --eval='$(shell x)'": "run make code #inline | run $(x) #inline | run make #project",
    "make $X": "run make #project | blind make: a word is not known (variable X)"
    " | blind make: what it makes is not known (variable X)",
    "make -I docs -C src": "list docs | run make -C src #project",
    'make -C "$X"': "run make -C . #project | blind make: the folder it works in is not known (variable X)",
    "gmake test": "run make test #project",
    "cmake -S . -B build": "read ./** | write build/** | run cmake #project",
    "cmake -B build -DCMAKE_BUILD_TYPE=Release": "write build/** | run cmake #project",
    "cmake --help-command if": "note cmake",
    "cmake --help-command if out": "write out",
    "cmake --help-module-list": "note cmake",
    "cmake --system-information out": "run cmake --system-information #program | write out",
    "cmake --build build -j 4": "write build/** | run cmake --build build #project",
    "cmake -DCMAKE_C_COMPILER=./x .": "read ./** | run cmake #project | write ./**/*[Cc][Mm]ake*"
    " | gap cmake: the setting CMAKE_C_COMPILER may start a program",
    "cmake -P a.cmake": "read a.cmake | run a.cmake #script",
    "cmake -E rm -rf x": "delete x/**",
    "cmake -E remove_directory x": "delete x/**",
    "cmake -E make_directory x": "write x",
    "cmake -E touch x -a": "write x | write -a",
    "cmake -E copy a x": "read a | write x | maybe write x/a",
    "cmake -E copy_directory a x": "read a/** | write x/** #copied",
    "cmake -E rename a x": "read a/** | delete a/** #move | write x/** #copied",
    "cmake -E cat a": "read a",
    "cmake -E tar xf a": "read a | write ./** #extracted",
    "cmake -E tar c x a": "write x | read a/**",
    "cmake -E environment": "note the environment #environment",
    "cmake -E env A=1 touch x": "run touch x #program | write x | gap cmake: A=1 changes what the program is given",
    "cmake -E time sudo ls": "run sudo ls #program | blind cmake: what sudo starts is not followed here",
    "cmake -E chdir src rm a": "run rm a #program | delete /p/src/a",
    "cmake -E frob": "run cmake -E #program | gap cmake: this tool is not understood",
    "cmake --version": "note cmake",
    "ctest --output-on-failure": "run ctest #project",
    "ninja -v": "run ninja #project",
    "ninja -C out": "run ninja #project | gap ninja: `out` is not understood",
    "ninja -f a.ninja": "read a.ninja | run ninja #project",
    "ninja --version": "note ninja",
    "meson setup out": "run meson setup out #project",
    "meson test": "run meson test #project",
    'meson test -C "$X"': "run meson test #project | blind meson test: what it runs is not known (variable X)",
    "bazel build //...": "run bazel build //... #project",
    "bazel version": "run bazel version #project",
    "bazelisk test //...": "run bazelisk test //... #project",
    "gradle test --rerun": "run gradle test #project",
    "gradle publish": "run gradle publish #project | change a package #pkg.publish",
    "gradlew build": "run gradlew build #project",
    "mvn test -q": "run mvn test #project",
    "mvn -Dtest=A test": "run mvn test #project",
    "mvn -Dexec.executable=x test": "run mvn test #project"
    " | gap mvn: the property exec.executable=x may change what runs",
    "mvn -f src/pom.xml test": "read src/pom.xml | run mvn test #project",
    "mvn deploy": "run mvn deploy #project | change a package #pkg.publish",
    "mvn -v": "run mvn #project",
    "mvnw -v": "run mvnw #project",
    "ant test": "run ant test #project",
    "ant -f b.xml": "read b.xml | run ant #project",
    "sbt test": "run sbt test #project",
    "just build": "run just build #project",
    "just --list": "run just #project",
    "just -f b.just build": "read b.just | run just build #project",
    "task build": "run task build #project",
    "task -t b.yml": "read b.yml | run task #project",
    "rake db:migrate": "run rake db:migrate #project | change the database #db.change",
    "rake db:drop": "run rake db:drop #project | change the database #db.drop",
    "rake -T": "run rake #project",
    "rake -f b.rb -I src": "read b.rb | list src | run rake #project",
    "rake -e 1": "run rake code #inline | run rake #project",
    "gradle pub": "run gradle pub #project | change a package #pkg.publish",
    "gradle :app:pubToMav": "run gradle :app:pubToMav #project | change a package #pkg.publish",
    "gradle dep": "run gradle dep #project",
}
