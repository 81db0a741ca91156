"""Keys and passwords: gpg, age, pass and the macOS keychain; whatever shows or changes a secret says so."""

from __future__ import annotations

from assent.commands.config_files import GNUPG, KEYRINGS, kept, kept_unless
from assent.commands.program import Program, changes, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LISTING = (
    *("-k", "-K", "--list-signatures", "--check-signatures", "--fingerprint", "--list-config"),
    *(
        "--list-options",
        "--version",
        "--help",
        "--print-md",
        "--print-mds",
        "--dump-options",
        "--gen-random",
        "--export",
    ),
)
READING = (
    "--verify",
    "--verify-files",
    "--list-packets",
    "--show-keys",
    "-d",
    "--print-md",
    "--print-mds",
    "--dearmor",
)
MAKING = {
    "-s": ".gpg",
    "--clear-sign": ".asc",
    "-b": ".sig",
    "-e": ".gpg",
    "-c": ".gpg",
    "--store": ".gpg",
    "--dearmor": ".gpg",
}
ARMORED = {".gpg": ".asc", ".sig": ".asc"}
CHANGING = {
    "--import": "keys.change", "--fast-import": "keys.change", "--import-ownertrust": "keys.change",
    "--generate-key": "keys.change", "--quick-generate-key": "keys.change", "--full-generate-key": "keys.change",
    "--edit-key": "keys.change", "--sign-key": "keys.change", "--lsign-key": "keys.change",
    "--quick-sign-key": "keys.change", "--quick-lsign-key": "keys.change", "--quick-add-key": "keys.change",
    "--quick-add-uid": "keys.change", "--quick-set-expire": "keys.change", "--change-passphrase": "keys.change",
    "--delete-keys": "keys.destroy", "--delete-secret-keys": "keys.destroy",
    "--delete-secret-and-public-key": "keys.destroy", "--generate-revocation": "keys.change",
    "--export-secret-keys": "secret.print", "--export-secret-subkeys": "secret.print",
    "--update-trustdb": "keys.change", "--check-trustdb": "keys.change", "--refresh-keys": "keys.change",
    "--receive-keys": "keys.change", "--fetch-keys": "keys.change",
}  # fmt: skip
ABOUT_PUBLIC = frozenset(
    """--import --fast-import --import-ownertrust --update-trustdb --check-trustdb --refresh-keys --receive-keys
    --fetch-keys --delete-keys""".split()
)
"""Commands that another keyring can be named for; private keys lie in the home folder whatever keyring is named."""
REMOVING = ("rm", "remove", "delete", "delete-generic-password", "delete-internet-password", "delete-keychain")
SILENT = (
    *("insert", "add", "mv", "rename", "cp", "copy", "init", "git", "sync"),
    *("add-generic-password", "add-internet-password", "find-certificate", "find-identity", "verify-cert"),
    *("list-keychains", "default-keychain", "lock-keychain", "unlock-keychain", "show-keychain-info"),
)
"""What keeps, moves or looks around without showing a password."""
PLAIN_LISTS = frozenset(
    """show-usage show-policy-urls show-policy-url show-notations show-notation show-std-notations show-user-notations
    show-keyserver-urls show-uid-validity show-unusable-uids show-unusable-subkeys show-keyring show-sig-expire
    show-sig-subpackets show-primary-uid-only show-ownertrust show-trustsig""".split()
)
"""What `--list-options` may add without asking anybody or starting anything; gpg takes any beginning of a name."""
ASKING_SERVERS = ("--locate-keys", "--receive-keys", "--search-keys", "--refresh-keys", "--locate-external-keys")


@turns_off(
    "-s --clear-sign -b -e -c --store -d --verify --verify-files -k -K --list-signatures --check-signatures"
    " --locate-keys --locate-external-keys --show-keys --fingerprint --list-packets --card-status"
    " --delete-keys --delete-secret-keys --delete-secret-and-public-key --export --send-keys"
    " --export-secret-keys --export-secret-subkeys --import --fast-import --receive-keys --refresh-keys"
    " --search-keys --fetch-keys --update-trustdb --check-trustdb --import-ownertrust --print-md --print-mds"
    " --gen-random --dearmor --generate-key --quick-generate-key --full-generate-key --generate-revocation"
    " --edit-key --sign-key --lsign-key --quick-sign-key --quick-lsign-key --quick-add-key --quick-add-uid"
    " --quick-set-expire --change-passphrase --list-options --list-config --dump-options --version --help",
    everything="-a -o",
)
def _gpg(args: Args) -> Iterator[Fact]:
    known = [name for name in args.given if name in (*LISTING, *READING, *MAKING, *CHANGING, *ASKING_SERVERS)]
    for name in args.given:
        if name in CHANGING:
            yield args.effect("change", "the keyring", CHANGING[name])
    yield from _kept_keys(args)
    if args.has("--export-secret-keys", "--export-secret-subkeys", "--edit-key", "--command-fd", "--command-file"):
        yield args.gap("shows secret keys or follows further commands")
    for word in args.values("--list-options", "--verify-options"):
        names = (word.value or "photo").replace(",", " ").split()
        if not PLAIN_LISTS.issuperset(name.removeprefix("no-") for name in names):
            yield args.gap("may start a program that shows pictures, or ask a server", blind=word.value is None)
    yield from _keyrings(args)
    if args.has("--options", "--homedir"):
        yield args.gap("other settings than usual, which may start programs")
    yield from _servers(args)
    if args.has("-d", "--show-session-key"):
        yield args.effect("note", "what is encrypted", "secret.print")
    files = args.operands
    if args.has("--print-md", "--gen-random"):
        files = args.operands[1:] if args.has("--print-md") else []
    if args.has(*READING, "--import", "--fast-import", "--import-ownertrust", *MAKING):
        for word in files:
            yield from args.file("read", word)
    yield from _made(args)
    if not known and not args.has("--send-keys"):
        yield from _guessed(args)


def _kept_keys(args: Args) -> Iterator[Fact]:
    """Keys lie in one folder; public ones may be sent to another keyring, and a private one may only be used."""
    named = args.has("--no-default-keyring") and args.has("--keyring", "--primary-keyring")
    given = [name for name in args.given if name in CHANGING and not (named and name in ABOUT_PUBLIC)]
    for kind in dict.fromkeys("read" if CHANGING[name] == "secret.print" else "write" for name in given):
        yield from kept_unless(args, "--homedir", kind, GNUPG)
    if args.has("-s", "--clear-sign", "-b"):
        yield args.effect("note", "a private key", "key.use")


def _keyrings(args: Args) -> Iterator[Fact]:
    """A keyring that is not there is made, whatever the command is."""
    changes = args.has(*CHANGING)
    for word in args.values("--keyring", "--primary-keyring"):
        yield from args.file("read", word)
        yield from args.file("write", word, code="" if changes else "missing")
    for word in args.values("--trustdb-name"):
        yield from args.file("write", word)
        if word.value and "/" not in word.value:  # a plain name lies where the keys do
            yield from kept_unless(args, "--homedir", "write", GNUPG)


def _servers(args: Args) -> Iterator[Fact]:
    server = args.text("--keyserver") or ""
    if args.has(*ASKING_SERVERS):
        if server:
            yield from args.reach(server if "://" in server else f"hkps://{server}", shown=server)
        else:
            yield args.effect("reach", "the key server")
    if args.has("--send-keys"):
        yield args.effect("send", server or "the key server", "keys.publish")
    for word in args.operands if args.has("--fetch-keys") else ():
        yield from args.act("url", word)


def _made(args: Args) -> Iterator[Fact]:
    """Without `-o`, a result lies beside its source with another ending."""
    if args.has("-o") or args.has("-d", "--verify"):
        return
    for name, ending in MAKING.items():
        if args.has(name):
            shown = ARMORED.get(ending, ending) if args.has("-a") else ending
            for word in args.operands[:1]:
                yield from args.file("write", Word(word.text, f"{word.value}{shown}") if word.value else word)
            return


def _guessed(args: Args) -> Iterator[Fact]:
    """Without a command gpg looks at the file and decides itself; it may write the file inside."""
    for word in args.operands:
        yield from args.file("read", word)
        yield from args.file("write", Word(word.text, (word.value or "").rpartition(".")[0]) if word.value else word)
    if args.operands or args.has_input:
        yield args.effect("note", "what is encrypted", "secret.print")
    yield args.gap("what it does depends on the file")


def _age(args: Args) -> Iterator[Fact]:
    if args.has("-d"):
        yield args.effect("note", "what is encrypted", "secret.print")
    if args.has("-j"):
        yield args.gap("starts a plugin")


def _keygen(args: Args) -> Iterator[Fact]:
    if args.has("-y"):
        for word in args.operands:
            yield from args.file("read", word)


STORES = {"pass": "~/.password-store", "gopass": "~/.password-store", "security": "~/Library/Keychains"}


def _secrets(args: Args) -> Iterator[Fact]:
    """A store of passwords: showing one is what it is for."""
    verb = args.operands[0].value if args.operands else "ls"
    if len(args.call.words) == 2 and (args.has("--version", "--help") or verb in ("version", "help")):
        return
    if args.name == "pass" and verb in ("ls", "list", "find", "search") and not args.operands[1:]:
        yield args.effect("note", "names in the password store")
        return
    code = "secrets.change" if verb in SILENT else "secret.print"
    yield args.effect("change", f"{args.name} {verb}", "secrets.destroy" if verb in REMOVING else code)
    yield from kept(args, "read" if code == "secret.print" and verb not in REMOVING else "write", STORES[args.name])
    yield args.gap("shows or changes passwords")


GPG = Program(
    "-s,--sign --clear-sign,--clearsign -b,--detach-sign,--detach-sig -e,--encrypt -c,--symmetric --store"
    " -d,--decrypt --verify --verify-files -k,--list-keys,--list-public-keys,--list-key -K,--list-secret-keys"
    " --list-signatures,--list-sigs --check-signatures,--check-sigs --locate-keys --locate-external-keys"
    " --show-keys --fingerprint --list-packets --card-status --delete-keys --delete-secret-keys"
    " --delete-secret-and-public-key --export --send-keys --export-secret-keys --export-secret-subkeys --import"
    " --fast-import --receive-keys,--recv-keys --refresh-keys --search-keys --fetch-keys --update-trustdb"
    " --check-trustdb --import-ownertrust --print-md --print-mds --gen-random --dearmor --generate-key,--gen-key"
    " --quick-generate-key,--quick-gen-key --full-generate-key,--full-gen-key --generate-revocation,--gen-revoke"
    " --edit-key --sign-key --lsign-key --quick-sign-key --quick-lsign-key --quick-add-key --quick-add-uid"
    " --quick-set-expire --change-passphrase,--passwd --version --help -h -v,--verbose -q,--quiet --no-verbose"
    " --batch --no-batch --no-tty --yes --no --list-options= --verify-options= --photo-viewer=run --exec-path=run"
    " --keyring= --primary-keyring= --secret-keyring=read --trustdb-name= --homedir=tree"
    " --display-charset= --options=read --no-options --compress-level= -z= --trusted-key= --trust-model="
    " --no-auto-key-locate --no-auto-key-retrieve --keyid-format="
    " --keyserver= --keyserver-options=unknown --use-agent --no-use-agent --agent-program=run --dirmngr-program=run"
    " --disable-dirmngr --no-autostart --no-greeting --no-secmem-warning --no-permission-warning --expert"
    " -r,--recipient= -R,--hidden-recipient= -f,--recipient-file=read -F,--hidden-recipient-file=read --encrypt-to="
    " --no-encrypt-to -u,--local-user= --default-key= --default-recipient= --default-recipient-self --sender="
    " -a,--armor,--armour --no-armor -o,--output=write --max-output= --import-options= --export-options="
    " --with-colons --fixed-list-mode --with-fingerprint --with-subkey-fingerprint --with-keygrip --with-secret"
    " --with-key-data -t,--textmode --openpgp --rfc4880 --s2k-cipher-algo= --s2k-digest-algo= --s2k-mode="
    " --s2k-count= -n,--dry-run --list-only -i,--interactive --status-fd= --status-file=write --logger-fd="
    " --log-file,--logger-file=write --comment= --no-comments --emit-version --no-emit-version --set-filename="
    " --cipher-algo= --digest-algo= --compress-algo= --cert-digest-algo= --passphrase-fd= --passphrase-file=read"
    " --passphrase= --pinentry-mode= --no-symkey-cache --command-fd= --command-file=read --no-default-keyring"
    " --list-config --always-trust --throw-keyids --force-mdc --dump-options --show-session-key --utf8-strings"
    " --charset= --no-random-seed-file --lock-never --faked-system-time=",
    "text*",
    more=_gpg,
    style="posix streams",
)

PROGRAMS = {
    "gpg": GPG,
    "gpg2": GPG,
    "gpgv": Program(
        "-v,--verbose -q,--quiet --keyring=read -o,--output=write --status-fd= --logger-fd= --version", "read*"
    ),
    "age": Program(
        "-e,--encrypt -d,--decrypt -o,--output=write -a,--armor -p,--passphrase -r,--recipient="
        " -R,--recipients-file=read -i,--identity=read -j= --version",
        "read",
        more=_age,
        style="streams",
    ),
    "age-keygen": Program("-o,--output=write -y --version", "text*", more=_keygen),
    "pass": Program(
        "-c,--clip -f,--force -r,--recursive -n,--no-symbols -i,--in-place -m -e,--echo -p,--path= --version --help",
        "text*",
        more=_secrets,
    ),
    "gopass": Program("-c,--clip -f,--force -o,--password -n --version --help", "text*", more=_secrets),
    "secret-tool": Program(
        "--version -h,--help",
        commands={
            "lookup": Program("", "text*", does=(("note", "a kept password", "secret.print"),)),
            "search": Program("--all --unlock", "text*", does=(("note", "a kept password", "secret.print"),)),
            "store": Program(
                "-l,--label= -c,--collection=", "text*", does=changes("secrets.change", "passwords", KEYRINGS)
            ),
            "clear": Program("", "text*", does=changes("secrets.destroy", "passwords", KEYRINGS)),
            "lock": Program("-c,--collection=", "text*", does=changes("secrets.change", "passwords", KEYRINGS)),
        },
        style="bare",
    ),
    "security": Program("-v -q -w -g -a= -s= -l= -p= -h -d= -k= -t=", "text*", more=_secrets),
}

EXAMPLES = {
    "gpg --version": "note gpg",
    "gpg --list-keys --with-colons": "note gpg",
    "gpg --verify a.sig a": "read a.sig | read a",
    "gpg --print-md sha256 a": "read a",
    "gpg -d a.gpg": "note what is encrypted #secret.print | read a.gpg",
    "gpg --batch --yes --passphrase-fd 0 --cipher-algo AES256 --symmetric --output a.gpg a": "write a.gpg | read a",
    "gpg -c a": "read a | write a.gpg",
    "gpg -ab a": "note a private key #key.use | read a | write a.asc",
    "gpg --import key.asc": "change the keyring #keys.change | write ~/.gnupg | read key.asc",
    "gpg --keyserver keys.example --recv-keys 1234": "change the keyring #keys.change | write ~/.gnupg | reach"
    " keys.example",
    "gpg --send-keys 1234": "send the key server #keys.publish",
    "gpg --locate-keys alice@example.com": "reach the key server",
    "gpg --export -a me": "note gpg",
    "gpg --export-secret-keys": "change the keyring #secret.print | read ~/.gnupg | gap gpg: shows secret keys or"
    " follows further commands",
    "gpg --delete-secret-keys me": "change the keyring #keys.destroy | write ~/.gnupg",
    "gpg --agent-program ./x -d a.gpg": "run ./x #program | note what is encrypted #secret.print | read a.gpg",
    "gpg --homedir evil -k": "read evil/** | gap gpg: other settings than usual, which may start programs",
    "gpg -k --list-options show-photos": "note gpg | gap gpg: may start a program that shows pictures, or ask a server",
    "gpg -k --list-options show-ph": "note gpg | gap gpg: may start a program that shows pictures, or ask a server",
    "gpg -k --list-options no-show-usage,show-keyring": "note gpg",
    "gpg --print-md sha256 a --comment b": "read a | read --comment | read b",
    "gpg --keyring ./k -k": "read ./k | write ./k #missing",
    "gpg --keyring ./k --import a": "change the keyring #keys.change | write ~/.gnupg | read ./k | write ./k | read a",
    "gpg a.gpg": "read a.gpg | write a | note what is encrypted #secret.print"
    " | gap gpg: what it does depends on the file",
    "gpg --dearmor key.asc": "read key.asc | write key.asc.gpg",
    "gpg2 --dearmor -o a.gpg a.asc": "write a.gpg | read a.asc",
    "gpgv --keyring k a.sig a": "read k | read a.sig | read a",
    "age -r age1x -o a.age a": "write a.age | read a",
    "age -d -i key a.age": "read key | read a.age | note what is encrypted #secret.print",
    "age-keygen -o key": "write key",
    "pass": "note names in the password store",
    "pass --version": "note pass",
    "pass git log --version": "change pass git #secrets.change | write ~/.password-store | gap pass: shows or changes"
    " passwords",
    "pass show mail": "change pass show #secret.print | read ~/.password-store | gap pass: shows or changes passwords",
    "pass mail": "change pass mail #secret.print | read ~/.password-store | gap pass: shows or changes passwords",
    "pass insert mail": "change pass insert #secrets.change | write ~/.password-store | gap pass: shows or changes"
    " passwords",
    "pass rm mail": "change pass rm #secrets.destroy | write ~/.password-store | gap pass: shows or changes passwords",
    "gopass show mail": "change gopass show #secret.print | read ~/.password-store | gap gopass: shows or changes"
    " passwords",
    "secret-tool lookup site a.example": "note a kept password #secret.print",
    "secret-tool search --all site a.example": "note a kept password #secret.print",
    "secret-tool store --label=x site a.example": "change passwords #secrets.change | write ~/.local/share/keyrings",
    "secret-tool clear site a.example": "change passwords #secrets.destroy | write ~/.local/share/keyrings",
    "secret-tool lock": "change passwords #secrets.change | write ~/.local/share/keyrings",
    "security find-identity -v -p codesigning": "change security find-identity #secrets.change | write"
    " ~/Library/Keychains | gap security: shows or changes passwords",
    "security find-generic-password -w -s x": "change security find-generic-password #secret.print | read"
    " ~/Library/Keychains | gap security: shows or changes passwords",
}
