"""Letters that look like ASCII: written out in every place where a reader would take them for it, and nowhere else."""

import unicodedata

import pytest

from approval.test_display import asked
from assent.approval.confusables import SKELETONS
from assent.approval.display import shown
from assent.approval.fragments import one_line, spell_out
from assent.approval.gate import _visible as gate_visible
from assent.approval.unseen import escaped, named_hosts, odd_places, skeleton
from assent.cli.show import visible
from assent.describe import question
from assent.pipeline import examine
from assent.policy.compiled import compile_policy
from assent.questions import ApprovalRequest
from assent.types import ToolCall
from decided import PROJECT, WORLD

LETTERS = sorted(sign for sign, like in SKELETONS.items() if len(like) == 1 and like.isalnum())
COMPATIBLE = [
    chr(code)
    for code in range(0x80, 0x1FBFA)
    if (plain := unicodedata.normalize("NFKC", chr(code))) != chr(code) and plain.isascii() and plain.isalnum()
]
"""Full width, mathematical, circled and other spellings of letters."""
SIGNS = sorted(sign for sign, like in SKELETONS.items() if not like.isalnum())
PLACES = ("curl https://e{}ample.com/x", "curl {}ithub.com", "rm {}", "echo {0}{0}{0}.com", "cat /usr/{}in/x", "x_{}_y")


@pytest.mark.parametrize("place", PLACES)
def test_no_letter_that_looks_like_ascii_is_shown_as_itself(place: str) -> None:
    for sign in (*LETTERS, *COMPATIBLE):
        text = place.format(sign)
        for made in (one_line(text, prose=False), shown(asked(text)).sections[0].lines[0].text):
            assert sign not in made, (escaped(sign), made)
            assert escaped(sign) in made


@pytest.mark.parametrize("place", ["curl https://e{}ample.com/x", "reaches {}ithub.com", "runs pay{}al"])
def test_sentences_mark_letters_too(place: str) -> None:
    for sign in LETTERS:
        for mark in (one_line, spell_out, visible, gate_visible):
            assert sign not in mark(place.format(sign)), (escaped(sign), mark.__name__)


def test_no_sign_that_looks_like_ascii_is_shown_as_itself_in_a_command() -> None:
    for sign in SIGNS:
        assert 4 in odd_places(f"ls a{sign}b"), escaped(sign)


def test_every_entry_of_the_table_looks_like_what_it_says() -> None:
    assert len(SKELETONS) > 700
    assert all(not sign.isascii() and like.isascii() for sign, like in SKELETONS.items())
    assert skeleton("ɡіthυb.com") == "github.com"
    assert skeleton("ｇithub") == "github"


@pytest.mark.parametrize(
    "text",
    [
        "привет мир", "git commit -m 'Исправлено: тест а и о'", "Δt α-β", "Gitを使う データ", "cœur læs naïve",
        "日本語test", "ใช้Gitครับ", "الAPI", "ה-API", "файл-а.txt", "Łódź đ ħ ŋ það Straße", "नमस्ते अतः १२",
        "한국어 abc",
        "ελληνικά κείμενο", "Москва-сортировочная", "ñandú Iñtërnâtiônàl", "Việt Nam", "çok güzel", "Ελλάδα",
        "привет.рф",
        "отчёт-2024.csv", "Київ", "Ĝis la revido", "gęślą jaźń", "ångström", "résumé.pdf", "µs",
    ],
)  # fmt: skip
def test_ordinary_writing_stays_as_it_is(text: str) -> None:
    assert one_line(text, prose=False) == text
    assert one_line(text) == text


def test_turkish_is_itself_in_sentences() -> None:
    assert one_line("ışık ayarlarını değiştir") == "ışık ayarlarını değiştir"
    assert one_line("pıng", prose=False) == "p\\u{131}ng"
    assert one_line("reaches pıng.example") == "reaches p\\u{131}ng.example‹xn--png-jua.example›"


# --- hosts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("curl https://ɡithub.com/x", "curl https://\\u{261}ithub.com‹xn--ithub-qmc.com›/x"),
        ("curl https://bücher.example/x", "curl https://bücher.example‹xn--bcher-kva.example›/x"),
        ("scp x git@ɡithub.com:y", "scp x git@\\u{261}ithub.com‹xn--ithub-qmc.com›:y"),
        ("curl https://me:pw@münchen.de", "curl https://me:‹password, 2 characters›@münchen.de‹xn--mnchen-3ya.de›"),
        ("ssh ɡithub.com", "ssh \\u{261}ithub.com‹xn--ithub-qmc.com›"),
        ("https://привет.рф/", "https://привет.рф‹xn--b1agh1afp.xn--p1ai›/"),
        ("curl аррӏе.com", "curl \\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com‹xn--80ak6aa92e.com›"),
        ("cat résumé.pdf файл.txt", "cat résumé.pdf файл.txt"),
    ],
)
def test_a_host_is_shown_with_the_name_that_is_looked_up(text: str, line: str) -> None:
    assert one_line(text, prose=False) == line
    assert shown(asked(text)).sections[0].lines[0].text == line


def test_native_words_elsewhere_do_not_excuse_a_host() -> None:
    line = one_line("echo привет; curl https://аррӏе.com", prose=False)
    assert "привет" in line
    assert "аррӏе" not in line
    assert named_hosts("echo привет; curl https://аррӏе.com")[0][2] == "xn--80ak6aa92e.com"


def test_a_warning_says_which_host_it_is_and_which_it_is_not() -> None:
    assert shown(asked("curl https://ɡithub.com/x")).warnings == (
        "the command holds letters of another alphabet that look alike: \\u{261}ithub",
        "the command names a host with letters outside ASCII: it is xn--ithub-qmc.com, not github.com",
    )


BARE = [
    ("ssh bücher.example", "ssh bücher.example‹xn--bcher-kva.example›", "xn--bcher-kva.example"),
    ("curl bücher.example", "curl bücher.example‹xn--bcher-kva.example›", "xn--bcher-kva.example"),
    ("curl --url=bücher.example", "curl --url=bücher.example‹xn--bcher-kva.example›", "xn--bcher-kva.example"),
    ("git clone bücher.example:a/b", "git clone bücher.example‹xn--bcher-kva.example›:a/b", "xn--bcher-kva.example"),
    ("ping пример.рф", "ping пример.рф‹xn--e1afmkfd.xn--p1ai›", "xn--e1afmkfd.xn--p1ai"),
    ("curl https://bücher:8080/", "curl https://bücher‹xn--bcher-kva›:8080/", "xn--bcher-kva"),
    ("ssh bücher ls", "ssh bücher‹xn--bcher-kva› ls", "xn--bcher-kva"),
]


def asked_really(command: str) -> ApprovalRequest:
    """The request as the analysis makes it."""
    call, policy = ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT), compile_policy()
    case, decision = examine(call, policy, WORLD)
    assert case is not None
    return question("id", policy, case, decision, WORLD)


@pytest.mark.parametrize(("command", "line", "name"), BARE)
def test_a_bare_host_is_marked_where_the_analysis_finds_one(command: str, line: str, name: str) -> None:
    display = shown(asked_really(command))
    assert display.sections[0].lines[0].text == line
    assert display.parts[0].text == line
    assert f"the command names a host with letters outside ASCII: it is {name}" in display.warnings


def test_a_host_with_other_dots_is_not_said_to_be_another() -> None:
    display = shown(asked_really("curl github。com/x"))
    assert display.sections[0].lines[0].text.endswith("‹github.com›/x")
    assert display.warnings == ("the command writes the host github.com with characters outside ASCII",)


def test_a_file_is_not_taken_for_a_host() -> None:
    display = shown(asked_really("cat bücher.example; curl example.com -o résumé.pdf"))
    assert "‹" not in display.sections[0].lines[0].text
    assert display.warnings == ()


# --- our own marks -------------------------------------------------------------------------------------------------

MASK = "‹password, 7 characters›"


def test_a_mask_of_ours_stays_a_mask_and_nobody_elses_does() -> None:
    assert one_line(f"mysql -p{MASK}", prose=False, masked=True) == f"mysql -p{MASK}"
    assert one_line(f"mysql -p{MASK}", prose=False) == "mysql -p\\u{2039}password, 7 characters\\u{203a}"
    assert one_line("a ‹300 blanks› b", masked=True) == "a \\u{2039}300 blanks\\u{203a} b"
    assert spell_out(f"reaches {MASK}") == f"reaches {MASK}"
    assert visible("x › y ‹z›") == "x \\u{203a} y \\u{2039}z\\u{203a}"


def test_masks_in_what_we_say_about_a_request_are_not_written_out() -> None:
    made = asked(targets=(("Runs", (f"mysql -p{MASK}",)),), why=(f"no rule allows {MASK}",), sentence=f"Runs {MASK}")
    display = shown(made)
    assert display.targets == (("Runs", (f"mysql -p{MASK}",)),)
    assert (display.why, display.sentence) == ((f"no rule allows {MASK}",), f"Runs {MASK}")
