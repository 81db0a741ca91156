"""Virtual machines and system containers here: libvirt, VirtualBox, Proxmox, incus, multipass, lima, QEMU."""

from __future__ import annotations

from assent.commands.nested import does, nested
from assent.commands.program import Program

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
    " net-start pool-start pool-refresh vol-create-as": _change(
        "--disable --config --live --name= --description= --mode="
    ),
    "destroy undefine snapshot-delete snapshot-revert vol-delete pool-delete net-destroy net-undefine reset": _destroy(
        "--remove-all-storage --nvram --managed-save --snapshots-metadata --graceful --pool= --domain="
    ),
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
PROXMOX = {
    "list status config pending listsnapshot cpusets": Program("--full --verbose --current --snapshot=", "text*"),
    "start stop shutdown reboot suspend resume set create clone migrate snapshot resize template unlock importdisk"
    " disk/move disk/resize rescan": _change(
        "--timeout= --name= --full --memory= --cores= --target= --online --description="
    ),
    "destroy rollback delsnapshot": _destroy("--purge --force --destroy-unreferenced-disks="),
    "exec enter guest": INSIDE,
}
LXC = {
    "list ls info image/list image/info network/list network/show profile/list profile/show storage/list storage/info"
    " storage/volume/list project/list remote/list config/show version operation/list cluster/list"
    " warning/list": Program(
        "-f,--format= -c,--columns= -s,--sort= --show-log --resources --expanded --all-projects --project= --fast",
        "text*",
    ),
    "launch init start stop restart pause snapshot copy cp move mv rename restore profile/create profile/add"
    " network/create"
    " storage/create image/copy": _change(
        "-f,--force -p,--profile= --vm -e,--ephemeral -n,--network= -s,--storage= --all"
    ),
    "delete rm image/delete network/delete profile/delete storage/delete storage/volume/delete"
    " project/delete": _destroy("-f,--force -i,--interactive"),
    "exec": INSIDE,
}
MULTIPASS = {
    "list ls info find version networks aliases snapshots": Program(
        "--format= --all --show-unsupported --force-update", "text*"
    ),
    "launch start stop restart suspend snapshot clone recover set": _change(
        "-n,--name= -c,--cpus= -m,--memory= -d,--disk= --all --timeout= -v --force --cancel"
    ),
    "delete purge restore": _destroy("--all -p,--purge -d,--destructive"),
    "exec shell": INSIDE,
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


QEMU_IMG = {
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
    "incus": Program("--project= -q,--quiet --debug", commands=nested(LXC), style="bare"),
    "lxc": Program("--project= -q,--quiet --debug", commands=nested(LXC), style="bare"),
    "multipass": Program("-v,--verbose", commands=nested(MULTIPASS), style="bare"),
    "limactl": Program("--debug --log-level= --tty[=]", commands=nested(LIMACTL), style="bare"),
    "qemu-img": Program("-V,--version", commands=nested(QEMU_IMG), style="bare"),
    "qemu-system-x86_64": QEMU,
    "qemu-system-aarch64": QEMU,
}

EXAMPLES = {
    "virsh list --all": "note virsh list",
    "virsh destroy vm1": "change virtual machines #vm.destroy",
    "VBoxManage list vms": "note VBoxManage list",
    "vboxmanage unregistervm vm1 --delete": "change virtual machines #vm.destroy",
    "qm list": "note qm list",
    "qm destroy 100 --purge": "change virtual machines #vm.destroy",
    "pct exec 100 -- rm -rf /": "change virtual machines #vm.change"
    " | run 100 -- rm -rf / (in a virtual machine) #program",
    "incus list": "note incus list",
    "lxc delete -f c1": "change virtual machines #vm.destroy",
    "multipass list": "note multipass list",
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
