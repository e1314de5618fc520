"""Modules of torch's: what stands in another one's place, hooks, properties, and what PyTorch says where something is wrong."""

import io
import types
import unittest
from typing import Tuple

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import tsc
    from tsc import jit

    @jit.interface
    class Layer(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            pass

    class Double(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2

    class Triple(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 3

    class OfNumbers(torch.nn.Module):
        def forward(self, x: int) -> int:
            return x

    class Behind(torch.nn.Module):
        inner: Layer

        def __init__(self):
            super().__init__()
            self.inner = Double()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.inner.forward(x) + 1

    class Direct(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Linear(2, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.inner(x)

    class Text(torch.nn.Module):
        def forward(self, text: str) -> str:
            return text + "!"

    class Settings:
        def __init__(self, by: int):
            self.by = by

        def scaled(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.by


@unittest.skipIf(torch is None, "needs torch")
class Modules(unittest.TestCase):
    def test_swapped_behind_an_interface(self):
        net, x = jit.script(Behind()), torch.ones(2)
        self.assertEqual(net(x).tolist(), [3, 3])
        net.inner = jit.script(Triple())
        self.assertEqual(net(x).tolist(), [4, 4])
        with self.assertRaisesRegex(RuntimeError, "is not compatible with interface"):
            net.inner = jit.script(OfNumbers())
        with self.assertRaisesRegex(RuntimeError, "Cannot re-assign modules in a ScriptModule with non-scripted module"):
            net.inner = Double()
        self.assertEqual(net(x).tolist(), [4, 4])

    def test_swapped_of_one_type(self):
        outer, x = torch.nn.Sequential(Direct()), torch.rand(1, 2)
        net, other = jit.script(outer), torch.nn.Linear(2, 2)
        net(x)
        net[0].inner = jit.script(other)
        torch.testing.assert_close(net(x), other(x))
        with torch.no_grad():
            other.weight.zero_()
        torch.testing.assert_close(net(x), other(x))  # the new module's parameters are shared, too
        with self.assertRaisesRegex(RuntimeError, r"Expected a value of type '.*Linear .*' for field 'inner'"):
            net[0].inner = jit.script(Double())

    def test_modules_as_arguments(self):
        @jit.script
        def apply(layer: Layer, x: torch.Tensor) -> torch.Tensor:
            return layer.forward(x)

        self.assertEqual(apply(jit.script(Triple()), torch.ones(1)).tolist(), [3])
        with self.assertRaisesRegex(RuntimeError, "is not compatible with interface"):
            apply(jit.script(OfNumbers()), torch.ones(1))

    def test_gradients_of_modules_that_are_arguments(self):
        @jit.interface
        class OneLayer(torch.nn.Module):
            def forward(self, input: torch.Tensor) -> torch.Tensor:
                pass

        @jit.script
        def apply(layer: OneLayer, x: torch.Tensor) -> torch.Tensor:
            return layer.forward(x) + layer.forward(x)

        layer, x = torch.nn.Linear(2, 2), torch.rand(1, 2)
        apply(jit.script(layer), x).sum().backward()
        torch.testing.assert_close(layer.bias.grad, torch.full((2,), 2.0))

        class Holder:
            def __init__(self, weight: torch.Tensor):
                self.weight = weight

        @jit.script
        def weighted(holder: Holder, x: torch.Tensor) -> torch.Tensor:
            return holder.weight * x

        weight = torch.ones(2, requires_grad=True)
        weighted(Holder(weight), x).sum().backward()
        torch.testing.assert_close(weight.grad, x[0])
        with self.assertRaisesRegex(RuntimeError, "holds a tensor that requires gradients"):
            jit.script(Holder(weight))

    def test_named_modules_in_compiled_code(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Sequential(Double())
                self.b = Triple()

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x

            @jit.export
            def walk(self, x: torch.Tensor) -> Tuple[str, torch.Tensor]:
                names = ""
                for name, module in self.named_modules():
                    names += "/" + name
                    x = module(x)
                for module in self.modules():
                    x = module(x)
                return names, x

        net, x = Net(), torch.ones(1)
        self.assertEqual(str(jit.script(net).walk(x)), str(net.walk(x)))

    def test_modules_behind_an_interface_are_not_known(self):
        class Net(Behind):
            @jit.export
            def walk(self, x: torch.Tensor) -> torch.Tensor:
                for module in self.modules():
                    x = module(x)
                return x

        with self.assertRaisesRegex(RuntimeError, r"Could not compile 'modules\(\)': attribute 'inner' is an interface"):
            jit.script(Net())

    def test_properties(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.n = 1

            @property
            def size(self) -> int:
                return self.n * 10

            @size.setter
            def size(self, value: int):
                self.n = value if value > 0 else 0

            def forward(self, x: int) -> int:
                self.size = x
                return self.size

        net = jit.script(Net())
        self.assertEqual((net(3), net.size, net(-3)), (30, 30, 0))

    def test_objects_of_classes_as_attributes(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.settings = Settings(3)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return self.settings.scaled(x)

        net = jit.script(Net())
        self.assertEqual(net(torch.ones(1)).tolist(), [3])
        self.assertEqual(net.settings.by, 3)

    def test_methods_of_the_object(self):
        net = Double()
        net.forward = types.MethodType(Triple.forward, net)
        self.assertEqual(jit.script(net)(torch.ones(1)).tolist(), [3])

    def test_prepared_modules(self):
        class Prepared(Double):
            def __prepare_scriptable__(self):
                return Triple()

        net = torch.nn.Sequential(Prepared(), torch.nn.Sequential(Prepared()))
        self.assertEqual(jit.script(net)(torch.ones(1)).tolist(), [9])
        self.assertEqual(net(torch.ones(1)).tolist(), [4])  # it stays as it was

    def test_static_methods_of_another_class(self):
        class Net(torch.nn.Module):
            @staticmethod
            def plus(x):
                return x + 100

            def forward(self, x):
                return Net.plus(x)

        self.assertEqual(jit.script(Net())(torch.ones(1)).tolist(), [101])

    def test_hooks_that_do_not_fit(self):
        def none(self, input: Tuple[str]):
            return None

        def wrong(self, input: Tuple[int]) -> None:
            pass

        def number(self, input: str) -> None:
            pass

        def output(self, input: Tuple[str], output: int):
            return output

        def words_of(register, hook):
            net = Text()
            getattr(net, register)(hook)
            with self.assertRaises(RuntimeError) as caught:
                jit.script(net)
            return str(caught.exception)

        self.assertIn("is missing a return annotation", words_of("register_forward_pre_hook", none))
        self.assertIn("has the wrong inner types for the input tuple argument",
                      words_of("register_forward_pre_hook", wrong))
        self.assertIn("expected the input argument to be typed as a Tuple but found type: 'str'",
                      words_of("register_forward_pre_hook", number))
        self.assertIn("has the wrong type for the output argument. Received type: 'int'. Expected type: 'str'",
                      words_of("register_forward_hook", output))

    def test_state(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("b", torch.ones(2))

            def forward(self):
                return self.b

            @jit.export
            def __getstate__(self):
                return 5, self.training

            @jit.export
            def __setstate__(self, state):
                self.b = torch.ones(2) + state[0]
                self.training = state[1]

        buffer = io.BytesIO()
        jit.script(Net()).save(buffer)
        buffer.seek(0)
        with self.assertRaisesRegex(tsc.NotAllowed, "__setstate__"):
            jit.load(io.BytesIO(buffer.getvalue()))
        self.assertEqual(jit.load(buffer, allow_setstate=True)().tolist(), [6, 6])

        class Half(torch.nn.Module):
            @jit.export
            def __setstate__(self, state: int):
                self.training = True

            def forward(self):
                return 1

        with self.assertRaisesRegex(RuntimeError, "getstate"):
            jit.script(Half())

    def test_constants(self):
        class Net(torch.nn.Module):
            __constants__ = ["by"]

            def __init__(self):
                super().__init__()
                self.by = 4

            def forward(self, x):
                return x * self.by

        net = jit.script(Net())
        with self.assertRaisesRegex(RuntimeError, "Cannot mutate TorchScript constant value: 'by'"):
            net.by = 5
        buffer = io.BytesIO()
        net.save(buffer)
        buffer.seek(0)
        self.assertEqual(jit.load(buffer).by, 4)

    def test_defaults_that_are_tensors(self):
        given = torch.tensor([4.0])

        @jit.script
        def f(x, more=given + 1, factor: float = 2.0):
            return x * factor + more

        self.assertEqual(f(torch.ones(1)).tolist(), [7])
        self.assertEqual(f(torch.ones(1), torch.zeros(1)).tolist(), [2])

    def test_exported_magic_methods(self):
        class Net(torch.nn.Sequential):
            @jit.export
            def __len__(self):
                return 10

        self.assertEqual(len(jit.script(Net())), 10)

    def test_length_in_compiled_code(self):
        class Two(torch.nn.ModuleList):
            def __len__(self):
                return 2

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.all = Two([Double()])

            def forward(self, x: torch.Tensor) -> int:
                return len(self.all)

        self.assertEqual(jit.script(Net())(torch.ones(1)), 2)

    def test_modules_from_elsewhere(self):
        net = jit.script(Double())

        def f(x):
            return net(x)

        with self.assertRaisesRegex(RuntimeError, "Cannot call a ScriptModule that is not a submodule of the caller"):
            jit.script(f)

    def test_properties_that_are_left_to_python(self):
        class Net(torch.nn.Module):
            __jit_ignored_attributes__ = ["left"]

            @property
            def left(self):
                raise ValueError("nobody asks")

            def forward(self, x):
                return x

        self.assertIsInstance(jit.script(Net()).left, property)

    def test_dir(self):
        for net in (torch.nn.Sequential(torch.nn.ReLU()), torch.nn.ModuleDict({"a": torch.nn.ReLU()}), Double()):
            self.assertLessEqual(set(dir(net)) - {"training"}, set(dir(jit.script(net))))

    def test_switched_off(self):
        torch.jit._state.disable()
        try:
            class Net(jit.ScriptModule):
                @jit.script_method
                def method(self, x):
                    return x

            self.assertIsInstance(Net.method, types.FunctionType)
        finally:
            torch.jit._state.enable()

    def test_methods_of_submodules_that_stay(self):
        class Inner(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = 1, 2

            def forward(self) -> int:
                return self.a + self.b

            @jit.export
            def larger(self) -> int:
                return self.a + 40

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.second = Inner(), Inner()

            def forward(self) -> int:
                return self.first() + self.second()

        frozen = jit.freeze(jit.script(Net()).eval(), preserved_attrs=["first.larger", "second.b"])
        self.assertEqual((frozen(), frozen.first.larger()), (6, 41))
        frozen.first.a = 2
        self.assertEqual((frozen(), frozen.first.larger()), (7, 42))
        first, second = frozen._c.first, frozen._c.second
        self.assertTrue(first.hasattr("a") and first._has_method("larger") and second.hasattr("b"))
        self.assertFalse(first._has_method("forward"))
        with self.assertRaisesRegex(RuntimeError, "Unknown name: first.none"):
            jit.freeze(jit.script(Net()).eval(), preserved_attrs=["first.none"])

    def test_tensors_that_get_other_memory(self):
        class Sets(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(1))
                self.register_buffer("state", torch.zeros(2))

            def forward(self, x):
                self.state.set_(x + self.state.sum())
                return self.state * self.weight

        net = jit.script(Sets())
        state, weight = net.state, net.weight
        for expected in (1.0, 3.0, 7.0):
            net(torch.ones(2))
            self.assertIs(net.state, state)
            self.assertEqual(state.tolist(), [expected] * 2)
        net(torch.ones(3))
        self.assertEqual(state.tolist(), [15.0] * 3)
        self.assertIs(net.weight, weight)

    def test_buffers_that_are_transposed(self):
        class Transposes(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.arange(4.0).view(2, 2))

            def forward(self, x):
                self.state.t_()
                return self.state + x

        net = jit.script(Transposes())
        net(torch.zeros(1))
        self.assertEqual(net.state.tolist(), [[0.0, 2.0], [1.0, 3.0]])

    def test_names_that_compiled_modules_have_in_python(self):
        class Named(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.original_name = 3

            def forward(self, x):
                return x * self.original_name

            @jit.export
            def half(self, x):
                return x / 2

            @jit.export
            def program(self, x):
                return x / 4

        net = jit.script(Named())
        x = torch.ones(1)
        self.assertEqual([net.half(x).item(), net.program(x).item(), net(x).item()], [0.5, 0.25, 3.0])
        self.assertIn("div", str(net.half.graph))

    def test_missing_folder(self):
        with self.assertRaisesRegex(RuntimeError, "Parent directory"):
            jit.script(Double()).save("there/is/none/net.pt")


if __name__ == "__main__":
    unittest.main()
