# A program that asks for more memory than there is, or than one value may have, fails; it does not end the process.
# UNSUPPORTED: sanitizer, emulator
# RUN: %exits 1 bash -c "ulimit -v 8000000; tsc-run %s --entry text" 2>&1 | FileCheck --check-prefix=TEXT %s
# TEXT: MemoryError
# RUN: %exits 1 bash -c "ulimit -v 8000000; tsc-run %s --entry lists" 2>&1 | FileCheck --check-prefix=LISTS %s
# LISTS: MemoryError
# RUN: %exits 1 bash -c "ulimit -v 8000000; tsc-run %s --entry joined" 2>&1 | FileCheck --check-prefix=JOINED %s
# JOINED: MemoryError
# RUN: %exits 1 tsc-run %s --entry chosen 2>&1 | FileCheck --check-prefix=CHOSEN %s
# CHOSEN: combinations: the result is too large
def text():
    x = 'a'
    for i in range(60):
        x = x + x
    return len(x)


def lists():
    x = [1]
    for i in range(60):
        x = x + x
    return len(x)


def joined():
    x = 'ab'
    for i in range(60):
        x = x.join([x, x, x])
    return len(x)


def chosen():
    return torch.combinations(torch.arange(100), 50)
