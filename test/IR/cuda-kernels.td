// The column cudaKernel calls a function with operands by name, whole numbers, and whether the form is written in place.
// RUN: tsc-tblgen -gen-cuda-kernels -I %source_dir/include %s | FileCheck %s
include "tsc/IR/Ops/Base.td"

// Operands are read by their positions in the schema, as their types say. There is no kernel for the form with out=.
// CHECK:      CUDA_KERNEL(Aten_pool, cuda::pool(2, integerList(*a[1]), tensor(*a[0])))
def Aten_pool : Op<"aten::pool(Tensor self, int[2] size=[], *, int? divisor=None) -> Tensor"> {
  let cudaKernel = "cuda::pool(2, size, self)"; let variants = [Out];
}

// A dtype is read as the number that the program gave.
// CHECK-NEXT: CUDA_KERNEL(Aten_total, cuda::total(optionalInteger(*a[1])))
// The form in place has no kernel where the record does not ask which form it is.
// CHECK-NOT:  Aten_total_
def Aten_total : Op<"aten::total(Tensor self, *, ScalarType? dtype=None) -> Tensor"> {
  let cudaKernel = "cuda::total(dtype)"; let variants = [InPlace];
}

// CHECK:      CUDA_KERNEL(Aten_write, cuda::write(tensor(*a[0]), scalar(*a[1]), false))
// CHECK-NEXT: CUDA_KERNEL(Aten_write_, cuda::write(tensor(*a[0]), scalar(*a[1]), true))
// CHECK-NEXT: #undef CUDA_KERNEL
def Aten_write : Op<"aten::write(Tensor self, Scalar value) -> Tensor"> {
  let cudaKernel = "cuda::write(self, value, inPlace)"; let variants = [InPlace];
}
