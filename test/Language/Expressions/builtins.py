# Python's builtins where PyTorch has no overload for what they are given.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import math
import torch
from typing import List


def weight(word: str) -> int:
    return len(word)


def main() -> None:
    print(sum(x * x for x in [1, 2, 3]), sum([1.5, 2.5]), sum([1, 2], 10), sum([torch.ones(2), torch.ones(2)]))
    print(any(x > 2 for x in [1, 2, 3]), all(x > 2 for x in [1, 2, 3]), any(x > 2 for x in [1]), all(x > 0 for x in [1]))
    texts = ["1", "x"]
    print(any(int(text) == 1 for text in texts))  # stops before the text that is no number
    print(max(x for x in [3, 9, 2]), min(x * -1 for x in [3, 9, 2]), ", ".join(str(x) for x in [1, 2]))
    print(sorted([[2, 1], [1, 5], [1, 2]]), sorted(["bb", "a", "ccc"], key=weight), sorted([3, 1, 2], reverse=True))
    print(sorted(["bb", "a", "cc"], key=lambda w: len(w), reverse=True), sorted((x for x in [2, 1])))
    rows = [[3], [1], [2]]
    rows.sort()
    print(rows)
    words = ["pear", "fig", "kiwi"]
    words.sort(key=lambda w: w[-1])
    print(words, max([(1, 2), (3, 0)]), min(["b", "a"]), max([1, -5], key=lambda v: abs(v)), min(words, key=len_of))
    print(list(map(lambda v: v + 1, [1, 2, 3])), list(filter(lambda v: v > 1, [1, 2, 3])), [w for w in map(weight, words)])
    print(int("ff", 16), int("-101", 2), int("0x1F", 0), int("z", 36), int("12"))
    print(round(2.675, 2), round(1.25, 1), round(-3.14159, 3), round(7, 2))
    print(list(enumerate(["a", "b"], start=1)), list(zip([1, 2], ["a", "b"])), list(reversed([1, 2, 3])))
    print(abs(-3), divmod(7, 2), pow(2, 5), bool([]), bool("a"), float("1.5"), str(12), hex(255), bin(5), oct(8))
    # Near the end of 64 bits:
    print(math.isqrt(9223372036854775807), math.isqrt(0), math.comb(62, 31), math.comb(61, 40))
    print(pow(3, 1000000000000000, 2305843009213693951), pow(-7, 12345, -4611686018427387905), pow(3, 5, -7))
    print(round(4000000000000000000, -19), round(-123, -30), round(4567, -2), round(4000000000000000000, -18))


def len_of(word: str) -> int:
    return len(word)


# What Python prints:
# CHECK: 14 4.0 13 tensor([2., 2.])
# CHECK-NEXT: True False False True
# CHECK-NEXT: True
# CHECK-NEXT: 9 -9 1, 2
# CHECK-NEXT: {{[[][[]}}1, 2], [1, 5], [2, 1]] ['a', 'bb', 'ccc'] [3, 2, 1]
# CHECK-NEXT: ['bb', 'cc', 'a'] [1, 2]
# CHECK-NEXT: {{[[][[]}}1], [2], [3]]
# CHECK-NEXT: ['fig', 'kiwi', 'pear'] (3, 0) a -5 fig
# CHECK-NEXT: [2, 3, 4] [2, 3] [3, 4, 4]
# CHECK-NEXT: 255 -5 31 35 12
# CHECK-NEXT: 2.67 1.2 -3.142 7
# CHECK-NEXT: [(1, 'a'), (2, 'b')] [(1, 'a'), (2, 'b')] [3, 2, 1]
# CHECK-NEXT: 3 (3, 1) 32 False True 1.5 12 0xff 0b101 0o10
# CHECK-NEXT: 3037000499 0 465428353255261088 12176310231149295
# CHECK-NEXT: 2149428190716824183 -202760134177282627 -2
# CHECK-NEXT: 0 0 4600 4000000000000000000
