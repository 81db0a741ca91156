"""The escapes of `$'…'`."""

from __future__ import annotations

SIMPLE = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
SIMPLE |= {sign: sign for sign in "\\'\"?"}
HEX = frozenset("0123456789abcdefABCDEF")
OCTAL = frozenset("01234567")


def decode_ansi(text: str) -> str | None:
    """The text that bash makes of it; None for what we do not decode.

    That is NUL, odd `\\c`, and whatever is not ASCII: `\\u00e9` is two bytes, one, or itself, as the locale has it.
    """
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            end = text.find("\\", at)
            end = len(text) if end < 0 else end
            out.append(text[at:end])
            at = end
            continue
        sign = text[at + 1 : at + 2]
        if sign in SIMPLE:
            out.append(SIMPLE[sign])
            at += 2
            continue
        if sign == "c":
            letter = text[at + 2 : at + 3]
            if not letter.isascii() or not letter.isalpha():
                return None
            out.append(chr(ord(letter) & 31))
            at += 3
            continue
        code, at = _number(text, at + 1, sign)
        if code is None:
            return None
        out.append(code)
    return "".join(out)


def _number(text: str, at: int, sign: str) -> tuple[str | None, int]:
    """A character by its code; `at` is where the letter or first digit stands."""
    if sign and sign in OCTAL:
        digits, base, most, start = OCTAL, 8, 3, at
    elif sign in ("x", "u", "U"):
        digits, base, most, start = HEX, 16, {"x": 2, "u": 4, "U": 8}[sign], at + 1
    else:
        return ("\\" + sign if sign.isprintable() or sign == "\n" else None), at + 1
    end = start
    while end < len(text) and end - start < most and text[end] in digits:
        end += 1
    if text[start : start + 1] == "{":
        return None, at
    if end == start:
        return "\\" + sign, at + 1
    code = int(text[start:end], base)
    return (chr(code) if 0 < code < 128 else None), end
