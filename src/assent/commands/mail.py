"""Programs that send mail: what they attach is read, and every letter leaves this machine."""

from __future__ import annotations

from assent.commands.program import Program, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word


def _addressed(args: Args, words: list[Word]) -> Iterator[Fact]:
    for word in words:
        if word.value is None:
            yield args.effect("send", word.text, "mail")
            yield args.gap(f"an address is not known ({word.why})", blind=True)
        elif word.value.startswith(("/", "./", "+", "|")) or "/" in word.value:
            yield args.gap(f"`{word.value}` may be a file or a program instead of an address", blind=True)
        else:
            yield args.effect("send", word.value, "mail")


@turns_off("-V")
def _mail(args: Args) -> Iterator[Fact]:
    """`-a` is a header for some versions and a file for others."""
    for word in args.values("-a"):
        name, colon, _ = (word.value or "").partition(":")
        if not colon or not name.replace("-", "").isalnum():
            yield from args.file("read", word)
    yield from _addressed(args, [*args.operands, *args.values("-c", "-b")])
    if not args.operands and not args.has("-V"):
        yield args.gap("reads mail, and the commands it will be given are not known")


def _sendmail(args: Args) -> Iterator[Fact]:
    yield from _addressed(args, args.operands)
    if args.has("-t") or not args.operands:
        yield args.effect("send", "the addresses in the letter", "mail")
    for word in args.values("-o"):
        if word.value != "i":
            yield args.gap(f"option -o{word.value or ''} is not known")
    if args.has("-C", "-X"):
        yield args.gap("other settings than usual")


@turns_off("-v")
def _mutt(args: Args) -> Iterator[Fact]:
    """`-a` may be followed by several files, which look like addresses here."""
    if args.has("-a"):
        for word in args.operands:
            if "@" not in (word.value or ""):
                yield from args.file("read", word)
    yield from _addressed(args, [*args.operands, *args.values("-c", "-b")])
    if args.has("-F", "-e"):
        yield args.gap("follows further commands")
    if not args.operands and not args.has("-v"):
        yield args.gap("reads mail, and the commands it will be given are not known")


MAIL = Program("-E -i -n -v -V -s= -a= -A,--attach=read -c= -b= -r= --subject=", "text*", more=_mail)
MUTT = Program("-n -v -x -a=read -b= -c= -e=code -F=script -H=read -i=read -s=", "text*", more=_mutt)

PROGRAMS = {
    "mail": MAIL,
    "mailx": MAIL,
    "sendmail": Program("-t -i -v -f= -F= -r= -N= -R= -V= -o= -C=read -X=write -U", "text*", more=_sendmail),
    "mutt": MUTT,
    "neomutt": MUTT,
}

EXAMPLES = {
    "mail -s 'any subject' me@a.example": "send me@a.example #mail",
    "mail -A data.txt -s x me@a.example": "read data.txt | send me@a.example #mail",
    "mail -a 'X-Y: z' -a data.txt -s x me@a.example": "read data.txt | send me@a.example #mail",
    "mail": "note mail | gap mail: reads mail, and the commands it will be given are not known",
    "mail -s x /tmp/box": "note mail | blind mail: `/tmp/box` may be a file or a program instead of an address",
    "mailx -r from@a.example me@a.example": "send me@a.example #mail",
    "sendmail < a.zip -f me@a.example you@a.example": "read a.zip #redirect | send you@a.example #mail",
    "sendmail -t -oi": "send the addresses in the letter #mail",
    "sendmail -X log -C cf me@a.example": "write log | read cf | send me@a.example #mail"
    " | gap sendmail: other settings than usual",
    "mutt -s x -a a b -- me@a.example": "read a | read b | send b #mail | send me@a.example #mail",
    "mutt -e 'shell id' me@a.example": "run mutt code #inline | send me@a.example #mail"
    " | gap mutt: follows further commands",
    "neomutt -v": "note neomutt",
}
