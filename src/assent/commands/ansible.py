"""ansible: modules and playbooks on many machines, its vault, its manuals.

All of them obey an `ansible.cfg` in this folder, which may name plug-ins and programs.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.projects import defined, perhaps, unmarked
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def _settings(args: Args) -> Iterator[Fact]:
    """What `ansible.cfg` names, and files of passwords: one that may be executed is a program that prints it."""
    for fact in args.project(args.name, ("ansible.cfg",)):
        yield perhaps(fact)
    for word in args.values("--vault-id", "--new-vault-id"):
        label, at, path = (word.value or "").partition("@")
        source = path if at else label
        if source not in ("prompt", "prompt_ask_vault_pass"):
            yield from args.act("script", Word(source, source) if word.value is not None else word)


@turns_off("--list-hosts")
def _ad_hoc(args: Args) -> Iterator[Fact]:
    """`ansible HOSTS -m MODULE -a ARGUMENTS`: on other machines, or on this one."""
    yield from _settings(args)
    if args.has("--list-hosts") and not args.has("-m", "-a"):
        known = defined(args, "ansible inventory", ("ansible.cfg", "inventory_plugins/*.py"))
        yield from known if args.has("-i") else unmarked(args, "ansible inventory")
        return
    module = args.text("-m") or "command"
    yield args.effect("run", f"ansible {module} {args.text('-a') or ''}".strip(), "program")
    yield args.effect("reach", "machines of the inventory", "remote.login")
    yield args.gap("it runs a module on every machine of the inventory")


@turns_off("-C --list-hosts --syntax-check --list-tasks --list-tags")
def _playbook(args: Args) -> Iterator[Fact]:
    yield from _settings(args)
    for word in args.operands:
        yield from args.act("script", word)
    yield args.effect("reach", "machines of the inventory", "remote.login")
    if not args.has("--syntax-check", "--list-hosts", "--list-tasks", "--list-tags", "-C"):
        yield args.effect("change", "machines of the inventory", "cloud.change")


def _vault(args: Args) -> Iterator[Fact]:
    """ansible-vault: what is shown is a secret, the others rewrite the file."""
    yield from _settings(args)
    verb = args.operands[0].value if args.operands else None
    for word in args.operands[1:]:
        yield from args.file("read", word) if verb != "encrypt_string" else ()
        if verb in ("encrypt", "decrypt", "create", "edit", "rekey", None) and not args.has("--output"):
            yield from args.file("write", word)
    if verb in ("view", "decrypt"):
        yield args.effect("note", "what the vault hides", "secret.print")
    elif verb in ("edit", "create"):
        yield args.effect("run", "the editor", "program")
        yield args.gap("an editor is started")
    elif verb not in ("encrypt", "encrypt_string", "rekey"):
        yield args.gap("the command is not known", blind=verb is None)


ANSIBLE = (
    "-i,--inventory=read -l,--limit= -u,--user= -k,--ask-pass -K,--ask-become-pass -b,--become --become-user="
    " --become-method= -f,--forks= -e,--extra-vars= --private-key,--key-file=read -T,--timeout= -c,--connection="
    " -C,--check"
    " -D,--diff -v,--verbose --list-hosts --vault-id= --vault-password-file=script --ask-vault-pass -J -o,--one-line"
)
PLAYBOOK = (
    ANSIBLE + " --syntax-check --list-tasks --list-tags -t,--tags= --skip-tags= --start-at-task= --step --flush-cache"
    " --force-handlers"
)

PROGRAMS = {
    "ansible": Program(ANSIBLE + " -m,--module-name= -a,--args= -B,--background= -P,--poll=", "text", more=_ad_hoc),
    "ansible-playbook": Program(PLAYBOOK, "text*", more=_playbook),
    "ansible-vault": Program(
        "--vault-id= --vault-password-file=script --ask-vault-pass -J --output=write -n,--name= --encrypt-vault-id= -v"
        " -p,--prompt --new-vault-id= --new-vault-password-file=script",
        "text*",
        more=_vault,
    ),
    "ansible-doc": Program("-l,--list -s,--snippet -t,--type= -j,--json -F,--list_files", "text*", more=_settings),
}

EXAMPLES = {
    "ansible-vault view --vault-id dev@./x a": "maybe run ansible-vault #project | read ./x | run ./x #script"
    " | read a | note what the vault hides #secret.print",
    "ansible-vault encrypt_string --vault-password-file=./x y": "read ./x | run ./x #script"
    " | maybe run ansible-vault #project",
    "ansible-vault encrypt_string --vault-id dev@prompt y": "maybe run ansible-vault #project | maybe run what"
    " ansible.cfg names #settings | note ansible-vault",
    "ansible all -m ping": "maybe run ansible #project | run ansible ping #program"
    " | reach machines of the inventory #remote.login"
    " | gap ansible: it runs a module on every machine of the inventory",
    "ansible-playbook -i a b --check": "read a | maybe run ansible-playbook #project | read b | run b #script"
    " | reach machines of the inventory #remote.login",
    "ansible-playbook b": "maybe run ansible-playbook #project | read b | run b #script"
    " | reach machines of the inventory #remote.login | change machines of the inventory #cloud.change",
    "ansible-vault view a": "maybe run ansible-vault #project | read a | note what the vault hides #secret.print |"
    " maybe run what ansible.cfg names #settings",
    "ansible-vault decrypt a": "maybe run ansible-vault #project | read a | write a | note what the vault hides"
    " #secret.print | maybe run what ansible.cfg names #settings",
    "ansible-vault edit a": "maybe run ansible-vault #project | read a | write a | run the editor #program"
    " | gap ansible-vault: an editor is started",
    "ansible-doc -l": "maybe run ansible-doc #project | maybe run what ansible.cfg names #settings | note ansible-doc",
}
