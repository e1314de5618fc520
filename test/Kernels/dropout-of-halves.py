# Each step of a dropout is rounded to the half type, as PyTorch 2.15 does; the numbers are its own. (That divides by numbers that
# are not rounded to the half type, which 1.13 does. Here, both are the same.)
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s --compile eager | FileCheck %s
import torch
import torch.nn.functional as F


def main() -> None:
    for dtype in [torch.float16, torch.bfloat16]:
        x = (torch.arange(12).float() * 1.37 + 0.1).to(dtype)
        torch.manual_seed(3)
        print(F.dropout(x, 0.1, True).double().tolist())
        print(F.alpha_dropout(x, 0.3, True).double().tolist())
        print(torch.feature_dropout(x.view(2, 3, 2), 0.25, True).flatten().double().tolist())
        print(torch.feature_alpha_dropout(x.view(2, 3, 2), 0.3, True).flatten().double().tolist())
    # CHECK: [0.111083984375, 1.6337890625, 3.15625, 4.6796875, 6.19921875, 7.72265625, 9.25, 10.765625, 12.296875, 13.8125, 15.3359375, 16.859375]
    # CHECK-NEXT: [0.5400390625, 1.7197265625, -1.0595703125, 4.078125, 5.25390625, 6.43359375, -1.0595703125, 8.7890625, 9.9765625, 11.15625, 12.328125, 13.515625]
    # CHECK-NEXT: [0.13330078125, 1.958984375, 3.78515625, 5.61328125, 7.4375, 9.265625, 11.09375, 12.9140625, 14.75, 16.5625, 18.390625, 20.21875]
    # CHECK-NEXT: [-1.0595703125, -1.0595703125, 2.8984375, 4.078125, 5.25390625, 6.43359375, 7.6171875, 8.7890625, 9.9765625, 11.15625, -1.0595703125, -1.0595703125]
    # CHECK-NEXT: [0.11083984375, 1.6328125, 3.15625, 4.6875, 6.21875, 7.6875, 9.25, 10.75, 12.25, 13.8125, 15.3125, 16.875]
    # CHECK-NEXT: [0.5390625, 1.71875, -1.0625, 4.0625, 5.25, 6.4375, -1.0625, 8.75, 9.9375, 11.125, 12.3125, 13.5]
    # CHECK-NEXT: [0.1337890625, 1.9609375, 3.796875, 5.625, 7.46875, 9.25, 11.125, 12.9375, 14.75, 16.625, 18.5, 20.25]
    # CHECK-NEXT: [-1.0625, -1.0625, 2.890625, 4.0625, 5.25, 6.4375, 7.625, 8.75, 9.9375, 11.125, -1.0625, -1.0625]


if __name__ == "__main__":
    main()
