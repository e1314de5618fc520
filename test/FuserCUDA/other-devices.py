# RUN: %exits 1 tsc-run %s --entry moved --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=META
# RUN: %exits 1 tsc-run %s --entry like --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=META
# RUN: %exits 1 tsc-run %s --entry made_new --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=META
# RUN: %exits 1 tsc-run %s --entry made --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=META
# RUN: %exits 1 tsc-run %s --entry of_list --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=META
# RUN: %exits 1 tsc-run %s --entry asked --args '"mps"' 2>&1 | FileCheck %s --check-prefix=MPS
# RUN: %exits 1 tsc-run %s --entry asked --args '"xpu:1"' 2>&1 | FileCheck %s --check-prefix=XPU
# RUN: %exits 1 tsc-run %s --entry asked --args '"privateuseone:1"' 2>&1 | FileCheck %s --check-prefix=PRIVATE
# RUN: %exits 1 tsc-run %s --entry asked --args '"gpu"' 2>&1 | FileCheck %s --check-prefix=GPU
# RUN: %exits 1 tsc-run %s --entry asked --args '"mps:x"' 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: tsc-run %s --entry names --cuda-driver %fake_cuda_driver | FileCheck %s --check-prefix=NAMES
# REQUIRES: fake-cuda-driver
import torch

# A device that is neither the processor nor a GPU is an error, whoever names it, and never the processor.
# META: tensors on device 'meta' are not supported
def moved():
    return torch.zeros([2], device='cuda').to('meta')
def like():
    return torch.zeros_like(torch.zeros([2], device='cuda'), device='meta')
def made_new():
    return torch.zeros([2], device='cuda').new_zeros([2], device='meta')
def made():
    return torch.tensor([1.0], device='meta')
def of_list():
    return torch.as_tensor([2, 3], device='meta')

# MPS: tensors on device 'mps' are not supported
# XPU: tensors on device 'xpu:1' are not supported
# PRIVATE: tensors on device 'privateuseone:1' are not supported
# GPU: Expected one of cpu, cuda, ipu, {{.*}}, privateuseone device type at start of device string: gpu
# NUMBER: Invalid device string: 'mps:x'
def asked(name: str):
    return torch.zeros([2], device=torch.device(name))

# Who only speaks of a device makes nothing there.
# NAMES: meta False True
def names():
    there = torch.zeros([2], device='cuda').device
    print(torch.device('meta').type, there == torch.device('meta'), there.type == 'cuda')
