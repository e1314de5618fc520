"""Random well-typed TorchScript programs, as users write them, with calls for them."""
import dataclasses
import random

from scope import FEATURES, Block, Line, Var
from tensor_files import Storage, Tensor, contiguous, tensor
from values import ValueWriter

SCALARS = ["int", "float", "bool", "str"]
CONTAINERS = ["List[int]", "List[float]", "List[Tensor]", "List[str]", "Dict[str, int]", "Dict[str, Tensor]", "Dict[int, float]",
              "Tuple[int, Tensor]", "Optional[int]", "Optional[Tensor]"]


class Program:
    def __init__(self, prefix, nodes, calls):
        self.prefix, self.nodes, self.calls = prefix, nodes, calls  # a call: a tuple of arguments

    @property
    def entry(self):
        return self.prefix + "main"

    def text(self):
        return "\n".join(line for node in self.nodes for line in node.render("")) + "\n"


class Generator(ValueWriter):
    def program(self):
        nodes = []
        for feature, write in (("named-tuples", self.named_tuple), ("classes", self.box), ("guards", self.guard)):
            if self.has(feature):
                nodes.append(write())
        self.functions = []
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            nodes.append(self.function(self.fresh(self.prefix + "helper"), self.rng.choice((2, 3, 4))))
        main = self.function(self.prefix + "main", self.rng.choice((3, 4, 5, 6, 7, 9)), is_main=True)
        nodes.append(main)
        return Program(self.prefix, nodes, self.calls())

    # Definitions

    def named_tuple(self):
        return Block((f"class {self.prefix}Pair(NamedTuple):", [Line("left: torch.Tensor"), Line("count: int")]))

    def box(self):
        bodies = [Block(("def __init__(self, n: int, t: torch.Tensor):", [Line("self.n = n"), Line("self.t = t"), Line("self.items = [n, 1]")])),
                  Block(("def get(self) -> int:", [Line("self.n += 1")] * self.chance(0.6) + [Line("return self.n")])),
                  Block(("def put(self, x: torch.Tensor) -> torch.Tensor:",
                         [Line(self.rng.choice(["self.t = x", "self.t = self.t + x.sum()", "self.items.append(x.dim())"])), Line("return self.t")]))]
        return Block((f"class {self.prefix}Box:", bodies))

    def guard(self):
        say = [Line("print('enter', self.n)")] if self.has("printing") else []
        leave = [Line("print('exit', self.n)")] if self.has("printing") else []
        bodies = [Block(("def __init__(self, n: int):", [Line("self.n = n")])),
                  Block((f"def __enter__(self) -> {'int' if True else ''}:", [Line("self.n += 1"), *say, Line("return self.n")])),
                  Block(("def __exit__(self, type: Any, value: Any, trace: Any) -> None:", [Line("self.n += 10"), *leave]))]
        return Block((f"class {self.prefix}Guard:", bodies))

    def return_type(self):
        types = ["Tensor"] * 4 + ["int", "int", "float", "bool", "Tuple[Tensor, int]", "Tuple[Tensor, Tensor]", "List[int]", "List[Tensor]",
                                  "Tuple[int, float, Tensor]", "Tuple[Tensor, List[int]]"]
        types += ["str", "Tuple[str, int]"] * self.has("strings") + ["Dict[str, Tensor]", "Dict[str, int]"] * self.has("dicts")
        types += ["Tuple[Tensor, Dict[str, int], List[float]]"] * self.has("dicts") + ["Optional[Tensor]"] * self.has("optionals")
        return self.rng.choice(types)

    def annotation(self, type):
        return type.replace("Tensor", "torch.Tensor")

    def function(self, name, length, is_main=False):
        saved, self.scopes = self.scopes, [{}]
        self.loops, self.depth, self.is_main = 0, 0, is_main
        parameters = [(self.fresh("x"), Var("Tensor", self.some_shape() if not self.chance(0.6) else (2, 3), self.some_dtype() if self.chance(0.4) else "float32"))]
        for _ in range(self.rng.choice((0, 1, 2, 2, 3))):
            type = self.rng.choice(["Tensor", "Tensor", "int", "int", "int", "float", "bool", "List[int]", "List[Tensor]"] + ["str"] * self.has("strings") +
                                   ["Dict[str, int]"] * self.has("dicts") + ["Optional[int]", "Optional[Tensor]"] * self.has("optionals"))
            var = Var(type)
            if type == "Tensor":
                shapes = [v.shape for _, v in parameters if v.shape is not None]
                var = Var(type, self.rng.choice(shapes) if self.chance(0.6) else self.some_shape(), self.some_dtype() if self.chance(0.3) else "float32")
            parameters.append((self.fresh({"Tensor": "x", "int": "n", "float": "f", "bool": "b", "str": "s"}.get(type, "v")), var))
        for each, var in parameters:
            self.declare(each, dataclasses.replace(var))
        self.returns = self.return_type()
        body = [Line("torch.manual_seed(5)")] if is_main and self.has("random") and self.chance(0.7) else []
        body += self.body(length)
        body.append(Line(f"return {self.expr(self.returns)}"))
        signature = ", ".join(f"{each}: {self.annotation(var.type)}" for each, var in parameters)
        if is_main:
            self.parameters = parameters
        else:
            self.functions.append((name, [var for _, var in parameters], self.returns))
        self.scopes = saved
        return Block((f"def {name}({signature}) -> {self.annotation(self.returns)}:", body))

    # Statements

    def body(self, length):
        made = []
        for _ in range(length):
            made += self.statement()
        return made

    def inner(self, length, *variables):
        """The body of a nested statement. What it learns of outer variables is not known to hold after it."""
        outer = {name: (var.shape, var.dtype) for scope in self.scopes for name, var in scope.items()}
        self.scopes.append({name: var for name, var in variables})
        self.depth += 1
        body = self.body(length)
        self.depth -= 1
        self.scopes.pop()
        for scope in self.scopes:
            for name, var in scope.items():
                if (var.shape, var.dtype) != outer.get(name):
                    var.shape = var.dtype = None
        return body

    def statement(self):
        makers = [self.assign] * 8 + [self.reassign] * 3 + [self.tell] * (2 * self.has("printing")) + [self.list_change] * 2 + [self.call] * 2
        makers += [self.write] * (4 * self.has("inplace")) + [self.dict_change] * self.has("dicts") + [self.unpack] * self.has("tuples")
        makers += [self.object_change] * self.has("classes") + [self.unused] * self.has("unused") + [self.check] * self.has("asserts")
        if self.depth < 3:
            makers += [self.branch] * 4 + [self.loop] * 3 + [self.counted_while] + [self.guarded] * 3 * (self.has("guards") or self.has("grad-mode"))
        if self.depth and self.has("deep-exits"):
            makers += [self.leave] * 3
        if self.has("raises"):
            makers += [self.fail]
        made = self.rng.choice(makers)()
        return made if made is not None else self.assign()

    def new_type(self):
        types = ["Tensor"] * 9 + ["int"] * 4 + ["float", "bool", "List[int]", "List[float]", "List[Tensor]"] + ["str"] * self.has("strings")
        types += ["List[str]"] * self.has("strings") + ["Dict[str, int]", "Dict[str, Tensor]", "Dict[int, float]"] * self.has("dicts")
        types += ["Tuple[int, Tensor]"] * self.has("tuples")
        if self.has("unchecked"):  # no test of these needs what was computed for them
            types += ["Optional[int]", "Optional[Tensor]"] * self.has("optionals")
            types += [self.prefix + "Pair"] * self.has("named-tuples") + [self.prefix + "Box"] * (2 * self.has("classes"))
        return self.rng.choice(types)

    DEFAULTS = {"Tensor": "torch.ones([2])", "int": "1", "float": "0.5", "bool": "True", "str": "'a'", "List[int]": "[1]", "List[float]": "[0.5]"}

    def assign(self):
        type = self.new_type()
        name = self.fresh({"Tensor": "t", "int": "i", "float": "f", "bool": "b", "str": "s"}.get(type, "v"))
        if type == "Tensor":
            text, shape, dtype = self.tensor(2)
            self.declare(name, Var(type, shape, dtype))
            return [Line(f"{name} = {text}", f"{name} = {self.DEFAULTS[type]}", self.use(name, type))]
        text = self.expr(type)
        self.declare(name, Var(type))
        default = self.DEFAULTS.get(type)
        if type.startswith(("Optional", "Dict", "List")):
            annotated = f"{name}: {self.annotation(type)} = "
            return [Line(annotated + text, annotated + default if default else None, self.use(name, type))]
        return [Line(f"{name} = {text}", default and f"{name} = {default}", self.use(name, type))]

    def use(self, name, type):
        """A statement that needs the value, where results that nobody uses are not wanted."""
        if self.has("unchecked"):
            return None
        if type == "Tensor":
            return f"assert {name}.dim() < 9"
        if type in ("int", "float", "bool"):
            return f"assert {name} == {name} or {name} != {name}"
        if type == "str" or type.startswith(("List", "Dict")):
            return f"assert len({name}) >= 0"
        if type == "Tuple[int, Tensor]":
            return f"assert len([{name}[0]]) + {name}[1].dim() < 99"
        return None

    def reassign(self):
        type = self.rng.choice(["Tensor", "Tensor", "Tensor", "int", "int", "float", "bool", "str"])
        name = self.pick(type, lambda v: not v.constant)
        if name is None:
            return None
        var = self.lookup(name)
        if type == "Tensor":
            if var.shape is None or var.dtype is None or self.depth and self.chance(0.85):
                other, shape, dtype = self.of_shape(var.shape, dtype=var.dtype)
                operator = self.rng.choice(["+", "*"]) if var.dtype != "bool" else "|"
                if self.chance(0.4):
                    return [Line(f"{name} {operator}= {other}")]
                return [Line(f"{name} = {name} {operator} {other}", use=self.use(name, type))]
            text, var.shape, var.dtype = self.tensor(2)
            return [Line(f"{name} = {text}", use=self.use(name, type))]
        if type == "int" and self.chance(0.5) or type == "float" and self.chance(0.5):
            return [Line(f"{name} {self.rng.choice(['+=', '-=', '*='])} {self.expr(type, 1)}", use=self.use(name, type))]
        text = self.expr(type, 1)
        if type == "str" and self.loops:
            return [Line(f"{name} = {text[:0]}{self.str_leaf()}")]  # no strings that grow without end
        return [Line(f"{name} = {text}", use=self.use(name, type))]

    def tell(self):
        items = [self.expr(self.rng.choice(["int", "int", "bool", "str", "List[int]", "Tensor"]), 1) for _ in range(self.rng.randrange(1, 3))]
        return [Line(f"print({', '.join(items)})")]

    def write(self):
        """Into a tensor, or a view of it."""
        name = self.pick("Tensor", lambda v: v.dtype is not None)
        if name is None:
            return None
        var = self.lookup(name)
        target, shape = name, var.shape
        if shape and self.chance(0.5):
            i = self.index(shape[0])
            target, shape = self.rng.choice([(f"{name}[{i}]", shape[1:]), (f"{name}.select(0, {i})", shape[1:]), (f"{name}[:1]", (1, *shape[1:])),
                                             (f"{name}.transpose(0, -1)", None), (f"{name}.view(-1)", None), (f"{name}[..., 0]", shape[:-1])])
        value = self.of_shape(shape, dtype=var.dtype)[0] if shape is not None else self.expr("int", 0)
        if var.dtype == "bool":
            return [Line(self.rng.choice([f"{target}.fill_(1)", f"{target}.logical_not_()", f"{target}.zero_()"]))]
        forms = [f"{target}.add_({value})", f"{target}.mul_({value})", f"{target}.zero_()", f"{target}.fill_({self.rng.choice((0, 1, 2))})"]
        forms += [f"{target}.sub_({value})"]
        if shape is not None:
            forms += [f"{target}.copy_({value})"]
        if var.dtype in ("float32", "float64"):
            forms += [f"{target}.relu_()", f"{target}.sigmoid_()", f"{target}.clamp_(-1.0, 1.0)", f"{target}.neg_()", f"{target}.div_(2.0)"]
            forms += [f"{name}[{name} > 1] = {self.expr('float', 0)}"] if var.shape else []
            if self.has("random"):
                forms += [f"{target}.uniform_()"]
        if target != name and "[" in target:
            forms += [f"{target} = {value}", f"{target} += {value}", f"{target} *= {value}"]
        return [Line(self.rng.choice(forms))]

    def list_change(self):
        type = self.rng.choice(["List[int]", "List[int]", "List[float]", "List[Tensor]"] + ["List[str]"] * self.has("strings"))
        name = self.pick(type, lambda v: not v.constant)
        if name is None:
            return None
        item = self.expr(type[5:-1], 1)
        if self.has("scalars") and type == "List[float]" and (t := self.pick("Tensor", lambda v: v.dtype == "float32")):
            item = self.rng.choice([item, f"{t}.sum().item()", f"{t}.max().item()"])
        index = self.rng.choice(("0", "-1", "0", "0", "1")) if not self.misfit(0.2) else self.size()
        forms = [f"{name}.append({item})"] * 3 + [f"{name}.pop()", f"{name}[{index}] = {item}", f"{name} += [{item}]", f"{name}.insert({index}, {item})",
                                                  f"{name}.reverse()", f"{name}.extend([{item}])", f"{name}.pop({index})"]
        if type != "List[Tensor]":
            forms += [f"{name}.sort()"] + [f"{name}.remove({item})"] * self.misfit(0.3) + [f"{name}.clear()"]
        if type in ("List[int]", "List[float]"):
            forms += [f"{name}[{index}] += {item}"]
        line = Line(self.rng.choice(forms))
        grows = any(word in line.text for word in ("append", "+=", "insert", "extend"))
        if self.loops and grows:
            return [Block((f"if len({name}) < 8:", [line]))]
        if not grows and self.chance(0.7):
            return [Block((f"if len({name}) > 1:", [line]))]
        return [line]

    def dict_change(self):
        type = self.rng.choice(["Dict[str, int]", "Dict[str, Tensor]", "Dict[int, float]"])
        name = self.pick(type, lambda v: not v.constant)
        if name is None:
            return None
        key_type, _, value = type[5:-1].partition(", ")
        key = self.rng.choice(["'a'", "'b'", "'d'"]) if key_type == "str" else self.expr("int", 0)
        forms = [f"{name}[{key}] = {self.expr(value, 1)}"] * 4
        if value != "Tensor":
            forms += [f"{name}[{key}] += {self.expr(value, 0)}"]
        forms += [f"{name}.pop({key})", f"del {name}[{key}]", f"{name}.setdefault({key}, {self.expr(value, 0)})"]
        line = Line(self.rng.choice(forms))
        if "pop" in line.text or "del" in line.text or "+=" in line.text:
            if not self.misfit(0.3):
                return [Block((f"if {key} in {name}:", [line]))]
        return [line]

    def object_change(self):
        name = self.pick(self.prefix + "Box")
        if name is None:
            return None
        return [Line(self.rng.choice([f"{name}.n = {self.expr('int', 1)}", f"{name}.t = {self.expr('Tensor', 1)}", f"{name}.put({self.expr('Tensor', 1)})",
                                      f"{name}.items.append({name}.n)" if not self.loops else f"{name}.n -= 1", f"{name}.n += 1", f"{name}.t.add_(1)"]))]

    def unpack(self):
        name = self.pick("Tuple[int, Tensor]")
        if name is None:
            return None
        first, second = self.fresh("i"), self.fresh("t")
        self.declare(first, Var("int"))
        self.declare(second, Var("Tensor"))
        return [Line(f"{first}, {second} = {name}")]

    def call(self):
        if not self.functions:
            return None
        name, parameters, returns = self.rng.choice(self.functions)
        arguments = []
        for var in parameters:
            if var.type == "Tensor":
                arguments.append(self.with_shape(var.shape, var.dtype) if not self.misfit(0.1) else self.tensor_leaf()[0])
            else:
                arguments.append(self.expr(var.type, 1))
        text = f"{name}({', '.join(arguments)})"
        if self.chance(0.15):
            return [Line(text)]
        result = self.fresh("r")
        self.declare(result, Var(returns))
        return [Line(f"{result} = {text}")]

    def unused(self):
        type = self.rng.choice(["Tensor"] * 4 + ["int", "float"] + ["str"] * self.has("strings"))
        text = self.expr(type)
        return [Line(f"{self.fresh('unused')} = {text}" if self.chance(0.7) else text)]

    def check(self):
        text = self.tensor(1)[0] if self.chance(0.5) else None
        if text:
            return [Line(self.rng.choice([f"assert {text}.dim() < 9", f"assert {text}.numel() >= 0, 'numel'"]))]
        return [Line(f"assert {self.bool(1)}, 'checked {self.counter}'")] if self.chance(0.4) else None

    def fail(self):
        kind = self.rng.choice(["ValueError", "RuntimeError", "ValueError", "IndexError"])
        message = self.rng.choice(["'bad'", "'too large'", f"'n is {self.counter}'"])
        return [Block((f"if {self.bool(2)}:", [Line(f"raise {kind}({message})")]))]

    def leave(self):
        if self.loops and self.chance(0.6):
            line = Line(self.rng.choice(["break", "continue"]))
        else:
            line = Line(f"return {self.expr(self.returns)}")
        return [Block((f"if {self.bool(1)}:", self.inner(self.rng.choice((0, 0, 1))) + [line]))]

    def branch(self):
        parts = [(f"if {self.bool(2)}:", self.inner(self.rng.choice((1, 1, 2, 3))))]
        if self.chance(0.2):
            parts.append((f"elif {self.bool(1)}:", self.inner(self.rng.choice((1, 2)))))
        if self.chance(0.5):
            parts.append(("else:", self.inner(self.rng.choice((1, 1, 2)))))
        return [Block(*parts)]

    def looping(self, length, *variables):
        self.loops += 1
        body = self.inner(length, *variables)
        self.loops -= 1
        return body

    def loop(self):
        length = self.rng.choice((1, 2, 3))
        kind = self.rng.choice(["range", "range", "list", "enumerate", "dict", "tensors", "zip"])
        name = self.fresh("i")
        if kind == "list" and (values := self.pick("List[int]")):
            self.loops += 1
            change = []
            if self.has("iterated-lists") and self.chance(0.5):
                change = [Block((f"if len({values}) < 6 and {self.bool(1)}:", [Line(f"{values}.append({name})")])) if self.chance(0.5)
                          else Block((f"if len({values}) > 1 and {self.bool(1)}:", [Line(self.rng.choice([f"{values}.pop()", f"{values}.pop(0)"]))]))]
            var = self.lookup(values)
            constant, var.constant = var.constant, True
            body = self.inner(length, (name, Var("int")))
            var.constant = constant
            self.loops -= 1
            return [Block((f"for {name} in {values}:", change + body))]
        if kind == "enumerate" and (values := self.pick("List[int]")):
            value = self.fresh("e")
            var = self.lookup(values)
            constant, var.constant = var.constant, True
            body = self.looping(length, (name, Var("int")), (value, Var("int")))
            var.constant = constant
            return [Block((f"for {name}, {value} in enumerate({values}):", body))]
        if kind == "dict" and self.has("dicts") and (values := self.pick("Dict[str, int]")):
            value, var = self.fresh("e"), self.lookup(values)
            constant, var.constant = var.constant, True
            body = self.looping(length, (name, Var("str")), (value, Var("int")))
            var.constant = constant
            return [Block((f"for {name}, {value} in {values}.items():", body))]
        if kind == "tensors" and (values := self.pick("List[Tensor]")):
            var = self.lookup(values)
            constant, var.constant = var.constant, True
            body = self.looping(length, (name, Var("Tensor")))
            var.constant = constant
            return [Block((f"for {name} in {values}:", body))]
        if kind == "zip" and (values := self.pick("List[int]")):
            value = self.fresh("e")
            return [Block((f"for {name}, {value} in zip(range(3), {values}.copy()):", self.looping(length, (name, Var("int")), (value, Var("int")))))]
        bound = self.rng.choice(["2", "3", f"min({self.int_leaf()}, 4)", "4", "1, 3", "3, 0, -1", "0"])
        return [Block((f"for {name} in range({bound}):", self.looping(length, (name, Var("int")))))]

    def counted_while(self):
        name = self.fresh("c")
        condition = self.rng.choice([f"{name} < {self.rng.randrange(4)}", f"{name} < 3 and {self.bool(1)}"])
        self.declare(name, Var("int", constant=True))
        return [Line(f"{name} = 0"), Block((f"while {condition}:", [Line(f"{name} += 1")] + self.looping(self.rng.choice((1, 2))))), ]

    def guarded(self):
        kinds = ["torch.no_grad()", "torch.enable_grad()", "torch.no_grad()"] * self.has("grad-mode")
        before, variables = [], []
        if self.has("guards") and self.chance(0.5) or not kinds:
            guard = self.fresh("g")
            before = [Line(f"{guard} = {self.prefix}Guard({self.expr('int', 0)})")]
            kind = guard
            if self.chance(0.4):
                bound = self.fresh("w")
                kind, variables = f"{guard} as {bound}", [(bound, Var("int"))]
        else:
            kind = self.rng.choice(kinds)
            if self.chance(0.15) and len(kinds) > 1:
                kind = "torch.no_grad(), torch.enable_grad()"
        return [*before, Block((f"with {kind}:", self.inner(self.rng.choice((1, 2, 3)), *variables)))]

    # Arguments

    def calls(self):
        """Calls that fit as a rule, with calls between them that do not."""
        good = [tuple(self.argument(var) for _, var in self.parameters) for _ in range(3)]
        bad = [tuple(self.argument(var, wrong=self.chance(0.5)) for _, var in self.parameters) for _ in range(2)]
        if not self.has("bad-arguments"):
            bad = good
        calls = [good[0], good[1], good[0], bad[0], good[2], bad[1], good[0], bad[0], good[1]]
        if self.has("aliases"):
            tensors = [i for i, (_, var) in enumerate(self.parameters) if var.type == "Tensor"]
            if len(tensors) > 1:
                first, second = tensors[:2]
                same = list(good[1])
                if same[first].shape == same[second].shape and same[first].dtype == same[second].dtype:
                    same[second] = same[first]
                    calls += [tuple(same), good[0]]
        return calls

    def number(self, dtype):
        rng = self.rng
        if dtype == "bool":
            return rng.random() < 0.5
        if dtype == "int64":
            return rng.choice((0, 1, 2, 3, -1, -2, 5, 7))
        if self.has("edges") and rng.random() < 0.03:
            return rng.choice((float("nan"), float("inf"), -float("inf"), -0.0, 1e30, 1e-40))
        return rng.randrange(-12, 13) / 4 if rng.random() < 0.7 else rng.choice((0.1, -0.3, 1.7, 2.2, 0.7)) if dtype == "float64" else rng.randrange(-999, 999) / 512

    def argument(self, var, wrong=False):
        rng = self.rng
        if var.type == "Tensor":
            shape, dtype = list(var.shape or ()), var.dtype
            if wrong:
                kind = rng.choice(["longer", "longer", "shorter", "rank", "rank", "empty", "dtype"])
                if kind in ("longer", "shorter", "empty") and shape:
                    i = rng.randrange(len(shape))
                    shape[i] = 0 if kind == "empty" else max(shape[i] + (1 if kind == "longer" else -1), 0)
                elif kind == "dtype":
                    dtype = rng.choice(["float32", "float64", "int64", "bool"])
                else:
                    shape = shape[1:] if shape and rng.random() < 0.5 else [2, *shape]
            strides, reach = list(contiguous(shape)), 1
            for size in shape:
                reach *= size
            if len(shape) > 1 and rng.random() < 0.2:  # a transposed tensor
                swapped = contiguous([*shape[:-2], shape[-1], shape[-2]])
                strides = [*swapped[:-2], swapped[-1], swapped[-2]]
            elif shape and rng.random() < 0.1:  # every second element
                strides, reach = [2 * s for s in strides], 2 * reach
            return Tensor(Storage(dtype, [self.number(dtype) for _ in range(reach)]), tuple(shape), tuple(strides))
        if var.type == "int":
            if wrong and self.has("big-ints"):
                return rng.choice((-1, 7, 100, 2 ** 31, 2 ** 63 - 1, -2 ** 63, 0))
            return rng.choice((0, 1, 2, 3, 4, 2, 3)) if not wrong else rng.choice((-1, 7, 100, 0))
        if var.type == "float":
            return self.number("float64")
        if var.type == "bool":
            return rng.random() < 0.5
        if var.type == "str":
            return rng.choice(("a", "ab", "x,y", "12", "Zebra") if not wrong else ("", "äö", "a"))
        if var.type == "List[int]":
            return [rng.randrange(5) for _ in range(rng.choice((2, 3, 4)) if not wrong else rng.choice((0, 1)))]
        if var.type == "List[Tensor]":
            return [tensor("float32", (2, 3), [self.number("float32") for _ in range(6)]) for _ in range(2 if not wrong else rng.choice((0, 1, 3)))]
        if var.type == "Dict[str, int]":
            return {key: rng.randrange(5) for key in (("a", "b") if not wrong else ("b", "q"))}
        if var.type == "Optional[int]":
            return rng.choice((None, 1, 2))
        if var.type == "Optional[Tensor]":
            return None if rng.random() < 0.4 else tensor("float32", (2, 3), [self.number("float32") for _ in range(6)])
        raise AssertionError(var.type)


def generate(seed, features=None, prefix=""):
    """The program of a seed. Each program has most features, not all: rare ones meet oftener then."""
    rng = random.Random(seed)
    features = [name for name in (FEATURES if features is None else features) if rng.random() < 0.75]
    return Generator(rng, set(features), prefix).program()
