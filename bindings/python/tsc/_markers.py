"""The markers under a line of a program's text, as PyTorch's messages have them.

tsc knows the whole place of an expression. PyTorch's places are made of those of an expression's parts, without what closes
it, and a call has the place of what it calls. Who reads messages of torch.jit, or compares them, gets the latter.
"""

import ast
import re

_MARKED = re.compile(r"^(.*)\n( *)(~+) <--- HERE$", re.MULTILINE)
_FILE = re.compile(r'^(?:(.*)\n)?  File "(.*)", line .*$', re.MULTILINE)
_CALLER = "is being compiled since it was called from"

_TARGET = re.compile(r"\w+(\.\w+)+")
_ASSIGNED = re.compile(r"\s*=(?!=)")

# Calls that the compiler treats as forms of the language: their place has their operands too.
_FORMS = {"_fork", "fork", "annotate", "getattr", "hasattr", "isinstance"}


def _end(part):
    return part.end_lineno, part.end_col_offset


def _last(part, of_python):
    """Returns the place, (line, column in bytes), behind what PyTorch sees of a part of a program. Of a string in a text of
    Python's, in contrast to one given to a CompilationUnit, it does not see the closing quote."""
    line, column = part.lineno, part.col_offset

    def last(one):
        return _last(one, of_python)

    if isinstance(part, ast.Constant) and isinstance(part.value, str) and of_python:
        return line, min(column + len(part.value.encode()) + 1, part.end_col_offset)
    if isinstance(part, ast.Call):
        operands = [*part.args, *(keyword.value for keyword in part.keywords)]
        return max(last(one) for one in [part.func, *operands])
    if isinstance(part, ast.Subscript):
        return _end(part) if not isinstance(part.slice, ast.Constant) else _behind(last(part.slice))
    if isinstance(part, (ast.List, ast.Tuple, ast.Set)):
        return max([(line, column + 1), *map(last, part.elts)])
    if isinstance(part, ast.Dict):
        return max([(line, column + 1), *map(last, part.values)])
    if isinstance(part, (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp, ast.Raise, ast.Assert, ast.Assign,
                         ast.AugAssign, ast.AnnAssign, ast.Return)):
        inner = [one for one in ast.iter_child_nodes(part) if hasattr(one, "lineno")]
        return max([(line, column), *map(last, inner)]) if inner else _end(part)
    return _end(part)


def _behind(place):
    return place[0], place[1] + 1


def _first(part):
    """Returns the place where what PyTorch sees of a part begins: parentheses around it are none of it."""
    inner = [one for one in ast.iter_child_nodes(part) if hasattr(one, "lineno")]
    if inner and isinstance(part, (ast.BinOp, ast.BoolOp, ast.Compare, ast.Call, ast.Subscript)):
        return min(_first(one) for one in inner)
    return part.lineno, part.col_offset


def _place(text, of_python=True, is_call=True):
    """Returns the columns that PyTorch marks of a line's marked text, or None for text that is no whole statement. Where not
    `is_call`, a call is marked as other statements are."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError):
        return None
    if len(statements) != 1:
        return None
    part = statements[0]
    if isinstance(part, ast.Expr):
        part = part.value
    elif isinstance(part, ast.Delete):
        part = part.targets[0]
    if isinstance(part, ast.Call) and is_call:
        name = getattr(part.func, "attr", getattr(part.func, "id", ""))
        if name not in _FORMS:
            part = part.func
    (first, begin), (last, end) = _first(part), _last(part, of_python)
    if first != 1 or last != 1:
        return None
    encoded = text.encode()
    return len(encoded[:begin].decode()), len(encoded[:end].decode())


def _heading(match):
    """Returns the line before that with the file which a marked line is of, and the file."""
    found = None
    for found in _FILE.finditer(match.string, 0, match.start()):
        pass
    return (found.group(1) or "", found.group(2)) if found else ("", None)


def _marked(match):
    line, indent, marker = match.groups()
    text = line[len(indent):len(indent) + len(marker)]
    before, file = _heading(match)
    is_caller = _CALLER in before
    if is_caller:  # of who called, the whole statement
        indent = line[:len(line) - len(line.lstrip())]
        text = line.strip()
    elif _TARGET.fullmatch(text) and _ASSIGNED.match(line[len(indent) + len(marker):]):
        text = line[len(indent):]  # an attribute that is assigned has the place of the statement
    place = _place(text, file != "<string>", not is_caller)
    if not place:
        return match.group()
    begin, end = place
    kept = match.group()[:match.start(2) - match.start()]
    return f"{kept}{indent}{' ' * begin}{'~' * max(end - begin, 1)} <--- HERE"


def as_pytorch_has_them(message):
    """Returns a message in which the markers under lines of programs cover what PyTorch's do."""
    return _MARKED.sub(_marked, message)
