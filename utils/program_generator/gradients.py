"""Programs of three tensors for random_gradients.py: what they compute can be differentiated, nearly everywhere."""
import random

HEAD = '''import torch
from typing import List, Tuple
from torch import Tensor

class Pair:
    def __init__(self, left: Tensor, right: Tensor):
        self.left = left
        self.right = right

    def scale(self, times: int):
        for i in range(times):
            self.right = torch.sin(self.right * 1.1)

    def both(self) -> Tuple[Tensor, Tensor]:
        return self.left, self.right

'''

class Generator:
    """Variables by shape: AB, B, A1 and S, one number; all broadcast to AB."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.variables, self.count, self.depth = [], {"AB": ["x"], "B": ["y"], "A1": ["z"], "S": []}, 0, 1
        self.smooth = self.isOrdered = True
        self.loops = 0  # around what is written

    def put(self, line):
        self.lines.append("    " * self.depth + line)

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def pick(self, shape=None):
        while True:
            at = shape or self.r.choice(["AB", "AB", "AB", "B", "A1", "S"])
            if self.variables[at]:
                return self.r.choice(self.variables[at]), at

    def unary(self, a):
        return self.r.choice([
                    f"torch.sin({a})", f"torch.cos({a})", f"torch.tanh({a})", f"torch.sigmoid({a})",
                    f"torch.exp({a} * 0.1)", f"torch.sqrt({a} * {a} + 1)", f"torch.log({a} * {a} + 1)",
                    f"torch.relu({a})", f"{a}.abs()", f"torch.erf({a})", f"torch.atan({a})",
                    f"({a} * {self.number()})", f"({self.number()} - {a})", f"({a} + {self.number()})",
                    f"(1 / ({a} * {a} + 0.5))", f"{a} ** 2", f"torch.clamp({a}, -1.5, 1.5)",
                    f"torch.nn.functional.gelu({a})", f"torch.nn.functional.softplus({a})",
                    f"torch.rsqrt({a} * {a} + 1)", f"torch.nn.functional.silu({a})"])

    def number(self):
        return self.r.choice(["2", "0.5", "-1", "3", "0.25", "1.5"])

    def binary(self, a, b):
        return self.r.choice([
                    f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} * {b}", f"{a} / ({b} * {b} + 1)",
                    f"torch.maximum({a}, {b})", f"torch.minimum({a}, {b})", f"torch.where({a} > {b}, {a}, {b} * 2)",
                    f"torch.atan2({a}, {b} * {b} + 1)", f"torch.add({a}, {b}, alpha=0.5)",
                    f"torch.lerp({a}, {b}, 0.3)", f"{a} - {b} * 2", f"torch.pow({a} * {a} + 1, {b} * 0.1)"])

    def joined(self, s, t):
        shapes = {s, t} - {"S"}
        return "S" if not shapes else shapes.pop() if len(shapes) == 1 else "AB"

    def expression(self):
        """(text, shape)"""
        kind = self.r.randrange(12)
        a, s = self.pick()
        if kind < 3:
            return self.unary(a), s
        if kind < 7:
            b, t = self.pick()
            return self.binary(a, b), self.joined(s, t)
        a, _ = self.pick("AB")
        return self.r.choice([
            (f"{a}.sum(0)", "B"), (f"{a}.mean(1, True)", "A1"), (f"{a}.sum()", "S"),
            (f"{a}[{self.r.randrange(2)}]", "B"), (f"{a}[:, {self.r.randrange(2)}].unsqueeze(1)", "A1"),
            (f"torch.mm({a}, {a}.t()).sum(1, True) * 0.1", "A1"),
            (f"torch.matmul({a}, {self.pick('B')[0]}).unsqueeze(-1)", "A1"), (f"torch.softmax({a}, -1)", "AB"),
            (f"torch.softmax({a}, 0)", "AB"), (f"torch.cat([{a}[:, 1:], {a}[:, :1]], 1)", "AB"),
            (f"{a}.transpose(0, 1).reshape([-1]).view({a}.size(1), {a}.size(0)).t()", "AB"), (f"{a}.flip([1])", "AB"),
            (f"torch.stack({a}.unbind(1), 1)", "AB"), (f"{a}.cumsum(1) * 0.3", "AB"),
            (f"{a}.expand({a}.size(0), {a}.size(1)).contiguous()", "AB"), (f"{a}.amax(1, True)", "A1"),
            (f"torch.layer_norm({a}, [{a}.size(1)])", "AB"), (f"{a}.logsumexp(1, True)", "A1"),
            (f"{a}.var(1, keepdim=True)", "A1"), (f"torch.linalg.vector_norm({a} + 3, 2., [0])", "B"),
            (f"torch.nn.functional.linear({a}, {a}).sum(1, True) * 0.1", "A1"), (f"{a}.prod(1, keepdim=True)", "A1"),
            (f"torch.where({a} > 0, {a}, torch.zeros_like({a}))", "AB"), (f"{a}.masked_fill({a} > 1, 0.5)", "AB"),
            (f"torch.chunk({a}, 2, 1)[0].sum(1, True)", "A1"),
            (f"{a}.narrow(1, 1, {a}.size(1) - 1).sum(1, True)", "A1"),
            (f"{a}.gather(1, torch.zeros([{a}.size(0), 1], dtype=torch.long))", "A1"),
            (f"torch.einsum('ab,cb->ac', {a}, {a}).sum(1, True) * 0.1", "A1"),
            (f"torch.cumprod({a} * 0.1 + 1, 1)", "AB"), (f"{a}.sort(1)[0]", "AB"),
            (f"{a}.topk(2, 1)[0].sum(1, True)", "A1"), (f"torch.tril({a})", "AB"), (f"torch.roll({a}, 1, 1)", "AB"),
            (f"torch.logcumsumexp({a}, 1) * 0.3", "AB"), (f"{a}[:, [1, 0]].sum(1, True)", "A1"),
            (f"{a}[{a} > 0].sum()", "S"), (f"{a}.diagonal().sum()", "S"), (f"{a}.std(0)", "B"),
            (f"{a}.index_select(0, torch.tensor([1, 0, 1])).mean(0)", "B"),
            (f"torch.nn.functional.pad({a}, [1, 1]).unfold(1, 3, 1).mean(2)", "AB"),
            (f"{a}.repeat_interleave(2, 1).sum(1, True)", "A1"), (f"torch.complex({a}, {a} * 0.5).abs()", "AB"),
            (f"torch.fft.rfft({a}).abs().sum(1, True)", "A1"),
            (f"(torch.complex({a}, {a}.sin()) * torch.complex({a}.cos(), {a})).real", "AB"),
            (f"torch.conv1d({a}.unsqueeze(0), torch.ones([1, {a}.size(0), 2], dtype={a}.dtype)).sum()", "S"),
            (f"torch.linalg.solve(torch.mm({a}, {a}.t()) * 0.1 + torch.eye({a}.size(0), dtype={a}.dtype), {a})", "AB"),
            (f"torch.nn.functional.normalize({a} + 2, 2., 1)", "AB"),
            (f"torch.cdist({a}, {a} + 1).sum(1, True) * 0.1", "A1"), (f"{a}.max(1, True)[0]", "A1"),
            (f"torch.nn.functional.log_softmax({a}, 1)", "AB"),
            (f"torch.addmm({a}, {a}, torch.mm({a}.t(), {a}), alpha=0.1)", "AB"),
            (f"torch.nn.functional.smooth_l1_loss({a}, {a} * 0.5)", "S"),
            (f"torch.nn.functional.mse_loss({a}, torch.zeros_like({a}))", "S"),
            (f"torch.nn.functional.avg_pool1d({a}.unsqueeze(0), 3, 1, 1)[0]", "AB"), (f"{a}.detach() * {a}", "AB"),
            (f"torch.nn.functional.max_pool1d({a}.unsqueeze(0), 3, 1, 1)[0]", "AB"),
            (f"{a}.scatter(1, torch.zeros([{a}.size(0), 1], dtype=torch.long), 0.5)", "AB"),
            (f"{a}.scatter_add(1, torch.zeros([{a}.size(0), {a}.size(1)], dtype=torch.long), {a})", "AB"),
            (f"{a}.index_add(0, torch.tensor([1, 0]), {a}[:2])", "AB"), (f"{a}.T.contiguous().T", "AB"),
            (f"{a}.reshape([-1]).reshape({a}.size(0), {a}.size(1))", "AB"), (f"{a}.amin(0)", "B"),
            (f"{a}.median(1, True)[0]", "A1")])

    def assign(self):
        text, shape = self.expression()
        name = self.name()
        self.put(f"{name} = {text}")
        self.isOrdered &= "layer_norm" not in text  # made contiguous, which may be a tensor of its own
        # Graphs transpose ahead of a loop what is outside of it, and sum the gradients of its trips transposed.
        self.isOrdered &= not self.loops or not any(part in text for part in (".t()", ".transpose(", ".T"))
        self.smooth &= "detach" not in text  # which central differences do not see
        return name, shape

    def statement(self):
        kind = self.r.randrange(26)
        if kind >= 20 and self.depth <= 3:
            self.r.choice([self.write_through_views, self.entries, self.attributes, self.while_loop, self.queue,
                           self.silent, self.rows])()
        elif kind < 12 or self.depth > 3:
            name, shape = self.assign()
            self.variables[shape].append(name)
        elif kind < 14:
            self.branch()
        elif kind < 17:
            self.loop()
        elif kind == 17:
            self.write()
        elif kind == 18:
            self.collect()
        else:
            self.convert()

    def scoped(self, body, isLoop=False):
        kept = {shape: list(names) for shape, names in self.variables.items()}
        self.depth += 1
        self.loops += isLoop
        body()
        self.loops -= isLoop
        self.depth -= 1
        self.variables = kept

    def target(self):
        """A variable of its own to write in blocks."""
        a, shape = self.pick(self.r.choice(["AB", "AB", "B", "A1"]))
        name = self.name()
        self.put(f"{name} = {a} * 1")
        return name, shape

    def update(self, name, shape):
        fitting = [v for s in (shape, "S") for v in self.variables[s]]
        other = self.r.choice(fitting) if fitting else name
        self.put(f"{name} = " + self.r.choice([self.unary(name), self.binary(name, other), f"torch.tanh({name} + {other})"]))

    def branch(self):
        name, shape = self.target()
        condition = self.r.choice(["x.size(0) > 3", f"float({name}.sum()) > 0.1", "x.size(0) == x.size(1)", "y.numel() % 2 == 0"])
        self.put(f"if {condition}:")
        self.scoped(lambda: (self.statement(), self.update(name, shape)))
        if self.r.random() < 0.6:
            self.put("else:")
            self.scoped(lambda: self.update(name, shape))
        self.variables[shape].append(name)

    def loop(self):
        name, shape = self.target()
        index = f"i{self.count}"
        self.put(f"for {index} in range({self.r.choice(['3', 'x.size(0)', '0', '2', 'y.size(0)'])}):")

        def body():
            if self.r.random() < 0.3:
                self.put(f"if {index} % 2 == 0:")
                self.scoped(lambda: self.update(name, shape))
            if self.r.random() < 0.3:
                row = self.name()
                self.put(f"{row} = x[{index} % x.size(0)]")
                self.variables["B"].append(row)
            if self.r.random() < 0.5:
                self.statement()
            self.put(f"{name} = torch.tanh({name}) * 1.1")
            self.update(name, shape)
        self.scoped(body, isLoop=True)
        self.variables[shape].append(name)

    def collect(self):
        name, shape = self.target()
        items, index = self.name(), self.name()
        self.isOrdered = False
        self.put(f"{items}: List[Tensor] = []")
        self.put(f"for {index} in range({self.r.choice(['2', 'x.size(0)', '4'])}):")

        def body():
            self.update(name, shape)
            self.put(f"{name} = torch.tanh({name})")
            self.put(f"{items}.append({name})")
        self.scoped(body)
        total = self.name()
        self.put(f"{total} = torch.stack({items}).sum(0)")
        self.variables[shape] += [name, total]

    def write(self):
        name, shape = self.target()
        other, _ = self.pick(shape)
        self.put(self.r.choice([f"{name}.mul_({other})", f"{name} += {other}", f"{name}[0] = 0.5", f"{name}.tanh_()",
                                f"{name}[1:] *= 2", f"{name}.add_({other}, alpha=0.5)", f"{name}[0].add_(1)"]))
        self.variables[shape].append(name)

    def write_through_views(self):
        name, shape = self.target()
        view = self.name()
        if shape != "AB":
            self.put(f"{view} = {name}.view([-1])")
            self.put(f"{view}[1:].mul_({self.number()})")
            self.put(f"{view}[0] += {self.pick('S')[0] if self.variables['S'] else self.number()}")
        else:
            row, _ = self.pick("B")
            for _ in range(self.r.randrange(1, 3)):
                self.put(self.r.choice([
                    f"{name}.t()[0].mul_({self.number()})", f"{name}.diagonal().add_(1)", f"{name}[:, 0] = {row}[0]",
                    f"{name}[1] = {row}", f"{name}[1:].mul_({row})", f"{name}[:, ::2].tanh_()", f"{name}[0].copy_({row})",
                    f"{name}.view([-1])[1:3].sin_()", f"{name}[[1, 0], 0] = {row}[:2]", f"{name}.clamp_(-1, 1)",
                    f"{name}.masked_fill_({name} > 1, 0.5)", f"{name}.unsqueeze(0)[0].add_({row})",
                    f"{name}.index_add_(0, torch.tensor([1, 0]), {name}[:2] * 0.5)", f"{name}.narrow(1, 0, 1).zero_()",
                    f"{name}.transpose(0, 1)[1:].relu_()"]))
                if self.r.random() < 0.4:
                    self.put(f"{self.name()} = {name} * {row}")
        self.variables[shape].append(name)

    def entries(self):
        (a, s), (b, t) = self.pick(), self.pick()
        d, c, e = self.name(), self.name(), self.name()
        self.put(f"{d} = {{'a': {a}, 'b': {b} * 2}}")
        self.put(f"{d}['a'] = {self.unary(f'{d}[%sa%s]' % (chr(39), chr(39)))}")
        self.put(f"{c} = {d}['a']")
        self.put(f"{e} = " + self.r.choice([f"{d}['b']", f"{d}.pop('b')", f"{d}['b'] - {d}['a'].sum()"]))
        self.variables[s].append(c)
        self.variables[t].append(e)

    def attributes(self):
        (a, s), (b, t) = self.pick(), self.pick()
        o, c, e = self.name(), self.name(), self.name()
        self.put(f"{o} = Pair({a}, {b})")
        self.put(f"{o}.left = {self.unary(o + '.left')}")
        if self.r.random() < 0.5:
            self.put(f"{o}.scale(x.size(0))")
        self.put(f"{c}, {e} = {o}.both()")
        self.variables[s].append(c)
        self.variables[t].append(e)

    def while_loop(self):
        name, shape = self.target()
        n = self.name()
        self.put(f"{n} = 0")
        self.put(f"while {n} < x.size(0) and float({name}.detach().sum()) < 100.:")

        def body():
            self.put(f"{n} += 1")
            if self.r.random() < 0.5:
                self.put(f"if {n} == 2:")
                self.put("    " + self.r.choice(["continue", "break"]))
            self.update(name, shape)
            self.put(f"{name} = torch.tanh({name})")
            if self.r.random() < 0.4:
                self.statement()
        self.scoped(body, isLoop=True)
        self.variables[shape].append(name)

    def queue(self):
        name, shape = self.target()
        items, last = self.name(), self.name()
        self.isOrdered = False
        self.put(f"{items} = [{name}, {self.unary(name)}]")
        self.put(self.r.choice([
            f"{items}.append({items}[0] * {items}[1])", f"{items}.extend([{name} * 2])", f"{items}[0] = {items}[1] * {name}",
            f"{items} = {items} + [{name}]", f"{items} = [torch.sin(t) for t in {items}]", f"{items}.insert(0, {name}.exp())"]))
        self.put(f"{last} = " + self.r.choice([f"{items}.pop()", f"{items}[-1]", f"torch.stack({items}, 0).sum(0)",
                                               f"{items}[0] + {items}[-1]"]))
        self.variables[shape].append(last)

    def silent(self):
        a, shape = self.pick()
        name = self.name()
        self.put("with torch.no_grad():")
        self.put(f"    {name} = {self.unary(a)}")
        self.smooth = False  # central differences see what no gradient goes through
        self.variables[shape].append(name)

    def rows(self):
        a, _ = self.pick("AB")
        total, row = self.name(), self.name()
        self.put(f"{total} = torch.zeros([{a}.size(1)], dtype=x.dtype)")
        self.put(f"for {row} in {a}:" if self.r.random() < 0.3 else f"for {row} in {a}.unbind(0):")
        self.put(f"    {total} = torch.tanh({total} * 0.5 + {row} * {self.pick('B')[0]})")
        self.variables["B"].append(total)

    def convert(self):
        a, shape = self.pick()
        name = self.name()
        self.put(f"{name} = torch.sin({a}.to(torch.float32)).to(torch.float64)")
        self.smooth = False
        self.variables[shape].append(name)

    def program(self):
        for _ in range(self.r.randrange(2, 9)):
            self.statement()
        last = [name for names in self.variables.values() for name in names[-2:]]
        self.put("return " + " + ".join(f"({name}).sum()" for name in last))
        head = HEAD
        return head + "def program(x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n" + "\n".join(self.lines) + "\n"
