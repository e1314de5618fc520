"""Tests of tsc.ray and of the example for Ray Serve, on a local cluster of Ray's. utils/check_cluster.py runs them."""
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NET = """
import torch
from torch import nn, Tensor

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4))

    def forward(self, x: Tensor) -> Tensor:
        if bool((x == 12345).any()):
            raise ValueError("a row that the program refuses")
        return self.layers(x)

torch.manual_seed(0)
model = Net()
"""


class RayTest(unittest.TestCase):
    """What the classes below share: a cluster on loopback, with room for two workers."""

    settings = None

    @classmethod
    def setUpClass(cls):
        tsc = cls.settings.tsc
        if tsc is None:
            raise unittest.SkipTest("the Python package is not built: configure with -DTSC_BUILD_PYTHON=ON, or give --tsc")
        os.environ["PYTHONPATH"] = str(cls.settings.package)  # of the workers
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_worker_niceness"] = "0"  # or workers stand still where the machine has other work
        try:
            import numpy
            import ray
            import ray.data
            from ray.data.extensions import ArrowTensorArray
            import pyarrow
        except ImportError as error:
            raise unittest.SkipTest(f"Ray is not installed ({error}): pip install 'ray[data,serve]'")
        cls.tsc, cls.ray, cls.numpy = tsc, ray, numpy
        cls.module = tsc.load(NET.encode(), name="net.py").module()
        cls.archive = pathlib.Path(tempfile.mkdtemp(prefix="tsc-ray-")) / "net.pt"
        cls.module.save(str(cls.archive))
        cls.tensor_array, cls.pyarrow = ArrowTensorArray, pyarrow
        ray.init(address="local", num_cpus=3, include_dashboard=False, object_store_memory=2**28, log_to_driver=False,
                 logging_level="warning", _node_ip_address="127.0.0.1")
        cls.addClassCleanup(ray.shutdown)
        ray.data.DataContext.get_current().enable_progress_bars = False

    def setUp(self):
        self.started = time.monotonic()
        self.addCleanup(lambda: print(f"{time.monotonic() - self.started:.1f} s ", end="", file=sys.stderr))

    def rows(self, count):
        """A dataset with a column x of eight numbers in each row, in twenty blocks, and the numbers."""
        numpy = self.numpy
        x = numpy.random.default_rng(0).standard_normal((count, 8), numpy.float32)
        return self.dataset(x), x

    def dataset(self, x):
        return self.ray.data.from_blocks([self.pyarrow.table({"x": self.tensor_array.from_numpy(piece)})
                                          for piece in self.numpy.array_split(x, 20)])

    def expected(self, x):
        with self.tsc.no_grad():
            return self.module(x).numpy()


class Batches(RayTest):
    def map_batches(self, *arguments, **options):
        return importlib.import_module("tsc.ray").map_batches(*arguments, **options)

    def collect(self, dataset, column="output"):
        return self.numpy.concatenate([batch[column] for batch in dataset.iter_batches(batch_size=None, batch_format="numpy")])

    def test_ten_thousand_batches(self):
        """All rows are there, in their order, with what the program gives here."""
        rows = 16 * self.settings.batches
        dataset, x = self.rows(rows)
        mapped = self.map_batches(str(self.archive), dataset, workers=2, batch_size=16, keep=["x"])
        started = time.monotonic()
        batches = list(mapped.iter_batches(batch_size=None, batch_format="numpy"))
        took = time.monotonic() - started
        self.numpy.testing.assert_array_equal(self.numpy.concatenate([batch["x"] for batch in batches]), x)
        self.numpy.testing.assert_allclose(self.numpy.concatenate([batch["output"] for batch in batches]), self.expected(x),
                                           rtol=1e-5, atol=1e-6)
        print(f"\n  {self.settings.batches} batches of 16 rows in {took:.1f} s, two workers", file=sys.stderr)

    def test_kinds_of_models(self):
        dataset, x = self.rows(100)
        for model in (str(self.archive), self.archive, self.archive.read_bytes(), self.module):
            result = self.collect(self.map_batches(model, dataset, workers=(1, 2), batch_size=32))
            self.numpy.testing.assert_allclose(result, self.expected(x), rtol=1e-5, atol=1e-6)

    def test_killed_worker(self):
        """A worker that is killed while it has batches is started again, and nothing is missing."""
        dataset, x = self.rows(20000)

        marks = tempfile.mkdtemp(prefix="tsc-ray-marks-")

        def mark(batch):  # tells which process computes, and lets the others wait for the kill
            import os
            import time

            open(os.path.join(marks, str(os.getpid())), "w").close()
            time.sleep(0.02)
            return batch

        import tsc.ray

        class Marked(tsc.ray.Predictor):
            def __call__(self, batch):
                return super().__call__(mark(batch))

        original, tsc.ray.Predictor = tsc.ray.Predictor, Marked
        try:
            mapped = self.map_batches(str(self.archive), dataset, workers=2, batch_size=64, keep=["x"])
        finally:
            tsc.ray.Predictor = original
        killed = []

        def kill():
            while not os.listdir(marks):
                time.sleep(0.05)
            time.sleep(0.5)
            killed.append(int(os.listdir(marks)[0]))
            os.kill(killed[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        batches = list(mapped.iter_batches(batch_size=None, batch_format="numpy"))
        killer.join()
        self.assertEqual(len(killed), 1)
        self.assertGreater(len(os.listdir(marks)), 2, "no worker was started again")
        self.numpy.testing.assert_array_equal(self.numpy.concatenate([batch["x"] for batch in batches]), x)
        self.numpy.testing.assert_allclose(self.numpy.concatenate([batch["output"] for batch in batches]), self.expected(x),
                                           rtol=1e-5, atol=1e-6)

    def test_errors(self):
        """What the program refuses, a damaged archive and a wrong option are errors here, with a sentence."""
        dataset, x = self.rows(100)
        x[7, 3] = 12345
        bad = self.dataset(x)
        with self.assertRaisesRegex(Exception, "a row that the program refuses"):
            self.map_batches(self.archive, bad, batch_size=10).materialize()
        with self.assertRaisesRegex(self.tsc.Error, "the file is cut short"):
            self.map_batches(self.archive.read_bytes()[:1000], dataset)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'thread'"):
            self.map_batches(self.archive, dataset, thread=2)
        with self.assertRaises(FileNotFoundError):
            self.map_batches("/nowhere/model.pt", dataset)
        # The cluster is as it was.
        result = self.collect(self.map_batches(self.archive, dataset, batch_size=32))
        self.assertEqual(result.shape, (100, 4))


class Serve(RayTest):
    def test_example(self):
        try:
            from ray import serve
        except ImportError as error:
            self.skipTest(f"Ray Serve is not installed ({error}): pip install 'ray[serve]'")
        from triton_server import free_port

        sys.path.insert(0, str(ROOT / "examples/ray"))
        example = importlib.import_module("serve_archive")
        port = free_port()
        serve.start(http_options={"host": "127.0.0.1", "port": port}, proxy_location="HeadOnly")
        try:
            serve.run(example.application({"model": str(self.archive), "replicas": "2"}))
            x = self.numpy.random.default_rng(1).standard_normal((3, 8), self.numpy.float32)

            def ask(body):
                request = urllib.request.Request(f"http://127.0.0.1:{port}/", json.dumps(body).encode())
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)

            for _ in range(20):
                self.numpy.testing.assert_allclose(ask({"x": x.tolist()})["output"], self.expected(x), rtol=1e-5, atol=1e-6)
            for body, sentence in (({"y": [[1]]}, "'x'"), ({"x": [[1.0, 2.0]]}, "."), ({"x": "text"}, ".")):
                with self.assertRaises(urllib.error.HTTPError) as caught:
                    ask(body)
                self.assertEqual(caught.exception.code, 400)
                self.assertRegex(json.load(caught.exception)["error"], sentence)
        finally:
            serve.shutdown()
