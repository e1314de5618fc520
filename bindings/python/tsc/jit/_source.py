"""The text of functions and classes, and where it stands.

Decorators are blanked out, since a function object is what they have made of it. The text begins with so many empty lines
that a place in it is the place in the file, and is indented as there. A lambda is found in its line by the place of its code.
"""

import ast
import inspect
import linecache

from ._errors import FrontendError


class Source:
    """A text with the name of its file."""

    def __init__(self, text, file, line=1, is_lambda=False, name=""):
        self.file = file
        self.line = line
        self.is_lambda = is_lambda
        self.name = name
        self.text = text if is_lambda else "\n" * (line - 1) + text

    def tree(self):
        """Returns the syntax tree of the definition. Places in it are places in the text."""
        return _parsed(self.text)

    def marked(self, decorator):
        """Returns the text with a decorator, such as "@torch.jit.unused", in the line before the definition."""
        definition = self.text.lstrip("\n")
        indentation = definition[:len(definition) - len(definition.lstrip())]
        return "\n" * max(self.line - 2, 0) + indentation + decorator + "\n" + definition


def _parsed(text):
    """Returns the syntax tree of the first statement of a text, which may be indented as a whole; None where there is none."""
    if not text.lstrip("\n")[:1].isspace():
        body = ast.parse(text).body
        return body[0] if body else None
    return ast.increment_lineno(ast.parse("if True:\n" + text), -1).body[0].body[0]


_NO_SOURCE = ("Can't get source for {}. TorchScript requires source access in order to carry out compilation, make sure "
              "original .py files are available.")


def _lines_of(value):
    """Returns the lines of the text of a function or class, the number of the first one, and the file."""
    try:
        file = inspect.getsourcefile(value) or inspect.getfile(value)
        lines, number = inspect.getsourcelines(value)
    except (OSError, TypeError) as error:
        raise OSError(_NO_SOURCE.format(value)) from error
    return lines, max(number, 1), file


def _without_decorators(lines):
    """Returns the lines without those before `def` or `class`, and how many these are."""
    try:
        first = _parsed("".join(lines))
    except SyntaxError:
        return lines, 0
    skipped = first.lineno - 1 if isinstance(first, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) else 0
    return lines[skipped:], skipped


def definition_of(value, name=None):
    """Returns the Source of a function or class."""
    if getattr(value, "__name__", "") == "<lambda>":
        return lambda_of(value)
    lines, number, file = _lines_of(value)
    lines, skipped = _without_decorators(lines)
    text = "".join(lines)
    if not text.lstrip().startswith(("def ", "class ", "async ")):
        raise FrontendError(f"Expected a single top-level function: {file}:{number}")
    return Source(text, file, number + skipped, name=name or value.__name__)


def lambda_of(function):
    """Returns the Source of a lambda: the expression alone."""
    code = function.__code__
    try:
        lines, number, file = _lines_of(function)
    except OSError as error:
        raise OSError(_NO_SOURCE.format(function)) from error
    every = linecache.getlines(file) or lines
    found = _lambdas("".join(every))
    here = [one for one in found if one.lineno == code.co_firstlineno or one.lineno <= code.co_firstlineno <=
            one.end_lineno]
    exact = [one for one in here if _is_code_of(one, code)]
    chosen = exact if exact else here
    if len(chosen) != 1:
        why = "no lambda" if not chosen else "several lambdas that look alike"
        raise OSError(f"Can't get source for {function}: line {number} of {file} has {why}. Give it a name with def.")
    return Source(_segment(every, chosen[0]), file, chosen[0].lineno, is_lambda=True, name="<lambda>")


def _lambdas(text):
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]


def _is_code_of(node, code):
    """Whether a lambda of the syntax tree is the one that the code was made of."""
    arguments = [one.arg for one in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    if arguments != list(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]):
        return False
    if hasattr(code, "co_positions"):
        places = [place for place in code.co_positions() if None not in place and place[2] != place[3]]
        if places:
            begin = min((place[0], place[2]) for place in places)
            return begin >= (node.body.lineno, node.body.col_offset) and begin <= (node.body.end_lineno,
                                                                                   node.body.end_col_offset)
    made = compile(ast.Expression(body=node), "<lambda>", "eval").co_consts[0]
    return made.co_code == code.co_code


def _segment(lines, node):
    first, last = node.lineno - 1, node.end_lineno - 1
    part = [line.encode() for line in lines[first:last + 1]]
    part[-1] = part[-1][:node.end_col_offset]
    part[0] = part[0][node.col_offset:]
    return b"".join(part).decode()
