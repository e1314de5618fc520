"""Random expressions: operators of the records, Python's own, and methods of numbers, text and containers, on random operands.

Operators are those of docs/Operators.md, which is made from their records. Operands come from a fixed pool, and fit only
mostly: what an operator says of those that do not fit is compared as well.
"""
import math
import pathlib
import random
import re

OPERATORS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "Operators.md"
DTYPES = ["float32", "float64", "bfloat16", "float16", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64"]
FLOATS = ["float32", "float64"]
# Elements of tensors, as rows of two; a dtype takes those that it can hold.
NUMBERS = {
    "float": ["[[1.5, -0.0], [2.0, -3.25]]", "[[math.inf, 0.5], [math.nan, -math.inf]]", "[[0.25, 0.5], [0.75, 1.0]]"],
    "int": ["[[1, 0], [3, 2]]", "[[7, 5], [100, 3]]", "[[0, 1], [1, 0]]"],
    "bool": ["[[True, False], [True, True]]", "[[False, True], [False, False]]"],
    "complex": ["[[1.5, -2.0], [0.0, 1.0]]"],
}
# What becomes of a 2×2 tensor: other shapes, strides and offsets.
SHAPES = ["{}", "{}", "{}.t()", "{}[0]", "{}[0]", "{}[1, 0]", "{}[:, 1]", "{}[:, :1]", "{}[:0]", "{}[None]", "{}[0].expand(3, 2)", "{}.reshape(-1)",
          "{}.repeat(2, 3)", "{}.repeat(3, 4)[::2, 1::2]", "{}[None, :, None]", "{}.repeat(1, 2, 2, 2)", "{}.flip(0)", "{}[0, :1]", "{}.reshape(-1)[:0]"]
INTS = ["0", "1", "-1", "2", "3", "-2", "5", "7", "-3"]
LARGE_INTS = ["9223372036854775807", "-9223372036854775808", "4611686018427387904", "9007199254740993", "2147483648", "1000000007"]
FLOAT_NUMBERS = ["0.5", "-0.5", "1.5", "2.5", "-0.0", "0.0", "1.0", "3.0", "1e-08", "0.1", "-2.75", "1e300", "math.inf", "math.nan", "-math.inf", "1e16",
                 "123456.789"]
COMPLEX_NUMBERS = ["2j", "(1.5+2j)", "complex(0.0, -1.0)"]
TEXTS = ["''", "'a'", "'abc'", "'héllo'", "'naïve ünï'", "'日本語'", "'ß'", "'ǆ'", "' a b '", "'a,b,,c'", "'12'", "'-3.5'", "'x\\ty\\n'", "'AbC def'", "'😀x'",
         "'0x1f'", "'ab' * 2", "'%d'", "'{}'"]
LISTS = ["[1, 2, 3]", "[3, 1, 2, 1]", "[0]", "[1.5, -0.0, 2.5]", "['b', 'a', 'é']", "[True, False]", "[[1, 2], [3]]", "['']",
         "[(2, 'b'), (1, 'a'), (2, 'a')]"]
TUPLES = ["(1, 2)", "(1, 'a', 2.5)", "(2,)", "(True, None)", "((1, 2), (3, 4))"]
DICTS = ["{'a': 1, 'b': 2}", "{1: 2.5, 0: -1.0}", "{'é': [1], 'z': [2, 3]}", "{2.5: 'x'}", "{True: 'y'}"]
BOOLS = ["True", "False"]
OPERATOR_SIGNS = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "is",
                  "is not"]
BUILTINS = {"abs": 1, "round": 2, "len": 1, "str": 1, "int": 1, "float": 1, "bool": 1, "sum": 1, "min": 2, "max": 2, "sorted": 1, "divmod": 2, "pow": 2,
            "repr": 1,
            "list": 1, "tuple": 1, "any": 1, "all": 1, "chr": 1, "ord": 1, "hex": 1, "bin": 1, "oct": 1, "complex": 2, "type": 1, "callable": 1}
SPECIFICATIONS = ["", "5", "<7", ">7", "^7", "05", "+", ".2f", "8.3f", "e", ".3e", "g", ".3g", "%", ",", "x", "b", "o", "#x", "c", "s", ".2", "_", "=+8",
                  "*^9", "08.2f", "n", "r"]
PERCENTS = ["%d", "%5d", "%s", "%r", "%f", "%.2f", "%e", "%g", "%x", "%c", "%5s|", "%-5d|", "%05d", "%+d", "%i", "%%%d", "%.1f", "%10.3e"]
UNSPOKEN = ["Stream", "Storage", "Future", "Dimname", "AnyEnumType", "AnyClassType", "Quantizer", "__torch__"]  # types without a literal
NAMESPACES = ("linalg", "special", "fft")


class Operator:
    def __init__(self, name, overload, arguments, returns):
        self.name, self.overload, self.arguments, self.returns = name, overload, arguments, returns


class Argument:
    def __init__(self, text, is_keyword):
        text, equals, default = text.partition("=")
        type, _, self.name = text.strip().rpartition(" ")
        self.type = re.sub(r"\([^)]*\)", "", type) if not type.startswith("Dict") else type
        self.is_keyword, self.has_default = is_keyword, bool(equals)


def split(text):
    """At the commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def parse(schema):
    match = re.fullmatch(r"aten::(\w+)(?:\.(\w+))?\((.*)\) -> (.*)", schema)
    if not match:
        return None
    name, overload, inside, returns = match.groups()
    arguments, is_keyword = [], False
    for part in split(inside):
        if part == "*":
            is_keyword = True
        else:
            arguments.append(Argument(part, is_keyword))
    return Operator(name, overload or "", arguments, returns)


def operators():
    """Those with a meaning that an expression shows: no random numbers, memory as it was found, or effects outside."""
    found = []
    for entry in OPERATORS.read_text().split("\n### ")[1:]:
        lines = [line.strip() for line in entry.splitlines()]
        traits = next((line for line in lines if line.startswith("- traits:")), "")
        forms = next((line for line in lines if line.startswith("- forms:")), "")
        schema = next((line for line in lines if re.match(r"\w+::\S+\(", line)), "")
        if lines[2].startswith("Not initialised") or re.search(r"random|side effects|made by passes", traits):
            continue
        operator = parse(schema)
        if operator is None or "Tensor" not in schema or any(word in schema for word in UNSPOKEN) or operator.name.startswith("__"):
            continue
        found.append(operator)
        if f"`{operator.name}_" in forms and operator.arguments[0].type == "Tensor":
            found.append(Operator(operator.name + "_", operator.overload, operator.arguments, "Tensor"))
    return found


def methods(type):
    return [name for name in dir(type) if not name.startswith("_")]


class Expressions:
    """A sequence of expressions that a seed determines."""
    known = None

    def __init__(self, seed, only=None):
        self.rng = random.Random(seed)
        if Expressions.known is None:
            groups = {}
            for operator in operators():
                groups.setdefault(operator.name, []).append(operator)
            Expressions.known = groups
        self.groups = {name: group for name, group in Expressions.known.items() if only in (None, name)}
        self.only = only

    def next(self):
        """An operator's name and an expression."""
        if self.only:
            for _ in range(1 if self.groups else 100000):
                name, text = self.call() if self.groups else self.python()
                if self.groups or self.only in (name, name.rpartition(".")[2]):
                    return name, text
            raise ValueError(f"no expression calls '{self.only}'")
        return self.call() if self.rng.random() < 0.6 else self.python()

    def chance(self, p):
        return self.rng.random() < p

    # Operands

    def tensor(self):
        dtype = self.dtype if self.chance(0.85) else self.rng.choice(DTYPES)
        kind = "float" if "float" in dtype else "complex" if "complex" in dtype else "bool" if dtype == "bool" else "int"
        numbers = self.rng.choice(NUMBERS[kind])
        if kind == "int" and dtype != "uint8" and self.chance(0.3):
            numbers = "[[-1, 2], [-128, 127]]"
        shape = self.shape if self.chance(0.75) else self.rng.choice(SHAPES)
        return shape.format(f"torch.tensor({numbers}, dtype=torch.{dtype})")

    def operand(self):
        """Any value of Python's."""
        return self.rng.choice((self.int, self.int, self.float, self.float, self.bool, self.text, self.text, self.list, self.list, self.tuple, self.dict,
                                self.none,
                                self.complex, self.any_tensor))()

    def int(self):
        return self.rng.choice(LARGE_INTS if self.chance(0.15) else INTS)

    def small_int(self):
        return self.rng.choice(INTS if self.chance(0.4) else ["0", "1", "2", "-1"])

    def float(self):
        return self.rng.choice(FLOAT_NUMBERS)

    def bool(self):
        return self.rng.choice(BOOLS)

    def text(self):
        return self.rng.choice(TEXTS)

    def list(self):
        return self.rng.choice(LISTS)

    def tuple(self):
        return self.rng.choice(TUPLES)

    def dict(self):
        return self.rng.choice(DICTS)

    def none(self):
        return "None"

    def complex(self):
        return self.rng.choice(COMPLEX_NUMBERS)

    def any_tensor(self):
        self.choose()
        return self.tensor()

    def choose(self):
        """What the tensors of one expression have in common."""
        self.dtype = self.rng.choice(FLOATS if self.chance(0.45) else DTYPES)
        self.shape = self.rng.choice(SHAPES)

    def of_type(self, type):
        if self.chance(0.03):
            return self.rng.choice((self.int, self.float, self.text, self.none, self.list, self.tensor, self.bool))()
        if type.endswith("?"):
            return "None" if self.chance(0.35) else self.of_type(type[:-1])
        if match := re.fullmatch(r"(.*)\[(\d*)\]", type):
            element, size = match.groups()
            count = int(size) if size and self.chance(0.85) else self.rng.randrange(4)
            items = [self.of_type(element) for _ in range(count)]
            if size and element == "int" and self.chance(0.2):
                return self.small_int()
            return f"[{', '.join(items)}]"
        if type == "Tensor":
            return self.tensor()
        if type in ("Scalar", "number"):
            return self.rng.choice((self.int, self.int, self.float, self.float, self.small_int, self.bool))()
        if type == "int":
            return self.small_int() if self.chance(0.98) else self.int()
        if type == "ScalarType":
            return "torch." + self.rng.choice(DTYPES)
        simple = {"float": self.float, "bool": self.bool, "str": self.text, "complex": self.complex, "Layout": lambda: "torch.strided",
                  "Device": lambda: "torch.device('cpu')", "t": self.int, "Any": self.operand,
                  "MemoryFormat": lambda: self.rng.choice(("torch.contiguous_format", "torch.preserve_format", "torch.channels_last"))}
        return simple.get(type, self.operand)()

    # Operators of the records

    def call(self):
        name = self.rng.choice(list(self.groups))
        operator = self.rng.choice(self.groups[name])
        self.choose()
        written, positional = [], True
        for argument in operator.arguments:
            if argument.has_default and self.chance(0.6):
                positional = False
                continue
            value = self.of_type(argument.type)
            if argument.is_keyword or not positional or (argument.has_default and self.chance(0.2)):
                positional = False
                written.append(f"{argument.name}={value}")
            else:
                written.append(value)
        is_method = bool(written) and operator.arguments[0].type == "Tensor" and "=" not in written[0].split("(")[0]
        draw = self.rng.random()
        if is_method and (draw < 0.45 or (name.endswith("_") and draw < 0.9)):
            subject = written[0] if re.match(r"[\w.]+[(]|[\w]+$|\[|'", written[0]) else f"({written[0]})"
            text = f"{subject}.{name}({', '.join(written[1:])})"
        else:
            space, _, rest = name.partition("_")
            place = f"{space}.{rest}" if space in NAMESPACES else "nn.functional." + name if draw > 0.9 else name
            text = f"torch.{place}({', '.join(written)})"
        if operator.returns.startswith("("):
            text += f"[{self.rng.randrange(max(1, len(split(operator.returns[1:-1]))))}]"
        elif operator.returns.endswith("[]") and "Tensor" in operator.returns:
            text += self.rng.choice(("[0]", "[-1]"))
        return name, text

    # Python's own

    def python(self):
        return self.rng.choice((self.sign, self.sign, self.number_sign, self.number_sign, self.unary, self.subscript, self.subscript, self.method,
                                self.method,
                                self.mathematics, self.builtin, self.builtin, self.formatted, self.chain, self.tensor_sign, self.tensor_sign,
                                self.tensor_index,
                                self.tensor_index))()

    def number(self):
        return self.rng.choice((self.int, self.int, self.float, self.bool))()

    def sign(self):
        sign = self.rng.choice(OPERATOR_SIGNS)
        if self.chance(0.5):  # two of a kind
            made = self.rng.choice((self.text, self.list, self.tuple, self.dict))
            return sign, f"({made()} {sign} {made()})"
        return sign, f"({self.operand()} {sign} {self.operand()})"

    def number_sign(self):
        sign = self.rng.choice(OPERATOR_SIGNS[:19])
        return sign, f"({self.number()} {sign} {self.number()})"

    def tensor_sign(self):
        sign = self.rng.choice(OPERATOR_SIGNS[:19])
        self.choose()
        other = self.tensor() if self.chance(0.55) else self.number()
        both = [self.tensor(), other]
        self.rng.shuffle(both)
        return sign, f"({both[0]} {sign} {both[1]})"

    def unary(self):
        sign = self.rng.choice(("-", "+", "~", "not "))
        return sign.strip() + "x", f"({sign}{self.operand()})"

    def slice(self):
        parts = [self.rng.choice(("", "0", "1", "-1", "2", "-2", "5")) for _ in range(self.rng.choice((2, 2, 3)))]
        if len(parts) == 3:
            parts[2] = self.rng.choice(("", "1", "2", "-1", "-2", "0"))
        return ":".join(parts)

    def subscript(self):
        subject = self.rng.choice((self.text, self.list, self.tuple, self.dict))()
        index = self.slice() if self.chance(0.5) else self.rng.choice((self.small_int, self.small_int, self.text, self.float, self.bool))()
        return "subscript", f"({subject})[{index}]"

    def tensor_index(self):
        self.choose()
        items = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3))):
            items.append(self.rng.choice(("...", "None", self.slice(), self.slice(), self.small_int(), self.small_int(), "torch.tensor([0, 1])",
                                          "torch.tensor([-1])",
                                          "torch.tensor(1)", "torch.tensor([True, False])", "torch.tensor([[0], [1]])", "[0, 1]", "[True, False]", "True",
                                          "torch.tensor([], dtype=torch.int64)", "torch.tensor([1], dtype=torch.uint8)", "(0, 1)", "1.0")))
        return "tensor[index]", f"{self.tensor()}[{', '.join(items)}]"

    def method(self):
        type, subject = self.rng.choice(((str, self.text), (str, self.text), (str, self.text), (list, self.list), (dict, self.dict), (tuple, self.tuple),
                                         (float, self.float), (int, self.int)))
        name = self.rng.choice(methods(type))
        arguments = [self.rng.choice((self.text, self.text, self.small_int, self.operand) if type is str else (self.operand, self.small_int))()
                     for _ in range(self.rng.choice((0, 0, 1, 1, 1, 2, 2, 3)))]
        if name == "join":
            arguments = [self.rng.choice(("['a', 'b']", "('x', 'ü')", "'héy'", "[]", "[1, 2]"))]
        return f"{type.__name__}.{name}", f"({subject()}).{name}({', '.join(arguments)})"

    def mathematics(self):
        name = self.rng.choice(methods(math))
        if not callable(getattr(math, name)):
            return f"math.{name}", f"math.{name}"
        count = {"atan2": 2, "pow": 2, "fmod": 2, "copysign": 2, "hypot": 2, "ldexp": 2, "gcd": 2, "comb": 2, "remainder": 2, "lcm": 2, "isclose": 2,
                 "nextafter": 2, "log": 2,
                 "dist": 2, "perm": 2}.get(name, 1)
        small = self.small_int if name in ("factorial", "comb", "perm", "ldexp", "exp2") else self.number
        arguments = [self.operand() if self.chance(0.1) else small() for _ in range(count - (name in ("log", "perm") and self.chance(0.5)))]
        return f"math.{name}", f"math.{name}({', '.join(arguments)})"

    def builtin(self):
        name, most = self.rng.choice(list(BUILTINS.items()))
        arguments = [self.operand() for _ in range(self.rng.randrange(1, most + 1))]
        if name == "round" and len(arguments) == 2:
            arguments = [self.number(), self.small_int()]
        if name == "pow" and self.chance(0.8):
            arguments = [self.number(), self.number()]
        if name in ("min", "max", "sum", "sorted", "any", "all", "list", "tuple") and self.chance(0.5):
            arguments = [self.rng.choice((self.list, self.text, self.tuple, self.dict))()]
        return name, f"{name}({', '.join(arguments)})"

    def formatted(self):
        draw = self.rng.random()
        value = self.rng.choice((self.int, self.float, self.text, self.bool, self.number, self.list, self.none, self.tuple))()
        if draw < 0.4:
            return "%", f"({self.rng.choice(PERCENTS)!r} % ({value},))"
        specification = self.rng.choice(SPECIFICATIONS)
        if draw < 0.7:
            return "format", "'{:" + specification + "}'.format(" + value + ")"
        if "'" in value or "\\" in value:
            value = self.number()
        return "f-string", "f'{" + value + (":" + specification if specification else "") + "}'"

    def chain(self):
        a, b, c = (self.number() for _ in range(3))
        first, second = self.rng.choice(("<", "<=", "==", "!=", ">")), self.rng.choice(("<", "<=", "==", "in"))
        if second == "in":
            return "in", f"({a} in [{b}, {c}])"
        return self.rng.choice((("chain", f"({a} {first} {b} {second} {c})"), ("if", f"({a} if {b} else {c})"),
                                ("precedence", f"(-{self.rng.choice(('2', '0.5', '3'))} ** {self.small_int()})")))
