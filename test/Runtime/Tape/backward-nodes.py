# The text of a tensor names the node that made it, as PyTorch calls it, in compiled code at every level.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines

import torch
import torch.nn.functional as F


def main():
    w = torch.ones(2, 3, requires_grad=True)
    b = torch.zeros(2, requires_grad=True)
    x = torch.ones(1, 3)
    y = x
    for _ in range(4):  # one by one at first, and as one graph later
        y = F.linear(x, w, b)
        print(y, w, y.sum(), y.mean(1), y[0], y[:, 1:], y.t(), y.view(2), y.reshape(2))
        print(1 - y, y - 1, 2 / y, y**2, -y, y.exp(), torch.relu(y), y.max(), torch.cat([y, y], 1).sum(1))
        print(F.mse_loss(y, torch.zeros(1, 2)), F.softmax(y, 1), F.layer_norm(y, [2]), x @ w.t(), y.double())
    y = y * 1
    y.mul_(2)
    print(y)
    y[0, 0] = 7.0
    print(y, f"{y.sum()} {[y.norm()]}", "%s" % y.std())
    w.grad = None
    y.sum().backward()
    print(w.detach(), w.grad)
    copied = b * 1
    copied.copy_(b + 3)
    emptied = b * 1
    emptied.zero_()
    print(copied, emptied)

# CHECK-COUNT-4:tensor({{\[\[}}3., 3.]], grad_fn=<AddmmBackward0>) tensor({{.*}}
# CHECK:tensor({{\[\[}}6., 6.]], grad_fn=<MulBackward0>)
# CHECK:tensor({{\[\[}}7., 6.]], grad_fn=<CopySlices>) {{.*}}
# CHECK:tensor([3., 3.], grad_fn=<CopyBackwards>) tensor([0., 0.], grad_fn=<ZeroBackward0>)
