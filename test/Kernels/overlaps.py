# Nobody writes over what an operand has still to give: PyTorch's words.
# RUN: %exits 1 tsc-run %s --entry transposed 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry shifted 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry broadcast 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry out 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry itself 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry joined 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry chosen 2>&1 | FileCheck %s
# CHECK: RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.
# RUN: tsc-run %s --entry fine | FileCheck --check-prefix=FINE %s
# FINE:      ([0.0, 2.0, 4.0], [1.0, 3.0, 3.0], [5.0, 5.0])


def transposed():
    x = torch.arange(9.).view(3, 3)
    return x.copy_(x.t())


def shifted():
    x = torch.arange(4.)
    return x[1:].add_(x[:-1])


def broadcast():
    x = torch.arange(9.).view(3, 3)
    return x.mul_(x[0])


def out():
    x = torch.arange(4.)
    return torch.sin(x[1:], out=x[:-1])


def itself():
    x = torch.arange(3.)
    return x.index_add_(0, torch.tensor([0, 1, 2]), x)


def joined():
    x = torch.arange(4.)
    return torch.cat([x, x], out=x)


def chosen():
    x = torch.arange(4.)
    x[torch.tensor([0, 1])] = x[1:3]
    return x


# An operand may be what is written, element by element; halves of one tensor are apart; filling wants nothing back.
def fine():
    x = torch.arange(3.)
    x.add_(x)
    y = torch.tensor([1., 2., 3.])
    y[1:2].copy_(y[2:])
    z = torch.zeros([1]).expand([2])
    z.fill_(5)
    a: List[float] = x.tolist()
    b: List[float] = y.tolist()
    c: List[float] = z.tolist()
    return a, b, c
