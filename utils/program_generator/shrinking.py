"""Makes a program smaller as long as it stays interesting."""
import copy
import re

from scope import Block, Line
from generator import Program


def places(nodes):
    """Each list of statements, outermost first."""
    yield nodes
    for node in nodes:
        if isinstance(node, Block):
            for _, body in node.parts:
                yield from places(body)


def candidates(program):
    """Smaller programs, the boldest first; each is made from a copy."""
    count = len(program.calls)
    step = count // 2
    while step:
        for start in range(0, count, step):
            if count > step:
                yield Program(program.prefix, program.nodes, program.calls[:start] + program.calls[start + step:])
        step //= 2
    for index, body in enumerate(places(program.nodes)):
        step = max(len(body), 1)
        while step:
            for start in range(len(body) - step, -1, -step):
                def cut(other):
                    del other[start:start + step]
                yield edited(program, index, cut)
            step //= 2
    for index, body in enumerate(places(program.nodes)):
        for i, node in enumerate(body):
            if isinstance(node, Block):
                for part in range(len(node.parts)):
                    def unwrap(other):
                        other[i:i + 1] = other[i].parts[part][1]
                    yield edited(program, index, unwrap)
                    if len(node.parts) > 1 and part:
                        def drop(other):
                            del other[i].parts[part]
                        yield edited(program, index, drop)
                    head = node.parts[part][0]
                    if re.match(r"(if|elif|while) ", head) and head not in ("if True:", "elif True:"):
                        for value in ("True", "False"):
                            def decide(other):
                                other[i].parts[part][0] = head.split()[0] + f" {value}:"
                            if not head.startswith("while"):
                                yield edited(program, index, decide)
            else:
                for text in simpler(node):
                    def replace(other):
                        other[i] = Line(text, use=other[i].use)
                    yield edited(program, index, replace)


def simpler(line):
    if line.default and line.default != line.text:
        yield line.default
    # A parenthesized expression, or an operand of one, in place of the whole.
    match = re.match(r"(\w+(?:: [^=]+)? = |return |print\(|\w+ \S= )(.*)$", line.text)
    if not match:
        return
    head, text = match.groups()
    tail = ")" if head == "print(" else ""
    text = text[:-1] if tail else text
    for a, b in spans(text):
        inner = text[a:b]
        if inner and inner != text:
            yield head + inner + tail
    for a, b in spans(text):
        for c, d in spans(text[a:b]):
            if (c, d) != (0, b - a):
                yield head + text[:a] + text[a:b][c:d] + text[b:] + tail


def spans(text):
    """What stands in parentheses, between commas and operators there, and receivers of methods."""
    starts, found = [0], []
    for i, c in enumerate(text):
        if c in "([":
            starts.append(i + 1)
        elif c in ")]" and len(starts) > 1:
            found.append((starts.pop(), i))
        elif c == "," or text[i:i + 3] in (" + ", " - ", " * ", " / ", " < ", " > "):
            found.append((starts[-1], i))
        elif c == "." and text[:i].count("(") == text[:i].count(")"):
            found.append((0, i))
    return found[:40]


def edited(program, index, edit):
    nodes = copy.deepcopy(program.nodes)
    edit(list(places(nodes))[index])
    return Program(program.prefix, nodes, program.calls)


def shrink(program, interesting, budget):
    """The smallest program found in so many tries."""
    start, progress = 0, True
    while progress and budget > 0:
        progress = False
        # After a step, what was tried before it is tried again last: it is likely to fail again.
        index = 0
        while budget > 0:
            for index, candidate in enumerate(candidates(program)):
                if index < start or not is_smaller(candidate, program):
                    continue
                budget -= 1
                if interesting(candidate):
                    program, progress, start = candidate, True, index
                    break
                if budget <= 0:
                    break
            else:
                break
        start = 0
    return program


def is_smaller(a, b):
    """Or as long, and decided: `if True` is longer than `if x`."""
    if len(a.calls) != len(b.calls):
        return len(a.calls) < len(b.calls)
    old, new = b.text(), a.text()
    decided = len(re.findall(r"\bif (True|False):", new)) > len(re.findall(r"\bif (True|False):", old))
    return len(new) < len(old) or decided
