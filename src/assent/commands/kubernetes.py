"""kubectl and its relatives: what asks a cluster, what changes it, and what runs inside it."""

from __future__ import annotations

from assent.commands.config_files import KUBECONFIG, kept_unless
from assent.commands.inside import shown_inside
from assent.commands.nested import does, nested
from assent.commands.program import Program, changes, turns_off
from assent.types import ENTRY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

CLUSTER = "kubernetes cluster"
ASKED = (("reach", CLUSTER, "cloud.read"),)
GLOBAL = (
    "--as= --as-group= --as-uid= --certificate-authority=read --client-certificate=read --client-key=read --cluster="
    " --context= --disable-compression --kubeconfig=key --match-server-version -n,--namespace= --password="
    " --request-timeout= -s,--server=url --tls-server-name= --token= --user= --username= -v,--v= --vmodule="
)
FILES = " -f,--filename= -k,--kustomize= -R,--recursive"
SHOWING = (
    " --allow-missing-template-keys[=] --chunk-size= --field-selector= --ignore-not-found[=] -L,--label-columns="
    " --no-headers[=] -o,--output= --output-watch-events -l,--selector= --server-print[=] --show-kind --show-labels"
    " --show-managed-fields[=] --sort-by= --subresource= --template= -w,--watch --watch-only -A,--all-namespaces"
)
CHANGING = (
    " --all --cascade[=] --dry-run[=] --field-manager= --force --force-conflicts[=] --grace-period= --now"
    " --overwrite[=]"
    " -o,--output= --record[=] --save-config[=] -l,--selector= --server-side[=] --timeout= --validate[=] --wait[=]"
    " --show-managed-fields[=] --subresource= --template= --ignore-not-found[=] --field-selector= -A,--all-namespaces"
)
DRAINING = (
    " --delete-emptydir-data --delete-local-data --disable-eviction --ignore-daemonsets[=] --pod-selector="
    " --skip-wait-for-delete-timeout="
)
LOGS = (
    " --all-containers[=] --all-pods[=] -c,--container= -f,--follow --ignore-errors --limit-bytes= --max-log-requests="
    " --pod-running-timeout= --prefix[=] -p,--previous -l,--selector= --since= --since-time= --tail= --timestamps[=]"
)
OUTPUT_FILES = ("custom-columns-file", "go-template-file", "jsonpath-file", "templatefile")


def _connection(args: Args) -> Iterator[Fact]:
    """A kubeconfig of one's choice may name a program that logs in."""
    if args.has("--kubeconfig"):
        yield args.gap("a kubeconfig may name programs to run")


def _manifests(args: Args) -> Iterator[Fact]:
    """`-f` takes files, folders and addresses, `-k` a folder that may name addresses; `-o` may take a template file."""
    yield from _connection(args)
    for word in args.values("-f"):
        if word.value is not None and word.value.startswith(("http://", "https://")):
            yield from args.reach(word.value)
        else:
            yield from args.file("read", word, deep=True)
    for word in args.values("-k"):
        yield from args.file("read", word, deep=True)
        yield args.gap("a kustomization may fetch what it names")
    for word in args.values("-o"):
        if word.value is not None and word.value.startswith(OUTPUT_FILES):
            yield args.gap("-o reads a template from a file")


def _asking(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", CLUSTER, "cloud.read")
    yield from _manifests(args)


def _getting(args: Args) -> Iterator[Fact]:
    """`get` prints whole objects, so secrets too."""
    secret = any(_may_be_secret(word) for word in args.operands)
    yield args.effect("reach", CLUSTER, "secret.print" if secret else "cloud.read")
    yield from _manifests(args)
    if args.has("-f", "-k"):
        yield args.gap("the kind of what is shown stands in a file")


def _may_be_secret(word: Word) -> bool:
    text = (word.value if word.value is not None else word.text).lower()
    kinds = (item.partition("/")[0] for item in text.split(","))
    return any(kind.startswith(("secret", "sealedsecret", "externalsecret")) for kind in kinds) or (
        word.value is None and ("/" not in text or "secret" in text)
    )


@turns_off("-f -k", everything="--dry-run")
def _changing(args: Args) -> Iterator[Fact]:
    yield from _told(args, "cloud.change")


@turns_off("-f -k", everything="--dry-run")
def _destroying(args: Args) -> Iterator[Fact]:
    yield from _told(args, "cloud.destroy")


@turns_off("-f -k", everything="--dry-run")
def _applying(args: Args) -> Iterator[Fact]:
    """`apply` and `replace`: --force and --prune delete what is there."""
    yield from _told(args, "cloud.destroy" if args.has("--force", "--prune") else "cloud.change")


def _told(args: Args, code: str) -> Iterator[Fact]:
    """A change, unless it is a rehearsal."""
    rehearsed = args.text("--dry-run") in ("client", "server")
    yield args.effect("reach" if rehearsed else "send", CLUSTER, "cloud.read" if rehearsed else code)
    if not args.has("-f", "-k") and any(word.value == "-" for word in args.operands):
        yield args.gap("what it changes comes from standard input")
    yield from _manifests(args)


@turns_off("--client")
def _versions(args: Args) -> Iterator[Fact]:
    """With `--client` it asks nobody."""
    if not args.has("--client") or args.text("--client") not in (None, "true"):
        yield args.effect("reach", CLUSTER, "cloud.read")
    yield from _connection(args)


@turns_off("-f -k", everything="--dry-run")
def _creating(args: Args) -> Iterator[Fact]:
    if args.operands and args.operands[0].value == "token":
        yield args.effect("reach", CLUSTER, "secret.print")
    yield from _told(args, "cloud.change")
    for option in ("--from-file", "--from-env-file"):
        for word in args.values(option):
            if word.value is None or "=" in word.value:
                yield args.gap(f"{option} reads the file behind the `=`")
            yield from args.file("read", word, deep=True)


def _executing(args: Args) -> Iterator[Fact]:
    yield from _connection(args)
    pod = args.operands[0].text if args.operands else "a pod"
    words = " ".join(word.text for word in args.operands[1:])[:200]
    yield args.effect("send", CLUSTER, "cloud.exec")
    yield args.effect("run", f"{words} (in {pod})", "program")
    yield from shown_inside(args, args.operands[1:])


def _copying(args: Args) -> Iterator[Fact]:
    """`kubectl cp`: a side with a colon is in a pod, the other one is here."""
    yield from _connection(args)
    yield args.effect("send", CLUSTER, "cloud.change")
    for at, word in enumerate(args.operands):
        if word.value is None or ":" not in word.value:
            yield from args.file("read" if at == 0 else "write", word, deep=True)


def _viewing(args: Args) -> Iterator[Fact]:
    """It prints the file with the keys in it, of which not all versions leave out all."""
    yield from _connection(args)
    yield from kept_unless(args, "--kubeconfig", "read", KUBECONFIG)
    if args.has("--raw", "--flatten"):
        yield args.effect("note", "keys of the cluster", "secret.print")


def _keeping(args: Args) -> Iterator[Fact]:
    """Another cluster, user or context for every later command."""
    yield args.effect("change", "kubernetes settings of this user", "cloud.login")
    yield from kept_unless(args, "--kubeconfig", "write", KUBECONFIG)


def _adding_cluster(args: Args) -> Iterator[Fact]:
    """A cluster on this machine, which becomes the current one of kubectl."""
    if args.text("--kubeconfig-update-default") != "false":
        code = "" if args.values("--kubeconfig") else ENTRY
        yield from kept_unless(args, "--kubeconfig", "write", KUBECONFIG, code=code)


def _anything(args: Args) -> Iterator[Fact]:
    yield from _connection(args)
    yield args.gap("an interactive program can do anything in the cluster")


def _fetching(args: Args) -> Iterator[Fact]:
    yield args.gap("a kustomization may fetch what it names")


def _read(options: str = "", operands: str = "text*") -> Program:
    return Program(GLOBAL + options, operands, more=_asking)


def _change(options: str = "") -> Program:
    return Program(GLOBAL + FILES + CHANGING + options, "text*", more=_changing)


CREATE = (
    " --from-literal= --from-file= --from-env-file= --image= --replicas= --port= --schedule= --class= --rule="
    " --default-backend= --annotation= --clusterrole= --role= --serviceaccount= --group= --resource= --resource-name="
    " --verb= --tcp= --clusterip= --external-name= --node-port= --type= --docker-server= --docker-username="
    " --docker-password= --docker-email= --cert=read --key=read --from= --duration= --hard= --scopes= --append-hash"
    " --aggregation-rule= --non-resource-url= --description= --value= --preemption-policy= --global-default"
)
KUBECTL = {
    "get": Program(GLOBAL + FILES + SHOWING, "text*", more=_getting),
    "describe": _read(FILES + SHOWING + " --show-events[=]"),
    "logs": Program(GLOBAL + LOGS, "text*", does=ASKED, more=_connection),
    "events": _read(SHOWING + " --for= --types="),
    "top/pod top/pods top/node top/nodes top/no top/po": _read(
        SHOWING + " --containers --sum --use-protocol-buffers[=] --show-capacity"
    ),
    "explain": _read(" --api-version= --recursive --output="),
    "api-resources api-versions": _read(
        " --api-group= --cached --categories= --namespaced[=] --no-headers -o,--output= --sort-by= --verbs="
    ),
    "version": Program(GLOBAL + " --client[=] -o,--output= --short", more=_versions),
    "cluster-info": Program(
        GLOBAL + " --output-directory=into -o,--output= -A,--all-namespaces --namespaces=",
        "text?",
        does=ASKED,
        more=_connection,
    ),
    "auth/can-i": _read(" -A,--all-namespaces --list --no-headers -q,--quiet --subresource="),
    "auth/whoami": _read(" -o,--output="),
    "diff": _read(
        FILES
        + " --concurrency= --field-manager= --force-conflicts -l,--selector= --server-side[=] --show-managed-fields[=]"
    ),
    "rollout/status rollout/history": _read(
        FILES + " --revision= --timeout= -w,--watch[=] -o,--output= -l,--selector="
    ),
    "wait": _read(FILES + SHOWING + " --all --for= --timeout= --local"),
    "config/view": Program(GLOBAL + " --raw --minify --flatten --merge[=] -o,--output= --template=", more=_viewing),
    "config/current-context config/get-contexts config/get-clusters config/get-users": Program(
        GLOBAL + " -o,--output= --no-headers", "text*", more=_connection
    ),
    "config/use-context config/use config/set-context config/set config/unset config/set-cluster"
    " config/set-credentials config/delete-context config/delete-cluster config/delete-user"
    " config/rename-context": Program(
        GLOBAL
        + " --current --embed-certs[=] --insecure-skip-tls-verify[=] --proxy-url= --auth-provider= --auth-provider-arg="
        " --exec-api-version= --exec-arg= --exec-command=run --exec-env= --exec-interactive-mode= --set-raw-bytes[=]",
        "text*",
        more=_keeping,
    ),
    "completion options plugin/list krew/list krew/version krew/info": Program("", "text*"),
    "krew/search krew/update": Program("", "text*", does=(("reach", "where plug-ins come from", "pkg.install"),)),
    "krew/install krew/upgrade krew/uninstall krew/index": Program(
        "--manifest=read --manifest-url=url --archive=read --no-update-index",
        "text*",
        does=(
            ("reach", "where plug-ins come from", "pkg.install"),
            *changes("settings.change", "plug-ins of kubectl", "~/.krew"),
        ),
    ),
    "kustomize": Program(
        "-o,--output=write --load-restrictor= --reorder=",
        "tree*",
        ".",
        more=_fetching,
    ),
    "apply replace": Program(
        GLOBAL + FILES + CHANGING + " --prune[=] --prune-allowlist= --openapi-patch[=]", "text*", more=_applying
    ),
    "create": Program(GLOBAL + FILES + CHANGING + CREATE, "text*", more=_creating),
    "patch": Program(
        GLOBAL + FILES + CHANGING + " -p,--patch= --patch-file=read --type= --local", "text*", more=_changing
    ),
    "scale autoscale": _change(
        " --replicas= --current-replicas= --resource-version= --min= --max= --cpu-percent= --name="
    ),
    "rollout/restart rollout/undo rollout/pause rollout/resume": _change(" --to-revision="),
    "set/image set/env set/resources set/selector set/serviceaccount set/subject": _change(
        " -e,--env= -c,--containers= --limits= --requests= --from= --prefix= --keys= --list --local"
    ),
    "label annotate": _change(" --list --local --resource-version="),
    "cordon uncordon taint": _change(),
    "expose": _change(" --port= --target-port= --type= --name= --protocol= --cluster-ip= --external-ip= --labels="),
    "delete": Program(GLOBAL + FILES + CHANGING + " -i,--interactive", "text*", more=_destroying),
    "drain": Program(GLOBAL + CHANGING + DRAINING, "text*", more=_destroying),
    "exec": Program(
        GLOBAL + " -c,--container= --pod-running-timeout= -q,--quiet -i,--stdin -t,--tty", "text*", more=_executing
    ),
    "cp": Program(GLOBAL + " -c,--container= --no-preserve[=] --retries=", "text text", more=_copying),
    "port-forward proxy": Program(
        GLOBAL + " --address= --pod-running-timeout= -p,--port= -u,--unix-socket=write",
        "text*",
        does=(*ASKED, ("change", "a port that leads to the cluster", "cloud.forward")),
        more=_connection,
    ),
}
"""`edit` (an editor), `run`, `debug`, `attach` and plugins are not here: nothing certain can be said of them."""

KUBE_OUT = " -o,--output= --no-headers -A,--all-namespaces -l,--selector= -w,--watch --timeout="
CHANGE_CLUSTER = (("send", CLUSTER, "cloud.change"),)
DESTROY_CLUSTER = (("send", CLUSTER, "cloud.destroy"),)


def _choosing_project(args: Args) -> Iterator[Fact]:
    """`oc project` tells the current one, `oc project NAME` chooses another."""
    yield from _keeping(args) if args.operands else _connection(args)


OC = {
    **KUBECTL,
    "whoami": _read(" --show-console --show-context --show-server"),
    "status projects": _read(" -q,--short --suggest -o,--output="),
    "project": Program(GLOBAL + " -q,--short", "text?", does=ASKED, more=_choosing_project),
    "login logout": Program(
        GLOBAL + " --insecure-skip-tls-verify[=] -u= -p= -w,--web", "text?", does=ASKED, more=_keeping
    ),
}
KIND = {
    "get/clusters get/nodes version": Program("--name= -A,--all-clusters -q,--quiet -v,--verbosity="),
    "get/kubeconfig": does("reach", CLUSTER, "secret.print", "--name= --internal"),
    "create/cluster": Program(
        "--name= --image= --config=read --wait= --retain -q,--quiet -v,--verbosity= --kubeconfig=",
        does=(("change", CLUSTER, "docker.run"), ("reach", "image registry", "docker.pull")),
        more=_adding_cluster,
    ),
    "export/kubeconfig": Program("--name= --internal --kubeconfig= -q,--quiet -v,--verbosity=", more=_keeping),
    "load/docker-image": does("change", CLUSTER, "cloud.change", "--name= --nodes="),
    "delete/cluster delete/clusters": Program(
        "--name= -A,--all --kubeconfig=", "text*", does=(("change", CLUSTER, "docker.destroy"),), more=_adding_cluster
    ),
    "export/logs": Program("--name=", "into?", "."),
}
MINIKUBE = {
    "status version ip profile/list node/list addons/list image/ls": Program("-p,--profile= -o,--output= --short"),
    "update-check": does("reach", "the makers of minikube", "cloud.read", "-p,--profile=", ""),
    "logs": Program("-p,--profile= -n,--length= --problems --audit -f,--follow"),
    "start": Program(
        "-p,--profile= --driver= --cpus= --memory= --nodes= -n= --kubernetes-version= --addons= --container-runtime=",
        does=(("change", CLUSTER, "docker.run"), ("reach", "image registry", "docker.pull")),
        more=_adding_cluster,
    ),
    "update-context": Program("-p,--profile=", more=_keeping),
    "config/set config/unset": Program(
        "-p,--profile=", "text*", does=changes("cloud.login", "settings of minikube", "~/.minikube/config/config.json")
    ),
    "config/get config/view config/defaults": Program("-p,--profile= --format= --output=", "text?"),
    "stop pause unpause addons/enable addons/disable": does("change", CLUSTER, "docker.stop", "-p,--profile= --all"),
    "delete": Program(
        "-p,--profile= --all --purge", does=(("change", CLUSTER, "docker.destroy"),), more=_adding_cluster
    ),
}
K3D = {
    "cluster/list cluster/ls node/list registry/list": Program("-o,--output= --no-headers", "text*"),
    "version": Program("-o,--output="),
    "registry/create": Program(
        "-i,--image= -p,--port= --no-help --default-network=",
        "text?",
        does=(("change", CLUSTER, "docker.run"), ("reach", "image registry", "docker.pull")),
    ),
    "cluster/create": Program(
        "-a,--agents= -s,--servers= -i,--image= -p,--port= --api-port= -c,--config=read --wait[=] --timeout= --no-lb"
        " --kubeconfig-update-default[=] --kubeconfig-switch-context[=]",
        "text?",
        does=(("change", CLUSTER, "docker.run"), ("reach", "image registry", "docker.pull")),
        more=_adding_cluster,
    ),
    "kubeconfig/merge kubeconfig/write": Program(
        "-a,--all -d,--kubeconfig-merge-default -s,--kubeconfig-switch-context[=] -u,--update[=] --overwrite"
        " -o,--output=write",
        "text*",
        more=_keeping,
    ),
    "cluster/start cluster/stop node/start node/stop": does("change", CLUSTER, "docker.stop", "-a,--all"),
    "cluster/delete node/delete registry/delete": Program(
        "-a,--all", "text*", does=(("change", CLUSTER, "docker.destroy"),), more=_adding_cluster
    ),
    "kubeconfig/get": does("reach", CLUSTER, "secret.print", "-a,--all"),
}
ARGOCD_OUT = (
    "-o,--output= -N,--app-namespace= --refresh --hard-refresh -p,--project= -l,--selector= --grpc-web --server=host"
)
ARGOCD = {
    "app/list app/get app/history app/resources app/manifests proj/list proj/get repo/list cluster/list cluster/get"
    " account/list account/get-user-info": does("reach", "Argo CD", "cloud.read", ARGOCD_OUT),
    "app/logs": does("reach", "Argo CD", "cloud.read", "-c,--container= -f,--follow --tail= --kind= --name="),
    "version": does("reach", "Argo CD", "cloud.read", "--client --short -o,--output="),
    "app/sync app/rollback app/set app/create app/patch": does(
        "send", "Argo CD", "cloud.change", "--revision= --dry-run"
    ),
    "app/delete proj/rm repo/rm cluster/rm": does("send", "Argo CD", "cloud.destroy", "-y,--yes --cascade[=]"),
    "login logout relogin context": Program(
        "--grpc-web --server=host --username= --password= --sso --insecure --core --name=",
        "text?",
        does=(("reach", "Argo CD", "cloud.read"), *changes("cloud.login", "the login of Argo CD", "~/.config/argocd")),
    ),
}
FLUX_GET = " --status-selector= --label-selector="
FLUX = {
    "get": Program(GLOBAL + KUBE_OUT + FLUX_GET, "text*", does=ASKED, more=_connection),
    "check stats events logs tree trace": Program(
        GLOBAL + KUBE_OUT + " --pre --follow -f --tail= --since= --level= --kind= --name= --for=",
        "text*",
        does=ASKED,
        more=_connection,
    ),
    "reconcile suspend resume": Program(GLOBAL + " --with-source --all --timeout=", "text*", does=CHANGE_CLUSTER),
    "create/secret/git": Program(
        GLOBAL + " -u= --url=url --password= --export --ca-file=read --private-key-file=read --label= --interval=",
        "text",
        does=CHANGE_CLUSTER,
        more=_connection,
    ),
    "delete uninstall": Program(GLOBAL + " -s,--silent", "text*", does=DESTROY_CLUSTER),
}
ISTIO = GLOBAL + " -i,--istioNamespace= -o,--output= -A,--all-namespaces --remote --short --color"
ISTIOCTL = {
    "version proxy-status ps": Program(ISTIO, "text*", does=ASKED, more=_connection),
    "analyze": Program(ISTIO + " --use-kube[=] -R,--recursive", "read*", does=ASKED, more=_connection),
    "install upgrade": Program(ISTIO + " -y,--skip-confirmation --set=", "", does=CHANGE_CLUSTER, more=_connection),
    "uninstall": Program(ISTIO + " --purge -y,--skip-confirmation", "", does=DESTROY_CLUSTER, more=_connection),
}
STERN = (
    "-A,--all-namespaces --color= --completion= -c,--container= --container-state= --context= -e,--exclude="
    " -E,--exclude-container= --exclude-pod= --field-selector= -H,--highlight= -i,--include= --init-containers"
    " --kubeconfig=key --max-log-requests= -n,--namespace= --node= --no-follow -o,--output= -p,--prompt -l,--selector="
    " -s,--since= --tail= --template= -t,--timestamps[=] --timezone= --only-log-lines"
)


def _switching(args: Args) -> Iterator[Fact]:
    """kubectx and kubens: a name chooses it for every later command."""
    if args.operands or args.has("-u", "-d"):
        yield from _keeping(args)


SWITCH = Program("-c,--current -u,--unset -d=", "text?", more=_switching)
PROGRAMS = {
    "kubectl": Program(GLOBAL, commands=nested(KUBECTL, GLOBAL), more=_connection, style="bare"),
    "oc": Program(GLOBAL, commands=nested(OC, GLOBAL), more=_connection, style="bare"),
    "kind": Program("-q,--quiet -v,--verbosity=", commands=nested(KIND), style="bare"),
    "minikube": Program("-p,--profile=", commands=nested(MINIKUBE), style="bare"),
    "k3d": Program("--verbose --trace --timestamps", commands=nested(K3D), style="bare"),
    "argocd": Program("--grpc-web --server=host", commands=nested(ARGOCD), style="bare"),
    "flux": Program(GLOBAL, commands=nested(FLUX, GLOBAL), more=_connection, style="bare"),
    "istioctl": Program(GLOBAL, commands=nested(ISTIOCTL, GLOBAL), more=_connection, style="bare"),
    "stern": Program(STERN, "text?", does=ASKED, more=_connection),
    "kubectx": SWITCH,
    "kubens": SWITCH,
    "k9s": Program(
        GLOBAL + " --readonly -A,--all-namespaces -c,--command= -l,--logLevel= -r,--refresh= --headless --logoless",
        does=CHANGE_CLUSTER,
        more=_anything,
    ),
}

EXAMPLES = {
    "kubectl proxy --unix-socket a": "write a | reach kubernetes cluster #cloud.read"
    " | change a port that leads to the cluster #cloud.forward",
    "k3d registry create x": "change kubernetes cluster #docker.run | reach image registry #docker.pull",
    "flux create secret git x --url https://github.com/x --username u --password p": "reach https://github.com/x"
    " | send kubernetes cluster #cloud.change",
    "kubectl get pods -A -o wide": "reach kubernetes cluster #cloud.read",
    "kubectl -n prod get deploy,svc -l app=web": "reach kubernetes cluster #cloud.read",
    "kubectl get secret db -o yaml": "reach kubernetes cluster #secret.print",
    "kubectl get pods,Secrets": "reach kubernetes cluster #secret.print",
    "kubectl get secret/$x": "reach kubernetes cluster #secret.print"
    " | blind kubectl get: a word is not known (variable x)",
    'kubectl get "$x"': "reach kubernetes cluster #secret.print | blind kubectl get: a word is not known (variable x)",
    "kubectl get -o go-template-file=a pods": "reach kubernetes cluster #cloud.read"
    " | gap kubectl get: -o reads a template from a file",
    "kubectl get --raw /api/v1/secrets": "reach kubernetes cluster #cloud.read | maybe read /api/v1/secrets"
    " | gap kubectl get: option --raw is not known",
    "kubectl describe pod web": "reach kubernetes cluster #cloud.read",
    "kubectl logs -f web -c app --tail=100": "reach kubernetes cluster #cloud.read",
    "kubectl top pods": "reach kubernetes cluster #cloud.read",
    "kubectl config view": "read ~/.kube/config",
    "kubectl config view --raw": "read ~/.kube/config | note keys of the cluster #secret.print",
    "kubectl config view --flatten": "read ~/.kube/config | note keys of the cluster #secret.print",
    "kubectl config use-context prod": "change kubernetes settings of this user #cloud.login | write ~/.kube/config",
    "kubectl cluster-info": "reach kubernetes cluster #cloud.read",
    "kubectl auth can-i create pods": "reach kubernetes cluster #cloud.read",
    "kubectl diff -f a": "reach kubernetes cluster #cloud.read | read a/**",
    "kubectl apply -f docs -R": "send kubernetes cluster #cloud.change | read docs/**",
    "kubectl apply -f https://example.com/a.yaml": "send kubernetes cluster #cloud.change"
    " | reach https://example.com/a.yaml",
    "kubectl apply -f a --dry-run=client": "reach kubernetes cluster #cloud.read | read a/**",
    "kubectl apply -k docs": "send kubernetes cluster #cloud.change | read docs/**"
    " | gap kubectl apply: a kustomization may fetch what it names",
    "kubectl apply -f -": "send kubernetes cluster #cloud.change | maybe read -/**",
    "kubectl create secret generic s --from-literal=a=b": "send kubernetes cluster #cloud.change",
    "kubectl create cm x --from-file=data.txt": "send kubernetes cluster #cloud.change | read data.txt/**",
    "kubectl delete pod web": "send kubernetes cluster #cloud.destroy",
    "kubectl delete ns prod --force": "send kubernetes cluster #cloud.destroy",
    "kubectl drain node1 --ignore-daemonsets": "send kubernetes cluster #cloud.destroy",
    "kubectl scale deploy web --replicas=3": "send kubernetes cluster #cloud.change",
    "kubectl rollout status deploy/web": "reach kubernetes cluster #cloud.read",
    "kubectl rollout restart deploy/web": "send kubernetes cluster #cloud.change",
    "kubectl exec web -- env": "send kubernetes cluster #cloud.exec | run env (in web) #program"
    " | note the environment inside #environment.inside",
    "kubectl exec -it web -- sh -c 'cat /etc/passwd'": "send kubernetes cluster #cloud.exec"
    " | run sh -c 'cat /etc/passwd' (in web) #program",
    "kubectl cp web:/var/log/x a": "send kubernetes cluster #cloud.change | write a/**",
    "kubectl cp src web:/app": "send kubernetes cluster #cloud.change | read src/**",
    "kubectl port-forward svc/web 8080:80": "reach kubernetes cluster #cloud.read"
    " | change a port that leads to the cluster #cloud.forward",
    "kubectl --kubeconfig=a get pods": "read a #credential.use | reach kubernetes cluster #cloud.read | gap kubectl:"
    " a kubeconfig may name programs to run",
    "kubectl -s https://192.0.2.1 get pods": "reach https://192.0.2.1 | reach kubernetes cluster #cloud.read",
    "kubectl edit deploy web": "run kubectl edit #program | gap kubectl: subcommand edit is not known",
    "kubectl run x --image=alpine": "run kubectl run #program | gap kubectl: subcommand run is not known",
    "kubectl kustomize docs": "read docs/** | gap kubectl kustomize: a kustomization may fetch what it names",
    "kubectl version --client": "note kubectl version",
    "oc whoami": "reach kubernetes cluster #cloud.read",
    "kind get clusters": "note kind get clusters",
    "kind delete cluster --name x": "change kubernetes cluster #docker.destroy"
    " | write ~/.kube/config #credential.entry",
    "minikube status": "note minikube status",
    "minikube update-check": "reach the makers of minikube #cloud.read",
    "k3d cluster list": "note k3d cluster list",
    "k3d version ls k3s": "note k3d version | gap k3d version: `ls` is one word too many"
    " | gap k3d version: `k3s` is one word too many",
    "argocd app list": "reach Argo CD #cloud.read",
    "argocd app delete x": "send Argo CD #cloud.destroy",
    "flux get kustomizations": "reach kubernetes cluster #cloud.read",
    "istioctl version": "reach kubernetes cluster #cloud.read",
    "istioctl analyze a": "reach kubernetes cluster #cloud.read | read a",
    "stern web -n prod": "reach kubernetes cluster #cloud.read",
    "kubectx prod": "change kubernetes settings of this user #cloud.login | write ~/.kube/config",
    "kubens": "note kubens",
    "k9s": "send kubernetes cluster #cloud.change | gap k9s: an interactive program can do anything in the cluster",
}
