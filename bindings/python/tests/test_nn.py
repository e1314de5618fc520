"""tsc.nn and tsc.optim: modules run by Python, and the same modules compiled and in evaluated programs."""

import copy
import inspect
import pickle
import sys
import unittest

import nn_cases
import tsc
from support import TestCase
from tsc import nn

F = nn.functional


class Net(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.body = nn.Sequential(nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.2))
        self.last = nn.Linear(width * 16, 3)
        self.register_buffer("calls", tsc.zeros([], dtype=tsc.int64))

    def forward(self, x: tsc.Tensor) -> tsc.Tensor:
        self.calls.add_(1)
        y = self.body(self.norm(self.conv(x)))
        return F.log_softmax(self.last(y.flatten(1)), dim=1)


class Every(TestCase):
    def run_case(self, case, make_module):
        name, args, kwargs, inputs = case
        tsc.manual_seed(3)
        module = getattr(nn, name)(*args, **kwargs)
        given = inputs(nn_cases.Numbers(tsc))
        tsc.manual_seed(4)
        return [one.detach().tolist() for one in nn_cases.tensors_in(make_module(module)(*given))]

    def test_compiled_modules_compute_the_same(self):
        for case in nn_cases.CASES:
            with self.subTest(nn_cases.text_of(case)):
                by_python = self.run_case(case, lambda module: module)
                compiled = self.run_case(case, tsc.jit.script)
                self.assertFalse(nn_cases.differ(by_python, compiled, 1e-5), (by_python, compiled))

    def test_evaluated_programs_compute_the_same(self):
        for case in nn_cases.CASES[::4]:
            text = f"import torch\nfrom torch import nn\nmodule = nn.{nn_cases.text_of(case)}\n"

            def evaluate(module, text=text):
                other = tsc.load(text.encode(), name="case.py", seed=3).module("module")
                other.load_state_dict(module.state_dict())
                return other

            with self.subTest(nn_cases.text_of(case)):
                by_python = self.run_case(case, lambda module: module)
                evaluated = self.run_case(case, evaluate)
                self.assertFalse(nn_cases.differ(by_python, evaluated, 1e-5), (by_python, evaluated))

    def test_random_numbers_are_those_of_evaluated_programs(self):
        for text in ("nn.Linear(3, 4)", "nn.LSTM(3, 4, 2)", "nn.Conv2d(2, 4, 3)", "nn.MultiheadAttention(8, 2)"):
            evaluated = tsc.load(f"import torch\nfrom torch import nn\nmodule = {text}\n".encode(), name="a.py", seed=9)
            tsc.manual_seed(9)
            made = eval(text, {"nn": nn})
            for (name, mine), (_, other) in zip(made.named_parameters(), evaluated.module("module").named_parameters()):
                self.assertEqual(mine.tolist(), other.tolist(), (text, name))


class Modules(TestCase):
    def test_text(self):
        self.assertEqual(repr(nn.Sequential(nn.Linear(2, 3), nn.ReLU())),
                         "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n)")

    def test_registration(self):
        net = Net()
        self.assertEqual([name for name, _ in net.named_parameters()],
                         ["conv.weight", "conv.bias", "norm.weight", "norm.bias", "last.weight", "last.bias"])
        self.assertEqual([name for name, _ in net.named_buffers()],
                         ["calls", "norm.running_mean", "norm.running_var", "norm.num_batches_tracked"])
        self.assertEqual([name for name, _ in net.named_children()], ["conv", "norm", "body", "last"])
        self.assertIs(net.get_submodule("body.1"), net.body[1])
        self.assertIs(net.get_parameter("last.weight"), net.last.weight)
        net.extra = nn.Parameter(tsc.ones(2))
        self.assertIn("extra", net._parameters)
        del net.extra
        self.assertFalse(hasattr(net, "extra"))

    def test_refusals(self):
        net = nn.Linear(2, 2)
        with self.assertRaisesRegex(TypeError, "cannot assign 'tsc.Tensor' as parameter 'weight'"):
            net.weight = tsc.ones(2, 2)
        with self.assertRaisesRegex(KeyError, "attribute 'weight' already exists"):
            net.register_buffer("weight", tsc.ones(1))
        with self.assertRaisesRegex(KeyError, "can.*t contain"):
            net.register_buffer("a.b", tsc.ones(1))
        with self.assertRaisesRegex(AttributeError, "'Linear' object has no attribute 'nothing'"):
            net.nothing
        with self.assertRaisesRegex(TypeError, "is not a Module subclass"):
            net.add_module("other", 3)
        with self.assertRaisesRegex(NotImplementedError, "hooks of backward"):
            net.register_full_backward_hook(lambda *_: None)

        class Forgetful(nn.Module):
            def __init__(self):
                self.inner = nn.ReLU()

        with self.assertRaisesRegex(AttributeError, r"cannot assign module before Module.__init__\(\) call"):
            Forgetful()
        with self.assertRaisesRegex(NotImplementedError, "missing the required"):
            nn.Module()(1)

    def test_state(self):
        first, second = Net(), Net()
        self.assertIn("norm.running_mean", first.state_dict())
        second.load_state_dict(first.state_dict())
        x = tsc.randn(2, 1, 8, 8)
        self.assertEqual(first.eval()(x).tolist(), second.eval()(x).tolist())
        state = first.state_dict()
        del state["last.bias"]
        state["more"] = tsc.ones(1)
        with self.assertRaisesRegex(RuntimeError, r'(?s)Unexpected key.*"more".*Missing key.*"last.bias"'):
            second.load_state_dict(state)
        keys = second.load_state_dict(state, strict=False)
        self.assertEqual((keys.missing_keys, keys.unexpected_keys), (["last.bias"], ["more"]))
        with self.assertRaisesRegex(RuntimeError, "size mismatch for last.weight"):
            second.load_state_dict({"last.weight": tsc.ones(1)}, strict=False)

    def test_copies(self):
        net = Net()
        x = tsc.randn(2, 1, 8, 8)
        expected = net.eval()(x).tolist()
        for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
            self.assertIsInstance(copied.last.weight, nn.Parameter)
            self.assertEqual(copied(x).tolist(), expected)
            with tsc.no_grad():
                copied.last.weight.zero_()
        self.assertEqual(net(x).tolist(), expected)

    def test_dtypes(self):
        net = Net()
        weight = net.last.weight
        net.double()
        self.assertIs(net.last.weight, weight)
        self.assertIs(weight.dtype, tsc.float64)
        self.assertIs(net.calls.dtype, tsc.int64)
        self.assertTrue(weight.requires_grad)
        self.assertIs(net.to(tsc.float32).norm.running_mean.dtype, tsc.float32)
        with self.assertRaisesRegex(TypeError, "only accepts floating point"):
            net.to(tsc.int64)

    def test_hooks(self):
        net, seen = nn.Linear(2, 2), []
        handle = net.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        after = net.register_forward_hook(lambda module, args, output: seen.append(args[0].tolist()) or output + 1)
        x = tsc.ones(1, 2)
        result = net(x)
        self.assertEqual(seen, [[[2., 2.]]])
        handle.remove()
        after.remove()
        self.assertEqual(result.tolist(), (net(2 * x) + 1).tolist())

    def test_containers(self):
        layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
        self.assertEqual(len(layers), 3)
        self.assertIs(layers[-1], layers[2])
        layers.insert(1, nn.ReLU())
        del layers[0]
        self.assertEqual([type(one).__name__ for one in layers], ["ReLU", "Linear", "Linear"])
        self.assertEqual([name for name, _ in layers.named_children()], ["0", "1", "2"])
        self.assertEqual(len(layers[1:]), 2)
        with self.assertRaises(IndexError):
            layers[3]
        self.assertEqual(repr(layers), """ModuleList(
  (0): ReLU()
  (1-2): 2 x Linear(in_features=2, out_features=2, bias=True)
)""")
        self.assertEqual(repr(nn.ModuleList()), "ModuleList()")
        table = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
        self.assertEqual(list(table), ["a", "b"])
        self.assertIs(table.pop("a").__class__, nn.ReLU)
        self.assertNotIn("a", table)
        parameters = nn.ParameterList([nn.Parameter(tsc.ones(2)), tsc.zeros(2)])
        self.assertEqual(len(list(parameters.parameters())), 2)
        self.assertIsInstance(nn.Sequential(nn.ReLU(), nn.Tanh())[:1], nn.Sequential)

    def test_parameters(self):
        data = tsc.ones(2)
        parameter = nn.Parameter(data)
        self.assertTrue(parameter.requires_grad and parameter.is_leaf)
        with tsc.no_grad():
            parameter.add_(1)
        self.assertEqual(data.tolist(), [2., 2.])
        self.assertTrue(repr(parameter).startswith("Parameter containing:\ntensor([2., 2.]"))
        self.assertIs(type(parameter * 2), tsc.Tensor)

    def test_functional(self):
        x = tsc.arange(16.).reshape(1, 1, 4, 4)
        self.assertEqual(F.max_pool2d(x, 2).tolist(), [[[[5., 7.], [13., 15.]]]])
        values, indices = F.max_pool2d(x, kernel_size=2, return_indices=True)
        self.assertEqual(indices.tolist(), [[[[5, 7], [13, 15]]]])
        self.assertEqual(F.interpolate(x, scale_factor=0.5).tolist(), [[[[0., 2.], [8., 10.]]]])
        self.assertEqual(F.one_hot(tsc.tensor([1]), 3).tolist(), [[0, 1, 0]])
        with self.assertRaisesRegex(ValueError, "is not a valid value for reduction"):
            F.mse_loss(x, x, reduction="nothing")
        with self.assertRaisesRegex(AttributeError, "no attribute 'nothing'"):
            F.nothing
        x = tsc.tensor([[2., 0.], [0., 4.]])
        self.assertEqual(tsc.linalg.det(x).item(), 8.)

        @tsc.jit.script
        def determinant(x: tsc.Tensor) -> tsc.Tensor:
            return tsc.linalg.det(x)

        self.assertEqual(determinant(x).item(), 8.)
        self.assertIn("kernel_size", inspect.signature(F.max_pool2d).parameters)

    def test_init(self):
        weight = nn.init.constant_(tsc.empty(2, 2), 3.)
        self.assertEqual(weight.tolist(), [[3., 3.], [3., 3.]])
        self.assertEqual(nn.init.eye_(tsc.empty(2, 2)).tolist(), [[1., 0.], [0., 1.]])
        self.assertAlmostEqual(nn.init.calculate_gain("relu"), 2 ** 0.5)
        q = nn.init.orthogonal_(tsc.empty(3, 3))
        self.assertLess((q @ q.T - tsc.eye(3)).abs().max().item(), 1e-5)

    def test_utils(self):
        net = nn.Linear(2, 2)
        (net(tsc.ones(1, 2)) * 100).sum().backward()
        total = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        self.assertGreater(total.item(), 1)
        after = sum(parameter.grad.square().sum().item() for parameter in net.parameters())
        self.assertAlmostEqual(after, 1, places=4)
        packed = nn.utils.rnn.pack_padded_sequence(tsc.ones(3, 2, 1), [3, 1])
        padded, lengths = nn.utils.rnn.pad_packed_sequence(packed)
        self.assertEqual((list(padded.shape), lengths.tolist()), ([3, 2, 1], [3, 1]))


class Training(TestCase):
    def losses(self, make, steps=5):
        tsc.manual_seed(1)
        net = nn.Linear(3, 1)
        x, y = tsc.randn(8, 3), tsc.randn(8, 1)
        optimizer = make(net.parameters())
        found = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    def test_optimizers(self):
        for make in (lambda p: tsc.optim.SGD(p, lr=0.1, momentum=0.9), lambda p: tsc.optim.Adam(p, lr=0.05),
                     lambda p: tsc.optim.AdamW(p, lr=0.05), lambda p: tsc.optim.RMSprop(p, lr=0.02),
                     lambda p: tsc.optim.Adagrad(p, lr=0.1)):
            losses = self.losses(make)
            self.assertLess(losses[-1], losses[0])

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "empty parameter list"):
            tsc.optim.SGD([])
        with self.assertRaisesRegex(NotImplementedError, "groups of parameters"):
            tsc.optim.SGD([{"params": [tsc.ones(1)]}])
        with self.assertRaisesRegex(TypeError, "should be an iterable"):
            tsc.optim.SGD(tsc.ones(1))
        with self.assertRaisesRegex(ValueError, "Invalid learning rate"):
            tsc.optim.SGD([tsc.ones(1)], lr=-1.)

    def test_scheduler(self):
        optimizer = tsc.optim.SGD([nn.Parameter(tsc.ones(1))], lr=1.0)
        scheduler = tsc.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
        rates = []
        for _ in range(4):
            scheduler.step()
            rates.append(optimizer.lr)
        self.assertEqual(rates, [1., .5, .5, .25])


ONE_FILE = """
import torch
from torch import nn
import torch.nn.functional as F


class Cell(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.gates = nn.Linear(2 * width, 2 * width)
        self.width = width

    def forward(self, x: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        mix, new = self.gates(torch.cat([x, h], 1)).chunk(2, 1)
        mix = torch.sigmoid(mix)
        return mix * h + (1 - mix) * torch.tanh(new)


class Loop(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.cell = Cell(width)
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 1))

    def forward(self, xs: torch.Tensor) -> torch.Tensor:
        h = torch.zeros_like(xs[0])
        for i in range(xs.size(0)):
            h = F.dropout(self.cell(xs[i], h), 0.1, self.training)
        return self.out(h)


torch.manual_seed(5)
model = Loop(4)
"""


class OneFile(TestCase):
    def test_by_python_compiled_and_evaluated(self):
        """One text: run by Python over tsc's tensors, compiled by tsc.jit, and loaded as a program."""
        import linecache
        import types

        text = ONE_FILE.replace("import torch\n", "import tsc as torch\n").replace("from torch", "from tsc").replace(
            "torch.nn.functional", "tsc.nn.functional")
        made = types.ModuleType("one_file_of_test_nn")
        sys.modules[made.__name__] = made
        linecache.cache["one_file.py"] = (len(text), None, text.splitlines(True), "one_file.py")
        try:
            exec(compile(text, "one_file.py", "exec"), vars(made))
            net = made.model.eval()
            compiled = tsc.jit.script(net)
        finally:
            del sys.modules[made.__name__]
        evaluated = tsc.load(ONE_FILE.encode(), name="one_file.py").module("model").eval()
        xs = nn_cases.Numbers(tsc).normal(3, 2, 4)
        expected = net(xs).tolist()
        self.assertFalse(nn_cases.differ(expected, compiled(xs).tolist(), 1e-6))
        self.assertFalse(nn_cases.differ(expected, evaluated(xs).tolist(), 1e-6))


class Compiled(TestCase):
    def test_parameters_are_shared(self):
        tsc.manual_seed(0)
        net = Net()
        compiled = tsc.jit.script(net)
        x = tsc.randn(2, 1, 8, 8)
        optimizer = tsc.optim.SGD(net.parameters(), lr=0.1)
        loss = compiled(x)[:, 0].mean()
        loss.backward()
        before = net.last.weight.clone()
        optimizer.step()
        self.assertNotEqual(net.last.weight.tolist(), before.tolist())
        compiled.eval()
        net.eval()
        self.assertEqual(compiled(x).tolist(), net(x).tolist())
        self.assertEqual(net.calls.item(), 3)
        compiled.double()
        self.assertIs(compiled(x.double()).dtype, tsc.float64)

    def test_is_a_module(self):
        compiled = tsc.jit.script(Net())
        self.assertIsInstance(compiled, tsc.jit.ScriptModule)
        self.assertIsInstance(compiled, nn.Module)
        self.assertEqual(len(list(compiled.parameters())), 6)
        self.assertIn("self.body", compiled.code)

    def test_archives(self):
        net = Net().eval()
        compiled = tsc.jit.script(net)
        x = tsc.randn(2, 1, 8, 8)
        data = compiled.save_to_buffer()
        self.assertEqual(tsc.load(data)(x).tolist(), net(x).tolist())
        loaded = pickle.loads(pickle.dumps(compiled))
        self.assertIsInstance(loaded, nn.Module)
        self.assertEqual(loaded(x).tolist(), net(x).tolist())
        self.assertEqual(copy.deepcopy(compiled)(x).tolist(), net(x).tolist())
        self.assertEqual(tsc.jit.freeze(compiled)(x).tolist(), net(x).tolist())

    def test_script_module(self):
        if "torch" in sys.modules:
            self.skipTest("with torch, ScriptModule is a class of torch's modules")

        class Own(tsc.jit.ScriptModule):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(2, 2)

            @tsc.jit.script_method
            def forward(self, x):
                return self.inner(x) + 1

        own = Own()
        x = tsc.ones(1, 2)
        self.assertEqual(own(x).tolist(), (own.inner(x) + 1).tolist())

    def test_functions_with_modules_functions(self):
        @tsc.jit.script
        def f(x: tsc.Tensor) -> tsc.Tensor:
            return F.max_pool2d(F.relu(x), 2) + nn.functional.softplus(x).mean()

        x = tsc.randn(1, 1, 4, 4)
        self.assertFalse(nn_cases.differ(f(x).tolist(), (F.max_pool2d(F.relu(x), 2) + F.softplus(x).mean()).tolist(), 1e-6))


if __name__ == "__main__":
    unittest.main()
