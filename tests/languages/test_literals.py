"""Source text of other languages: what its quotes spell, and the few programs that are proven."""

from __future__ import annotations

import pytest

from assent.languages.literals import read_literals, tokenize
from assent.languages.plain import read_plain
from assent.languages.reading import Reading

HOME = "/home/dev"


def shown(reading: Reading) -> list[str]:
    said = [f"{effect.kind} {effect.target}" for effect in reading.effects]
    return said + [f"start {started.text}" for started in reading.started]


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("node", "require('child_process').execSync('id x')", "start id x"),
        ("node", "const {spawn} = require('child_process'); spawn('git', ['push', '-f'])", "start git push -f"),
        ("node", 'require("fs").rmSync("/etc", {recursive: true})', "delete /etc"),
        ("node", "require('fs').readFileSync(process.env.HOME + '/.ssh/id_rsa')", f"read {HOME}/.ssh/id_rsa"),
        ("node", "fs.readFileSync(path.join(os.homedir(), '.ssh', 'id_rsa'))", f"read {HOME}/.ssh/id_rsa"),
        ("node", "fetch('http://10.0.0.1/')", "reach http://10.0.0.1/"),
        ("node", 'eval(\'require("child_process").exec("id x")\')', "start id x"),
        ("node", "exec(atob('aWQgeA=='))", "start id x"),
        ("node", "// don't\nrequire('child_process').exec('id x')", "start id x"),
        ("node", "exec('\\x69d x')", "start id x"),
        ("perl", 'system("id", "x")', "start id x"),
        ("perl", "exec qq{id x}", "start id x"),
        ("perl", "print `id x`", "start id x"),
        ("perl", 'open(F, "$ENV{HOME}/.ssh/id_rsa")', f"read {HOME}/.ssh/id_rsa"),
        ("perl", 'unlink "/etc/passwd"', "delete /etc/passwd"),
        ("ruby", "%x(id x)", "start id x"),
        ("ruby", 'FileUtils.rm_rf("/etc")', "delete /etc"),
        ("ruby", 'File.read("#{Dir.home}/.ssh/id_rsa")', f"read {HOME}/.ssh/id_rsa"),
        ("php", 'shell_exec("id x");', "start id x"),
        ("php", 'file_get_contents("/etc/shadow");', "read /etc/shadow"),
        ("lua", 'os.execute("id x")', "start id x"),
        ("lua", 'os.execute("id" .. " x")', "start id x"),
        ("julia", "run(`id x`)", "start id x"),
        ("elixir", 'System.cmd("id", ["x"])', "start id x"),
        ("osascript", 'do shell script "id x"', "start id x"),
    ],
)
def test_what_stands_in_quotes_is_found(language: str, text: str, found: str) -> None:
    reading = read_literals(text, language, home=HOME)
    assert found in shown(reading)
    assert reading.doubts


@pytest.mark.parametrize(
    ("language", "text", "reads"),
    [
        ("node", "1 + 1", []),
        ("node", "console.log('a', 2 * (3 + 4));", []),
        ("node", "console.log(process.version)", []),
        ("node", "require('./package.json').version", ["read package.json"]),
        ("node", "console.log(JSON.stringify(require('./a/b.json').scripts, null, 2))", ["read a/b.json"]),
        ("node", "Object.keys(require('./package.json')['dev-dependencies']).join(', ')", ["read package.json"]),
        ("ruby", "puts 1 + 1", []),
        ("ruby", "puts 'a'; print \"b\\n\"", []),
        ("php", "echo 1 + 1;", []),
        ("lua", "print('a')", []),
        ("perl", "print 'a'", []),
        ("perl", "print", []),
        ("perl", "print if /^a.*b$/i", []),
        ("perl", "s/a/$1b/g; s|x|y|", []),
    ],
)
def test_a_program_that_only_prints_is_proven(language: str, text: str, reads: list[str]) -> None:
    reading = read_plain(text, language)
    assert reading is not None
    assert shown(reading) == reads


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("node", "console.log(x)"),
        ("node", "console.log(`a`)"),
        ("node", "console.log(1)(2)"),
        ("node", "require('./package').version"),
        ("node", "require('./../x.json')"),
        ("node", "require('/etc/x.json')"),
        ("node", "require('./x.json').constructor('x')"),
        ("node", "require('./x.json')[y]"),
        ("node", "process.exit()"),
        ("node", "process.versions"),
        ("node", "console.log(1), exec('x')"),
        ("ruby", "puts `id`"),
        ("ruby", 'puts "#{x}"'),
        ("ruby", "puts x"),
        ("ruby", "system 'x'"),
        ("php", 'echo "{$x}";'),
        ("php", "echo `id`;"),
        ("perl", "print `id`"),
        ("perl", 'print "@{[system(1)]}"'),
        ("perl", "print if /(?{system('id')})/"),
        ("perl", "print if /@{[system('id')]}/"),
        ("perl", "print if /$x/"),
        ("perl", "s/a/system('id')/e"),
        ("perl", "s/a/b/ee"),
        ("perl", "s/a/@{[system('id')]}/"),
        ("perl", "print; unlink 'x'"),
        ("perl", "system 'id'"),
        ("lua", "os.execute('id')"),
        ("julia", "println(1)"),
        ("node", "1 + 1\n" * 2_000),
    ],
)
def test_one_sign_more_and_it_is_not(language: str, text: str) -> None:
    assert read_plain(text, language) is None


def test_long_texts_take_no_long_time() -> None:
    for text in ("'" * 60_000, "exec(" * 12_000, "'a'+" * 15_000, "eval('" * 10_000, "`a b`" * 10_000):
        assert len(tokenize(text)) <= 6_000
        assert read_literals(text, "node", home=HOME).doubts
