# RUN: tsc-run %s --entry gated --print-kernels cuda --args 'torch.ones([4, 300]), torch.ones([300]), torch.ones([4, 1], dtype=torch.bool)' | FileCheck %s --check-prefix=GATED
# RUN: tsc-run %s --entry halves --print-kernels cuda --args 'torch.ones([40], dtype=torch.half), torch.ones([40])' | FileCheck %s --check-prefix=HALVES
# RUN: tsc-run %s --entry several --print-kernels cuda --args 'torch.ones([4, 8])' | FileCheck %s --check-prefix=SEVERAL
# RUN: tsc-run %s --entry normed --print-kernels cuda --args 'torch.ones([4, 300])' | FileCheck %s --check-prefix=NORMED
# RUN: tsc-run %s --entry total --print-kernels cuda --args 'torch.ones([40, 3000])' | FileCheck %s --check-prefix=TOTAL
# RUN: tsc-run %s --entry columns --print-kernels cuda --args 'torch.ones([3000, 40])' | FileCheck %s --check-prefix=COLUMNS
# RUN: tsc-run %s --entry normed --print-kernels cuda --args 'torch.ones([40000, 300])' | FileCheck %s --check-prefix=MANY
# RUN: tsc-run %s --entry boxes --print-kernels cuda --args 'torch.ones([300, 4])' | FileCheck %s --check-prefix=BOXES
# RUN: tsc-run %s --entry centres --print-kernels cuda --args 'torch.ones([300, 4])' | FileCheck %s --check-prefix=CENTRES
# RUN: tsc-run %s --entry several --print-kernels nvrtc --args 'torch.ones([4, 8])' | FileCheck %s --check-prefix=GIVEN
# RUN: tsc-run %s --entry special --print-kernels cuda --args 'torch.ones([4])' | FileCheck %s --check-prefix=SPECIAL
# RUN: tsc-run %s --entry turned --print-kernels cuda --args 'torch.ones([300, 40]), torch.ones([40, 300])' | FileCheck %s --check-prefix=TURNED
import torch

# A row's own element is read once for four elements; those that are neighbours, in one access of 16 bytes. Operands that
# move alike share an offset.
# GATED:      __global__ void __launch_bounds__(256) [[NAME:tsc_[a-z_0-9]+]](const __grid_constant__ tsc_params<4, 3, 1> p) {
# GATED:        typedef unsigned tsc_index;
# GATED:        const tsc_index apart = inPieces ? 1 : 1u << (unsigned)p.shift;
# GATED:        const tsc_index ownFirst = (threadIdx.x & ((1u << (unsigned)p.shift) - 1)) * (inPieces ? 4 : 1);
# GATED:        const tsc_start<tsc_index> start = tsc_start_of<tsc_index>(p, unit, ownRow, ownFirst);
# GATED:          const bool v0 = ((unsigned char *)p.at[0])[at[0]] != 0;
# GATED:          if (first + 4 <= inPieces) {
# GATED:          const tsc_index e1 = at[1] + first;
# GATED:            const tsc_vector<float, 4> x1 = *(tsc_vector<float, 4> *)((float *)p.at[1] + e1);
# GATED:            const float [[PRODUCT:v[0-9]+]] = v{{[0-9]+}} * v{{[0-9]+}};
# GATED:            const float [[TANH:v[0-9]+]] = tsc_tanh([[PRODUCT]]);
# GATED:            y3.at[j] = {{v[0-9]+}};
# GATED:            *(tsc_vector<float, 4> *)((float *)p.at[3] + e1) = y3;
def gated(x, w, m):
    return torch.where(m, torch.tanh(x * w), x)

# Half types are computed in float, and rounded once an operator: eight elements at a time.
# HALVES:     tsc_vector<tsc_half, 8> x0
# HALVES:     const float [[WIDE:v[0-9]+]] = tsc_from_half(
# HALVES:     const float [[SUM:v[0-9]+]] = [[WIDE]] + v{{[0-9]+}};
# HALVES:     tsc_to_half([[SUM]]);
def halves(x, y):
    return (x + 1) * y

# What NVRTC is given: options by architecture, and the whole program.
# GIVEN:      // tsc_
# GIVEN-NEXT: // --gpu-architecture=sm_80 --fmad=false
# GIVEN-NEXT: // --gpu-architecture=sm_90 --fmad=false
# GIVEN-NEXT: // --gpu-architecture=sm_100 {{.*}} --Ofast-compile=min
# GIVEN:      #define TSC_DEVICE
# GIVEN:      __global__ void

# Where little is computed, a thread reads eight vectors before it begins.
# SEVERAL:      tsc_vector<float, 4> x0[8];
# SEVERAL:      x0[t] = *(tsc_vector<float, 4> *)(q0 + t * 1024);
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
# NORMED:      const float lanes0 = tsc_fold_lanes<tsc_max<float>>(acc0);
# NORMED:      float acc0 = tsc_sum<float>::first();
# NORMED:        tsc_exp(
# NORMED:      = tsc_counted<tsc_sum<float>>(
# NORMED:      for (tsc_index first = (inPieces ? 4 : 1) * thread; first < end; first += 64u << shift) {
# NORMED:        x0 = *(tsc_vector<float, 4> *)(
# NORMED:        = y1;

# Where there are rows enough, four threads take a block, each with four lanes that are neighbours.
# MANY:        __shared__ tsc_word partial0[64], levels0[64][32], result0[64];
# MANY:        float acc0[4] = {
# MANY:        const tsc_vector<float, 4> x0 = *(tsc_vector<float, 4> *)(
# MANY:          acc0[j] = tsc_max<float>::combine(acc0[j], v{{[0-9]+}});
# MANY:        for (; first < end; first += 16) {
# MANY:        const float lanes0 = tsc_fold_lanes<tsc_max<float>>(acc0);
def normed(x):
    return torch.softmax(x * 0.5, -1)

# Columns of a matrix of four are fields of its rows, which are read in one access.
# BOXES:      tsc_vector<float, 4> x0[8];
# BOXES:        x0[j] = ((tsc_vector<float, 4> *)((float *)p.at[0] + (at[0] + first * 4) - {{[0-3]}}))[j];
# BOXES:      const float v{{[0-9]+}} = x0[j].at[
# BOXES:      const float v{{[0-9]+}} = ((float *)p.at[{{[0-3]}}])[at[0] + i * (tsc_index)p.inner[0]];
def boxes(x):
    x0, y0, x1, y1 = x.unbind(1)
    return (x1 - x0) * (y1 - y0)

# So they are written: the four columns of one matrix.
# CENTRES:      tsc_vector<float, 4> y[[FIRST:[0-9]+]][8];
# CENTRES:        y[[FIRST]][j].at[0] =
# CENTRES:        y[[FIRST]][j].at[3] =
# CENTRES:        ((tsc_vector<float, 4> *)((float *)p.at[[[FIRST]]] + (at[{{[0-9]}}] + first * 4) - 0))[j] = y[[FIRST]][j];
def centres(x):
    x0, y0, x1, y1 = x.unbind(1)
    return torch.stack([(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0], 1)

# TOTAL:      = tsc_fold_lanes<tsc_sum<float>>(acc0);
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

# What lies across the rows is read by columns into shared memory, 32 elements of 32 rows at a time.
# TURNED:      __shared__ float [[TILE:tile[01]]][32][33];
# TURNED:      [[TILE]][t][lane] = ((float *)p.at[{{[01]}}])[base[{{[0-9]}}] + i * (tsc_index)p.inner[{{[0-9]}}] + j];
# TURNED:      __syncthreads();
# TURNED:      = [[TILE]][lane][t];
# TURNED:      __syncthreads();
def turned(x, y):
    return (x.t() + y) * 2
