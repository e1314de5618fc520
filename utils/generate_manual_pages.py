#!/usr/bin/env python3
"""Writes the manual pages of the five tools.

usage: generate_manual_pages.py BIN_DIR OUT_DIR

OUT_DIR gets tsc-run.1 and a page for each other tool in BIN_DIR. Usage, options, passes and exit codes are what the tool
prints with --help, word for word; the rest stands in packaging/man/<tool>.txt:

    [EXAMPLES]              a section; NAME holds the one line that apropos shows
    Paragraphs, parted by empty lines. `What one types` is printed bold.

    - `XDG_CACHE_HOME`: an entry of a list, which begins with a dash and ends its term by a colon

        lines that are indented are printed as they are

Text of a section that has options, passes or exit codes stands above them. The date of the pages is SOURCE_DATE_EPOCH, or
today; equal tools and dates give equal bytes.
"""
import argparse
import datetime
import os
import pathlib
import re
import textwrap

import tool_help

TEXTS = pathlib.Path(__file__).resolve().parent.parent / "packaging" / "man"
REQUIRED = ["NAME", "EXIT STATUS", "EXAMPLES"]
BEFORE_LISTS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
AFTER_LISTS = ["EXIT STATUS", "ENVIRONMENT", "FILES", "NOTES", "EXAMPLES", "SEE ALSO"]
CHARACTERS = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}
TYPED = re.compile(r"`(?P<typed>[^`]+)`|(?<![\w'/-])(?P<option>--?[A-Za-z][\w-]*)|\b(?P<tool>%s)\b(?![\w/-]|\.\w)" % "|".join(tool_help.TOOLS))


def escape(text, is_typed=False):
    """Text for troff. A hyphen stays one between letters of prose; all else that looks like it is a minus, as one types it."""
    hyphens = r"-" if is_typed else r"(?<!\w)-|-(?!\w)"
    text = "".join(CHARACTERS.get(c, c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)
    return re.sub(hyphens, r"\\-", text)


def bold(text):
    return rf"\fB{escape(text, is_typed=True)}\fR"


def italic(text):
    return rf"\fI{escape(text, is_typed=True)}\fR"


def line(text):
    """A line of input: what begins with a dot would be a request."""
    return r"\&" + text if text.startswith((".", "'")) else text


def inline(text):
    """Text with what one types in bold."""
    parts, end = [], 0
    for found in TYPED.finditer(text):
        parts += [escape(text[end:found.start()]), bold(found[found.lastgroup])]
        end = found.end()
    return "".join(parts) + escape(text[end:])


def prose(text):
    """The lines of a paragraph. Each sentence begins a line, by which troff knows where one ends; a line within a sentence
    must not end as if it were one."""
    lines = []
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z`]|--)", text):
        rows = textwrap.wrap(inline(sentence), 78, break_long_words=False, break_on_hyphens=False)
        lines += [line(row) + (r"\&" if row.endswith((".", "!", "?", ":")) else "") for row in rows[:-1]] + [line(rows[-1])]
    return lines


def value_text(option):
    """What stands behind the name of an option: words that one types bold, words that stand for others italic."""
    parts = option.value.split("|") if "|" in option.value else [option.value]
    typed = set(option.choices()) if not option.choice_texts else set()
    text = "|".join(bold(part) if part in typed else italic(part) for part in parts)
    if option.is_value_optional:
        return f"[={text}]"
    return option.separator + text if text else ""


def entry(tag, text_lines):
    return [".TP", line(tag), *text_lines]


def option_entry(option):
    lines = entry(", ".join(bold(name) + (value_text(option) if option.value else "") for name in option.names), prose(option.text))
    if option.choice_texts:
        lines.append(".RS")
        for choice, text in option.choice_texts:
            lines += entry(bold(choice), prose(text))
        lines.append(".RE")
    return lines


def usage_lines(help):
    lines = []
    for usage in help.usage:
        words = re.sub(r"<(\w+)>|--?[A-Za-z][\w-]*|[A-Za-z][\w.]*", lambda m: bold(m[0]) if m[0].startswith("-") else italic(m[1] or m[0]), usage)
        lines += [".br"] * bool(lines) + [f"{bold(help.tool)} {words}"]
    return lines


def text_lines(body):
    """The lines of a section of packaging/man, as troff."""
    lines = []
    for block in re.split(r"\n(?:[ \t]*\n)+", body.strip("\n")):
        rows = block.splitlines()
        if all(row.startswith("    ") for row in rows):
            lines += [".PP", ".RS 4", ".EX", *(line(escape(row[4:], is_typed=True)) for row in rows), ".EE", ".RE"]
        elif found := re.fullmatch(r"- ((?:`[^`]*`|[^:`])+): (.*)", " ".join(row.strip() for row in rows)):
            lines += entry(inline(found[1]), prose(found[2]))
        else:
            lines += [".PP", *prose(" ".join(row.strip() for row in rows))]
    return lines


def read_sections(path):
    """{heading: body} of a file of packaging/man."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise tool_help.HelpError(f"cannot read '{path}', which has the text of a manual page: {error.strerror}")
    parts = re.split(r"^\[([A-Z ]+)\]\n", text, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    if parts[0].strip() or len(sections) != len(parts) // 2:
        raise tool_help.HelpError(f"'{path}' has text above its first section, or a section twice; begin it with [NAME]")
    return sections


def page(help, path, version, date):
    texts = read_sections(path)
    generated = {
        "SYNOPSIS": usage_lines(help),
        "DESCRIPTION": [row for text in help.paragraphs for row in (".PP", *prose(text))],
        "OPTIONS": option_lines(help),
        "EXIT STATUS": [row for code, text in help.exit_codes for row in entry(bold(code), prose(text))],
        "SEE ALSO": [".PP", ",\n".join(rf"\fB{escape(tool, is_typed=True)}\fR(1)" for tool in sorted(tool_help.TOOLS) if tool != help.tool)],
    }
    lists = {title.split(",")[0].upper(): [row for item in items for row in name_entry(*item)] for title, items in help.lists.items()}
    order = [*BEFORE_LISTS, *lists, *AFTER_LISTS]
    generated.update(lists)
    if unknown := [heading for heading in texts if heading not in order]:
        raise tool_help.HelpError(f"'{path}' has a section [{unknown[0]}]; the sections are {', '.join(order)}")
    lines = [f".\\\" Written by utils/generate_manual_pages.py from '{help.tool} --help' and packaging/man/{path.name}.",
             rf'.TH {escape(help.tool.upper(), is_typed=True)} 1 {date} "tsc {version}" "User Commands"',
             ".nh", ".ad l"]  # names that one types are not broken, nor spread
    for heading in order:
        text = texts.get(heading, "")
        if heading == "NAME":
            body = [f"{escape(help.tool, is_typed=True)} \\- {escape(' '.join(text.split()))}"] if text.strip() else []
        elif heading in ("DESCRIPTION", "SEE ALSO"):  # what the tool says comes first
            body = generated[heading] + (text_lines(text) if text.strip() else [])
        else:
            body = (text_lines(text) if text.strip() else []) + generated.get(heading, [])
        if not body and heading in REQUIRED:
            raise tool_help.HelpError(f"'{path}' lacks the section [{heading}]")
        if body:
            while body[0] == ".PP":  # a heading begins a paragraph
                body.pop(0)
            lines += [f'.SH "{heading}"' if " " in heading else f".SH {heading}", *body]
    return "\n".join(lines) + "\n"


def name_entry(name, text, other):
    return entry(bold(name), prose(f"{text} [{other}]" if other else text))


def option_lines(help):
    lines = [row for name, text in help.arguments for row in entry(italic(name), prose(text))]
    for title, options in help.groups.items():
        if title == f"{help.tool} options":
            title = f"Options of {help.tool}"
        if title:
            lines.append(f'.SS "{escape(title, is_typed=True)}"')
        lines += [row for option in options for row in option_entry(option)]
    return lines


def date_of_pages(parser):
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        return datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    try:
        return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).date().isoformat()
    except (ValueError, OverflowError, OSError):
        parser.error(f"SOURCE_DATE_EPOCH is '{seconds}': set it to seconds since 1970, or unset it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir", metavar="BIN_DIR", help="folder with the five tools")
    parser.add_argument("out_dir", metavar="OUT_DIR", type=pathlib.Path, help="folder that the pages are written to")
    options = parser.parse_args()
    tool_help.require_tools(parser, options.bin_dir)
    date, version = date_of_pages(parser), tool_help.version(options.bin_dir)
    tool_help.write_all({options.out_dir / f"{help.tool}.1": page(help, TEXTS / f"{help.tool}.txt", version, date)
                         for help in tool_help.read_all(options.bin_dir)})


if __name__ == "__main__":
    tool_help.run_main(main)
