"""Measures requests per second and latencies of the Triton backend, beside the server's Python backend with torch.jit."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

from triton_server import Missing, Repository, Server, find_server
from triton_tests import BATCHES, MLP, inputs, outputs, parameter, tensor

WIDE = """
class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 16))
    def forward(self, x):
        return self.layers(x)
torch.manual_seed(0)
model = Wide().eval()
"""
CONVOLUTIONS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
                                      nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
                                      nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU())
        self.head = nn.Linear(32, 10)
    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))
torch.manual_seed(0)
model = Net().eval()
"""
MODELS = {"mlp 8-64-64-4": (MLP, (8,), 4), "mlp 64-1024-1024-16": (WIDE, (64,), 16),
          "convolutions 3x64x64": (CONVOLUTIONS, (3, 64, 64), 10)}

PYTHON_MODEL = """
import os
import sys
sys.path.append({folder!r})
import numpy as np
import torch
import triton_python_backend_utils as server

class TritonPythonModel:
    def initialize(self, args):
        torch.set_num_threads(1)
        folder = os.path.join(args["model_repository"], args["model_version"])
        self.model = torch.jit.load(os.path.join(folder, "model.pt")).eval()

    def execute(self, requests):
        responses = []
        with torch.no_grad():
            for request in requests:
                x = torch.from_numpy(server.get_input_tensor_by_name(request, "x").as_numpy())
                y = server.Tensor("OUTPUT__0", self.model(x).numpy())
                responses.append(server.InferenceResponse([y]))
        return responses
"""


def find_torch(settings):
    """Returns the folder of a torch for the Python backend, its version and the folder of its interpreter, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import torch, sys; print(torch.__path__[0], torch.__version__)"],
                               capture_output=True, text=True)
        if found.returncode == 0:
            path, version = found.stdout.split()
            return pathlib.Path(path).parent, version, pathlib.Path(python).parent
    return None


def request_bytes(client_module, model, x):
    """The HTTP request that tritonclient would send."""
    given = client_module.InferInput("x", x.shape, "FP32")
    given.set_data_from_numpy(x)
    body, header = client_module.InferenceServerClient.generate_request_body([given])
    lines = [f"POST /v2/models/{model}/infer HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    if header is not None:
        lines.append(f"Inference-Header-Content-Length: {header}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + bytes(body)


def ask(port, request, end, latencies):
    """Sends the request again and again over one connection, and appends how long each took, in seconds."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while time.perf_counter() < end:
            began = time.perf_counter()
            connection.sendall(request)
            answer = connection.recv(65536)
            head, _, body = answer.partition(b"\r\n\r\n")
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
            missing = int(fields[b"content-length"]) - len(body)
            while missing > 0:
                missing -= len(connection.recv(65536))
            assert head.startswith(b"HTTP/1.1 200"), answer
            latencies.append(time.perf_counter() - began)


def measure_model(server, client_module, model, shape, clients, seconds):
    x = np.random.default_rng(0).standard_normal((1, *shape), np.float32)
    request = request_bytes(client_module, model, x)
    ask(server.http, request, time.perf_counter() + 0.5, [])
    latencies = [[] for _ in range(clients)]
    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(server.http, request, began + seconds, one)) for one in latencies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    all_of_them = np.concatenate([np.array(one) for one in latencies])
    return len(all_of_them) / (time.perf_counter() - began), *(1e3 * np.percentile(all_of_them, [50, 99]))


def measure(settings, seconds=1):
    try:
        folder = find_server(settings.server)
        import tritonclient.http as client_module
    except Missing as missing:
        print(f"skipped: {missing}")
        return 0
    except ImportError:
        print("skipped: tritonclient is not installed")
        return 0
    torch = find_torch(settings)
    repository = Repository(settings.translate)
    python_backends = tempfile.mkdtemp(prefix="tsc-backends-")
    server = None
    try:
        # The Python backend looks for its stub beside its library.
        backends = pathlib.Path(python_backends)
        (backends / "tsc").symlink_to(settings.backends / "tsc")
        environment = {}
        if torch:
            shutil.copytree(folder / "backends/python", backends / "python")
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            stub = backends / "python/triton_python_backend_stub"
            shutil.copy(folder / "python_backend_stubs" / version / "triton_python_backend_stub", stub)
            stub.chmod(0o755)
            libraries = folder.parent.parent / "nvidia_pytriton.libs"
            environment = {"PATH": f"{torch[2]}:{os.environ['PATH']}", "PYTHONPATH": f"{torch[0]}",
                           "LD_LIBRARY_PATH": f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
        server = Server(folder, backends, repository, environment=environment)
        client = client_module.InferenceServerClient(f"127.0.0.1:{server.http}", network_timeout=300)
        print(f"{'model':22} {'backend':24} {'clients':>7} {'requests/s':>10} {'p50 ms':>8} {'p99 ms':>8}")
        for title, (source, shape, width) in MODELS.items():
            name = title.split()[0] + str(len(shape)) + str(shape[-1])
            given = inputs(tensor("FP32", *shape, name="x")) + outputs(tensor("FP32", width, name="OUTPUT__0"))
            variants = {f"{name}_tsc": ("tsc", "max_batch_size: 16\n" + given),
                        f"{name}_frozen": ("tsc, frozen", "max_batch_size: 16\n" + given + parameter(freeze="true")),
                        f"{name}_joined": ("tsc, joined", "max_batch_size: 16\ndynamic_batching { }\n" + given +
                                           parameter(batching="joined"))}
            for model, (_, config) in variants.items():
                repository.add(model, config, source=source)
            if torch:
                variants[f"{name}_python"] = (f"Python, torch {torch[1]}", "")
                made = repository.add(f"{name}_python", "max_batch_size: 16\n" + given, source=source)
                (made.parent / "model.py").write_text(PYTHON_MODEL.replace("{folder!r}", repr(str(torch[0]))))
                config = made.parent.parent / "config.pbtxt"
                config.write_text(config.read_text().replace('"tsc"', '"python"'))
            for model, (backend, _) in variants.items():
                client.load_model(model)
                for clients in 1, 8:
                    rate, median, last = measure_model(server, client_module, model, shape, clients, seconds)
                    print(f"{title:22} {backend:24} {clients:7} {rate:10.0f} {median:8.2f} {last:8.2f}", flush=True)
                client.unload_model(model)
        client.close()
    except Exception:
        if server:
            print(server.text()[-3000:])
        raise
    finally:
        if server:
            server.stop()
        repository.remove()
        shutil.rmtree(python_backends)
    return 0
