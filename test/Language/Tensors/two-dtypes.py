# RUN: tsc-run -O0 %s | FileCheck %s
# RUN: tsc-run -O2 --compile eager %s | FileCheck %s
# RUN: tsc-run -O3 --compile eager %s | FileCheck %s
#
# Operators that take tensors of one dtype refuse others, at each level alike, as in PyTorch.
import torch
import torch.nn.functional as F

def layer(x: torch.Tensor, w: torch.Tensor):
    return torch.relu(F.layer_norm(x, [4], w, w) * 2.0)

def group(x: torch.Tensor, w: torch.Tensor):
    return torch.relu(F.group_norm(x.view(1, 4, 6), 2, w, w) * 2.0)

def batch(x: torch.Tensor, w: torch.Tensor):
    return torch.relu(F.batch_norm(x, w, w, w, w, False) * 2.0)

def bce(x: torch.Tensor, w: torch.Tensor):
    return F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(w.view(1, 4)).expand(6, 4)) * 2.0

def nll(x: torch.Tensor, w: torch.Tensor):
    return F.cross_entropy(x, torch.arange(6) % 4, w)

def cd(x: torch.Tensor, w: torch.Tensor):
    return torch.cdist(x, w.view(1, 4))

def half_target(x: torch.Tensor, w: torch.Tensor):
    assert F.binary_cross_entropy_with_logits(x, x.half()).dtype == torch.float16
    return F.layer_norm(x.double(), [4], w.float())

def whole_target(x: torch.Tensor, w: torch.Tensor):
    return F.binary_cross_entropy_with_logits(x * 2.0, x.long()) * 2.0

def written(x: torch.Tensor, w: torch.Tensor):
    target = w.view(1, 4).expand(6, 4)
    return F.huber_loss(x, target, delta=2.0), F.binary_cross_entropy_with_logits(x * 0.5, target)

class Module(torch.nn.Module):
    def forward(self, x):
        return x

x, w = torch.ones(6, 4), torch.ones(4, dtype=torch.float64)
for function in (layer, group, batch, bce, nll, cd, half_target, whole_target):
    for requires_grad in (False, False, True):
        try:
            torch.jit.script(function)(x.clone().requires_grad_(requires_grad), w)
        except RuntimeError as e:
            print(function.__name__, str(e).strip().split('\n')[-1])
# CHECK-COUNT-3: layer {{.*}}mixed dtype (CPU): expect parameter to have scalar type of Float
# CHECK-COUNT-3: group {{.*}}mixed dtype (CPU): expect parameter to have scalar type of Float
# CHECK-COUNT-3: batch {{.*}}mixed dtype (CPU): expect parameter to have scalar type of Float
# CHECK-COUNT-3: bce {{.*}}Found dtype Double but expected Float
# CHECK-COUNT-3: nll {{.*}}expected scalar type Float but found Double
# CHECK-COUNT-3: cd {{.*}}expected scalar type Float but found Double
# CHECK-COUNT-3: half_target {{.*}}mixed dtype (CPU): all inputs must share same datatype.
# CHECK-COUNT-3: whole_target {{.*}}result type Float can't be cast to the desired output type Long

# What is written into a tensor of its own has that one's dtype: huber_loss the first operand's, the loss of logits the target's.
for _ in range(3):
    for loss in torch.jit.script(written)(x, w):
        print(loss.dtype)
# CHECK-NEXT: torch.float32
# CHECK-NEXT: torch.float64
# CHECK-NEXT: torch.float32
# CHECK-NEXT: torch.float64
# CHECK-NEXT: torch.float32
# CHECK-NEXT: torch.float64
