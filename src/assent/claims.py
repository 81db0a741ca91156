"""What an agent says about a call, compared with what the call would do. The words are English, Vietnamese, Chinese.

A description makes claims ("show", "run the tests", "read-only"), each of which admits some kinds of effects. An effect
that no word of the description admits is told to the person who is asked. Decides nothing.
"""

from __future__ import annotations

import re

from assent.record import record
from assent.types import Url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.types import Call, Effect, Gap

JUDGED = 20_000
QUOTED = 60
SAYS = {
    "send": "sends data to",
    "delete": "deletes",
    "change": "changes",
    "write": "writes",
    "reach": "reaches",
    "lookup": "reaches",
    "later": "arranges what runs later:",
    "privilege": "runs with other rights",
    "run": "runs",
}
"""Kinds of effects that a description should not keep to itself, the gravest first, and how a sentence says them."""
REMARKABLE = frozenset(SAYS) - {"run", "lookup"}
LATER = ("schedule", "cron")
"""How codes of effects begin by which something runs at another time, when nobody looks."""
BLIND = "run"
"""What cannot be understood may run anything."""


def _words(english: str, vietnamese: str = "", chinese: str = "") -> re.Pattern[str]:
    """Verbs in all their forms; Chinese has no blanks between words."""
    stems = "|".join(english.split())
    ends = r"(?:e|s|es|d|ed|ing|er|ers|ion|ions|ation|y|ies|ied|ying)?"
    found = [rf"(?<![\w-])(?:re|un|auto-?|over)?(?:{stems})(?:[bdglmnpt](?=ing|ed))?{ends}(?!\w)"] if stems else []
    found += [rf"(?<!\w)(?:{'|'.join(text.strip() for text in vietnamese.split(','))})(?!\w)"] if vietnamese else []
    found += ["|".join(chinese.split())] if chinese else []
    return re.compile("|".join(found), re.IGNORECASE)


@record
class Act:
    """Something that descriptions claim, and the kinds of effects that somebody who reads it expects."""

    pattern: re.Pattern[str]
    admits: frozenset[str]


def _act(pattern: re.Pattern[str], admits: str = "") -> Act:
    return Act(pattern, frozenset(admits.split()))


SENT_THINGS = re.compile(
    r"\b(?:creat|open|clos|merg|edit|updat|approv|fil|rais|draft)\w*\s+(?:[\w#-]+\s+){0,3}?"
    r"(?:prs?|pull requests?|merge requests?|issues?|releases?|gists?|tickets?|discussions?)\b",
    re.IGNORECASE,
)
ACTS = (
    _act(
        _words(
            "list show display print view read inspect count check(?![-\\s]?out) verif validat examin review analyz"
            " analys search find locat compar diff quer scan summari[sz] describ explain investigat explor detect"
            " look\\s+(?:at|for|into|up) tail grep see seeing gather determin"
            " get(?:ting)?\\s+(?:the\\s+)?(?:current|list|number|size|name|value|status|info|contents?|path|details?)",
            "đọc, xem, liệt kê, hiển thị, kiểm tra, tìm, tìm kiếm, so sánh",
            "读取 讀取 查看 檢視 列出 显示 顯示 检查 檢查 搜索 搜尋 查找 比较 比較 统计 統計 浏览 瀏覽",
        )
    ),
    _act(
        _words(
            "test lint type-?check benchmark coverage pytest jest vitest unittest clippy",
            "kiểm thử, chạy thử, chạy test",
            "测试 測試",
        ),
        "run write",
    ),
    _act(
        _words("build compil bundl packag transpil", "biên dịch, xây dựng, đóng gói", "构建 建置 编译 編譯 打包"),
        "run write reach change",
    ),
    _act(
        _words(
            "format prettif beautif fix refactor reformat organi[sz] sort", "định dạng, sửa lỗi", "格式化 修复 修復"
        ),
        "run write reach",
    ),
    _act(
        _words(
            "(?<!un)install upgrad updat set\\s*-?up bootstrap provision add bump",
            "cài đặt, cài, cập nhật, nâng cấp",
            "安装 安裝 更新 升级 升級",
        ),
        "run write reach change",
    ),
    _act(
        _words(
            "commit stag merg rebas check[-\\s]?out switch branch tag cherry-?pick amend squash",
            "gộp, chuyển nhánh",
            "提交 合并 合併 切换 切換",
        ),
        "run write change",
    ),
    _act(
        _words("revert reset restor stash undo discard rollback", "hoàn tác", "恢复 還原 撤销 撤銷 回滚"),
        "run write change delete",
    ),
    _act(
        _words(
            "push upload publish deploy send sent post submit share releas transfer sync notif mail email comment"
            " broadcast trigger dispatch",
            "đẩy, tải lên, gửi, xuất bản, triển khai, phát hành",
            "推送 上传 上傳 发布 發佈 發布 部署 发送 發送 分享 同步",
        ),
        "run write reach change send",
    ),
    _act(SENT_THINGS, "run reach change send"),
    _act(
        _words(
            "fetch download clon pull curl wget crawl scrap brows ping request"
            " get(?:ting)?(?!\\s+(?:the\\s+)?(?:current|list|number|size|name|value|status|info|content|path|detail))",
            "tải xuống, tải về, sao chép kho",
            "下载 下載 克隆 拉取 获取 獲取 抓取",
        ),
        "run write reach change",
    ),
    _act(_words("plan estimat", "lên kế hoạch", "规划 規劃"), "run write reach"),
    _act(_words("back\\s*-?up snapshot", "sao lưu", "备份 備份"), "run write reach change send"),
    _act(
        _words(
            "delet remov clean clean-?up wip purg clear eras drop prun uninstall unlink trash destroy kill stop"
            " terminat tear\\s+down rm shut\\s*down",
            "xóa, xoá, dọn, dọn dẹp, gỡ, gỡ bỏ, dừng",
            "删除 刪除 清理 清除 移除 卸载 卸載 停止 终止 終止 擦除",
        ),
        "run write change delete",
    ),
    _act(
        _words(
            "mov renam replac overwrit rotat migrat",
            "di chuyển, đổi tên, thay thế",
            "移动 移動 重命名 替换 替換 迁移 遷移",
        ),
        "run write change delete",
    ),
    _act(
        _words(
            "writ wrot creat sav edit modif chang generat append copy copi redirect stor appl patch insert extract"
            " unpack unzip decompress compress archiv dump export import convert config enabl disabl set mak touch init"
            " scaffold record",
            "ghi, viết, tạo, sửa, thay đổi, sao chép, lưu, cấu hình",
            "写入 寫入 创建 創建 建立 修改 编辑 編輯 复制 複製 保存 儲存 生成 添加 配置 设置 設定",
        ),
        "run write change",
    ),
)
WEAK = (
    _act(
        _words(
            "run running execut start launch restart serv invok boot call open",
            "chạy, thực thi, khởi động, gọi",
            "运行 運行 执行 執行 启动 啟動 调用 呼叫",
        ),
        "run write change reach",
    ),
    _act(_words("status version overview info look state", "trạng thái, phiên bản", "状态 狀態 版本 概览 概覽")),
)
"""Say that something runs, or is looked at, but not what: they count in a clause without any other claim."""
CLAUSE = re.compile(
    r"[,;:+&/()\[\]→|.!?\n，；、。]|\b(?:and|then|or|to|before|after|while|plus|also|but|(?:by|with) (?=\w+ing\b))\b"
    r"|(?<!\w)(?:và|rồi|sau đó|để)(?!\w)|并且|並且|并|並|和|然后|然後|以及|之后|之後",
    re.IGNORECASE,
)
"""What stands between clauses. The first claim of a clause is what it says; the words behind it are about what."""
NETWORK_WORDS = re.compile(
    r"\b(?:api|apis|remote|urls?|web|website|online|https?|networks?|internet|endpoints?|registry|server|cloud|origin"
    r"|upstream|github|gitlab|pull requests?|prs?|issues?|releases?|workflows?|ci|pods?|clusters?|buckets?|deployments?"
    r"|dns|outdated|dependenc(?:y|ies)|packages?|latest|localhost|ports?|pages?|sites?|hosts?)\b"
    r"|máy chủ|mạng|网络|網路|远程|遠端|服务器|伺服器|接口",
    re.IGNORECASE,
)
"""Admit that a network is reached, and claim nothing."""
RIGHTS_WORDS = re.compile(r"\b(?:sudo|root|admin\w*|privileg\w*|superuser|elevated)\b", re.IGNORECASE)
LATER_WORDS = re.compile(
    r"\b(?:cron\w*|schedul\w*|timers?|jobs?|periodic\w*|daily|hourly|nightly|weekly|recurring|reminders?)\b"
    r"|\b(?:every|each) (?:minute|hour|day|night|week)\b|lịch|定时|定時|计划任务|排程",
    re.IGNORECASE,
)
FLAT = (
    (
        re.compile(
            r"\bread[-\s]?only\b|\bno (?:changes?|writes?|modifications?|side[-\s]?effects?)\b"
            r"|\bnothing (?:is |gets |will be )?(?:changed|written|deleted|modified|sent)\b"
            r"|\b(?:does|do|will)(?:n't| not) (?:change|modify|write|delete|alter|touch)\b"
            r"|\bwithout (?:changing|modifying|writing|deleting|altering|touching)\b"
            r"|chỉ đọc|không thay đổi|只读|唯读|唯讀|只讀|不修改|不会修改|不會修改|不更改|无副作用",
            re.IGNORECASE,
        ),
        frozenset(SAYS),
    ),
    (
        re.compile(r"\b(?:harmless|no[-\s]?op|does nothing|safe to run)\b|vô hại|无害|無害", re.IGNORECASE),
        frozenset({"send", "delete", "change", "write", "later", "privilege"}),
    ),
    (
        re.compile(
            r"\b(?:offline|locally|local[-\s]only|no (?:network|internet)|without (?:network|internet))\b"
            r"|ngoại tuyến|离线|離線|不联网|不連網",
            re.IGNORECASE,
        ),
        frozenset({"send", "reach", "lookup"}),
    ),
    (
        re.compile(r"\bdry[-\s]?run\b|\bpreview\b|\bsimulat\w+\b|试运行|試運行|chạy nháp", re.IGNORECASE),
        frozenset({"send", "delete", "change"}),
    ),
)
"""Claims that no other word takes back, and what each rules out."""
PROGRAMS = {
    "git": "status log diff show add commit push pull fetch clone checkout switch branch merge rebase stash tag reset"
    " restore blame remote clean",
    **dict.fromkeys(("npm", "pnpm", "yarn"), "test install ci publish audit outdated start"),
    "docker": "ps images build push pull logs exec compose stop",
    "kubectl": "get describe apply delete logs exec rollout",
    "cargo": "build test check clippy fmt publish",
    "pip": "install uninstall list freeze show",
    "gh": "pr issue repo release",
    "terraform": "plan apply destroy init validate",
    **dict.fromkeys(
        """npx pytest jest vitest mocha rustc uv poetry podman helm ansible curl wget ssh scp rsync eslint prettier tsc
        mypy ruff pylint flake8 gradle mvn apt-get dnf aws gcloud psql mysql sqlite3 systemctl journalctl chmod chown
        ls rm""".split(),
        "",
    ),
}
"""Programs whose names mean nothing else, and those of their subcommands that people name."""
NAMES = "|".join(sorted(map(re.escape, PROGRAMS), key=len, reverse=True))
NAMED = re.compile(rf"(?<![\w./-])({NAMES})(?![\w./-])(?:\s+([a-z][a-z-]+))?")
REGISTRIES = frozenset(
    """registry.npmjs.org registry.yarnpkg.com pypi.org files.pythonhosted.org crates.io static.crates.io
    index.crates.io proxy.golang.org sum.golang.org rubygems.org repo.maven.apache.org repo1.maven.org packagist.org
    hex.pm pub.dev""".split()
)
"""Where package managers look things up by themselves; telling about it would warn of every second command."""
PROJECT_CODE = frozenset({"project", "script", "inline", "wrapped"})
"""Codes of effects that run what the project defines: there the named program may run unseen."""


def contradictions(
    description: str, effects: Iterable[Effect], gaps: Iterable[Gap] = (), calls: Iterable[Call] = ()
) -> tuple[str, ...]:
    """What a call would do that its description does not say, or says otherwise, as sentences for a person."""
    words = description[:JUDGED]
    deeds = _deeds(effects, gaps)
    if not words.strip() or not deeds:
        return ()
    flat = [(found, rules_out) for pattern, rules_out in FLAT if (found := pattern.search(words))]
    claims, admitted = _claimed(words)
    told: dict[str, str] = {}
    for kind in SAYS:
        if kind not in deeds:
            continue
        claim = next((found for found, rules_out in flat if kind in rules_out), None)
        if claim is None and claims and kind in REMARKABLE and kind not in admitted:
            claim = claims[0]
        if claim is not None:
            told[kind] = f'the agent says "{_quoted(claim.group())}", but this {deeds[kind]}'
    return (*told.values(), *_other_programs(words, tuple(effects), tuple(calls)))


def _deeds(effects: Iterable[Effect], gaps: Iterable[Gap]) -> dict[str, str]:
    """The kinds of what would certainly happen, each with a phrase about it."""
    found: dict[str, list[Effect]] = {}
    for effect in effects:
        kind = _kind(effect)
        if kind in SAYS and not effect.possible:
            found.setdefault(kind, []).append(effect)
    told = {kind: _phrase(kind, those) for kind, those in found.items()}
    if BLIND not in told and any(gap.blind for gap in gaps):
        told[BLIND] = "does something that is not understood"
    return told


def _kind(effect: Effect) -> str:
    if effect.kind == "reach" and (_host(effect) in REGISTRIES or effect.code == "git.fetch"):
        return "lookup"
    if effect.code.startswith(LATER):
        return "later"
    return "privilege" if effect.code == "privilege" else effect.kind


def _host(effect: Effect) -> str:
    return effect.at.host if isinstance(effect.at, Url) and effect.at.host else effect.target


def _phrase(kind: str, effects: list[Effect]) -> str:
    if kind == "privilege":
        return SAYS[kind]
    targets = list(dict.fromkeys(map(_host, effects)))
    more = f" and {len(targets) - 1} more" if len(targets) > 1 else ""
    return f"{SAYS[kind]} {_quoted(targets[0])}{more}"


def _claimed(words: str) -> tuple[list[re.Match[str]], frozenset[str]]:
    """The claims in the order in which they stand, and every kind of effect that some word admits."""
    claims: list[re.Match[str]] = []
    admitted: frozenset[str] = frozenset()
    start = 0
    for end in [*(border.start() for border in CLAUSE.finditer(words)), len(words)]:
        for acts in (ACTS, WEAK):
            found = [(claim, act) for act in acts if (claim := act.pattern.search(words, start, end))]
            first = min((claim.start() for claim, _ in found), default=-1)
            here = [(claim, act) for claim, act in found if claim.start() == first]
            claims += [claim for claim, _ in here[:1]]
            admitted = admitted.union(*(act.admits for _, act in here))
            if here:
                break
        start = end
    admitted |= {"reach"} if NETWORK_WORDS.search(words) else frozenset()
    admitted |= {"later"} if LATER_WORDS.search(words) else frozenset()
    admitted |= {"privilege"} if RIGHTS_WORDS.search(words) else frozenset()
    return claims, admitted


def _other_programs(words: str, effects: tuple[Effect, ...], calls: tuple[Call, ...]) -> Iterator[str]:
    """A program that the description names, in a command that does not hold its name and changes or runs something."""
    certain = [effect for effect in effects if not effect.possible and effect.kind in SAYS]
    if not certain or not calls or any(effect.code in PROJECT_CODE for effect in certain):
        return
    given = [[(word.value or word.text).rpartition("/")[2] for word in call.words] for call in calls]
    named = [(found[1], found[2] if found[2] in PROGRAMS[found[1]].split() else "") for found in NAMED.finditer(words)]
    for program, verb in named:
        if any(program in line and (not verb or verb in line) for line in given):
            return
    for program, verb in named[:1]:
        yield f'the agent names "{f"{program} {verb}".strip()}", which this command does not run'


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"
