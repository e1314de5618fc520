"""Starts NVIDIA's Triton on loopback, with models made from source, for the tests of the backend tsc."""
import importlib.util
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request


class Missing(Exception):
    """Something that the tests need is not installed."""


def find_server(folder=None):
    """Returns the folder with bin/tritonserver: `folder`, or that of the installed package nvidia-pytriton."""
    if folder is None:
        spec = importlib.util.find_spec("pytriton")
        if spec is None:
            raise Missing("the server is not installed: pip install nvidia-pytriton, or give --server FOLDER")
        folder = pathlib.Path(spec.origin).parent / "tritonserver"
    folder = pathlib.Path(folder)
    if not (folder / "bin/tritonserver").exists():
        raise Missing(f"there is no bin/tritonserver in {folder}")
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Repository:
    """A model repository in a folder of its own, whose archives are made by tsc-translate."""

    def __init__(self, translate):
        self.translate = translate
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tsc-triton-"))
        self.archives = {}

    def archive(self, source):
        """Makes an archive of a source file's text, once."""
        if source not in self.archives:
            file = self.folder.with_name(f"{self.folder.name}-{len(self.archives)}.py")
            file.write_text("import torch\nfrom torch import nn, Tensor\nfrom typing import *\n" + source)
            made = file.with_suffix(".pt")
            done = subprocess.run([self.translate, file, "-o", made], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            self.archives[source] = made
        return self.archives[source]

    def add(self, name, config, source=None, file=None, data=None, version=1):
        """Adds a version of a model, whose archive is made of `source`, copied from `file` or has these bytes."""
        folder = self.folder / name / str(version)
        folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name / "config.pbtxt").write_text('backend: "tsc"\n' + config)
        target = folder / "model.pt"
        if source is not None:
            shutil.copy(self.archive(source), target)
        elif file is not None:
            shutil.copy(file, target)
        elif data is not None:
            target.write_bytes(data)
        return target

    def remove(self):
        for file in [self.folder, *self.archives.values(), *(a.with_suffix(".py") for a in self.archives.values())]:
            shutil.rmtree(file) if file.is_dir() else file.unlink()


class Server:
    """A running server. Models are loaded when they are asked for."""

    def __init__(self, folder, backends, repository, options=(), environment=None):
        self.http, self.grpc, self.metrics_port = free_port(), free_port(), free_port()
        self.log = tempfile.TemporaryFile("w+")
        command = [
            folder / "bin/tritonserver", f"--model-repository={repository.folder}", f"--backend-directory={backends}",
            "--model-control-mode=explicit", "--http-address=127.0.0.1", f"--http-port={self.http}",
            "--grpc-address=127.0.0.1", f"--grpc-port={self.grpc}", "--metrics-address=127.0.0.1",
            f"--metrics-port={self.metrics_port}", "--http-thread-count=4", "--allow-gpu-metrics=false",
            "--pinned-memory-pool-byte-size=0", "--exit-timeout-secs=2", *options]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT,
                                        env={**os.environ, **(environment or {})})
        end = time.monotonic() + 60
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError("the server does not start:\n" + self.text()[-3000:])
            time.sleep(0.1)

    def answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/v2/health/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def metric(self, name, model):
        """Returns the value of a metric of a model, or None."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=5) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name + "{") and f'model="{model}"' in line:
                    return float(line.split()[-1])

    def text(self):
        """What the server has logged."""
        self.log.seek(0)
        text = self.log.read()
        self.log.seek(0, os.SEEK_END)
        return text

    def resident(self):
        """Memory of the process, in kilobytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
