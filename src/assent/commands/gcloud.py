"""Google Cloud and Azure: gcloud, gsutil, bq, az. Nouns and a verb, and files that some commands copy."""

from __future__ import annotations

from assent.commands.config_files import AZURE_CONFIG, DOCKER, GCLOUD_CONFIG, GCLOUD_TOKENS, KUBECONFIG
from assent.commands.nested import does, nested
from assent.commands.program import Program, turns_off
from assent.commands.sql import served
from assent.commands.verbs import Service, by_verb
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

GOOGLE = Service(
    "Google Cloud",
    groups=frozenset(
        "alpha beta compute instances disks images networks subnets firewall-rules addresses forwarding-rules snapshots"
        " instance-groups managed unmanaged instance-templates machine-types zones regions routers routes"
        " ssl-certificates"
        " target-pools backend-services health-checks url-maps project-info projects organizations folders iam roles"
        " service-accounts keys workload-identity-pools providers container clusters node-pools operations"
        " run services revisions jobs executions functions app versions instances logs browse-logs builds triggers"
        " artifacts repositories docker packages images tags sql databases users backups storage buckets objects pubsub"
        " topics subscriptions snapshots secrets versions kms keyrings dns managed-zones record-sets logging sinks"
        " metrics"
        " monitoring dashboards policies channels config configurations components auth application-default billing"
        " accounts deploy releases rollouts delivery-pipelines eventarc scheduler tasks queues redis memcache spanner"
        " bigtable dataflow dataproc ai endpoints models custom-jobs endpoints source repos firestore indexes filestore"
        " workflows composer environments".split()
    ),
    looks=frozenset(
        "read get-server-config get-iam-policy get-value list-tags log search validate print-settings check"
        " tail".split()
    ),
    changes=frozenset(
        "set-iam-policy add-iam-policy-binding remove-iam-policy-binding add-tags add-metadata update-traffic"
        " set-default-service seek pull ack".split()
    ),
    here=frozenset(
        {
            "config list …",
            "config get-value …",
            "config get …",
            "config configurations list",
            "config configurations describe …",
        }
        | {"auth list", "version", "info", "help …", "topic …", "cheat-sheet"}
    ),
    secrets=(
        "auth print-access-token",
        "auth print-identity-token",
        "auth print-refresh-token",
        "secrets versions access",
        "auth application-default print-access-token",
        "kms decrypt",
        "iam service-accounts keys create",
        "sql generate-login-token",
        "config config-helper",
    ),
    settings=(
        "config set",
        "config unset",
        "config configurations create",
        "config configurations activate",
        "config configurations delete",
        "auth login",
        "auth revoke",
        "auth configure-docker",
        "auth application-default",
        "auth activate-service-account",
        "init",
        "container clusters get-credentials",
    ),
    remote=(
        "compute ssh",
        "compute scp",
        "app instances ssh",
        "components",
        "cloud-shell",
        "beta emulators",
        "emulators",
    ),
    kept={
        "": (GCLOUD_CONFIG,),
        "auth configure-docker": (DOCKER,),
        "container clusters get-credentials": (KUBECONFIG,),
        "compute config-ssh": ("~/.ssh/config",),
    },
    shown={
        "auth print-access-token": (GCLOUD_TOKENS,),
        "auth print-identity-token": (GCLOUD_TOKENS,),
        "auth print-refresh-token": (GCLOUD_TOKENS,),
        "auth application-default print-access-token": (GCLOUD_TOKENS,),
        "config config-helper": (GCLOUD_TOKENS,),
    },
)
AZURE = Service(
    "Azure",
    groups=frozenset(
        "account group vm vmss disk image snapshot network vnet subnet nsg rule public-ip nic lb aks nodepool acr"
        " repository storage blob container share queue table file webapp config appsettings functionapp appservice"
        " plan"
        " deployment sub keyvault secret key certificate sql db server postgres flexible-server mysql cosmosdb redis"
        " monitor metrics activity-log log-analytics workspace ad user app sp signed-in-user role assignment definition"
        " resource tag provider policy lock identity extension cloud bicep devops pipelines repos pr boards work-item"
        " advisor recommendation sshkey containerapp revision logs env eventhubs namespace servicebus dns zone"
        " record-set cognitiveservices ml iot hub feature consumption usage".split()
    ),
    looks=frozenset(
        "list-locations list-sizes list-skus list-usage list-ip-addresses get-instance-view show-tags show-manifests"
        " list-definitions exists check-name list-versions get-versions list-runtimes show-details"
        " download query".split()
    ),
    changes=frozenset("add-value deallocate generalize capture redeploy open-port up".split()),
    destroys=frozenset("remove-value delete-batch purge-deleted".split()),
    here=frozenset(
        {"version", "account show", "account list", "extension list", "cloud list", "cloud show", "bicep version"}
    ),
    secrets=(
        "account get-access-token",
        "keyvault secret show",
        "keyvault secret download",
        "storage account keys",
        "storage account show-connection-string",
        "acr credential",
        "acr login",
        "aks get-credentials",
        "redis list-keys",
        "cosmosdb keys",
        "ad sp create-for-rbac",
        "ad sp credential",
        "ad app credential",
        "webapp config appsettings list",
        "functionapp config appsettings list",
        "cognitiveservices account keys",
        "keyvault key download",
        "webapp deployment list-publishing-profiles",
        "functionapp keys",
    ),
    settings=(
        "login",
        "logout",
        "account set",
        "account clear",
        "config set",
        "configure",
        "cloud set",
        "extension add",
    ),
    remote=("vm run-command", "ssh", "interactive", "webapp ssh", "container exec", "containerapp exec", "extension"),
    kept={
        "": (AZURE_CONFIG,),
        "aks get-credentials": (KUBECONFIG,),
        "acr login": (DOCKER,),
        "ssh config": ("~/.ssh/config",),
        "extension": ("~/.azure/cliextensions",),
    },
    shown={"account get-access-token": ("~/.azure/msal_token_cache.json",)},
)


@turns_off("--source --image")
def _gcloud(args: Args) -> Iterator[Fact]:
    path = [word.value for word in args.operands]
    if path[:1] == ["storage"] and path[1:2] and path[1] in ("cp", "mv", "rsync", "cat", "rm", "ls"):
        yield from _storage(args, path[1] or "", args.operands[2:])
        return
    if path[:2] in (["components", "update"], ["components", "install"]):
        yield args.effect("reach", "Google Cloud", "pkg.install")
        yield args.effect("change", "parts of gcloud", "pkg.install")
        return
    if path == ["components", "list"]:
        yield args.effect("reach", "Google Cloud", "cloud.read")
        return
    yield from by_verb(args, GOOGLE)
    for option, reader in (("--ciphertext-file", "decrypt"), ("--plaintext-file", "encrypt")):
        for word in args.values(option):
            yield from args.file("read" if reader in path else "write", word)
    for word in args.values("--source"):
        yield from args.file("read", word, deep=True)
    if path[:2] in (["builds", "submit"], ["functions", "deploy"], ["run", "deploy"], ["app", "deploy"]):
        named = args.operands[2:] if path[0] in ("builds", "app") else []
        if not args.has("--source", "--image"):
            yield from args.file("read", named[0] if named else Word(".", "."), deep=True)


def _storage(args: Args, verb: str, words: list[Word]) -> Iterator[Fact]:
    """Copying between here and a bucket; `-` is standard input or output."""
    deep = verb == "rsync" or args.has("-r", "-R")
    if verb == "rm":
        yield args.effect("send", "Google Cloud", "cloud.destroy")
        return
    if verb in ("ls", "cat"):
        yield args.effect("reach", "Google Cloud", "cloud.read")
        return
    up = bool(words) and (words[-1].value or "").startswith("gs://")
    erases = args.has("-d", "--delete-unmatched-destination-objects")
    code = "cloud.destroy" if up and erases else "cloud.change" if up else "cloud.read"
    yield args.effect("send" if up else "reach", "Google Cloud", code)
    for at, word in enumerate(words):
        if (word.value or "").startswith("gs://"):
            if verb == "mv" and at < len(words) - 1:
                yield args.effect("send", "Google Cloud", "cloud.destroy")
        elif at < len(words) - 1:
            yield from args.file("read", word, deep=deep)
            yield from args.file("delete", word, deep=deep, code="move") if verb == "mv" else ()
        else:
            yield from args.file("write", word, deep=deep)
            yield from args.file("delete", word, deep=True) if erases else ()


def _gsutil(args: Args) -> Iterator[Fact]:
    yield from _storage(args, args.name.rpartition(" ")[2], args.operands)


def _azure(args: Args) -> Iterator[Fact]:
    yield from by_verb(args, AZURE)
    downloads = any(word.value == "download" for word in args.operands)
    for option in ("--file", "--source", "--template-file"):
        for word in args.values(option):
            yield from args.file("write" if downloads else "read", word, deep=option == "--source")
    for word in args.values("--parameters"):
        if "=" not in (word.value or "=") and "@" not in (word.value or ""):
            yield from args.file("read", word)
    for word in (*(found for values in args.given.values() for found in values), *args.operands):
        if (word.value or "").startswith("@"):
            yield from args.file("read", Word(word.text, (word.value or "")[1:]))
        elif "=@" in (word.value or ""):
            yield args.gap("a value names a file")


def _query(args: Args) -> Iterator[Fact]:
    """`bq query SQL`."""
    yield args.effect("reach", "BigQuery", "db.read")
    for word in args.operands:
        yield from served(args, word.value, "BigQuery")
    if not args.operands:
        yield args.gap("the query comes from standard input")


GCLOUD = (
    "--account= --billing-project= --configuration= --format= --filter= --limit= --page-size= --sort-by= --uri"
    " --impersonate-service-account= --project= -q,--quiet --verbosity= --zone= --region= --zones= --regions= --global"
    " --location= --cluster= --namespace= --flatten= --instance= --service= --database= --topic= --subscription="
    " --organization= --folder= --keyring= --key= --secret= --repository= --gen2 --platform= --freshness= --order="
    " --show-deleted --include-tags --async --image= --tag= -t= --source= --machine-type= --num-nodes="
    " --service-account="
    " --member= --role= --memory= --cpu= --port= --allow-unauthenticated --no-allow-unauthenticated --set-env-vars="
    " --update-env-vars= --runtime= --trigger-http --entry-point= --min-instances= --max-instances= --timeout="
    " --config=read --substitutions= --promote --no-promote --version= --log-filter= --stream-logs"
    " --no-user-output-enabled"
    " --user-output-enabled -r,-R,--recursive -l,--long --delete-unmatched-destination-objects --no-clobber -n"
    " --enable --disable --display-name= --description= --labels= --network= --subnet= --tags= --metadata= -h"
    " --ciphertext-file= --plaintext-file="
)
AZ = (
    "--debug --only-show-errors -o,--output= --query= --verbose -g,--resource-group= -n,--name= --ids= --subscription="
    " -l,--location= --account-name= --container-name= -c= --vault-name= --server= --workspace= --namespace-name="
    " --org="
    " --project= --registry= --resource-type= --resource= --scope= --assignee= --role= --filter= --all --top= --expand="
    " --tags= --sku= --image= --size= --admin-username= --ssh-key-values= --generate-ssh-keys --no-wait --yes -y"
    " --tenant= --auth-mode= --file= --template-file= --parameters= --source= --overwrite --start-time= --end-time="
    " --metric= --interval= --offset= --vm-name= --vnet-name= --cluster-name= --show-details --include-deleted"
    " --account-key= --container= --file-format= --public-key= --value="
    " --prefix= --num-results= --state= --status= --id= --detect --open --version"
)
BQ = (
    "--project_id= --location= --format= -q,--quiet --dataset_id= --headless[=] --apilog=write --use_legacy_sql[=]"
    " -n,--max_results= --nouse_legacy_sql --max_rows= --dry_run[=] -a,--all -j -d --schema --view -m"
    " --maximum_bytes_billed="
)
BQ_COMMANDS = {
    "init": does("change", "settings for Google Cloud", "cloud.login", BQ, files=("~/.bigqueryrc",)),
    "ls show head version": does("reach", "BigQuery", "db.read", BQ),
    "query": Program(BQ, "text?", more=_query),
    "mk update insert cp": does("send", "BigQuery", "db.change", BQ),
    "rm": does("send", "BigQuery", "db.drop", BQ + " -r,--recursive -f,--force -t,--table"),
    "load": Program(
        BQ + " --source_format= --autodetect[=] --replace --skip_leading_rows=",
        "text tree text?",
        does=(("send", "BigQuery", "db.change"),),
    ),
    "extract": Program(
        BQ + " --destination_format= --compression=", "text text", does=(("send", "Google Cloud", "cloud.change"),)
    ),
}
GS_OWN = "-m -q"
GS = "-r,-R -n -a -e -P -l -h -d -c -f -v -x="
GSUTIL = {
    "config": does("change", "settings for Google Cloud", "cloud.login", "-a -b -e -f -o= -r -w", files=("~/.boto",)),
    "cp mv rsync cat ls rm": Program(GS, "text*", more=_gsutil),
    "du stat hash version": does("reach", "Google Cloud", "cloud.read", "-s -h -c -a -l"),
    "mb": does("send", "Google Cloud", "cloud.change", "-l= -c= -p= -b="),
    "rb": does("send", "Google Cloud", "cloud.destroy", "-f"),
    "signurl": does("note", "a key to a stored file", "secret.print", "-d= -m= -r="),
}

PROGRAMS = {
    "gcloud": Program(GCLOUD, "text*", more=_gcloud),
    "gsutil": Program(GS_OWN, commands=nested(GSUTIL), style="bare"),
    "bq": Program(BQ, commands=nested(BQ_COMMANDS), style="bare"),
    "az": Program(AZ, "text*", more=_azure),
}

EXAMPLES = {
    "gcloud config list": "note gcloud",
    "gcloud auth list": "note gcloud",
    "gcloud config get-value project": "note gcloud",
    "gcloud help compute": "note gcloud",
    "gcloud components list": "reach Google Cloud #cloud.read",
    "gcloud version x": "send Google Cloud #cloud.change | gap gcloud: `x` is not a command we know",
    "bq --apilog=out ls": "write out | reach BigQuery #db.read",
    "gcloud projects list --format=json": "reach Google Cloud #cloud.read",
    "gcloud compute instances list --filter='status=RUNNING'": "reach Google Cloud #cloud.read",
    "gcloud compute instances describe vm1 --zone europe-west1-b": "reach Google Cloud #cloud.read",
    "gcloud compute instances delete vm1": "send Google Cloud #cloud.destroy",
    "gcloud compute instances delete list": "send Google Cloud #cloud.destroy",
    "gcloud frobnicate list": "send Google Cloud #cloud.change | gap gcloud: `frobnicate` is not a command we know",
    "gcloud run deploy app --image gcr.io/x/y": "send Google Cloud #cloud.change",
    "gcloud run deploy list": "send Google Cloud #cloud.change | read ./**",
    "gcloud beta run deploy list --source docs": "send Google Cloud #cloud.change | read docs/**",
    "gcloud run services list": "reach Google Cloud #cloud.read",
    "gcloud builds submit --tag gcr.io/x/y": "send Google Cloud #cloud.change | read ./**",
    "gcloud auth print-access-token": "reach Google Cloud #secret.print | read ~/.config/gcloud/access_tokens.db",
    "gcloud secrets versions access latest --secret=x": "reach Google Cloud #secret.print",
    "gcloud kms decrypt --key=k --keyring=r --location=global --ciphertext-file=a --plaintext-file=b": "reach"
    " Google Cloud #secret.print | read a | write b",
    "gcloud compute ssh vm1": "send Google Cloud #cloud.change | run gcloud compute ssh #program"
    " | gap gcloud: it runs commands of its own or on another machine",
    "gcloud config set project x": "change settings for Google Cloud #cloud.login | write"
    " ~/.config/gcloud/configurations",
    "gcloud container clusters get-credentials x": "change settings for Google Cloud #cloud.login | write"
    " ~/.kube/config",
    "gcloud compute instances list --flags-file=a": "reach Google Cloud #cloud.read"
    " | gap gcloud: option --flags-file is not known",
    "gcloud logging read 'severity>=ERROR' --limit 10": "reach Google Cloud #cloud.read",
    "gcloud storage cp a gs://b/a": "send Google Cloud #cloud.change | read a",
    "gcloud storage rm gs://b/a": "send Google Cloud #cloud.destroy",
    "gsutil ls gs://b": "reach Google Cloud #cloud.read",
    "gsutil -m cp -r docs gs://b": "send Google Cloud #cloud.change | read docs/**",
    "gsutil rsync -d docs gs://b": "send Google Cloud #cloud.destroy | read docs/**",
    "gsutil rsync -d gs://b docs": "reach Google Cloud #cloud.read | write docs/** | delete docs/**",
    "gsutil rm -r gs://b": "send Google Cloud #cloud.destroy",
    "bq ls": "reach BigQuery #db.read",
    "bq query --use_legacy_sql=false 'SELECT count(*) FROM d.t'": "reach BigQuery #db.read",
    "bq query 'DROP TABLE d.t'": "reach BigQuery #db.read | change BigQuery #db.drop",
    "bq rm -f d.t": "send BigQuery #db.drop",
    "az account show": "note az",
    "az vm list -o table": "reach Azure #cloud.read",
    "az group delete -n x --yes": "send Azure #cloud.destroy",
    "az aks get-credentials -g x -n y": "reach Azure #secret.print | write ~/.kube/config",
    "az keyvault secret show --vault-name v -n s": "reach Azure #secret.print",
    "az vm run-command invoke -g x -n y --command-id RunShellScript --scripts id": "send Azure #cloud.change | run"
    " az vm run-command #program | blind az: option --command-id is not known | gap az: option --scripts is not"
    " known | gap az: it runs commands of its own or on another machine",
    "az storage blob upload --account-name x -c y -n z --file a": "send Azure #cloud.change | read a",
    "az storage blob download --account-name x -c y -n z --file a": "reach Azure #cloud.read | write a",
    "az deployment group create -g x --template-file a --parameters @b": "send Azure #cloud.change | read a | read b",
    "az vm list @a": "reach Azure #cloud.read | read a",
    "az storage blob download --account-name x --account-key k --container-name y --name z --file a": "reach"
    " Azure #cloud.read | write a",
    "az redis export --container x --file-format y --name z --prefix p -g r": "send Azure #cloud.change",
    "az sshkey create --name x -g y --public-key @a": "send Azure #cloud.change | read a",
    "az tag remove-value --name x --value y": "send Azure #cloud.destroy",
    "az login": "change settings for Azure #cloud.login | write ~/.azure/config",
    "az frob list": "send Azure #cloud.change | gap az: `frob` is not a command we know",
    "gcloud components update --quiet": "reach Google Cloud #pkg.install | change parts of gcloud #pkg.install",
}
