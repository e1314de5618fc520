# fork and wait: values, exceptions, order of what can be seen, with any number of threads.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-run --threads 4 %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List, Tuple


def work(x: torch.Tensor, n: int) -> torch.Tensor:
    for i in range(n):
        x = torch.tanh(x @ x)
    return x


def many(x: torch.Tensor) -> torch.Tensor:
    futures = [torch.jit.fork(work, x + float(i), 5) for i in range(8)]
    results = [torch.jit.wait(future) for future in futures]
    return torch.stack(results).sum()


def failing(n: int) -> int:
    if n == 2:
        raise ValueError(f"number {n}")
    return n * 10


def collects(count: int) -> List[int]:
    futures = [torch.jit.fork(failing, i) for i in range(count)]
    values: List[int] = []
    for future in futures:
        try:
            values.append(torch.jit.wait(future))
        except ValueError:
            values.append(-1)
    return values


def says(n: int) -> int:
    print("working on", n)
    return n


def in_order() -> int:
    a = torch.jit.fork(says, 1)
    b = torch.jit.fork(says, 2)
    print("forked")
    return torch.jit.wait(b) + torch.jit.wait(a)


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def written_after(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    future = torch.jit.fork(doubled, x)
    x.add_(1)  # the fork has seen what was there before
    return torch.jit.wait(future), x


def writes(values: List[int]) -> int:
    values.append(len(values))
    return len(values)


def seen() -> List[int]:
    values = [0]
    future = torch.jit.fork(writes, values)
    values.append(100)
    torch.jit.wait(future)
    return values


def not_waited_for(x: torch.Tensor) -> torch.Tensor:
    future = torch.jit.fork(doubled, x)
    return x


def main() -> None:
    torch.manual_seed(0)
    print(many(torch.ones(4, 4) / 4), collects(4))
    print(in_order())
    print(written_after(torch.ones(2)), seen(), not_waited_for(torch.ones(1)))


# What PyTorch prints, which runs a fork when it may:
# CHECK: tensor(114.1738) [0, 10, -1, 30]
# CHECK-NEXT: working on 1
# CHECK-NEXT: working on 2
# CHECK-NEXT: forked
# CHECK-NEXT: 3
# CHECK-NEXT: (tensor([2., 2.]), tensor([2., 2.])) [0, 1, 100] tensor([1.])
