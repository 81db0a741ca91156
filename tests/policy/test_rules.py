"""The text of rules: what it is read as, what is refused and with which advice; and what loads but raises doubts."""

import pytest

from assent.candidates import found_in_example as scan
from assent.errors import PolicyError
from assent.policy.examples import prove, validate
from assent.policy.lint import lint
from assent.policy.rules import PathTarget, Target, WordsTarget, read_rule, split_words
from assent.record import replace
from assent.types import Rule, Verdict


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Read", Target("Read")),
        ("Bash(*)", Target("Bash")),
        ("Read(./src/**)", Target("Read", paths=(PathTarget(".", ("src", "**")),))),
        ("Edit(src/*.py)", Target("Write", paths=(PathTarget(".", ("src", "*.py")),))),
        ("Write(/etc//hosts)", Target("Write", paths=(PathTarget("/", ("etc", "hosts")),))),
        ("Delete(~/tmp/)", Target("Delete", paths=(PathTarget("~", ("tmp", "**")),))),
        ("Read(**/.env)", Target("Read", paths=(PathTarget("**", (".env",)),))),
        ("Read(**)", Target("Read", paths=(PathTarget("**", ("**",)),))),
        ("Read(./{a,b}/x)", Target("Read", paths=(PathTarget(".", ("a", "x")), PathTarget(".", ("b", "x"))))),
        ("Read(**/**/a/**/**)", Target("Read", paths=(PathTarget("**", ("a", "**")),))),
        ("Bash(git commit:*)", Target("Bash", words=WordsTarget(("git", "commit"), tail=True))),
        ("Bash(npm run * --watch)", Target("Bash", words=WordsTarget(("npm", "run", "*", "--watch"), tail=False))),
        (
            "Bash(echo 'a b' \"c d\" e\\ f)",
            Target("Bash", words=WordsTarget(("echo", "a b", "c d", "e f"), tail=False)),
        ),
        ("Mcp(slack.post)", Target("Mcp", names=("slack.post",))),
        ("Mcp(slack)", Target("Mcp", names=("slack.*",))),
        ("mcp__slack__post", Target("Mcp", names=("slack.post",))),
        ("mcp__slack", Target("Mcp", names=("slack.*",))),
        ("Agent(explore)", Target("Agent", names=("explore",))),
        ("Task", Target("Agent")),
        ("Tool(deploy_*)", Target("Tool", names=("deploy_*",))),
    ],
)
def test_a_rule_is_read(text: str, target: Target) -> None:
    assert read_rule(text) == target


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("Raed(./x)", "unknown tool `Raed` in rule `Raed(./x)`", "did you mean `Read`?"),
        ("deploy", "unknown tool `deploy`", "a tool of your own is written `Tool(deploy)`"),
        ("Read(./x", "does not end with `)`", "write it like `Read(./docs/**)`"),
        ("Read()", "nothing between its brackets", "write `Read` for every use"),
        ("Read(../x)", "`..` in rule", "compared after they are resolved"),
        ("Read(~kim/x)", "another user's home", "absolute path"),
        ("Read(a\\b)", "backslash", "write paths with `/`"),
        ("Read( ./x)", "blanks or quotes around the path", "write the bare path"),
        ('Read("./x")', "blanks or quotes around the path", "write the bare path"),
        ("Read($HOME/x)", "does not begin with a path", "write `~/…` for home"),
        ("Read(file:///x)", "does not begin with a path", "write `~/…` for home"),
        (" Read(x)", "blanks at an end or control characters", "one line"),
        ("Read(x\u202e)", "control characters", "one line"),
        ("Bash(:*)", "names no program", "write `Bash` for every command"),
        ("WebFetch(example.com)", "names no host", "write `WebFetch(domain:example.com)`"),
        ("WebFetch(domain:)", "domain", ""),
        ("WebSearch(cats)", "cannot name a query", "write `WebSearch`"),
        ("Mcp(a b)", "blanks or slashes in a name", "Mcp(name)"),
        ("mcp__", "not a tool of an MCP server", "Mcp(server.tool)"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_with_advice(text: str, message: str, help: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_rule(text)
    assert message in caught.value.message or message in str(caught.value)
    assert help in caught.value.help


def test_words_keep_what_is_quoted_together() -> None:
    assert split_words("  a 'b c'd \"e \\\" f\" \\g ''") == ("a", "b cd", 'e " f', "g", "")


@pytest.mark.parametrize(
    "text", ["Read(~/.ssh/**)", "Read(**/.aws/credentials)", "Write(./.assent/**)", "Delete(/etc/assent/x)"]
)
def test_an_allow_for_what_is_always_closed_is_refused(text: str) -> None:
    with pytest.raises(PolicyError, match="can never allow anything"):
        validate(Rule(Verdict.ALLOW, text))
    validate(Rule(Verdict.DENY, text))


def test_a_rule_that_excepts_itself_is_refused() -> None:
    with pytest.raises(PolicyError, match="excepts itself"):
        validate(Rule(Verdict.DENY, "Read(./x)", unless=("Read(./x)",)))


@pytest.mark.parametrize(
    ("verdict", "text", "match", "not_match"),
    [
        (
            Verdict.DENY,
            "Bash(git push --force:*)",
            ("git push -v --force", "cd sub && FOO=1 git push origin --force", "/usr/bin/git push --force x"),
            ("git push origin main", "echo git push --force", "gitk push --force"),
        ),
        (Verdict.ALLOW, "Bash(npm run *)", ("npm run build",), ("npm run --silent", "npm run a b", "npm")),
        (Verdict.ALLOW, "Bash(ls:*)", ("ls", "ls -la src"), ("lsof -i",)),
        (Verdict.ALLOW, "Write(./src/**)", ("src/a.py", "src/b/c.py"), ("src", "srcs/a.py", "src/../x", "/src/a")),
        (Verdict.DENY, "Read(**/.env)", (".env", "a/.env", "/etc/.env", "~/.env"), (".env.example", "env")),
        (Verdict.DENY, "Write(./src)", ("src", "src/a/b"), ("srcs",)),
        (
            Verdict.ALLOW,
            "WebFetch(domain:*.example.com)",
            ("https://a.example.com/x",),
            ("http://a.example.com/", "example.com"),
        ),
        (Verdict.DENY, "WebFetch(domain:example.com)", ("http://a.example.com:8/",), ("https://example.org/",)),
        (Verdict.ALLOW, "Mcp(slack.*)", ("slack.post",), ("slacker.post", "Slack.post")),
        (Verdict.DENY, "Mcp(slack.*)", ("Slack.Post",), ("other.post",)),
        (Verdict.ALLOW, "Agent(explore)", ("explore",), ("explorer",)),
        (Verdict.ALLOW, "Tool(deploy_*)", ("deploy_x",), ("DeployX", "deploy")),
        (Verdict.DENY, "Tool(deploy_*)", ("deploy_x", "DeployX"), ("undeploy",)),
    ],
)
def test_examples_are_run_with_the_reading_of_the_verdict(
    verdict: Verdict, text: str, match: tuple[str, ...], not_match: tuple[str, ...]
) -> None:
    assert list(prove((Rule(verdict, text, match=match, not_match=not_match),), scan)) == []


def test_an_example_that_fails_is_reported_by_its_place() -> None:
    rule = Rule(Verdict.ALLOW, "Write(./src/**)", match=("src/a", "lib/a"), not_match=("src/b",))
    found = [(name, number, error.message) for name, number, error in prove((rule,), scan)]
    assert found == [
        ("match", 1, "`Write(./src/**)` does not match its example `lib/a`"),
        ("not_match", 0, "`Write(./src/**)` matches `src/b`"),
    ]


def test_arguments_of_an_example_are_json() -> None:
    rule = Rule(Verdict.ALLOW, "Mcp(slack.post)", args=(("channel", ("C09*",)),))
    good, bad, broken = 'slack.post {"channel": "C09A"}', 'slack.post {"channel": "C1"}', "slack.post {"
    assert list(prove((replace(rule, match=(good,), not_match=(bad,)),), scan)) == []
    [(name, number, error)] = prove((replace(rule, match=(broken,)),), scan)
    assert (name, number, "not JSON" in error.message) == ("match", 0, True)


def test_lint_names_what_loads_but_is_doubtful() -> None:
    rules = [
        Rule(Verdict.ALLOW, "Bash(env:*)"),
        Rule(Verdict.ALLOW, "Write(~/**)"),
        Rule(Verdict.ALLOW, "Bash"),
        Rule(Verdict.DENY, "Read(.env)"),
        Rule(Verdict.DENY, "Read(./.env)"),
        Rule(Verdict.ALLOW, "Read(./docs/**)", expires=5.0),
        Rule(Verdict.ALLOW, "Mcp(a.b)"),
        Rule(Verdict.DENY, "Mcp(a.b)"),
        Rule(Verdict.DENY, "Mcp(a.b)"),
        Rule(Verdict.ALLOW, "Bash(git status)"),
    ]
    found = [(warning.rule.text, warning.text) for warning in lint(rules, now=10.0)]
    assert found == [
        ("Bash(env:*)", "`Bash(env:*)` would vouch for a program that runs any other program"),
        ("Write(~/**)", "`Write(~/**)` covers a whole disk or home"),
        ("Bash", "`Bash` allows every use of Bash"),
        ("Read(.env)", "`Read(.env)` covers only the top folder of the project"),
        ("Read(./docs/**)", "`Read(./docs/**)` has expired"),
        ("Mcp(a.b)", "`Mcp(a.b)` is denied too, and a deny wins"),
        ("Mcp(a.b)", "`Mcp(a.b)` is already written in user"),
    ]
