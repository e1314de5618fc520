# A number beside a tensor of a narrow type wraps in it, as a tensor of no dimensions does; a bound, an exponent or a
# value to fill with has to fit.
# RUN: tsc-run %s --entry wrapped | FileCheck --check-prefix=WRAPPED %s
# WRAPPED: (tensor([4], dtype=torch.int8), tensor([-3], dtype=torch.int8), tensor([True]), tensor([False]), tensor([144], dtype=torch.uint8), tensor([56], dtype=torch.uint8))
# In a fused kernel too, be the number a constant or an argument.
# RUN: tsc-run %s --entry fused --compile eager --args '-3' | FileCheck --check-prefix=FUSED %s
# RUN: tsc-run %s --entry fused -O0 --args '-3' | FileCheck --check-prefix=FUSED %s
# FUSED: (tensor([0, 0, 2], dtype=torch.uint8), tensor([ 14,  14, 254], dtype=torch.uint8))
# RUN: %exits 1 tsc-run %s --entry filled 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry chosen --args '3, 300' 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry chosen --args '3, 300' --compile eager 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry scattered 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry replaced 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry added 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry raised 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry masked 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry padded 2>&1 | FileCheck --check-prefix=BYTE %s
# RUN: %exits 1 tsc-run %s --entry scaled 2>&1 | FileCheck --check-prefix=BYTE %s
# BYTE: RuntimeError: value cannot be converted to type uint8_t without overflow
# A bound beyond the other end bounds nothing, as in current PyTorch; one that leaves nothing is an error.
# RUN: tsc-run %s --entry bounded --args='-1, 300' | FileCheck --check-prefix=BOUNDED %s
# RUN: tsc-run %s --entry bounded --args='-1, 300' --compile eager | FileCheck --check-prefix=BOUNDED %s
# RUN: tsc-run %s --entry bounded --args='-1, 300' -O0 | FileCheck --check-prefix=BOUNDED %s
# BOUNDED: (tensor([  0, 100, 255], dtype=torch.uint8), tensor([  0, 100, 255], dtype=torch.uint8), tensor([  1, 101, 255], dtype=torch.uint8), tensor([-128,    0,  127], dtype=torch.int8))
# RUN: %exits 1 tsc-run %s --entry bounded --args='300, 400' 2>&1 | FileCheck --check-prefix=LOW %s
# LOW: RuntimeError: Clamp min value 300 is outside the representable range of Byte
# RUN: %exits 1 tsc-run %s --entry bounded --args='-300, -1' --compile eager 2>&1 | FileCheck --check-prefix=HIGH %s
# HIGH: RuntimeError: Clamp max value -1 is outside the representable range of Byte
# RUN: tsc-run %s --entry limited | FileCheck --check-prefix=LIMITED %s
# RUN: tsc-run %s --entry limited --compile eager | FileCheck --check-prefix=LIMITED %s
# LIMITED: (tensor([0, 1, 1], dtype=torch.uint8), tensor([  0, 100, 120], dtype=torch.int8), tensor([  0, 100, 120], dtype=torch.int16), tensor([  0, 100, 120], dtype=torch.int32))
# RUN: %exits 1 tsc-run %s --entry large 2>&1 | FileCheck --check-prefix=FLOAT %s
# FLOAT: RuntimeError: value cannot be converted to type float without overflow
# RUN: %exits 1 tsc-run %s --entry shifted 2>&1 | FileCheck --check-prefix=SHIFTED %s
# SHIFTED: RuntimeError: "lshift_cpu" not implemented for 'Float'

# Half types likewise: what takes part is rounded first, also a tensor of no dimensions, and so in compiled code.
# RUN: tsc-run %s --entry halves | FileCheck --check-prefix=HALVES %s
# RUN: tsc-run %s --entry halves --compile eager | FileCheck --check-prefix=HALVES %s
# HALVES: (tensor([ True, False, False]), tensor([ 0.8008,  1.3984, -2.2969], dtype=torch.bfloat16), tensor([ 0.0698,  0.4883, -2.0938], dtype=torch.bfloat16), tensor([9.0000, 0.6992, 9.0000], dtype=torch.bfloat16), tensor([ 0.0000,  0.6992, -3.0000], dtype=torch.bfloat16), tensor([ 0.1001,  0.6992, -0.3008], dtype=torch.bfloat16))
# RUN: tsc-run %s --entry bytes --args 300 | FileCheck --check-prefix=BYTES %s
# RUN: tsc-run %s --entry bytes --args 300 --compile eager | FileCheck --check-prefix=BYTES %s
# BYTES: (tensor([False,  True, False]), tensor([ 0,  1, -1], dtype=torch.int8), tensor([False,  True, False]))

# Elements are rounded to the dtype that a sum is asked in before they are added.
# RUN: tsc-run %s --entry sums | FileCheck --check-prefix=SUMS %s
# RUN: tsc-run %s --entry sums --compile eager | FileCheck --check-prefix=SUMS %s
# SUMS: (tensor(2048., dtype=torch.float16), tensor(False), tensor(True))


def wrapped():
    low = torch.tensor([-128], dtype=torch.int8)
    byte = torch.tensor([44], dtype=torch.uint8)
    return low % 300, low.floor_divide_(300), byte == 300, byte < 300, byte * 300, torch.full_like(byte, -200)


def quotients(x: Tensor, n: int):
    return (torch.div(x, -3, rounding_mode="floor") + torch.div(x, n, rounding_mode="floor"),
            torch.threshold(x * 1, n, 7) + torch.threshold(x + 0, n, 7))


def fused(n: int):
    x = torch.tensor([0, 100, 255], dtype=torch.uint8)
    return quotients(x, n)


def filled():
    return torch.full_like(torch.zeros([2], dtype=torch.uint8), 9223372036854775807)


def bounded(low: int, high: int):
    x = torch.tensor([0, 100, 255], dtype=torch.uint8)
    y = torch.tensor([-128, 0, 127], dtype=torch.int8)
    return (x.clamp(low), torch.clamp_max(torch.clamp_min(x, low), high), x.clamp(low, high).clamp_(max=254) + 1,
            y.clip(max=high))


def limited():
    x = torch.tensor([0, 100, 120])
    return (torch.ops.aten.hardtanh(x.to(torch.uint8), -1, 1), torch.ops.aten.hardtanh(x.to(torch.int8), 0, 300),
            x.to(torch.int16).clamp(-40000, 40000), x.to(torch.int32).clamp_max(3000000000))


def chosen_of(n: int):
    x = torch.tensor([0, 100], dtype=torch.uint8)
    return torch.where(x > 1, x + 1, n) + 1


def chosen(n: int, m: int):
    return chosen_of(n), chosen_of(m)


def scattered():
    return torch.zeros([2], dtype=torch.uint8).scatter(0, torch.tensor([0]), 300)


def replaced():
    return torch.threshold(torch.zeros([2], dtype=torch.uint8), 300, 2)


def added():
    x = torch.zeros([2], dtype=torch.uint8)
    return torch.addcmul(x, x, x, value=300)


def raised():
    return torch.zeros([2], dtype=torch.uint8) ** 300


def masked():
    return torch.zeros([2], dtype=torch.uint8).masked_fill(torch.tensor([True, False]), 300)


def padded():
    return torch.constant_pad_nd(torch.zeros([2], dtype=torch.uint8), [1, 1], 300)


def scaled():
    return torch.zeros([2], dtype=torch.uint8).add(1, alpha=300)


def large():
    return torch.zeros([2]).fill_(1e300)


def shifted():
    return torch.tensor(2.5) << 2.5


def halves():
    x = torch.tensor([0.1, 0.7, -3.0], dtype=torch.bfloat16)
    shrunk = torch.nn.functional.hardshrink(x, 0.1)
    leaky = torch.nn.functional.leaky_relu(x, 0.1)
    return x == 0.1, x + 0.7, x * torch.tensor(0.7), torch.threshold(x, 0.1, 9.0), shrunk, leaky


def bytes(n: int):
    x = torch.tensor([1, 44, -3], dtype=torch.int8)
    return x == torch.tensor(n), x // torch.tensor(300), x == n


def sums():
    x = torch.tensor([2049.0, 0.3, 0.0])
    return x.sum(dtype=torch.half), x.prod(0, dtype=torch.bool), x[1:].sum(dtype=torch.bool)
