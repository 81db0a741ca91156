"""A small project with every kind of link in it, for tests that resolve paths."""

CWD = "/home/dev/proj"
FILES = {
    "/home/dev/proj/src/app.py": "",
    "/home/dev/proj/.env": "SECRET=1",
    "/home/dev/proj/.git/config": "",
    "/home/dev/proj/config/db.key": "",
    "/home/dev/proj/cafe\u0301/x.py": "",
    "/home/dev/outside.txt": "",
    "/home/dev/.ssh/id_rsa": "key",
    "/etc/passwd": "root",
}
LINKS = {
    "/home/dev/proj/d": "/home/dev/.ssh",
    "/home/dev/proj/g": ".git",
    "/home/dev/proj/one": "two",
    "/home/dev/proj/two": "../outside.txt",
    "/home/dev/proj/loop": "loop",
    "/home/dev/proj/root": "/proc/self/root",
    "/home/dev/proj/dangling": "nowhere/at/all",
    "/home/dev/proj/up": "..",
}
