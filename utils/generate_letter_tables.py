#!/usr/bin/env python3
"""Writes lib/Python/LetterTables.inc: what Python knows of the letters of all scripts.

usage: generate_letter_tables.py [--check]

The facts are those of the Python that runs this (3.11 has Unicode 14). --check fails when the file is another one; it says
so and does nothing where Python has another version of Unicode.
"""
import pathlib
import sys
import unicodedata

FILE = pathlib.Path(__file__).resolve().parent.parent / "lib/Python/LetterTables.inc"
VERSION = "14.0.0"
ALL = [chr(point) for point in range(128, 0x110000) if not 0xD800 <= point < 0xE000]


def ends_word(text):
    """Whether a sigma behind the text is that of the end of a word."""
    return (text + "\u03a3").lower()[-1] == "\u03c2"


PROPERTIES = [
    ("alphas", "Letters of words.", str.isalpha),
    ("decimals", "Digits of a decimal system, in tens from 0 to 9.", str.isdecimal),
    ("digits", "Digits that are no decimals, as superscripts.", lambda c: c.isdigit() and not c.isdecimal()),
    ("numerics", "Numbers that are no digits, as fractions.", lambda c: c.isnumeric() and not c.isdigit()),
    ("spaces", "White space.", str.isspace),
    ("unprintables", "What repr() escapes.", lambda c: not c.isprintable()),
    ("uppers", "Upper case.", str.isupper),
    ("lowers", "Lower case.", str.islower),
    ("titles", "Two letters in one, of which the first is upper case.", lambda c: c.istitle() and not c.isupper()),
    ("caseds", "What a letter of a word follows in lower case in a title.", lambda c: (c + "a").title()[-1] == "a"),
    ("ignorables", "What may stand between the letters of a word.", lambda c: ends_word("A" + c) and not ends_word(c)),
    ("starts", "What an identifier may begin with.", str.isidentifier),
    ("parts", "What may stand in one behind its beginning.", lambda c: ("a" + c).isidentifier() and not c.isidentifier()),
]
MAPPINGS = [("upper", str.upper), ("lower", str.lower), ("title", str.title), ("casefold", str.casefold)]


def runs(pairs):
    """Of (number, what) in order: runs of one `what`, next to each other or with one number left out each time."""
    result = []
    for number, what in pairs:
        if result:
            run = result[-1]
            gap = number - run[1]
            if what == run[3] and (gap == run[2] or (run[0] == run[1] and gap in (1, 2))):
                run[1], run[2] = number, gap
                continue
        result.append([number, number, 1, what])
    return result


def lines(entries):
    line = ""
    for entry in entries:
        if len(line) + len(entry) > 116:
            yield line.rstrip()
            line = ""
        line += (line and " " or "  ") + entry + ","
    yield line


def main():
    if unicodedata.unidata_version != VERSION:
        sys.exit(0 if "--check" in sys.argv else f"this Python has Unicode {unicodedata.unidata_version}, not {VERSION}")
    text = ["// Written by utils/generate_letter_tables.py: Unicode " + VERSION + " as Python has it. Letters beyond ASCII.", ""]
    for name, meaning, holds in PROPERTIES:
        found = runs((ord(c), None) for c in ALL if holds(c))
        text += ["// " + meaning, f"constexpr Run {name}[] = {{"]
        text += lines("{0x%x, 0x%x, %d}" % tuple(run[:3]) for run in found)
        text += ["};", ""]
    for name, method in MAPPINGS:
        changed = [(c, method(c)) for c in ALL if method(c) != c]
        found = runs((ord(c), ord(to) - ord(c)) for c, to in changed if len(to) == 1)
        text += [f"constexpr Shift {name}Shifts[] = {{"]
        text += lines("{{0x%x, 0x%x, %d}, %d}" % tuple(run) for run in found)
        text += ["};"]
        text += [f"constexpr Spelling {name}Spellings[] = {{"]
        text += lines('{0x%x, "%s"}' % (ord(c), "".join("\\u%04x" % ord(t) if ord(t) >= 128 else t for t in to))
                      for c, to in changed if len(to) > 1)
        text += ["};", ""]
    written = "\n".join(text).rstrip() + "\n"
    if "--check" in sys.argv:
        sys.exit(FILE.read_text() != written and f"{FILE}: run utils/generate_letter_tables.py")
    FILE.write_text(written)


if __name__ == "__main__":
    main()
