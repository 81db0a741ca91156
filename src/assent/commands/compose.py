"""docker compose: several containers at once, as files of the project describe them."""

from __future__ import annotations

from assent.commands.inside import shown_inside
from assent.commands.mounts import composed, power, volume
from assent.commands.nested import nested
from assent.commands.program import Program
from assent.commands.projects import HERE, packs
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

OWN = (
    "--all-resources --ansi= --compatibility --dry-run --env-file=read -f,--file= --parallel= --profile="
    " --progress= --project-directory= -p,--project-name= -v,--version --verbose"
)
DEFAULT_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
SERVICES = "-d,--detach --no-deps -t,--timeout= --pull= -q,--quiet --quiet-pull"
BUILDING = ("up", "create", "run", "watch")
"""Images that are missing are built, from the project; what it ignores, such as its `.env`, is rarely among that."""
READ = (("note", "containers and images", "docker.read"),)
PRINTED = (
    "--environment --format= --hash= --images --no-consistency --no-interpolate --no-normalize --no-path-resolution"
    " -o,--output=write --profiles -q,--quiet --resolve-image-digests --services --variables --volumes"
)


def _files(args: Args) -> tuple[str, ...]:
    """The files that say what runs: those of `-f`, else the names compose looks for."""
    chosen = args.parent.values("-f") if args.parent is not None else []
    usual = (*DEFAULT_FILES, *(name.replace(".y", ".override.y") for name in DEFAULT_FILES))
    return (*(tuple(word.value for word in chosen if word.value) or usual), "**/Dockerfile*")


def _project(args: Args) -> Iterator[Fact]:
    """`-f` may name an address; `--project-directory` moves the place where relative paths of the project begin."""
    for word in args.values("-f"):
        scheme, address, rest = (word.value or "").partition("://")
        if address:
            yield from args.reach(f"{'http' if scheme == 'http' else 'https'}://{rest}", shown=word.value or "")
        elif scheme.startswith("git@"):
            yield from args.act("host", Word(word.text, scheme.removeprefix("git@").partition(":")[0]))
        else:
            yield from args.file("read", word)
    if args.has("--project-directory"):
        yield args.gap("--project-directory moves the project somewhere else")


def _running(args: Args) -> Iterator[Fact]:
    """What the project describes is started, with the folders and powers its files give to each container."""
    verb = args.name.rpartition(" ")[2]
    yield args.effect("change", "containers of the project", f"docker.compose.{verb}")
    yield args.effect("reach", "image registry", "docker.pull")
    yield from args.project(args.name, _files(args))
    if verb == "build" or args.has("--build"):
        yield from packs(args)
    elif verb in BUILDING:
        yield from args.file("search", HERE, deep=True, code="search.committed")
    if verb != "exec":  # whatever runs already was asked about when it began
        yield from composed(args, tuple(file for file in _files(args) if "*" not in file))
    for word in args.values("-v"):
        yield from volume(args, word)
    for name in ("--cap-add", "--privileged"):
        if args.has(name):
            yield power(args, name)
    if args.has("-V", "-v", "--volume"):
        yield args.gap("-V and -v change which volumes and folders the containers get")


def _inside(args: Args) -> Iterator[Fact]:
    """`exec` and `run`: a command in the container of a service."""
    words = " ".join(word.text for word in args.operands[1:])[:200]
    service = args.operands[0].text if args.operands else "a service"
    yield from _running(args)
    yield args.effect("run", f"{words} (in container {service})", "program")
    yield from shown_inside(args, args.operands[1:])


def _down(args: Args) -> Iterator[Fact]:
    hard = args.has("-v", "--rmi")
    yield args.effect("change", "containers of the project", "docker.compose.down" + (".destroy" if hard else ""))


def _removing(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "containers of the project", "docker.compose.rm.destroy")


def _configuration(args: Args) -> Iterator[Fact]:
    """Prints what the files describe with variables filled in, also those of `.env`."""
    yield args.effect("note", "the compose project", "docker.read")
    for fact in args.file("read", Word(".env", ".env")):
        yield replace(fact, possible=True) if isinstance(fact, Effect) else fact


def _change(verb: str, options: str = "") -> Program:
    return Program(
        SERVICES + " " + options, "text*", does=(("change", "containers of the project", f"docker.compose.{verb}"),)
    )


COMMANDS = {
    "ps": Program("-a,--all --filter= --format= --no-trunc --orphans -q,--quiet --services --status=", "text*"),
    "logs": Program(
        "-f,--follow --index= --no-color --no-log-prefix --since= -n,--tail= -t,--timestamps --until=",
        "text*",
        does=READ,
    ),
    "top port images": Program("--format= -q,--quiet --index= --protocol=", "text*", does=READ),
    "ls": Program("-a,--all --filter= --format= -q,--quiet"),
    "version": Program("-f,--format= --short"),
    "events": Program("--json --since= --until=", "text*", does=READ),
    "stats": Program("-a,--all --format= --no-stream --no-trunc", "text*"),
    "config convert": Program(PRINTED, "text*", more=_configuration),
    "up create": Program(
        SERVICES + " --abort-on-container-exit --abort-on-container-failure --always-recreate-deps --attach="
        " --attach-dependencies --build --exit-code-from= --force-recreate --no-attach= --no-build --no-color"
        " --no-log-prefix --no-recreate --no-start --remove-orphans -V,--renew-anon-volumes --scale= --timestamps"
        " --wait --wait-timeout= -y,--yes",
        "text*",
        more=_running,
    ),
    "build": Program(
        "--build-arg= --no-cache --pull --push --progress= -q,--quiet -m,--memory= --with-dependencies --check",
        "text*",
        more=_running,
    ),
    "run": Program(
        "--build -d,--detach --entrypoint= -e,--env= --env-from-file=read -i,--interactive -l,--label= --name="
        " -T,--no-TTY"
        " --no-deps -p,--publish= --pull= -q,--quiet --quiet-pull --remove-orphans --rm -P,--service-ports"
        " --use-aliases"
        " -u,--user= -v,--volume= -w,--workdir= --cap-add= --cap-drop=",
        "text*",
        more=_inside,
        style="posix",
    ),
    "exec": Program(
        "-d,--detach -e,--env= --index= -T,--no-TTY -u,--user= -w,--workdir= -i,--interactive -t,--tty --privileged",
        "text*",
        more=_inside,
        style="posix",
    ),
    "start": Program("--wait --wait-timeout=", "text*", more=_running),
    "restart": Program("--no-deps -t,--timeout=", "text*", more=_running),
    "watch": Program("--no-up --prune --quiet", "text*", more=_running),
    "pull": Program(
        "--ignore-buildable --ignore-pull-failures --include-deps --policy= -q,--quiet",
        "text*",
        does=(("reach", "image registry", "docker.pull"), ("change", "docker images", "docker.pull")),
    ),
    "push": Program(
        "--ignore-push-failures --include-deps -q,--quiet",
        "text*",
        does=(("send", "image registry", "docker.push.publish"),),
    ),
    "stop": _change("stop"),
    "kill": _change("kill", "-s,--signal= --remove-orphans"),
    "pause unpause scale": _change("pause"),
    "down": Program("--remove-orphans --rmi= -t,--timeout= -v,--volumes", "text*", more=_down),
    "rm": Program("-f,--force -s,--stop -v,--volumes", "text*", more=_removing),
}
COMPOSE = Program(OWN, commands=nested(COMMANDS), more=_project, style="bare")

PROGRAMS = {"docker-compose": COMPOSE}

EXAMPLES = {
    "docker-compose ps": "note docker-compose ps | maybe reach the files that compose includes #settings",
    "docker-compose logs -f --tail=100 web": "note containers and images #docker.read | maybe reach the files that"
    " compose includes #settings",
    "docker-compose up -d --build": "change containers of the project #docker.compose.up | reach image registry"
    " #docker.pull | run docker-compose up #project | read ./** | maybe change this machine, by the files of the"
    " project #privilege",
    "docker-compose -f a up": "read a | change containers of the project #docker.compose.up | reach image registry"
    " #docker.pull | run docker-compose up #project | search ./** #search.committed | maybe change this machine, by"
    " the files of the project #privilege",
    "docker-compose -f oci://a.example/x config": "reach oci://a.example/x | note the compose project #docker.read"
    " | maybe read .env",
    "docker-compose -f git@a.example:x/y.git ps": "reach a.example | note docker-compose ps",
    "docker-compose -f https://a.example/x.git ps": "reach https://a.example/x.git | note docker-compose ps",
    "docker-compose -f a down": "read a | change containers of the project #docker.compose.down",
    "docker-compose down -v": "change containers of the project #docker.compose.down.destroy",
    "docker-compose run --rm web pytest -q": "change containers of the project #docker.compose.run | reach image"
    " registry #docker.pull | run docker-compose run #project | search ./** #search.committed | maybe change this"
    " machine, by the files of the project #privilege | run pytest -q (in container web) #program",
    "docker-compose run -v /:/host web sh": "change containers of the project #docker.compose.run | reach image"
    " registry #docker.pull | run docker-compose run #project | search ./** #search.committed | maybe change this"
    " machine, by the files of the project #privilege | read //** | write //** #mounted | run sh (in container web)"
    " #program | gap docker-compose run: the container may do anything with the folder it is given | gap"
    " docker-compose run: -V and -v change which volumes and folders the containers get",
    "docker-compose exec web sh -c 'echo $DB_PASSWORD'": "change containers of the project #docker.compose.exec |"
    " reach image registry #docker.pull | run docker-compose exec #project | run sh -c 'echo $DB_PASSWORD' (in"
    " container web) #program | note the environment inside #environment.inside",
    "docker-compose exec -T db psql -U postgres": "change containers of the project #docker.compose.exec | reach"
    " image registry #docker.pull | run docker-compose exec #project | run psql -U postgres (in container db)"
    " #program",
    "docker-compose config": "note the compose project #docker.read | maybe read .env | maybe reach the files that"
    " compose includes #settings",
    "docker-compose config -o a": "write a | note the compose project #docker.read | maybe read .env | maybe reach"
    " the files that compose includes #settings",
    "docker-compose --project-directory docs ps": "note docker-compose ps | maybe reach the files that compose"
    " includes #settings | gap docker-compose: --project-directory moves the project somewhere else",
    "docker-compose pull": "reach image registry #docker.pull | change docker images #docker.pull",
    "docker-compose rm -f": "change containers of the project #docker.compose.rm.destroy",
    "docker-compose stop web": "change containers of the project #docker.compose.stop",
}
