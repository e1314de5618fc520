"""A program that was loaded before worker processes were forked, as multiprocessing does."""
import array
import multiprocessing
import sys
import threading

import tsc

SOURCE = b"""
def f(x: Tensor, n: int) -> Tensor:
    for i in range(3):
        x = torch.tanh(x * 2 + i) * torch.sigmoid(x) + n
    return x
"""
program = tsc.Program(SOURCE, "source.py")
f = program.find("f")


def work(n):
    x = tsc.Tensor(array.array("f", [0.25 * n] * 64), shape=(64,))
    results = [f(x, n).tolist() for _ in range(5)]
    assert all(result == results[0] for result in results)
    return results[0]


def main():
    expected = [work(n) for n in range(8)]  # code is being compiled by now
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(work, range(8), chunksize=1) == expected
    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(work, range(8), chunksize=2) == expected
    for thread in threads:
        thread.join()
    print("all as expected")


sys.exit(main())
