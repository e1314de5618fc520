# Learning rates of twelve steps, as PyTorch's schedulers give them.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
import torch
from torch.optim import lr_scheduler
from typing import List

def check(name: str, rates: List[float], recorded: List[float]) -> None:
    assert torch.allclose(torch.tensor(rates), torch.tensor(recorded), rtol=1e-6), name + ": " + str(rates)
    print(name)

def main():
    # CHECK: step_lr
    check("step_lr", [lr_scheduler.step_lr(i, 0.5, 4, 0.3) for i in range(12)],
          [0.5, 0.5, 0.5, 0.5, 0.15, 0.15, 0.15, 0.15, 0.045, 0.045, 0.045, 0.045])
    # CHECK-NEXT: multi_step_lr
    check("multi_step_lr", [lr_scheduler.multi_step_lr(i, 0.5, [3, 7], 0.5) for i in range(12)],
          [0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.125, 0.125])
    # CHECK-NEXT: exponential_lr
    check("exponential_lr", [lr_scheduler.exponential_lr(i, 0.5, 0.9) for i in range(12)],
          [0.5, 0.45, 0.405, 0.3645, 0.32805, 0.295245, 0.2657205, 0.23914845, 0.215233605, 0.193710245, 0.17433922,
           0.156905298])
    # CHECK-NEXT: cosine_annealing_lr
    check("cosine_annealing_lr", [lr_scheduler.cosine_annealing_lr(i, 0.5, 12, 0.1) for i in range(12)],
          [0.5, 0.493185165, 0.473205081, 0.441421356, 0.4, 0.351763809, 0.3, 0.248236191, 0.2, 0.158578644,
           0.126794919, 0.106814835])
    # CHECK-NEXT: linear_lr
    check("linear_lr", [lr_scheduler.linear_lr(i, 0.5) for i in range(12)],
          [0.166666667, 0.233333333, 0.3, 0.366666667, 0.433333333, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    check("to a lower end", [lr_scheduler.linear_lr(i, 0.5, 0.1, 0.8, 7) for i in range(12)],
          [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.4, 0.4, 0.4, 0.4])
    # CHECK: one_cycle_lr
    check("one_cycle_lr", [lr_scheduler.one_cycle_lr(i, 0.5, 13) for i in range(12)],
          [0.02, 0.147581974, 0.394684896, 0.499851036, 0.482189131, 0.437127939, 0.36998489, 0.288683179, 0.20281679,
           0.122518359, 0.0572634773, 0.0147525272])
    # CHECK-NEXT: linear cycle
    check("linear cycle", [lr_scheduler.one_cycle_lr(i, 0.5, 13, 0.4, "linear", 10., 100.) for i in range(12)],
          [0.05, 0.157142857, 0.264285714, 0.371428571, 0.478571429, 0.448769231, 0.384730769, 0.320692308, 0.256653846,
           0.192615385, 0.128576923, 0.0645384615])

def beyond():
    # BEYOND: error: {{.*}}ValueError: Tried to step 14 times. The specified number of total steps is 13
    lr_scheduler.one_cycle_lr(14, 0.5, 13)
