# Products without rows, of half types with a transposed matrix too.
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-COUNT-3: tensor([], size=(0, 3)
import torch


def main():
    for dtype in [torch.float16, torch.bfloat16, torch.float32]:
        print(torch.mm(torch.zeros([0, 4], dtype=dtype), torch.ones([3, 4], dtype=dtype).t()))
