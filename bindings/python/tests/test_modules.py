"""Modules: what they hold, calls, saving, copies."""

import copy
import inspect
import io
import os
import pickle
import tempfile
import unittest

import tsc
from support import NET, TestCase, needs_numpy, net_archive, numpy


class Modules(TestCase):
    def setUp(self):
        self.module = tsc.load(net_archive())
        self.x = tsc.tensor([[1.0, 2.0, 3.0]])

    def test_calls(self):
        y = self.module(self.x)
        self.assertEqual(y.shape, (1, 2))
        self.assertTrue(tsc.equal(y, self.module.forward(self.x)))
        self.assertFalse(tsc.equal(y, self.module(self.x, times=3)))
        self.assertEqual(self.module.count(["a", "b", "a"]), {"a": 2, "b": 1})

    def test_the_numbers_are_those_of_the_formula(self):
        m = self.module
        hidden = tsc.relu(self.x * 0.5 @ m.first.weight.t() + m.first.bias)
        expected = hidden @ m.second.weight.t() + m.second.bias
        self.assertTrue(tsc.allclose(m(self.x), expected))

    @needs_numpy
    def test_arrays(self):
        y = self.module(numpy.array([[1, 2, 3]], numpy.float32))
        self.assertTrue(tsc.equal(y, self.module(self.x)))
        self.assertEqual(numpy.asarray(y.detach()).shape, (1, 2))

    def test_what_it_holds(self):
        names = ["first.weight", "first.bias", "second.weight", "second.bias"]
        self.assertEqual([name for name, _ in self.module.named_parameters()], names)
        self.assertEqual(len(list(self.module.parameters())), 4)
        self.assertEqual([name for name, _ in self.module.named_buffers()], ["scale.calls"])
        self.assertEqual([name for name, _ in self.module.named_children()], ["first", "second", "scale"])
        self.assertEqual([name for name, _ in self.module.named_modules()], ["", "first", "second", "scale"])
        self.assertIn("scale.by", [name for name, _ in self.module.named_attributes()])
        self.assertEqual(list(self.module.state_dict()), names + ["scale.calls"])
        self.assertEqual([name for name, _ in self.module.named_parameters(prefix="p", recurse=False)], [])

    def test_attributes(self):
        self.assertEqual(self.module.scale.by, 0.5)
        self.module.scale.by = 2
        self.assertEqual(self.module.scale.by, 2.0)
        self.assertTrue(tsc.equal(self.module.scale(self.x), self.x * 2))
        self.assertEqual(self.module.first.weight.shape, (4, 3))
        with self.assertRaisesRegex(AttributeError, "object has no attribute 'nothing'"):
            self.module.nothing
        with self.assertRaisesRegex(AttributeError, "attributes of compiled modules are fixed"):
            self.module.new = 1
        with self.assertRaises(RuntimeError):
            self.module.scale.by = "a"
        self.assertIn("first", dir(self.module))
        self.assertEqual(self.module.get_submodule("scale"), self.module.scale)
        self.assertNotEqual(self.module.first, self.module.second)

    def test_parameters_are_shared(self):
        with tsc.no_grad():
            self.module.second.bias.fill_(100)
            self.module.second.weight.zero_()
        self.assertTensor(self.module(self.x), [[100.0, 100.0]])

    def test_modes(self):
        self.assertTrue(self.module.training)
        self.assertEqual(self.module.eval(), self.module)
        self.assertFalse(self.module.training or self.module.first.training)
        self.assertTrue(self.module.train().scale.training)

    def test_conversion(self):
        self.module.double()
        self.assertIs(self.module.first.weight.dtype, tsc.float64)
        self.assertIs(self.module(self.x.double()).dtype, tsc.float64)
        self.module.to(tsc.float32)
        self.assertIs(self.module.first.weight.dtype, tsc.float32)

    def test_gradients(self):
        self.module.requires_grad_()
        y = self.module(self.x)
        self.assertTrue(y.requires_grad)
        y.sum().backward()
        self.assertTensor(self.module.second.bias.grad, [1.0, 1.0])
        self.module.zero_grad()
        self.assertIsNone(self.module.second.bias.grad)
        with tsc.no_grad():
            self.assertFalse(self.module(self.x).requires_grad)
        self.module.requires_grad_(False)
        self.assertFalse(self.module(self.x).requires_grad)

    def test_gradients_outlive_the_program(self):
        self.module.requires_grad_()
        bias = self.module.second.bias
        y = self.module(self.x).sum() * 2
        del self.module
        y.backward()
        self.assertTensor(bias.grad, [2.0, 2.0])

    def test_training(self):
        tsc.manual_seed(1)
        self.module.requires_grad_()
        parameters = list(self.module.parameters())
        data = tsc.randn(16, 3)
        target = data[:, :2] * 2
        losses = []
        for _ in range(200):
            loss = ((self.module(data) - target) ** 2).mean()
            gradients = tsc.autograd.grad(loss, parameters)
            with tsc.no_grad():
                for parameter, gradient in zip(parameters, gradients):
                    parameter -= 0.3 * gradient
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.5 * losses[0])

    def test_state(self):
        state = self.module.state_dict()
        other = tsc.load(net_archive())
        with tsc.no_grad():
            for value in other.parameters():
                value.zero_()
        self.assertFalse(tsc.equal(other(self.x), self.module(self.x)))
        self.assertEqual(other.load_state_dict(state).missing_keys, [])
        self.assertTrue(tsc.equal(other(self.x), self.module(self.x)))
        del state["first.bias"]
        state["extra"] = tsc.zeros(1)
        with self.assertRaisesRegex(RuntimeError, 'Unexpected key.s. in state_dict: "extra". [\\s\\S]*Missing key'):
            other.load_state_dict(state)
        self.assertEqual(other.load_state_dict(state, strict=False).unexpected_keys, ["extra"])
        state = self.module.state_dict()
        state["first.bias"] = tsc.zeros(7)
        with self.assertRaisesRegex(RuntimeError, "size mismatch for first.bias"):
            other.load_state_dict(state)

    def test_methods_that_are_added(self):
        self.module.define("def twice(self, x):\n    return 2 * self.forward(x)\n")
        self.assertTrue(tsc.allclose(self.module.twice(self.x), 2 * self.module(self.x)))
        with self.assertRaises(tsc.CompileError):
            self.module.define("def wrong(self, x):\n    return nothing\n")

    def test_texts(self):
        self.assertIn("def forward(self", self.module.code)
        self.assertIn("(scale): Module(original_name=Scale)", repr(self.module))
        self.assertEqual(self.module.original_name, "__torch__.Net")
        self.assertIn("module __torch__.Net", self.module.dump_to_str())
        self.assertEqual(list(inspect.signature(self.module.forward).parameters), ["x", "times"])


class Saving(TestCase):
    def test_files(self):
        module = tsc.load(net_archive())
        x = tsc.ones(1, 3)
        expected = module(x)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt")
            module.save(path, _extra_files={"notes.txt": "hello", "raw": b"\0\1"})
            self.assertEqual(os.listdir(folder), ["model.pt"])
            wanted = {"notes.txt": "", "raw": "", "none": "kept"}
            again = tsc.load(path, _extra_files=wanted)
            self.assertEqual(wanted, {"notes.txt": b"hello", "raw": b"\0\1", "none": "kept"})
            self.assertTrue(tsc.equal(again(x), expected))
            self.assertEqual(sorted(again.program.extra_file_names), ["notes.txt", "raw"])
        stream = io.BytesIO()
        tsc.save(module, stream)
        stream.seek(0)
        self.assertTrue(tsc.equal(tsc.load(stream)(x), expected))
        with self.assertRaisesRegex(TypeError, "expected a tsc.Module"):
            tsc.save(3, stream)
        with self.assertRaisesRegex(TypeError, "open it in binary mode"):
            tsc.load(io.StringIO("a"))

    def test_source_programs(self):
        program = tsc.load(b"def forward(x: Tensor):\n    return x + 1\n", name="f.py")
        stream = io.BytesIO()
        tsc.save(program, stream)
        self.assertTensor(tsc.load(stream.getvalue())(tsc.zeros(1)), [1.0])

    def test_submodules(self):
        module = tsc.load(net_archive())
        part = tsc.load(module.scale.save_to_buffer())
        self.assertTensor(part(tsc.ones(1)), [0.5])


class Copies(TestCase):
    def test_pickle(self):
        module = tsc.load(net_archive(), optimization=1)
        x = tsc.ones(1, 3)
        again = pickle.loads(pickle.dumps(module))
        self.assertTrue(tsc.equal(again(x), module(x)))
        self.assertEqual(pickle.loads(pickle.dumps({"m": module}))["m"].scale.by, 0.5)

    def test_deepcopy(self):
        module = tsc.load(net_archive()).eval()
        x = tsc.ones(1, 3)
        again = copy.deepcopy(module)
        self.assertTrue(tsc.equal(again(x), module(x)))
        self.assertFalse(again.training)
        with tsc.no_grad():
            again.second.bias.fill_(9)
        self.assertFalse(tsc.equal(again(x), module(x)))
        a, b = copy.deepcopy([module, module])
        self.assertIs(a, b)

    def test_forks(self):
        module = tsc.load(net_archive())
        fork = module.program.fork()
        x = tsc.ones(1, 3)
        self.assertTrue(tsc.equal(fork.module()(x), module(x)))
        self.assertEqual(fork.module().first.weight.data_ptr(), module.first.weight.data_ptr())

    def test_modules_of_a_source_file(self):
        program = tsc.load(NET.encode(), name="net.py", seed=7)
        module = program.module("model")
        x = tsc.ones(1, 3)
        self.assertTrue(tsc.equal(module(x), tsc.load(net_archive())(x)))


if __name__ == "__main__":
    unittest.main()
