// RUN: not tsc-tblgen -gen-cuda-kernels -I %source_dir/include %s -o %t 2>&1 | FileCheck %s
include "tsc/IR/Ops/Base.td"

// CHECK: [[@LINE+1]]:5: error: cudaKernel: 'other' is no operand of 'aten::alone'
def Aten_alone : Op<"aten::alone(Tensor self) -> Tensor"> { let cudaKernel = "cuda::alone(self, other)"; }

// CHECK: [[@LINE+1]]:5: error: cudaKernel: 'alone' is not of the form cuda::name(arguments)
def Aten_bare : Op<"aten::bare(Tensor self) -> Tensor"> { let cudaKernel = "alone"; }

// CHECK: [[@LINE+1]]:5: error: cudaKernel: a kernel cannot take 'Generator?'
def Aten_drawn : Op<"aten::drawn(Tensor self, *, Generator? generator=None) -> Tensor"> { let cudaKernel = "cuda::drawn(generator)"; }
