"""Services people work with: tickets, chat, payments, error reports, monitoring."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.verbs import Service, by_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SERVICES = {
    "jira": Service(
        "Jira",
        groups=frozenset("issue epic sprint board project release comment worklog".split()),
        looks=frozenset("view me open serverinfo".split()),
        changes=frozenset("edit clone close transition".split()),
        here=frozenset({"version", "help"}),
        settings=("init",),
        kept={"": ("~/.config/.jira/.config.yml",)},
    ),
    "slack": Service(
        "Slack",
        groups=frozenset("auth app collaborator datastore trigger manifest external-auth function".split()),
        looks=frozenset({"activity"}),
        changes=frozenset({"install"}),
        destroys=frozenset({"uninstall"}),
        here=frozenset({"version", "help", "auth list"}),
        secrets=("auth token",),
        settings=("login", "logout", "auth"),
        remote=("run", "deploy", "create", "upgrade"),
        kept={"": ("~/.slack/credentials.json",)},
    ),
    "stripe": Service(
        "Stripe",
        groups=frozenset(
            "customers charges payment_intents products prices invoices subscriptions events balance refunds accounts"
            " coupons"
            " payouts webhook_endpoints checkout sessions logs sources".split()
        ),
        looks=frozenset("list retrieve search tail status".split()),
        changes=frozenset("post trigger resend confirm capture finalize pay".split()),
        destroys=frozenset("void".split()),
        here=frozenset({"version", "help"}),
        secrets=("config",),
        settings=("login", "logout"),
        remote=("listen", "samples", "serve", "fixtures", "plugin"),
        kept={"": ("~/.config/stripe/config.toml",)},
    ),
    "twilio": Service(
        "Twilio",
        groups=frozenset({"profiles"}),
        looks=frozenset("phone-numbers:list api:core:messages:list api:core:calls:list debugger:logs:list".split()),
        changes=frozenset("api:core:messages:create api:core:calls:create phone-numbers:update email:send".split()),
        here=frozenset({"profiles:list", "plugins", "version"}),
        settings=("login", "profiles:create", "profiles:use", "profiles:remove"),
        remote=("plugins:install", "serverless:start", "serverless:deploy"),
        kept={"": ("~/.twilio-cli/config.json",)},
    ),
    "sentry-cli": Service(
        "Sentry",
        groups=frozenset("releases projects organizations issues events deploys monitors repos sourcemaps".split()),
        looks=frozenset("propose-version explain".split()),
        changes=frozenset(
            "new finalize set-commits upload-dif upload-proguard send-event inject archive resolve mute".split()
        ),
        here=frozenset({"help"}),
        settings=("login",),
        remote=("monitors run", "react-native", "bash-hook", "update"),
        kept={"": ("~/.sentryclirc",)},
    ),
    "newrelic": Service(
        "New Relic",
        groups=frozenset("entity nrql apm application deployment workload profile nerdgraph".split()),
        looks=frozenset("search query".split()),
        here=frozenset({"version", "help", "profile list"}),
        settings=("profile",),
        remote=("install", "diagnose"),
        kept={"": ("~/.newrelic/credentials.json",)},
    ),
    "datadog-ci": Service(
        "Datadog",
        groups=frozenset(
            "synthetics lambda sourcemaps junit sarif sbom dora git-metadata coverage measure metric".split()
        ),
        changes=frozenset("run-tests instrument uninstrument upload-dif level".split()),
        here=frozenset({"version"}),
        remote=("trace", "synthetics run-tests"),
    ),
}
OPTIONS = (
    "--json --csv --plain --no-headers -o,--output= --format= --limit= --project= -p= --org= --raw --no-color --live"
    " -q,--quiet"
    " --profile= --accountId= --debug --help"
)


@turns_off("--help")
def _working(args: Args) -> Iterator[Fact]:
    if args.name != "jira" or not args.has("--help"):
        yield from by_verb(args, SERVICES[args.name])


PROGRAMS = dict.fromkeys(SERVICES, Program(OPTIONS, "text*", more=_working))

EXAMPLES = {
    "jira issue list": "reach Jira #cloud.read",
    "jira issue create": "send Jira #cloud.change",
    "jira project --help": "note jira",
    "jira init": "change settings for Jira #cloud.login | write ~/.config/.jira/.config.yml",
    "slack auth list": "note slack",
    "slack deploy": "send Slack #cloud.change | run slack deploy #program"
    " | gap slack: it runs commands of its own or on another machine",
    "stripe customers list": "reach Stripe #cloud.read",
    "stripe refunds create": "send Stripe #cloud.change",
    "stripe listen --forward-to x": "send Stripe #cloud.change | run stripe listen #program"
    " | gap stripe: option --forward-to is not known"
    " | gap stripe: it runs commands of its own or on another machine",
    "twilio phone-numbers:list": "reach Twilio #cloud.read",
    "sentry-cli releases list": "reach Sentry #cloud.read",
    "sentry-cli releases new 1": "send Sentry #cloud.change",
    "newrelic entity search": "reach New Relic #cloud.read",
    "datadog-ci junit upload x": "send Datadog #cloud.change | read x/**",
}
