# Classes and texts of what Python's operators and functions raise.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import math
from typing import Callable, Dict, List


def told(action: Callable[[], None]) -> str:
    try:
        action()
    except KeyError as e:
        return f"KeyError {e} {e.args[0]}"
    except IndexError as e:
        return "IndexError " + str(e)
    except ValueError as e:
        return "ValueError " + str(e)
    except OverflowError as e:
        return "OverflowError " + str(e)
    except ArithmeticError as e:
        return "ArithmeticError"
    return "none"


def unpack(values: List[int]) -> None:
    a, b = values
    print(a, b)


def raise_key() -> None:
    raise KeyError("wanted")


def main() -> None:
    entries: Dict[str, int] = {"a": 1}
    numbers = [1, 2]
    print(told(lambda: print(entries["b"])), told(raise_key), told(lambda: print(numbers[7])))
    print(told(lambda: print(pow(2, 3, 0))), told(lambda: print(math.factorial(-1))))
    print(told(lambda: print([1, 2].index(7) == 0)), told(lambda: numbers.remove(9)))
    print(told(lambda: unpack([1, 2, 3])), told(lambda: unpack([1])))
    print(told(lambda: print(1 // 0)), told(lambda: print(math.sqrt(-1.0))), told(lambda: print([[1]].index([2]))))
    print(math.comb(60, 30), math.perm(5, 2), math.lcm(4, 6), math.dist([0.0, 0.0], [3.0, 4.0]), math.fsum([0.1] * 10))
    print((255).bit_length(), (0).bit_length(), (-8).bit_length(), (7).bit_count(), (2.0).is_integer(), (2.5).is_integer())
    print("-".join("abc"), "Abc".casefold(), "%.2s|%5.1s|" % ("long", "xy"), [[1], [2]].count([1]), {"a": 1} | {"b": 2})
    print(max({1, 5, 3}), min({2, 4}), sum({1, 2}), sum([[1], [2]], []), {(1, 2): 3}[1, 2])
    print(math.fsum([float("inf"), 1.0]), math.fsum([1e16, 1.0, 1e-16]), math.fsum([1e308, 1.0, -1e308]), math.perm(3, 9))
    try:
        print(math.lcm(2 ** 62, 3))
    except OverflowError:
        print("too large")
    try:
        print(math.comb(100, 50))
    except OverflowError:
        print("too large")


# What Python prints, but for ints that do not fit, and PyTorch's words for what a dict or a list of the program lacks:
# CHECK: KeyError 'b' b KeyError 'wanted' wanted IndexError list index out of range
# CHECK-NEXT: ValueError pow() 3rd argument cannot be 0 ValueError factorial() not defined for negative values
# CHECK-NEXT: ValueError '7' is not in list ValueError list.remove(x): x not in list
# CHECK-NEXT: ValueError too many values to unpack (expected 2) ValueError not enough values to unpack (expected 2, got 1)
# CHECK-NEXT: ArithmeticError ValueError math domain error ValueError [2] is not in list
# CHECK-NEXT: 118264581564861424 20 12 5.0 1.0
# CHECK-NEXT: 8 0 4 3 True False
# CHECK-NEXT: a-b-c abc lo|    x| 1 {'a': 1, 'b': 2}
# CHECK-NEXT: 5 2 3 [1, 2] 3
# CHECK-NEXT: inf 1.0000000000000002e+16 1.0 0
# CHECK-NEXT: too large
# CHECK-NEXT: too large
