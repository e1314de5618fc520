"""What the tools print with --help, read into one form; generate_manual_pages.py and generate_completions.py use it.

Two kinds of text are known. tsc-run, tsc-translate and tsc-lsp print tables of their own:

    usage: TOOL ARGUMENTS                 one line for each way to call it
    paragraphs
    Examples:                             not read: the manual pages have their own
      TOOL ARGUMENTS        text
    Title:                                a heading, or none, above a table of options
      --name VALUE          text          also `--name[=VALUE]`, `-O0 ... -O3`, and `-i: text` for a second name
    Exit codes: 0 text; 1 text

tsc-opt and tsc-reduce print what LLVM's command line library makes of their options:

    OVERVIEW: TOOL: text
    Title:                                lists of names, such as passes
      name                  text [PyTorch's name]
    USAGE: TOOL [options] <argument: text>
    OPTIONS:
    Title:
      --name=<value>      - text
        =choice           -   text

A line that is neither is an error: a page that silently lacks an option is worse than none.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

TOOLS = ["tsc-run", "tsc-opt", "tsc-translate", "tsc-reduce", "tsc-lsp"]
ENDING = re.compile(r"(?<![\w.])\.[a-z]{2,}\b")  # .pt, as a word of its own
OWN_OPTION = re.compile(r"(?P<name>--?[A-Za-z][\w-]*)(?:\[=(?P<optional>[^\]]+)\]| (?P<value>'[^']+'|[^\s'].*))?")
LLVM_OPTION = re.compile(r"  (?P<name>--?[A-Za-z][\w-]*)(?:(?P<separator>[= ])<(?P<value>[^>]+)>)? +- (?P<text>.+)")
LLVM_CHOICE = re.compile(r"    =(?P<choice>\S+) +-   (?P<text>.+)")
LIST_ITEM = re.compile(r"  (?P<name>[\w-]+)  +(?P<text>\S.*?)(?: \[(?P<other>\w+)\])?")


class HelpError(Exception):
    """A tool that cannot be asked, or whose answer is not understood. Says what to do."""


class Option:
    """One option, or several that share a text."""

    def __init__(self, names, value="", separator=" ", is_value_optional=False, text=""):
        self.names, self.value, self.separator = names, value, separator  # value: what the help calls it; none: a switch
        self.is_value_optional, self.text = is_value_optional, text
        self.choice_texts = []  # (choice, text), where the help has a line for each
        self.endings = []  # of the files that it takes; none: any

    def choices(self):
        """The words that the value may be: of `cpu|cuda|cuda:N` the first two, as N stands for a number."""
        if self.choice_texts:
            return [choice for choice, _ in self.choice_texts]
        return [part for part in self.value.split("|") if not is_placeholder(part)] if "|" in self.value else []

    def kind(self):
        """What the value is: none, arguments, choice, pipeline, passes, program, file or text."""
        if not self.value:
            return "none"
        if self.choices():
            return "choice"
        if re.fullmatch(r"[A-Z]+( [A-Z]+)+", self.value):
            return "arguments"  # the words behind it are what the tool takes without it, too
        if self.value in ("pipeline", "program"):
            return self.value
        if self.value == "pass,...":
            return "passes"
        is_file = any(re.fullmatch(r"(FILE|OUTPUT|file)(\.\w+)?|F\.\w+", part) for part in self.value.split("|"))
        return "file" if is_file else "text"

    def takes_next_word(self):
        return self.kind() not in ("none", "arguments") and not self.is_value_optional


def is_placeholder(word):
    """Whether a word of the help stands for others: NAME and cuda:N do, O2 does not."""
    return bool(re.search(r"[A-Z](?!\d)", word))


class Help:
    """What one tool says of itself."""

    def __init__(self, tool):
        self.tool = tool
        self.usage = []  # what may follow the name of the tool, a string for each way to call it
        self.paragraphs = []
        self.groups = collections.OrderedDict()  # title -> options; the title is empty where there is one group
        self.lists = collections.OrderedDict()  # title -> (name, text, PyTorch's name)
        self.exit_codes = []  # (number as text, text)
        self.arguments = []  # (name, text) of what is not an option, where the help explains it
        self.argument_endings = []  # of the files among them; none: any
        self.takes_arguments = False
        self.has_short_dashes = False  # -name is --name

    def options(self):
        return [option for group in self.groups.values() for option in group]

    def names_in(self, kind):
        """What may stand in an option of kind `passes` or `pipeline`: (name, text)."""
        lists = list(self.lists.items())
        chosen = lists if kind == "pipeline" else [(title, items) for title, items in lists if title.lower() == "passes"]
        return [(name, text) for _, items in chosen for name, text, _ in items]


class Lines:
    """The lines of a help text, and where we are in it."""

    def __init__(self, tool, text):
        self.tool, self.lines, self.at = tool, text.splitlines(), 0

    def current(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def next(self):
        self.at += 1
        return self.lines[self.at - 1]

    def skip_empty(self):
        while self.current() is not None and not self.current().strip():
            self.at += 1
        return self.current() is not None

    def block(self):
        """The lines up to the next empty one."""
        taken = []
        while self.current() is not None and self.current().strip():
            taken.append(self.next())
        return taken

    def refuse(self, at):
        line = self.lines[at] if at < len(self.lines) else "(the end)"
        return HelpError(f"line {at + 1} of '{self.tool} --help' is not understood: '{line}'; write it as utils/tool_help.py says, or teach it the form")


def text_column(lines):
    """Where the texts of a table begin: at the column that most of its lines have."""
    columns = collections.Counter()
    for line in lines:
        if gap := re.match(r"  -.*?\S {2,}(?=\S)", line):
            columns[gap.end()] += 1
    return columns.most_common(1)[0][0] if columns else 0


def own_option(line, column):
    """An Option; None for a line that is not one."""
    if column and line[:column].endswith(" ") and len(line) > column and line[column] != " ":
        left, text = line[:column].strip(), line[column:]
    elif wide := re.match(r"  (--?[A-Za-z][\w-]*(?: \S+|\[=\S+\])?) (\S.*)", line):  # the left side goes beyond the column
        left, text = wide.groups()
        if wide.end(1) < column - 1:
            return None
    else:
        return None
    if levels := re.fullmatch(r"(-[A-Za-z])(\d) \.\.\. \1(\d)", left):
        return Option([levels[1] + str(n) for n in range(int(levels[2]), int(levels[3]) + 1)], text=text)
    found = OWN_OPTION.fullmatch(left)
    if not found:
        return None
    option = Option([found["name"]], found["optional"] or found["value"] or "", "=" if found["optional"] else " ", bool(found["optional"]), text)
    if second := re.match(r"(-[A-Za-z]): (?=\S)", text):
        option.names.append(second[1])
        option.text = text[second.end():]
    return option


def read_own(help, lines):
    first = lines.at
    for line in lines.block():
        found = re.fullmatch(rf"(?:usage:|      ) {re.escape(help.tool)}(?: (\S.*))?", line)
        if not found:
            raise lines.refuse(first)
        help.usage.append(found[1] or "")
        first += 1
    while lines.skip_empty():
        first = lines.at
        block = lines.block()
        title = ""
        if len(block) > 1 and block[1].startswith("  -") and re.fullmatch(r"[A-Z].*:", block[0]):
            title, first = block.pop(0)[:-1], first + 1
        if block[0].startswith("  -"):
            group = help.groups.setdefault(title, [])
            column = text_column(lines.lines)
            for at, line in enumerate(block, first):
                option = own_option(line, column)
                if not option:
                    raise lines.refuse(at)
                group.append(option)
        elif block[0] == "Examples:" and all(line.startswith(f"  {help.tool} ") for line in block[1:]):
            continue
        elif any(line.startswith(" ") for line in block):
            raise lines.refuse(first + next(i for i, line in enumerate(block) if line.startswith(" ")))
        elif block[0].startswith("Exit codes:"):
            text = " ".join(block).removeprefix("Exit codes:").strip().removesuffix(".")
            codes = [re.fullmatch(r"(\d+) (\S.*)", part) for part in re.split(r"; (?=\d)", text)]
            if not all(codes):
                raise lines.refuse(first)
            help.exit_codes = [code.groups() for code in codes]
        elif help.groups:
            raise lines.refuse(first)
        else:
            help.paragraphs.append(" ".join(block))
    help.takes_arguments = any(is_placeholder(word) for usage in help.usage for word in re.split(r"[\s\[\]]+", usage) if not word.startswith("-"))
    help.argument_endings = [ending for text in help.paragraphs for ending in re.findall(r"\((\.\w+)\)", text)]


def read_llvm(help, lines):
    help.has_short_dashes = True
    first = lines.at
    overview = re.fullmatch(rf"OVERVIEW: {re.escape(help.tool)}: (\S.*)", " ".join(lines.block()))
    if not overview:
        raise lines.refuse(first)
    help.paragraphs.append(overview[1][0].upper() + overview[1][1:] + ".")
    while lines.skip_empty() and not lines.current().startswith("USAGE:"):
        read_list(help, lines)
    first = lines.at
    usage = re.fullmatch(rf"USAGE: {re.escape(help.tool)} (?P<options>\[options\])(?: <(?P<argument>[^>]+)>)?", " ".join(lines.block()))
    if not usage:
        raise lines.refuse(first)
    help.usage.append(usage["options"])
    if usage["argument"]:
        name, text = re.fullmatch(r"(\w+):? ?(.*)", usage["argument"]).groups()
        help.usage[0] += f" <{name}>"
        help.arguments.append((name, text))
        help.takes_arguments = True
        help.argument_endings = ENDING.findall(text) + [".pt"] * ("archive" in text)
    if not lines.skip_empty() or lines.next() != "OPTIONS:":
        raise lines.refuse(lines.at - 1)
    while lines.skip_empty():
        read_llvm_group(help, lines)


def read_list(help, lines):
    title = lines.next()
    if not re.fullmatch(r"[A-Z].*:", title):
        raise lines.refuse(lines.at - 1)
    items = help.lists.setdefault(title[:-1], [])
    while lines.current() and lines.current().strip():
        item = LIST_ITEM.fullmatch(lines.next())
        if not item:
            raise lines.refuse(lines.at - 1)
        items.append((item["name"], item["text"], item["other"] or ""))


def read_llvm_group(help, lines):
    title = lines.next()
    if not re.fullmatch(r"[A-Za-z].*:", title):
        raise lines.refuse(lines.at - 1)
    group = help.groups.setdefault(title[:-1], [])
    lines.skip_empty()
    while lines.current() and lines.current().strip():
        line = lines.next()
        if choice := LLVM_CHOICE.fullmatch(line):
            if not group:
                raise lines.refuse(lines.at - 1)
            group[-1].choice_texts.append((choice["choice"], choice["text"]))
            continue
        found = LLVM_OPTION.fullmatch(line)
        if not found:
            raise lines.refuse(lines.at - 1)
        option = Option([found["name"]], found["value"] or "", found["separator"] or " ", text=found["text"])
        if group and group[-1].names == option.names and not group[-1].value:
            group.pop()  # a line without the value, and a line with it: the value may be left out
            option.is_value_optional = True
        group.append(option)


def parse(tool, text):
    """The Help of a text."""
    help, lines = Help(tool), Lines(tool, text)
    if not lines.skip_empty():
        raise HelpError(f"'{tool} --help' prints nothing; build the tool anew")
    if lines.current().startswith("OVERVIEW:"):
        read_llvm(help, lines)
    elif lines.current().startswith("usage:"):
        read_own(help, lines)
    else:
        raise lines.refuse(lines.at)
    if not help.options():
        raise HelpError(f"'{tool} --help' lists no options; build the tool anew")
    in_usage = set(re.findall(r"\b[A-Z]{2,}\b", " ".join(help.usage)))
    for option in help.options():
        if option.kind() == "file":
            parts = [ENDING.search(" " + part.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for part in option.value.split("|")]
            option.endings = [part[0] for part in parts if part] or ENDING.findall(option.text)
            if not option.endings and option.value in in_usage:
                option.endings = help.argument_endings
    return help


def ask(folder, tool, option):
    """What a tool of the folder prints for --help or --version."""
    path = pathlib.Path(folder) / tool
    try:
        done = subprocess.run([path, option], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise HelpError(f"'{path} {option}' does not end; build the tool anew")
    except OSError as error:
        raise HelpError(f"'{path}' does not run on this machine: {error.strerror}")
    if done.returncode:
        raise HelpError(f"'{path} {option}' fails with exit status {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def read_all(folder):
    """The Help of each of the five tools in a folder."""
    return [parse(tool, ask(folder, tool, "--help")) for tool in TOOLS]


def version(folder):
    """The version of the tools, as in 0.3.0, which tsc-run says."""
    found = re.search(r"\b\d+\.\d+\.\d+\b", ask(folder, "tsc-run", "--version"))
    if not found:
        raise HelpError("'tsc-run --version' prints no version such as 0.3.0; build the tool anew")
    return found[0]


def require_tools(parser, folder):
    """Ends the program, with a sentence, where the folder lacks a tool."""
    missing = [tool for tool in TOOLS if not os.access(pathlib.Path(folder) / tool, os.X_OK)]
    if missing:
        parser.error(f"'{folder}' has no {', '.join(missing)}: build {'it' if len(missing) == 1 else 'them'}, or name the folder that holds all five tools")


def write_all(texts):
    """Writes {path: text}, or ends the program with a sentence."""
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            sys.exit(f"error: cannot write '{path}': {error.strerror}")


def run_main(main):
    """Calls main; what it says of a tool's help goes to stderr, and the exit status is 1 then."""
    try:
        main()
    except HelpError as error:
        sys.exit(f"error: {error}")
