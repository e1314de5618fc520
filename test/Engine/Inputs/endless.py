# Functions that never end, or that take all they can get, each in a way of its own.
import warnings
from typing import Dict, List


def scalars() -> int:
    n = 0
    while True:
        n = (n * 3 + 1) % 1000003
    return n


def counted() -> int:
    n = 0
    for i in range(9223372036854775807):
        n = n ^ i
    return n


def tensors(x: Tensor) -> Tensor:
    while bool(x.sum() < 1e30):
        x = torch.tanh(x * 0.5 + 1.0) - 1.0
    return x


def nested() -> int:
    n = 0
    while True:
        for i in range(10):
            for j in range(10):
                n += 1
    return n


def even(n: int) -> int:
    return odd(n + 1)


def odd(n: int) -> int:
    return even(n + 1)


def recursion() -> int:
    return even(0)


def fibonacci(n: int) -> int:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def calls() -> int:
    return fibonacci(90)


def forked() -> int:
    return torch.jit.wait(torch.jit.fork(scalars))


def forks() -> int:
    n = 0
    while True:
        n += torch.jit.wait(torch.jit.fork(fibonacci, 3))
    return n


def counts(n: int) -> int:
    for i in range(150000):
        n = n ^ i
    return n


def forksThatWait() -> int:
    futures = [torch.jit.fork(counts, 0)]
    for i in range(100000):
        futures.append(torch.jit.fork(counts, i))
    n = 0
    for future in futures:
        n += torch.jit.wait(future)
    return n


def fills(n: int) -> int:
    xs = [torch.ones([1000])]
    for i in range(n):
        xs.append(torch.ones([1000]) * i)
    return len(xs)


def forksThatFill() -> int:
    futures = [torch.jit.fork(fills, 1000000), torch.jit.fork(fills, 1000000)]
    n = 0
    for future in futures:
        n += torch.jit.wait(future)
    return n


class Guard:
    def __init__(self):
        self.n = 0

    def __enter__(self):
        self.n = 1

    def __exit__(self, type: Any, value: Any, tb: Any):
        while True:
            self.n += 1


def exits() -> int:
    guard = Guard()
    n = 0
    with guard:
        while True:
            n += 1
    return n


class Odd:
    def __init__(self, n: int):
        self.n = n

    def __lt__(self, other: Odd) -> bool:
        while True:
            self.n += 1
        return True


def sorts() -> int:
    x = [Odd(1), Odd(2), Odd(3)]
    x.sort()
    return x[0].n


# Operators that take any time for what they are given.
def gammas() -> Tensor:
    return torch.mvlgamma(torch.rand([4]), 100000000)


def polynomials() -> Tensor:
    return torch.special.hermite_polynomial_h(torch.full([1000000], 0.001), 99999)


def folded() -> Tensor:
    return torch.ones([1]).expand([1 << 50]).sum()


def largest() -> Tensor:
    return torch.ones([1]).expand([1 << 50]).max()


def differences() -> Tensor:
    return torch.diff(torch.ones([1000000]), 1000000)


def parts() -> int:
    n = 0
    while True:
        n += len(torch.ones([1]).expand(50000).unbind())
    return n


def products() -> Tensor:
    x = torch.ones([1024, 1024])
    while True:
        x = torch.mm(x, x)
    return x


def shared(n: int) -> List[List[List[List[int]]]]:
    return [[[[n] * 1000] * 1000] * 1000] * 1000


def compared() -> bool:
    return shared(1) == shared(1)


def shownAsText() -> int:
    return len(str(shared(1)))


def looked() -> bool:
    text = "x".ljust(1000000, "x")
    return (text + "a") in [text + "b"] * 1000000


def found() -> int:
    text = "x".ljust(10000000, "x")
    n = 0
    while True:
        n += text.find("x".ljust(1000000, "x") + "y")
        n += text.rfind("y" + "x".ljust(1000000, "x"))
    return n


def sliced() -> int:
    text = "x".ljust(1000000)
    n = 0
    while True:
        n += len(text[1:])
    return n


def sorted_again() -> int:
    xs = list(range(1000000))
    while True:
        xs.sort(reverse=True)
        xs.sort()
    return len(xs)


def copied() -> int:
    table: Dict[int, int] = {}
    for i in range(100):
        table[i] = i
    n = 0
    while True:
        n += len(table.copy())
    return n


def appended() -> int:
    xs: List[int] = []
    while True:
        xs.append(1)
    return len(xs)


def texts() -> int:
    xs: List[str] = []
    while True:
        xs.append("line " + str(len(xs)))
    return len(xs)


def doubled() -> int:
    text = "ab"
    while True:
        text = text + text
    return len(text)


def centered() -> int:
    return len("abc".center(1000000000))


def listed() -> int:
    return len([1, 2, 3] * 500000000)


def ranged() -> int:
    return len(list(range(2000000000)))


def replaced() -> int:
    text = "a".ljust(100000, "a")
    return len(text.replace("a", text))


def padded() -> int:
    return len("a".ljust(2000000000))


def joined() -> int:
    text = "a".ljust(100000, "a")
    return len(text.join([text] * 100000))


def dicts() -> int:
    table: Dict[int, int] = {}
    while True:
        table[len(table)] = 1
    return len(table)


def objects() -> int:
    xs: List[Odd] = []
    while True:
        xs.append(Odd(len(xs)))
    return len(xs)


def zeros() -> Tensor:
    return torch.zeros([1000000000])


def grown() -> Tensor:
    x = torch.ones([1000])
    while True:
        x = torch.cat([x, x])
    return x


def small() -> int:
    xs: List[Tensor] = []
    while True:
        xs.append(torch.ones([2]))
    return len(xs)


def unbound() -> int:
    return len(torch.zeros([1]).expand(5000000).unbind())


def repeated() -> Tensor:
    return torch.ones([1000]).repeat([1000000])


def resized() -> Tensor:
    return torch.ones([1]).resize_([4000000000])


def outer() -> Tensor:
    x = torch.ones([100000])
    return x.unsqueeze(0) * x.unsqueeze(1)


def averages() -> Tensor:
    return torch.nn.functional.avg_pool2d(torch.ones([1, 1, 4096, 4096]), 2048, 1)


def maxima() -> Tensor:
    return torch.nn.functional.max_pool1d(torch.ones([1, 1, 8000000]), 4000000, 1)


def fractions() -> Tensor:
    return torch.fractional_max_pool2d(torch.ones([1, 1, 4096, 4096]), [2048, 2048], [2048, 2048], torch.ones([1, 1, 2]))[0]


def regions() -> Tensor:
    place = torch.tensor([[0.0, 0.0, 0.0, 4.0, 4.0]])
    return torch.ops.torchvision.roi_align(torch.ones([1, 1, 8, 8]), place, 1.0, 1000000, 1, 4096, False)


def cells() -> Tensor:
    places = torch.tensor([[0.0, 0.0, 0.0, 2047.0, 2047.0]]).repeat([1000000, 1])
    return torch.ops.torchvision.roi_pool(torch.ones([1, 1, 2048, 2048]), places, 1.0, 1, 1)[0]


def convolved() -> Tensor:
    return torch.nn.functional.conv2d(torch.ones([1, 1, 4096, 4096]), torch.ones([1, 1, 2048, 2048]))


def filtered() -> Tensor:
    return torch.ops.aten._upsample_bilinear2d_aa(torch.ones([1, 1, 8000, 1000]), [500, 500], False, 1e-6, 1e-6)


def chained() -> Tensor:
    return torch.linalg.multi_dot([torch.ones([64, 64])] * 10000000)


def printed() -> int:
    n = 0
    while True:
        print("line", n)
        n += 1
    return n


def printedOnce() -> None:
    print("x".ljust(50000000))


def warned() -> int:
    n = 0
    while True:
        warnings.warn("warning " + str(n))
        n += 1
    return n


def wide(n: int, text: str) -> int:
    a0 = text + "0"
    a1 = text + "1"
    a2 = text + "2"
    a3 = text + "3"
    a4 = text + "4"
    a5 = text + "5"
    a6 = text + "6"
    a7 = text + "7"
    a8 = text + "8"
    a9 = text + "9"
    a10 = text + "10"
    a11 = text + "11"
    a12 = text + "12"
    a13 = text + "13"
    a14 = text + "14"
    a15 = text + "15"
    a16 = text + "16"
    a17 = text + "17"
    a18 = text + "18"
    a19 = text + "19"
    a20 = text + "20"
    a21 = text + "21"
    a22 = text + "22"
    a23 = text + "23"
    a24 = text + "24"
    a25 = text + "25"
    a26 = text + "26"
    a27 = text + "27"
    a28 = text + "28"
    a29 = text + "29"
    a30 = text + "30"
    a31 = text + "31"
    a32 = text + "32"
    a33 = text + "33"
    a34 = text + "34"
    a35 = text + "35"
    a36 = text + "36"
    a37 = text + "37"
    a38 = text + "38"
    a39 = text + "39"
    a40 = text + "40"
    a41 = text + "41"
    a42 = text + "42"
    a43 = text + "43"
    a44 = text + "44"
    a45 = text + "45"
    a46 = text + "46"
    a47 = text + "47"
    a48 = text + "48"
    a49 = text + "49"
    a50 = text + "50"
    a51 = text + "51"
    a52 = text + "52"
    a53 = text + "53"
    a54 = text + "54"
    a55 = text + "55"
    a56 = text + "56"
    a57 = text + "57"
    a58 = text + "58"
    a59 = text + "59"
    m = wide(n + 1, text)
    return m + len(a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 + a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28 + a29 + a30 + a31 + a32 + a33 + a34 + a35 + a36 + a37 + a38 + a39 + a40 + a41 + a42 + a43 + a44 + a45 + a46 + a47 + a48 + a49 + a50 + a51 + a52 + a53 + a54 + a55 + a56 + a57 + a58 + a59)


def frames() -> int:
    return wide(0, "x".ljust(20))


def ranks() -> int:
    x = torch.ones([1])
    for i in range(1000000):
        x = x.unsqueeze(0)
    return x.dim()


# A million steps, each of which would take longer than the one before it if it copied the text.
def written() -> int:
    text = ""
    for i in range(1000000):
        text += "x"
    return len(text)


# None of these comes near a limit.
def modest() -> int:
    xs: List[str] = []
    for i in range(1000):
        xs = [str(i)] * 100
        t = torch.ones([10000]) * float(i)
        xs.append(str(float(t.sum())))
    print("done")
    return len(xs)
