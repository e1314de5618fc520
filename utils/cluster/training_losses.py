#!/usr/bin/env python3
"""Trains the models of examples/train_over_ranks.py with tsc over MPI and with PyTorch over gloo, and compares the losses of all
steps: bit for bit between numbers of ranks of tsc, and by the largest difference between tsc and PyTorch.

    utils/cluster/training_losses.py --build build/development --torch /path/to/python [--ranks 1,2,4] [--steps 200] [MODEL...]

`--torch` is a Python that has torch with gloo. `MODEL` is convnet or language. Run by hand: it takes some minutes."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def losses_of(out):
    return [float(line.split()[3]) for line in out.splitlines() if line.startswith("step ")]


def run_tsc(options, model, ranks):
    tool = options.build.resolve() / "bin/tsc-run"
    launcher = shutil.which(f"mpirun.{options.mpi}") or "mpirun"
    command = [launcher, "-n", str(ranks), *(["--oversubscribe"] if options.mpi == "openmpi" else []), str(tool), "--args",
               f'"{model}", {options.steps}, 4, "", 1', str(ROOT / "examples/train_over_ranks.py")]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return losses_of(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout)


def run_torch(options, model, ranks):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    environment.update(OMP_NUM_THREADS="1", PYTHONPATH=str(ROOT / "examples"))
    command = [options.torch, __file__, "--in-torch", model, str(ranks), str(options.steps)]
    return losses_of(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout)


def train_in_torch(rank, ranks, model, steps, port):
    """One rank of PyTorch. The examples' classes are no modules: one is made of their tensors."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=ranks)

    class Wrapped(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network
            for name, value in vars(network).items():
                if isinstance(value, torch.Tensor):
                    self.register_parameter(name, torch.nn.Parameter(value.detach()))
            for name, parameter in self.named_parameters():
                setattr(network, name, parameter)

        def forward(self, x):
            return self.network.forward(x)

    def step_of(wrapped, optimizer, step, loss, clip):
        optimizer.zero_grad()
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(wrapped.parameters(), 1.0)
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if rank == 0:
            print("step", step, "loss", repr(float(total / ranks)), flush=True)

    if model == "convnet":
        from convnet import Network, draw
        torch.manual_seed(0)
        network = Network()
        wrapped = torch.nn.parallel.DistributedDataParallel(Wrapped(network))
        optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
        for step in range(steps):
            images, labels = (part.chunk(ranks)[rank] for part in draw(32, step))
            step_of(wrapped, optimizer, step, F.cross_entropy(wrapped(images), labels), False)
    else:
        from lstm_language_model import LanguageModel, encode, learning_rate, make_text, set_learning_rate
        length, batch = 32, 16
        text = encode(make_text(1000))
        torch.manual_seed(0)
        network = LanguageModel(16, 48)
        wrapped = torch.nn.parallel.DistributedDataParallel(Wrapped(network))
        optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
        for step in range(steps):
            torch.manual_seed(step)
            begins = torch.randint(0, text.size(0) - length - 1, [batch])
            letters = text[begins + torch.arange(length + 1).unsqueeze(1)].chunk(ranks, 1)[rank]
            set_learning_rate(optimizer, learning_rate(step))
            loss = F.cross_entropy(wrapped(letters[:-1]).flatten(0, 1), letters[1:].flatten())
            step_of(wrapped, optimizer, step, loss, True)
    dist.destroy_process_group()


def main_in_torch(model, ranks, steps):
    import socket
    import torch
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    torch.multiprocessing.spawn(train_in_torch, (ranks, model, steps, port), nprocs=ranks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/development")
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--mpi", default="openmpi", help="openmpi or mpich")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("models", nargs="*", default=["convnet", "language"])
    options = parser.parse_args()
    counts = [int(count) for count in options.ranks.split(",")]
    bad = False
    for model in options.models:
        first = None
        for ranks in counts:
            found = run_tsc(options, model, ranks)
            first = first or found
            is_same = len(found) == options.steps and found == first
            bad |= not is_same
            print(f"{model}: {len(found)} losses with {ranks} ranks of tsc, the last {found[-1]!r}: "
                  f"{'the same' if is_same else 'OTHERS'} as with {counts[0]}", flush=True)
        for ranks in counts:
            found = run_torch(options, model, ranks)
            worst = max(range(len(first)), key=lambda step: abs(found[step] - first[step]))
            difference = abs(found[worst] - first[worst])
            bad |= not difference <= 1e-5
            print(f"{model}: {len(found)} losses with {ranks} ranks of PyTorch differ by at most {difference:.2e}, at step {worst}",
                  flush=True)
    sys.exit(bad)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-torch"]:
        main_in_torch(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
