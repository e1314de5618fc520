"""Whether the hooks of a module have signatures that fit its `forward`."""

import re

from ._unit import unit


def check_hooks(made):
    """Raises RuntimeError for a hook of a type of modules that could not be called, in PyTorch's words."""
    before, after = made.hooks
    forward = unit().compiled(made.methods["forward"]).__signature__
    taken = [_shown(one.annotation) for one in forward.parameters.values()]
    for name in before:
        _Hook(made, name, "Pre-hook").check_before(taken)
    output = _shown(forward.return_annotation)
    for name in after:
        output = _Hook(made, name, "Hook").check_after(taken, output)


def _shown(annotation):
    """A type as PyTorch's messages write it."""
    return re.sub(r"\bNone\b", "NoneType", str(annotation))


def _is_tuple(annotation):
    return annotation.startswith("Tuple[")


class _Hook:
    """A hook of a module, with what messages about it say."""

    def __init__(self, made, name, kind):
        self.module = made.definition.name.rpartition(".")[2]
        self.name, self.kind = name, kind
        self.signature = unit().compiled(made.methods[name]).__signature__
        self.given = [_shown(one.annotation) for one in self.signature.parameters.values()]
        self.result = _shown(self.signature.return_annotation)
        self.has_result = made.annotated_hooks.get(name, True)

    def fail(self, what, expected):
        raise RuntimeError(f"{self.kind} '{self.name}' on module '{self.module}' {what}\nThis error occurred while scripting "
                           f"the {self.kind.lower()} '{self.name}'. If it is not to be compiled, remove it from the module "
                           f"before. It is expected to have this signature: {expected}")

    def check_input(self, taken, number, expected):
        """Checks how many parameters there are, and that the first is a tuple of what `forward` takes."""
        if len(self.given) != number:
            self.fail(f"was expected to only have exactly {number + 1} inputs but it had {len(self.given) + 1} inputs.",
                      expected)
        found, wanted = self.given[0], f"Tuple[{', '.join(taken) or '()'}]"
        if not _is_tuple(found):
            self.fail("expected the input argument to be typed as a Tuple but found type: "
                      f"'{found}' instead.", expected)
        if found == wanted:
            return
        wrong = "number of contained types for the input argument's Tuple" if _size(found) != len(taken) else \
            "inner types for the input tuple argument"
        self.fail(f"has the wrong {wrong}. Received type: '{found}'. Expected type: '{wanted}'.", expected)

    def check_before(self, taken):
        wanted = f"Tuple[{', '.join(taken) or '()'}]"
        single = f", '{taken[0]}'" if len(taken) == 1 and not _is_tuple(taken[0]) else ""
        expected = f"{self.name}(self, input: {wanted}) with a return type of either 'None'{single} or '{wanted}'."
        self.check_input(taken, 1, expected)
        if not self.has_result:
            self.fail("is missing a return annotation. Return annotations are required, please add one.", expected)
        if len(taken) == 1 and _is_tuple(taken[0]) and self.result == taken[0]:
            self.fail(f"returned the wrong type of: '{self.result}'. When forward has a single tuple input argument, the "
                      "return needs to be 'None' or a nested tuple containing forward's input tuple argument as in: "
                      f"'Tuple[{taken[0]}]'.", expected)
        if self.result not in ("NoneType", wanted) and [self.result] != taken:
            self.fail(f"returned the wrong type of: '{self.result}'.", expected)

    def check_after(self, taken, output):
        """Returns the type of what the next hook is given."""
        wanted = f"Tuple[{', '.join(taken) or '()'}]"
        expected = f"{self.name}(self, input: {wanted}, output: {output})."
        self.check_input(taken, 2, expected)
        if self.given[1] != output:
            self.fail(f"has the wrong type for the output argument. Received type: '{self.given[1]}'. Expected type: "
                      f"'{output}'.", expected)
        return output if self.result == "NoneType" else self.result


def _size(annotation):
    """How many types a Tuple's annotation names."""
    inner = annotation[len("Tuple["):-1]
    if inner in ("", "()"):
        return 0
    depth, count = 0, 1
    for character in inner:
        depth += (character == "[") - (character == "]")
        count += character == "," and depth == 0
    return count
