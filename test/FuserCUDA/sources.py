# RUN: tsc-run %s --entry gated --print-kernels cuda --args 'torch.ones([4, 300]), torch.ones([300]), torch.ones([4, 1], dtype=torch.bool)' | FileCheck %s --check-prefix=GATED
# RUN: tsc-run %s --entry halves --print-kernels cuda --args 'torch.ones([40], dtype=torch.half), torch.ones([40])' | FileCheck %s --check-prefix=HALVES
# RUN: tsc-run %s --entry several --print-kernels cuda --args 'torch.ones([4, 8])' | FileCheck %s --check-prefix=SEVERAL
# RUN: tsc-run %s --entry normed --print-kernels cuda --args 'torch.ones([4, 300])' | FileCheck %s --check-prefix=NORMED
# RUN: tsc-run %s --entry total --print-kernels cuda --args 'torch.ones([40, 3000])' | FileCheck %s --check-prefix=TOTAL
# RUN: tsc-run %s --entry columns --print-kernels cuda --args 'torch.ones([3000, 40])' | FileCheck %s --check-prefix=COLUMNS
# RUN: tsc-run %s --entry special --print-kernels cuda --args 'torch.ones([4])' | FileCheck %s --check-prefix=SPECIAL
import torch

# A row's own element is read once for four elements; those that are neighbours, in one access of 16 bytes.
# GATED:      __global__ void __launch_bounds__(256) [[NAME:tsc_[a-z_0-9]+]](const __grid_constant__ tsc_params<4, 1> p) {
# GATED:        const tsc_place place = tsc_place_of(p, unit, 4);
# GATED:          const bool v0 = *(unsigned char *)at[0] != 0;
# GATED:          const bool whole = p.vector && first + 4 <= p.count;
# GATED:          tsc_vector<float, 4> x1;
# GATED:            x1 = *(tsc_vector<float, 4> *)((float *)at[1] + first);
# GATED:            const float [[PRODUCT:v[0-9]+]] = v{{[0-9]+}} * v{{[0-9]+}};
# GATED:            const float [[TANH:v[0-9]+]] = tsc_tanh([[PRODUCT]]);
# GATED:            y3.at[j] = {{v[0-9]+}};
# GATED:            *(tsc_vector<float, 4> *)((float *)at[3] + first) = y3;
def gated(x, w, m):
    return torch.where(m, torch.tanh(x * w), x)

# Half types are computed in float, and rounded once an operator: eight elements at a time.
# HALVES:     tsc_vector<tsc_half, 8> x0;
# HALVES:     const float [[WIDE:v[0-9]+]] = tsc_from_half(
# HALVES:     const float [[SUM:v[0-9]+]] = [[WIDE]] + v{{[0-9]+}};
# HALVES:     tsc_to_half([[SUM]]);
def halves(x, y):
    return (x + 1) * y

# Where little is computed, a thread reads eight vectors before it begins.
# SEVERAL:      tsc_vector<float, 4> x0[8];
# SEVERAL:      x0[t] = *(tsc_vector<float, 4> *)((float *)at[0] + place.first + t * 1024);
# SEVERAL-NOT:  x0[t] = *(tsc_vector
# SEVERAL:      = y1;
# SEVERAL-NEXT: = y2;
def several(x):
    a = x * 2
    b = torch.relu(a)
    return a, b

# The folds of a row are in the processor's order: 16 threads take a block, and their lanes are combined by shuffles.
# NORMED:      __shared__ tsc_word partial0[16], levels0[16][32], result0[16];
# NORMED:      float acc0 = tsc_max<float>::first();
# NORMED:        acc0 = tsc_max<float>::combine(acc0, v{{[0-9]+}});
# NORMED:      acc0 = tsc_fold_lanes<tsc_max<float>>(acc0);
# NORMED:      float acc0 = tsc_sum<float>::first();
# NORMED:        tsc_exp(
# NORMED:      = tsc_counted<tsc_sum<float>>(
# NORMED:      for (long long i = thread; i < p.count; i += 16u << shift) {
def normed(x):
    return torch.softmax(x * 0.5, -1)

# TOTAL:      acc0 = tsc_fold_lanes<tsc_sum<float>>(acc0);
# TOTAL:      if (p.chunks == 1) {
# TOTAL:      } else {
# TOTAL:        p.scratch
# TOTAL:      __global__ void __launch_bounds__(256) {{tsc_[a-z_0-9]+}}_combine(
# TOTAL:        tsc_fold_chunks<tsc_sum<float>>(
def total(x):
    return torch.sum(torch.abs(x) * 2)

# COLUMNS:      __launch_bounds__(512)
# COLUMNS:      const unsigned lane = threadIdx.x / 32, within = threadIdx.x % 32;
# COLUMNS:      tsc_fold_column<tsc_sum<float>>(
def columns(x):
    return torch.sum(torch.abs(x) * 2, 0)

# Special functions come with the file of the eager kernels that has them.
# SPECIAL:      double pw::bessel_i0e(double x) {
# SPECIAL:      (float)tsc::pw::bessel_i0e((double)v{{[0-9]+}});
def special(x):
    return torch.special.i0e(x) * 2
