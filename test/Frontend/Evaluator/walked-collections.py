# collections, functools, operator, slices and frozen sets in a walked file are CPython's.
# RUN: tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace

import copy
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from functools import lru_cache, partial, reduce

import torch


class Walked(torch.nn.Module):  # a file that defines modules is walked
    def forward(self, x):
        return x


groups = defaultdict(list)
for word in ["ab", "c", "de"]:
    groups[len(word)].append(word)
print(groups, dict(groups), groups.get(7), 7 in groups, len(groups))
counts = Counter("abracadabra")
counts.update("zz")
counts["q"] += 1
print(counts.most_common(2), counts["nope"], counts, sum(counts.values()))
ordered = OrderedDict([("a", 1), ("b", 2)])
ordered.move_to_end("a")
print(ordered, ordered == {"a": 1, "b": 2}, ordered == OrderedDict(a=1, b=2), isinstance(ordered, dict))
queue = deque([1, 2, 3], maxlen=3)
queue.append(4)
queue.appendleft(0)
queue.rotate(1)
print(queue)
print(queue.popleft(), list(queue), len(queue), queue.maxlen, deque("ab"))
try:
    deque().pop()
except IndexError as e:
    print(e)

calls = []


@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(20), len(calls), reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(operator.add, [[1], [2]], []))
print(sorted([(1, "b"), (0, "a")], key=operator.itemgetter(1)), operator.attrgetter("real")(2.5), partial(pow, 2)(5))

xs = list(range(10))
part = slice(2, 8, 2)
print(xs[part], part, part.start, "abcdef"[part], (1, 2, 3)[slice(1)])
xs[::2] = [0] * 5
xs[1:3] = ["x", "y", "z"]
del xs[-3:]
print(xs)
try:
    xs[::2] = [1]
except ValueError as e:
    print(e)
frozen = frozenset([1, 1, 2])
print(frozen, frozen == {1, 2}, {frozen: "k"}[frozenset({2, 1})], frozen | {3}, [1, 2, 3, 1].index(1, 1))
nested = [[1], {"k": [2]}]
shallow, deep = copy.copy(nested), copy.deepcopy(nested)
nested[0].append(5)
print(shallow, deep)
print(list(zip([1, 2], "ab", strict=True)), abs(3 + 4j), complex(1, 2).conjugate(), isinstance(1, int | None))
try:
    list(zip([1], [1, 2], strict=True))
except ValueError as e:
    print(e)

# CHECK:defaultdict(<class 'list'>, {2: ['ab', 'de'], 1: ['c']}) {2: ['ab', 'de'], 1: ['c']} None False 2
# CHECK-NEXT:{{\[}}('a', 5), ('b', 2)] 0 Counter({'a': 5, 'b': 2, 'r': 2, 'z': 2, 'c': 1, 'd': 1, 'q': 1}) 14
# CHECK-NEXT:OrderedDict([('b', 2), ('a', 1)]) True False True
# CHECK-NEXT:deque([3, 0, 2], maxlen=3)
# CHECK-NEXT:3 [0, 2] 2 3 deque(['a', 'b'])
# CHECK-NEXT:pop from an empty deque
# CHECK-NEXT:6765 21 24 [1, 2]
# CHECK-NEXT:{{\[}}(0, 'a'), (1, 'b')] 2.5 32
# CHECK-NEXT:[2, 4, 6] slice(2, 8, 2) 2 ce (1,)
# CHECK-NEXT:[0, 'x', 'y', 'z', 3, 0, 5, 0]
# CHECK-NEXT:attempt to assign sequence of size 1 to extended slice of size 4
# CHECK-NEXT:frozenset({1, 2}) True k frozenset({1, 2, 3}) 3
# CHECK-NEXT:{{\[\[}}1, 5], {'k': [2]}] {{\[\[}}1], {'k': [2]}]
# CHECK-NEXT:{{\[}}(1, 'a'), (2, 'b')] 5.0 (1-2j) True
# CHECK-NEXT:zip() argument 2 is longer than argument 1
