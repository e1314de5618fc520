"""What a generator knows while it writes: the variables in sight, and what features are wanted."""
import dataclasses

FEATURES = {
    "aliases": "arguments that share memory",
    "asserts": "assert statements",
    "bad-arguments": "calls whose arguments do not fit",
    "big-ints": "integers near the ends of 64 bits, and shifts",
    "classes": "classes with attributes and methods",
    "deep-exits": "return, break and continue in nested statements",
    "dicts": "dicts",
    "dtypes": "tensors of several dtypes",
    "division": "division of numbers, whose divisor may be zero",
    "edges": "nan, inf, negative zero and large floats",
    "folding": "conversions of constants, some of which fail: int(float('nan')), int('abc')",
    "formatting": "f-strings, format and % with floats",
    "grad-mode": "torch.no_grad() and torch.enable_grad()",
    "guards": "classes with __enter__ and __exit__",
    "inplace": "writes to tensors and their views",
    "iterated-lists": "lists changed while they are iterated",
    "misfits": "shapes, indices and keys that do not fit",
    "named-tuples": "NamedTuple",
    "numel": "large tensors, for which kernels run in other ways",
    "optionals": "Optional values",
    "powers": "** of numbers",
    "printing": "print",
    "raises": "raise statements",
    "random": "random numbers",
    "requires-grad": "tensors that require gradients",
    "scalars": "item() without conversion, where numbers are wanted",
    "strings": "strings",
    "tuples": "tuples, concatenated too",
    "unchecked": "variables that may stay unused; without, each is used where it is set",
    "unused": "expressions whose results nobody uses",
}


@dataclasses.dataclass
class Var:
    type: str
    shape: tuple | None = None  # of a tensor, as far as is known
    dtype: str | None = None
    length: int | None = None   # of a list
    constant: bool = False      # not to be assigned to


class Line:
    """One statement. `default` is a simpler one that defines the same variable, for the shrinker; `use` a second one
    that stays with it."""
    def __init__(self, text, default=None, use=None):
        self.text, self.default, self.use = text, default, use

    def render(self, indent):
        return [indent + self.text] + ([indent + self.use] if self.use else [])


class Block:
    """A statement with statements in it: `parts` are pairs of a head and a body."""
    def __init__(self, *parts):
        self.parts = [[head, body] for head, body in parts]

    def render(self, indent):
        lines = []
        for head, body in self.parts:
            lines.append(indent + head)
            for node in body:
                lines += node.render(indent + "    ")
            if not body:
                lines.append(indent + "    pass")
        return lines


class Writer:
    """The state that the parts of a generator share."""
    def __init__(self, rng, features, prefix):
        self.rng, self.features, self.prefix = rng, features, prefix
        self.scopes = [{}]
        self.counter = 0

    def has(self, feature):
        return feature in self.features

    def chance(self, p):
        return self.rng.random() < p

    def misfit(self, p=0.04):
        return self.has("misfits") and self.chance(p)

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def declare(self, name, var):
        self.scopes[-1][name] = var
        return name

    def lookup(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def variables(self, type, accept=lambda var: True):
        found = {}
        for scope in self.scopes:
            found.update(scope)
        return [name for name, var in found.items() if var.type == type and accept(var)]

    def pick(self, type, accept=lambda var: True):
        names = self.variables(type, accept)
        if not names:
            return None
        return self.rng.choice(names[-4:] if self.chance(0.6) else names)  # what is new is used most
