# Bicubic samples at coordinates that no integer holds: PyTorch's numbers.
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK: zeros True tensor({{\[\[\[\[}}0., 0., 0., nan, nan{{\]\]\]\]}})
# CHECK: zeros False tensor({{\[\[\[\[}}0., 0., 0., nan, nan{{\]\]\]\]}})
# CHECK: border True tensor({{\[\[\[\[}}5.1055, 5.1055, 3.1055, {{ *}}nan, {{ *}}nan{{\]\]\]\]}})
# CHECK: border False tensor({{\[\[\[\[}}5., 5., 3., nan, nan{{\]\]\]\]}})
# CHECK: reflection True tensor({{\[\[\[\[}}0.4688, 0.4688, 0.4688, {{ *}}nan, {{ *}}nan{{\]\]\]\]}})
# CHECK: reflection False tensor({{\[\[\[\[}}0., 0., 0., nan, nan{{\]\]\]\]}})
import torch
import torch.nn.functional as F
def main() -> None:
    im = torch.arange(6.).reshape(1,1,2,3)
    h = torch.tensor([[[[1e10, 2.5], [1e9, 2.5], [-1e12, 2.5], [float('nan'), 0.], [float('inf'), 0.]]]])
    for p in ['zeros', 'border', 'reflection']:
        for a in [True, False]:
            print(p, a, F.grid_sample(im, h, mode='bicubic', padding_mode=p, align_corners=a))
