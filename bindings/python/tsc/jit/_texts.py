"""The text of a function as the compiler is given it, and what the names in it mean.

Some of what Python's text says, the compiler cannot know from the text: a default that is a tensor, and a block that is
left to Python. These get names of their own, which the text's Scope has definitions for. Lines stay where they are.
"""

import ast
import inspect
import re
import textwrap
import types
import warnings

from . import _marks, _scopes, _values
from ._errors import AnnotationError, FrontendError, NotSupportedError
from ._source import Source, definition_of
from ._unit import unit


def text_of(function):
    """Returns the Source and the Scope of a function."""
    source, scope = definition_of(function), _scopes.of_function(function)
    if source.is_lambda:
        return source, scope
    if "type" in source.text:
        check_type_comments(source)
    if "_IgnoreContextManager" in source.text:
        source = _with_ignored_blocks(source, scope, function)
    refuse_mutable_defaults(function)
    _warn_of_tensor_classes(function)
    if _defaults(function):
        source = _with_values_of_defaults(source, scope, function)
    return source, scope


def _warn_of_tensor_classes(function):
    """Warns where annotations name a class of tensors of one dtype: compiled code does not look at the dtype."""
    if any(type(one).__name__ == "tensortype" for one in getattr(function, "__annotations__", {}).values()):
        warnings.warn("TorchScript will treat type annotations of Tensor dtype-specific subtypes as if they are normal "
                      "Tensors. dtype constraints are not enforced in compilation either.")


def _changed(source, lines):
    return Source("".join(lines).lstrip("\n"), source.file, source.line, name=source.name)


#
# Text of a compilation unit, which is TorchScript's and not Python's
#


def check_torchscript(definition, text):
    """Raises a FrontendError for what Python's text may have and PyTorch's parser of TorchScript's refuses, in PyTorch's
    words: a text that others load as well means to both what it means here."""
    for node in ast.walk(definition):
        if isinstance(node, ast.For) and _is_bare_tuple(node.iter):
            _refuse(node.iter, text, "List of iterables is not supported currently")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" and node.keywords:
            _refuse(node.keywords[0].value, text, "print doesn't accept any keyword arguments")
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 1 and isinstance(target.elts[0], ast.Starred):
                    _refuse(target.elts[0], text, "A Starred expression may only appear on the lhs within the presence of "
                                                  "another non-starred expression")


def _is_bare_tuple(node):
    """Whether an expression is a tuple without parentheses."""
    if not isinstance(node, ast.Tuple) or not node.elts:
        return False
    return (node.lineno, node.col_offset) == (node.elts[0].lineno, node.elts[0].col_offset)


def refuse_annotations_outside_init(source):
    """Raises an AnnotationError for a method of a class that annotates an attribute, in PyTorch's words: what an attribute
    holds is said where it is made."""
    for method in source.tree().body:
        if not isinstance(method, ast.FunctionDef) or method.name == "__init__":
            continue
        for node in ast.walk(method):
            target = node.target if isinstance(node, ast.AnnAssign) else None
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                node.end_lineno, node.end_col_offset = node.annotation.end_lineno, node.annotation.end_col_offset
                _refuse(node, source.text, "Type annotations on instance attributes must be declared in __init__, not "
                                           f"'{method.name}': {ast.unparse(target)}", source.file, AnnotationError)


def _refuse(node, text, message, file="<string>", kind=FrontendError):
    """Raises an exception that shows an expression of a text."""
    line = text.splitlines()[node.lineno - 1]
    first = len(line.encode()[:node.col_offset].decode())
    last = len(line.encode()[:node.end_col_offset].decode()) if node.end_lineno == node.lineno else len(line)
    error = kind(message, (file, node.lineno, first + 1, line, node.lineno, last + 1))
    error.excerpt = f":\n  File \"{file}\", line {node.lineno}\n{line}\n{' ' * first}{'~' * (last - first)} <--- HERE\n"
    raise error


#
# Type comments
#


def check_type_comments(source):
    """Raises RuntimeError for type comments that say nothing, in PyTorch's words."""
    definition = source.tree()
    lines = source.text.split("\n")[:definition.body[0].lineno - 1]  # further ones are about variables
    comments = [(number, line) for number, line in enumerate(lines, 1) if "# type:" in line and
                not re.search(r"# type: ignore(\[[a-zA-Z-]+\])?\s*$", line)]
    if not comments:
        for number, line in enumerate(lines, 1):
            if re.search(r"#[\t ]*type[\t ]*:(?![\t ]*ignore(\[.*\])?\s*$)", line):
                raise RuntimeError(f"The annotation prefix in line {number} is probably invalid.\nIt must be '# type:'\n"
                                   "See PEP 484 for examples of type comments")
    elif any("# type: (...) -> " in line for _, line in comments):
        listed = next(number for number, (_, line) in enumerate(comments) if "# type: (...) -> " in line)
        names = [one.arg for one in ast.walk(definition.args) if isinstance(one, ast.arg)]
        number = len(names) - (names[:1] == ["self"])
        if listed not in (number, len(names)):
            raise RuntimeError(f"Number of type annotations ({listed}) did not match the number of function parameters "
                               f"({number}): each parameter has a line with a type comment")
    elif len(comments) > 1:
        listed = "\n".join(line.strip() for _, line in comments)
        raise RuntimeError("Return type line '# type: (...) -> ...' not found on multiline type annotation\nfor type lines:\n"
                           f"{listed}\nSee PEP 484 for examples of type comments")


def signature_of(function, skip_first=False):
    """Returns the signature of a function that is left to Python, without its first parameter where that is the module.
    Annotations may be texts, and those of a type comment count."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1 if skip_first else 0:]
    result = signature.return_annotation
    comment = _type_comment(function)
    if comment is not None:
        taken, result = comment
        if taken is not None and len(taken) == len(parameters):
            parameters = [one.replace(annotation=kind) for one, kind in zip(parameters, taken)]
    return parameters, result


def _type_comment(function):
    """Returns the types of the parameters, or None for `...`, and of the result that a type comment names. None where
    there is no such comment."""
    try:
        text = definition_of(function).text
    except OSError:
        return None
    found = re.search(r"#\s*type:\s*\((.*)\)\s*->\s*([^#\n]*)", text)
    if found is None:
        return None
    try:
        taken = ast.parse(f"f({found.group(1)})", mode="eval").body.args
    except SyntaxError:
        return None
    is_open = len(taken) == 1 and isinstance(taken[0], ast.Constant) and taken[0].value is Ellipsis
    return None if is_open else [ast.unparse(one) for one in taken], found.group(2).strip()


#
# Defaults
#


def _is_tensor(value):
    return isinstance(value, _values.Tensor) or _values._is_torch_tensor(value)


def _defaults(function):
    function = getattr(function, "__func__", function)
    return [*(getattr(function, "__defaults__", None) or ()), *(getattr(function, "__kwdefaults__", None) or {}).values()]


def _is_mutable(value):
    return isinstance(value, (list, dict, set)) or isinstance(value, tuple) and any(map(_is_mutable, value))


def refuse_mutable_defaults(function):
    """Raises NotSupportedError for a default that calls could change, in PyTorch's words."""
    if any(map(_is_mutable, _defaults(function))):
        for name, parameter in inspect.signature(function).parameters.items():
            if _is_mutable(parameter.default):
                raise NotSupportedError(
                    "Mutable default parameters are not supported because Python binds them to the function and they persist "
                    "across function calls.\n As a workaround, make the default None and instantiate the default parameter "
                    f"within the body of the function. Found {type(parameter.default)} for parameter {name}.")


def _is_literal(node):
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(map(_is_literal, node.elts))
    return isinstance(node, ast.Constant)


def _with_values_of_defaults(source, scope, function):
    """Gives defaults that are tensors, or numbers and strings that Python computed, names. Their values are those that Python
    took when it made the function."""
    return _with_named_values(source, scope, _places_of_defaults(source.tree(), function))


def with_values_of_defaults_in_methods(source, scope, cls):
    """Does the same for the methods in the text of a class."""
    functions = {name: getattr(item, "__func__", item) for name, item in vars(cls).items()}
    functions = {name: item for name, item in functions.items() if isinstance(item, types.FunctionType) and _defaults(item)}
    if not functions:
        return source
    places = []
    for definition in source.tree().body:
        if isinstance(definition, ast.FunctionDef) and definition.name in functions:
            refuse_mutable_defaults(functions[definition.name])
            places += _places_of_defaults(definition, functions[definition.name])
    return _with_named_values(source, scope, places)


def _places_of_defaults(definition, function):
    """Returns pairs of the expression of a default and its value."""
    arguments = definition.args
    function = getattr(function, "__func__", function)
    places = list(zip(arguments.defaults, function.__defaults__ or ()))
    keyword_only = function.__kwdefaults__ or {}
    places += [(node, keyword_only[one.arg]) for one, node in zip(arguments.kwonlyargs, arguments.kw_defaults)
               if node is not None and one.arg in keyword_only]
    return places


def _with_named_values(source, scope, places):
    from . import _definitions
    lines = source.text.splitlines(keepends=True)
    for node, value in sorted(places, key=lambda place: (place[0].lineno, place[0].col_offset), reverse=True):
        name = f"_default_of_{len(scope.definitions)}"
        if _is_tensor(value):
            made = unit().constant(_values.to_tsc(value), None)
        elif type(value) in (bool, int, float, complex, str) and not _is_literal(node):
            made = _definitions.value_of(value, scope)
        else:
            continue
        scope.definitions[name] = made
        _replace(lines, node, name)
    return _changed(source, lines)


def _replace(lines, node, text):
    """Puts a text in the place of an expression. Further lines that it had stay empty."""
    first, last = node.lineno - 1, node.end_lineno - 1
    before = lines[first].encode()[:node.col_offset].decode()
    behind = lines[last].encode()[node.end_col_offset:].decode()
    lines[first] = before + text + behind
    for number in range(first + 1, last + 1):
        lines[number] = "\n"


#
# Blocks that are left to Python
#


def _with_ignored_blocks(source, scope, function):
    """Lets compiled code call Python for the blocks of `with torch.jit._IgnoreContextManager(a="inp:int", b="out:int")`."""
    lines = source.text.splitlines(keepends=True)
    for node in ast.walk(source.tree()):
        if not isinstance(node, ast.With) or len(node.items) != 1:
            continue
        call = node.items[0].context_expr
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith("_IgnoreContextManager"):
            continue
        name = f"_ignored_block_{len(scope.definitions)}"
        taken, given = _names_of_block(call, function)
        body = "".join(lines[node.body[0].lineno - 1:node.end_lineno])
        scope.definitions[name] = _block_definition(name, body, taken, given, scope)
        indent = " " * node.col_offset
        targets = "".join(f"{one}, " for one, _ in given).removesuffix(", ")
        arguments = ", ".join(one for one, _ in taken)
        lines[node.lineno - 1] = f"{indent}{targets}{' = ' if given else ''}{name}({arguments})\n"
        for number in range(node.lineno, node.end_lineno):
            lines[number] = "\n"
    return _changed(source, lines)


def _names_of_block(call, function):
    """Returns the variables that a block reads and those that it sets, each with its annotation."""
    taken, given = [], []
    for keyword in call.keywords:
        text = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        kind, mark, annotation = text.partition(":") if isinstance(text, str) else ("", "", "")
        if keyword.arg is None or not mark or kind not in ("inp", "out"):
            raise FrontendError(f"_IgnoreContextManager in '{function.__name__}' takes arguments such as a=\"inp:int\" and "
                                "b=\"out:int\"")
        (taken if kind == "inp" else given).append((keyword.arg, annotation.strip()))
    return taken, given


def _block_definition(name, body, taken, given, scope):
    from . import _definitions
    parameters = ", ".join(f"{one}: '{kind}'" for one, kind in taken)
    kinds = [kind for _, kind in given]
    result = "None" if not kinds else kinds[0] if len(kinds) == 1 else f"Tuple[{', '.join(kinds)}]"
    returned = ", ".join(one for one, _ in given) or "None"
    text = f"def {name}({parameters}) -> '{result}':\n{textwrap.indent(textwrap.dedent(body), '    ')}\n    return {returned}\n"
    names = {}
    for table in reversed(scope.tables):
        names.update({key: scope.find(key) for key in table})
    exec(text, names)
    function = names[name]
    function.__module__ = names.get("__name__", __name__)
    return _definitions.callback_definition(_marks.ignore(function))
