# Coordinates take part in the dtype of torch.gradient, whole ones as float32, and a complex spacing is no real one,
# forward and backward. As PyTorch 2.15 gives them.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s -O0 | FileCheck %s
# RUN: tsc-run %s --compile eager | FileCheck %s
import torch


def main() -> None:
    f = torch.tensor([1.0, 2.0, 4.0])
    v = torch.arange(3, dtype=torch.int8)
    print(torch.gradient(f, spacing=[torch.tensor([0.0, 1.0, 3.0], dtype=torch.double)])[0].dtype == torch.double,
          torch.gradient(f.to(torch.half), spacing=[torch.tensor([0, 1, 3])])[0].dtype == torch.float,
          torch.gradient(v, spacing=[torch.tensor([0.0, 1.0, 3.0], dtype=torch.half)])[0].dtype == torch.half)
    # CHECK: True True True
    y = f.clone().requires_grad_()
    d = torch.gradient(y, spacing=2 + 1j)[0]
    print(d.detach())  # CHECK-NEXT: tensor([0.4000-0.2000j, 0.6000-0.3000j, 0.8000-0.4000j]
    (torch.real(d) * torch.imag(d)).sum().backward()
    print(y.grad)  # CHECK-NEXT: tensor([ 0.2800,  0.1600, -0.4400])
