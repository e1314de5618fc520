# RUN: tsc-run %s --entry places --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=PLACES
# RUN: tsc-run %s --entry moves --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=MOVES
# RUN: tsc-run %s --entry views --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=VIEWS
# RUN: tsc-run %s --entry writes --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=WRITES
# RUN: %exits 1 tsc-run %s --entry mixes --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s --check-prefix=MIXES
# RUN: tsc-run %s --entry numbers --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=NUMBERS
# RUN: tsc-run %s --entry remarked --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s --check-prefix=REMARK
# RUN: tsc-run %s --entry known --cuda-driver %fake_cuda_driver --compile eager | FileCheck %s --check-prefix=KNOWN
# RUN: %exits 1 tsc-run %s --entry places --cuda-driver /nowhere.so 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: %exits 2 tsc-run %s --entry places --device cuda --cuda-driver /nowhere.so 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: %exits 2 tsc-run %s --entry places --device cuda:7 --cuda-driver %fake_cuda_driver 2>&1 | FileCheck %s --check-prefix=SEVENTH
# REQUIRES: fake-cuda-driver
import torch

# Factories make tensors where they are told, and tensors say where they are.
# PLACES: cuda{{.*}} True False
# PLACES: cpu
# PLACES: tensor({{\[}}[0., 0., 0.],
# PLACES-NEXT: [0., 0., 0.]], device='cuda:0')
def places():
    x = torch.zeros([2, 3], device='cuda')
    print(x.device, x.is_cuda, x.is_cpu)
    print(torch.ones([2]).device)
    print(x)
    return x

# A tensor that is there already is itself; else there is a copy, of dense strides, in the dtype that is asked for.
# MOVES: True False
# MOVES: (3, 1) (1, 2) {{.*}}cuda
# MOVES: 3 {{.*}}cpu
# MOVES: tensor([1, 2], device='cuda:0', dtype=torch.int16)
def moves():
    x = torch.ones([2, 3])
    y = x.cuda()
    print(y.cuda() is y, y.cpu() is y)
    print(y.stride(), torch.ones([3, 2]).t().cuda().stride(), torch.zeros_like(y).device)
    print(int(y.sum()) // 2, y.cpu().device)
    return torch.tensor([1.5, 2.5]).to('cuda', torch.int16)

# Views share the memory of the tensor that they are of.
# VIEWS: torch.Size([4]) torch.Size([2])
# VIEWS: 10
# VIEWS: tensor({{\[}}[ 0,  7],
# VIEWS-NEXT:          [ 2, 10],
# VIEWS-NEXT:          [ 4,  5]], device='cuda:0')
def views():
    x = torch.arange(6, device='cuda').view(3, 2)
    parts = x.t().unbind()
    print(x[1:].flatten().shape, x[:, 1][:2].shape)
    parts[1][1] = 10
    print(int(x[1, 1]))
    x[0, 1] = 7
    return x

# What an operator writes, in place or to `out`, is there.
# WRITES: tensor([5., 6., 7.], device='cuda:0')
# WRITES: tensor([3., 2., 1.], device='cuda:0') tensor([0, 2, 1], device='cuda:0') True
# WRITES: tensor([2., 3.], device='cuda:0')
def writes():
    x = torch.tensor([1., 2., 3.], device='cuda')
    y = x.add_(4)
    print(x)
    x.copy_(torch.tensor([3., 1., 2.]))
    values, order = torch.sort(y, descending=True)
    print(values, order, y is x)
    x.resize_([2])
    torch.add(torch.ones([2], device='cuda'), torch.tensor([1., 2.], device='cuda'), out=x)
    return x

# MIXES: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
def mixes():
    return torch.ones([2], device='cuda') + torch.ones([2])

# A number that the processor holds as a tensor goes along with tensors of any device; so do indices.
# NUMBERS: True 4.0
# NUMBERS: tensor([3., 1.], device='cuda:0')
def numbers():
    x = torch.tensor([1., 2., 3.], device='cuda')
    if bool((x * torch.tensor(2.) > 1.5).all()):
        print(bool(x[0] > 0), (x[0] + x[2]).item())
    return x[torch.tensor([2, 0])]

# A plan knows no better where a tensor is that was moved.
# KNOWN: cuda:0 False
# KNOWN: cpu cpu
def known():
    x = torch.randn([4, 6])
    y = x.cuda()
    print(y.device, y.cpu().is_cuda)
    print(y.cpu().device, y.to(torch.tensor(1.)).device)

# REMARK-COUNT-1: remark: 'aten::cumsum' has no kernel for GPUs: it runs on the processor, and its tensors are copied there and back
# REMARK-NOT: aten::cumsum
def remarked():
    x = torch.tensor([2., 1.], device='cuda')
    return x.cumsum(0).cumsum(0)

# NONE: CUDA's driver is not there
# SEVENTH: there is no CUDA device 7: there are 1
