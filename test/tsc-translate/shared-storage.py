# Views of one storage are written as references to it: what loads them sees a write to one in the others, here and in
# PyTorch, which reads a storage anew wherever its key is named.

# RUN: tsc-translate %s -o %t.pt
# RUN: tsc-run %t.pt --args 'torch.ones([4])' | FileCheck %s
# RUN: %python -c "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print([z.read(n).count(b'storage') for n in z.namelist() if n.endswith('/data.pkl')], sum('/data/' in n for n in z.namelist()))" %t.pt | FileCheck %s --check-prefix=REFERENCES
# REFERENCES: [2] 2
# CHECK: tensor([2., 3.]), tensor([2., 5.])
import torch
from torch import Tensor


class Views(torch.nn.Module):
    def __init__(self):
        super().__init__()
        whole = torch.tensor([0.0, 1.0, 2.0, 3.0])
        self.register_buffer("whole", whole)
        self.register_buffer("middle", whole[1:3])
        self.register_buffer("third", whole[1::2])
        self.register_buffer("other", torch.ones([2]))

    def forward(self, x: Tensor):
        self.whole.add_(x)
        return self.middle, self.third + self.other - 1.0 + torch.tensor([0.0, 1.0])


if __name__ == "__main__":
    model = Views()
