"""tsc.jit with torch: its tensors, its modules, its gradients."""

import copy
import io
import unittest

from support import TestCase

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from tsc import jit

    class Net(torch.nn.Module):
        scale: float

        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)])
            self.head = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh())
            self.register_buffer("calls", torch.zeros(1))
            self.scale = 0.5

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x)) * self.scale
            self.calls += 1
            return self.head(x)

        @jit.export
        def twice(self, x):
            return self.helper(x) * 2

        def helper(self, x):
            return x + 1

        @jit.ignore
        def in_python(self, x: torch.Tensor) -> torch.Tensor:
            return x * 3

    @torch.jit.unused
    def not_compiled(x: torch.Tensor) -> torch.Tensor:
        return x.numpy()

    class CallsPython(Net):
        def forward(self, x):
            return self.in_python(x)


@unittest.skipIf(torch is None, "needs torch")
class WithTorch(TestCase):
    def test_functions_take_and_give_torch_tensors(self):
        def f(x, y):
            return torch.cat([x, y]) + torch.ones(1)

        x, y = torch.rand(2), torch.rand(3)
        result = jit.script(f)(x, y)
        self.assertIsInstance(result, torch.Tensor)
        self.assertTrue(torch.equal(result, f(x, y)))

    def test_dtypes(self):
        @jit.script
        def f(x):
            return x

        for dtype in (torch.bool, torch.uint8, torch.int64, torch.half, torch.bfloat16, torch.double, torch.complex64):
            x = torch.ones(2, 3).to(dtype)
            self.assertTrue(torch.equal(f(x), x), dtype)
            self.assertEqual(f(x).dtype, dtype)

    def test_gradients(self):
        def f(x, w):
            return torch.tanh(x * w).sum()

        x, w = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True)
        expected = torch.autograd.grad(f(x, w), [x, w])
        actual = torch.autograd.grad(jit.script(f)(x, w), [x, w])
        for a, b in zip(actual, expected):
            torch.testing.assert_close(a, b)

    def test_gradients_of_gradients(self):
        def f(x, w):
            return (torch.tanh(x * w) * w).sum()

        def second(g):
            x, w = torch.linspace(0, 1, 3, requires_grad=True), torch.linspace(1, 2, 3, requires_grad=True)
            first = torch.autograd.grad(g(x, w), [x, w], create_graph=True)
            return torch.autograd.grad(first[0].sum() + first[1].pow(2).sum(), [x, w])

        for a, b in zip(second(jit.script(f)), second(f)):
            torch.testing.assert_close(a, b)

    def test_graphs(self):
        @jit.script
        def f(x, n: int):
            for i in range(n):
                x = torch.relu(x)
            return x

        graph = f.graph
        self.assertEqual([str(value.type()) for value in graph.inputs()], ["Tensor", "int"])
        loop = graph.findNode("prim::Loop")
        self.assertEqual(loop.kind(), "prim::Loop")
        body = next(loop.blocks())
        self.assertEqual([node.kind() for node in body.nodes()], ["aten::relu"])
        self.assertEqual(next(graph.outputs()).node(), loop)
        self.assertIn("relu", graph.str(False))

    def test_unused_functions(self):
        def f(x: torch.Tensor) -> torch.Tensor:
            if x.numel() > 100:
                return not_compiled(x)
            return x + 1

        self.assertTrue(torch.equal(jit.script(f)(torch.ones(2)), torch.full((2,), 2.0)))

    def test_overloaded_methods(self):
        x = torch.rand(5, 2, 3)
        lstm = torch.nn.LSTM(3, 4, 2)
        scripted = jit.script(lstm)
        torch.testing.assert_close(scripted(x)[0], lstm(x)[0])

    def test_modules(self):
        net = Net()
        scripted = jit.script(net)
        x = torch.rand(4, 3)
        torch.testing.assert_close(scripted(x), net(x))
        torch.testing.assert_close(scripted.twice(x), net.twice(x))
        self.assertEqual(list(scripted.state_dict()), list(net.state_dict()))

    def test_parameters_are_shared(self):
        net = Net()
        scripted = jit.script(net)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.rand(4, 3)
        for _ in range(3):
            loss = scripted(x).pow(2).sum()
            expected = net(x).pow(2).sum()
            torch.testing.assert_close(loss, expected)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        torch.testing.assert_close(scripted(x), net(x))

    def test_converted_parameters(self):
        scripted = jit.script(Net()).double()
        self.assertEqual(scripted(torch.rand(4, 3).double()).dtype, torch.double)

    def test_buffers_that_code_writes(self):
        scripted = jit.script(Net())
        scripted(torch.rand(1, 3))
        scripted(torch.rand(1, 3))
        self.assertEqual(scripted.calls.item(), 2)

    def test_attributes(self):
        scripted = jit.script(Net())
        self.assertEqual(scripted.scale, 0.5)
        scripted.scale = 2.0
        self.assertEqual(scripted.scale, 2.0)
        self.assertTrue(scripted.training)
        self.assertFalse(scripted.eval().training)
        self.assertFalse(scripted.head[0].training)

    def test_ignored_methods(self):
        scripted = jit.script(CallsPython())
        self.assertEqual(scripted(torch.ones(2)).tolist(), [3, 3])

    def test_save_and_copies(self):
        torch.manual_seed(0)  # with other weights the last layer may be given zeros alone
        net = Net()
        scripted = jit.script(net)
        x = torch.rand(2, 3)
        buffer = io.BytesIO()
        jit.save(scripted, buffer)
        buffer.seek(0)
        torch.testing.assert_close(jit.load(buffer)(x), net(x))
        other = copy.deepcopy(scripted)
        with torch.no_grad():
            net.head[0].bias.add_(1)
        self.assertFalse(torch.equal(other(x), scripted(x)))

    def test_freezing(self):
        net = Net()
        with self.assertRaisesRegex(RuntimeError, "only implemented for modules in eval mode"):
            jit.freeze(jit.script(net))
        frozen = jit.freeze(jit.script(net.eval()), ["scale"])
        x = torch.rand(2, 3)
        torch.testing.assert_close(frozen(x), net(x))
        buffer = io.BytesIO()
        jit.save(frozen, buffer)
        buffer.seek(0)
        torch.testing.assert_close(jit.load(buffer)(x), net(x))

    def test_what_is_frozen_folds(self):
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 1), torch.nn.BatchNorm2d(4), torch.nn.Dropout()).eval()
        x = torch.rand(1, 3, 2, 2)
        frozen = jit.freeze(jit.script(net))
        kinds = {node.kind() for node in frozen.graph.nodes()}
        self.assertIn("aten::conv2d", kinds)
        self.assertFalse(kinds & {"aten::batch_norm", "aten::dropout", "prim::GetAttr"})
        torch.testing.assert_close(frozen(x), net(x))
        code, constants = frozen.code_with_constants
        self.assertIn("CONSTANTS.c0", code)
        self.assertTrue(code.startswith("def forward(self,\n"))
        torch.testing.assert_close(constants.c0, net[0].weight.detach())
        self.assertIs(jit.optimize_for_inference(frozen), frozen)
        self.assertNotIn("batch_norm", str(jit.optimize_for_inference(jit.script(net)).graph))

    def test_script_modules(self):
        class Scaled(jit.ScriptModule):
            def __init__(self, by):
                super().__init__()
                self.by = torch.nn.Parameter(torch.full((1,), by))

            @jit.script_method
            def forward(self, x):
                return x * self.by

        module = Scaled(3.0)
        self.assertEqual(module(torch.ones(2)).tolist(), [3, 3])

    def test_hooks(self):
        def double(self, inputs):
            # type: (Tuple[Tensor]) -> Tensor
            return inputs[0] * 2

        net = torch.nn.Linear(2, 2)
        net.register_forward_pre_hook(double)
        x = torch.rand(1, 2)
        torch.testing.assert_close(jit.script(net)(x), net(x))


if __name__ == "__main__":
    unittest.main()
