"""Numba's LLVM and libtsc's in one process: each compiles while the other's code is there and runs: ORDER FOLDER."""
import array
import math
import sys
import threading

from load_tsc import check, load, program

order, _ = sys.argv[1:]
if order != "last":
    tsc = load(order)
import numba  # noqa: E402: the order is what is tried
import numpy  # noqa: E402
if order == "last":
    tsc = load(order)

COUNT = 1 << 16


def formula(x, a):
    """What both compile, each with constants of its own, so that no kernel is there already."""
    return math.tanh(x * a) * math.exp(-x) + 1 / (1 + math.exp(-x))


def by_numba(a, parallel):
    number = numba.njit(formula)

    @numba.njit(parallel=parallel)
    def apply(x):
        result = numpy.empty_like(x)
        for i in numba.prange(len(x)):
            result[i] = number(x[i], a)
        return result

    return apply


def by_tsc(a, threads):
    text = f"def apply(x: Tensor) -> Tensor:\n    return (x * {a}).tanh() * (-x).exp() + x.sigmoid()\n"
    return program(tsc, text.encode(), threads)


@numba.njit
def refuse(n):
    if n > 0:
        raise ValueError("refused")
    return n


REFUSE = program(tsc, b"def refuse(n: int) -> int:\n    if n > 0:\n        raise ValueError('refused')\n    return n\n", 1)


def refused(call, kind):
    try:
        call(3)
    except kind as error:
        return "refused" in str(error) and call(-1) == -1
    return False


def run_all(number):
    a = 1 + number / 16
    x = numpy.linspace(-2, 2, COUNT, dtype=numpy.float32)
    expected = numpy.array([formula(float(value), a) for value in x[::64]])
    made = [by_numba(a, False), by_tsc(a, 1)] if number % 2 else [by_tsc(a, 2), by_numba(a, number < 2)]
    for _ in range(5):
        for apply in made:
            if isinstance(apply, tsc.Program):
                found = numpy.array(apply(tsc.Tensor(array.array("f", x.tobytes()))).tolist())
            else:
                found = apply(x)
            check(numpy.allclose(found[::64], expected, rtol=1e-4, atol=1e-5), f"wrong numbers with a = {a}")
        check(refused(refuse, ValueError), "an exception of numba's is not as it should be")
        check(refused(REFUSE, tsc.Error), "an exception of libtsc's is not as it should be")


run_all(0)
run_all(1)
failures = []


def run_in_thread(number):
    try:
        run_all(number)
    except (SystemExit, Exception) as error:
        failures.append(repr(error))


threads = [threading.Thread(target=run_in_thread, args=(number,)) for number in range(2, 6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check(not failures, f"in threads: {failures}")
run_all(6)
print("all as expected")
