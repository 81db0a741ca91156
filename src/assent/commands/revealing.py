"""Programs that print what is kept secret elsewhere: encrypted files, password stores, `.env` and the environment."""

from __future__ import annotations

from assent.commands.config_files import KEYRINGS, kept
from assent.commands.program import Program, turns_off
from assent.commands.projects import only_asks, undescribed
from assent.commands.shown import is_secret_name, named
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SOPS_SILENT = frozenset("encrypt updatekeys filestatus groups rotate set unset publish keyservice".split())
SOPS_STARTS = frozenset(("exec-env", "exec-file"))
KEPT = "a kept password"
PLAIN = str.maketrans("", "", "\\`()")
"""Signs that mean something to a shell, but nothing to envsubst."""


@turns_off("-d -e")
def _sops(args: Args) -> Iterator[Fact]:
    """Without a subcommand it opens an editor; `-d` and `decrypt` print, most others change the file."""
    if only_asks(args):
        return
    verb = args.operands[0].value if args.operands else None
    starts = verb in SOPS_STARTS
    known = starts or verb in SOPS_SILENT or verb in ("decrypt", "edit")
    for word in args.operands[known : 2 if starts else None]:
        yield from args.file("read", word)
        if not starts and (args.has("-i", "-r", "-s") or not (args.has("-d", "-e") or verb in ("decrypt", "encrypt"))):
            yield from args.file("write", word)
    if verb not in SOPS_SILENT and not args.has("-e"):
        yield args.effect("note", "what is encrypted", "secret.print")
    if starts:
        yield from undescribed(args)
        yield args.gap("it starts a program and hands it secrets", blind=True)
    elif not args.has("-d", "-e") and verb not in ("decrypt", "encrypt", "filestatus"):
        yield args.gap("may open an editor, or change who can read the file")


def _keyring(args: Args) -> Iterator[Fact]:
    """`get` prints a password; a backend that is named is loaded."""
    verb = args.operands[0].value if args.operands else None
    if verb == "set":
        yield args.effect("change", "passwords", "secrets.change")
        yield from kept(args, "write", KEYRINGS)
    elif verb == "del":
        yield args.effect("change", "passwords", "secrets.destroy")
        yield from kept(args, "write", KEYRINGS)
    elif verb is not None and verb != "diagnose":
        yield args.effect("note", KEPT, "secret.print")
    if args.has("-b", "-p"):
        yield args.gap("loads the backend that is named")
    if args.has("--disable"):
        yield args.effect("change", "settings of keyring", "secrets.change")
        yield from kept(args, "write", "~/.config/python_keyring/keyringrc.cfg")


def _prints(args: Args) -> Iterator[Fact]:
    """A store of secrets of which nothing else is described; each of its commands may show some."""
    if len(args.operands) == 1 and args.operands[0].value in ("--version", "--help", "version", "help"):
        return
    yield from undescribed(args)
    yield args.effect("note", f"what {args.name} keeps", "secret.print")
    yield args.gap("shows or changes secrets")


@turns_off("-f -e")
def _dotenv(args: Args) -> Iterator[Fact]:
    """`list` and `get` print, `set` and `unset` change, `run` and `--` start a program with what a file holds."""
    if only_asks(args):
        return
    verb = args.operands[0].value if args.operands else None
    files = args.values("-f", "-e") or [Word(".env", ".env")]
    for word in files:
        yield from args.file("read", word)
        if verb in ("set", "unset"):
            yield from args.file("write", word)
    if verb not in ("set", "unset"):
        yield args.effect("note", "what a file of variables holds", "secret.print")
    if verb not in ("list", "get", "set", "unset"):
        yield from undescribed(args)
        yield args.gap("it starts a program and hands it secrets", blind=True)


@turns_off("-v")
def _envsubst(args: Args) -> Iterator[Fact]:
    """Prints its input with variables filled in: those of its operand, else all that the input names."""
    if only_asks(args) or args.has("-v"):
        return
    texts = [word.value for word in args.operands]
    if not texts and args.call.reads_from < 0:
        texts = [redirect.body for redirect in args.call.redirects if redirect.op in ("<<", "<<-", "<<<")]
    if not texts or any(text is None or any(map(is_secret_name, named(text.translate(PLAIN)))) for text in texts):
        yield args.effect("note", "the environment", "environment")


PRINTS = Program(operands="text*", style="plain", more=_prints)
CREDENTIALS = tuple(
    f"docker-credential-{name}"
    for name in "pass desktop osxkeychain secretservice wincred ecr-login gcr gcloud acr-env".split()
)

PROGRAMS = {
    "sops": Program(
        "-d,--decrypt -e,--encrypt -i,--in-place -r,--rotate -s,--show-master-keys --output=write --extract="
        " --input-type= --output-type= --config=read --ignore-mac --verbose -k,--kms= -p,--pgp= -a,--age="
        " --filename-override= --set= --indent= -y,--yes -v,--version -h,--help",
        "text*",
        more=_sops,
    ),
    "keyring": Program(
        "-h,--help -p,--keyring-path= -b,--keyring-backend= --list-backends --disable --mode= --output="
        " --print-completion=",
        "text*",
        more=_keyring,
    ),
    "dotenv": Program(
        "-f,--file= -e= -q,--quote= --export= -o,--override -c= --format= --version,-V -h,--help",
        "text*",
        style="posix",
        more=_dotenv,
    ),
    "envsubst": Program("-v,--variables -V,--version -h,--help", "text?", more=_envsubst),
    **dict.fromkeys("doppler infisical chamber ejson credstash envchain aws-vault summon teller".split(), PRINTS),
    **dict.fromkeys(CREDENTIALS, PRINTS),
}

EXAMPLES = {
    "sops -d a.yaml": "read a.yaml | note what is encrypted #secret.print",
    "sops decrypt -i a.yaml": "read a.yaml | write a.yaml | note what is encrypted #secret.print",
    "sops -e a.yaml": "read a.yaml",
    "sops a.yaml": "read a.yaml | write a.yaml | note what is encrypted #secret.print"
    " | gap sops: may open an editor, or change who can read the file",
    "sops exec-env a.yaml env": "read a.yaml | note what is encrypted #secret.print"
    " | run sops exec-env a.yaml env #program"
    " | blind sops: it starts a program and hands it secrets",
    "sops --version": "note sops",
    "keyring get a b": "note a kept password #secret.print",
    "keyring set a b": "change passwords #secrets.change | write ~/.local/share/keyrings",
    "keyring del a b": "change passwords #secrets.destroy | write ~/.local/share/keyrings",
    "keyring -b x.Y get a b": "note a kept password #secret.print | gap keyring: loads the backend that is named",
    "keyring --list-backends": "note keyring",
    "doppler secrets": "run doppler secrets #program | note what doppler keeps #secret.print"
    " | gap doppler: shows or changes secrets",
    "doppler --version": "note doppler",
    **{
        f"{name} get": f"run {name} get #program | note what {name} keeps #secret.print"
        f" | gap {name}: shows or changes secrets"
        for name in (*"infisical chamber ejson credstash envchain aws-vault summon teller".split(), *CREDENTIALS)
    },
    "dotenv list": "read .env | note what a file of variables holds #secret.print",
    "dotenv -f a set b c": "read a | write a",
    "dotenv run -- ls": "read .env | note what a file of variables holds #secret.print | run dotenv run -- ls #program"
    " | blind dotenv: it starts a program and hands it secrets",
    "envsubst <<< '$API_KEY'": "note the environment #environment",
    "envsubst <<< '$(\\\\$API_KEY)'": "note the environment #environment",
    "envsubst <<< '$HOME'": "note envsubst",
    "envsubst < a": "read a #redirect | note the environment #environment",
    "envsubst '$HOME $USER' < a": "read a #redirect | note envsubst",
    "envsubst -v '$API_KEY'": "note envsubst",
}
