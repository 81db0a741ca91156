"""Command lines of hosting and cloud providers other than the three big ones."""

from __future__ import annotations

from assent.commands.config_files import DOCKER, KUBECONFIG, NETRC
from assent.commands.program import Program
from assent.commands.projects import defined
from assent.commands.verbs import Service, by_verb
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SHOWING = (
    "-o,--output= --format= --json --no-header -q,--quiet --verbose -h,--help --context= -c= --page= --limit="
    " --columns="
    " --region= --no-color"
)


def _service(service: Service) -> Callable[[Args], Iterator[Fact]]:
    def stated(args: Args) -> Iterator[Fact]:
        yield from by_verb(args, service)

    return stated


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DIGITALOCEAN = Service(
    "DigitalOcean",
    groups=_words(
        "account auth balance compute droplet image volume domain records load-balancer firewall ssh-key snapshot"
        " region size"
        " kubernetes cluster node-pool kubeconfig databases apps registry repository vpcs projects serverless functions"
        " monitoring 1-click certificate cdn reserved-ip tag invoice billing-history db pool user replica"
    ),
    looks=_words("get-upgrades list-tags list-deployments get-deployment ratelimit list-manifests list-regions"),
    changes=_words("create-deployment garbage-collection"),
    here=_words("version"),
    secrets=(
        "kubernetes cluster kubeconfig show",
        "databases connection",
        "databases replica connection",
        "databases user get",
        "databases user list",
        "registry docker-config",
        "auth token",
    ),
    settings=(
        *("auth init", "auth switch", "auth remove", "registry login", "registry logout"),
        *("kubernetes cluster kubeconfig save", "kubernetes cluster kubeconfig remove"),
    ),
    remote=("compute ssh", "sandbox", "serverless"),
    kept={
        "": ("~/.config/doctl/config.yaml",),
        "kubernetes cluster kubeconfig": (KUBECONFIG,),
        "kubernetes cluster create": (KUBECONFIG,),
        "registry login": (DOCKER,),
        "registry logout": (DOCKER,),
    },
)
HETZNER = Service(
    "Hetzner Cloud",
    groups=_words(
        "server image network volume firewall floating-ip primary-ip load-balancer ssh-key certificate datacenter"
        " location"
        " server-type iso placement-group all load-balancer-type"
    ),
    changes=_words("poweron poweroff shutdown reboot rebuild add-label remove-label change-type attach-to-network"),
    destroys=_words("reset-password"),
    here=_words("version"),
    settings=("context",),
    remote=("server ssh", "server request-console"),
    kept={"": ("~/.config/hcloud/cli.toml",)},
)
LINODE = Service(
    "Linode",
    groups=_words(
        "linodes volumes domains nodebalancers lke images regions account profile firewalls databases object-storage"
        " events"
        " stackscripts vpcs tags tickets longview networking placement kernels"
    ),
    looks=_words(
        "view types clusters-list cluster-view pools-list records-list invoices-list buckets-list settings"
        " clusters-ls nodes-list configs-list disks-list ips-list view-alert"
    ),
    changes=_words("boot shutdown reboot rebuild cluster-create pool-create records-create"),
    destroys=_words("cluster-delete pool-delete records-delete disk-delete config-delete"),
    here=_words("version"),
    secrets=("lke kubeconfig-view", "databases mysql-creds-view", "databases postgresql-creds-view"),
    settings=("configure", "set-user", "remove-user"),
    remote=("ssh", "obj"),
    kept={"": ("~/.config/linode-cli",)},
)
OPENSTACK = Service(
    "OpenStack",
    groups=_words(
        "server image flavor network subnet router port volume keypair project user role security floating ip compute"
        " service endpoint catalog stack container object quota hypervisor availability zone limits group rule region"
        " domain"
        " aggregate host agent usage"
    ),
    changes=_words("pause unpause suspend resume rebuild lock unlock save"),
    here=_words("version"),
    secrets=("token issue", "credential show"),
    remote=("server ssh",),
)
IBM = Service(
    "IBM Cloud",
    groups=_words(
        "account resource service-instances groups target is ks cluster ca worker cr ce cdn iam plugin dev app project"
        " ob logs"
    ),
    looks=_words(
        "regions instances service-instances resource-groups images vpcs subnets namespaces clusters keys zones"
    ),
    here=_words("version"),
    settings=("login", "logout", "target", "config", "api"),
    remote=("plugin", "update"),
    kept={"": ("~/.bluemix/config.json",), "cr login": (DOCKER,), "ks cluster config": (KUBECONFIG,)},
)
ORACLE = Service(
    "Oracle Cloud",
    groups=_words(
        "compute instance image shape iam compartment user group policy region availability-domain os bucket object"
        " network"
        " vcn subnet security-list db system database autonomous-database bv volume ce cluster node-pool lb"
        " load-balancer"
        " search resource audit event limits monitoring metric-data logging ns"
    ),
    looks=_words("list-vnics get-namespace head summarize-metrics-data structured-search"),
    changes=_words("launch action put"),
    destroys=_words("bulk-delete"),
    settings=("setup", "session"),
    secrets=("secrets", "kms", "ce cluster generate-token", "iam auth-token"),
    kept={"": ("~/.oci/config",), "ce cluster create-kubeconfig": (KUBECONFIG,)},
)
HEROKU = Service(
    "Heroku",
    groups=frozenset(),
    looks=_words(
        "apps apps:info addons addons:info addons:plans auth:whoami access buildpacks certs certs:info ci:info domains"
        " domains:info drains features features:info keys labs members maintenance orgs pipelines pipelines:info ps"
        " ps:type regions releases releases:info releases:output reviewapps sessions spaces spaces:info stack status"
        " teams"
        " webhooks pg pg:info pg:ps pg:locks pg:backups pg:diagnose pg:bloat pg:outliers redis redis:info whoami"
        " builds logs"
    ),
    changes=_words(
        "apps:create create apps:rename config:set config:unset ps:scale ps:resize ps:restart restart ps:stop ps:kill"
        " releases:rollback rollback addons:create addons:attach domains:add certs:add maintenance:on maintenance:off"
        " pg:promote pg:backups:capture features:enable features:disable buildpacks:set buildpacks:add"
        " pipelines:promote container:push container:release access:add members:add"
    ),
    destroys=_words(
        "apps:destroy destroy addons:destroy domains:remove domains:clear pg:reset pg:backups:restore"
        " certs:remove pipelines:destroy access:remove members:remove pg:backups:delete container:rm"
    ),
    uploads=frozenset({"container:push"}),
    here=frozenset({"version", "help …", "plugins", "commands"}),
    secrets=(
        "config",
        "config:get",
        "auth:token",
        "pg:credentials",
        "pg:credentials:url",
        "redis:credentials",
        "config:edit",
    ),
    settings=("login", "logout", "auth:login", "auth:logout", "container:login", "git:remote"),
    remote=("run", "run:detached", "ps:exec", "ps:copy", "pg:psql", "redis:cli", "local", "plugins:install", "update"),
    kept={"": (NETRC,), "container:login": (DOCKER,), "git:remote": (".git/config",)},
)
FLY = Service(
    "Fly.io",
    groups=_words(
        "apps app machine machines m volumes volume vol ips ip secrets secret certs cert postgres pg redis orgs"
        " platform"
        " regions releases checks image scale autoscale auth tokens wireguard registry storage extensions consul"
        " litefs-cloud"
    ),
    looks=_words("services vm-sizes whoami doctor check docs"),
    uploads=frozenset({"deploy", "launch"}),
    changes=_words(
        "clone allocate-v4 allocate-v6 cordon uncordon extend fork vm count memory launch suspend resume open"
    ),
    destroys=_words("release unset kill"),
    here=_words("version"),
    secrets=("auth token", "tokens create", "tokens deploy"),
    settings=("auth login", "auth logout", "auth signup", "login", "logout"),
    remote=(
        "ssh",
        "console",
        "proxy",
        "sftp",
        "machine exec",
        "machine run",
        "m run",
        "m exec",
        "postgres connect",
        "pg connect",
        "agent",
        "settings",
        "wireguard",
    ),
    kept={"": ("~/.fly/config.yml",), "auth docker": (DOCKER,)},
)
VERCEL = Service(
    "Vercel",
    groups=_words("domains dns certs alias project projects teams team secrets env integration blob cache"),
    looks=_words("inspect whoami logs ls list"),
    changes=_words("deploy redeploy bisect"),
    uploads=frozenset({"deploy", ""}),
    here=frozenset({"version", "help …"}),
    secrets=("env pull",),
    settings=("login", "logout", "link", "switch", "pull"),
    remote=("dev", "build", "bisect"),
    kept={
        "": ("~/.local/share/com.vercel.cli/auth.json",),
        "link": (".vercel/project.json",),
        "pull": (".vercel/project.json", ".vercel/.env.development.local"),
        "env pull": (".env.local",),
    },
)
NETLIFY = Service(
    "Netlify",
    groups=_words("sites env functions addons blobs recipes lm"),
    looks=_words("status sites:list functions:list logs:function logs:deploy api-list watch"),
    uploads=frozenset({"deploy"}),
    changes=_words(
        "deploy build:remote sites:create sites:update env:set env:unset env:import addons:create functions:create"
    ),
    destroys=_words("sites:delete addons:delete blobs:delete"),
    here=frozenset({"version", "help …"}),
    secrets=("env:list", "env:get"),
    settings=("login", "logout", "link", "unlink", "switch", "init"),
    remote=("dev", "build", "functions:invoke", "functions:serve", "serve", "api"),
    kept={
        "": ("~/.config/netlify/config.json",),
        "link": (".netlify/state.json",),
        "unlink": (".netlify/state.json",),
        "init": (".netlify/state.json", "netlify.toml"),
    },
)
WRANGLER = Service(
    "Cloudflare",
    groups=_words(
        "kv namespace key bulk r2 bucket object d1 migrations queues deployments versions secret pages deployment"
        " project"
        " dispatch-namespace hyperdrive vectorize ai models workflows instances pipelines kv:namespace kv:key kv:bulk"
    ),
    looks=_words("whoami tail view time-travel"),
    uploads=frozenset({"deploy", "publish"}),
    changes=_words("put bulk-put rollback"),
    here=_words("version"),
    secrets=("kv key get", "kv:key get", "auth"),
    settings=("login", "logout"),
    remote=("dev", "pages dev", "d1 execute", "d1 export", "init", "generate", "r2 object get"),
    kept={"": ("~/.config/.wrangler/config/default.toml",)},
)
FIREBASE = Service(
    "Firebase",
    groups=frozenset(),
    looks=_words(
        "projects:list apps:list functions:list functions:log hosting:sites:list hosting:channel:list database:get"
        " firestore:indexes firestore:databases:list ext:list remoteconfig:get target"
    ),
    uploads=frozenset({"deploy", "hosting:channel:deploy"}),
    changes=_words(
        "deploy hosting:channel:deploy hosting:channel:create hosting:clone database:set database:update"
        " functions:config:set functions:secrets:set projects:create apps:create auth:import"
    ),
    destroys=_words("firestore:delete functions:delete hosting:disable hosting:channel:delete database:remove"),
    here=frozenset({"help …"}),
    secrets=(
        "functions:config:get",
        "functions:secrets:access",
        "apps:sdkconfig",
        "auth:export",
        "login:ci",
        "login:list",
    ),
    settings=("login", "logout", "login:add", "login:use", "init", "use"),
    remote=("emulators:start", "emulators:exec", "serve", "functions:shell", "experiments:enable"),
    kept={
        "": ("~/.config/configstore/firebase-tools.json",),
        "init": ("firebase.json", ".firebaserc"),
        "use": (".firebaserc", "~/.config/configstore/firebase-tools.json"),
    },
)
SUPABASE = Service(
    "Supabase",
    groups=_words("projects orgs functions secrets db migration branches storage gen domains network-bans inspect sso"),
    looks=_words("status"),
    changes=_words("repair up squash new"),
    destroys=_words("down reset"),
    secrets=("projects api-keys", "status"),
    settings=("login", "logout", "link", "unlink", "init"),
    remote=(
        "start",
        "stop",
        "functions serve",
        "functions new",
        "db start",
        "db diff",
        "db dump",
        "db pull",
        "db lint",
        "db reset",
        "db push",
        "gen",
        "test",
        "storage",
    ),
    kept={
        "": ("~/.supabase/access-token",),
        "link": ("supabase/.temp/project-ref",),
        "unlink": ("supabase/.temp/project-ref",),
        "init": ("supabase/config.toml",),
    },
)
RAILWAY = Service(
    "Railway",
    groups=_words("environment service volume domain"),
    looks=_words("whoami"),
    changes=_words("up redeploy"),
    uploads=frozenset({"up"}),
    destroys=_words("down"),
    secrets=("variables",),
    settings=("login", "logout", "link", "unlink", "init"),
    remote=("run", "shell", "ssh", "connect"),
    kept={"": ("~/.railway/config.json",)},
)


def _wrangler(args: Args) -> Iterator[Fact]:
    """`types` writes declarations, which it makes from what the project says and runs."""
    words = args.operands
    if words and words[0].value == "types":
        yield from args.file("write", words[1] if len(words) > 1 else WORKER_TYPES)
        yield from defined(args, "wrangler types", ("wrangler.toml", "wrangler.json", "wrangler.jsonc"), "--config")
        return
    yield from by_verb(args, WRANGLER)


WORKER_TYPES = Word("worker-configuration.d.ts", "worker-configuration.d.ts")
APP = (
    " -a,--app= -r,--remote= -n,--num= --tail -p,--ps= -s,--source= --dyno-name= --confirm= -x,--extended"
    " --all -A --process-type="
)
UPLOADING = (
    " --prod -y,--yes --prebuilt --force --scope= --token= --name= -m,--message= --only= --except= -P,--project="
    " --config= -e,--env="
)


def _program(service: Service, options: str = "") -> Program:
    return Program(SHOWING + options, "text*", more=_service(service))


FLY_OPTIONS = (
    " -a,--app= -c,--config=read -y,--yes --now --image= --dockerfile=read --ha[=] --remote-only --local-only"
    " --strategy="
    " --machine= --stage -o,--org="
)
PROGRAMS = {
    "doctl": _program(
        DIGITALOCEAN,
        " -t,--access-token= --interactive[=] --tag-name= --size= --image= --ssh-keys= -f,--force --type= --follow",
    ),
    "hcloud": _program(HETZNER, " -l,--selector= -s,--sort= --name= --type= --image= --ssh-key= --location="),
    "linode-cli": _program(
        LINODE, " --text --all --delimiter= --suppress-warnings --label= --type= --image= --root_pass="
    ),
    "openstack": _program(
        OPENSTACK,
        " -f= --os-cloud= --all-projects --human-readable --long -c= --fit-width --flavor= --image= --network= --name="
        " --status= --project= --host=",
    ),
    "ibmcloud": _program(IBM, " --all --cluster= --unset"),
    "oci": _program(
        ORACLE, " -c,--compartment-id= --profile= --all --query= --sort-by= --instance-id= --bucket-name= --namespace="
    ),
    "heroku": _program(HEROKU, APP),
    "fly": _program(FLY, FLY_OPTIONS),
    "flyctl": _program(FLY, FLY_OPTIONS),
    "vercel": _program(VERCEL, UPLOADING),
    "netlify": _program(NETLIFY, UPLOADING + " -d,--dir=tree --site="),
    "wrangler": Program(
        f"{SHOWING}{UPLOADING} --binding= --namespace-id= --preview --remote --dry-run --outdir=into --text --pretty",
        "text*",
        more=_wrangler,
    ),
    "firebase": _program(
        FIREBASE, UPLOADING + " --non-interactive --debug --shallow --pretty -r,--recursive --all-collections"
    ),
    "supabase": _program(SUPABASE, " --project-ref= --debug --linked --local --workdir= --no-verify-jwt"),
    "railway": _program(RAILWAY, " -s,--service= -e,--environment= -d,--deployment --detach -y,--yes -b,--build"),
}

EXAMPLES = {
    "doctl compute droplet list": "reach DigitalOcean #cloud.read",
    "doctl compute droplet delete 1 -f": "send DigitalOcean #cloud.destroy",
    "doctl auth init": "change settings for DigitalOcean #cloud.login | write ~/.config/doctl/config.yaml",
    "hcloud server list -o json": "reach Hetzner Cloud #cloud.read",
    "hcloud server delete x": "send Hetzner Cloud #cloud.destroy",
    "hcloud server ssh x": "send Hetzner Cloud #cloud.change | run hcloud server ssh #program"
    " | gap hcloud: it runs commands of its own or on another machine",
    "linode-cli linodes list": "reach Linode #cloud.read",
    "linode-cli linodes delete 1": "send Linode #cloud.destroy",
    "openstack server list": "reach OpenStack #cloud.read",
    "openstack image show --human-readable x": "reach OpenStack #cloud.read",
    "ibmcloud api --unset": "change settings for IBM Cloud #cloud.login | write ~/.bluemix/config.json",
    "ibmcloud ks cluster ca status --cluster x": "reach IBM Cloud #cloud.read",
    "ibmcloud regions": "reach IBM Cloud #cloud.read",
    "openstack server delete x": "send OpenStack #cloud.destroy",
    "openstack token issue": "reach OpenStack #secret.print",
    "ibmcloud ks cluster rm x": "send IBM Cloud #cloud.destroy",
    "oci os bucket list": "reach Oracle Cloud #cloud.read",
    "heroku apps": "reach Heroku #cloud.read",
    "heroku logs --tail -a app": "reach Heroku #cloud.read",
    "heroku git:remote -a app": "change settings for Heroku #cloud.login | write .git/config",
    "heroku help apps": "note heroku",
    "heroku config -a app": "reach Heroku #secret.print",
    "heroku run bash": "send Heroku #cloud.change | run heroku run #program"
    " | gap heroku: it runs commands of its own or on another machine",
    "heroku apps:destroy app --confirm app": "send Heroku #cloud.destroy",
    "fly version": "note fly",
    "fly version upgrade": "send Fly.io #cloud.change",
    "fly status": "reach Fly.io #cloud.read",
    "fly deploy --remote-only": "read ./** | send Fly.io #cloud.change",
    "fly ssh console": "send Fly.io #cloud.change | run fly ssh #program"
    " | gap fly: it runs commands of its own or on another machine",
    "fly secrets list": "reach Fly.io #cloud.read",
    "fly apps destroy x": "send Fly.io #cloud.destroy",
    "flyctl logs": "reach Fly.io #cloud.read",
    "vercel ls": "reach Vercel #cloud.read",
    "vercel --prod": "read ./** | send Vercel #cloud.change",
    "vercel deploy --prod": "read ./** | send Vercel #cloud.change",
    "vercel rm x": "send Vercel #cloud.destroy",
    "vercel env pull": "reach Vercel #secret.print | write .env.local",
    "vercel": "read ./** | send Vercel #cloud.change",
    "vercel docs": "send Vercel #cloud.change | gap vercel: `docs` is not a command we know",
    "wrangler -e list deploy": "read ./** | send Cloudflare #cloud.change",
    "netlify status": "reach Netlify #cloud.read",
    "netlify deploy --prod --dir docs": "read docs/** | read ./** | send Netlify #cloud.change",
    "wrangler types": "write worker-configuration.d.ts | run wrangler types #project",
    "wrangler types out.d.ts": "write out.d.ts | run wrangler types #project",
    "wrangler whoami": "reach Cloudflare #cloud.read",
    "wrangler deploy": "read ./** | send Cloudflare #cloud.change",
    "wrangler kv key delete x": "send Cloudflare #cloud.destroy",
    "firebase projects:list": "reach Firebase #cloud.read",
    "firebase deploy --only hosting": "read ./** | send Firebase #cloud.change",
    "firebase firestore:delete x": "send Firebase #cloud.destroy",
    "supabase projects list": "reach Supabase #cloud.read",
    "supabase db reset": "send Supabase #cloud.destroy | run supabase db reset #program"
    " | gap supabase: it runs commands of its own or on another machine",
    "railway status": "reach Railway #cloud.read",
    "railway up": "read ./** | send Railway #cloud.change",
    "railway variables": "reach Railway #secret.print",
    "doctl databases replica list x": "reach DigitalOcean #cloud.read",
    "doctl kubernetes cluster get-upgrades x": "reach DigitalOcean #cloud.read",
    "linode-cli object-storage keys create --label x": "send Linode #cloud.change | gap linode-cli: `keys` is not"
    " a command we know",
}
