# Batches of matrices without rows or without columns, which are worth vectors across the batch, have factors of their sizes: Q of
# a matrix without columns is the identity.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def main():
    q, r = torch.linalg.qr(torch.zeros(64, 3, 0, dtype=torch.double), "complete")
    # CHECK: torch.Size([64, 3, 3]) torch.Size([64, 3, 0]) True
    print(q.shape, r.shape, bool((q == torch.eye(3, dtype=torch.double)).all()))
    q, r = torch.linalg.qr(torch.zeros(64, 3, 0, dtype=torch.double), "reduced")
    # CHECK-NEXT: torch.Size([64, 3, 0]) torch.Size([64, 0, 0])
    print(q.shape, r.shape)
    q, r = torch.linalg.qr(torch.zeros(64, 0, 3, dtype=torch.double), "complete")
    # CHECK-NEXT: torch.Size([64, 0, 0]) torch.Size([64, 0, 3])
    print(q.shape, r.shape)
    none = torch.zeros(64, 0, 0, dtype=torch.double)
    # CHECK-NEXT: torch.Size([64, 0, 0]) torch.Size([64, 0, 0]) torch.Size([64, 0, 0]) 64.0
    print(torch.linalg.inv(none).shape, torch.linalg.cholesky(none).shape, torch.matrix_exp(none).shape, float(torch.linalg.det(none).sum()))
