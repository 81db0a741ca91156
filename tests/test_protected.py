"""Paths that need care: which names count, and that a quick look never misses one of them."""

from __future__ import annotations

import pytest

from assent import protected
from assent.protected import NOTABLE, SECRET, STARTED, cares, is_compiled, is_disk, is_secret, is_started, marks


def path_of(needle: str) -> str:
    return f"/h/p{needle.rstrip('/')}"


LISTED = [
    *(f"/h/p/{name}" for name in (*protected.SECRET_NAMES, *protected.STARTED_NAMES)),
    *(f"/h/p/{name}x" for name in protected.STARTED_PREFIXES),
    *(f"/h/p/x{ending}" for ending in (*protected.SECRET_SUFFIXES, *protected.STARTED_SUFFIXES)),
    *map(path_of, (*protected.SECRET_FOLDERS, *protected.STARTED_FOLDERS)),
    *map(path_of, (*protected.FLOOR_NEEDLES, *protected.OWN_FILES)),
    *(f"{disk}x" for disk in protected.DISKS),
    *protected.MEMORY,
]


@pytest.mark.parametrize("path", sorted(LISTED))
def test_whatever_is_listed_is_notable(path: str) -> None:
    assert marks(path) & NOTABLE
    assert bool(marks(path) & SECRET) == is_secret(path)
    assert not marks(path) & STARTED or is_started(path)


@pytest.mark.parametrize(
    "path",
    [
        *("githooks/pre-commit", "git-hooks/pre-push", ".hooks/commit-msg", "sub/.githooks/x", ".bazeliskrc"),
        *("crush.json", ".crush/x", "CRUSH.md", ".goose/recipes/a.yaml", ".amazonq/mcp.json", ".agents/skills/a/x.md"),
        *(
            ".agent/rules/a.md",
            ".augment/rules/a.md",
            ".augment-guidelines",
            ".trae/rules/a.md",
            ".junie/guidelines.md",
        ),
        *(".kilocode/rules/a.md", ".kilocodemodes", ".roorules", ".roorules-code", ".clinerules-code", "WARP.md"),
        *(".openhands/setup.sh", ".rules", ".continuerc.json", ".aider.model.settings.yml", ".woodpecker.yaml"),
        *(".drone.star", ".semaphore/semaphore.yml", ".teamcity/settings.kts", ".tekton/push.yaml", ".builds/a.yml"),
        *(".build.yml", ".zuul.yaml", "zuul.d/jobs.yaml", "codefresh.yml", ".azure-pipelines/a.yml", "cloudbuild.json"),
        *("buildspec.yaml", ".gitpod.yml", ".replit", ".idx/dev.nix", ".codesandbox/tasks.json", ".vs/tasks.vs.json"),
        *("x.sublime-project", ".helix/languages.toml", ".luarc.json", ".ycm_extra_conf.py", ".local.vimrc"),
        *(".vimspector.json", ".mise/config.toml", "mise/config.toml", "mise-tasks/a", ".direnv/python/bin/python"),
        *("env/bin/python", ".pnp.js", ".pdbrc", ".ghci", ".iex.exs", ".ocamlinit"),
    ],
)
def test_a_file_that_something_loads_by_itself_is_started(path: str) -> None:
    assert is_started(f"/h/p/{path}")
    assert "started" in cares(f"/h/p/{path}")


@pytest.mark.parametrize(
    "path",
    [
        *(".config/git/credentials", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json"),
        *(".local/share/opencode/auth.json", ".config/github-copilot/hosts.json", ".cache/huggingface/token"),
        *(".config/sops/age/keys.txt", ".config/rclone/rclone.conf", ".databrickscfg", ".kaggle/kaggle.json"),
        *(".oci/config", ".m2/settings.xml", ".config/containers/auth.json", ".config/solana/id.json"),
        *(".local/share/fish/fish_history", ".config/glab-cli/config.yml", ".config/pypoetry/auth.toml"),
    ],
)
def test_a_file_in_which_a_program_keeps_its_password_is_secret(path: str) -> None:
    assert is_secret(f"/h/{path}")
    assert "secret" in cares(f"/h/{path}")


@pytest.mark.parametrize(
    "path",
    [
        *("src/hooks/use.ts", "src/env/config.py", "rules", "docs/warp.txt", "auth.json", "settings.xml", "env/lib/x"),
        *("mise/src/main.rs", "agents/a.py", "src/helix/a.rs", "builds/a.yml", ".cache/huggingface/hub/a/config.json"),
        *(".config/git/ignore.txt", ".env.example", "dev/sda", "token"),
    ],
)
def test_a_name_that_only_sounds_alike_is_no_secret_and_most_are_free(path: str) -> None:
    assert not is_secret(f"/h/p/{path}")
    assert is_started(f"/h/p/{path}") == path.startswith(".config/git/")


@pytest.mark.parametrize(
    "path", ["/dev/sda", "/dev/nvme0n1p1", "/dev/disk/by-id/x", "/dev/mem", "/dev/kmem", "/dev/port"]
)
def test_disks_and_memory_are_known_by_their_names(path: str) -> None:
    assert is_disk(path)
    assert is_secret(path)


@pytest.mark.parametrize("path", ["/h/p/a.pyc", "/h/p/__pycache__", "/h/p/__pycache__/a.cpython-311.PYC"])
def test_compiled_code_is_notable_and_its_folder_may_be_removed(path: str) -> None:
    assert marks(path) & NOTABLE
    assert is_compiled(path)
    assert not is_started(path)
    assert cares(path) == ("started",)


@pytest.mark.parametrize("path", ["/dev/null", "/dev/random", "/dev/urandom", "/dev/shm/x", "/dev/tty", "/h/dev/sda"])
def test_other_devices_are_no_disks(path: str) -> None:
    assert not is_disk(path)
