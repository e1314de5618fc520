"""Prints a graph whose only node is a group: the same unary operator again and again, then relu."""

import sys

operator, count = sys.argv[1], int(sys.argv[2])
print("graph(%x : Tensor):\n  %r : Tensor = prim::FusionGroup_0(%x)\n  return (%r)")
print("with prim::FusionGroup_0 = graph(%x : Tensor):\n  %0 : Tensor = aten::neg(%x)")
for i in range(count):
    print(f"  %{i + 1} : Tensor = {operator}(%{i})")
print(f"  %last : Tensor = aten::relu(%{count})\n  return (%last)")
