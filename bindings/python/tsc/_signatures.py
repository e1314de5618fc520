"""The signatures of operators, of the texts of their schemas."""

import keyword
import re


def split(text):
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def parse(schema):
    """Returns the arguments (type, name, default or None, whether keyword-only) and the results of a schema; None for
    one that Python has no signature for."""
    head, _, results = schema.rpartition(" -> ")
    arguments, only = [], False
    for part in split(head[head.index("(") + 1:head.rindex(")")]):
        if part == "*":
            only = True
            continue
        if part == "...":
            return None
        declared, _, default = part.partition("=")
        kind, _, name = declared.rpartition(" ")
        if not name.isidentifier():
            return None
        arguments.append((kind, name + "_" if keyword.iskeyword(name) else name, default or None, only))
    inner = results.strip()
    inner = inner[1:-1] if inner.startswith("(") else inner
    return arguments, [re.sub(r"\s+[a-z_0-9]+$", "", part) for part in split(inner)]


def _default(text):
    """The value of a default as a schema writes it: None, a number, True, "text", a list, or a name such as contiguous_format."""
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _annotation(text):
    return re.sub(r"\([a-z!*| >-]*\)", "", text)  # without saying which arguments share memory


def of_operator(operator):
    """Returns the signature of an operator's first overload, for inspect.signature(); types are the schema's, as texts."""
    import inspect

    parsed = next(filter(None, map(parse, operator.schemas)), None)
    if parsed is None:
        raise ValueError(f"no signature found for {operator!r}")
    arguments, results = parsed
    parameters = []
    seen_default = False
    for kind, name, default, only in arguments:
        where = inspect.Parameter.KEYWORD_ONLY if only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        value = inspect.Parameter.empty if default is None else _default(default)
        if seen_default and default is None and not only:  # Python has no order for these
            raise ValueError(f"no signature found for {operator!r}")
        seen_default |= default is not None and not only
        parameters.append(inspect.Parameter(name, where, annotation=_annotation(kind), default=value))
    made = [_annotation(one) for one in results]
    returned = "None" if not made else made[0] if len(made) == 1 else f"Tuple[{', '.join(made)}]"
    return inspect.Signature(parameters, return_annotation=returned)
