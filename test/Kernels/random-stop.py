# Operators that draw at length, or sort rows, count what they do, and look while they do it whether the call is to end.
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry poissons 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry binomials 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry gammas 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry dirichlets 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry permuted 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry chosen 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry replaced 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry rows 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry neighbours 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry uniforms 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry normals 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry chances 2>&1 | FileCheck %s
# CHECK: the program exceeded its limit of steps (--max-steps)
# Small ones count for next to nothing: the thousand turns of the loop are a thousand of the steps.
# RUN: tsc-run --max-steps 1200 %s --entry few | FileCheck --check-prefix=FEW %s
# FEW: {{^}}1000{{$}}


def poissons():
    return torch.poisson(torch.full([100000], 20.0)).sum()


def binomials():
    return torch.binomial(torch.full([100000], 20.0), torch.full([100000], 0.75)).sum()


def gammas():
    return torch._standard_gamma(torch.ones([100000])).sum()


def dirichlets():
    return torch._sample_dirichlet(torch.ones([1000, 100])).sum()


def permuted():
    return torch.randperm(300000).sum()


def chosen():
    return torch.multinomial(torch.ones([200000]), 100000).sum()


def replaced():
    return torch.multinomial(torch.ones([2]), 100000, True).sum()


def rows():
    return torch.unique(torch.randint(0, 1, [4000, 1000]), dim=0)


def neighbours():
    return torch.unique_consecutive(torch.randint(0, 1, [4000, 1000]), dim=0)


def uniforms():
    return torch.empty([500000]).uniform_().sum()


def normals():
    return torch.randn([500000]).sum()


def chances():
    return torch.bernoulli(torch.full([500000], 0.5)).sum()


def few() -> int:
    n = 0
    for i in range(1000):
        n += torch.randperm(10).size(0) + torch.multinomial(torch.ones([4]), 2).size(0) - 12
        n += torch.poisson(torch.ones([4])).size(0) - 3
    return n
