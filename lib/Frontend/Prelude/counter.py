# collections.Counter of elements of type T. The name of the class and T are put in by the compiler.
import torch
from typing import Dict, List, Optional, Tuple


class Counter_NAME:
    def __init__(self, values: List[T]) -> None:
        self.data = torch.jit.annotate(Dict[T, int], {})
        self.update(values)

    def update(self, values: List[T]) -> None:
        for value in values:
            self.data[value] = self.data.get(value, 0) + 1

    # A mapping's counts.
    def _add(self, pairs: Dict[T, int]) -> None:
        for value, count in pairs.items():
            self.data[value] = self.data.get(value, 0) + count

    def subtract(self, values: List[T]) -> None:
        for value in values:
            self.data[value] = self.data.get(value, 0) - 1

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, value: T) -> bool:
        return value in self.data

    def __iter__(self) -> List[T]:
        return list(self.data.keys())

    def __getitem__(self, value: T) -> int:
        return self.data.get(value, 0)

    def __setitem__(self, value: T, count: int) -> None:
        self.data[value] = count

    def __delitem__(self, value: T) -> None:
        if value in self.data:
            del self.data[value]

    # Stable: of equal counts the first one that came.
    def most_common(self, n: Optional[int] = None) -> List[Tuple[T, int]]:
        pairs = torch.jit.annotate(List[Tuple[T, int]], [])
        for value, count in self.data.items():
            pairs.append((value, count))
        pairs = sorted(pairs, key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[: max(n, 0)]

    def __str__(self) -> str:
        if len(self.data) == 0:
            return "Counter()"
        return "Counter({" + ", ".join([f"{value!r}: {count}" for value, count in self.most_common()]) + "})"

    def keys(self) -> List[T]:
        return list(self.data.keys())

    def values(self) -> List[int]:
        return list(self.data.values())

    def items(self) -> List[Tuple[T, int]]:
        pairs = torch.jit.annotate(List[Tuple[T, int]], [])
        for value, count in self.data.items():
            pairs.append((value, count))
        return pairs

    def elements(self) -> List[T]:
        repeated = torch.jit.annotate(List[T], [])
        for value, count in self.data.items():
            for _ in range(count):
                repeated.append(value)
        return repeated

    def get(self, value: T, default: int) -> int:
        return self.data.get(value, default)

    def pop(self, value: T) -> int:
        return self.data.pop(value)

    def total(self) -> int:
        return sum(self.values())

    def clear(self) -> None:
        self.data.clear()

    def copy(self) -> "Counter_NAME":
        same = Counter_NAME(torch.jit.annotate(List[T], []))
        for value, count in self.data.items():
            same.data[value] = count
        return same

    # Counts that are not positive are left out of what two counters give.
    def _positive(self) -> "Counter_NAME":
        kept = Counter_NAME(torch.jit.annotate(List[T], []))
        for value, count in self.data.items():
            if count > 0:
                kept.data[value] = count
        return kept

    def __add__(self, other: "Counter_NAME") -> "Counter_NAME":
        both = self.copy()
        for value, count in other.data.items():
            both.data[value] = both[value] + count
        return both._positive()

    def __sub__(self, other: "Counter_NAME") -> "Counter_NAME":
        both = self.copy()
        for value, count in other.data.items():
            both.data[value] = both[value] - count
        return both._positive()

    def __eq__(self, other: "Counter_NAME") -> bool:
        for value in self.keys() + other.keys():
            if self[value] != other[value]:
                return False
        return True

    def __ne__(self, other: "Counter_NAME") -> bool:
        return not self.__eq__(other)
