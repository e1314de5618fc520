# try, except, else, finally, and classes of exceptions.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List


class Problem(ValueError):
    pass


def risky(n: int) -> int:
    if n == 0:
        raise ValueError("zero")
    if n == 1:
        raise Problem("one")
    if n == 2:
        return {"a": 1}["b"]
    if n == 3:
        return [1, 2][7]
    if n == 4:
        assert n == 6, "not six"
    if n == 5:
        return 1 // (n - 5)
    if n == 6:
        raise NotImplementedError("six")
    return n


def guarded(n: int) -> str:
    before = 0
    try:
        before = 1
        result = risky(n)
        before = 2
    except Problem as e:
        return "problem " + str(e) + f" {before}"
    except ValueError as e:
        return f"value {e} {before}"
    except (KeyError, IndexError):
        return f"lookup {before}"
    except AssertionError as e:
        return f"assertion {e}"
    except ArithmeticError:
        return "arithmetic"
    except RuntimeError as e:
        return f"runtime {e}"
    else:
        before += 10
    finally:
        print("finally", before)
    return f"fine {result} {before}"


def in_loop() -> List[int]:
    out: List[int] = []
    for i in range(9):
        try:
            if i == 1:
                continue
            if i == 7:
                break
            out.append(risky(i))
        except Exception:
            out.append(-i)
        finally:
            out.append(100)
    return out


def again(n: int) -> int:
    try:
        return risky(n)
    except ValueError:
        raise


def nested(n: int) -> str:
    try:
        try:
            risky(n)
        except KeyError:
            return "inner"
        finally:
            print("leaving")
    except Exception as e:
        return "outer"
    return "none"


def replaced() -> None:
    try:
        risky(0)
    except ValueError as e:
        raise Problem("instead of " + str(e))


def captured(n: int) -> int:
    seen = 0
    try:
        match n:
            case seen:
                pass
        if n == 7:
            raise ValueError("seven")
    except ValueError:
        return seen * 2
    return seen


def main() -> None:
    for i in range(8):
        print(guarded(i))
    print(in_loop())
    try:
        again(0)
    except ValueError as e:
        print("again", e)
    print(nested(2), nested(3), nested(9))
    try:
        replaced()
    except Problem as e:
        print(e)
    x = torch.ones(2)
    try:
        x.add_(1)
        y = x @ torch.ones(3)
        print("not reached")
    except RuntimeError:
        print(x)
    print(captured(7), captured(3))


# What Python prints:
# CHECK: finally 1
# CHECK-NEXT: value zero 1
# CHECK-NEXT: finally 1
# CHECK-NEXT: problem one 1
# CHECK-NEXT: finally 1
# CHECK-NEXT: lookup 1
# CHECK-NEXT: finally 1
# CHECK-NEXT: lookup 1
# CHECK-NEXT: finally 1
# CHECK-NEXT: assertion not six
# CHECK-NEXT: finally 1
# CHECK-NEXT: arithmetic
# CHECK-NEXT: finally 1
# CHECK-NEXT: runtime six
# CHECK-NEXT: finally 12
# CHECK-NEXT: fine 7 12
# CHECK-NEXT: [0, 100, 100, -2, 100, -3, 100, -4, 100, -5, 100, -6, 100, 100]
# CHECK-NEXT: again zero
# CHECK-NEXT: leaving
# CHECK-NEXT: leaving
# CHECK-NEXT: leaving
# CHECK-NEXT: inner outer none
# CHECK-NEXT: instead of zero
# CHECK-NEXT: tensor([2., 2.])
# CHECK-NEXT: 14 3
