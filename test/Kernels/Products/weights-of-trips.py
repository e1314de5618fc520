# A weight that each trip of a loop makes is turned before the loop inside, and stays there for its trips. What is printed
# before keeps a plan from being run again as written, so that it has to be right.
# RUN: tsc-run %s --seed 0 -O0 > %t.plain
# RUN: tsc-run %s --seed 0 --compile eager | diff %t.plain -
# RUN: tsc-run %s --seed 0 --compile off --check-aliases | diff %t.plain -
import torch


def main():
    print("begins")
    h = torch.randn(2, 3)
    for i in range(3):
        w, u = torch.randn(3, 4), torch.randn(3, 3)
        for x in torch.randn(5, 2, 4).unbind(0):
            h = torch.tanh(x.mm(w.t()) + h.mm(u.t()))
    print(h)
