# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: tsc-run %s --entry rest --cuda-driver %fake_cuda_driver --compile eager | FileCheck %s --check-prefix=REST
import torch

# A GPU draws by Philox: PyTorch's numbers for CUDA, each thread with a subsequence of its own. (Those of seed 0 are
# what its users report for that seed.) Nothing goes through the processor.
# CHECK-NOT: remark
# CHECK:     tensor([0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290,
# CHECK:             0.9096], device='cuda:0')
# CHECK:     tensor([-0.9247, -0.4253, -2.6438,  0.1452, -0.1209, -0.5797, -0.6229, -0.3284,
# CHECK:             -1.0745, -0.3631], device='cuda:0')
# The first words of the published test vector of Philox 4x32-10 with counter and key 0: 6627e8d5 e169c58d.
# CHECK:     3781805453
# CHECK:     443579093626766733
def main():
    torch.manual_seed(0)
    print(torch.rand([10], device='cuda'))
    torch.manual_seed(0)
    print(torch.randn([10], device='cuda'))
    torch.manual_seed(0)
    print(torch.randint(0, 1 << 32, [2], device='cuda')[0].item())
    torch.manual_seed(0)
    print(torch.randint(0, (1 << 62) + (1 << 61), [2], device='cuda')[0].item())

def rest():
    # What was drawn moves the sequence on by four for each number that a thread takes; manual_seed begins it anew.
    # REST: True
    # REST: True
    # REST: False
    torch.manual_seed(5)
    a = torch.rand([3], device='cuda')
    b = torch.rand([3], device='cuda')
    torch.manual_seed(5)
    print(torch.equal(torch.zeros([3], device='cuda').uniform_(), a))
    torch.manual_seed(5)
    print(torch.equal(torch.ops.aten.uniform(torch.zeros([3], device='cuda')), a))
    print(torch.equal(a, b))

    # Dropout gives a thread neighbours, as many as fit: four, two, or one.
    # REST: tensor([{{.*}}], device='cuda:0')
    # REST: True True True
    torch.manual_seed(0)
    four = torch.dropout(torch.ones([8], device='cuda'), 0.5, True)
    torch.manual_seed(0)
    two = torch.dropout(torch.ones([6], device='cuda'), 0.5, True)
    torch.manual_seed(0)
    one = torch.dropout(torch.ones([5], device='cuda'), 0.5, True)
    torch.manual_seed(0)
    first = torch.where(torch.rand([5], device='cuda') < 0.5, 2., 0.)
    print(four)
    print(torch.equal(one, first), torch.equal(two[0:2], four[0:2]), torch.equal(two[2:4], four[4:6]))

    # More elements than threads: each takes several, and so do several blocks. Moments are those that are asked for.
    # REST: True True True
    x = torch.randn([200003], device='cuda')
    y = torch.zeros([100001], device='cuda', dtype=torch.double).normal_(3., 2.)
    z = torch.zeros([70001], device='cuda', dtype=torch.half).bernoulli_(0.25)
    print(bool(abs(x.mean()) < 0.02) and bool(abs(x.std() - 1) < 0.02),
          bool(abs(y.mean() - 3) < 0.05) and bool(abs(y.std() - 2) < 0.05), bool(abs(z.float().mean() - 0.25) < 0.02))

    # A number that rounding to a half type brought to the interval's end is its beginning.
    # REST: True True
    # REST: True True
    for dtype in (torch.half, torch.bfloat16):
        h = torch.rand([100003], device='cuda', dtype=dtype).float()
        print(bool(h.max() < 1), bool(h.min() == 0))

    # What does not suit is the processor's error.
    # REST: expects p to be in [0, 1]
    try:
        torch.zeros([3], device='cuda').bernoulli_(2.)
    except Exception as e:
        print(e)

    # Gradients go where elements stayed; each seed is a sequence of its own, also for tensors that are like others.
    # REST: True True
    # REST: True
    torch.manual_seed(0)
    x = torch.ones([8], device='cuda').requires_grad_()
    y = torch.dropout(x, 0.5, True)
    y.sum().backward()
    print(torch.equal(y, four), torch.equal(x.grad, four))
    torch.manual_seed(1)
    other = torch.rand_like(a)
    torch.manual_seed(1)
    print(torch.equal(torch.rand([3], device='cuda'), other) and not torch.equal(other, a))
