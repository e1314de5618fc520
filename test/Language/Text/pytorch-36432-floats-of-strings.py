# PyTorch issue 36432: float(text) took nothing but infinity.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List


def first(text: str) -> float:
    return float(text.split("_")[0])


def parsed(texts: List[str]) -> List[float]:
    values: List[float] = []
    for text in texts:
        try:
            values.append(float(text))
        except ValueError as e:
            print(e)
            values.append(-1.0)
    return values


def main() -> None:
    for i in range(10):
        print(first("0_1"), first("1e-3_x"), parsed([" 5.5  ", "-.5", "1_000.25", "+inf", "-Infinity", "1e400", "5,5"]))
        print(float("nan") != float("nan"), int(float("12")), float("0x10" if i < 0 else "16"))


# What Python prints:
# CHECK: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
# CHECK-NEXT: could not convert string to float: '5,5'
# CHECK-NEXT: 0.0 0.001 [5.5, -0.5, 1000.25, inf, -inf, inf, -1.0]
# CHECK-NEXT: True 12 16.0
