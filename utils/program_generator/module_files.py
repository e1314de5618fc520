"""Random files as people write them around a model: modules, training loops, containers, classes, exceptions and prints at top level.

A file is made of sections that stand by themselves, so that what one of them has that is refused hides few others.
"""
import random

from expressions import Expressions

HEAD = "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\ntorch.manual_seed({seed})\n\n"
# A section may be small: a file without any module isn't walked.
WALKED = "class Identity(nn.Module):\n    def forward(self, x):\n        return x\n\n"


def indented(lines):
    return ["    " + line for line in lines]


class ModuleFile:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.expressions = Expressions(seed)
        self.seed, self.count = seed, 0

    def text(self):
        lines = []
        for _ in range(self.rng.randrange(2, 5)):
            section = self.rng.choice((self.module, self.training, self.training, self.containers, self.containers, self.own_class, self.own_class,
                                       self.exceptions,
                                       self.exceptions, self.functions, self.functions, self.prints, self.iteration, self.context, self.dataclass,
                                       self.tensors,
                                       self.state, self.inheritance))
            lines += section() + [""]
        if self.chance(0.3):
            at = len(lines)
            lines = lines[:at] + ['if __name__ == "__main__":'] + indented([f"print('end', {self.int(1)})", "for i in range(2):", "    print(i, end=' ')",
            "print()"])
        return HEAD.format(seed=self.seed % 1000) + WALKED + "\n".join(lines) + "\n"

    # Small things

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *options):
        return self.rng.choice(options)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def number(self):
        return self.pick("0", "1", "2", "3", "5", "-1", "-4", "10", "17")

    def int(self, depth=2, names=()):
        if depth <= 0 or self.chance(0.3):
            return self.pick(*names) if names and self.chance(0.6) else self.number()
        a, b = self.int(depth - 1, names), self.int(depth - 1, names)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} // 3)", f"({a} % 4)", f"abs({a})", f"max({a}, {b})", f"min({a}, {b}, 2)",
                         f"({a} if {a} > {b} else {b})", f"len(str({a}))", f"int({a} / 2)", f"round({a} / 3)", f"({a} & 7)", f"({a} ^ {b})",
                         f"sum([{a}, {b}])", f"pow({a}, 2)",
                         f"({a} or {b})", f"({a} and {b})", f"bool({a}) + {b}", f"divmod({a}, 3)[1]")

    def float(self, names=()):
        a = self.int(1, names)
        return self.pick(f"{a} / 4", f"{a} * 0.5", f"math.sqrt(abs({a}))", f"float({a})", f"{a} ** 0.5 if {a} > 0 else 0.25", f"round({a} / 7, 3)",
                         f"math.floor({a} / 3)",
                         f"1e-3 * {a}", f"{a} * 1e16", f"sum([0.1, 0.2, {a}])")

    def str(self):
        a = self.pick("'alpha'", "'Beta'", "'x,y,,z'", "'  pad '", "'naïve'", "'日本'", "'a\\tb'", "''", "'12'", "\"it's\"", "'q\"q'", "'line\\nline'")
        return self.pick(a, a, a + ".upper()", a + ".strip()", a + ".split(',')", f"'-'.join({a})", a + "[::-1]", a + " * 2", f"{a}.replace('a', 'ö')",
                         f"repr({a})",
                         f"{a}.center(11, '*')", f"{a}.partition(',')", f"{a}.title()", f"{a}.find('a')", f"sorted({a})", f"{a}.encode() == b''",
                         f"{a}.isdigit()", f"{a}.count('a')",
                         f"len({a})", f"{a}.zfill(6)", f"{a}.startswith(('a', 'n'))", f"{a}.rsplit(',', 1)", f"{a}.splitlines()", f"{a}.casefold()",
                         f"list({a})", f"set({a}) == set()")

    def value(self, names=()):
        return self.pick(lambda: self.int(2, names), lambda: self.int(2, names), lambda: self.float(names), self.str,
                         lambda: self.pick("True", "False", "None"),
                         lambda: f"[{self.int(1, names)}, {self.float(names)}]", lambda: f"({self.int(1, names)}, {self.pick(repr('k'), 'None')})",
                         lambda: "{'k': " + self.int(1, names) + "}")()

    def shown(self, names=()):
        """A value in one of the ways to print it."""
        draw = self.rng.random()
        if draw < 0.55:
            return self.value(names)
        number, spec = self.float(names), self.pick(".2f", "8.3f", ".3g", "e", "+.1f", "10", "<8", "^9.1f", "%", ",.2f", "g")
        if draw < 0.75:
            return "f'{" + number.replace("'", '"') + ":" + spec + "}'" if "'" not in number else number
        if draw < 0.85:
            return f"'%s and %r' % ({self.int(1, names)}, {self.str()})"
        return f"'{{}} {{:>6}}'.format({self.value(names)}, {self.int(1, names)})"

    def show(self, names=()):
        items = ", ".join(self.shown(names) for _ in range(self.rng.randrange(1, 4)))
        return f"print({items}{self.pick('', '', '', ', sep=chr(45)')})"

    # Sections

    def prints(self):
        lines = []
        for _ in range(self.rng.randrange(2, 6)):
            if self.chance(0.4):
                expression = self.expressions.python()[1]
                lines += ["try:", f"    print({expression})", "except Exception as e:", "    print(type(e).__name__)"]
            else:
                lines.append(self.show())
        return lines

    def layer(self, size):
        out = self.rng.choice((2, 3, 4))
        made = self.pick(f"nn.Linear({size}, {out})", f"nn.Linear({size}, {out}, bias=False)", "nn.ReLU()", "nn.Tanh()", "nn.GELU()", f"nn.LayerNorm({size})",
                         f"nn.BatchNorm1d({size})",
                         "nn.Dropout(0.5)", f"nn.Sequential(nn.Linear({size}, {out}), nn.ReLU())", "nn.Sigmoid()", "nn.LeakyReLU(0.1)", "nn.Softmax(dim=-1)",
                         "nn.Identity()",
                         f"nn.Linear(in_features={size}, out_features={out})")
        return made, out if "Linear(" in made else size

    def new_module(self):
        """A class, the name, and its sizes of input and output."""
        name, first = self.fresh("Net"), self.rng.choice((2, 3, 4))
        lines, forward, size = [], [], first
        style = self.pick("plain", "plain", "sequential", "list", "dict")
        layers = []
        for i in range(self.rng.randrange(1, 4)):
            made, size = self.layer(size)
            layers.append(made)
        if style == "plain":
            for i, made in enumerate(layers):
                lines.append(f"self.layer{i} = {made}")
                forward.append(f"x = self.layer{i}(x)")
                if self.chance(0.3):
                    forward.append(self.pick("x = F.relu(x)", "x = torch.tanh(x)", "x = x * 2 - 1", "x = x + x.mean()", "x = torch.sigmoid(x)"))
        elif style == "sequential":
            lines.append(f"self.body = nn.Sequential({', '.join(layers)})")
            forward.append("x = self.body(x)")
        elif style == "list":
            lines.append(f"self.layers = nn.ModuleList([{', '.join(layers)}])")
            forward += self.pick(["for layer in self.layers:", "    x = layer(x)"], ["for i, layer in enumerate(self.layers):", "    x = layer(x) + i"])
        else:
            lines.append("self.parts = nn.ModuleDict({" + ", ".join(f"'p{i}': {made}" for i, made in enumerate(layers)) + "})")
            forward += self.pick(["for key, part in self.parts.items():", "    x = part(x)"], ["for part in self.parts.values():", "    x = part(x)"])
        if self.chance(0.3):
            lines.append(f"self.scale = nn.Parameter(torch.{self.pick('ones', 'zeros', 'rand')}({size}) * 0.5)")
            forward.append("x = x * self.scale")
        if self.chance(0.3):
            lines.append("self.register_buffer('calls', torch.zeros(()))")
            forward.append("self.calls += 1")
        if self.chance(0.2):
            lines += ["self.history = []"]
            forward.append("self.history.append(tuple(x.shape))")
        if self.chance(0.2):
            forward += ["if self.training:", f"    x = x * {self.pick('2', '0.5')}"]
        signature = self.pick("self", "self", "self, size=3")
        body = indented([f"def __init__({signature}):", "    super().__init__()", *indented(lines), "", "def forward(self, x):", *indented(forward),
                         "    return x"])
        if self.chance(0.2):
            body += ["", *indented(["def extra_repr(self):", "    return 'own'"])]
        if self.chance(0.2):
            body += ["", *indented(["@property", "def size(self):", "    return sum(p.numel() for p in self.parameters())"])]
        if self.chance(0.2):
            body += ["", *indented(["@staticmethod", "def make(n):", "    return torch.ones(n, " + str(first) + ")"])]
        return [f"class {name}(nn.Module):", *body, ""], name, first, size

    def module(self):
        lines, name, first, size = self.new_module()
        net = self.fresh("net")
        lines += [f"{net} = {name}()"]
        x = self.pick(f"torch.ones(2, {first})", f"torch.arange({2 * first}.).reshape(2, {first})", f"torch.linspace(-1, 1, {3 * first}).view(3, {first})")
        uses = [[f"print({net})"], [f"print({net}({x}))"], [f"print({net}({x}).shape)"],
                [f"for name, p in {net}.named_parameters():", "    print(name, tuple(p.shape), p.requires_grad)"],
                [f"print(sum(p.numel() for p in {net}.parameters()))"], [f"print(list({net}.state_dict().keys()))"],
                [f"{net}.eval()", f"print({net}.training, {net}({x}).sum().item() > -1e9)"],
                [f"print([type(m).__name__ for m in {net}.modules()])"], [f"print([n for n, _ in {net}.named_children()])"],
                [f"print([n for n, _ in {net}.named_modules()])"],
                ["with torch.no_grad():", f"    for p in {net}.parameters():", "        p.fill_(0.5)", f"print({net}({x}))"],
                [f"for p in {net}.parameters():", "    p.requires_grad_(False)",
                f"print({net}({x}).requires_grad)"],
                [f"def init(m):", "    if isinstance(m, nn.Linear):", "        nn.init.constant_(m.weight, 0.25)", f"{net}.apply(init)",
                 f"print({net}({x}))"],
                [f"print(hasattr({net}, 'scale'), hasattr({net}, 'nope'), getattr({net}, 'calls', None))"], [f"y = {net}({x})", "y.sum().backward()",
                f"print([p.grad is None for p in {net}.parameters()])"], [f"{net}.load_state_dict({net}.state_dict())", f"print(len({net}.state_dict()))"],
                [f"print({net}.size if hasattr({net}, 'size') else 'no size')"], [f"{net}.double()", f"print(next({net}.parameters(), torch.ones(1)).dtype)"],
                [f"try:", f"    {net}(torch.ones(2, 9))", "except RuntimeError as e:", "    print('shapes')", "else:", "    print('fits')"],
                [f"{net}.register_forward_hook(lambda m, i, o: print('hook', tuple(o.shape)))", f"{net}({x})"],
                [f"print({net}.training, {net}.train(False).training)"],
                [f"try:", f"    print({net}.nope)", "except AttributeError as e:", "    print('AttributeError')"],
                [f"print(isinstance({net}, nn.Module), type({net}).__name__, {net}.__class__.__name__)"]]
        for use in self.rng.sample(uses, self.rng.randrange(2, 6)):
            lines += use
        return lines

    def training(self):
        lines, name, first, size = self.new_module()
        net, opt = self.fresh("net"), self.fresh("opt")
        optimizer = self.pick("SGD({}.parameters(), lr=0.1)", "SGD({}.parameters(), lr=0.05, momentum=0.9)", "Adam({}.parameters(), lr=0.01)",
                              "AdamW({}.parameters(), lr=0.01, weight_decay=0.1)",
                              "RMSprop({}.parameters(), lr=0.01)", "Adagrad({}.parameters(), lr=0.1)",
                              "SGD({}.parameters(), lr=0.1, nesterov=True, momentum=0.5)", "Adam({}.parameters(), amsgrad=True)",
                              "SGD([{{'params': list({}.parameters()), 'lr': 0.2}}], lr=0.1)").format(net)
        loss = self.pick("nn.MSELoss()(out, y)", "F.mse_loss(out, y)", "((out - y) ** 2).mean()", "F.l1_loss(out, y)", "F.smooth_l1_loss(out, y)",
                         "(out - y).abs().sum()", "F.cross_entropy(out, target)",
                         "nn.CrossEntropyLoss()(out, target)", "F.nll_loss(F.log_softmax(out, dim=1), target)", "F.huber_loss(out, y, delta=0.5)",
                         "-F.cosine_similarity(out, y).mean()",
                         "F.binary_cross_entropy_with_logits(out, y.clamp(0, 1))", "F.kl_div(F.log_softmax(out, 1), F.softmax(y, 1), reduction='batchmean')")
        lines += [f"{net} = {name}()", f"{opt} = torch.optim.{optimizer}", f"x = torch.randn(4, {first})", f"y = torch.randn(4, {size})",
                  f"target = torch.tensor([0, 1, 0, 1])"]
        schedule = self.chance(0.35)
        if schedule:
            lines.append(f"sched = torch.optim.lr_scheduler." + self.pick(f"StepLR({opt}, step_size=2, gamma=0.5)", f"ExponentialLR({opt}, 0.9)",
            f"CosineAnnealingLR({opt}, T_max=4)",
                                                                         f"LambdaLR({opt}, lambda e: 1 / (e + 1))",
                                                                         f"MultiStepLR({opt}, milestones=[1, 3], gamma=0.1)"))
        lines += ["losses = []", "best = None"]
        body = [f"{opt}.zero_grad()", f"out = {net}(x)", f"loss = {loss}", "loss.backward()"]
        if self.chance(0.3):
            body.append(self.pick(f"torch.nn.utils.clip_grad_norm_({net}.parameters(), 1.0)", f"norm = nn.utils.clip_grad_norm_({net}.parameters(), 0.5)",
                                  f"nn.utils.clip_grad_value_({net}.parameters(), 0.1)"))
        body += [f"{opt}.step()"] + ["sched.step()"] * schedule
        body += ["losses.append(round(loss.item(), 3))"]
        body += self.pick([], ["if best is None or loss.item() < best:", "    best = loss.item()"],
                          ["if epoch % 2 == 0:", "    print(f'epoch {epoch}: {loss.item():.3f}')"],
                          ["print('epoch %d loss %.3f' % (epoch, loss))"], ["if epoch == 2:", "    break"],
                          ["if len(losses) > 1 and losses[-1] > losses[-2]:", "    continue"])
        lines += [f"for epoch in range({self.pick('2', '3', '4')}):", *indented(body)]
        lines += ["print(losses, best is None)"]
        if schedule:
            lines.append(self.pick(f"print([round(g['lr'], 5) for g in {opt}.param_groups])", "print([round(v, 5) for v in sched.get_last_lr()])"))
        after = [[f"print({opt}.param_groups[0]['lr'])"], [f"print([p.grad.shape for p in {net}.parameters()])"],
                 [f"{net}.zero_grad()", f"print([p.grad for p in {net}.parameters()][:1])"],
                 [f"with torch.no_grad():", f"    print({net}(x).argmax(dim=1).tolist())"], [f"print(len({opt}.state))"],
                 [f"print(sorted({opt}.state_dict().keys()))"],
                 ["print(out.requires_grad, loss.requires_grad, loss.detach().requires_grad)"], ["print(epoch, len(losses))"],
                 [f"copy = {name}()", f"copy.load_state_dict({net}.state_dict())", "copy.eval()", f"{net}.eval()", f"print(torch.equal(copy(x), {net}(x)))"],
                 [f"@torch.no_grad()", "def evaluate(m):", "    return m(x).requires_grad", f"print(evaluate({net}))"],
                 ["try:", "    loss.backward()", "except RuntimeError:", "    print('freed')"]]
        for use in self.rng.sample(after, self.rng.randrange(1, 4)):
            lines += use
        return lines

    def containers(self):
        xs, d, s = self.fresh("xs"), self.fresh("d"), self.fresh("s")
        items = ", ".join(self.int(1) for _ in range(self.rng.randrange(2, 6)))
        lines = [f"{xs} = [{items}]", f"{d} = {{'b': 2, 'a': {self.int(1)}, 'c': [1]}}", f"{s} = {{{items}}}"]
        k = self.int(1)
        forms = [f"print({xs})", f"print({d})", f"print(sorted({s}))", f"{xs}.append({k})", f"{xs}.insert(1, {k})", f"{xs}.sort(reverse=True)",
                 f"{xs}.sort(key=lambda v: -v % 3)", f"print({xs}[::2], {xs}[-1])",
                 f"{xs}[1:2] = [7, 8]", f"del {xs}[0]", f"print({xs}.pop(), {xs})", f"{d}['z'] = {k}", f"print({d}.get('q', {k}))",
                 f"print({d}.setdefault('e', []), {d})", f"{d}.update(a=3)", f"{d}.update({{'n': None}})",
                 f"print(list({d}.items())[0])", f"print([v * 2 for v in {xs} if v > 0])", f"print({{v: v * v for v in {xs}}})",
                 f"print(sum(v for v in {xs}))", f"print(any(v > 4 for v in {xs}), all(v > -9 for v in {xs}))",
                 f"print(list(zip({xs}, 'abc')))", f"print(list(enumerate({xs}, 1))[:2])", f"print(sorted({xs}, key=lambda v: (v % 2, -v)))",
                 f"print(max({xs}, key=lambda v: v % 5), min({xs}, default=0))", f"print(list(map(lambda v: v + 1, {xs})))",
                 f"print(list(filter(None, {xs})))", f"print({xs} + [1] * 2, {xs} == {xs}[:], {xs} < [9])", f"a, *b = {xs}\nprint(a, b)", f"{xs} += (1, 2)",
                 f"print({k} in {xs}, 'a' in {d}, {k} in {s})", f"print(len({s}), {s} | {{99}} >= {s})",
                 f"print(list(reversed({xs})))", f"print(list({d}), list({d}.values())[-1])", f"print({d}.pop('b', None), {d}.pop('zz', 'none'))",
                 f"{s}.add(50)", f"{s}.discard(50)", f"print({xs}.index({xs}[0]), {xs}.count({xs}[0]))",
                 f"for key, value in {d}.items():\n    print(key, value)",
                 f"for i, v in enumerate({xs}):\n    if i == 1:\n        continue\n    if i > 2:\n        break\n    print(i, v)\nelse:\n    print('all')",
                 f"print(*{xs})",
                 f"print(*{xs}, sep='/')", f"print(str({xs}), repr({d}))", f"print(f'{{{xs}}} {{len({d})}}')",
                 f"ys = {xs}\nys.append(0)\nprint({xs} is ys, {xs})", f"print([[i * j for j in range(2)] for i in {xs}[:2]])",
                 f"print(dict(zip('ab', {xs})))",
                 f"print(tuple({xs})[:2], set({xs}) - {{0}} == {s})", f"m = [[0] * 2] * 2\nm[0][0] = {k}\nprint(m)",
                 f"print(isinstance({xs}, list), isinstance({d}, (dict, int)), type({s}).__name__, type({xs}))", f"print({{**{d}, 'w': 1}})",
                 f"try:\n    {d}['missing']\nexcept KeyError as e:\n    print('key', e)", f"try:\n    {xs}[99]\nexcept IndexError as e:\n    print(e)",
                 f"try:\n    {xs}.remove(1234)\nexcept ValueError as e:\n    print(e)", f"print({xs}.copy() is {xs}, {d} == dict({d}))",
                 f"n = 0\nwhile {xs} and n < 3:\n    print({xs}.pop(0))\n    n += 1", f"print(list(range(5, 0, -2)), range(3), 2 in range(0, 6, 2))",
                 f"for k, v in list({d}.items()):\n    if isinstance(v, int):\n        del {d}[k]\nprint({d})", f"print(sum([[1], [2]], []), sum({xs}, 10))",
                 f"{d}['c'] += [2]\nprint({d}['c'])", f"print({xs}[1:] or 'empty', not {xs})", f"g = (v * 2 for v in {xs})\nprint(next(g), list(g))",
                 f"it = iter({xs})\nprint(next(it), list(it), next(it, 'done'))", f"print(len({d}.keys() & {{'a', 'q'}}))"]
        for form in self.rng.sample(forms, self.rng.randrange(3, 9)):
            lines += form.split("\n")
        return lines

    def own_class(self):
        name, v = self.fresh("Own"), self.fresh("v")
        methods = [["def __repr__(self):", "    return f'Own({self.n})'"], ["def __str__(self):", "    return 'own ' + str(self.n)"],
                   ["def __eq__(self, other):", f"    return isinstance(other, {name}) and self.n == other.n"],
                   ["def __lt__(self, other):", "    return self.n < other.n"], ["def __hash__(self):", "    return hash(self.n)"],
                   ["def __len__(self):", "    return abs(self.n)"], ["def __bool__(self):", "    return self.n > 2"],
                   ["def __add__(self, other):", f"    return {name}(self.n + (other.n if isinstance(other, {name}) else other))"],
                   ["def __getitem__(self, i):", "    if i >= 3:", "        raise IndexError(i)", "    return self.n * i"],
                   ["def __contains__(self, x):", "    return x == self.n"], ["def __iter__(self):", "    return iter([self.n, self.n + 1])"],
                   ["def __call__(self, x, *, by=2):", "    return x * self.n * by"],
                   ["@property", "def double(self):", "    return self.n * 2"], ["@staticmethod", "def make(n=4):", f"    return {name}(n)"],
                   ["@classmethod", "def of(cls, n):", "    return cls(n + 1)"], ["def bump(self, by=1):", "    self.n += by", "    return self"],
                   ["def __getattr__(self, name):", "    if name == 'ghost':", "        return 'boo'", "    raise AttributeError(name)"],
                   ["def __iadd__(self, k):", "    self.n += k", "    return self"], ["def __neg__(self):", f"    return {name}(-self.n)"],
                   ["def __radd__(self, k):", "    return k + self.n"], ["def __setitem__(self, k, v):", "    self.n = k + v"],
                   ["def __eq__(self, other):", "    if not hasattr(other, 'n'):", "        return NotImplemented", "    return self.n == other.n"]]
        chosen = self.rng.sample(methods, self.rng.randrange(2, 8))
        lines = [f"class {name}:", f"    shared = {self.pick('0', '[]', repr('s'))}", "", "    def __init__(self, n=3):", "        self.n = n"]
        for method in chosen:
            lines += ["", *indented(method)]
        lines += ["", f"{v} = {name}({self.pick('', '1', '5', 'n=2')})"]
        w = f"{name}(3)"
        forms = [f"print({v}.n, {v}.shared)", f"print({v} == {w}, {v} != {w})", f"print({w} in [{v}], [{v}].count({w}))",
                 f"print(bool({v}), 'yes' if {v} else 'no', not {v})", f"{v}.n = 7", f"{v}.extra = 1\nprint({v}.extra)",
                 f"{name}.shared = 9\nprint({v}.shared)",
                 f"print(hasattr({v}, 'nope'), getattr({v}, 'n', 0))", f"print(isinstance({v}, {name}), type({v}).__name__)", f"print(sorted({v}.__dict__))",
                 f"print(callable({v}), callable({name}))", f"print({v} is {v}, id({v}) == id({v}))"]
        text = "\n".join(sum(chosen, []))
        for need, form in (("__repr__", f"print({v}, [{v}], repr({v}))"), ("__str__", f"print({v}, f'{{{v}}}', str({v}))"),
                           ("__lt__", f"print([o.n for o in sorted([{name}(5), {name}(1), {v}])])"), ("__len__", f"print(len({v}))"),
                           ("__add__", f"print(({v} + {w}).n, ({v} + 1).n)"),
                           ("__getitem__", f"print({v}[1], {v}[2])"),
                           ("__getitem__", f"try:\n    print([x for x in {v}])\nexcept Exception as e:\n    print(type(e).__name__)"),
                           ("__contains__", f"print(3 in {v}, 4 in {v})"), ("__iter__", f"print(list({v}), [*{v}], sum({v}))"),
                           ("__call__", f"print({v}(2), {v}(2, by=3))"), ("double", f"print({v}.double)"), ("make", f"print({name}.make().n, {v}.make(8).n)"),
                           ("of", f"print({name}.of(1).n)"), ("bump", f"print({v}.bump().bump(by=2).n)"),
                           ("ghost", f"print({v}.ghost, hasattr({v}, 'other'))"),
                           ("__iadd__", f"{v} += 5\nprint({v}.n)"), ("__neg__", f"print((-{v}).n)"), ("__radd__", f"print(10 + {v}, sum([{v}]))"),
                           ("__hash__", f"print({{{v}: 1}}[{v}])"), ("__setitem__", f"{v}[1] = 2\nprint({v}.n)"),
                           ("double", f"try:\n    {v}.double = 3\nexcept AttributeError:\n    print('no setter')")):
            if f"def {need}(" in text or need in ("ghost",) and need in text:
                forms += [form] * 3
        for form in self.rng.sample(forms, min(len(forms), self.rng.randrange(3, 8))):
            lines += form.split("\n")
        return lines

    def inheritance(self):
        a, b, c = self.fresh("Base"), self.fresh("Left"), self.fresh("Leaf")
        lines = [f"class {a}:", "    kind = 'base'", "    def __init__(self, x=1):", "        self.x = x", "    def who(self):",
                 "        return 'base ' + self.kind", "    def twice(self):", "        return self.who() * 2",
                 f"class {b}({a}):", "    kind = 'left'"] + self.pick(["    def __init__(self, x, y=2):", "        super().__init__(x)",
                 "        self.y = y"], ["    def who(self):", "        return 'left, ' + super().who()"], ["    pass"])
        lines += [f"class Mixin{c}:", "    def who(self):", "        return 'mixin ' + super().who()", "    def mixed(self):",
                  "        return sorted(vars(self))",
                  f"class {c}({self.pick(f'Mixin{c}, {b}', b)}):",
                  *self.pick(["    kind = 'leaf'"], ["    def who(self):", f"        return 'leaf/' + {b}.who(self)"], ["    pass"])]
        forms = [f"print({c}(5).who())", f"print({c}(5).twice())", f"print(isinstance({c}(1), {a}), issubclass({b}, {a}), issubclass({a}, {b}))",
                 f"print({c}(4).__dict__)", f"print([k.__name__ for k in {c}.__mro__])",
                 f"print({c}.kind, {a}.kind)", f"print({c}(3).x, getattr({c}(3), 'y', 'none'))", f"o = {c}(2)\no.kind = 'mine'\nprint(o.who(), {c}.kind)",
                 f"print(hasattr({c}(1), 'mixed'))", f"print(type({c}(1)) == {c}, type({c}(1)) is {a})"]
        for form in self.rng.sample(forms, self.rng.randrange(2, 6)):
            lines += form.split("\n")
        return lines

    def dataclass(self):
        name = self.fresh("Data")
        option = self.pick("", "", "(order=True)", "(frozen=True)")
        lines = ["from dataclasses import dataclass, field", f"@dataclass{option}", f"class {name}:", "    name: str", "    size: int = 3",
                 self.pick("    tags: list = field(default_factory=list)", "    rate: float = 0.1", "    flag: bool = False")]
        if self.chance(0.3):
            lines += ["    def area(self):", "        return self.size ** 2"]
        forms = [f"print({name}('a'))", f"print({name}('a') == {name}('a', 3))", f"print({name}('b', size=5).size)", f"d = {name}('q')\nprint(d.name, d)",
                 f"d = {name}('w')\ntry:\n    d.size = 8\n    print(d)\nexcept Exception as e:\n    print(type(e).__name__)",
                 f"try:\n    {name}()\nexcept TypeError:\n    print('missing')", f"print([{name}('x'), {name}('y', 1)])", f"print(f'{{{name}(\"f\")}}')"]
        if option == "(order=True)":
            forms += [f"print({name}('a', 2) < {name}('a', 3))", f"print(sorted([{name}('b'), {name}('a')])[0].name)"]
        for form in self.rng.sample(forms, self.rng.randrange(2, 5)):
            lines += form.split("\n")
        return lines

    def failing(self):
        return self.pick("1 // 0", "[][1]", "{}['k']", "int('x')", "'a' + 1", "None.upper()", "undefined_name", "float('q')", "[1].index(2)",
                         "torch.ones(2) + torch.ones(3)", "torch.ones(2)[5]", "math.sqrt(-1)", "(1, 2)[5]", "len(5)",
                         "int([])", "torch.ones(2, 3) @ torch.ones(2)", "{}.pop('z')", "[].pop()", "next(iter([]))", "torch.zeros(2).view(3)",
                         "torch.cat([])", "abs('a')", "1 < 'a'", "max([])", "'abc'.index('z')", "2.0 ** 5000", "math.exp(1000)",
                         "torch.tensor([1, 2]).item()", "bool(torch.ones(2))", "{[]: 1}", "torch.tensor('a')", "nn.Linear(2, 2)(torch.ones(3))",
                         "torch.stack([torch.ones(1), torch.ones(2)])", "[1, 2] + (3,)", "'%d' % 'x'", "'{}'.format()", "int(math.inf)",
                         "torch.ones(2).nope", "assert_never", "round('a')", "range(1, 5, 0)", "'a,b'.split('')", "[3, 'a'].sort()", "math.factorial(-1)",
                         "torch.ones(2).reshape(5)", "F.softmax(torch.ones(2), dim=4)", "sum(['a'])", "10 % 0", "0.0 ** -1",
                         str(self.int(2)), self.str())

    def exceptions(self):
        lines = []
        own = self.fresh("Error")
        lines += [f"class {own}({self.pick('Exception', 'ValueError', 'RuntimeError')}):",
                  *self.pick(["    pass"], ["    def __init__(self, code):", "        super().__init__(f'code {code}')", "        self.code = code"])]
        for _ in range(self.rng.randrange(2, 5)):
            kinds = self.pick("Exception as e", "(ValueError, TypeError, ZeroDivisionError, IndexError, KeyError, RuntimeError) as e", "ArithmeticError as e",
                              "LookupError as e", "(ArithmeticError, LookupError) as e", "TypeError as e", "RuntimeError as e")
            told = "print(type(e).__name__)"
            inner = ["try:", f"    print({self.failing()})", f"except {kinds}:", f"    {told}"]
            if self.chance(0.3):
                inner += ["else:", "    print('fine')"]
            if self.chance(0.4):
                inner += ["finally:", "    print('finally')"]
            if "Exception as" not in kinds:
                inner = ["try:", *indented(inner), "except Exception as e:", "    print('outer', type(e).__name__)"]
            lines += inner
        f = self.fresh("f")
        lines += self.pick([f"def {f}(n):", "    try:", "        if n > 2:", f"            raise {own}(n)", "        return 'small'",
                            "    except ValueError as e:", "        return f'value {e}'", "    finally:", "        print('left', n)",
                            "for n in (1, 5):", "    try:", f"        print({f}(n))", f"    except {own} as e:", "        print('own', e, e.args)"],
                           ["try:", "    try:", "        {}['a']", "    except KeyError as e:", f"        raise {own}(4) from e", f"except {own} as e:",
                            "    print(type(e.__cause__).__name__, e)"],
                           ["for k in range(4):", "    try:", "        if k == 1:", "            continue", "        if k == 3:", "            break",
                            "        print(k)", "    finally:", "        print('f', k)"],
                           ["try:", f"    raise {own}(2)", "except Exception as e:", "    print(repr(e), str(e))"],
                           ["try:", "    assert 1 > 2, 'math'", "except AssertionError as e:", "    print(e)"],
                           ["try:", "    try:", "        raise ValueError('in')", "    except ValueError:", "        print('again')", "        raise",
                            "except Exception as e:", "    print(type(e).__name__, e)"])
        return lines

    def functions(self):
        f, g = self.fresh("f"), self.fresh("g")
        forms = [[f"def {f}(a, b=2, *args, c=3, **kwargs):", "    return a, b, args, c, sorted(kwargs.items())", f"print({f}(1), {f}(1, 5, 6, 7, c=8, d=9))",
                  f"print({f}(*[1, 2, 3], **{{'z': 1}}))"],
                 [f"def {f}(n):", "    return 1 if n < 2 else n * " + f + "(n - 1)", f"print({f}(10), {f}(20))"],
                 [f"def {f}(x, acc=[]):", "    acc.append(x)", "    return acc", f"print({f}(1), {f}(2))"],
                 [f"def {f}():", "    n = 0", "    def inner():", "        nonlocal n", "        n += 1", "        return n", "    return inner",
                  f"{g} = {f}()", f"print({g}(), {g}(), {f}()())"],
                 [f"COUNT = 0", f"def {f}(by=1):", "    global COUNT", "    COUNT += by", "    return COUNT", f"print({f}(), {f}(4), COUNT)"],
                 [f"{f} = lambda x, y={self.number()}: x * y", f"print({f}(2), {f}(2, y=5))"],
                 [f"fs = [lambda k=k: k * 2 for k in range(3)]", "print([h() for h in fs])"],
                 [f"fs = []", "for k in range(3):", "    fs.append(lambda: k)", "print([h() for h in fs])"],
                 [f"def {f}(n):", "    for i in range(n):", "        yield i * i", f"print(list({f}(4)), sum({f}(3)))"],
                 [f"def {g}(fn):", "    def wrapped(*a):", "        print('call', a)", "        return fn(*a)", "    return wrapped", f"@{g}", f"def {f}(x):",
                  "    return x + 1", f"print({f}(3))"],
                 [f"def {f}(x: torch.Tensor, n: int = 2) -> torch.Tensor:", "    for i in range(n):", "        x = x * 2 + i", "    return x",
                  f"print({f}(torch.ones(2)), {f}(torch.ones(1), 3))"], [f"def {f}(x):", "    if x > 3:", "        return 'big'", f"print({f}(1), {f}(9))"],
                 [f"def {f}(x, y):", "    return x + y", f"print({f}(1, 2), {f}('a', 'b'), {f}([1], [2]), {f}(1.5, True))"],
                 [f"def {f}(a, /, b, *, c):", "    return a - b - c", f"print({f}(9, b=2, c=1))", "try:", f"    {f}(1, 2, 3)", "except TypeError:",
                  "    print('TypeError')"],
                 [f"def {f}(xs):", "    xs = xs + [1]", "    return xs", f"orig = [0]", f"print({f}(orig), orig)"],
                 [f"print((lambda *a, **k: (a, k))(1, 2, z=3))"], [f"def {f}():", "    '''Doc.'''", f"print({f}.__name__, {f}.__doc__, {f}())"],
                 [f"try:", f"    (lambda x: x)()", "except TypeError as e:", "    print('TypeError')"],
                 [f"def {f}(n):", "    total = 0", "    while True:", "        total += n", "        n -= 1", "        if n < 0:", "            return total",
                  f"print({f}(4))"]]
        lines = []
        for form in self.rng.sample(forms, self.rng.randrange(1, 4)):
            lines += form
        return lines

    def iteration(self):
        name = self.fresh("It")
        lines = [f"class {name}:", "    def __init__(self, n):", "        self.n = n", "    def __iter__(self):",
                 self.pick("        return self", "        self.k = 0\n        return self"), "    def __next__(self):", "        self.n -= 1",
                 "        if self.n < 0:",
                 "            raise StopIteration", "        return self.n"]
        lines = "\n".join(lines).split("\n")
        forms = [f"print(list({name}(3)))", f"for v in {name}(2):\n    print(v)", f"it = {name}(4)\nprint(next(it), list(it), list(it))",
                 f"print(sum({name}(4)), max({name}(3)), sorted({name}(3)))", f"a, b = {name}(2)\nprint(a, b)", f"print(list(zip({name}(3), {name}(5))))",
                 f"print([v for v in {name}(5) if v % 2])", f"print(2 in {name}(4), 9 in {name}(4))", f"print(dict(enumerate({name}(2))))",
                 f"print(*{name}(3))", f"it = iter([1, 2, 3, 4])\nprint(list(zip(it, it)))",
                 f"for v in {name}(3):\n    if v == 1:\n        break\nelse:\n    print('none')\nprint(v)"]
        for form in self.rng.sample(forms, self.rng.randrange(2, 5)):
            lines += form.split("\n")
        return lines

    def context(self):
        name = self.fresh("Guard")
        lines = [f"class {name}:", "    def __enter__(self):", "        print('enter')", self.pick("        return self", "        return 5", "        pass"),
                 "    def __exit__(self, kind, value, trace):",
                 self.pick("        print('exit', kind is None)", "        print('exit', kind.__name__ if kind else kind, value)"),
                 self.pick("        return True", "        return False", "        pass", "        return kind is ValueError")]
        body = self.pick("raise ValueError('v')", "print('body')", "1 // 0", "print([][0])")
        lines += ["try:", f"    with {name}(){self.pick('', ' as g')}:", f"        {body}", "    print('after')", "except Exception as e:",
                  "    print('outside', type(e).__name__)"]
        if self.chance(0.4):
            lines += [f"for i in range(3):", f"    with {name}():", "        if i == 1:", f"            {self.pick('break', 'continue')}", "        print(i)"]
        if self.chance(0.4):
            lines += [f"with {name}() as a, {name}() as b:", "    print('two')"]
        return lines

    def tensors(self):
        t = self.fresh("t")
        lines = [f"{t} = {self.pick('torch.arange(6).reshape(2, 3)', 'torch.linspace(0, 1, 6).view(2, 3)', 'torch.tensor([[1.5, -2.0, 3.0], [0.25, 5.0, -6.0]])', 'torch.randn(2, 3)', 'torch.eye(2, 3)', 'torch.tensor([[True, False, True], [False, False, True]])')}"]
        forms = [f"print({t})", f"print({t}.shape, {t}.dtype, {t}.device)", f"print({t}.size(0), {t}.size(), {t}.dim(), {t}.numel())",
                 f"{t}[0, 1] = 9\nprint({t})", f"{t}[0] += 1\nprint({t})", f"print({t}[:, 1], {t}[-1])", f"for row in {t}:\n    print(row.tolist())",
                 f"print({t}.sum(), {t}.sum().item())",
                 f"print({t}.float().mean(dim=0))", f"values, indices = {t}.float().max(dim=1)\nprint(values, indices)", f"print({t}.float().max(dim=1))",
                 f"print({t}.float().max(dim=1).values)", f"print({t} > 1, ({t} > 1).any())", f"print({t}[{t} > 0])",
                 f"print(f'{{{t}.float().sum():.2f}} {{{t}[0, 0]}}')", f"print(len({t}), {t}.tolist())",
                 f"a, b = {t}\nprint(a, b)", f"a, b = {t}.shape\nprint(a, b, a * b)", f"print({t}.T, {t}.t().stride())",
                 f"v = {t}.view(-1)\nv[0] = 4\nprint({t})", f"c = {t}.clone()\nc.zero_()\nprint({t}.sum() == c.sum())",
                 f"print(torch.cat([{t}, {t}]).shape, torch.stack([{t}, {t}], 1).shape)", f"print({t}.float().softmax(-1))",
                 f"print({t}.numpy().shape)", f"print(torch.equal({t}, {t}.clone()), {t} is {t})", f"if {t}.sum() > 0:\n    print('positive')",
                 f"print([x.item() for x in {t}[0]])", f"w = torch.ones(2, requires_grad=True)\n(w * 3).sum().backward()\nprint(w.grad, w)",
                 f"print(1 in {t}, 77 in {t})", f"print(torch.zeros(2, dtype=torch.int8) - 1, torch.tensor(3) / 2)",
                 f"try:\n    print({t} + torch.ones(5))\nexcept RuntimeError as e:\n    print(e)", f"i = torch.tensor([1, 0])\nprint({t}[i], {t}[i, i])",
                 f"print({t}.half().dtype, {t}.to(torch.float64)[0])", f"x = {t}\nx = x * 2\nprint(x.equal({t} + {t}))",
                 f"d = {{'t': {t}}}\nd['t'] = d['t'].float() + 0.5\nprint(d)",
                 f"print(list({t}.shape), tuple({t}.shape), {t}.shape[1:], {t}.shape == (2, 3))",
                 f"print([{t}[0], None], ({t}[1, 2],))", f"print({t}.unsqueeze(0).squeeze().shape, {t}.flatten()[2:4])",
                 f"print({t}.is_floating_point(), {t}.requires_grad, {t}.is_contiguous(), {t}.grad)",
                 f"print(str({t}[0, 0]), repr({t}[0]), '%s' % {t}[1, 1])",
                 f"print(hasattr({t}, 'shape'), hasattr({t}, 'nope'), isinstance({t}, torch.Tensor), type({t}))",
                 f"w = torch.ones(2, requires_grad=True)\ny = w * 2\nprint(y, y.sum(), w.is_leaf, y.is_leaf)",
                 f"w = torch.ones(2, requires_grad=True)\ntry:\n    w += 1\nexcept RuntimeError:\n    print('leaf')",
                 f"print(torch.float32, torch.device('cpu'), torch.Size([1, 2]), torch.int64 == torch.long)",
                 f"x, y = torch.meshgrid(torch.arange(2), torch.arange(2), indexing='ij')\nprint(x, y)"]
        for form in self.rng.sample(forms, self.rng.randrange(3, 8)):
            lines += form.split("\n")
        return lines

    def state(self):
        """Modules that share, copy, save and change parameters."""
        lines, name, first, size = self.new_module()
        a = self.fresh("m")
        lines += [f"{a} = {name}()"]
        forms = [f"import copy\nb = copy.deepcopy({a})\nwith torch.no_grad():\n    for p in b.parameters():\n        p.zero_()\nprint([p.abs().sum().item() > 0 for p in {a}.parameters()])", f"pair = nn.Sequential({a}, {a})\nprint(len(list(pair.parameters())), len(pair.state_dict()))",
                 f"sd = {a}.state_dict()\nfor k, v in sd.items():\n    print(k, tuple(v.shape), v.requires_grad)",
                 f"try:\n    {a}.load_state_dict({{'bogus': torch.ones(1)}})\nexcept RuntimeError:\n    print('keys')",
                 f"{a}.extra = nn.Linear(1, 1)\nprint([n for n, _ in {a}.named_parameters()][-1])",
                 f"try:\n    {a}.weight = torch.ones(1)\n    print('set')\nexcept TypeError:\n    print('TypeError')",
                 f"{a}.note = 'hello'\nprint({a}.note, 'note' in {a}.state_dict())",
                 f"print({a}.training)\n{a}.eval()\nprint([m.training for m in {a}.modules()])",
                 f"for p in {a}.parameters():\n    p.data.mul_(0)\nprint({a}(torch.ones(2, {first})).shape)",
                 f"print({a} == {a}, {a} is {a}, {a} in [{a}])", f"print(len(list({a}.children())), len(list({a}.buffers())))",
                 f"{a}.requires_grad_(False)\nprint(all(not p.requires_grad for p in {a}.parameters()))",
                 f"print(sum(1 for _ in {a}.modules()), {a}._get_name())",
                 f"net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\nprint(net[0], len(net), net[-1].weight.shape, net[:2])\nfor i, layer in enumerate(net):\n    print(i, layer)", f"net = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])\nnet.append(nn.ReLU())\nprint(len(net), net[1], [type(m).__name__ for m in net])",
                 f"net = nn.ModuleDict({{'a': nn.ReLU()}})\nnet['b'] = nn.Tanh()\nprint(list(net.keys()), 'a' in net, net)",
                 f"lin = nn.Linear(2, 2)\nother = nn.Linear(2, 2)\nother.weight = lin.weight\nprint(other.weight is lin.weight, torch.equal(other.weight, lin.weight))", f"conv = nn.Conv2d(1, 2, 3, padding=1)\nprint(conv, conv(torch.ones(1, 1, 4, 4)).shape, conv.kernel_size)",
                 f"emb = nn.Embedding(5, 3, padding_idx=0)\nprint(emb(torch.tensor([0, 2])).shape, emb.weight[0], emb)",
                 f"rnn = nn.{self.pick('LSTM', 'GRU', 'RNN')}(2, 3, batch_first=True)\nout = rnn(torch.ones(1, 4, 2))\nprint(out[0].shape, rnn)",
                 f"bn = nn.BatchNorm1d(2)\nbn(torch.tensor([[1., 2.], [3., 6.]]))\nprint(bn.running_mean, bn.num_batches_tracked, bn)",
                 f"drop = nn.Dropout(0.5)\nprint(drop(torch.ones(6)), drop.eval()(torch.ones(3)))"]
        for form in self.rng.sample(forms, self.rng.randrange(2, 5)):
            lines += form.split("\n")
        return lines
