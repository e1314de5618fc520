# RUN: %exits 1 tsc-run --entry early %s 2>&1 | FileCheck %s --check-prefix=EARLY
# RUN: %exits 1 tsc-run --entry backend %s 2>&1 | FileCheck %s --check-prefix=BACKEND
# RUN: %exits 1 tsc-run --cuda-driver /nowhere/libcuda.so --entry nccl %s 2>&1 | FileCheck %s --check-prefix=NCCL
# RUN: %exits 1 tsc-run --entry library %s 2>&1 | FileCheck %s --check-prefix=LIBRARY
# RUN: %exits 1 tsc-run --entry exchanges %s 2>&1 | FileCheck %s --check-prefix=EXCHANGES
# RUN: %exits 1 tsc-run --entry gathers %s 2>&1 | FileCheck %s --check-prefix=GATHERS
# RUN: tsc-run --entry asks %s | FileCheck %s --check-prefix=ASKS
import torch
import torch.distributed as dist
from torch.distributed import ReduceOp


# EARLY: ValueError: Default process group has not been initialized, please make sure to call init_process_group.
def early():
    dist.all_reduce(torch.ones([2]), op=ReduceOp.MAX)


# BACKEND: init_process_group: the backend 'gloo' is none here: there are "mpi" and "nccl", or one for each device, as in "cpu:mpi,cuda:nccl"
def backend():
    dist.init_process_group("gloo")


# NCCL: init_process_group: CUDA's driver is not there: /nowhere/libcuda.so
def nccl():
    dist.init_process_group("nccl")


# Sizes are looked at before ranks are.
# EXCHANGES: all_to_all_single: the result has more elements than numbers can count
def exchanges():
    return torch.ops._c10d_functional.all_to_all_single(torch.ones([3, 81]), [4611686018427387904], [3], "0")


# GATHERS: all_gather_into_tensor: the result has more elements than numbers can count
def gathers():
    return torch.ops._c10d_functional.all_gather_into_tensor(torch.ones([3]), 4611686018427387904, "0")


# Nothing of MPI is linked: what cannot be opened is told, in one sentence.
# LIBRARY: init_process_group: cannot open the MPI library '/nowhere/libmpi.so'
def library():
    dist.init_process_group("mpi", init_method="file:///nowhere/libmpi.so")


# ASKS: False
# ASKS: True
def asks():
    print(dist.is_initialized())
    return dist.is_available()
