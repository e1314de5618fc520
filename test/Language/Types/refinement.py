# What a condition tells of a variable or an attribute holds until something may have changed it.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Any, List, Optional, Union


class Node:
    def __init__(self, value: int):
        self.value = value
        self.next: Optional[Node] = None


class Box:
    def __init__(self, value: Optional[int]):
        self.value = value

    def clear(self) -> None:
        self.value = None


def total(head: Optional[Node]) -> int:
    current = head
    sum = 0
    while current is not None:
        sum += current.value
        current = current.next
    return sum


def truth(x: Optional[int]) -> int:
    if x:
        return x + 1
    return -1


def negated(x: Optional[List[int]]) -> int:
    if not x:
        return 0
    return len(x)


def of_attribute(box: Box) -> int:
    if box.value is not None:
        doubled = box.value * 2
        return doubled + box.value
    return 0


def early(box: Box) -> int:
    if box.value is None:
        return 7
    return box.value + 1


def both(a: Box, b: Box) -> int:
    if a.value is not None and b.value is not None:
        return a.value + b.value
    return -1


def deep(node: Node) -> int:
    if node.next is not None and node.next.next is not None:
        return node.next.next.value
    return -1


def asserted(box: Box) -> int:
    assert box.value is not None
    return box.value


def after_call(box: Box) -> int:
    if box.value is not None:
        before = box.value
        box.clear()
        if box.value is None:
            return before
    return -2


def of_any(x: Any) -> str:
    if isinstance(x, int):
        return "int " + str(x + 1)
    elif isinstance(x, str):
        return "str " + x
    return "other"


def of_union(x: Union[int, List[int], None]) -> int:
    if isinstance(x, int):
        return x
    if x is None:
        return 0
    return sum(x)


def main() -> None:
    head = Node(1)
    head.next = Node(2)
    print(total(head), total(None), truth(3), truth(0), truth(None))
    print(negated(None), negated([]), negated([1, 2]))
    print(of_attribute(Box(4)), of_attribute(Box(None)), early(Box(None)), early(Box(2)))
    print(both(Box(1), Box(2)), both(Box(1), Box(None)), deep(head), asserted(Box(3)), after_call(Box(5)))
    head.next = Node(5)
    last = Node(9)
    if head.next is not None:
        head.next.next = last
    print(deep(head))
    print(of_any(1), of_any("a"), of_any(1.5))
    print(of_union(4), of_union(None), of_union([1, 2, 3]))


# What Python prints:
# CHECK: 3 0 4 -1 -1
# CHECK-NEXT: 0 0 2
# CHECK-NEXT: 12 0 7 3
# CHECK-NEXT: 3 -1 -1 3 5
# CHECK-NEXT: 9
# CHECK-NEXT: int 2 str a other
# CHECK-NEXT: 4 0 6
