"""PyTorch and libtsc in one process run the same archives, and each goes on as if it were alone: ORDER FOLDER."""
import array
import os
import sys
import threading

from load_tsc import check, load, program

order, folder = sys.argv[1:]
if order != "last":
    tsc = load(order)
import torch  # noqa: E402: the order is what is tried
if order == "last":
    tsc = load(order)

THREADS = 3
torch.set_num_threads(THREADS)
torch.manual_seed(5)


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 16, 3, padding=1)
        self.dense = torch.nn.Linear(16 * 24 * 24, 64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.convolution(x))
        x = self.dense(x.flatten(1))
        return torch.tanh(x * 2 + 0.5) * torch.sigmoid(x) + torch.exp(-x * x)


class Product(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.mm(x, y) / 16


class Refusal(torch.nn.Module):
    def forward(self, n: int) -> int:
        if n > 0:
            raise ValueError("refused " + str(n))
        return n


def saved(module, name):
    scripted = torch.jit.script(module.eval())
    path = os.path.join(folder, f"{order}-{name}.pt")
    scripted.save(path)
    return scripted, program(tsc, path, THREADS)


def tensor(value):
    return tsc.Tensor(array.array("f", value.flatten().tolist()), shape=tuple(value.shape))


def agree(pair, *inputs):
    with torch.no_grad():
        expected = pair[0](*inputs)
    found = torch.tensor(pair[1](*map(tensor, inputs)).tolist())
    return found.shape == expected.shape and torch.allclose(found, expected, rtol=1e-4, atol=1e-5)


def refuses(pair):
    try:
        pair[0](3)
        return False
    except Exception as error:  # torch.jit.Error, or what it makes of a Python class
        theirs = str(error)
    try:
        pair[1](3)
        return False
    except tsc.Error as error:
        ours = error
    return "refused 3" in theirs and ours.exception == "builtins.ValueError" and pair[0](-3) == pair[1](-3) == -3


def wrong_shapes(pair):
    with_torch = with_tsc = False
    try:
        pair[0](torch.zeros(2, 3), torch.zeros(2, 3))
    except RuntimeError:
        with_torch = True
    try:
        pair[1](tensor(torch.zeros(2, 3)), tensor(torch.zeros(2, 3)))
    except tsc.Error:
        with_tsc = True
    return with_torch and with_tsc


network, product, refusal = saved(Network(), "network"), saved(Product(), "product"), saved(Refusal(), "refusal")


def run_all(seed):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(4):
        x = torch.rand(4, 3, 24, 24, generator=generator)
        y, z = torch.rand(256, 256, generator=generator), torch.rand(256, 256, generator=generator)
        check(agree(network, x), "the network gives other numbers")
        check(agree(product, y, z), "the product gives other numbers")
        check(refuses(refusal), "an exception of the program is not as it should be")
        check(wrong_shapes(product), "an exception of an operator is not as it should be")


run_all(1)
failures = []


def run_in_thread(seed):
    try:
        run_all(seed)
    except (SystemExit, Exception) as error:
        failures.append(repr(error))


threads = [threading.Thread(target=run_in_thread, args=(seed,)) for seed in range(2, 6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check(not failures, f"in threads: {failures}")
check(torch.get_num_threads() == THREADS, f"torch has {torch.get_num_threads()} threads in place of {THREADS}")
# Training goes on, too: it has threads of its own.
weight = torch.rand(64, 64, requires_grad=True)
(weight @ weight).sum().backward()
check(torch.isfinite(weight.grad).all().item(), "a gradient is not finite")
run_all(7)
print("all as expected")
