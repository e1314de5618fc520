"""Tests of the Triton backend against the server. utils/check_cluster.py runs them."""
import concurrent.futures
import random
import sys
import threading
import time
import unittest

import numpy as np

from triton_server import Missing, Repository, Server, find_server

MLP = """
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 4))
    def forward(self, x):
        return torch.softmax(self.layers(x), -1)
torch.manual_seed(0)
model = MLP().eval()
"""
CONVOLUTIONS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, padding=1)
        self.b = nn.BatchNorm2d(8)
        self.c = nn.Linear(8, 5)
    def forward(self, image):
        x = torch.relu(self.b(self.a(image)))
        return self.c(x.mean((2, 3))), x.amax((2, 3))
torch.manual_seed(1)
model = Net().eval()
"""
IDENTITY = "def forward(x: Tensor) -> Tensor:\n    return x\n"
TRANSPOSE = "def forward(x: Tensor) -> Tensor:\n    return x.transpose(1, 2)\n"
SCALARS = """
class Out(NamedTuple):
    y: Tensor
    total: int
    text: str
    sizes: List[int]
    words: List[str]
def forward(x: Tensor, n: int, f: float, on: bool, s: str, l: List[int], words: List[str], bias: Optional[Tensor] = None,
            k: int = 2) -> Out:
    y = x * f + n * k
    if bias is not None:
        y = y + bias
    if on:
        y = -y
    return Out(y, sum(l), s + "!", [x.size(0), len(words)], words + [s])
"""
DICTIONARY = """
def forward(d: Dict[str, Tensor]) -> Dict[str, Tensor]:
    return {"sum": d["a"] + d["b"], "difference": d["a"] - d["b"]}
"""
POLICY = """
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 16)
        self.out = nn.Linear(16, 4)
        self.register_buffer("h", torch.zeros(1, 16))
        self.register_buffer("c", torch.zeros(1, 16))
    def forward(self, x: Tensor) -> Tensor:
        h, c = self.cell(x, (self.h, self.c))
        self.h = h
        self.c = c
        return self.out(h)
torch.manual_seed(0)
policy = Policy().eval()
"""
RECURRENT = """
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 16)
    def forward(self, x: Tensor, state: Tensor):
        state = self.cell(x, state)
        return state.sum(-1, keepdim=True), state
torch.manual_seed(2)
model = Recurrent().eval()
"""
LOOP = """
def forward(n: Tensor) -> Tensor:
    x = 0
    while x < int(n.item()):
        x += 1
    return torch.tensor([x])
"""
RAISES = """
def forward(x: Tensor) -> Tensor:
    if bool((x < 0).any()):
        raise ValueError("negative")
    return x + 1
"""
RANDOM = "def forward(x: Tensor) -> Tensor:\n    return x + torch.rand_like(x)\n"
COMPLEX = "def forward(x: Tensor) -> Tensor:\n    return torch.complex(x, x)\n"
DOUBLE = "def forward(x: Tensor) -> Tensor:\n    return x.double()\n"
MEMORY = "def forward(n: Tensor) -> Tensor:\n    return torch.zeros(int(n.item())).sum(0, keepdim=True)\n"

BATCHES = "max_batch_size: 16\ndynamic_batching { max_queue_delay_microseconds: 20000 }\n"
STATE = """sequence_batching { max_sequence_idle_microseconds: 5000000
  state [ { input_name: "state" output_name: "OUTPUT__1" data_type: TYPE_FP32 dims: [ 16 ]
            initial_state: { data_type: TYPE_FP32 dims: [ 16 ] zero_data: true name: "zeros" } } ] }
"""
SEQUENCES = "sequence_batching { max_sequence_idle_microseconds: 5000000 }\n"


def parameter(**values):
    return "".join(f'parameters {{ key: "{key}" value: {{ string_value: "{value}" }} }}\n'
                   for key, value in values.items())


def tensor(kind, *dims, name=""):
    name = f'name: "{name}" ' if name else ""
    return f"{name}data_type: TYPE_{kind} dims: [ {', '.join(map(str, dims))} ]"


def inputs(*tensors):
    return "input [ " + ", ".join("{ " + text + " }" for text in tensors) + " ]\n"


def outputs(*tensors):
    return inputs(*tensors).replace("input", "output", 1)


class TritonTest(unittest.TestCase):
    """What the classes below share: a server without models. `settings` are set by utils/check_cluster.py."""

    settings = None
    options = ()

    @classmethod
    def setUpClass(cls):
        try:
            folder = find_server(cls.settings.server)
            import tritonclient.grpc
            import tritonclient.http
        except Missing as missing:
            raise unittest.SkipTest(str(missing))
        except ImportError:
            raise unittest.SkipTest("tritonclient is not installed: pip install 'tritonclient[all]'")
        if not cls.settings.backends.joinpath("tsc/libtriton_tsc.so").exists():
            raise unittest.SkipTest(f"there is no tsc/libtriton_tsc.so in {cls.settings.backends}: configure with "
                                    "-DTSC_BUILD_TRITON=ON and build tscTriton, or give --backends")
        cls.repository = Repository(cls.settings.translate)
        cls.addClassCleanup(cls.repository.remove)
        cls.server = Server(folder, cls.settings.backends, cls.repository, cls.options)
        cls.addClassCleanup(cls.server.stop)
        cls.http_module, cls.grpc_module = tritonclient.http, tritonclient.grpc
        cls.clients = threading.local()
        cls.grpc = tritonclient.grpc.InferenceServerClient(f"127.0.0.1:{cls.server.grpc}")
        cls.addClassCleanup(cls.grpc.close)

    @property
    def client(self):
        """The HTTP client of this thread: it cannot be used by another one."""
        if not hasattr(self.clients, "one"):
            self.clients.one = self.http_module.InferenceServerClient(f"127.0.0.1:{self.server.http}", network_timeout=300)
        return self.clients.one

    def setUp(self):
        self.started = time.monotonic()
        self.addCleanup(self.report)

    def report(self):
        print(f"{time.monotonic() - self.started:.1f} s ", end="", file=sys.stderr)
        if self.server.process.poll() is not None:
            print(f"\nthe server has ended, with {self.server.process.returncode}:\n{self.server.text()[-5000:]}", file=sys.stderr)

    def load(self, name, config, **archive):
        self.repository.add(name, config, **archive)
        self.client.load_model(name)

    def refused(self, name, config, pattern, **archive):
        """The model is not loaded, with a message for whoever asked and in the log."""
        self.repository.add(name, config, **archive)
        with self.assertRaisesRegex(Exception, pattern):
            self.client.load_model(name)
        self.assertRegex(self.server.text(), pattern)
        self.assertFalse(self.client.is_model_ready(name))

    def infer(self, model, given, wanted=None, client=None, types=None, **options):
        """Calls a model with arrays by name, and returns arrays by name. `types`: where the array does not say it."""
        client = client or self.client
        module = self.grpc_module if client is self.grpc else self.http_module
        tensors = []
        for name, value in given.items():
            tensors.append(module.InferInput(name, value.shape, (types or {}).get(name) or self.type_of(value)))
            tensors[-1].set_data_from_numpy(value)
        requested = [module.InferRequestedOutput(name) for name in wanted] if wanted else None
        result = client.infer(model, tensors, outputs=requested, **options)
        response = result.get_response()
        names = [o["name"] for o in response["outputs"]] if client is not self.grpc else [o.name for o in response.outputs]
        return {name: result.as_numpy(name) for name in names}

    def type_of(self, value):
        from tritonclient.utils import np_to_triton_dtype

        return np_to_triton_dtype(value.dtype)

    def program(self, source):
        """The program as the Python package runs it."""
        tsc = self.settings.tsc
        if tsc is None:
            self.skipTest("the Python package is not built: configure with -DTSC_BUILD_PYTHON=ON, or give --tsc")
        return tsc.load(str(self.repository.archive(source)))

    def call(self, program, *arguments):
        with self.settings.tsc.no_grad():
            result = program(*arguments)
        return [r.numpy().copy() for r in result] if isinstance(result, tuple) else result.numpy().copy()


class Correctness(TritonTest):
    def test_mlp(self):
        self.load("mlp", "max_batch_size: 16\n" + inputs(tensor("FP32", 8)), source=MLP)
        x = np.random.default_rng(0).standard_normal((5, 8), np.float32)
        expected = self.call(self.program(MLP), x)
        for client in (self.client, self.grpc):
            np.testing.assert_array_equal(self.infer("mlp", {"x": x}, client=client)["OUTPUT__0"], expected)
        config = self.client.get_model_config("mlp")
        self.assertEqual([(i["name"], i["data_type"], i["dims"]) for i in config["input"] + config["output"]],
                         [("x", "TYPE_FP32", [8]), ("OUTPUT__0", "TYPE_FP32", [4])])

    def test_positional_names(self):
        config = "max_batch_size: 4\n" + inputs(tensor("FP32", 8, name="INPUT__0"))
        self.load("positional", config + outputs(tensor("FP32", 4, name="OUTPUT__0")), source=MLP)
        x = np.ones((1, 8), np.float32)
        np.testing.assert_array_equal(self.infer("positional", {"INPUT__0": x})["OUTPUT__0"],
                                      self.call(self.program(MLP), x))
        self.load("ordered", config.replace("INPUT__0", "observation") + outputs(tensor("FP32", 4, name="action")),
                  source=MLP)
        np.testing.assert_array_equal(self.infer("ordered", {"observation": x})["action"],
                                      self.call(self.program(MLP), x))

    def test_two_outputs(self):
        self.load("net", "max_batch_size: 4\n" + inputs(tensor("FP32", 3, -1, -1)), source=CONVOLUTIONS)
        image = np.random.default_rng(1).standard_normal((2, 3, 12, 9), np.float32)
        expected = self.call(self.program(CONVOLUTIONS), image)
        result = self.infer("net", {"image": image})
        np.testing.assert_array_equal(result["OUTPUT__0"], expected[0])
        np.testing.assert_array_equal(result["OUTPUT__1"], expected[1])
        self.assertEqual(list(self.infer("net", {"image": image}, ["OUTPUT__1"])), ["OUTPUT__1"])

    def test_dtypes(self):
        kinds = {"BOOL": np.bool_, "UINT8": np.uint8, "INT8": np.int8, "INT16": np.int16, "INT32": np.int32,
                 "INT64": np.int64, "FP16": np.float16, "FP32": np.float32, "FP64": np.float64}
        try: # clients of other versions take BF16 in other arrays
            import ml_dtypes
            kinds["BF16"] = ml_dtypes.bfloat16
        except ImportError:
            pass
        for kind, dtype in kinds.items():
            with self.subTest(kind):
                self.load(f"id_{kind}", inputs(tensor(kind, -1, 2)), source=IDENTITY)
                x = (np.arange(6).reshape(3, 2) % 2 if kind == "BOOL" else np.arange(6).reshape(3, 2)).astype(dtype)
                for client in (self.client, self.grpc):
                    result = self.infer(f"id_{kind}", {"x": x}, client=client, types={"x": kind})["OUTPUT__0"]
                    self.assertEqual(result.dtype, dtype)
                    np.testing.assert_array_equal(result, x)
                empty = np.zeros((0, 2), dtype)
                self.assertEqual(self.infer(f"id_{kind}", {"x": empty}, types={"x": kind})["OUTPUT__0"].shape, (0, 2))

    def test_json_data(self):
        import json
        import urllib.request

        self.load("mlp_json", "max_batch_size: 16\n" + inputs(tensor("FP32", 8)), source=MLP)
        body = {"inputs": [{"name": "x", "shape": [1, 8], "datatype": "FP32", "data": [0.5] * 8}]}
        address = f"http://127.0.0.1:{self.server.http}/v2/models/mlp_json/infer"
        with urllib.request.urlopen(urllib.request.Request(address, json.dumps(body).encode())) as answer:
            data = json.load(answer)["outputs"][0]["data"]
        np.testing.assert_allclose(data, self.call(self.program(MLP), np.full((1, 8), 0.5, np.float32))[0], rtol=1e-6)

    def test_strides(self):
        self.load("transpose", "max_batch_size: 8\n" + inputs(tensor("FP32", 2, 3)), source=TRANSPOSE)
        x = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
        np.testing.assert_array_equal(self.infer("transpose", {"x": x})["OUTPUT__0"], x.transpose(0, 2, 1))

    def test_scalars(self):
        config = inputs(tensor("FP32", -1, name="x"), "name: \"n\"", "name: \"f\"", "name: \"on\"", "name: \"s\"",
                        "name: \"l\"", "name: \"words\"", tensor("FP32", -1, name="bias") + " optional: true") + \
            outputs(tensor("FP32", -1, name="y"), tensor("INT64", 1, name="total"), tensor("STRING", 1, name="text"),
                    tensor("INT64", -1, name="sizes"), tensor("STRING", -1, name="words"))
        self.load("scalars", config, source=SCALARS)
        given = {"x": np.array([1, 2], np.float32), "n": np.array([3]), "f": np.array([0.5]), "on": np.array([True]),
                 "s": np.array(["grüße".encode()], object), "l": np.array([4, 5, 6]),
                 "words": np.array([b"a", b""], object)}
        result = self.infer("scalars", given)
        np.testing.assert_array_equal(result["y"], [-6.5, -7])
        self.assertEqual(result["total"].tolist(), [15])
        self.assertEqual(result["text"].tolist(), ["grüße!".encode()])
        self.assertEqual(result["sizes"].tolist(), [2, 2])
        self.assertEqual(result["words"].tolist(), [b"a", b"", "grüße".encode()])
        given["bias"] = np.array([10, 20], np.float32)
        np.testing.assert_array_equal(self.infer("scalars", given)["y"], [-16.5, -27])

    def test_dictionary(self):
        self.load("dictionary", inputs(tensor("FP32", -1, name="a"), tensor("FP32", -1, name="b")), source=DICTIONARY)
        result = self.infer("dictionary", {"a": np.array([3], np.float32), "b": np.array([1], np.float32)})
        self.assertEqual({name: value.tolist() for name, value in result.items()}, {"sum": [4], "difference": [2]})

    def test_versions(self):
        self.repository.add("versions", "version_policy: { all {} }\n" + inputs(tensor("FP32", 2, name="x")),
                            source=IDENTITY)
        self.load("versions", "version_policy: { all {} }\n" + inputs(tensor("FP32", 2, name="x")) +
                  outputs(tensor("FP32", 2, name="OUTPUT__0")), source="def forward(x: Tensor) -> Tensor:\n    return 2 * x\n",
                  version=2)
        x = np.ones(2, np.float32)
        for version, expected in ("1", 1), ("2", 2):
            np.testing.assert_array_equal(self.infer("versions", {"x": x}, model_version=version)["OUTPUT__0"], x * expected)

    def test_ensemble(self):
        self.load("step", "max_batch_size: 8\n" + inputs(tensor("FP32", 8)), source=MLP)
        self.load("double", "max_batch_size: 8\n" + inputs(tensor("FP32", 4)),
                  source="def forward(x: Tensor) -> Tensor:\n    return 2 * x\n")
        folder = self.repository.folder / "both"
        (folder / "1").mkdir(parents=True)
        (folder / "config.pbtxt").write_text('platform: "ensemble"\nmax_batch_size: 8\n' +
                                             inputs(tensor("FP32", 8, name="x")) + outputs(tensor("FP32", 4, name="y")) + """
ensemble_scheduling { step [
  { model_name: "step" model_version: -1 input_map { key: "x" value: "x" } output_map { key: "OUTPUT__0" value: "z" } },
  { model_name: "double" model_version: -1 input_map { key: "x" value: "z" } output_map { key: "OUTPUT__0" value: "y" } } ] }
""")
        self.client.load_model("both")
        x = np.ones((3, 8), np.float32)
        np.testing.assert_array_equal(self.infer("both", {"x": x})["y"], 2 * self.infer("step", {"x": x})["OUTPUT__0"])

    def test_frozen_and_threads(self):
        self.load("frozen", "max_batch_size: 8\n" + inputs(tensor("FP32", 8)) +
                  parameter(freeze="true", threads=2, compile="eager", optimization=3), source=MLP)
        x = np.ones((3, 8), np.float32)
        np.testing.assert_allclose(self.infer("frozen", {"x": x})["OUTPUT__0"], self.call(self.program(MLP), x), rtol=1e-6)


class Batching(TritonTest):
    def ask_at_once(self, model, argument, requests):
        """Asks from many threads, and returns the results and how many calls were made of the requests."""
        before = self.server.metric("tsc_calls_total", model) or 0
        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            results = list(pool.map(lambda x: self.infer(model, {argument: x}), requests))
        return results, self.server.metric("tsc_calls_total", model) - before

    def test_bits(self):
        """Requests of a batch have the bits of single ones, and those that are joined differ by rounding at most."""
        for name, source, given, argument, shape in (
                ("mlp", MLP, inputs(tensor("FP32", 8)), "x", (8,)),
                ("net", CONVOLUTIONS, inputs(tensor("FP32", 3, -1, -1)), "image", (3, 16, 16))):
            self.load(name + "_single", "max_batch_size: 16\n" + given, source=source)
            self.load(name, BATCHES + given, source=source)
            self.load(name + "_joined", BATCHES + given + parameter(batching="joined"), source=source)
            random = np.random.default_rng(3)
            requests = [random.standard_normal((1 + i % 3, *shape), np.float32) for i in range(96)]
            expected = [self.infer(name + "_single", {argument: x}) for x in requests]
            with self.subTest(name):
                results, calls = self.ask_at_once(name, argument, requests)
                self.assertEqual(calls, len(requests))
                for result, one in zip(results, expected):
                    for output in one:
                        np.testing.assert_array_equal(result[output], one[output])
            with self.subTest(name, batching="joined"):
                results, calls = self.ask_at_once(name + "_joined", argument, requests)
                self.assertLess(calls, len(requests) / 2, "requests were not batched")
                for result, one in zip(results, expected):
                    for output in one:
                        np.testing.assert_allclose(result[output], one[output], rtol=2e-5, atol=1e-6)

    def test_elementwise_bits(self):
        """Where kernels treat each element alone, joined requests have the bits of single ones."""
        source = "def forward(x: Tensor) -> Tensor:\n    return torch.softmax(torch.tanh(x) * x.exp(), -1)\n"
        self.load("rows", "max_batch_size: 16\n" + inputs(tensor("FP32", 33)), source=source)
        self.load("rows_joined", BATCHES + inputs(tensor("FP32", 33)) + parameter(batching="joined"), source=source)
        requests = list(np.random.default_rng(6).standard_normal((96, 1, 33), np.float32))
        results, calls = self.ask_at_once("rows_joined", "x", requests)
        self.assertLess(calls, len(requests) / 2)
        for x, result in zip(requests, results):
            np.testing.assert_array_equal(result["OUTPUT__0"], self.infer("rows", {"x": x})["OUTPUT__0"])

    def test_joined_shapes(self):
        """Requests of different shapes and dtypes are separate calls."""
        self.load("shapes", BATCHES + inputs(tensor("FP32", 3, -1, -1)) + parameter(batching="joined"), source=CONVOLUTIONS)
        random = np.random.default_rng(8)
        requests = [random.standard_normal((1, 3, 8 + i % 3, 9), np.float32) for i in range(48)]
        alone = [self.infer("shapes", {"image": x}) for x in requests]
        results, _ = self.ask_at_once("shapes", "image", requests)
        for result, one in zip(results, alone):
            np.testing.assert_allclose(result["OUTPUT__0"], one["OUTPUT__0"], rtol=2e-5, atol=1e-6)

    def test_one_bad_request(self):
        self.load("raises", BATCHES + parameter(batching="joined") + inputs(tensor("FP32", 2)), source=RAISES)

        def ask(i):
            x = np.full((1, 2), -1 if i % 7 == 3 else i, np.float32)
            try:
                return self.infer("raises", {"x": x})["OUTPUT__0"]
            except Exception as error:
                return str(error)

        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            for i, result in enumerate(pool.map(ask, range(100))):
                if i % 7 == 3:
                    self.assertIn("ValueError: negative", result)
                else:
                    np.testing.assert_array_equal(result, [[i + 1, i + 1]])

    def test_instances(self):
        self.load("four", "max_batch_size: 16\ninstance_group [ { count: 4 kind: KIND_CPU } ]\n" + inputs(tensor("FP32", 8)),
                  source=MLP)
        x = np.random.default_rng(4).standard_normal((200, 1, 8), np.float32)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            results = list(pool.map(lambda row: self.infer("four", {"x": row})["OUTPUT__0"], x))
        expected = self.infer("four", {"x": x[:1].reshape(1, 8)})["OUTPUT__0"]
        np.testing.assert_array_equal(results[0], expected)
        np.testing.assert_allclose(np.concatenate(results).sum(1), 1, rtol=1e-5)


class Sequences(TritonTest):
    def run_sequences(self, model, steps, ids, expected, output):
        """Runs several sequences at once, and compares each step with what the program alone gives."""
        def one(i):
            results = []
            for step in range(steps):
                x = self.observation(i, step)
                results.append(self.infer(model, {"x": x}, [output], sequence_id=ids[i], sequence_start=step == 0,
                                          sequence_end=step == steps - 1)[output])
            return results

        with concurrent.futures.ThreadPoolExecutor(len(ids)) as pool:
            for i, results in enumerate(pool.map(one, range(len(ids)))):
                for step, result in enumerate(results):
                    np.testing.assert_array_equal(result, expected[i][step], f"sequence {i}, step {step}")

    def observation(self, sequence, step):
        return np.random.default_rng(1000 * sequence + step).standard_normal((1, 8), np.float32)

    def test_program_with_state(self):
        expected = []
        for i in range(6):
            policy = self.program(POLICY)
            expected.append([self.call(policy, self.observation(i, step)) for step in range(12)])
        for name, batching in (("direct", SEQUENCES),
                               ("slots", "max_batch_size: 4\n" + SEQUENCES),
                               ("oldest", SEQUENCES.replace("}", "oldest { max_candidate_sequences: 8 } }"))):
            with self.subTest(name):
                dims = (8,) if name == "slots" else (1, 8)
                self.load(name, batching + inputs(tensor("FP32", *dims, name="x")) +
                          "instance_group [ { count: 2 kind: KIND_CPU } ]\n", source=POLICY)
                self.run_sequences(name, 12, [11 + i for i in range(6)], expected, "OUTPUT__0")
                if name == "direct":
                    self.run_sequences(name, 12, [f"client {i}" for i in range(6)], expected, "OUTPUT__0")
                self.assertEqual(self.server.metric("tsc_sequences", name), 0)

    def test_implicit_state(self):
        recurrent = self.program(RECURRENT)
        expected = []
        for i in range(6):
            state, results = np.zeros((1, 16), np.float32), []
            for step in range(12):
                y, state = self.call(recurrent, self.observation(i, step), state)
                results.append(y)
            expected.append(results)
        for name, batching in (("implicit", STATE),
                               ("implicit_oldest", STATE.replace("state [", "oldest { max_candidate_sequences: 8 "
                                                                 "max_queue_delay_microseconds: 5000 } state ["))):
            with self.subTest(name):
                self.load(name, "max_batch_size: 8\n" + batching + inputs(tensor("FP32", 8, name="x")), source=RECURRENT)
                self.run_sequences(name, 12, [101 + i for i in range(6)], expected, "OUTPUT__0")

    def test_vad(self):
        folder = self.settings.realworld / "silero_vad_v6"
        if not (folder / "model.pt").exists():
            self.skipTest(f"{folder} is not there")
        tsc = self.settings.tsc
        if tsc is None:
            self.skipTest("the Python package is not built")
        model = tsc.load(str(folder / "model.pt"))
        audio = np.random.default_rng(5).standard_normal((20, 1, 512), np.float32) * 0.1
        with tsc.no_grad():
            expected = [model(chunk, 16000).numpy().copy() for chunk in audio]
        self.load("vad", SEQUENCES + inputs(tensor("FP32", 1, 512, name="x"), 'name: "sr"') +
                  outputs(tensor("FP32", -1, 1, name="OUTPUT__0")), file=folder / "model.pt")
        for i, chunk in enumerate(audio):
            result = self.infer("vad", {"x": chunk, "sr": np.array([16000])}, sequence_id=7, sequence_start=i == 0,
                                sequence_end=i == len(audio) - 1)["OUTPUT__0"]
            np.testing.assert_array_equal(result, expected[i])

    def test_state_without_sequences(self):
        given = inputs(tensor("FP32", 1, 8, name="x"))
        self.refused("shared_state", given, "calls write state, which requests would share:(.|\n)*self.h = h", source=POLICY)
        x = self.observation(0, 0)
        fresh = self.call(self.program(POLICY), x)
        self.load("per_request", given + parameter(state="request"), source=POLICY)
        for _ in range(3):
            np.testing.assert_array_equal(self.infer("per_request", {"x": x})["OUTPUT__0"], fresh)
        self.load("per_instance", given + parameter(state="instance"), source=POLICY)
        policy = self.program(POLICY)
        for _ in range(3):
            np.testing.assert_array_equal(self.infer("per_instance", {"x": x})["OUTPUT__0"], self.call(policy, x))

    def test_unknown_sequence(self):
        self.load("unknown", SEQUENCES + inputs(tensor("FP32", 1, 8, name="x")), source=POLICY)
        with self.assertRaisesRegex(Exception, "START|start"):
            self.infer("unknown", {"x": self.observation(0, 0)}, sequence_id=5)


class Refusals(TritonTest):
    def setUp(self):
        super().setUp()
        if not self.client.is_model_ready("witness"):
            self.load("witness", "max_batch_size: 16\n" + inputs(tensor("FP32", 8)), source=MLP)
        self.x = np.ones((1, 8), np.float32)
        self.expected = self.infer("witness", {"x": self.x})["OUTPUT__0"]

    def tearDown(self):
        np.testing.assert_array_equal(self.infer("witness", {"x": self.x})["OUTPUT__0"], self.expected)
        self.assertIsNone(self.server.process.poll())

    def test_damaged_archives(self):
        given = "max_batch_size: 16\n" + inputs(tensor("FP32", 8)) + outputs(tensor("FP32", 4))
        good = self.repository.archive(MLP).read_bytes()
        middle = bytearray(good)
        middle[len(middle) // 2] ^= 0xff
        for name, data in (("cut", good[:len(good) // 2]), ("flipped", bytes(middle)), ("none", b""),
                           ("noise", random.Random(0).randbytes(5000))):
            with self.subTest(name):
                self.refused(name, given, f"{name}/1/model.pt: ", data=data)
        self.refused("no_file", given, "no_file/1/model.pt': No such file")
        self.refused("state_dict", given, "state_dict/1/model.pt", data=b"\x80\x02}q\x00.")

    def test_wrong_configurations(self):
        one = inputs(tensor("FP32", 8, name="x"))
        for name, config, pattern in (
                ("no_inputs", "", "does not say what dtype and how many dimensions its argument 'x' has"),
                ("unsigned", inputs(tensor("UINT32", 8, name="x")), "TYPE_UINT32, and TorchScript has no such tensors"),
                ("too_many", inputs(tensor("FP32", 8, name="x"), tensor("FP32", 8, name="y")), "'y' is no argument of"),
                ("far", inputs(tensor("FP32", 8, name="x__7")), "would be argument 7"),
                ("text", inputs(tensor("STRING", 8, name="x")), "argument 'x' is a Tensor, and input 'x' is TYPE_STRING"),
                ("bad_shape", inputs(tensor("FP32", 9, name="x")), "a call with zeros does not show them"),
                ("gpu", one + "instance_group [ { kind: KIND_GPU count: 1 } ]\n", "GPU|gpu"),
                ("mistyped", one + parameter(max_step=5), "there is no parameter 'max_step'"),
                ("no_number", one + parameter(max_steps="many"), "parameter 'max_steps': 'many' is no size"),
                ("no_entry", one + parameter(entry="predict"), "predict"),
                ("denied", one + parameter(deny_operators="aten::tanh"), "operator 'aten::tanh' is not allowed"),
                ("joined", one + parameter(batching="joined"), "cannot be joined"),
                ("mixed", one + parameter(batching="some"), "neither exact nor joined"),
                ("decoupled", one + "model_transaction_policy { decoupled: true }\n", "cannot be decoupled")):
            with self.subTest(name):
                self.refused(name, config, pattern, source=MLP)
        self.refused("scalar_batch", "max_batch_size: 4\n" + inputs(tensor("FP32", -1, name="x"), tensor("INT64", 1, name="n")),
                     "which has no batches", source=SCALARS)
        self.refused("allowed", one + parameter(allow_operators="aten::add"), "is not allowed to this program", source=MLP)
        self.refused("frozen_state", SEQUENCES + inputs(tensor("FP32", 1, 8, name="x")) + parameter(freeze="true"),
                     "writes state, which freezing would make constant", source=POLICY)

    def test_wrong_requests(self):
        for x, pattern in ((np.ones((1, 9), np.float32), "shape"), (np.ones((1, 8), np.float64), "FP64|data-type"),
                           (np.ones((17, 8), np.float32), "batch-size")):
            with self.assertRaisesRegex(Exception, pattern):
                self.infer("witness", {"x": x})
        with self.assertRaisesRegex(Exception, "expected 1 inputs"):
            self.infer("witness", {"x": self.x, "y": self.x})
        with self.assertRaises(Exception):
            self.infer("witness", {"x": self.x}, ["OUTPUT__7"])

    def test_bool_bytes(self):
        self.load("bools", inputs(tensor("BOOL", 4)), source=IDENTITY)
        given = self.http_module.InferInput("x", [4], "BOOL")
        given.set_data_from_numpy(np.ones(4, bool))
        given._raw_data = b"\x01\x02\x00\x01"
        with self.assertRaisesRegex(Exception, "0 (and|or) 1|bool"):
            self.client.infer("bools", [given])

    def test_wrong_outputs(self):
        one = inputs(tensor("FP32", 2, name="x"))
        self.load("wrong_type", one + outputs(tensor("FP32", 2, name="OUTPUT__0")), source=DOUBLE)
        x = np.ones(2, np.float32)
        with self.assertRaisesRegex(Exception, "is TYPE_FP64 .2., and the model's configuration says TYPE_FP32"):
            self.infer("wrong_type", {"x": x})
        self.load("complex", one + outputs(tensor("FP32", 2, name="OUTPUT__0")), source=COMPLEX)
        with self.assertRaisesRegex(Exception, "complex numbers"):
            self.infer("complex", {"x": x})
        self.load("more", one + outputs(tensor("FP32", 2, name="OUTPUT__0"), tensor("FP32", 2, name="OUTPUT__1")),
                  source=IDENTITY)
        with self.assertRaisesRegex(Exception, "returned 1 value, and none of them is output 'OUTPUT__1'"):
            self.infer("more", {"x": x})

    def test_quotas(self):
        one = inputs(tensor("INT64", 1, name="n")) + outputs(tensor("INT64", 1, name="OUTPUT__0"))
        self.load("steps", one + parameter(max_steps=10000), source=LOOP)
        self.assertEqual(self.infer("steps", {"n": np.array([100])})["OUTPUT__0"].tolist(), [100])
        with self.assertRaisesRegex(Exception, "step"):
            self.infer("steps", {"n": np.array([10**12])})
        self.assertEqual(self.infer("steps", {"n": np.array([101])})["OUTPUT__0"].tolist(), [101])
        self.load("memory", inputs(tensor("INT64", 1, name="n")) + outputs(tensor("FP32", 1, name="OUTPUT__0")) +
                  parameter(max_memory="1M"), source=MEMORY)
        self.assertEqual(self.infer("memory", {"n": np.array([1000])})["OUTPUT__0"].tolist(), [0])
        with self.assertRaisesRegex(Exception, "memory"):
            self.infer("memory", {"n": np.array([1000000])})
        self.assertEqual(self.server.metric("tsc_quota_exceeded_total", "memory"), 1)

    def test_cancellation(self):
        one = inputs(tensor("INT64", 1, name="n")) + outputs(tensor("INT64", 1, name="OUTPUT__0"))
        self.load("endless", one, source=LOOP)
        given = self.grpc_module.InferInput("n", [1], "INT64")
        given.set_data_from_numpy(np.array([10**15]))
        done = threading.Event()
        answers = []

        def answered(result, error):
            answers.append(error)
            done.set()

        running = self.grpc.async_infer("endless", [given], answered)
        time.sleep(0.5)
        self.assertFalse(done.is_set())
        running.cancel()
        self.assertTrue(done.wait(10))
        self.assertIn("CANCELLED", str(answers[0]))
        # The instance is free again, within a moment.
        self.assertEqual(self.infer("endless", {"n": np.array([10])})["OUTPUT__0"].tolist(), [10])
        self.assertEqual(self.server.metric("tsc_cancelled_total", "endless"), 1)


class CommandLine(TritonTest):
    options = ("--backend-config=tsc,max-steps=10000", "--backend-config=tsc,deny-operators=aten::rand_like",
               "--backend-config=tsc,max-stepz=1")

    def test_limits(self):
        one = inputs(tensor("INT64", 1, name="n")) + outputs(tensor("INT64", 1, name="OUTPUT__0"))
        self.load("lower", one + parameter(max_steps=100), source=LOOP)
        self.assertIn("max-stepz is no setting", self.server.text())
        self.assertEqual(self.infer("lower", {"n": np.array([50])})["OUTPUT__0"].tolist(), [50])
        with self.assertRaisesRegex(Exception, "step"):
            self.infer("lower", {"n": np.array([5000])})
        self.load("same", one, source=LOOP)
        with self.assertRaisesRegex(Exception, "step"):
            self.infer("same", {"n": np.array([10**9])})
        self.refused("higher", one + parameter(max_steps="1M"), "more than the server's command line allows", source=LOOP)
        self.refused("unlimited", one + parameter(max_steps="0"), "more than the server's command line allows", source=LOOP)
        self.refused("random", inputs(tensor("FP32", 2, name="x")), "aten::rand_like", source=RANDOM)
        self.refused("policy", one + parameter(deny_operators="aten::add"), "which a model cannot change", source=LOOP)


class Endurance(TritonTest):
    def test_requests_without_growth(self):
        """10^5 requests, while another model is loaded and unloaded, and a damaged one is refused."""
        count = self.settings.requests
        self.load("mlp", "max_batch_size: 16\ndynamic_batching { }\n" + inputs(tensor("FP32", 8)), source=MLP)
        self.repository.add("other", "max_batch_size: 16\n" + inputs(tensor("FP32", 8)), source=MLP)
        self.repository.add("broken", "max_batch_size: 16\n" + inputs(tensor("FP32", 8)), data=b"PK\3\4 and no more")
        x = np.ones((1, 8), np.float32)
        expected = self.infer("mlp", {"x": x})["OUTPUT__0"]
        given = self.http_module.InferInput("x", [1, 8], "FP32")
        given.set_data_from_numpy(x)

        def ask(n):
            for _ in range(n):
                np.testing.assert_array_equal(self.client.infer("mlp", [given]).as_numpy("OUTPUT__0"), expected)

        ended = threading.Event()
        loads = [0]

        def churn():
            # The server crashes now and then, with any backend, where a model is unloaded right after it was loaded, or
            # loaded while it is unloaded (seen in 2.51). So each step waits for the one before.
            while not ended.wait(0.05):
                self.client.load_model("other")
                np.testing.assert_array_equal(self.infer("other", {"x": x})["OUTPUT__0"], expected)
                try:
                    self.client.load_model("broken")
                except Exception:
                    loads[0] += 1
                ended.wait(0.05)
                self.client.unload_model("other")
                while not ended.wait(0.05) and any(model["name"] == "other" and model.get("state") != "UNAVAILABLE"
                                                   for model in self.client.get_model_repository_index()):
                    pass

        churning = threading.Thread(target=churn)
        churning.start()
        memory = []
        try:
            for _ in range(10):
                with concurrent.futures.ThreadPoolExecutor(4) as pool:
                    list(pool.map(ask, [count // 40] * 4))
                memory.append(self.server.resident())
                print(f" {memory[-1]} KB", end="", file=sys.stderr, flush=True)
        finally:
            ended.set()
            churning.join()
        print(f"  {count} requests, {loads[0]} times a model loaded, one refused and one unloaded; "
              f"memory in KB: {memory}")
        self.assertGreater(loads[0], 0)
        # The first tenth fills pools of the server's; after that it stays within what allocators vary by.
        self.assertLess(memory[-1] - memory[2], 8192)
