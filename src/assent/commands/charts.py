"""Helm charts, kustomizations and the tools that deploy them while one works: helm, kustomize, skaffold, tilt."""

from __future__ import annotations

from assent.commands.config_files import kept, kept_unless
from assent.commands.nested import nested
from assent.commands.program import Program, turns_off
from assent.commands.projects import HERE, packs
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CLUSTER = "kubernetes cluster"
GLOBAL = (
    "--burst-limit= --debug --kube-apiserver=url --kube-as-group= --kube-as-user= --kube-ca-file=read --kube-context="
    " --kube-token= --kubeconfig=key -n,--namespace= --qps= --registry-config=key --repository-config=key"
)
CHART = (
    " --ca-file=read --cert-file=read --key-file=read --devel --keyring=read --pass-credentials --password="
    " --plain-http"
    " --repo=url --username= --verify --version="
)
VALUES = " --set= --set-file= --set-json= --set-literal= --set-string= -f,--values="
RENDER = (
    " -a,--api-versions= --include-crds --is-upgrade --kube-version= --name-template= -g,--generate-name --no-hooks"
    " --output-dir=into --release-name -s,--show-only= --skip-crds --skip-tests --validate --dependency-update"
    " --dry-run[=] --post-renderer=run --post-renderer-args= --description= --disable-openapi-validation -l,--labels="
    " --render-subchart-notes --replace --timeout= --wait --wait-for-jobs --atomic --create-namespace --enable-dns"
    " --hide-notes --no-color"
)
UPGRADE = (
    " -i,--install --cleanup-on-fail --force --history-max= --reset-values --reuse-values --reset-then-reuse-values"
    " -o,--output= --hide-secret --take-ownership"
)
LISTING = (
    " -a,--all -A,--all-namespaces -d,--date --deployed --failed -f,--filter= -m,--max= --no-headers --offset="
    " -o,--output= --pending -r,--reverse -l,--selector= -q,--short --superseded --time-format= --uninstalled"
    " --uninstalling --revision= --show-desc --show-resources --template= --logs --keep-history --cascade= --wait"
    " --timeout= --dry-run --no-hooks --description= --force --cleanup-on-fail --recreate-pods --history-max="
)


def _connection(args: Args) -> Iterator[Fact]:
    if args.has("--kubeconfig"):
        yield args.gap("a kubeconfig may name programs to run")
    if args.has("--repository-config", "--registry-config"):
        yield args.gap("other settings may name other places to fetch from")


def _address(args: Args, address: str) -> Iterator[Fact]:
    """Registries of images hold charts, too: `oci://host/name` is spoken over https."""
    yield from args.reach(address.replace("oci://", "https://", 1), shown=address)


def _pushing(args: Args) -> Iterator[Fact]:
    for word in args.operands[1:]:
        if word.value is None:
            yield from args.act("url", word)
        else:
            yield from _address(args, word.value)


def _place(args: Args, word: Word) -> Iterator[Fact]:
    """A chart is a folder here, an address, or `repository/name` which may be either."""
    value = word.value or ""
    if "://" in value:
        yield from _address(args, value)
        return
    yield from args.file("read", word, deep=True)
    if word.value is not None and not value.startswith((".", "/")):
        yield args.effect("reach", "chart repository", "cloud.read")


def _values(args: Args) -> Iterator[Fact]:
    yield from _connection(args)
    for word in args.values("-f"):
        if "://" in (word.value or ""):
            yield from args.reach(word.value or "")
        else:
            yield from args.file("read", word)
    if args.has("--set-file"):
        yield args.gap("--set-file reads the file behind the `=`")
    if args.has("--dependency-update"):
        yield args.effect("reach", "chart repository", "cloud.read")
        yield args.gap("--dependency-update writes into the chart")


def _charts(args: Args, skipped: int) -> Iterator[Fact]:
    for word in args.operands[skipped:]:
        yield from _place(args, word)


def _rendering(args: Args) -> Iterator[Fact]:
    """`helm template [NAME] CHART`."""
    yield from _values(args)
    yield from _charts(args, max(len(args.operands) - 1, 0))
    if args.has("--enable-dns"):
        yield args.effect("reach", "names that the chart looks up", "cloud.read")
    if args.has("--validate") or args.text("--dry-run") == "server":
        yield args.effect("reach", CLUSTER, "cloud.read")


def _linting(args: Args) -> Iterator[Fact]:
    yield from _values(args)
    for word in args.operands:
        yield from args.file("read", word, deep=True)


def _checking(args: Args) -> Iterator[Fact]:
    yield from _values(args)
    yield from _charts(args, 0)


@turns_off("--dry-run")
def _installing(args: Args) -> Iterator[Fact]:
    """`helm install [NAME] CHART`, `helm upgrade NAME CHART`."""
    rehearsed = args.has("--dry-run") and args.text("--dry-run") in (None, "client", "server", "true")
    yield args.effect("reach" if rehearsed else "send", CLUSTER, "cloud.read" if rehearsed else "cloud.change")
    yield from _rendering(args)


def _asked(options: str, code: str = "cloud.read") -> Program:
    return Program(GLOBAL + options, "text*", does=(("reach", CLUSTER, code),), more=_connection)


def _told(options: str, code: str) -> Program:
    return Program(GLOBAL + options, "text*", does=(("send", CLUSTER, code),), more=_connection)


@turns_off("-d")
def _fetch(args: Args) -> Iterator[Fact]:
    yield from _connection(args)
    for word in args.operands:
        if "://" in (word.value or ""):
            yield from _address(args, word.value or "")
        else:
            yield args.effect("reach", "chart repository", "cloud.read")
    if not args.has("-d"):
        yield from args.file("write", HERE, deep=True)


def _fetches(args: Args) -> Iterator[Fact]:
    yield args.gap("a kustomization may fetch what it names")


def _sources(args: Args) -> Iterator[Fact]:
    """Where later charts come from, and with which password."""
    yield args.effect("change", "chart repositories", "pkg.source")
    yield from kept_unless(args, "--repository-config", "write", "~/.config/helm/repositories.yaml")


def _registry_login(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "the login of helm", "pkg.login")
    yield from kept_unless(args, "--registry-config", "write", "~/.config/helm/registry/config.json")


def _plugins(args: Args) -> Iterator[Fact]:
    """Programs that helm starts later; installing one may start it at once."""
    yield args.effect("run", args.name, "program")
    yield args.gap("fetches or starts programs")
    yield from kept(args, "write", "~/.local/share/helm/plugins")
    for word in args.operands:
        yield from args.reach(word.value) if "://" in (word.value or "") and word.value else ()


@turns_off("-d")
def _packing(args: Args) -> Iterator[Fact]:
    if not args.has("-d"):
        yield from args.file("write", HERE, deep=True)


def _kustomization(args: Args) -> Iterator[Fact]:
    yield from args.file("write", Word("kustomization.yaml", "kustomization.yaml"))


HELM = {
    "list ls status history hist": _asked(LISTING),
    "test": _told(LISTING, "cloud.change"),
    "get/metadata get/notes": _asked(LISTING),
    "get/all get/hooks get/manifest get/values": _asked(LISTING, "secret.print"),
    "search/repo": Program(
        GLOBAL + " --devel -o,--output= -r,--regexp --version= -l,--versions --max-col-width=", "text*"
    ),
    "search/hub": Program(
        GLOBAL + " -o,--output= --max-col-width= --list-repo-url",
        "text*",
        does=(("reach", "artifacthub.io", "cloud.read"),),
    ),
    "show/all show/chart show/crds show/readme show/values inspect/values inspect/chart": Program(
        GLOBAL + CHART + " --jsonpath=", "text*", more=_checking
    ),
    "template": Program(GLOBAL + CHART + VALUES + RENDER, "text*", more=_rendering),
    "lint": Program(
        GLOBAL + VALUES + " --strict --quiet --with-subcharts --skip-schema-validation --kube-version=",
        "text*",
        more=_linting,
    ),
    "env": Program(GLOBAL, "text?", does=(("note", "the environment", "environment"),)),
    "version repo/list repo/ls plugin/list plugin/ls": Program(GLOBAL + " --short --template= -o,--output= --client"),
    "dependency/list dep/list dependency/ls dep/ls": Program(GLOBAL + " --max-col-width=", "tree?", "."),
    "install upgrade": Program(GLOBAL + CHART + VALUES + RENDER + UPGRADE, "text*", more=_installing),
    "rollback": _told(LISTING, "cloud.change"),
    "uninstall delete del un": _told(LISTING, "cloud.destroy"),
    "repo/update repo/up": Program(GLOBAL, "text*", does=(("reach", "chart repository", "cloud.read"),)),
    "repo/add": Program(
        GLOBAL + " --force-update --no-update --username= --password= --pass-credentials",
        "text url",
        more=_sources,
    ),
    "repo/remove repo/rm": Program(GLOBAL, "text*", more=_sources),
    "registry/login registry/logout": Program(
        GLOBAL
        + " --ca-file=read --cert-file=read --key-file=read --insecure --plain-http -u,--username= -p,--password="
        " --password-stdin",
        "host",
        more=_registry_login,
    ),
    "plugin/install plugin/update plugin/uninstall plugin/remove plugin/add plugin/rm plugin/up": Program(
        GLOBAL + " --version= --verify[=]", "text*", more=_plugins
    ),
    "pull fetch": Program(
        GLOBAL + CHART + " -d,--destination=into --untar --untardir=into --prov", "text*", more=_fetch
    ),
    "dependency/update dep/update dependency/build dep/build dep/up": Program(
        GLOBAL + " --keyring=read --skip-refresh --verify",
        "tree?",
        ".",
        does=(("reach", "chart repository", "cloud.read"), ("change", "charts this one needs", "pkg.install")),
    ),
    "create": Program(GLOBAL, "into"),
    "package": Program(GLOBAL + " --app-version= -d,--destination=into --version=", "tree*", more=_packing),
    "push": Program(
        GLOBAL + " --plain-http", "read text", does=(("send", "chart repository", "pkg.publish"),), more=_pushing
    ),
}
KUSTOMIZE_OPTIONS = "-o,--output=into --load-restrictor= --reorder= -e,--env= --as-current-user"
KUSTOMIZE = {
    "build": Program(KUSTOMIZE_OPTIONS, "tree?", ".", more=_fetches),
    "version": Program("--short -o,--output="),
    "create": Program("--autodetect --resources= --namespace= --nameprefix= --recursive", more=_kustomization),
    "edit": Program("", "text*", more=_kustomization),
}


BUILDING = (" dev", " run", " build", " debug", " up", " ci")


def _skaffold(args: Args) -> Iterator[Fact]:
    yield args.effect("send", CLUSTER, "cloud.destroy" if args.name.endswith(("delete", "down")) else "cloud.change")
    chosen = tuple(word.value for word in args.values("-f") if word.value)
    known = ("skaffold.yaml", "**/skaffold.yaml") if args.name.startswith("skaffold") else ("Tiltfile", "**/Tiltfile")
    yield from args.project(args.name, (*chosen, *known))
    if args.name.endswith(BUILDING):
        yield from packs(args)


WORK = (
    "-f,--filename,--file=read -p,--profile= -n,--namespace= --kube-context= --context= --tail --port= --stream --host="
)
SKAFFOLD = {
    "version schema/list": Program("-o,--output="),
    "dev run build deploy debug test render delete apply diagnose": Program(WORK, "text*", more=_skaffold),
}
TILT = {"version": Program(), "up down ci": Program(WORK, "text*", more=_skaffold)}

PROGRAMS = {
    "helm": Program(GLOBAL, commands=nested(HELM, GLOBAL), more=_connection, style="bare"),
    "kustomize": Program("", commands=nested(KUSTOMIZE), style="bare"),
    "skaffold": Program("", commands=nested(SKAFFOLD), style="bare"),
    "tilt": Program("", commands=nested(TILT), style="bare"),
}

EXAMPLES = {
    "helm list -A": "reach kubernetes cluster #cloud.read",
    "helm status web": "reach kubernetes cluster #cloud.read",
    "helm get values web": "reach kubernetes cluster #secret.print",
    "helm template ./docs -f a": "read a | read ./docs/**",
    "helm template web repo/chart --post-renderer ./x.sh": "run ./x.sh #program | read repo/chart/**"
    " | reach chart repository #cloud.read",
    "helm template --enable-dns web ./docs": "read ./docs/** | reach names that the chart looks up #cloud.read",
    "helm env": "note the environment #environment",
    "helm lint docs": "read docs/**",
    "helm install web ./docs --set a=b": "send kubernetes cluster #cloud.change | read ./docs/**",
    "helm upgrade --install web repo/chart -n prod -f a": "send kubernetes cluster #cloud.change | read a"
    " | read repo/chart/** | reach chart repository #cloud.read",
    "helm upgrade web ./docs --dry-run": "reach kubernetes cluster #cloud.read | read ./docs/**",
    "helm uninstall web": "send kubernetes cluster #cloud.destroy",
    "helm repo add x https://example.com/charts": "reach https://example.com/charts | change chart repositories"
    " #pkg.source | write ~/.config/helm/repositories.yaml",
    "helm search repo nginx": "note helm search repo",
    "helm pull repo/chart": "reach chart repository #cloud.read | write ./**",
    "helm package docs": "read docs/** | write ./**",
    "helm push a oci://example.com/x": "send chart repository #pkg.publish | read a | reach oci://example.com/x",
    "helm version": "note helm version",
    "helm plugin install https://example.com/x": "run helm plugin install #program | write"
    " ~/.local/share/helm/plugins | reach https://example.com/x | gap helm plugin install: fetches or starts"
    " programs",
    "kustomize build docs": "read docs/** | gap kustomize build: a kustomization may fetch what it names",
    "kustomize version": "note kustomize version",
    "skaffold dev": "send kubernetes cluster #cloud.change | run skaffold dev #project | read ./**",
    "tilt up": "send kubernetes cluster #cloud.change | run tilt up #project | read ./**",
}
