//===- LinearAlgebra.td - Operators: linear algebra -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/MatMul.h">;

// MatMul.
def Aten_mm : Op<"aten::mm(Tensor self, Tensor mat2) -> Tensor"> {
  let summary = "Product of two matrices";
  let kernel = "cpu::mm"; let variants = [Out];
}
def Aten_bmm : Op<"aten::bmm(Tensor self, Tensor mat2) -> Tensor"> {
  let summary = "Products of two batches of matrices";
  let kernel = "cpu::bmm"; let variants = [Out];
}
def Aten_matmul : Op<"aten::matmul(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Product of vectors, matrices or batches of matrices, broadcasting the batches";
  let kernel = "cpu::matmul"; let variants = [Out];
}
def Aten_linalg_matmul : Op<"aten::linalg_matmul(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Product of vectors, matrices or batches of matrices";
  let kernel = "cpu::matmul"; let variants = [Out];
}
def Aten_addmm : Op<"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * (mat1 @ mat2)";
  let kernel = "cpu::addmm"; let variants = [InPlace, Out];
}
def Aten__addmm_activation : Op<"aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor"> {
  let summary = "relu or gelu of addmm";
  let kernel = "cpu::addmmActivation"; let variants = [Out];
}
def Aten_addbmm : Op<"aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * the sum of the products of a batch";
  let kernel = "cpu::addbmm"; let variants = [InPlace, Out];
}
def Aten_baddbmm : Op<"aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * (batch1 @ batch2), batchwise";
  let kernel = "cpu::baddbmm"; let variants = [InPlace, Out];
}
def Aten_mv : Op<"aten::mv(Tensor self, Tensor vec) -> Tensor"> {
  let summary = "Product of a matrix and a vector";
  let kernel = "cpu::mv"; let variants = [Out];
}
def Aten_addmv : Op<"aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * (mat @ vec)";
  let kernel = "cpu::addmv"; let variants = [InPlace, Out];
}
def Aten_dot : Op<"aten::dot(Tensor self, Tensor tensor) -> Tensor"> {
  let summary = "Inner product of two vectors";
  let kernel = "cpu::dot"; let variants = [Out];
}
def Aten_vdot : Op<"aten::vdot(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Inner product of two vectors, the first conjugated";
  let kernel = "cpu::vdot"; let variants = [Out];
}
def Aten_inner : Op<"aten::inner(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Sum of products over the last dimension";
  let kernel = "cpu::inner"; let variants = [Out];
}
def Aten_outer : Op<"aten::outer(Tensor self, Tensor vec2) -> Tensor"> {
  let summary = "Outer product of two vectors";
  let kernel = "cpu::outer"; let variants = [Out];
}
def Aten_ger : Op<"aten::ger(Tensor self, Tensor vec2) -> Tensor"> {
  let summary = "Outer product of two vectors";
  let kernel = "cpu::outer"; let variants = [Out];
}
def Aten_addr : Op<"aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * outer(vec1, vec2)";
  let kernel = "cpu::addr"; let variants = [InPlace, Out];
}
def Aten_linear : Op<"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"> {
  let summary = "input @ weight.T + bias";
  let kernel = "cpu::linear"; let variants = [Out];
}
def Aten_tensordot : Op<"aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"> {
  let summary = "Contraction of two tensors over the given dimensions";
  let kernel = "cpu::tensordot"; let variants = [Out];
}
def Aten_einsum : Op<"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"> {
  let summary = "Sum of products in Einstein's notation";
  let kernel = "cpu::einsum";
}
def Aten_bilinear : Op<"aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"> {
  let summary = "x1 @ weight @ x2 + bias";
  let kernel = "cpu::bilinear";
}
def Aten__trilinear : Op<"aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor"> {
  let summary = "Sum over products of three expanded tensors";
  let kernel = "cpu::trilinear"; let variants = [Out];
}
def Aten_kron : Op<"aten::kron(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Kronecker product";
  let kernel = "cpu::kron"; let variants = [Out];
}
def Aten_chain_matmul : Op<"aten::chain_matmul(Tensor[] matrices) -> Tensor"> {
  let summary = "Product of a chain of matrices in the cheapest order";
  let kernel = "cpu::multiDot"; let variants = [Out];
}
def Aten_linalg_multi_dot : Op<"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor"> {
  let summary = "Product of a chain of matrices in the cheapest order";
  let kernel = "cpu::multiDot"; let variants = [Out];
}
def Aten_matrix_power : Op<"aten::matrix_power(Tensor self, int n) -> Tensor"> {
  let summary = "Integer power of square matrices";
  let kernel = "cpu::matrixPower"; let variants = [Out];
}
def Aten_linalg_matrix_power : Op<"aten::linalg_matrix_power(Tensor self, int n) -> Tensor"> {
  let summary = "Integer power of square matrices";
  let kernel = "cpu::matrixPower"; let variants = [Out];
}
