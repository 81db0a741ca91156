"""Virtual machines and system containers here: libvirt, VirtualBox, Proxmox, incus, multipass, lima, QEMU."""

from __future__ import annotations

from assent.commands.inside import shown_inside
from assent.commands.mounts import power
from assent.commands.nested import does, nested
from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

MACHINES = "virtual machines"


def _change(options: str = "") -> Program:
    return does("change", MACHINES, "vm.change", options)


def _destroy(options: str = "") -> Program:
    return does("change", MACHINES, "vm.destroy", options)


def _inside(args: Args) -> Iterator[Fact]:
    """A command in a machine."""
    words = " ".join(word.text for word in args.operands)[:200]
    yield args.effect("change", MACHINES, "vm.change")
    yield args.effect("run", f"{words} (in a virtual machine)", "program")
    yield from shown_inside(args, args.operands[1:])


LXC_POWERS = ("security.privileged", "raw.lxc", "raw.qemu", "raw.idmap", "linux.kernel_modules")


def _lxc_powers(args: Args) -> Iterator[Fact]:
    """Settings with which a container rules the machine, and folders of it that are handed in."""
    for word in args.call.words[1:]:
        name, _, value = (word.value or "").partition("=")
        if name.startswith(LXC_POWERS) and value not in ("false", "0"):
            yield power(args, name)
        elif name == "source" and value.startswith("/"):
            yield from args.file("read", Word(word.text, value), deep=True)
            yield from args.file("write", Word(word.text, value), deep=True)


def _local_machines(args: Args) -> Iterator[Fact]:
    """`virsh connect` with an address elsewhere may start ssh or any program."""
    for word in args.operands:
        if word.value not in ("qemu:///system", "qemu:///session"):
            yield args.gap(f"`{word.text}` may be reached through another program", blind=word.value is None)


def _building(args: Args) -> Iterator[Fact]:
    """Building a pool may format what it lies on."""
    yield args.effect("change", MACHINES, "vm.destroy" if args.has("--build") else "vm.change")


def _sharing(args: Args) -> Iterator[Fact]:
    """A machine sees a folder of this one, and may write there."""
    yield args.effect("change", MACHINES, "vm.change")
    for word in args.operands[:1]:
        yield from args.file("read", word, deep=True)
        yield from args.file("write", word, deep=True)


def _remotes(args: Args) -> Iterator[Fact]:
    """`images:`, `ubuntu:22.04`: what stands in front of a colon is another server."""
    for word in args.operands:
        server, colon, _ = (word.value or "").partition(":")
        if word.value is None:
            yield args.gap(f"the server is not known ({word.why})", blind=True)
        elif colon and server != "local":
            yield args.effect("reach", f"the server {server}")


INSIDE = Program(
    "--user= --cwd= --env= -w,--working-directory= --workdir= -t -T -n", "text*", more=_inside, style="posix"
)
VIRSH = {
    "list dominfo domstate domstats domblklist domiflist domifaddr net-list net-info pool-list pool-info vol-list"
    " vol-info"
    " nodeinfo version capabilities snapshot-list dumpxml net-dumpxml domblkinfo vcpuinfo iface-list"
    " hostname uri": Program(
        "--all --inactive --name --uuid --title --id --details --domain= --pool= --tree --table", "text*"
    ),
    "start shutdown reboot suspend resume autostart setmem setvcpus attach-disk detach-disk snapshot-create-as"
    " managedsave"
    " net-start pool-refresh vol-create-as": _change("--disable --config --live --name= --description= --mode="),
    "destroy undefine snapshot-delete snapshot-revert vol-delete pool-delete net-destroy net-undefine reset": _destroy(
        "--remove-all-storage --nvram --managed-save --snapshots-metadata --graceful --pool= --domain="
    ),
    "pool-start": Program("--pool= --build --no-overwrite", "text?", more=_building),
    "connect": Program("--readonly", "text?", more=_local_machines),
    "define net-define pool-define": Program("", "read", does=(("change", MACHINES, "vm.change"),)),
}
VBOX = {
    "list showvminfo showmediuminfo getextradata": Program(
        "-l,--long --machinereadable --details -s,--sorted", "text*"
    ),
    "startvm modifyvm setextradata createvm registervm storagectl storageattach clonevm sharedfolder natnetwork"
    " hostonlyif"
    " dhcpserver": _change("--type= --name= --register --ostype= --memory= --cpus= --nic1= --basefolder="),
    "controlvm unregistervm closemedium discardstate": _destroy("--delete --delete-all"),
    "snapshot": _destroy("--live --description="),
}
PROXMOX_CHANGES = "--timeout= --name= --full --memory= --cores= --target= --online --description="
PROXMOX = {
    "list status config pending listsnapshot cpusets": Program("--full --verbose --current --snapshot=", "text*"),
    "start shutdown reboot suspend resume set snapshot resize template unlock disk/move disk/resize rescan": _change(
        PROXMOX_CHANGES
    ),
    "create": _change(f"{PROXMOX_CHANGES} --hostname= --start[=]"),
    "clone": _change(f"{PROXMOX_CHANGES} --hostname="),
    "stop": _change(f"{PROXMOX_CHANGES} --skiplock[=]"),
    "migrate": _change(f"{PROXMOX_CHANGES} --force[=]"),
    "importdisk disk/import": Program(
        "--format= --target-disk=", "text read text", does=(("change", MACHINES, "vm.change"),)
    ),
    "remote-migrate": does(
        "send", "another cluster", "vm.change", "--online[=] --target-bridge= --target-storage= --bwlimit="
    ),
    "sendkey": Program("--skiplock[=]", "text text", more=_inside),
    "showcmd": Program("--pretty[=] --snapshot=", "text"),
    "destroy rollback delsnapshot": _destroy("--purge --force --destroy-unreferenced-disks="),
    "exec enter guest": INSIDE,
}
LXC = {
    "list ls info image/list image/info network/list network/show profile/list profile/show storage/list storage/info"
    " storage/volume/list project/list remote/list config/show version operation/list cluster/list"
    " warning/list": Program(
        "-f,--format= -c,--columns= -s,--sort= --show-log --resources --expanded --all-projects --project= --fast",
        "text*",
        more=_remotes,
    ),
    "launch init start stop restart pause snapshot copy cp move mv rename restore profile/create profile/add"
    " network/create"
    " storage/create image/copy": _change(
        "-f,--force -p,--profile= --vm -e,--ephemeral -n,--network= -s,--storage= --all"
    ),
    "delete rm image/delete network/delete profile/delete storage/delete storage/volume/delete"
    " project/delete": _destroy("-f,--force -i,--interactive"),
    "exec shell": INSIDE,
}
MULTIPASS = {
    "list ls info version networks aliases snapshots": Program("--format= --all", "text*"),
    "find": does("reach", "where images of multipass come from", "", "--format= --show-unsupported --force-update"),
    "launch start stop restart suspend snapshot clone recover set": _change(
        "-n,--name= -c,--cpus= -m,--memory= -d,--disk= --all --timeout= -v --force --cancel"
    ),
    "delete purge restore": _destroy("--all -p,--purge -d,--destructive"),
    "exec shell": INSIDE,
    "mount": Program("-t,--type= -g,--gid-map= -u,--uid-map=", "text text*", more=_sharing),
    "umount unmount": _change(),
}
LIMACTL = {
    "list ls info": Program("-f,--format= --json -q,--quiet --all-fields", "text*"),
    "start stop restart create edit snapshot": _change(
        "--name= --cpus= --memory= --disk= -f,--force --tty[=] -y --vm-type="
    ),
    "delete remove rm factory-reset prune": _destroy("-f,--force"),
    "shell": INSIDE,
    "validate": Program("", "read*"),
}
PLAIN_IMAGE = "-f= -T= -U -q -p --output= --force-share"


def _image(args: Args) -> Iterator[Fact]:
    """qemu-img: what only looks at an image, and what makes or changes one. `json:` and addresses are not files."""
    verb = args.name.rpartition(" ")[2]
    if verb == "convert":
        yield args.gap("an image may stand on other files, which are read too")
    for at, word in enumerate(args.operands):
        value = word.value
        if value is not None and (":" in value or "," in value):
            yield args.gap(f"`{word.text}` may be an address or a description instead of a file")
        if verb in ("info", "check", "compare", "map", "measure") or (
            verb == "convert" and at < len(args.operands) - 1
        ):
            yield from args.file("read", word)
        elif verb != "create" or at == 0:
            yield from args.file("read", word) if verb != "create" else ()
            yield from args.file("write", word)
        if verb not in ("create", "convert", "compare") and at > 0 and verb != "resize":
            yield args.gap(f"`{word.text}` is one word too many")
        if verb == "resize" and at == 0:
            break


def _snapshots(args: Args) -> Iterator[Fact]:
    """Going back to a snapshot or dropping one loses what the image holds."""
    changes = args.has("-a", "-c", "-d")
    if args.has("-a", "-d"):
        yield args.effect("change", "snapshots of an image", "vm.destroy")
    for word in args.operands:
        yield from args.file("read", word)
        yield from args.file("write", word) if changes else ()
        if ":" in (word.value or "") or "," in (word.value or ""):
            yield args.gap(f"`{word.text}` may be an address or a description instead of a file")


QEMU_IMG = {
    "snapshot": Program("-l -a= -c= -d= -q -U,--force-share", "text", more=_snapshots),
    "info check compare map measure": Program(PLAIN_IMAGE + " -F= -s -O= --size=", "text*", more=_image),
    "convert": Program(PLAIN_IMAGE + " -O= -c -n -W -m= -S= -t=", "text*", more=_image),
    "create": Program("-f= -q -u -b=read -B= -F=", "text*", more=_image),
    "resize": Program("-f= -q --shrink --preallocation=", "text*", more=_image),
}


def _machine(args: Args) -> Iterator[Fact]:
    yield args.effect("run", args.name, "program")
    yield args.gap("a machine is started whose disks and devices we do not follow")


QEMU = Program(
    "-m= -smp= -cpu= -nographic -enable-kvm -version -display= -machine,-M= -boot=",
    "write*",
    more=_machine,
    style="single",
)
PROGRAMS = {
    "virsh": Program("-c,--connect=unknown -q,--quiet -r,--readonly", commands=nested(VIRSH)),
    "VBoxManage": Program("-q,--nologo", commands=nested(VBOX), style="bare"),
    "vboxmanage": Program("-q,--nologo", commands=nested(VBOX), style="bare"),
    "qm": Program("", commands=nested(PROXMOX), style="bare"),
    "pct": Program("", commands=nested(PROXMOX), style="bare"),
    "incus": Program("--project= -q,--quiet --debug", commands=nested(LXC), more=_lxc_powers, style="bare"),
    "lxc": Program("--project= -q,--quiet --debug", commands=nested(LXC), more=_lxc_powers, style="bare"),
    "multipass": Program("-v,--verbose", commands=nested(MULTIPASS), style="bare"),
    "limactl": Program("--debug --log-level= --tty[=]", commands=nested(LIMACTL), style="bare"),
    "qemu-img": Program("-V,--version", commands=nested(QEMU_IMG), style="bare"),
    "qemu-system-x86_64": QEMU,
    "qemu-system-aarch64": QEMU,
}

EXAMPLES = {
    "lxc image list ubuntu:": "reach the server ubuntu",
    "incus list remote:": "reach the server remote",
    "incus image list local:": "note incus image list",
    "multipass find": "reach where images of multipass come from",
    "lxc info c1": "note lxc info",
    "virsh list --all": "note virsh list",
    "virsh destroy vm1": "change virtual machines #vm.destroy",
    "virsh pool-start --pool name --build": "change virtual machines #vm.destroy",
    "virsh pool-start name": "change virtual machines #vm.change",
    "virsh connect qemu:///system": "note virsh connect",
    "virsh connect qemu+ssh://h/system": "note virsh connect | gap virsh connect: `qemu+ssh://h/system` may be"
    " reached through "
    "another program",
    "VBoxManage list vms": "note VBoxManage list",
    "vboxmanage unregistervm vm1 --delete": "change virtual machines #vm.destroy",
    "qm list": "note qm list",
    "qm destroy 100 --purge": "change virtual machines #vm.destroy",
    "pct clone 100 101 --hostname name": "change virtual machines #vm.change",
    "qm create 100 --name vm1 --start": "change virtual machines #vm.change",
    "qm create 100 --force": "change virtual machines #vm.change | gap qm create: option --force is not known",
    "qm migrate 100 target --force true": "change virtual machines #vm.change",
    "qm stop 100 --skiplock true": "change virtual machines #vm.change",
    "qm disk import 100 a local --format qcow2": "change virtual machines #vm.change | read a",
    "qm remote-migrate 1 2 host=x --target-bridge 1 --target-storage 1": "send another cluster #vm.change",
    "qm remote-migrate 1 2 host=x --delete": "send another cluster #vm.change | blind qm remote-migrate: option"
    " --delete is not known",
    "qm sendkey 100 ret": "change virtual machines #vm.change | run 100 ret (in a virtual machine) #program",
    "qm showcmd 100 --snapshot x": "note qm showcmd",
    "incus shell c1": "change virtual machines #vm.change | run c1 (in a virtual machine) #program",
    "multipass mount docs vm1:/x": "change virtual machines #vm.change | read docs/** | write docs/**",
    "qemu-img snapshot -l a": "read a",
    "qemu-img snapshot -c x a": "read a | write a",
    "qemu-img snapshot -a x a": "change snapshots of an image #vm.destroy | read a | write a",
    "pct exec 100 -- rm -rf /": "change virtual machines #vm.change"
    " | run 100 -- rm -rf / (in a virtual machine) #program",
    "incus list": "note incus list",
    "lxc delete -f c1": "change virtual machines #vm.destroy",
    "multipass list": "note multipass list",
    "lxc exec web -- env": "change virtual machines #vm.change | run web -- env (in a virtual machine) #program"
    " | note the environment inside #environment.inside",
    "multipass exec vm1 -- ls": "change virtual machines #vm.change | run vm1 -- ls (in a virtual machine) #program",
    "limactl list": "note limactl list",
    "qemu-img info a": "read a",
    "qemu-img create -f qcow2 a 10G": "write a",
    "qemu-img convert -O qcow2 a b": "read a | read b | write b"
    " | gap qemu-img convert: an image may stand on other files, which are read too",
    "qemu-img resize a +10G": "read a | write a",
    "qemu-img info json:x": "read json:x"
    " | gap qemu-img info: `json:x` may be an address or a description instead of a file",
    "qemu-system-x86_64 -m 512 a": "write a | run qemu-system-x86_64 #program"
    " | gap qemu-system-x86_64: a machine is started whose disks and devices we do not follow",
    "qemu-system-aarch64 -monitor unix:x": "write unix:x | run qemu-system-aarch64 #program"
    " | gap qemu-system-aarch64: a machine is started whose disks and devices we do not follow",
}
