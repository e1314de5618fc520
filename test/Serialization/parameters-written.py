# Code of an archive that writes to a parameter in grad mode fails as in PyTorch, also in a call that has no tape. Writes to what was
# computed, and writes without grad mode, are allowed.
#
# RUN: tsc-translate %s -o %t.pt
# RUN: %all_modes --status 1 tsc-run %t.pt --entry scales 2>&1 | FileCheck --check-prefix=LEAF %s
# RUN: %all_modes --status 1 tsc-run %t.pt --entry copies 2>&1 | FileCheck --check-prefix=LEAF %s
# RUN: %all_modes --status 1 tsc-run %t.pt --entry fills_row 2>&1 | FileCheck --check-prefix=VIEW %s
# LEAF: RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
# VIEW: RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.
# RUN: %all_modes tsc-run %t.pt --entry allowed | FileCheck --check-prefix=ALLOWED %s
# Operators that write to another operand than the first are none in place.
# RUN: %all_modes tsc-run %t.pt --entry normalizes | FileCheck --check-prefix=NORMALIZES %s
# NORMALIZES: tensor([0.1000, 0.1000])
# ALLOWED: (tensor([2., 2.], {{.*}}), tensor([4., 4.], {{.*}}), tensor([2., 2.]), tensor([6., 6.], requires_grad=True))
# RUN: tsc-run %t.pt --no-grad --entry scales | FileCheck --check-prefix=NO-GRAD %s
# NO-GRAD: tensor([2., 2.])
import torch
import torch.nn as nn


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.state = torch.zeros(2)

    def forward(self):
        return self.w

    @torch.jit.export
    def scales(self):
        self.w.mul_(2.0)
        return self.w * 1

    @torch.jit.export
    def copies(self):
        self.w.copy_(torch.zeros(2))
        return self.w

    @torch.jit.export
    def fills_row(self):
        self.w[0] = 5.0
        return self.w

    @torch.jit.export
    def allowed(self):
        computed = self.w * 1
        computed.mul_(2.0)
        self.state = self.state + computed
        self.state.add_(computed)
        detached = self.w.detach().clone()
        detached.mul_(2.0)
        with torch.no_grad():
            self.w.mul_(6.0)
        return computed, self.state, detached, self.w

    @torch.jit.export
    def normalizes(self):
        mean = torch.zeros(2)
        torch.batch_norm(self.w.view(1, 2).expand(2, 2), None, None, mean, torch.ones(2), True, 0.1, 1e-5, True)
        torch.instance_norm(self.w.view(1, 2, 1).expand(1, 2, 3), None, None, torch.zeros(2), torch.ones(2), True, 0.1, 1e-5, True)
        return mean


if __name__ == "__main__":
    torch.jit.script(Writer())
