"""Random expressions of numbers, strings and containers."""
from tensors import TensorWriter


class ValueWriter(TensorWriter):

    def expr(self, type, depth=2):
        if type == "Tensor":
            return self.tensor(depth)[0]
        if type.startswith("Optional["):
            if self.chance(0.4):
                return "None"
            name = self.pick(type)
            return name if name and self.chance(0.5) else self.expr(type[9:-1], depth)
        maker = {"int": self.int, "float": self.float, "bool": self.bool, "str": self.str}.get(type)
        if maker:
            return maker(depth)
        if type.startswith("List["):
            return self.list(type, depth)
        if type.startswith("Dict["):
            return self.dict(type, depth)
        if type.startswith("Tuple["):
            return self.tuple(type, depth)
        return self.object(type, depth)

    def fill(self, choices, depth):
        """One of the forms, whose fields are types: '({int} + {int})'. A form with a variable of a type that has none
        is not chosen: '{=List[int]}'."""
        for _ in range(8):
            parts, text, failed = self.rng.choice(choices), "", False
            while "{" in parts:
                before, _, rest = parts.partition("{")
                if rest.startswith("{"):
                    text, parts = text + before.replace("}}", "}") + "{", rest[1:]
                    continue
                field, _, parts = rest.partition("}")
                made = self.pick(field[1:]) if field.startswith("=") else self.expr(field, depth - 1)
                failed |= made is None
                text += before.replace("}}", "}") + str(made)
            if not failed:
                return text + parts.replace("}}", "}")
        return None

    def int_leaf(self):
        name = self.pick("int")
        if name and self.chance(0.65):
            return name
        if self.has("big-ints") and self.chance(0.06):
            return self.rng.choice(["9223372036854775807", "-9223372036854775807", "2147483648", "4294967296", "-2147483649"])
        return str(self.rng.choice((0, 1, 2, 3, 4, -1, 5, 10, -3)))

    def int(self, depth):
        if depth <= 0 or self.chance(0.35):
            return self.int_leaf()
        forms = ["({int} + {int})", "({int} - {int})", "({int} * {int})", "min({int}, {int})", "max({int}, {int})", "abs({int})",
                 "({int} if {bool} else {int})", "len({=List[int]})", "len({=List[float]})", "len({=str})", "int({bool})", "{=Tensor}.dim()",
                 "{=Tensor}.numel()", "len({=List[Tensor]})", "int({=Tensor}.sum() > 1)", "{=List[int]}[0]" if self.misfit(0.3) else "sum({=List[int]})"]
        forms += ["{Tensor}.dim()", "{Tensor}.numel()", "len({Tensor}.size())", "{=Tensor}.size()[-1]" if self.misfit(0.4) else "{=Tensor}.dim()"] * 2
        if self.chance(0.35):
            text, shape, _ = self.tensor(depth)
            if shape:
                d = self.dim(shape)[0]
                return self.rng.choice([f"{text}.size({d})", f"{text}.shape[{d}]", f"{text}.size({d})", f"{text}.stride({d})"])
            if shape is None:
                return self.rng.choice([f"{text}.dim()", f"{text}.numel()"])
        if self.has("division"):
            forms += ["({int} // {int})", "({int} % {int})", "({int} // {=int})"]
        if self.has("big-ints"):
            forms += ["({int} & {int})", "({int} | {int})", "({int} ^ {int})", "({int} << 3)", "({int} >> 1)"]
        if self.has("folding"):
            forms += [self.rng.choice(["int({float})" if self.has("big-ints") else "int(min(max({float}, -9.0), 9.0))", "int(float('nan'))", "int(float('inf'))", "int(2.7)", "int('12')", "int('abc')", "int(1e300)",
                                       "math.floor({float})", "math.ceil({float})", "int(round({float}))"])]
        if self.has("scalars"):
            forms += ["int({=Tensor}.sum().item())", "int({=Tensor}.numel() + {=Tensor}.dim())"]
        if self.has("dicts"):
            forms += ["len({=Dict[str, int]})", "{=Dict[str, int]}['a']", "{=Dict[str, int]}.get('b', 3)", "{=Dict[str, int]}['zz']" if self.misfit() else "1"]
        if self.has("strings"):
            forms += ["len({str})", "ord('a')", "{=str}.find('a')", "{=str}.count('b')"]
        if self.has("tuples"):
            forms += ["{=Tuple[int, Tensor]}[0]"]
        if self.has("named-tuples"):
            forms += ["{=" + self.prefix + "Pair}.count"]
        if self.has("classes"):
            forms += ["{=" + self.prefix + "Box}.n", "{=" + self.prefix + "Box}.get()"]
        return self.fill(forms, depth) or self.int_leaf()

    def float_leaf(self):
        name = self.pick("float")
        if name and self.chance(0.6):
            return name
        if self.has("edges") and self.chance(0.15):
            return self.rng.choice(["float('nan')", "float('inf')", "-float('inf')", "-0.0", "1e300", "1e-300", "1e38", "3.4028235e+38"])
        return self.rng.choice(("0.0", "0.5", "1.0", "2.0", "-1.5", "0.1", "3.25", "-2.0"))

    def float(self, depth):
        if depth <= 0 or self.chance(0.35):
            return self.float_leaf()
        forms = ["({float} + {float})", "({float} - {float})", "({float} * {float})", "({float} * {int})", "float({int})", "abs({float})",
                 "min({float}, {float})", "max({float}, {float})", "float({=Tensor}.sum())", "({float} if {bool} else {float})", "float({bool})",
                 "sum({=List[float]})" if self.chance(0.3) else "float({int})", "{=List[float]}[0]" if self.misfit(0.3) else "(-{float})"]
        if self.has("division"):
            forms += ["({float} / {float})", "({int} / {int})", "({float} // {float})", "({float} % {float})"]
        if self.has("folding"):
            forms += ["math.sqrt({float})", "math.exp({float})", "math.log({float})", "float('1.5')", "float('x')" if self.misfit() else "2.5"]
        if self.has("scalars"):
            forms += ["float({=Tensor}.sum().item())"]
        if self.has("powers"):
            forms += ["({float} ** 2)", "({float} ** {float})"]
        if self.has("dicts"):
            forms += ["{=Dict[int, float]}[{int}]" if self.misfit(0.2) else "{=Dict[int, float]}.get({int}, 0.5)"]
        return self.fill(forms, depth) or self.float_leaf()

    def bool(self, depth):
        name = self.pick("bool")
        if name and (depth <= 0 or self.chance(0.25)):
            return name
        if depth <= 0:
            return self.rng.choice(("True", "False"))
        forms = ["{int} < {int}", "{int} == {int}", "{int} > {int}", "{float} < {float}", "{float} == {float}", "{int} != {int}",
                 "({bool} and {bool})", "({bool} or {bool})", "not {bool}", "bool({=Tensor}.sum() > 0)", "{int} % 2 == 0",
                 "{=Tensor}.dtype == torch.float32", "{=Tensor}.size() == {=Tensor}.size()", "{=Tensor}.is_floating_point()",
                 "{int} in {=List[int]}", "{int} <= {int}", "{Tensor}.dim() == {int}", "{=Tensor}.is_contiguous()", "{Tensor}.dtype == {=Tensor}.dtype",
                 "{=List[int]} == {List[int]}", "{Tensor}.size(0) > {int}" if self.misfit(0.5) else "{=Tensor}.numel() > {int}"]
        if self.has("optionals"):
            forms += ["{=Optional[int]} is None", "{=Optional[Tensor]} is not None"]
        if self.has("strings"):
            forms += ["{str} == {str}", "{str} in {str}", "{=str}.startswith({str})", "{str} < {str}"]
        if self.has("dicts"):
            forms += ["{str} in {=Dict[str, int]}"]
        if self.has("grad-mode"):
            forms += ["torch.is_grad_enabled()"]
        if self.has("requires-grad"):
            forms += ["{Tensor}.requires_grad"]
        return "(" + (self.fill(forms, depth) or "True") + ")"

    def str_leaf(self):
        name = self.pick("str")
        if name and self.chance(0.6):
            return name
        return repr(self.rng.choice(("a", "b", "ab", "", "x y", "Abc", "a,b", "zz")))

    def str(self, depth):
        if depth <= 0 or self.chance(0.4) or not self.has("strings"):
            return self.str_leaf()
        forms = ["({str} + {str})", "str({int})", "{=str}.upper()", "{=str}.strip()", "{=str}.replace('a', {str})", "({str} if {bool} else {str})",
                 "'%d' % {int}", "','.join({=List[str]})", "{=str}[1:]", "{=str}[0]" if self.misfit(0.3) else "{=str}[:1]", "'-'.join(['a', {str}])",
                 "f'<{{{int}}}>'", "'%s %s' % ({str}, {str})", "{=str}.split(',')[0]", "{=str}.lower()", "'{{}}:{{}}'.format({int}, {str})"]
        if self.has("formatting"):
            forms += ["str({float})", "f'{{{float}:.2f}}'", "'%.3f' % {float}", "'{{}}'.format({float})"]
        made = self.fill([f for f in forms if not f.startswith("f'")], depth)
        if self.chance(0.15):
            value = self.expr("int", 0)
            made = "f'<{" + value + "}>'"
        return made or self.str_leaf()

    def list(self, type, depth):
        element = type[5:-1]
        name = self.pick(type)
        if name and self.chance(0.3):
            return name
        items = [self.expr(element, depth - 1) for _ in range(self.rng.choice((1, 2, 3, 3)))]
        forms = [f"[{', '.join(items)}]"] * 3
        if name:
            forms += [f"{name}[:2]", f"({name} + [{items[0]}])", f"{name}[1:]", f"{name}[::-1]", f"{name}.copy()" if element != "Tensor" else f"{name}[:]"]
        if type == "List[int]":
            tensor = self.pick("Tensor")
            if tensor:
                forms += [f"list({tensor}.size())", f"list({tensor}.shape)"] if self.chance(0.3) else []
            source = self.pick(type)
            if source:
                forms += [f"[e + {self.expr('int', 0)} for e in {source}]", f"[e for e in {source} if e > 1]", f"sorted({source})"]
            forms += [f"list(range({self.rng.randrange(5)}))"]
        if type == "List[Tensor]" and (tensor := self.pick("Tensor", lambda v: bool(v.shape))):
            forms += [f"list({tensor}.unbind(0))", f"list(torch.chunk({tensor}, 2))"]
        return self.rng.choice(forms)

    def dict(self, type, depth):
        name = self.pick(type)
        if name and self.chance(0.3):
            return name
        value = type[5:-1].partition(", ")[2]
        keys = ["'a'", "'b'", "'c'"] if type.startswith("Dict[str") else ["1", "2", "0"]
        self.rng.shuffle(keys)
        return "{" + ", ".join(f"{key}: {self.expr(value, depth - 1)}" for key in keys[:self.rng.randrange(1, 4)]) + "}"

    def tuple(self, type, depth):
        name = self.pick(type)
        if name and self.chance(0.3):
            return name
        elements, level, start = [], 0, 6
        for i, c in enumerate(type):
            level += (c == "[") - (c == "]")
            if (c == "," and level == 1) or level == 0 and c == "]":
                elements.append(type[start:i].strip())
                start = i + 1
        made = [self.expr(each, depth - 1) for each in elements]
        if len(made) > 1 and self.chance(0.15):
            return f"(({made[0]},) + ({', '.join(made[1:])},))"
        return f"({', '.join(made)}{',' if len(made) == 1 else ''})"

    def object(self, type, depth):
        name = self.pick(type)
        if name and self.chance(0.5):
            return name
        if type.endswith("Pair"):
            return f"{type}({self.expr('Tensor', depth - 1)}, {self.expr('int', depth - 1)})"
        if type.endswith("Box"):
            return f"{type}({self.expr('int', depth - 1)}, {self.expr('Tensor', depth - 1)})"
        return f"{type}({self.expr('int', depth - 1)})"
