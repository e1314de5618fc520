# --explain says what each fusion group is; --trace writes a timeline; both on their own channel.
# RUN: rm -rf %t.eager %t.cache %t.plain
# RUN: env XDG_CACHE_HOME=%t.eager tsc-run %s --args 'torch.ones([64, 64])' --compile=eager --explain --trace %t.json 2>%t.err | FileCheck --check-prefix=RESULT %s
# RUN: FileCheck --check-prefix=EXPLAIN --input-file=%t.err %s
# RUN: FileCheck --check-prefix=TRACE --input-file=%t.json %s
import torch


def main(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x * 2).sum()


# RESULT:       8192.
# EXPLAIN:      fusion group: aten::mul, aten::relu, aten::sum (explain.py:[[# @LINE-4]])
# EXPLAIN-NEXT: 1 calls, 0.016 MB in and out, {{.*}} us; the best at {{.*}} % of the copy bandwidth of {{[0-9]{1,3}[.][0-9]}} GB/s
# EXPLAIN-NEXT: 1 fusion groups; 0 operators beside them took 0.0 us
# TRACE: "traceEvents":[{"name":"{{[^"]+}}","cat":"pass","ph":"X"
# TRACE: {"name":"fuse","cat":"pass","ph":"X"
# TRACE: {"name":"{{[^"]*}}.main","cat":"plan","ph":"X"
# TRACE: {"name":"tsc_mul_relu_sum_{{[^"]+}}","cat":"compile","ph":"X"
# TRACE: {"name":"tsc_mul_relu_sum_{{[^"]+}}","cat":"kernel","ph":"X"
# TRACE: "args":{"detail":"[4096]","bytes":16388}
# TRACE: {"name":"aten::mul, aten::relu, aten::sum (explain.py:{{[0-9]+}})","cat":"group","ph":"X"
# TRACE: "args":{"detail":"Float[64, 64]","bytes":16388}

# A single call waits for its kernels, and groups of the same operators are told apart.
# RUN: env XDG_CACHE_HOME=%t.eager tsc-run %s --entry twice --args 'torch.ones([64, 64])' --explain 2>&1 >/dev/null | FileCheck --check-prefix=TWICE %s
# TWICE:      fusion group: aten::mul, aten::relu, aten::sum (explain.py:[[#FIRST:]])
# TWICE:      fusion group: aten::mul, aten::relu, aten::sum (explain.py:[[#FIRST+1]])
# TWICE:      2 fusion groups

# A program that fails has a timeline, too.
# RUN: rm -f %t.json
# RUN: not tsc-run %s --entry fails --args 'torch.ones([64, 64])' --bench 1 --trace %t.json 2>&1 | FileCheck --check-prefix=FAILS %s
# RUN: FileCheck --check-prefix=FAILED --input-file=%t.json %s
# FAILS:  error
# FAILED: {"name":"aten::relu","cat":"operator"

# What is left to the plain nodes is their time, and no group's.
# RUN: env XDG_CACHE_HOME=%t.plain tsc-run %s --args 'torch.ones([64, 64])' --compile=eager --compile-budget=0 --explain 2>&1 >/dev/null | FileCheck --check-prefix=PLAIN %s
# PLAIN-NOT:  fusion group:
# PLAIN:      0 fusion groups; 3 operators beside them took
# PLAIN-NEXT: kernels: 0 compiled in 0.0 ms, 0 from the disk cache, 0 runs, 1 calls left to the plain nodes

# Of a slice only what is in it is read: one row, and one column folded to one number.
# RUN: env XDG_CACHE_HOME=%t.eager tsc-run %s --entry row --args 'torch.ones([64, 64])' --compile=eager --trace %t.json
# RUN: FileCheck --check-prefix=ROW --input-file=%t.json %s
# RUN: env XDG_CACHE_HOME=%t.eager tsc-run %s --entry column --args 'torch.ones([64, 64])' --compile=eager --trace %t.json
# RUN: FileCheck --check-prefix=COLUMN --input-file=%t.json %s
# ROW:    "cat":"group",{{.*}}"args":{"detail":"Float[64, 64]","bytes":512}
# COLUMN: "cat":"group",{{.*}}"args":{"detail":"Float[64, 64]","bytes":260}

# In the background, plans and kernels have threads of their own, by these names.
# RUN: env XDG_CACHE_HOME=%t.cache tsc-run %s --args 'torch.ones([64, 64])' --bench 1 --trace %t.json >/dev/null
# RUN: FileCheck --check-prefix=THREADS --input-file=%t.json %s
# THREADS-DAG: {"name":"thread_name","ph":"M","pid":1,"tid":[[PLANS:[0-9]+]],"args":{"name":"plans"}}
# THREADS-DAG: {"name":"thread_name","ph":"M","pid":1,"tid":[[KERNELS:[0-9]+]],"args":{"name":"kernels"}}
# THREADS:     {"name":"fuse","cat":"pass",{{[^}]*}}"tid":[[PLANS]]
# THREADS:     "cat":"compile",{{[^}]*}}"tid":[[KERNELS]]

# RUN: not tsc-run %s --args 'torch.ones([2])' --trace %t.none/t.json 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
# UNWRITABLE: error: cannot write '{{.*}}t.json': No such file or directory


def row(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x[0] * 2)


def column(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x[:, 0] * 2).sum()


def twice(x: torch.Tensor):
    y = torch.relu(x * 2).sum()
    return y, torch.relu(x.mm(x) * 3).sum()


def fails(x: torch.Tensor):
    y = torch.relu(x * 2).sum()
    if bool(y > 0):
        raise RuntimeError("no")
    return y
