# A set of elements of type T, in the order in which they came. The name of the class and T are put in by the compiler.
import torch
from typing import Dict, List, Tuple


class Set_NAME:
    def __init__(self, values: List[T]) -> None:
        self.data = torch.jit.annotate(Dict[T, bool], {})
        for value in values:
            self.data[value] = True

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, value: T) -> bool:
        return value in self.data

    def __iter__(self) -> List[T]:
        return list(self.data.keys())

    def __str__(self) -> str:
        if len(self.data) == 0:
            return "set()"
        return "{" + ", ".join([f"{value!r}" for value in self.data.keys()]) + "}"

    def add(self, value: T) -> None:
        self.data[value] = True

    def discard(self, value: T) -> None:
        if value in self.data:
            del self.data[value]

    def remove(self, value: T) -> None:
        del self.data[value]

    def pop(self) -> T:
        for value in list(self.data.keys()):
            del self.data[value]
            return value
        raise KeyError("pop from an empty set")

    def clear(self) -> None:
        self.data.clear()

    def copy(self) -> "Set_NAME":
        return Set_NAME(list(self.data.keys()))

    def update(self, values: List[T]) -> None:
        for value in values:
            self.data[value] = True

    def union(self, other: "Set_NAME") -> "Set_NAME":
        return Set_NAME(list(self.data.keys()) + list(other.data.keys()))

    def intersection(self, other: "Set_NAME") -> "Set_NAME":
        return Set_NAME([value for value in self.data.keys() if value in other.data])

    def difference(self, other: "Set_NAME") -> "Set_NAME":
        return Set_NAME([value for value in self.data.keys() if value not in other.data])

    def symmetric_difference(self, other: "Set_NAME") -> "Set_NAME":
        return self.difference(other).union(other.difference(self))

    def issubset(self, other: "Set_NAME") -> bool:
        for value in self.data.keys():
            if value not in other.data:
                return False
        return True

    def issuperset(self, other: "Set_NAME") -> bool:
        return other.issubset(self)

    def isdisjoint(self, other: "Set_NAME") -> bool:
        return len(self.intersection(other)) == 0

    def __or__(self, other: "Set_NAME") -> "Set_NAME":
        return self.union(other)

    def __and__(self, other: "Set_NAME") -> "Set_NAME":
        return self.intersection(other)

    def __sub__(self, other: "Set_NAME") -> "Set_NAME":
        return self.difference(other)

    def __xor__(self, other: "Set_NAME") -> "Set_NAME":
        return self.symmetric_difference(other)

    def __eq__(self, other: "Set_NAME") -> bool:
        return len(self.data) == len(other.data) and self.issubset(other)

    def __ne__(self, other: "Set_NAME") -> bool:
        return not self.__eq__(other)

    def __le__(self, other: "Set_NAME") -> bool:
        return self.issubset(other)

    def __lt__(self, other: "Set_NAME") -> bool:
        return self.issubset(other) and len(self.data) < len(other.data)

    def __ge__(self, other: "Set_NAME") -> bool:
        return other.issubset(self)

    def __gt__(self, other: "Set_NAME") -> bool:
        return other.issubset(self) and len(other.data) < len(self.data)
