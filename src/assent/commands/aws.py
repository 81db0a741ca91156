"""The AWS command line: a service, an operation, and parameters that may name files of this machine.

Its thousands of operations follow a naming rule, so their first word says whether they look, change or destroy.
"""

from __future__ import annotations

from assent.commands.args import may_be_option
from assent.commands.config_files import AWS, KUBECONFIG, NPMRC, kept
from assent.commands.nested import nested
from assent.commands.program import Program, changes, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

ACCOUNT = "AWS account"
VALUES = frozenset(
    "--profile --region --output --query --color --cli-read-timeout --cli-connect-timeout --cli-binary-format".split()
)
FLAGS = frozenset("--no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt --debug --version".split())
PLACES = {"--endpoint-url": "url", "--ca-bundle": "read"}
SHORTENED = ("--endpoint-url", "--ca-bundle", "--no-verify-ssl", "--cli-input-json", "--cli-input-yaml", "--profile")
"""Names that a parameter must not be an abbreviation of."""
LOOKING = (
    "describe-",
    "list-",
    "get-",
    "head-",
    "search-",
    "lookup-",
    "batch-get-",
    "batch-describe-",
    "filter-",
    "estimate-",
    "validate-",
    "simulate-",
    "admin-get-",
    "admin-list-",
)
LOOKS = frozenset("scan query tail wait help".split())
DESTROYING = (
    "delete-",
    "terminate-",
    "purge-",
    "deregister-",
    "destroy-",
    "batch-delete-",
    "schedule-key-deletion",
    "admin-delete-",
    "bulk-delete-",
    "force-",
    "reset-",
    "release-",
    "dispose-",
)
SECRETS = (
    "secret-value",
    "session-token",
    "federation-token",
    "login",
    "token",
    "credential",
    "password",
    "private-key",
    "api-key",
    "key-pair",
    "access-key",
    "function-configuration",
    "user-pool-client",
    "access-details",
    "auth-token",
)
"""What stands in the name of an operation that answers with a secret, whatever verb is before it."""
NAMES_ONLY = tuple(
    "list- put- tag- untag- rotate- import- enable- disable- revoke- add- remove- describe-key-pair change-".split()
)
ABOUT_SECRETS = ("-last-used", "key-pairs")
SECRET_OPERATIONS = frozenset(
    "get-function list-functions credential-helper decrypt create-access-key"
    " create-login-profile assume-role assume-role-with-saml assume-role-with-web-identity"
    " generate-db-auth-token get-instance-access-details download-default-key-pair create-key-pair".split()
)
MANY_VALUES = (
    "get-metric-",
    "get-cost-",
    "get-dimension-",
    "get-usage",
    "get-reservation-",
    "get-savings-",
    "get-products",
)
INTO_FILE = frozenset(
    "get-object get-object-torrent invoke synthesize-speech get-export get-sdk get-job-output get-thing-shadow"
    " get-package-version-asset get-media get-raw-message-content get-model-template export-bundle get-clip"
    " get-snapshot-block get-job-output get-media-for-fragment-list get-blob".split()
)
FILES = frozenset("--body --template-file --audio-stream --input-stream --input-blob --build-root".split())
"""Parameters that are names of files without `file://` in front."""
PLAIN_SETTINGS = frozenset(
    """region output cli_pager cli_timestamp_format cli_auto_prompt max_attempts retry_mode parameter_validation
    role_arn role_session_name source_profile duration_seconds mfa_serial sso_region sso_start_url sso_account_id
    sso_role_name sso_session defaults_mode sts_regional_endpoints use_fips_endpoint use_dualstack_endpoint""".split()
)
SETTINGS = "settings of the AWS command line"
REMOTE = frozenset("execute-command start-session send-command ssh socks send-ssh-public-key".split())


def _aws(args: Args) -> Iterator[Fact]:
    """Find the service and the operation; the words around them are options of every command."""
    names: list[Word] = []
    others: list[Word] = []
    skip = False
    for word in args.operands:
        value = word.value
        if skip or len(names) == 2 or (value is not None and value.startswith("-")):
            others.append(word)
            skip = not skip and len(names) < 2 and (value in VALUES or value in PLACES)
        else:
            names.append(word)
    if any(word.value is None for word in names):
        yield args.gap("the command is not known", blind=True)
        return
    path = [word.value or "" for word in names]
    if path == ["configure"]:
        yield args.effect("change", SETTINGS, "cloud.login")
        yield from kept(args, "write", *AWS)
    if path and path[0] in CUSTOM:
        from assent.commands.facts import described

        custom = CUSTOM[path[0]]
        words = (*names[1:], *others)
        yield from described(custom, f"aws {path[0]}", args.call, args.number, args.base, words, args)
        return
    if path and "help" not in path[:2]:
        yield from _operation(args, path, others)
    elif others:
        yield from _parameters(args, "", others)


def _operation(args: Args, path: list[str], others: list[Word]) -> Iterator[Fact]:
    operation = path[1] if len(path) > 1 else ""
    given = {(word.value or "").partition("=")[0] for word in others}
    if operation in INTO_FILE and operation.startswith("get-") and others:
        yield args.effect("reach", ACCOUNT, "cloud.read")
    elif _shows_secret(operation) or "--with-decryption" in given:
        yield args.effect("reach", ACCOUNT, "secret.print")
        if not operation.startswith((*LOOKING, "create-", "assume-")) and operation not in SECRET_OPERATIONS:
            yield args.effect("send", ACCOUNT, "cloud.change")
    elif operation.startswith(LOOKING) or operation in LOOKS:
        yield args.effect("reach", ACCOUNT, "cloud.read")
    elif operation.startswith(DESTROYING):
        yield args.effect("send", ACCOUNT, "cloud.destroy")
    else:
        yield args.effect("send", ACCOUNT, "cloud.change")
    if operation in REMOTE:
        yield args.effect("run", f"aws {' '.join(path)}", "program")
        yield args.gap("it runs commands on another machine")
    if path[0] == "eks" and operation == "update-kubeconfig":
        yield args.effect("change", "kubernetes settings of this user", "cloud.login")
        named = [word for at, word in enumerate(others[1:]) if others[at].value == "--kubeconfig"]
        attached = [(word.value or "")[13:] for word in others if (word.value or "").startswith("--kubeconfig=")]
        for word in (*named, *(Word(text, text) for text in attached)):
            yield from args.file("write", word)
        yield from kept(args, "write", *(() if named or attached else (KUBECONFIG,)))
    if path == ["codeartifact", "login"]:
        yield args.effect("change", "where packages come from", "pkg.settings")
        yield from kept(args, "write", NPMRC, "~/.config/pip/pip.conf", "~/.pypirc")
    yield from _parameters(args, operation, others)


def _shows_secret(operation: str) -> bool:
    """A list of secrets has their names only, and what is deleted or described as metadata is not shown."""
    if operation in SECRET_OPERATIONS:
        return True
    shows = not operation.startswith((*DESTROYING, *NAMES_ONLY)) and not operation.endswith(ABOUT_SECRETS)
    return shows and any(part in operation for part in SECRETS)


def _parameters(args: Args, operation: str, words: list[Word]) -> Iterator[Fact]:
    """Parameters may be `file://NAME`; a word that belongs to none is a file the answer is written to."""
    before = ""
    writes = operation in INTO_FILE or (operation.startswith("get-") and not operation.startswith(MANY_VALUES))
    for word in words:
        value = word.value
        if value is None:
            yield from _unknown_value(args, word)
            before = ""
        elif value.startswith("--"):
            name, equals, attached = value.partition("=")
            yield from _option(args, name, attached if equals else None)
            before = "" if equals or name in FLAGS or name.startswith("--no-") else name
        else:
            yield from _value(args, before, word)
            if writes and not before:
                yield from args.file("write", word)
            before = ""
    if operation in INTO_FILE:
        yield args.gap("one of its words is a file it writes")


def _option(args: Args, name: str, attached: str | None) -> Iterator[Fact]:
    if name in PLACES or name in VALUES or name in FLAGS:
        if name in PLACES and attached is not None:
            yield from args.act(PLACES[name], Word(attached, attached))
    elif name == "--no-verify-ssl" or any(other.startswith(name) and other != name for other in SHORTENED):
        yield args.gap(f"option {name} is not known")
    elif attached is not None:
        yield from _value(args, name, Word(attached, attached))


def _value(args: Args, name: str, word: Word) -> Iterator[Fact]:
    value = word.value or ""
    if name in PLACES:
        yield from args.act(PLACES[name], word)
    elif name in FILES and "://" not in value:
        yield from args.file("read", word, deep=name == "--build-root")
    elif value.startswith(("file://", "fileb://")):
        path = value.partition("://")[2]
        yield from args.file("read", Word(word.text, path))
    elif value.startswith(("http://", "https://")):
        yield from args.reach(value)
    elif "file://" in value or "fileb://" in value:
        yield args.gap("a value names a file")


def _unknown_value(args: Args, word: Word) -> Iterator[Fact]:
    if word.many or may_be_option(word) or "file" in word.text or word.text[:1] in "fh":
        yield args.gap(f"a word is not known ({word.why})", blind=True)


@turns_off("", everything="--dryrun")
def _transfer(args: Args) -> Iterator[Fact]:
    """`s3 cp`, `mv`, `sync`: what begins with `s3://` is in the cloud, everything else is here."""
    verb = args.name.rpartition(" ")[2]
    deep = verb == "sync" or args.has("--recursive")
    source, target = (*args.operands, None, None)[:2]
    rehearsed = args.has("--dryrun")
    up = target is not None and (target.value or "").startswith("s3://")
    destroys = args.has("--delete")
    code = "cloud.read" if rehearsed else "cloud.destroy" if destroys and up else "cloud.change"
    yield args.effect("send" if up and not rehearsed else "reach", ACCOUNT, code if up else "cloud.read")
    if source is not None and not (source.value or "").startswith("s3://"):
        yield from args.file("read", source, deep=deep)
        if verb == "mv" and not rehearsed:
            yield from args.file("delete", source, deep=deep, code="move")
    elif verb == "mv" and not rehearsed:
        yield args.effect("send", ACCOUNT, "cloud.destroy")
    if target is not None and not up and not rehearsed:
        yield from args.file("write", target, deep=deep)
        if args.has("--delete"):
            yield from args.file("delete", target, deep=True)


def _in_profile(args: Args) -> Iterator[Fact]:
    """Where to work, and who one is there, is no secret; whatever else is asked for may be a key."""
    names = [(word.value or "").rpartition(".")[2] for word in args.operands]
    if not PLAIN_SETTINGS.issuperset(names):
        yield args.effect("note", "keys of the AWS account", "secret.print")
        yield from kept(args, "read", *AWS)


GLOBAL = (
    "--profile= --region= --output= --query= --color= --cli-read-timeout= --cli-connect-timeout= --cli-binary-format="
    " --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt --debug --endpoint-url=url --ca-bundle=read"
)
COPYING = (
    " --acl= --storage-class= --content-type= --cache-control= --exclude= --include= --metadata= --metadata-directive="
    " --sse= --sse-kms-key-id= --expires= --content-disposition= --content-encoding= --content-language="
    " --source-region= --page-size= --website-redirect= --expected-size= --request-payer[=] --recursive --dryrun"
    " --quiet"
    " --no-progress --only-show-errors --delete --exact-timestamps --size-only --follow-symlinks --no-follow-symlinks"
    " --no-guess-mime-type --force-glacier-transfer --ignore-glacier-warnings --copy-props="
)
READ = (("reach", ACCOUNT, "cloud.read"),)
CHANGE = (("send", ACCOUNT, "cloud.change"),)
DESTROY = (("send", ACCOUNT, "cloud.destroy"),)
LOGIN = changes("cloud.login", SETTINGS, *AWS)
S3 = {
    "ls": Program(
        GLOBAL + " --recursive --human-readable --summarize --page-size= --request-payer[=]", "text?", does=READ
    ),
    "cp mv sync": Program(GLOBAL + COPYING, "text text", more=_transfer),
    "rm": Program(GLOBAL + COPYING, "text", does=DESTROY),
    "rb": Program(GLOBAL + " --force", "text", does=DESTROY),
    "mb": Program(GLOBAL, "text", does=CHANGE),
    "website": Program(GLOBAL + " --index-document= --error-document=", "text", does=CHANGE),
    "presign": Program(GLOBAL + " --expires-in=", "text", does=(("note", "a key to a stored file", "secret.print"),)),
    "help": Program(GLOBAL),
}
SHOWS_KEYS = (("note", "keys of the AWS account", "secret.print"), *(("read", file, "") for file in AWS))
CONFIGURE = {
    "list list-profiles help": Program(GLOBAL),
    "get": Program(GLOBAL, "text", more=_in_profile),
    "export-credentials": Program(GLOBAL + " --format=", does=SHOWS_KEYS),
    "set import sso sso-session add-model": Program(GLOBAL, "text*", does=LOGIN),
}
CUSTOM = {
    "s3": Program(GLOBAL, commands=nested(S3, GLOBAL), style="bare"),
    "configure": Program(GLOBAL, commands=nested(CONFIGURE, GLOBAL)),
    "sso": Program(
        GLOBAL,
        commands=nested(
            {
                "login logout": Program(
                    GLOBAL + " --sso-session= --no-browser --use-device-code",
                    does=(*READ, *changes("cloud.login", SETTINGS, "~/.aws/sso/cache")),
                ),
                "list-accounts list-account-roles": Program(GLOBAL + " --access-token=", does=READ),
                "get-role-credentials": Program(
                    GLOBAL + " --access-token= --role-name= --account-id=", does=(("reach", ACCOUNT, "secret.print"),)
                ),
            },
            GLOBAL,
        ),
        style="bare",
    ),
    "history": Program(GLOBAL, commands=nested({"list show": Program(GLOBAL, "text?")}, GLOBAL), style="bare"),
}

PROGRAMS = {"aws": Program("", "text*", more=_aws, style="plain")}

EXAMPLES = {
    "aws s3api put-object --bucket x --key y --body .env": "send AWS account #cloud.change | read .env",
    "aws cloudformation deploy --stack-name x --template-file a.yaml": "send AWS account #cloud.change | read a.yaml",
    "aws --version": "note aws",
    "aws help": "note aws",
    "aws ec2 help": "note aws",
    "aws sts get-caller-identity": "reach AWS account #cloud.read",
    "aws --profile prod --region eu-west-1 ec2 describe-instances --instance-ids i-1 i-2 --output json": "reach AWS"
    " account #cloud.read",
    "aws ec2 --region eu-west-1 describe-vpcs": "reach AWS account #cloud.read",
    "aws ec2 wait instance-running --instance-ids i-1": "reach AWS account #cloud.read",
    "aws secretsmanager get-secret-value --secret-id x": "reach AWS account #secret.print",
    "aws ssm get-parameter --name x": "reach AWS account #cloud.read",
    "aws ssm get-parameter --name x --with-decryption": "reach AWS account #secret.print",
    "aws ecr get-login-password": "reach AWS account #secret.print",
    "aws ec2 terminate-instances --instance-ids i-1": "send AWS account #cloud.destroy",
    "aws ec2 run-instances --user-data file://data.txt": "send AWS account #cloud.change | read data.txt",
    "aws lambda update-function-code --zip-file fileb://a": "send AWS account #cloud.change | read a",
    "aws iam list-users --endpoint-url http://192.0.2.1": "reach AWS account #cloud.read | reach http://192.0.2.1",
    "aws iam list-users --endpoint-ur http://192.0.2.1": "reach AWS account #cloud.read | reach http://192.0.2.1"
    " | gap aws: option --endpoint-ur is not known",
    "aws iam list-users --no-verify-ssl": "reach AWS account #cloud.read"
    " | gap aws: option --no-verify-ssl is not known",
    "aws cloudwatch get-metric-statistics --dimensions Name=a,Value=b Name=c,Value=d": "reach AWS account #cloud.read",
    "aws s3api get-object --bucket b --key k a": "reach AWS account #cloud.read | write a"
    " | gap aws: one of its words is a file it writes",
    "aws s3api get-bucket-policy --bucket b": "reach AWS account #cloud.read",
    "aws lambda invoke --function-name f a": "send AWS account #cloud.change | write a"
    " | gap aws: one of its words is a file it writes",
    "aws ssm start-session --target i-1": "send AWS account #cloud.change | run aws ssm start-session #program"
    " | gap aws: it runs commands on another machine",
    "aws eks update-kubeconfig --name x": "send AWS account #cloud.change | change kubernetes settings of this user"
    " #cloud.login | write ~/.kube/config",
    "aws s3 ls": "reach AWS account #cloud.read",
    "aws s3 ls s3://bucket --recursive": "reach AWS account #cloud.read",
    "aws s3 cp a s3://bucket/a": "send AWS account #cloud.change | read a",
    "aws s3 cp s3://bucket/a b": "reach AWS account #cloud.read | write b",
    "aws s3 sync docs s3://bucket --delete": "send AWS account #cloud.destroy | read docs/**",
    "aws s3 sync s3://bucket docs --delete": "reach AWS account #cloud.read | write docs/** | delete docs/**",
    "aws s3 sync docs s3://bucket --dryrun": "reach AWS account #cloud.read | read docs/**",
    "aws s3 mv a s3://bucket/a": "send AWS account #cloud.change | read a | delete a #move",
    "aws s3 rm s3://bucket --recursive": "send AWS account #cloud.destroy",
    "aws s3 presign s3://bucket/a": "note a key to a stored file #secret.print",
    "aws configure list": "note aws configure list",
    "aws configure set region x": "change settings of the AWS command line #cloud.login | write ~/.aws/config | write"
    " ~/.aws/credentials",
    "aws configure get aws_secret_access_key": "note keys of the AWS account #secret.print | read ~/.aws/config |"
    " read ~/.aws/credentials",
    "aws configure": "change settings of the AWS command line #cloud.login | write ~/.aws/config | write"
    " ~/.aws/credentials | run aws configure #program | gap aws configure: without a subcommand it does"
    " something of its own",
    "aws dynamodb scan --table-name t": "reach AWS account #cloud.read",
    "aws dynamodb delete-table --table-name t": "send AWS account #cloud.destroy",
    "aws logs tail /x --follow": "reach AWS account #cloud.read",
    'aws ec2 describe-instances --filters "$X"': "reach AWS account #cloud.read"
    " | blind aws: a word is not known (variable X)",
    "aws ec2 $OP": "note aws | blind aws: the command is not known",
    "aws $X": "note aws | blind aws: the command is not known",
    "aws ec2 describe-instances --cli-input-json file://a": "reach AWS account #cloud.read | read a",
}
