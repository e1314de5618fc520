# collections.Counter.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
import collections
from collections import Counter
from typing import List, Tuple


def frequent(words: List[str], n: int) -> List[Tuple[str, int]]:
    return Counter(words).most_common(n)


def total(c: "Counter[str]") -> int:
    return sum(c.values())


def main() -> None:
    c = Counter("a b a c a b".split())
    print(c, c["a"], c["z"], "z" in c, len(c), total(c))
    print(frequent("x y x".split(), 1), Counter("hello").most_common(2), sorted(c.items()), dict(c))
    c["q"] += 2
    c.update(["q", "a"])
    c.subtract(["b"])
    del c["nothing"]
    print(c, [w for w in c], list(c.elements()), c.get("z", 7), c.pop("q"))
    for word, count in c.items():
        print(word, count)
    n: Counter[int] = Counter()
    for i in range(10):
        n[i % 3] += 1
    print(n, max(n.values()), n + Counter([1, 1]), n - Counter([0, 0, 0, 0, 1]), n == Counter([0, 1, 2] * 3 + [0]))
    print(collections.Counter([(1, "a"), (1, "a")]), Counter([1.5, 2.5, 1.5]))
    counts = {"a": 3, "b": 1}
    same = Counter(counts)
    twin = Counter(same)
    same["a"] += 1
    print(same, twin, counts, Counter({2: 5}).total(), twin.most_common(-1), twin.most_common(0), twin.most_common(9))


# CHECK: Counter({'a': 3, 'b': 2, 'c': 1}) 3 0 False 3 6
# CHECK-NEXT: [('x', 2)] [('l', 2), ('h', 1)] [('a', 3), ('b', 2), ('c', 1)] {'a': 3, 'b': 2, 'c': 1}
# CHECK-NEXT: Counter({'a': 4, 'b': 1, 'c': 1}) ['a', 'b', 'c', 'q'] ['a', 'a', 'a', 'a', 'b', 'c', 'q', 'q', 'q'] 7 3
# CHECK-NEXT: a 4
# CHECK-NEXT: b 1
# CHECK-NEXT: c 1
# CHECK-NEXT: Counter({0: 4, 1: 3, 2: 3}) 4 Counter({1: 5, 0: 4, 2: 3}) Counter({2: 3, 1: 2}) True
# CHECK-NEXT: Counter({(1, 'a'): 2}) Counter({1.5: 2, 2.5: 1})
# CHECK-NEXT: Counter({'a': 4, 'b': 1}) Counter({'a': 3, 'b': 1}) {'a': 3, 'b': 1} 5 [] [] [('a', 3), ('b', 1)]
