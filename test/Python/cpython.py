#!/usr/bin/env python3
"""Has CPython and tsc/Python answer the same calls, and prints those that they answer differently.

usage: cpython.py PROGRAM [NUMBER [SEED]]

PROGRAM is unittests/Python/Alone/Alone.cpp. A number that tsc has not, since its ints have 64 bits, it refuses; so it may what
Python makes a complex number of.
"""
import math
import operator
import random
import subprocess
import sys

LETTERS = list("aZ09 _-+.,'\"\t\n\r\x0b\x1c\x85\xa0\\{}%ß\u00e9\u0130\u01c5\u03a3\u03c3\u0301\u0660\u00b2\u00bd\u2028\u4e2d"
               "\ufb01\U0001d7d8\U0001f600\u1e9e\u0345")
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, -2.5, 1e16, 123456.789, 1e-5, 1e300, -1e300, 5e-324, 1e22, 2.0**53, 2.0**63,
          -2.0**63, 7.0, -7.5, 0.3, 100.0, math.pi, math.inf, -math.inf, math.nan]
INTS = [0, 1, -1, 2, 3, -3, 7, 10, 63, 64, 65, -64, 2**31, 2**53, 2**53 + 1, -2**53 - 1, 2**62, 2**63 - 1, -2**63, -2**63 + 1]
ONE = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "degrees", "erf", "erfc", "exp", "expm1", "fabs", "log",
       "log10", "log1p", "log2", "radians", "sin", "sinh", "sqrt", "tan", "tanh"]
TWO = ["atan2", "copysign", "fmod", "log", "pow", "remainder"]
PLAIN = ["upper", "lower", "title", "capitalize", "swapcase", "casefold", "isalnum", "isalpha", "isdecimal", "isdigit",
         "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper"]
OPERATORS = {"+": operator.add, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
             "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift}


class Calls:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, most=6, letters=LETTERS):
        return "".join(self.random.choice(letters) for _ in range(self.random.randrange(most + 1)))

    def whole(self):
        return self.random.choice([self.random.choice(INTS), self.random.randrange(-20, 20), self.random.randrange(-2**63, 2**63)])

    def real(self):
        return self.random.choice([self.random.choice(FLOATS), self.random.uniform(-10, 10),
                                   self.random.choice([1, -1]) * 10.0 ** self.random.uniform(-30, 30)])

    def value(self):
        return self.random.choice([self.whole, self.real, self.text])()

    def bound(self):
        return self.random.choice([None, self.random.randrange(-8, 8), self.random.choice([2**63 - 1, -2**63])])

    def specification(self):
        pick = self.random.choice
        align = pick(["", "", "<", ">", "^", "=", "*<", "\u00e9^", "0="])
        return (align + pick(["", "", "+", "-", " "]) + pick(["", "", "#"]) + pick(["", "", "0"]) + pick(["", "3", "12"])
                + pick(["", "", ",", "_"]) + pick(["", "", ".0", ".3", ".10", "."]) + pick(["", *"dxXobcneEfFgG%s", "y"]))

    def conversion(self):
        pick = self.random.choice
        return ("%" + pick(["", "", "-", "+", " ", "#", "0", "-0", "+0", "#0"]) + pick(["", "", "4", "12", "*"])
                + pick(["", "", ".0", ".2", ".", ".*"]) + pick([*"sdiuxXoeEfFgGcr%y", ""]))

    def number_text(self):
        pick = self.random.choice
        digits = pick(["12", "1_000", "0x1f", "0b101", "0o17", "007", "1__0", "_1", "1_", "", "9223372036854775807",
                       "9223372036854775808", "99999999999999999999", "zz", "\u0661\u0662", "1.5", ".5", "5.", "1e5", "1_0.0_1",
                       "1e400", "1e-400", "inf", "Infinity", "nan", "1e", "e5", "0x_1", "1e+5", "-0", "iNf", "1.e3", ".", "1_e5",
                       "nan1", "--1", "+-1", "infin"])
        return pick(["", " ", "\t\n", "\u00a0"]) + pick(["", "", "-", "+", "- "]) + digits + pick(["", "", " ", "\u2028", "x"])

    def make(self):
        """A call: its name, its operands, and what answers it."""
        kind, text = self.random.randrange(24), self.text
        if kind == 0:
            name = self.random.choice(["//", "%", "/", "**"])
            args = [self.random.choice([self.whole, self.real])() for _ in range(2)]
            if name == "**" and isinstance(args[0], int) and isinstance(args[1], int):
                args[1] = self.random.randrange(-70, 70)
            return name, args, OPERATORS[name]
        if kind == 1:
            name = self.random.choice(["+", "*", "//", "%", "/"])
            return name, [self.whole(), self.whole()], OPERATORS[name]
        if kind == 2:
            name = self.random.choice(["<<", ">>"])
            return name, [self.whole(), self.random.randrange(-1, 70)], OPERATORS[name]
        if kind == 3:
            name = self.random.choice(ONE)
            return "math." + name, [self.real()], getattr(math, name)
        if kind == 4:
            name = self.random.choice(TWO)
            return "math." + name, [self.real(), self.real()], getattr(math, name)
        if kind == 5:
            order = lambda a, b: -1 if a < b else 0 if a == b else 1 if a > b else 2
            whole = self.whole()
            near = self.random.choice([float(whole), math.nextafter(float(whole), math.inf), self.real()])
            return "<", [whole, near], order
        if kind == 6:
            name = self.random.choice(["round", "int"])
            return name, [self.random.choice([self.real(), self.random.randrange(-9, 9) + 0.5])], {"round": round, "int": int}[name]
        if kind == 7:
            return "int", [self.number_text(), self.random.choice([10, 10, 0, 2, 16, 36, 1, 37])], int
        if kind == 8:
            return "float", [self.number_text()], float
        if kind == 9:
            return "repr", [self.random.choice([self.real, text])()], repr
        if kind in (10, 11):
            return "format", [self.value(), self.specification()], format
        if kind in (12, 13):
            pieces = [self.random.choice([self.conversion(), self.text(2)]) for _ in range(2)]
            values = [self.value() for _ in range(self.random.randrange(4))]
            return "str%", ["".join(pieces), *values], lambda t, *v: t % v
        if kind == 14:
            fields = ["{}", "{0}", "{1}", "{:>5}", "{:{}}", "{0:{1}}", "{", "}", "{{", "}}", "a", "{:.2f}", "{5}", "{!"]
            template = "".join(self.random.choice(fields) for _ in range(3))
            return "str.format", [template, self.value(), self.random.randrange(12), self.value()], str.format
        if kind == 15:
            return "ord", [text(2)], ord
        if kind == 16:
            return "slice", [text(), self.bound(), self.bound(), self.random.choice([1, 2, -1, -3, 2**63 - 1, -2**63])], \
                lambda t, a, b, c: t[a:b:c]
        if kind == 17:
            return "getitem", [text(), self.random.randrange(-8, 8)], operator.getitem
        if kind in (18, 19):
            name = self.random.choice(["find", "rfind", "count", "startswith", "endswith"])
            few = ["a", "\u00e9", "aa"]
            return name, [self.text(8, few), self.text(2, few), self.bound(), self.bound()], getattr(str, name)
        if kind == 20:
            name = self.random.choice(["strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "partition", "rpartition"])
            few = self.random.choice([[" ", "\x85", "a", "\u00e9", "\t", "\x1c", "\r", "\n", "\u2028"], ["a", "\u00e9", "\u00e8"]])
            whole, part = self.text(9, few), self.text(2, few)
            most = [self.random.randrange(-1, 3)] if name.endswith("split") else []
            operands = [int(self.random.random() < 0.5)] if name == "splitlines" else [part] + most
            if name.endswith(("strip", "split")) and self.random.random() < 0.5:
                operands[0] = None
            return name, [whole, *operands], getattr(str, name)
        if kind == 21:
            name = self.random.choice(["replace", "expandtabs", "ljust", "rjust", "center", "zfill"])
            few = ["a", "\u00e9", "\t", "\n", "-"]
            return name, [self.text(6, few)] + {
                "replace": [self.text(2, few), self.text(2, few), self.random.randrange(-1, 4)],
                "expandtabs": [self.random.randrange(-1, 9)],
                "zfill": [self.random.randrange(-2, 12)]}.get(name, [self.random.randrange(-2, 12), self.text(2, few)]), getattr(str, name)
        if kind == 22:
            point = self.random.randrange(0x110000)
            point = point if not 0xd800 <= point < 0xe000 else 65
            return "chr", [self.random.choice([point, -1, 0x110000])], chr
        name = self.random.choice(PLAIN)
        nearby = [chr(p) for p in range(self.random.randrange(0x3000), 0x3010)][:20] if self.random.random() < 0.5 else LETTERS
        return name, [self.text(5, nearby)], getattr(str, name)


def written(value):
    if isinstance(value, bool) or isinstance(value, int):
        return f"i{int(value)}"
    if isinstance(value, float):
        return "fnan" if math.isnan(value) else "f" + value.hex()
    if isinstance(value, str):
        return "s" + value.encode().hex()
    if value is None:
        return "n"
    if isinstance(value, complex):
        return "complex"
    return "l" + "".join(written(each) for each in value)


def answer(function, args):
    try:
        return written(function(*args))
    except Exception as error:
        return f"!{type(error).__name__}: {error}"


def is_same(name, ours, theirs):
    # Where a text is wrong in two ways, either may be told; and no field may be as wide as that.
    if name in ("str%", "str.format") and ours.startswith("!") and theirs.startswith("!"):
        return True
    if "characters is too wide" in ours:
        return True
    if ours.startswith("f") and theirs.startswith("f"):
        a, b = float.fromhex(ours[1:]), float.fromhex(theirs[1:])
        return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if "fit an int of 64 bits" in ours:
        return (theirs.startswith("i") and not -2**63 <= int(theirs[1:]) < 2**63) or theirs.startswith("s")  # "%d" % 1e300
    return ours == theirs or (ours.startswith("!complex") and theirs in ("complex", "!OverflowError: complex exponentiation"))


def main():
    if sys.version_info[:2] != (3, 11):
        print("another CPython has other words: 30000 calls, 0 answered differently")
        return 0
    program = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    calls = Calls(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    made = [calls.make() for _ in range(number)]
    lines = "".join("\t".join([name] + [written(arg) for arg in args]) + "\n" for name, args, _ in made)
    done = subprocess.run([program], input=lines, capture_output=True, encoding="utf-8", errors="replace", timeout=300)
    ours = done.stdout.split("\n")[:-1]
    if done.returncode or len(ours) != number:
        sys.exit(f"exit status {done.returncode} after {made[:len(ours) + 1][-1][:2]}\n{done.stderr}")
    different = 0
    for (name, args, function), mine in zip(made, ours):
        if mine.startswith("!"):
            mine = "!" + bytes.fromhex(mine[1:]).decode(errors="replace")
        theirs = answer(function, args)
        if not is_same(name, mine, theirs):
            different += 1
            print(f"{name}{tuple(args)!r}: {mine} instead of {theirs}")
    print(f"{number} calls, {different} answered differently")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
