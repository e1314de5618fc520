#!/usr/bin/env python3
"""List what has no doc comment in headers, and doc comments that begin with a fragment.

usage: check_comments.py [--private] [--known FILE [--update]] [--kind KIND]... [paths...]

Reads the public headers (include/tsc/**/*.h and include/tsc-c/tsc.h), and with --private those of lib/ as well; `paths` are
headers or folders to read instead. Prints `FILE:LINE: KIND: TEXT` for each finding, a line with the numbers of each library, and
the totals. The kinds are:

type      A class, struct, union or enum, or an alias (`using X =`, `typedef`) at namespace scope, that has no doc comment.
          Declarations without a body and specializations are left out.
function  A free function or public member function that has no doc comment. These need none: constructors, destructors,
          operators, friends, overrides, `classof`, and what is deleted or defaulted; getters, which are const and take nothing;
          setters (`setName` with one parameter); functions whose body is in the header and has at most one statement besides
          assertions; and kernels in Kernels/ and Ops/ that the record of an operator names, where the operator is described. A
          doc comment counts for all functions of its name in the same class or namespace. A comment with // that ends like a
          sentence counts for the functions below it, down to the next empty line.
fragment  A doc comment whose first sentence has no finite verb in its main clause, and begins with
          - a preposition or adverb that needs one ("Of a group.", "In elements.", "Not for lists."),
          - a relative pronoun ("That a storage was allocated in.", "Whose storage it is."),
          - or a conjunction whose clause no other follows ("If there is one.").
          Noun phrases ("The number of rows."), questions ("Whether it is dense.", "What a call takes."), and sentences without
          their subject ("Returns the rank.", "Called by any thread.", "Null when unknown.") are none. VERBS has the verbs that
          are known.

A doc comment is `///` or `/** */` above a declaration, or `///<` behind it; in a header of C, `/* */` at either place. What is
private, or in an unnamed namespace or one named detail, is not asked for comments, but fragments in it are found.

--known FILE compares the numbers with lines of FILE like `include/tsc/IR: 3 fragments, 2 types, 1 functions`. It fails if a
number has grown, and prints only what is new, which it asks git for. Where a number has fallen, it says which line to lower;
--update writes all lines again.
"""
import argparse
import collections
import functools
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("fragment", "type", "function")
Finding = collections.namedtuple("Finding", "path line kind text")
Token = collections.namedtuple("Token", "kind text line end")  # `end` is the line in which it ends

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)" | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<letter>'(?:\\.|[^'\\\n])+')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\d(?:'?[\w.])*)
  | (?P<sign>->|<=>|<<=?|<=|::|&&|\|\||[=!+*/%&|^-]=|[^\s\w])
""", re.X | re.S | re.M)


def tokens_of(text):
    line, offset = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", offset, match.start())
        offset = match.start()
        yield Token(match.lastgroup if match.lastgroup != "mark" else "string", match[0], line, line + match[0].count("\n"))


# Comments, and what can look like one or like a brace and is none.
LITERAL = r'R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.[0-9a-fA-F]*|[^\'\\\n])\''
COMMENT_OR_LITERAL = re.compile(rf"(?P<comment>//[^\n]*|/\*.*?\*/)|{LITERAL}", re.S)


def without_comments(text):
    """The text with comments as blanks, so that offsets and lines stay."""
    return COMMENT_OR_LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if match["comment"] else match[0], text)


# What a doc comment says ----------------------------------------------------------------------------------------------------

class Block:
    """A comment: adjoining lines of one kind."""

    def __init__(self, mark, token, text, column, is_behind):
        self.mark, self.line, self.last, self.text = mark, token.line, token.end, text
        self.column, self.is_behind = column, is_behind


def comment_blocks(text, is_c):
    """The comments of a header. Lines of // or /// one below the other are one comment, and so are the lines that continue a
    comment behind a declaration."""
    lines, blocks = text.split("\n"), []
    for token in tokens_of(text):
        if token.kind != "comment":
            continue
        mark = re.match(r"//[/!]<|//[/!](?!/)|/\*[*!]<|/\*[*!]|//|/\*", token.text)[0]
        said = re.sub(r"\*/$", "", token.text[len(mark):])
        said = "\n".join(re.sub(r"^\s*\|?\* ?", "", line) for line in said.split("\n"))
        column = lines[token.line - 1].find(token.text.split("\n")[0])
        is_behind = bool(lines[token.line - 1][:column].strip())
        if is_c and mark == "/*" and not re.match(r"[=-]", said):
            mark = "///<" if is_behind else "///"
        mark = mark.replace("/*!", "///").replace("/**", "///").replace("//!", "///")
        last = blocks[-1] if blocks else None
        if (last and token.text.startswith("//") and last.last == token.line - 1 and not is_behind
                and (last.mark == mark if not last.is_behind else last.mark == mark == "///<" or last.mark == "//" == mark)):
            last.text, last.last = f"{last.text}\n{said}", token.end
        else:
            blocks.append(Block(mark, token, said, column, is_behind))
    return blocks


def words(text):
    return set(text.split())


LEANING = words("""
    above across after against along among around as at before behind below beneath beside besides between beyond by
    despite during except for from in inside into like near of off on onto out outside over past per since than through
    throughout till to toward towards under until up upon via with within without
    and but else instead likewise or otherwise""")
ADVERBS = words("again also already always never not only still too yet")
RELATIVE = words("that who whom whose")
CONJUNCTIONS = words("although as because before after if once since though unless until while")
CLAUSE = RELATIVE | CONJUNCTIONS | words("which where when whenever wherever what whatever whether how why than")
AUXILIARIES = words("""
    am are can cannot could did do does had has have is may might must shall should was were will would
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shouldn't wasn't weren't won't wouldn't""")
VERBS = AUXILIARIES | words("""
    adds agrees appears applies becomes begins belongs borrows brings carries comes compares computes contains continues decides
    depends describes exists expects fails fits follows forgets gets gives goes happens hears holds increases keeps knows lacks
    lets lies loses makes means occurs owns passes produces raises receives refuses remains says sees stands stays takes tells
    become begin belong bring come contain depend exist follow get give go hear hold keep know lie make mean remain say see
    stand stay take tell""")
# These are nouns as well: see is_verb.
NOUNS_OR_VERBS = words("""
    asks calls copies costs counts ends leaves lives looks matches moves names needs points prints reads repeats replaces reports
    returns runs sets shares shows skips starts stops throws uses waits wants works writes""")
DETERMINERS = words("a all an any both each every his its more most no other our own same some such the their these those two")


def first_sentence(text):
    text = " ".join(text.split())
    end = re.search(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?](?=$|[\s)\"'])(?!\s[a-z])|[;:](?=\s|$)", text)
    return text[:end.start() + 1] if end else text


def main_clause(said):
    """The words of a sentence without its relative and other subordinate clauses. Such a clause goes to the next comma, or to
    the one after it where `and` or `or` continues it."""
    kept, is_inner = [], False
    for part in re.sub(r"\([^()]*\)", "", said).split(","):
        found = re.findall(r"[\w'-]+", part)
        if not found:
            continue
        if not (is_inner and found[0] in ("and", "or", "but", "nor")):
            is_inner = False
        for word in found:
            is_inner = is_inner or word in CLAUSE
            if not is_inner:
                kept.append(word)
    return kept


def is_verb(clause, i):
    """Whether a word of a clause is a finite verb. One that can be a noun is taken for a verb if it stands between two words, of
    which the first is likely to be its subject."""
    if clause[i] in VERBS:
        return i == 0 or clause[i - 1] != "to"
    return (clause[i] in NOUNS_OR_VERBS and 0 < i < len(clause) - 1
            and clause[i - 1] not in DETERMINERS | LEANING | {"to"} and not clause[i - 1].endswith("ed"))


def is_fragment(sentence):
    """Whether a first sentence is a fragment, as --help describes it."""
    said = re.sub(r"`[^`]*`|\"[^\"]*\"", "it", sentence)
    said = re.sub(r"’", "'", said[:1].lower() + said[1:])
    opening = re.match(r"([a-z][\w'-]*)(?:[,:;.(]|\s|$)\W*([\w'-]*)", said)
    if not opening:
        return False
    first, second = opening[1], opening[2].lower()
    if first in CONJUNCTIONS and "," in said:
        # Where another clause follows, it is a whole sentence: a clause has three words or more.
        rest = re.findall(r"[\w'-]+", said.split(",", 1)[1])
        if len(rest) > 2 and rest[0] not in LEANING | CONJUNCTIONS:
            return False
    if first in RELATIVE:
        # `That is so` has a pronoun for its subject; `that a list holds` has none.
        return first != "that" or second not in ("is", "was", "has", "does", "can", "will", "would", "may", "must")
    if first not in LEANING | ADVERBS | CONJUNCTIONS or second == "how":  # `in how many rows` asks, as `how many rows` does
        return False
    if first in ADVERBS and second in VERBS | NOUNS_OR_VERBS:  # `also reads the list` lacks its subject alone
        return False
    clause = main_clause(said)
    return not any(is_verb(clause, i) for i in range(len(clause)))


def fragments(path, blocks):
    for block in blocks:
        if block.mark not in ("///", "///<"):
            continue
        sentence = first_sentence(block.text)
        if is_fragment(sentence):
            yield Finding(path, block.line, "fragment", sentence)


# What is declared -----------------------------------------------------------------------------------------------------------

class Scope:
    """A namespace or class whose members are read."""

    def __init__(self, kind, name, is_public):
        self.kind, self.name = kind, name
        self.is_public = is_public  # whether what is declared next can be used from outside
        self.outer_public = is_public
        self.functions = []  # (name, its token, whether it needs no comment, whether it has one)


SKIPPED_GROUPS = words("alignas decltype explicit noexcept requires throw __attribute__ __declspec sizeof typeid")
CLASS_WORDS = ("class", "struct", "union")


def is_macro(word):
    return bool(re.fullmatch(r"[A-Z][A-Z0-9_]+", word)) and len(word) > 2


def top_level(statement):
    """(index, token) of what stands in no brackets; an opening bracket itself counts."""
    depth = angles = 0
    for i, token in enumerate(statement):
        sign = token.text
        after_operator = i > 0 and statement[i - 1].text == "operator"
        if sign in ")]}":
            depth -= 1
        elif sign == ">" and angles and not depth and not after_operator:
            angles -= 1
        if depth == 0 and angles == 0 and sign not in ")]}>":
            yield i, token
        if sign in "([{" and not after_operator:
            depth += 1
        elif sign in "([{":
            depth += 1
        elif sign == "<" and not depth and i > 0 and statement[i - 1].kind == "word" and not after_operator:
            angles += 1


class Header:
    """The declarations of one header. Reads braces, access specifiers and the first words of statements; what it cannot read,
    such as a macro that declares something, it skips."""

    def __init__(self, path, text, blocks):
        self.path, self.lines = path, text.split("\n")
        self.is_c = "tsc-c/" in str(path)
        self.doc_ends = {block.last for block in blocks if block.mark == "///" and not block.is_behind}
        self.doc_behind = {block.line for block in blocks if block.mark == "///<"}
        self.group_heads = {block.last: block for block in blocks if block.mark == "//" and not block.is_behind
                            and re.search(r"[.:]\s*$", block.text) and len(block.text.split()) > 2}
        self.findings = []
        self.tokens = [token for token in self.without_alternatives(tokens_of(text)) if token.kind != "comment"]
        self.read()

    @staticmethod
    def without_alternatives(tokens):
        """Leaves out directives, and what stands behind #else or #elif: braces are in pairs in each alternative, but not in
        all of them together."""
        taken = []  # of each #if that is open, whether its first part goes on
        for token in tokens:
            if token.kind == "directive":
                directive = re.match(r"\s*#\s*(\w*)", token.text)[1]
                if directive in ("if", "ifdef", "ifndef"):
                    taken.append(True)
                elif directive in ("else", "elif", "elifdef", "elifndef") and taken:
                    taken[-1] = False
                elif directive == "endif" and taken:
                    taken.pop()
            elif all(taken):
                yield token

    def is_documented(self, first, last):
        return first - 1 in self.doc_ends or any(line in self.doc_behind for line in range(first, last + 1))

    def has_group_comment(self, line):
        """Whether a comment with // heads the declarations among which this line is."""
        indent = len(self.lines[line - 1]) - len(self.lines[line - 1].lstrip())
        line -= 1
        while line > 0 and self.lines[line - 1].strip():
            if line in self.group_heads and self.group_heads[line].column <= indent:
                return True
            if re.match(r"\s*(public|protected|private)\s*:|.*\b(class|struct|namespace)\b[^;]*\{$", self.lines[line - 1]):
                return False
            line -= 1
        return False

    def add(self, token, kind, text):
        self.findings.append(Finding(self.path, token.line, kind, text))

    # A statement that has ended.

    def without_prefixes(self, statement):
        """The statement without template parameters and attributes; None for a specialization or instantiation."""
        while statement:
            if statement[0].text == "template":
                if len(statement) < 3 or statement[1].text != "<" or statement[2].text == ">":
                    return None
                end = next((i for i, token in top_level(statement) if i > 1), None)
                if end is None:
                    return None
                statement = statement[end:]
            elif statement[0].text == "[":
                end = next((i for i, token in enumerate(statement) if token.text == "]"), len(statement) - 1)
                statement = statement[end + 1:]
                if statement and statement[0].text == "]":
                    statement = statement[1:]
            elif statement[0].text == "requires":
                close = self.closing(statement, 1) if len(statement) > 1 and statement[1].text == "(" else None
                if close is None:
                    return statement
                statement = statement[close + 1:]
            else:
                return statement
        return statement

    @staticmethod
    def closing(statement, start):
        depth = 0
        for i in range(start, len(statement)):
            if statement[i].text in "([{":
                depth += 1
            elif statement[i].text in ")]}":
                depth -= 1
                if depth == 0:
                    return i
        return None

    def function_in(self, statement):
        """The index of a function's name, or None where the statement declares no function. Its parameters come next."""
        for i, token in top_level(statement):
            if token.text in ("=", "operator", "friend", "typedef", "using", "static_assert", "concept"):
                return None
            if token.text != "(" or i == 0:
                continue
            name = statement[i - 1]
            if name.text in SKIPPED_GROUPS:
                continue
            if name.text == ">":  # a specialization
                return None
            if name.kind != "word" or is_macro(name.text):
                continue
            if statement[i + 1:i + 2] and statement[i + 1].text in ("*", "&"):  # a pointer to a function
                return None
            if i > 1 and statement[i - 2].text == "::":  # a member that is defined here
                return None
            return i - 1
        return None

    def is_plain(self, statement, index, body):
        """Whether a function needs no comment."""
        scope, name = self.scopes[-1], statement[index].text
        close = self.closing(statement, index + 1)
        if close is None:
            return True
        after = [token.text for token in statement[close + 1:]]
        if statement[index - 1].text == "~" or name == scope.name or "override" in after or "final" in after or name == "classof":
            return True
        if "->" in after and index == 0:  # a deduction guide
            return True
        if after[-2:] in (["=", "default"], ["=", "delete"]):
            return True
        if body is not None and sum((token.text == ";") - (token.text == "assert") for token in body) <= 1:
            return True
        if scope.kind == "namespace" and {"Kernels", "Ops"} & set(self.path.parts) and name in names_in_records():
            return True
        parameters = statement[index + 2:close]
        if scope.kind == "class":
            if not parameters and ("const" in after or any(token.text == "static" for token in statement[:index])):
                return True
            commas = [token for _, token in top_level(parameters) if token.text == ","]
            if re.match(r"set[A-Z]", name) and parameters and not commas:
                return True
        return False

    def end_function(self, statement, body, last):
        bare = self.without_prefixes(statement)
        index = self.function_in(bare) if bare else None
        scope = self.scopes[-1]
        if index is None or not scope.is_public:
            return
        first = statement[0]
        name = bare[index].text
        is_documented = self.is_documented(first.line, last.end)
        scope.functions.append((name, bare[index], is_documented or self.is_plain(bare, index, body)
                                or self.has_group_comment(first.line), is_documented))

    def end_statement(self, statement, last):
        bare = self.without_prefixes(statement)
        if not bare:
            return
        scope, head = self.scopes[-1], bare[0].text
        if head == "using" and len(bare) > 2 and scope.kind == "namespace" and any(token.text == "=" for token in bare[2:]):
            self.end_type(statement, bare[0], f"using {bare[1].text}", last)
        elif head == "typedef" and scope.kind == "namespace":
            names = [token.text for token in bare if token.kind == "word"]
            pointers = [name.text for bracket, star, name in zip(bare, bare[1:], bare[2:]) if bracket.text + star.text == "(*"]
            self.end_type(statement, bare[0], f"typedef {(pointers or names[-1:])[0]}", last)
        else:
            self.end_function(statement, None, last)

    def end_type(self, statement, token, text, last):
        if self.scopes[-1].is_public and not self.is_documented(statement[0].line, last.end):
            self.add(token, "type", text)

    def end_scope(self):
        scope = self.scopes.pop()
        documented = {name for name, _, _, is_documented in scope.functions if is_documented}
        for name, token, is_fine, _ in scope.functions:
            if not is_fine and name not in documented:
                self.add(token, "function", f"{scope.name}::{name}" if scope.kind == "class" else name)

    # Statements and scopes.

    def class_head(self, statement):
        """(word, name) of the class or enum that a `{` begins, or None."""
        bare = self.without_prefixes(statement)
        if bare is None:  # a specialization, whose members are read
            bare = statement
        prefixes = ("typedef", "friend", "static", "constexpr", "inline", "const", "alignas")
        while bare and (bare[0].text in prefixes or is_macro(bare[0].text)):
            bare = bare[1:]
        if not bare or bare[0].text not in (*CLASS_WORDS, "enum"):
            return None
        names = []
        for i, token in top_level(bare):
            if token.text in (":", "final"):
                break
            if token.text == "(" and bare[i - 1].text != "alignas" and not is_macro(bare[i - 1].text):
                return None  # a function that returns a struct
            if token.text == "=":
                return None
            if token.kind == "word" and token.text not in (*CLASS_WORDS, "enum", "alignas") and not is_macro_call(bare, i):
                names.append(token.text)
        return bare[0].text, names[-1] if names else ""

    def begin_scope(self, statement, brace):
        """Handles a `{`. True where what is inside is read, False where it is a body, None where it is part of the statement."""
        texts = [token.text for token in statement]
        outer = self.scopes[-1]
        if "namespace" in texts[:2] and "=" not in texts:
            name = texts[-1] if texts[-1] != "namespace" else ""
            hidden = not name or any(text in ("detail", "details", "impl", "internal") for text in texts)
            self.scopes.append(Scope("namespace", name, outer.is_public and not hidden))
            return True
        if texts[:1] == ["extern"] and statement[-1].kind == "string":
            self.scopes.append(Scope("namespace", outer.name, outer.is_public))
            return True
        head = self.class_head(statement)
        if head:
            word, name = head
            if name and self.without_prefixes(statement) is not None and texts[0] != "typedef":
                self.end_type(statement, statement[0], f"{word} {name}", brace)
            elif texts[0] == "typedef":
                return None  # its name comes behind the body
            if word == "enum":
                return False
            scope = Scope("class", name or "(unnamed)", outer.is_public)
            scope.is_public = outer.is_public and word != "class"
            self.scopes.append(scope)
            return True
        return None

    def skip_braces(self, at):
        """The index behind the `}` that belongs to the `{` at `at`."""
        depth = 0
        while at < len(self.tokens):
            if self.tokens[at].text == "{":
                depth += 1
            elif self.tokens[at].text == "}":
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        return at

    def read(self):
        self.scopes = [Scope("namespace", "", True)]
        statement, depth, at = [], 0, 0
        while at < len(self.tokens):
            token = self.tokens[at]
            text = token.text
            at += 1
            if text == "{" and depth == 0:
                entered = self.begin_scope(statement, token)
                if entered is True:
                    statement = []
                    continue
                end = self.skip_braces(at - 1)
                body = self.tokens[at:end - 1]
                following = self.tokens[end].text if end < len(self.tokens) else ""
                at = end
                bare = self.without_prefixes(statement) or []
                if entered is False:
                    statement = statement[:1] if following != ";" else []  # `enum A { … } a;` declares a variable as well
                    if following == ";":
                        at += 1
                    continue
                if self.function_in(bare) is not None and following not in (",", "{"):
                    self.end_function(statement, body, self.tokens[end - 1])
                    statement = []
                    if following == ";":
                        at += 1
                elif following not in (",", "{", ";", "(", ")", "=", ".") and self.is_ended_by_body(bare):
                    statement = []
                else:
                    statement.append(Token("word", "initializer", token.line, self.tokens[end - 1].end))
            elif text == "}" and depth == 0:
                if len(self.scopes) > 1:
                    self.end_scope()
                statement = []
                # What follows a class up to the semicolon declares variables.
                if at < len(self.tokens) and self.tokens[at].text == ";":
                    at += 1
            elif text == ";" and depth == 0:
                if statement:
                    self.end_statement(statement, token)
                statement = []
            elif text == ":" and depth == 0 and len(statement) == 1 and statement[0].text in ("public", "protected", "private"):
                scope = self.scopes[-1]
                scope.is_public = scope.outer_public and statement[0].text == "public"
                statement = []
            else:
                if text in "([{":
                    depth += 1
                elif text in ")]}":
                    depth = max(0, depth - 1)
                statement.append(token)
                if text == ")" and depth == 0 and self.is_lone_macro(statement, at):
                    statement = []
        while self.scopes:
            self.end_scope()

    def is_ended_by_body(self, bare):
        """Whether a body ends a statement in which no function's name was found: that of an operator, say."""
        return any(token.text in ("operator", "friend") or is_macro(token.text) for token in bare) or not bare \
            or any(token.text == "(" for token in bare) and not any(token.text == "=" for _, token in top_level(bare))

    def is_lone_macro(self, statement, at):
        """Whether a statement is the use of a macro, behind which no semicolon stands."""
        if not is_macro(statement[0].text) or len(statement) < 3 or statement[1].text != "(":
            return False
        if self.closing(statement, 1) != len(statement) - 1:
            return False
        return at == len(self.tokens) or self.tokens[at].line > statement[-1].line and self.tokens[at].text not in "{;"


@functools.cache
def names_in_records():
    """The names without namespaces that stand as strings in the records of operators, those of their kernels among them."""
    records = (SOURCE / "include/tsc/IR/Ops").glob("*.td")
    return {name for path in records for name in re.findall(r'"(?:\w+::)*(\w+)"', path.read_text())}


def is_macro_call(statement, index):
    return is_macro(statement[index].text) and index + 1 < len(statement) and statement[index + 1].text == "("


def findings_in(path, text):
    is_c = path.parent.name == "tsc-c" or "include/tsc-c" in path.as_posix()
    blocks = comment_blocks(text, is_c)
    found = list(fragments(path, blocks)) + Header(path, text, blocks).findings
    return sorted(found, key=lambda finding: (finding.line, finding.kind))


# Numbers that may only fall -------------------------------------------------------------------------------------------------

def library_of(path):
    """`include/tsc/IR` of include/tsc/IR/Ops/Base.h, lib/IR of lib/IR/Node.h; else the folder."""
    parts = path.parts
    for head in (("include", "tsc"), ("lib",)):
        if parts[:len(head)] == head and len(parts) > len(head) + 1:
            return "/".join(parts[:len(head) + 1])
    return path.parent.as_posix()


def read_bounds(path):
    """{name: (line, {what: number})} of the lines `name: 3 fragments, 2 types` of a file, whatever stands before them."""
    bounds = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r"(?:\W*\s)?([\w./-]+): (\d+ [a-z]+(?:, \d+ [a-z]+)*)$", line):
            bounds[found[1]] = number, {what: int(count) for count, what in re.findall(r"(\d+) ([a-z]+)", found[2])}
    return bounds


def compare_with_bounds(path, numbers):
    """Prints where numbers ({name: {what: number}}) have fallen or grown since the bounds were written; returns
    {(name, what)} of those that have grown. What has no line must not be found at all."""
    bounds, grown = read_bounds(path), set()
    shown = path.relative_to(SOURCE) if path.is_relative_to(SOURCE) else path
    for name in sorted(numbers.keys() | bounds.keys()):
        line, most = bounds.get(name, (None, {}))
        if line and name not in numbers and any(most.values()):
            print(f"{shown}:{line}: nothing of {name} was found: remove this line")
            continue
        for what, number in numbers.get(name, {}).items():
            if number > most.get(what, 0):
                grown.add((name, what))
                print(f"{shown}{f':{line}' if line else ''}: error: {name} has {number} {what}, and may have {most.get(what, 0)}")
            elif number < most.get(what, 0):
                print(f"{shown}:{line}: {name} has {number} {what} instead of {most[what]}: lower this line")
    return grown


def git(*arguments):
    done = subprocess.run(["git", "-C", SOURCE, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def print_new(known, findings, grown):
    """Prints the findings of libraries and kinds that have grown: those which were not there when the file of bounds was last
    committed, or all of them where git does not know."""
    try:
        revision = (git("log", "-1", "--format=%H", "--", str(known)) or "").strip()
    except OSError:
        revision = ""
    for name, what in sorted(grown):
        kind = what[:-1]
        there = [finding for finding in findings if library_of(finding.path) == name and finding.kind == kind]
        before = collections.Counter()
        listed = git("ls-tree", "-r", "--name-only", revision, f"{name}/") if revision else None
        for path in (listed or "").splitlines():
            if path.endswith(".h") and library_of(pathlib.Path(path)) == name:
                text = git("show", f"{revision}:./{path}") or ""
                before.update(finding.text for finding in findings_in(pathlib.Path(path), text) if finding.kind == kind)
        for finding in there:
            if before[finding.text] > 0:
                before[finding.text] -= 1
            else:
                print_finding(finding)


def print_finding(finding):
    text = finding.text if len(finding.text) <= 100 else finding.text[:97] + "…"
    print(f"{finding.path}:{finding.line}: {finding.kind}: {text}")


def headers(options):
    if options.paths:
        for given in map(pathlib.Path, options.paths):
            found = sorted(given.rglob("*.h")) if given.is_dir() else [given]
            for path in found:
                yield path, path.resolve().relative_to(SOURCE) if path.resolve().is_relative_to(SOURCE) else path
        return
    for folder in ("include", "lib") if options.private else ("include",):
        for path in sorted((SOURCE / folder).rglob("*.h")):
            yield path, path.relative_to(SOURCE)


def line_of(name, counts):
    return f"{name}: " + ", ".join(f"{counts[what]} {what}" for what in counts)


def update(path, numbers):
    """Writes the bounds again. Lines that begin with # are kept, at the top."""
    head = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.exists() else []
    path.write_text("\n".join(head + [line_of(name, counts) for name, counts in sorted(numbers.items())]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, add_help=True,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--private", action="store_true", help="read the headers of lib/ as well")
    parser.add_argument("--kind", action="append", choices=KINDS, help="list this kind alone; may stand several times")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE", help="fail if a number is greater than in this file")
    parser.add_argument("--update", action="store_true", help="write the numbers to that file")
    options = parser.parse_args()
    if options.update and not options.known:
        parser.error("--update writes the file that --known names")
    findings, numbers = [], {}
    for path, shown in headers(options):
        counts = numbers.setdefault(library_of(shown), {f"{kind}s": 0 for kind in KINDS})
        for finding in findings_in(shown, path.read_text()):
            findings.append(finding)
            counts[f"{finding.kind}s"] += 1
    if not numbers:
        sys.exit("no header was found")
    totals = {what: sum(counts[what] for counts in numbers.values()) for what in (f"{kind}s" for kind in KINDS)}
    status = 0
    if options.update:
        update(options.known, numbers)
    elif options.known:
        if not options.known.exists():
            sys.exit(f"{options.known} is not there: --update writes it")
        if grown := compare_with_bounds(options.known.resolve(), numbers):
            print_new(options.known.resolve(), findings, grown)
            status = 1
    else:
        for finding in findings:
            if not options.kind or finding.kind in options.kind:
                print_finding(finding)
        for name, counts in sorted(numbers.items()):
            print(line_of(name, counts))
    print(line_of("all", totals))
    sys.exit(status)


if __name__ == "__main__":
    main()
