"""Properties of the deciding function: it is monotone, does not depend on order, and always has a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from assent import urls
from assent.policy.case import Case
from assent.policy.compiled import Policy, compile_policy
from assent.policy.decide import decide
from assent.policy.match import catches, vouches
from assent.policy.restrain import USUAL_CODES, asked, denied, floor, is_unremarkable
from assent.policy.rules import CATCHES, read_rule
from assent.record import replace
from assent.types import Effect, Finding, Gap, Place, Rule, ToolCall, Verdict, Words

if TYPE_CHECKING:
    from assent.types import Kind, Mode

    Drawn = tuple[list[Rule], Mode, list[str], list[str]]

HOME, PROJECT = "/home/dev", "/home/dev/proj"
PATHS = (
    f"{PROJECT}/src/app.py",
    f"{PROJECT}/src",
    f"{PROJECT}/.env",
    f"{PROJECT}/.git/config",
    f"{PROJECT}/config/db.key",
    PROJECT,
    HOME,
    f"{HOME}/.ssh/id_rsa",
    f"{HOME}/.config/assent/policy.toml",
    "/etc/passwd",
    "/",
)
TEXTS = (
    "Read",
    "Read(./**)",
    "Read(**/.env)",
    "Read(./.env)",
    "Read(/etc/**)",
    "Write(./**)",
    "Write(./src/**)",
    "Write(./.git/config)",
    "Edit(src/*.py)",
    "Delete(./src/**)",
    "Glob(./**)",
    "Grep(**/src)",
    "Grep(./**)",
    "WebFetch",
    "WebFetch(domain:docs.python.org)",
    "WebFetch(domain:*.example.com)",
    "WebFetch(domain:localhost)",
    "WebSearch",
    "Mcp(github.*)",
    "Mcp(slack.post)",
    "Agent(explore)",
    "Tool(deploy)",
    "Bash",
    "Bash(rm:*)",
    "Bash(git push --force:*)",
)
URLS = ("https://docs.python.org/3/", "http://a.example.com/", "http://localhost:8/", "https://x@y.example/", "data:x")
DISK_KINDS: tuple[Kind, ...] = ("read", "list", "search", "write", "delete")
MODES: tuple[Mode, ...] = ("default", "plan", "full_auto")


def places() -> st.SearchStrategy[Place]:
    return st.builds(
        lambda names, trouble, folded, below: Place(
            names[0], tuple(dict.fromkeys(names)), trouble=trouble, folded=folded, below=tuple(below)
        ),
        st.lists(st.sampled_from(PATHS), min_size=1, max_size=3),
        st.sampled_from(("", "", "", "too many links")),
        st.booleans(),
        st.lists(st.sampled_from(PATHS), max_size=2),
    )


def effects() -> st.SearchStrategy[Effect]:
    on_disk = st.builds(
        lambda kind, place, deep, possible: Effect(kind, place.path, at=place, deep=deep, possible=possible),
        st.sampled_from(DISK_KINDS),
        places(),
        st.booleans(),
        st.booleans(),
    )
    on_the_net = st.builds(
        lambda kind, text: Effect(kind, text, at=urls.parse(text)),
        st.sampled_from(("reach", "send")),
        st.sampled_from(URLS),
    )
    others = st.sampled_from(
        (
            Effect("call", "github.get", code="mcp", arguments={}),
            Effect("call", "slack.post", code="mcp", arguments={"channel": "C1"}),
            Effect("call", "deploy", code="tool"),
            Effect("spawn", "explore"),
            Effect("note", "TodoWrite"),
            Effect("run", "make"),
            Effect("reach", "web search", code="web.search"),
            Effect("change", "sandbox off", code="sandbox.off"),
        )
    )
    return st.one_of(on_disk, on_the_net, others)


gaps = st.builds(Gap, st.sampled_from(("unknown field", "dynamic word")), st.booleans())
rules = st.builds(
    lambda verdict, text, unless, expires: Rule(verdict, text, unless=tuple(unless), expires=expires),
    st.sampled_from(list(Verdict)),
    st.sampled_from(TEXTS),
    st.lists(st.sampled_from(TEXTS), max_size=1),
    st.sampled_from((0.0, 0.0, 5.0)),
)
findings = st.builds(Finding, st.just("hidden-text"), st.sampled_from([Verdict.ASK, Verdict.DENY]), st.just("found"))
cases = st.builds(
    lambda tool, effects, gaps, claim, commands, workspace: Case(
        ToolCall(tool, {}, at=10.0, read_only=claim),
        (tool,),
        effects=tuple(effects),
        gaps=tuple(gaps),
        commands=tuple(Words(tuple(words.split())) for words in commands),
        text="; ".join(commands),
        homes=(HOME,),
        projects=(PROJECT,) if workspace else (),
        own=(f"{HOME}/.config/assent",),
        identity=next((e for e in effects if e.kind == "call"), None),
    ),
    st.sampled_from(("Bash", "Read", "Write", "deploy")),
    st.lists(effects(), max_size=4),
    st.lists(gaps, max_size=2),
    st.sampled_from((None, None, True, False)),
    st.lists(st.sampled_from(("rm -rf x", "git push -f", "ls")), max_size=2),
    st.booleans(),
)
policies = st.tuples(
    st.lists(rules, max_size=5),
    st.sampled_from(MODES),
    st.lists(st.sampled_from(("Bash", "Read", "deploy")), max_size=1),
    st.lists(st.sampled_from(("Write", "exec")), max_size=1),
)


def made(drawn: Drawn, *more: Rule) -> Policy:
    kept, mode, allowed, denied = drawn
    return compile_policy([*kept, *more], mode=mode, allowed_tools=allowed, denied_tools=denied)


@settings(max_examples=300, deadline=None)
@given(policies, cases, effects())
def test_one_more_effect_never_lowers_the_verdict(drawn: Drawn, case: Case, more: Effect) -> None:
    policy = made(drawn)
    if all(effect.possible for effect in case.effects):
        return  # nothing certain is known yet, which asks; the first certain effect may then be a free one
    before = decide(policy, case).verdict
    assert decide(policy, replace(case, effects=(*case.effects, more))).verdict >= before


@settings(max_examples=200, deadline=None)
@given(policies, cases, gaps, findings)
def test_one_more_gap_or_finding_never_lowers_the_verdict(drawn: Drawn, case: Case, gap: Gap, finding: Finding) -> None:
    policy = made(drawn)
    before = decide(policy, case).verdict
    assert decide(policy, replace(case, findings=(*case.findings, finding))).verdict >= before
    if case.effects or case.gaps:
        assert decide(policy, replace(case, gaps=(*case.gaps, gap))).verdict >= before


@settings(max_examples=300, deadline=None)
@given(policies, cases, rules.filter(lambda rule: rule.verdict > Verdict.ALLOW))
def test_one_more_deny_or_ask_rule_never_lowers_the_verdict(drawn: Drawn, case: Case, rule: Rule) -> None:
    assert decide(made(drawn, rule), case).verdict >= decide(made(drawn), case).verdict


CODES = (*sorted(USUAL_CODES), "privilege", "assent.settings", "mode", "git.push.force", "sandbox.off", "copied")


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(MODES), cases, st.sampled_from(CODES))
def test_steps_that_are_not_asked_about_an_effect_would_say_nothing(mode: Mode, case: Case, code: str) -> None:
    effects = tuple(replace(effect, code=code) for effect in case.effects)
    plain = tuple(effect for effect in effects if is_unremarkable(effect))
    policy = compile_policy(mode=mode)
    for step in (floor, denied, asked):
        assert step(policy, replace(case, effects=plain)) == []


@settings(max_examples=300, deadline=None)
@given(policies)
def test_a_policy_that_holds_nothing_back_has_no_rule_that_could(drawn: Drawn) -> None:
    kept, mode, _allowed, denied_tools = drawn
    strict = any(rule.verdict > Verdict.ALLOW for rule in kept) or mode == "plan" or bool(denied_tools)
    policy = made(drawn)
    assert policy.holds_back == strict
    every = (policy.in_mode("plan"), compile_policy(problems=["x"]), compile_policy(path_rules=[("**", False)]))
    assert all(one.holds_back for one in (*every, compile_policy(denied_commands=["rm *"])))


@settings(max_examples=200, deadline=None)
@given(policies, cases, st.randoms(use_true_random=False))
def test_the_order_of_rules_effects_and_gaps_does_not_matter(drawn: Drawn, case: Case, random: object) -> None:
    kept, mode, allowed, denied = drawn
    turned = replace(case, effects=case.effects[::-1], gaps=case.gaps[::-1], commands=case.commands[::-1])
    backwards = made((kept[::-1], mode, allowed, denied))
    assert decide(backwards, turned).verdict == decide(made(drawn), case).verdict


@settings(max_examples=300, deadline=None)
@given(policies, cases)
def test_every_decision_has_a_reason_a_trace_and_the_digest_of_its_policy(drawn: Drawn, case: Case) -> None:
    policy = made(drawn)
    decision = decide(policy, case)
    assert decision.reason
    assert decision.decisive.verdict == decision.verdict
    assert [step for step, _ in decision.trace] == ["policy", "floor", "deny", "plan", "ask", "check", "allow"]
    assert decision.policy_digest == policy.digest
    assert not (decision.allowed and decision.requires_confirmation)
    if decision.allowed:
        assert decision.gaps == ()
        assert not any(gap.blind for gap in case.gaps)


@settings(max_examples=200, deadline=None)
@given(policies, cases)
def test_no_policy_opens_the_floor(drawn: Drawn, case: Case) -> None:
    place = Place(f"{HOME}/.ssh/id_rsa", (f"{PROJECT}/x", f"{HOME}/.ssh/id_rsa"))
    closed = replace(case, effects=(*case.effects, Effect("read", "x", at=place)))
    assert decide(made(drawn), closed).verdict == Verdict.DENY


@settings(max_examples=100, deadline=None)
@given(policies, cases, st.sampled_from([kind for kind in DISK_KINDS if kind != "list"]))
def test_no_policy_opens_a_disk(drawn: Drawn, case: Case, kind: Kind) -> None:
    for place in (Place("/dev/sda", ("/dev/sda",)), Place(f"{PROJECT}/x", (f"{PROJECT}/x",), device="block")):
        closed = replace(case, effects=(*case.effects, Effect(kind, "x", at=place)))
        assert decide(made(drawn), closed).verdict == Verdict.DENY
        listed = replace(case, effects=(*case.effects, Effect("list", "x", at=place)))
        assert [one.step for one in decide(made(drawn), listed).reasons if "is a disk" in one.text] == []


@settings(max_examples=300, deadline=None)
@given(policies, cases)
def test_a_looser_mode_never_answers_stricter(drawn: Drawn, case: Case) -> None:
    kept, _, allowed, denied = drawn
    full, default, plan = (
        decide(made((kept, mode, allowed, denied)), case).verdict for mode in ("full_auto", "default", "plan")
    )
    assert full <= default <= plan


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(TEXTS), effects(), cases)
def test_what_the_strict_reading_accepts_the_permissive_one_catches(text: str, effect: Effect, case: Case) -> None:
    target = read_rule(text)
    if vouches(target, effect, case) and effect.kind in CATCHES[target.tool]:
        assert catches(target, effect, case)


def test_a_case_about_which_nothing_is_known_asks() -> None:
    decision = decide(compile_policy(mode="full_auto"), Case(ToolCall("x", {}), ("x",)))
    assert (decision.verdict, decision.reason) == (Verdict.ASK, "nothing is known about this call")
