"""Documentation, notebooks and web applications in Python: they run code of the project, and many of them listen."""

from __future__ import annotations

from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import both, defined, makes, only_asks, runs, runs_target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

ASKS = " -h,--help --version"

DROPS = Program(
    f"{ASKS} --no-input,--noinput --database= --settings= --pythonpath=tree -v,--verbosity=",
    "text*",
    does=changes("db.drop", "the database"),
    more=runs("manage.py", "**/settings.py"),
)
LISTENS = changes("net.listen", "a web server")


def _sphinx(args: Args) -> Iterator[Fact]:
    """`sphinx-build SOURCE OUTPUT`: `conf.py` of the source folder is run."""
    if only_asks(args):
        return
    source = args.text("-c") or (args.operands[0].value if args.operands else "") or "."
    yield from args.project("sphinx-build", (f"{source.rstrip('/')}/conf.py",))


@turns_off("--stdout")
def _nbconvert(args: Args) -> Iterator[Fact]:
    if args.has("--execute"):
        for word in args.operands:
            yield from args.act("script", word)
    if not args.has("--stdout"):
        yield from makes("*.*")(args)
    yield from runs("jupyter_nbconvert_config.py")(args)


def _asked(args: Args) -> Iterator[Fact]:
    """An application named by its words is loaded and run."""
    if only_asks(args):
        return
    named = tuple(
        f"{(word.value or '').partition(':')[0].replace('.', '/')}.py" for word in args.operands if word.value
    )
    for word in args.operands:
        if word.value is None:
            yield args.gap(f"what it runs is not known ({word.why})", blind=True)
    yield args.effect("change", "a web server", "net.listen")
    yield from defined(args, args.name, named)


MKDOCS = (
    f"{ASKS} -V -q,--quiet -v,--verbose -f,--config-file= -s,--strict -t,--theme= --use-directory-urls"
    " --no-directory-urls -c,--clean --dirty"
)
ALEMBIC = (
    f"{ASKS} -c,--config=read -n,--name= -x=choice --raiseerr -v,--verbose -r,--rev-range= -i,--indicate-current --sql"
    " --tag="
)
ALEMBIC_FILES = ("alembic.ini", "alembic/env.py")
DATABASE = changes("db.change", "the schema of a database")
NOTEBOOK = Program(
    f"{ASKS} --no-browser --allow-root --port= --ip= --notebook-dir=tree -y",
    "tree?",
    does=(*LISTENS, ("run", "jupyter code", "program")),
)
SERVES = Program(
    f"{ASKS} --host= --port= -p= --reload --no-reload --workers= -w= -b,--bind= --log-level= --app-dir=tree --factory"
    " --debug -h --timeout= -t= -k,--worker-class=run --env-file=read --access-log --no-access-log --proxy-headers",
    "text*",
    more=_asked,
)
FLASK = Program(
    f"{ASKS} -A,--app= -e,--env-file=read --debug --no-debug",
    commands={
        "run": Program(
            "-h,--host= -p,--port= --reload --no-reload --debugger --with-threads --debug --help",
            does=LISTENS,
            more=runs("app.py", "wsgi.py", ".flaskenv"),
        ),
        "routes": Program("-s,--sort= --all-methods --help", more=runs("app.py", "wsgi.py", ".flaskenv")),
        "shell": Program("--help", does=(("run", "flask code", "stdin"),), more=runs("app.py", "wsgi.py", ".flaskenv")),
    },
    style="starts",
)

PROGRAMS = {
    "sphinx-build": Program(
        f"{ASKS} -b,--builder= -M= -a,--write-all -E,--fresh-env -d,--doctree-dir=into -j,--jobs= -c,--conf-dir=tree"
        " -D=choice -A=choice -t,--tag= -n,--nitpicky -v,--verbose -q,--quiet -Q --color --no-color,-N"
        " -w,--warning-file=write -W,--fail-on-warning --keep-going -T,--show-traceback",
        "tree? into? text*",
        more=_sphinx,
    ),
    "mkdocs": Program(
        MKDOCS,
        commands={
            "build": Program(
                f"{MKDOCS} -d,--site-dir=into", more=both(runs("mkdocs.yml", config="-f"), makes("site/"))
            ),
            "serve": Program(
                f"{MKDOCS} -a,--dev-addr= --livereload --no-livereload -o,--open -w,--watch=",
                does=LISTENS,
                more=runs("mkdocs.yml", config="-f"),
            ),
            "new": Program(MKDOCS, "into"),
            "gh-deploy": Program(
                f"{MKDOCS} -m,--message= -b,--remote-branch= -r,--remote-name= --force --no-history",
                does=(
                    ("change", "the pages of the repository", "git.push.force"),
                    ("send", "the remote repository", ""),
                ),
                more=runs("mkdocs.yml", config="-f"),
            ),
        },
        style="bare",
    ),
    "jupyter": Program(
        f"{ASKS} --paths --json --data-dir --config-dir --runtime-dir",
        commands={
            "notebook": NOTEBOOK,
            "lab": NOTEBOOK,
            "nbconvert": Program(
                f"{ASKS} --to= --execute --inplace --stdout --output= --output-dir=into --no-input --clear-output"
                " --allow-errors",
                "read*",
                more=_nbconvert,
            ),
            "kernelspec": Program(ASKS, commands={"list": Program(f"{ASKS} --json")}, style="bare"),
        },
        style="bare",
    ),
    "streamlit": Program(
        ASKS,
        commands={
            "run": Program(
                "--server.port= --server.headless= --server.address= --help",
                "script text*",
                does=LISTENS,
                style="posix",
            ),
            "version": Program(""),
            "docs": Program(""),
        },
        style="bare",
    ),
    "uvicorn": SERVES,
    "gunicorn": SERVES,
    "hypercorn": SERVES,
    "flask": FLASK,
    "django-admin": Program(
        ASKS,
        commands={
            "startproject": Program(ASKS, "into into?"),
            "startapp": Program(ASKS, "into into?"),
            "flush": DROPS,
            "reset_db": DROPS,
            "version": Program(""),
            "help": Program("", "text*"),
        },
        style="starts",
    ),
    "alembic": Program(
        ALEMBIC,
        commands={
            "upgrade": Program(ALEMBIC, "text*", does=DATABASE, more=runs(*ALEMBIC_FILES)),
            "downgrade": Program(
                ALEMBIC, "text*", does=(("change", "the schema of a database", "db.drop"),), more=runs(*ALEMBIC_FILES)
            ),
            "stamp": Program(f"{ALEMBIC} --purge", "text*", does=DATABASE, more=runs(*ALEMBIC_FILES)),
            "revision": Program(
                f"{ALEMBIC} -m,--message= --autogenerate --head= --splice --branch-label= --version-path=into"
                " --rev-id= --depends-on=",
                more=both(runs(*ALEMBIC_FILES), makes("alembic/versions/")),
            ),
            "current": Program(ALEMBIC, more=runs(*ALEMBIC_FILES)),
            "history": Program(ALEMBIC, more=runs(*ALEMBIC_FILES)),
            "heads": Program(ALEMBIC, more=runs(*ALEMBIC_FILES)),
            "check": Program(ALEMBIC, more=runs(*ALEMBIC_FILES)),
        },
        style="bare",
    ),
    "celery": Program(
        f"{ASKS} -A,--app= -b,--broker=url -l,--loglevel= -q,--quiet -c,--concurrency= -Q,--queues= -B",
        "text*",
        more=runs_target("celery.py", "celeryconfig.py"),
    ),
}

EXAMPLES = {
    "flask": "run flask #program | gap flask: without a subcommand it does something of its own",
    "flask --help": "run flask #program | gap flask: without a subcommand it does something of its own",
    "flask -A evil": "run flask #program | gap flask: without a subcommand it does something of its own",
    "sphinx-build docs out": "read docs/** | write out/** | run sphinx-build #project",
    "mkdocs build": "run mkdocs build #project | write site/**",
    "mkdocs gh-deploy": "change the pages of the repository #git.push.force | send the remote repository"
    " | run mkdocs gh-deploy #project",
    "jupyter notebook --allow-root": "change a web server #net.listen | run jupyter code #program",
    "jupyter nbconvert --to script a.ipynb": "read a.ipynb | write *.* (glob) | run jupyter nbconvert #project",
    "jupyter --version": "note jupyter",
    "streamlit run a.py": "change a web server #net.listen | read a.py | run a.py #script",
    "uvicorn app.main:app --reload": "change a web server #net.listen | run uvicorn #project",
    "gunicorn -w 4 app:app": "change a web server #net.listen | run gunicorn #project",
    "hypercorn app:app": "change a web server #net.listen | run hypercorn #project",
    "flask run": "change a web server #net.listen | run flask run #project",
    "flask --version": "run flask #program | gap flask: without a subcommand it does something of its own",
    "django-admin flush --no-input": "change the database #db.drop | run django-admin flush #project",
    "django-admin startproject x": "write x/**",
    "alembic upgrade head": "change the schema of a database #db.change | run alembic upgrade #project",
    "alembic downgrade -1": "change the schema of a database #db.drop | run alembic downgrade #project"
    " | gap alembic downgrade: option -1 is not known",
    "alembic history": "run alembic history #project",
    "celery -A x worker": "run celery worker #project",
}
