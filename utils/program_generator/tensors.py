"""Random tensor expressions. Each is (text, shape, dtype); the shape is None where it is not known."""
import math

from scope import Writer

FLOATS = ("float32", "float64")


def broadcast(a, b):
    """The shape of both, or None where they do not fit."""
    if a is None or b is None:
        return None
    n = max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b)
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b)):
        return None
    return tuple(y if x == 1 else x for x, y in zip(a, b))


def promote(a, b):
    order = ("bool", "int64", "float32", "float64")
    return order[max(order.index(a), order.index(b))]


class TensorWriter(Writer):
    """What it needs of numbers comes from `expr(type, depth)` of the class that derives from it."""

    def tensor(self, depth=2):
        """Any tensor."""
        if depth <= 0 or self.chance(0.2):
            return self.tensor_leaf()
        makers = [self.unary, self.binary, self.binary, self.scalar_binary, self.rearranged, self.rearranged, self.indexed,
                  self.reduced, self.joined, self.product, self.chosen, self.made, self.converted, self.normalized]
        for _ in range(8):
            made = self.rng.choice(makers)(depth - 1)
            if made is not None:
                text, shape, dtype = made
                if shape is None or math.prod(shape) <= 20000:
                    return made
        return self.tensor_leaf()

    def tensor_leaf(self):
        name = self.pick("Tensor")
        if name is None:
            return self.made(0)
        var = self.lookup(name)
        return name, var.shape, var.dtype

    def of_shape(self, shape, depth=1, dtype=None):
        """A tensor that broadcasts with `shape` without changing it."""
        if shape is None:
            return self.tensor_leaf()
        names = [n for n in self.variables("Tensor") if (v := self.lookup(n)).shape is not None and broadcast(v.shape, shape) == shape
                 and (dtype is None or v.dtype == dtype)]
        if self.misfit():
            return self.tensor_leaf()
        if names and self.chance(0.85):
            name = self.rng.choice(names)
            var = self.lookup(name)
            return name, var.shape, var.dtype
        dtype = dtype or self.some_dtype()
        dims = list(shape)[self.rng.randrange(len(shape) + 1) if self.chance(0.3) else 0:]
        return f"torch.{self.rng.choice(['ones', 'zeros'])}({dims}, dtype=torch.{dtype})", tuple(dims), dtype

    def with_shape(self, shape, dtype):
        """A tensor of this shape, as a variable or made."""
        names = self.variables("Tensor", lambda v: v.shape == shape and v.dtype == dtype)
        if names and self.chance(0.8):
            return self.rng.choice(names)
        return f"torch.{self.rng.choice(['ones', 'zeros'])}({list(shape)}, dtype=torch.{dtype})"

    def some_dtype(self):
        return self.rng.choice(["float32"] * 5 + ["float64", "int64", "int64", "bool"]) if self.has("dtypes") else "float32"

    def some_shape(self):
        return tuple(self.rng.choice((1, 2, 3, 4, 2, 3)) for _ in range(self.rng.choice((0, 1, 1, 2, 2, 2, 3))))

    def dim(self, shape):
        """A dimension of a tensor: mostly one that is there."""
        n = len(shape) if shape is not None else 1
        if n == 0:
            return (0 if self.chance(0.5) else -1), None
        d = self.rng.randrange(n)
        if self.misfit():
            return n + self.rng.randrange(2), None
        return (d - n if self.chance(0.3) else d), d

    def size(self, text_of_wrong="n"):
        """A number that stands where a size is wanted, and does not fit as a rule."""
        name = self.pick("int")
        return name if name and self.chance(0.5) else str(self.rng.choice((0, 1, 2, 3, 4, 5, -1, -2, 7)))

    # What follows makes one expression each; None where the operands found do not serve.

    def unary(self, depth):
        text, shape, dtype = self.tensor(depth)
        if dtype is None:
            return None
        if dtype == "bool":
            return self.rng.choice([f"{text}.logical_not()", f"(~{text})"]), shape, dtype
        if dtype == "int64":
            return self.rng.choice([f"torch.abs({text})", f"(-{text})", f"{text}.sign()", f"torch.relu({text})", f"{text}.neg()"]), shape, dtype
        form = self.rng.choice(["torch.relu({})", "torch.sigmoid({})", "torch.tanh({})", "(-{})", "{}.abs()", "torch.exp({})", "{}.floor()",
                                "{}.sqrt()", "torch.sin({})", "{}.sign()", "{}.round()", "torch.nn.functional.gelu({})", "{}.square()",
                                "{}.reciprocal()", "torch.log({})", "{}.rsqrt()", "torch.nn.functional.silu({})", "{}.clone()", "{}.detach()",
                                "torch.nan_to_num({})", "torch.nn.functional.leaky_relu({}, 0.1)", "{}.clamp(-1.0, 1.0)", "{}.clamp(min=0.0)"])
        return form.format(text), shape, dtype

    def binary(self, depth):
        a, shape, dtype = self.tensor(depth)
        if dtype is None:
            return None
        b, other, dtype2 = self.tensor_leaf() if shape is None else self.of_shape(shape)
        if dtype2 is None:
            return None
        result = broadcast(shape, other)
        if self.chance(0.25):
            form = self.rng.choice(["({} < {})", "({} > {})", "({} == {})", "({} != {})", "torch.ge({}, {})", "({} <= {})"])
            return form.format(a, b), result, "bool"
        both = promote(dtype, dtype2)
        if both == "bool":
            return self.rng.choice(["({} & {})", "({} | {})", "torch.logical_xor({}, {})"]).format(a, b), result, "bool"
        if self.chance(0.12):
            return f"({a} / {b})", result, "float32" if both == "int64" else both
        forms = ["({} + {})"] * 3 + ["({} * {})"] * 3 + ["torch.maximum({}, {})", "torch.minimum({}, {})", "torch.add({}, {})"]
        if "bool" not in (dtype, dtype2):
            forms += ["({} - {})"] * 3 + ["{}.sub({})"]
        if self.has("division"):
            forms += ["({} // {})", "({} % {})"]
        if both in FLOATS:
            forms += ["torch.atan2({}, {})", "{}.add({}, alpha=0.5)", "torch.pow({}, {})"]
        return self.rng.choice(forms).format(a, b), result, both

    def scalar_binary(self, depth):
        a, shape, dtype = self.tensor(depth)
        if dtype is None:
            return None
        if self.chance(0.5):
            b, other = self.expr("int", 1), "int64"
        else:
            b, other = self.expr("float", 1), "float32"
        if self.chance(0.2):
            return f"({a} {self.rng.choice(['<', '>', '==', '>=', '!='])} {b})", shape, "bool"
        result = dtype if dtype in FLOATS else promote(dtype, other)
        if self.chance(0.15):
            return f"({a} / {b})", shape, result if result in FLOATS else "float32"
        forms = ["({0} + {1})", "({0} * {1})", "({1} + {0})", "({1} * {0})"]
        if dtype != "bool":
            forms += ["({0} - {1})", "({1} - {0})"]
            if self.has("division"):
                forms += ["({0} // {1})", "({0} % {1})"]
        if dtype in FLOATS and other == "int64" and self.has("powers"):
            forms += ["({0} ** 2)", "torch.pow({0}, 3)"]
        return self.rng.choice(forms).format(a, b), shape, result

    def rearranged(self, depth):
        """Views and copies that change the shape."""
        text, shape, dtype = self.tensor(depth)
        if shape is None:
            return self.rng.choice([f"{text}.flatten()", f"{text}.reshape(-1)", f"{text}.contiguous()"]), None, dtype
        n, count = len(shape), math.prod(shape)
        kind = self.rng.choice(["view", "view", "reshape", "transpose", "permute", "t", "unsqueeze", "squeeze", "expand", "flatten", "contiguous",
                                "repeat", "flip", "split", "chunk", "unbind", "narrow", "select", "roll", "triu", "diagonal"])
        name = self.fresh_view(text, shape)
        if kind in ("view", "reshape"):
            if self.misfit(0.12):
                sizes = self.rng.choice([f"{self.size()}", f"{self.size()}, -1", f"-1, {self.size()}", f"{self.size()}, {self.size()}", "-1, -1"])
                return f"{text}.{kind}({sizes})", None, dtype
            factors = [f for f in range(1, count + 1) if count % f == 0] or [0]
            f = self.rng.choice(factors)
            options = [((count,), "-1"), ((count,), f"[{count}]")]
            if f:
                options += [((f, count // f), f"{f}, {count // f}"), ((f, count // f), f"{f}, -1"), ((1, f, count // f), f"1, {f}, {count // f}")]
            new, sizes = self.rng.choice(options)
            return f"{name}.{kind}({sizes})", new, dtype
        if kind == "transpose" and n:
            (a, i), (b, j) = self.dim(shape), self.dim(shape)
            if i is None or j is None:
                return f"{text}.transpose({a}, {b})", None, dtype
            new = list(shape)
            new[i], new[j] = new[j], new[i]
            return f"{text}.transpose({a}, {b})", tuple(new), dtype
        if kind == "permute" and n:
            order = self.rng.sample(range(n), n)
            if self.misfit():
                order[0] = self.rng.randrange(n + 1)
                return f"{text}.permute({order})", None, dtype
            return f"{text}.permute({', '.join(map(str, order))})", tuple(shape[i] for i in order), dtype
        if kind == "t":
            if n > 2:
                return (f"{text}.t()", None, dtype) if self.misfit() else None
            return f"{text}.t()", shape[::-1], dtype
        if kind == "unsqueeze":
            d = self.rng.randrange(n + 1) if not self.misfit() else n + 2
            return f"{text}.unsqueeze({d})", (*shape[:d], 1, *shape[d:]) if d <= n else None, dtype
        if kind == "squeeze":
            if self.chance(0.3):
                return f"{text}.squeeze()", tuple(s for s in shape if s != 1), dtype
            a, i = self.dim(shape)
            return f"{text}.squeeze({a})", None if i is None else (*shape[:i], *shape[i + (shape[i] == 1):]), dtype
        if kind == "expand":
            new = tuple(self.rng.choice((2, 3)) if s == 1 else s for s in shape)
            if self.chance(0.3):
                new = (2, *new)
            if self.misfit(0.1):
                return f"{text}.expand({self.size()}, {self.size()})", None, dtype
            return f"{text}.expand({list(new)})", new, dtype
        if kind == "flatten":
            if n == 3 and self.chance(0.5):
                return f"{text}.flatten(1)", (shape[0], shape[1] * shape[2]), dtype
            return f"{text}.flatten()", (count,), dtype
        if kind == "contiguous":
            return f"{text}.contiguous()", shape, dtype
        if kind == "repeat" and n and count < 200:
            return f"{text}.repeat({', '.join('2' if i == 0 else '1' for i in range(n))})", (2 * shape[0], *shape[1:]), dtype
        if n == 0:
            return None
        a, i = self.dim(shape)
        if kind == "flip":
            return f"{text}.flip([{a}])", shape, dtype
        if kind == "roll":
            return f"torch.roll({text}, {self.rng.choice((1, -1, 2))}, {a})", shape, dtype
        if kind == "triu" and n == 2 and dtype != "bool":
            return f"torch.{self.rng.choice(['triu', 'tril'])}({text})", shape, dtype
        if kind == "diagonal" and n == 2:
            return f"{text}.diagonal()", (min(shape),), dtype
        if kind in ("split", "chunk"):
            if i is None or shape[i] < 1:
                return f"{text}.{kind}(2, {a})[0]", None, dtype
            step = 1 if kind == "split" else -(-shape[i] // 2)
            new = (*shape[:i], min(step, shape[i]), *shape[i + 1:])
            return f"{text}.{kind}({1 if kind == 'split' else 2}, {a})[{self.index(shape[i]) if kind == 'split' else 0}]", new, dtype
        if kind == "unbind" and i is not None:
            return f"{text}.unbind({a})[{self.index(shape[i])}]", (*shape[:i], *shape[i + 1:]), dtype
        if kind == "narrow":
            if self.misfit(0.12) or i is None:
                return f"{text}.narrow({a}, {self.size()}, {self.size()})", None, dtype
            start = self.rng.randrange(shape[i] + 1)
            length = self.rng.randrange(shape[i] - start + 1)
            return f"{text}.narrow({a}, {start}, {length})", (*shape[:i], length, *shape[i + 1:]), dtype
        if kind == "select" and i is not None:
            return f"{text}.select({a}, {self.index(shape[i])})", (*shape[:i], *shape[i + 1:]), dtype
        return None

    def fresh_view(self, text, shape):
        """`view` may need memory in order, which it does not say of variables: half the time it is given so."""
        return text if self.chance(0.5) else f"{text}.contiguous()"

    def index(self, size):
        """An index into so many, mostly within."""
        if size <= 0 or self.misfit(0.08):
            return self.size()
        return self.rng.randrange(size) - (size if self.chance(0.25) else 0)

    def indexed(self, depth):
        text, shape, dtype = self.tensor(depth)
        if shape is None:
            return self.rng.choice([f"{text}[0]", f"{text}[..., 0]", f"{text}[None]"]) if self.misfit(0.3) else f"{text}[None]", None, dtype
        n = len(shape)
        kind = self.rng.choice(["int", "int", "slice", "slice", "none", "dots", "column", "tensor", "mask", "index_select", "gather", "step", "take"])
        if kind == "none":
            return f"{text}[None]", (1, *shape), dtype
        if n == 0:
            return None
        if kind == "int":
            return f"{text}[{self.index(shape[0])}]", shape[1:], dtype
        if kind == "slice":
            a, b = sorted((self.rng.randrange(shape[0] + 1), self.rng.randrange(shape[0] + 2)))
            length = len(range(shape[0])[a:b])
            if self.chance(0.15):
                return f"{text}[{self.size()}:]", None, dtype
            return f"{text}[{a}:{b}]", (length, *shape[1:]), dtype
        if kind == "step":
            return f"{text}[::2]", ((shape[0] + 1) // 2, *shape[1:]), dtype
        if kind == "dots":
            return f"{text}[..., {self.index(shape[-1])}]", shape[:-1], dtype
        if kind == "column" and n > 1:
            return f"{text}[:, {self.index(shape[1])}]", (shape[0], *shape[2:]), dtype
        if kind == "mask":
            condition = f"({text} > 0)" if dtype != "bool" else text
            return f"{text}[{condition}]", None, dtype
        indices = [self.index(shape[0]) for _ in range(self.rng.randrange(1, 4))]
        made = f"torch.tensor([{', '.join(map(str, indices))}])"
        if kind == "tensor":
            return f"{text}[{made}]", (len(indices), *shape[1:]), dtype
        if kind == "index_select":
            return f"{text}.index_select(0, {made.replace('-', '')})", (len(indices), *shape[1:]), dtype
        if kind == "gather" and n == 1:
            return f"{text}.gather(0, {made.replace('-', '')})", (len(indices),), dtype
        if kind == "take":
            return f"torch.take({text}, {made.replace('-', '')})", (len(indices),), dtype
        return None

    def reduced(self, depth):
        text, shape, dtype = self.tensor(depth)
        if dtype is None:
            return None
        if self.chance(0.3):
            if dtype == "bool":
                return f"{text}.{self.rng.choice(['any', 'all'])}()", (), "bool"
            form = self.rng.choice(["sum", "sum", "max", "min", "prod"] + ["mean", "std", "norm"] * (dtype in FLOATS))
            return f"{text}.{form}()", (), dtype
        if shape is None or not shape:
            return f"{text}.sum()", (), "int64" if dtype == "bool" else dtype
        a, i = self.dim(shape)
        keep = self.chance(0.4)
        new = None if i is None else (*shape[:i], *((1,) if keep else ()), *shape[i + 1:])
        flag = f", keepdim={keep}" if keep or self.chance(0.1) else ""
        if dtype == "bool":
            return f"{text}.{self.rng.choice(['any', 'all'])}({a}{flag})", new, "bool"
        form = self.rng.choice(["sum", "sum", "amax", "amin", "argmax", "cumsum", "max", "prod", "sort", "flatten"] +
                               ["mean", "mean", "softmax", "log_softmax", "logsumexp", "std"] * (dtype in FLOATS))
        if form == "argmax":
            return f"{text}.argmax({a}{flag})", new, "int64"
        if form in ("softmax", "log_softmax", "cumsum"):
            return f"{text}.{form}({a})", shape, dtype
        if form == "max":
            return f"{text}.{self.rng.choice(['max', 'min'])}({a}{flag})[0]", new, dtype
        if form == "sort":
            return f"{text}.sort({a})[0]", shape, dtype
        if form == "flatten":
            return f"torch.topk({text}, {self.rng.choice((1, 2)) if self.misfit(0.2) else 1}, {a})[0]", None, dtype
        return f"{text}.{form}({a}{flag})", new, dtype

    def joined(self, depth):
        text, shape, dtype = self.tensor(depth)
        if not shape or dtype is None:
            return None
        if self.misfit(0.1):
            other = self.tensor_leaf()[0]
            return self.rng.choice([f"torch.cat([{text}, {other}])", f"torch.stack([{text}, {other}])", f"torch.cat([{text}, {other}], {self.size()})"]), None, None
        other = self.with_shape(shape, dtype)
        a, i = self.dim(shape)
        if i is None:
            return f"torch.cat([{text}, {other}], {a})", None, dtype
        if self.chance(0.6):
            return f"torch.cat([{text}, {other}], {a})", (*shape[:i], 2 * shape[i], *shape[i + 1:]), dtype
        return f"torch.stack([{text}, {other}], {a})", (*shape[:i], 2, *shape[i:]) if a >= 0 else None, dtype

    def product(self, depth):
        text, shape, dtype = self.tensor(depth)
        if not shape or dtype not in FLOATS:
            return None
        k = shape[-1]
        if self.misfit(0.1):
            k = self.rng.choice((1, 2, 3, 4, 5))
            other = self.with_shape(self.rng.choice([(k, 2), (k,), (2, k)]), dtype)
            return self.rng.choice([f"torch.matmul({text}, {other})", f"torch.mm({text}, {other})", f"torch.nn.functional.linear({text}, {other})"]), None, dtype
        m = self.rng.choice((1, 2, 3, 4))
        if self.chance(0.35):
            weight, bias = self.with_shape((m, k), dtype), self.with_shape((m,), dtype)
            return f"torch.nn.functional.linear({text}, {weight}{', ' + bias if self.chance(0.6) else ''})", (*shape[:-1], m), dtype
        if len(shape) == 1:
            return f"torch.dot({text}, {self.with_shape((k,), dtype)})", (), dtype
        if len(shape) == 2 and self.chance(0.4):
            other = self.with_shape((k, m), dtype)
            if self.chance(0.3):
                return f"torch.addmm({self.with_shape((m,), dtype)}, {text}, {other})", (shape[0], m), dtype
            return f"torch.mm({text}, {other})", (shape[0], m), dtype
        if self.chance(0.3):
            return f"torch.matmul({text}, {self.with_shape((k,), dtype)})", shape[:-1], dtype
        return f"({text} @ {self.with_shape((k, m), dtype)})", (*shape[:-1], m), dtype

    def chosen(self, depth):
        text, shape, dtype = self.tensor(depth)
        if dtype is None:
            return None
        condition = f"({text} > 0)" if dtype != "bool" else text
        other, shape2, dtype2 = self.of_shape(shape, dtype=dtype)
        if self.chance(0.3) and dtype in FLOATS:
            return f"{text}.masked_fill({condition}, {self.expr('float', 0)})", shape, dtype
        if dtype2 != dtype:
            return None
        return f"torch.where({condition}, {text}, {other})", broadcast(shape, shape2), dtype

    def made(self, depth):
        shape, dtype = self.some_shape(), self.some_dtype()
        if self.misfit():
            size = self.size()
            return self.rng.choice([f"torch.zeros([{size}, 2])", f"torch.full([{size}], 1.0)", f"torch.arange({size})"]), None, None
        kind = self.rng.choice(["zeros", "ones", "full", "arange", "tensor", "like", "eye", "scalar"] + ["rand"] * self.has("random"))
        if kind in ("zeros", "ones"):
            return f"torch.{kind}({list(shape)}, dtype=torch.{dtype})", shape, dtype
        if kind == "full":
            return f"torch.full({list(shape)}, {self.rng.choice(('1.5', '-0.5', '2.0'))})", shape, "float32"
        if kind == "arange":
            n = self.rng.randrange(1, 6)
            return (f"torch.arange({n})", (n,), "int64") if self.chance(0.5) else (f"torch.arange({n}, dtype=torch.float32)", (n,), "float32")
        if kind == "tensor":
            numbers = [self.rng.choice(("0.5", "-1.0", "2.0", "0.25", "3.0")) for _ in range(self.rng.randrange(1, 5))]
            return f"torch.tensor([{', '.join(numbers)}])", (len(numbers),), "float32"
        if kind == "scalar":
            return f"torch.tensor({self.expr('float', 0)})", (), "float32"
        if kind == "eye":
            return "torch.eye(3)", (3, 3), "float32"
        if kind == "rand":
            return f"torch.{self.rng.choice(['rand', 'randn'])}({list(shape)})", shape, "float32"
        text, shape, dtype = self.tensor_leaf() if self.variables("Tensor") else ("torch.ones([2])", (2,), "float32")
        return f"torch.{self.rng.choice(['zeros_like', 'ones_like'])}({text})", shape, dtype

    def converted(self, depth):
        text, shape, dtype = self.tensor(depth)
        if not self.has("dtypes") or dtype is None:
            return None
        new = self.some_dtype()
        if dtype in FLOATS and new == "int64":  # numbers out of range have no meaning there
            text = f"torch.nan_to_num({text}).clamp(-100.0, 100.0)"
        form = "{}.to(torch.{})"
        return form.format(text, new), shape, new

    def normalized(self, depth):
        text, shape, dtype = self.tensor(depth)
        if not shape or dtype != "float32":
            return None
        kind = self.rng.choice(["layer_norm", "softmax"] + ["dropout"] * self.has("random"))
        if kind == "layer_norm":
            size = shape[-1] if not self.misfit(0.1) else self.size()
            bounded = f"{text}.clamp(-1e15, 1e15)"  # squares beyond float32 are infinite in one way or another
            return f"torch.nn.functional.layer_norm({bounded}, [{size}])", shape, dtype
        if kind == "softmax":
            return f"torch.softmax({text}, {self.dim(shape)[0]})", shape, dtype
        return f"torch.nn.functional.dropout({text}, 0.5, {self.chance(0.7)})", shape, dtype
