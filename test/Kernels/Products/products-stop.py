# Ctrl-C ends a product of matrices in its midst, whatever its elements are. Each of these would take minutes and more: its
# operands show few elements again and again.
# RUN: %python %S/../Inputs/interrupt.py tsc-run %s floats doubles integers complex_numbers row batches


def terms(rows: int, dtype: torch.dtype) -> Tensor:
    return torch.ones([1], dtype=dtype).expand(rows, 68719476736)


def squared(x: Tensor) -> Tensor:
    print("begins")
    return torch.mm(x, x.t())


def floats():
    return squared(terms(16, torch.float32))


def doubles():
    return squared(terms(16, torch.float64))


def integers():
    return squared(terms(16, torch.int64))


def complex_numbers():
    return squared(terms(16, torch.complex64))


def row():
    x = terms(1, torch.float32)
    y = torch.ones([64]).expand(68719476736, 64)
    print("begins")
    return torch.mm(x, y)


def batches():
    x = torch.ones([1]).expand(3, 16, 68719476736)
    print("begins")
    return torch.bmm(x, x.transpose(1, 2))
