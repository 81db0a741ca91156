"""A quick look at texts and tables: most hold nothing that could be a secret, and need no closer one."""

from __future__ import annotations

from assent.masking.letters import DIGIT, LOWER, TOKEN, UPPER, has

NAMES = tuple("pass pwd auth cookie token secret key credential sig bearer basic literal".split())
PROGRAMS = tuple("mysql maria 7z rar sshpass mongo useradd usermod sqlcmd bcp zip ldap redis login curl http".split())
RULES = {
    "mysqladmin": "&password",
    "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin": "-p+",
    "7z 7za 7zz 7zr unrar": "-p+",
    "rar": "-p+ -hp+",
    "curl": "-u: -U: --user: --proxy-user: -E: --cert: --proxy-cert: --oauth2-bearer --pass --proxy-pass -b=",
    "wget": "--user-password",
    "http https xh xhs": "-a: --auth: --bearer",
    "sshpass": "-p*",
    "docker podman nerdctl helm skopeo buildah oras": "login -p* | registry login -p* | secret create <",
    "az": "login -p* | keyvault secret set --value | ad sp -p* | sql server -p*",
    "gcloud": "auth activate-refresh-token #2 | secrets create < | secrets versions add <",
    "oc": "login -p*",
    "redis-cli valkey-cli": "-a* &auth | &AUTH | &requirepass | &masterauth",
    "mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh cypher-shell beeline": "-p*",
    "useradd usermod": "-p*",
    "sqlcmd bcp zip unzip zipcloak ipmitool mosquitto_pub mosquitto_sub mosquitto_rr": "-P*",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare ldapmodrdn": "-w*",
    "ldappasswd": "-w* -s* -a*",
    "openssl": "-k -K | passwd #-1",
    "ssh-keygen": "-N -P",
    "smbclient": "-U% --user% | #2",
    "rpcclient winexe smbget": "-U% --user%",
    "smbpasswd": "-U% --user% | <",
    "net": "use #-1 ?/user: | use #-2 ?/user: | -U%",
    "rclone": "obscure #1 | obscure < | &pass | &password",
    "htpasswd mosquitto_passwd": "#-1 ?b",
    "wpa_passphrase": "#2",
    "nmcli": "&password | &psk | &wifi-sec.psk | &802-11-wireless-security.psk",
    "networksetup": "#3 ?-setairportnetwork",
    "vault bao": "login #1 | login < | kv put < = | kv patch < = | operator unseal #1 | token revoke #1 | unwrap #1",
    "consul": "kv put #2? | acl bootstrap #1",
    "cargo": "login #1 | login <",
    "snyk": "auth #1",
    "bw": "unlock #1 | login #2 | unlock <",
    "ngrok": "authtoken #1 | config add-authtoken #1 | http --basic-auth:",
    "ansible-vault": "encrypt_string #1 | encrypt_string <",
    "rabbitmqctl": "add_user #2 | change_password #2 | authenticate_user #2",
    "rabbitmqadmin": "-p*",
    "grafana-cli": "admin reset-admin-password #1",
    "neo4j-admin": "dbms set-initial-password #1 | set-initial-password #1",
    "drush": "user:password #2 | upwd #2",
    "cloudflared": "service install #1",
    "glab": "variable set #2 | auth login -t*",
    "gh": "secret set --body -b* | secret set < | auth login <",
    "aws": "ssm put-parameter --value",
    "pulumi": "config set #2 ?--secret | config set < ?--secret",
    "poetry": "publish -p* | config #2? | config #3",
    "uv flit": "publish -p*",
    "hatch": "publish -a*",
    "pdm": "publish -P*",
    "composer": "config #3 | config #2? | &github-oauth.github.com | &gitlab-oauth.gitlab.com",
    "conan": "user -p* | remote login -p*",
    "conda anaconda": "token set #1 | login --password",
    "twine": "-p*",
    "yarn npm pnpm": "config set #2? | set #2?",
    "tccli aliyun": "configure set #2?",
    "dotnet": "user-secrets set #2 | nuget push -k* | nuget add source -p*",
    "nuget": "push -ApiKey -k* | sources add -Password | setapikey #1 | setApiKey #1",
    "gem": "push --key -k*",
    "setx": "#2?",
    "mc": "alias set #4 | config host add #4 | admin user add #3",
    "isql": "#3 -P*",
    "tsql": "-P*",
    "hdbsql": "-p*",
    "vsql": "-w*",
    "nzsql nzload": "-pw",
    "db2": "&using | &USING",
    "sqlplus sqlldr expdp impdp sqlcl rman": "@/",
    "impacket-psexec impacket-secretsdump impacket-wmiexec psexec.py secretsdump.py wmiexec.py smbexec.py": "@:",
    "xfreerdp xfreerdp3 wlfreerdp": "/p:+ /gp:+",
    "rdesktop ncftpget ncftpput ncftpls crackmapexec netexec nxc evil-winrm": "-p*",
    "lftp": "-u,",
    "snmpwalk snmpget snmpset snmpbulkwalk snmptable": "-A* -X* -c*",
    "etcdctl": "--user: | user add @:",
    "security": "-w* -p* -P*",
    "qpdf": "--encrypt~2",
    "pdftk": "&input_pw | &user_pw | &owner_pw",
    "pdftotext pdftoppm pdfinfo pdfimages": "-upw -opw",
    "fly flyctl": "-t* | secrets set =",
    "supabase": "-p* | secrets set =",
    "convex": "env set #2",
    "nomad": "var put =",
    "cf": "auth #2",
    "wandb": "login #1",
    "llm": "keys set < --value",
    "kaggle": "config set -v* ?key",
    "eas": "secret:create --value | env:create --value",
    "keytool": "-new",
    "p4": "-P*",
    "ccrypt": "-K*",
    "veracrypt": "-p*",
    "samba-tool": "user create #2 | user add #2",
    "mkpasswd bcrypt-cli": "#-1",
    "argon2 zfs pdbedit kwallet-query mkpasswd vncpasswd keepassxc-cli htpasswd": "<",
    "knife": "bootstrap -P*",
    "choco": "apikey -k*",
    "signtool": "sign /p",
    "vercel now": "-t* | env add < | secrets add #2",
    "doctl": "-t*",
    "netlify": "--auth | env:set #2",
    "eb": "setenv =",
    "heroku scalingo clever dokku": "config:set = | config:add = | env-set = | env set #2",
    "doppler infisical render railway": "secrets set = #2 | env set = | variables --set= | variable set =",
    "sonar-scanner": "-Dsonar.login=+",
    "swaks": "-ap",
    "sendemail sendEmail": "-xp",
    "httpie": "-a: --auth:",
    "createuser": "< ?--pwprompt | < ?P",
    "trino": "< ?--password",
    "terraform tofu": "login <",
    "borg": "init <",
    "virsh": "secret-set-value #2 --base64",
    "dscl": "-passwd~2",
    "x11vnc": "-storepasswd",
    "travis": "encrypt = | env set #2",
    "op": "signin <",
    "sudo doas": "<1 ?S | <1 ?--stdin",
    "su kinit chpasswd passwd": "<",
    "cryptsetup": "luksOpen < | open < | luksFormat < | luksAddKey <",
    "pass gopass": "insert <",
    "secret-tool": "store <",
    "keyring": "set <",
    "wrangler": "secret put <",
    "circleci": "context store-secret <",
    "kibana-keystore elasticsearch-keystore": "add <",
    "age": "< ?-p",
    "uv": "publish -t*",
    "cosign crane regctl ibmcloud cloudctl": "login -p* | auth login -p* | registry login -p*",
    "skopeo podman buildah crictl oras": "--creds: --src-creds: --dest-creds: --from-creds: --to-creds:",
    "ctr": "--user: -u:",
    "twilio": "login #2",
    "hydra medusa ncrack smbmap enum4linux enum4linux-ng bloodhound-python ldapdomaindump kopia openfortivpn": "-p*",
    "zerotier-cli": "-T+",
    "gobuster mssql-cli osql": "-P*",
    "sqlmap": "--auth-cred:",
    "nikto": "-id:",
    "wfuzz": "--basic:",
    "ab": "-A: -P:",
    "hey": "-a:",
    "lynx": "-auth:",
    "mycli dolt surreal megadl megaput megacopy": "-p*",
    "mega-login": "#2",
    "psexec psexec64": "-p*",
    "wmic": "/password:+",
    "schtasks": "/rp /RP",
    "cmdkey": "/pass:+",
    "wevtutil": "/p:+",
    "sqlpackage": "/tp:+ /sp:+ /TargetPassword:+ /SourcePassword:+",
    "redis-benchmark": "-a*",
    "kubeseal grub-mkpasswd-pbkdf2 saslpasswd2": "<",
    "tea": "login add -t*",
    "rancher": "login -t*",
    "cabal": "upload -p* | upload -P* | report -p*",
    "gpg-preset-passphrase": "-P*",
    "ssh-add": "< ?-",
    "b2": "account authorize #2 | authorize-account #2",
    "swift": "-K*",
    "chamber": "write #3 | write <",
    "berglas": "create #2 | update #2",
    "credstash": "put #2",
    "dotenvx": "set #2",
    "akeyless": "create-secret -v* --value | update-secret-val -v* --value",
    "conjur": "login -p* | variable set -v* --value",
    "firebase": "functions:config:set = | functions:secrets:set <",
    "gigalixir": "config:set =",
    "platform upsun": "variable:create --value",
    "gitlab-runner": "register -r*",
    "drone woodpecker-cli": "secret add --data --value | secret update --data --value | secret create --value",
    "act": "-s=",
    "credhub": "set -w* -p* -v* | login -p* -s* --client-secret",
    "uaac": "token client get -s* | client add -s* | user add -p* | password set -p*",
    "om": "-p* -s*",
    "kadmin kadmin.local": "-w* | addprinc -pw | cpw -pw",
    "slappasswd": "-s*",
    "doveadm": "pw -p* | auth test #2",
    "systemd-creds": "encrypt <",
    "pkcs11-tool pkcs15-tool pkcs15-init": "-p* --pin --so-pin --new-pin --puk",
    "ykman": "-P* --pin --puk --new-pin",
    "yubico-piv-tool": "-P* -N*",
    "wpa_cli": "&psk",
    "airdecap-ng": "-p*",
    "pppd": "&password",
    "fossil": "user password #2",
    "mix": "hex.user auth --key | hex.organization auth --key",
    "npm": "token revoke #1",
    "mysql_config_editor": "<",
    "tpm2_create tpm2_unseal tpm2_load tpm2_nvread": "-p*",
    "sqlcipher": "-key",
    "expect": "-password",
}
"""What each program takes for a secret; alternatives are separated by `|`. Words of a subcommand come first, then:

`-p*` the value of a letter, attached or not; `-p+` an attached one only; `--key` the next word, `--key~2` the next two;
`-u:` what stands behind `:` in such a value, also `,` and `%`; `#2` an operand, `#2?` one behind a telling name, `#-1`
the last; `&auth` the word behind an operand; `=` the values of all `NAME=VALUE`; `@/` what an operand has between the
two; `<` what it reads, `<1` the first line of it. `?b` and `?--stdin` only with such a letter or word.
"""
TAKING = frozenset([name for names in RULES for name in names.split()])
APART = str.maketrans({chr(code): " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_-.")})
"""Takes a text apart into the words that may be names of programs."""
BEGIN_TOKENS = tuple(
    """gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- xoxr- xoxs- xoxe. xoxe- api_org_ whsec_
    gsk_ xai- pplx- r8_ fw_ pcsk_ ABIA ACCA GOCSPX- doo_v1_ dor_v1_ shpss_ shpca_ shppa_ pul- sbp_ sb_secret_
    lin_oauth_ secret_ ntn_ figd_ hvs. hvb. hvr. atlasv1. dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. dckr_pat_
    dckr_oat_ glsa_ glc_ NRAK- NRII- NRJS- NRRA- sntrys_ sntryu_ phc_ phx_ phs_ tfp_ CFPAT- rubygems_ ATATT3 ATCTT3
    ATBB squ_ sqp_ sqa_ sq0atp- sq0csp- tskey- fo1_ fm1_ fm2_ fm1a_ rnd_ vcp_ vck_ vca_ nfp_ nfc_ nfo_ pscale_tkn_
    pscale_pw_ pscale_oauth_ napi_ re_ ctx7sk- bkua_ CCIPAT_ CCIPRJ_ tvly- jina_ lsv2_ PMAK- dt0c01. dt0s16. fio-u-
    duffel_ EZAK EZTK FLWSECK_ pat-na1- pat-eu1- CLOJARS_ rdme_ xkeysib- xsmtpsib- shippo_live_ shippo_test_ pnu_
    LTAI AKID p8e- tk-us- AKCp ops_eyJ apify_api_ rzp_live_ rzp_test_ sgp_ SWMTKN- pk.eyJ sk.eyJ nvapi- ak_live_
    ak_test_ fc- ory_at_ ory_rt_ ory_pat_ zitadel_ mlsn. e2b_ exa_""".split()
)
"""More beginnings of tokens; words that begin so are long and mixed, or they are none."""
PLAIN_TOKENS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "hf_", "dop_v1_", "shpat_", "lin_api_")
MIXED_TOKENS = (
    *("github_pat_", "glpat-", "sk-", "pk_", "rk_", "sk_", "xoxb-", "xoxp-", "xoxa-", "xapp-", "pypi-", "AIza"),
    *("ya29.", "SG.", "key-", "AGE-SECRET-KEY-"),
)
AMAZON = ("AKIA", "ASIA")
BEGINNINGS = (*PLAIN_TOKENS, *MIXED_TOKENS, *AMAZON, "eyJ", "-----BEGIN ")
MIN_ALONE, MIN_RANDOM = 13, 20
"""A word without anything around it is a secret only by its look, and then it is as long as the shortest token."""
SPACES = str.maketrans({chr(code): " " for code in range(128) if chr(code) not in TOKEN})


def may_hide(text: str) -> bool:
    """False only for texts in which nothing can be found. INVARIANT: no finder looks for what is not named here."""
    return not (len(text) < MIN_ALONE and text.isalnum()) and _may_hide(text)


def may_hide_in(name: str, value: object) -> bool:
    """The same for the value of a name. All its texts are looked at as one: a list may be the words of a command.

    INVARIANT: a telling name holds one of `NAMES`, and what is found in some of the texts is found in all of them.
    """
    texts = [name]
    _collect(value, texts)
    return _may_hide(" ".join(texts))


def may_be_token(word: str) -> bool:
    """False only for words in which no token of a known service begins."""
    for beginning in BEGINNINGS:
        if beginning in word:
            return True
    for part in word.replace(":", "/").split("/"):  # noqa: SIM110 - as above
        if part.startswith(BEGIN_TOKENS):
            return True
    return False


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for name, one in value.items():
            texts.append(str(name))
            _collect(one, texts)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, texts)


def _may_hide(text: str) -> bool:
    folded = text.lower()
    for name in NAMES:
        if name in folded:
            return True
    return may_be_token(text) or _in_place(text, folded) or _is_long(text)


def _in_place(text: str, folded: str) -> bool:
    if "://" in text and ("@" in text or "hook" in folded or "telegram" in folded):
        return True
    if "_PAT" in text or " -pw " in text or "-stdin" in text or (" -p " in text and " -u " in text):
        return True
    if "identified" in folded or ("-" in text and any(program in folded for program in PROGRAMS)):
        return True
    return not TAKING.isdisjoint(text.translate(APART).split())


def _is_long(text: str) -> bool:
    if len(text) < MIN_RANDOM:
        return False
    longest = [word for word in text.translate(SPACES).split() if len(word) >= MIN_RANDOM and not _is_path(word)]
    return any(has(word, DIGIT) and has(word, LOWER | UPPER) for word in longest)


def _is_path(word: str) -> bool:
    """The folders of a path are ordinary names; those of a URL are not, and behind a `=` something else begins."""
    if word[0] != "/" or word[1] == "/" or "=" in word or not word.isascii():
        return False
    return not any(part.startswith(BEGIN_TOKENS) for part in word.split("/"))
