"""Modules from archives: storages that their tensors share, copies, and modules of archives within live ones."""

import copy
import io
import unittest
import zipfile

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import tsc
    from tsc import jit

    def loaded(module):
        buffer = io.BytesIO()
        jit.save(module, buffer)
        buffer.seek(0)
        return jit.load(buffer)

    class Scale(torch.nn.Module):
        def __init__(self, by=2.0):
            super().__init__()
            self.by = torch.nn.Parameter(torch.tensor([by]))
            self.names = {"a": 1}

        def forward(self, x):
            return x * self.by + self.names["a"]

    class Two(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner(self.inner(x))


@unittest.skipIf(torch is None, "torch is not installed")
class Archives(unittest.TestCase):
    def test_shared_storage(self):
        class Tied(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.whole = torch.nn.Parameter(torch.rand(4, 3))
                self.row = torch.nn.Parameter(self.whole[2])
                self.other = torch.nn.Parameter(torch.rand(4, 3))

            def forward(self, x):
                return self.whole @ x + self.row @ x

        made = jit.script(Tied())
        buffer = io.BytesIO()
        jit.save(made, buffer)
        with zipfile.ZipFile(buffer) as archive:
            self.assertEqual(len([name for name in archive.namelist() if "/data/" in name]), 2)
        buffer.seek(0)
        again = jit.load(buffer)
        self.assertEqual(again.row.data_ptr(), again.whole[2].data_ptr())
        self.assertNotEqual(again.other.data_ptr(), again.whole.data_ptr())
        x = torch.rand(3)
        torch.testing.assert_close(again(x), made(x))
        with torch.no_grad():
            again.whole[2] = 0
        torch.testing.assert_close(again(x), again.whole @ x)

    def test_strings_are_written_once(self):
        class Keeps(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.names = ["a long name", "another"] * 3

            def forward(self):
                return self.names

        buffer = io.BytesIO()
        made = jit.script(Keeps())
        jit.save(made, buffer)
        with zipfile.ZipFile(buffer) as archive:
            data = next(name for name in archive.namelist() if name.endswith("data.pkl"))
            self.assertEqual(archive.read(data).count(b"a long name"), 1)
        for load in (jit.load, torch.jit.load):
            buffer.seek(0)
            self.assertEqual(load(buffer)(), made())

    def test_copies(self):
        first = loaded(jit.script(Scale()))
        deep, shallow = copy.deepcopy(first), copy.copy(first)
        with torch.no_grad():
            first.by.fill_(5)
        x = torch.ones(1)
        self.assertEqual([module(x).item() for module in (first, deep, shallow)], [6, 3, 6])

    def test_within_a_live_module(self):
        inner = loaded(jit.script(Scale()))
        net = jit.script(Two(inner))
        x = torch.ones(1)
        self.assertEqual(net(x).item(), 7)
        net(x).sum().backward()
        self.assertEqual(inner.by.grad.item(), 5)
        with torch.no_grad():
            inner.by.fill_(3)
        self.assertEqual((net(x).item(), inner(x).item()), (13, 4))
        self.assertEqual(loaded(net)(x).item(), 13)
        # Another archive, whose class has the same name and another text.
        self.assertEqual(jit.script(Two(loaded(jit.script(torch.nn.Sequential(Scale(1.0))))))(x).item(), 3)

    def test_within_a_live_module_after_an_error(self):
        def wrong(x):
            return x.no_such_attribute

        with self.assertRaises(RuntimeError):
            jit.script(wrong)
        self.assertEqual(jit.script(Two(loaded(jit.script(Scale()))))(torch.ones(1)).item(), 7)

    def test_what_an_archive_lacks(self):
        class Asks(torch.nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.inner = inner

            def forward(self, x):
                return self.inner.b(x)

        with self.assertRaisesRegex(RuntimeError, "has no attribute"):
            jit.script(Asks(loaded(jit.script(Scale()))))

    def test_files_are_not_an_archives(self):
        class Writes(torch.nn.Module):
            def forward(self, x):
                torch.save({"x": x}, "/dev/null")
                return x

        with self.assertRaisesRegex(tsc.NotAllowed, "an archive's code may not call tsc::save"):
            jit.script(Two(loaded(jit.script(Writes()))))

    def test_files_for_mobile_programs(self):
        from torch.jit.mobile import _load_for_lite_interpreter

        data = jit.script(Scale())._save_to_buffer_for_lite_interpreter()
        self.assertEqual(_load_for_lite_interpreter(io.BytesIO(data))(torch.ones(1)).item(), 3)


if __name__ == "__main__":
    unittest.main()
