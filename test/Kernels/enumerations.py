# An int that is no dtype, layout or memory format is refused before a kernel sees it.
# RUN: %exits 1 tsc-run %s --entry summed 2>&1 | FileCheck --check-prefix=NEGATIVE %s
# RUN: %exits 1 tsc-run %s --entry converted 2>&1 | FileCheck --check-prefix=NEGATIVE %s
# RUN: %exits 1 tsc-run %s --entry made 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry normalized 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry promoted 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry laid_out 2>&1 | FileCheck --check-prefix=LAYOUT %s
# RUN: %exits 1 tsc-run %s --entry formatted 2>&1 | FileCheck --check-prefix=FORMAT %s
# NEGATIVE: RuntimeError: invalid scalar type -1
# LARGE:    RuntimeError: invalid scalar type 99
# LAYOUT:   RuntimeError: Unknown layout
# FORMAT:   RuntimeError: Unsupported memory format. Supports only ChannelsLast, ChannelsLast3d, Contiguous
def summed():
    return torch.zeros([2]).sum(dtype=-1)


def converted():
    return torch.zeros([2]).to(dtype=-1)


def made():
    return torch.zeros([2], dtype=99)


def normalized():
    return torch.zeros([2]).softmax(0, dtype=99)


def promoted():
    return torch.promote_types(99, 3)


def laid_out():
    return torch.zeros([2], layout=7)


def formatted():
    return torch.zeros([2]).contiguous(memory_format=77)
