# What an operator takes beside its operands and its result counts as memory of the call: copies of operands, tables of
# roots, offsets. With the first limit there is room for all but these, with the second for these, too.
# RUN: %exits 1 tsc-run --max-memory 24M %s --entry few_rows 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 64M %s --entry few_rows | FileCheck --check-prefix=ROWS %s
# ROWS: tensor(1048576.)
# RUN: %exits 1 tsc-run --max-memory 40M %s --entry planes 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 128M %s --entry planes | FileCheck --check-prefix=PLANES %s
# PLANES: [1024, 1024]
# RUN: %exits 1 tsc-run --max-memory 28M %s --entry integers 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 64M %s --entry integers | FileCheck --check-prefix=INTEGERS %s
# INTEGERS: tensor(1024)
# RUN: %exits 1 tsc-run --max-memory 64M %s --entry roots 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 256M %s --entry roots | FileCheck --check-prefix=ROOTS %s
# ROOTS: [500002]
# RUN: %exits 1 tsc-run --max-memory 56M %s --entry offsets 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 128M %s --entry offsets | FileCheck --check-prefix=OFFSETS %s
# OFFSETS: [4194304]
# RUN: %exits 1 tsc-run --max-memory 80M %s --entry starts 2>&1 | FileCheck --check-prefix=EXCEEDED %s
# RUN: tsc-run --max-memory 128M %s --entry starts | FileCheck --check-prefix=STARTS %s
# STARTS: [2097152, 1]
# EXCEEDED: the program exceeded its limit of memory

# Where nothing is selected there are no offsets.
# RUN: tsc-run --max-memory 1M %s --entry nothing | FileCheck --check-prefix=NOTHING %s
# NOTHING: [4194304, 0]


def few_rows():
    # Eight rows whose elements are no neighbours, times a transposed matrix: the rows are copied.
    rows = torch.ones([2097152])[::2].expand(8, 1048576)
    matrix = torch.ones([1048576]).expand(16, 1048576).t()
    return torch.mm(rows, matrix)[0, 0]


def planes():
    x = torch.ones([1024, 1024], dtype=torch.complex64)
    y = torch.ones([1024, 1024], dtype=torch.complex64)
    return torch.mm(x, y).shape


def integers():
    x = torch.ones([1024, 1024], dtype=torch.int64)
    y = torch.ones([1024, 1024], dtype=torch.int64)
    return torch.mm(x, y.t())[0, 0]


def roots():
    # The length is a prime number.
    return torch.fft.rfft(torch.ones([1000003])).shape


def positions():
    return torch.zeros([1], dtype=torch.int64).expand(4194304)


def offsets():
    return torch.zeros([4], dtype=torch.uint8)[positions()].shape


def nothing():
    return torch.zeros([4, 0])[positions()].shape


def starts():
    indices = torch.zeros([1, 1], dtype=torch.int64).expand(2097152, 1)
    return torch.embedding_bag(torch.ones([1, 1]), indices, torch.zeros([1], dtype=torch.int64))[0].shape
