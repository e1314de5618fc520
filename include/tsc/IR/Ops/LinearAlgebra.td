//===- LinearAlgebra.td - Operators: linear algebra -*- tablegen -*-===//

def : KernelHeader<"tsc/Kernels/MatMul.h">;

// MatMul.
def Aten_mm : Op<"aten::mm(Tensor self, Tensor mat2) -> Tensor"> {
  let product = ["self", "mat2"];
  let cudaKernel = "cuda::mm(self, mat2)";
  let summary = "Product of two matrices";
  let weights = ["mat2"];
  let kernel = "cpu::mm"; let variants = [Out];
  let shape = "mm(self, mat2)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = mm(grad, adjoint(mat2))
                      mat2 = mm(adjoint(self), grad) }];
  let backwardNode = "0";
}
def Aten_bmm : Op<"aten::bmm(Tensor self, Tensor mat2) -> Tensor"> {
  let cudaKernel = "cuda::bmm(self, mat2)";
  let summary = "Products of two batches of matrices";
  let kernel = "cpu::bmm"; let variants = [Out];
  let shape = "bmm(self, mat2)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = bmm(grad, adjoint(mat2))
                      mat2 = bmm(adjoint(self), grad) }];
  let backwardNode = "0";
}
def Aten_matmul : Op<"aten::matmul(Tensor self, Tensor other) -> Tensor"> {
  let product = ["self", "other"];
  let cudaKernel = "cuda::matmul(self, other)";
  let summary = "Product of vectors, matrices or batches of matrices, broadcasting the batches";
  let weights = ["other"];
  let kernel = "cpu::matmul"; let variants = [Out];
  let shape = "matmul(self, other)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self  = backward.matmul_self(grad, self, other)
                      other = backward.matmul_other(grad, self, other) }];
  let backwardNode = "matmul";
}
def Aten_linalg_matmul : Op<"aten::linalg_matmul(Tensor self, Tensor other) -> Tensor"> {
  let product = ["self", "other"];
  let summary = "Product of vectors, matrices or batches of matrices";
  let weights = ["other"];
  let kernel = "cpu::matmul"; let variants = [Out];
  let shape = "matmul(self, other)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self  = backward.matmul_self(grad, self, other)
                      other = backward.matmul_other(grad, self, other) }];
}
// What accumulate-products makes of products of few terms.
def Tsc_addmm_later_ : Op<"tsc::addmm_later_(Tensor(a!) self, Tensor[](b!) pending, Tensor(c -> *) mat1, Tensor(d -> *) mat2) -> ()"> {
  let traits = [MadeByPasses];
  let summary = "self += mat1 @ mat2, many such products at once: until then their factors are in the list";
  let boxedKernel = "ops::addProductLater";
}
def Tsc_add_pending_ : Op<"tsc::add_pending_(Tensor(a!) self, Tensor[](b!) pending) -> ()"> {
  let traits = [MadeByPasses];
  let summary = "self += the products whose factors are in the list, which it empties";
  let boxedKernel = "ops::addPendingProducts";
}
def Aten_addmm : Op<"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let product = ["mat1", "mat2", "self"];
  let cudaKernel = "cuda::addmm(self, mat1, mat2, beta, alpha)";
  let summary = "beta * self + alpha * (mat1 @ mat2)";
  let weights = ["mat2"];
  let kernel = "cpu::addmm"; let inPlaceKernel = "cpu::addmmInPlace"; let variants = [InPlace, Out];
  let shape = "addmm(self, mat1, mat2)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.times(grad, beta)
                      mat1 = backward.times(mm(grad, t(mat2).conj()), alpha)
                      mat2 = backward.times(mm(t(mat1).conj(), grad), alpha) }];
  let decomposition = [{
def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number, alpha: number) -> Tensor:
    result = torch.mm(mat1, mat2)
    if alpha != 1:
        result = result * alpha
    if beta != 0:
        result = torch.add(result, self, alpha=beta)
    return result
  }];
  let backwardNode = "0";
}
def Aten__addmm_activation : Op<"aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor"> {
  let summary = "relu or gelu of addmm";
  let kernel = "cpu::addmmActivation"; let variants = [Out];
  let shape = "addmm(self, mat1, mat2)"; let dtype = "self"; let strides = "dense";
}
def Aten_addbmm : Op<"aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * the sum of the products of a batch";
  let kernel = "cpu::addbmm"; let variants = [InPlace, Out];
  let shape = "addbmm(self, batch1, batch2)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.times(grad, beta)
                      batch1 = backward.times(matmul(grad, mH(batch2)), alpha)
                      batch2 = backward.times(matmul(mH(batch1), grad), alpha) }];
  let backwardNode = "0";
}
def Aten_baddbmm : Op<"aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let cudaKernel = "cuda::baddbmm(self, batch1, batch2, beta, alpha)";
  let summary = "beta * self + alpha * (batch1 @ batch2), batchwise";
  let kernel = "cpu::baddbmm"; let inPlaceKernel = "cpu::baddbmmInPlace"; let variants = [InPlace, Out];
  let shape = "baddbmm(self, batch1, batch2)"; let dtype = "self"; let strides = "dense";
  let decomposition = [{
def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, beta: number, alpha: number) -> Tensor:
    result = torch.bmm(batch1, batch2)
    if alpha != 1:
        result = result * alpha
    if beta != 0:
        result = torch.add(result, self, alpha=beta)
    return result
  }];
  let backwardNode = "0";
}
def Aten_mv : Op<"aten::mv(Tensor self, Tensor vec) -> Tensor"> {
  let cudaKernel = "cuda::mv(self, vec)";
  let summary = "Product of a matrix and a vector";
  let kernel = "cpu::mv"; let variants = [Out];
  let shape = "mv(self, vec)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = outer(grad, vec.conj())
                      vec  = mv(self.t().conj(), grad) }];
  let backwardNode = "0";
}
def Aten_addmv : Op<"aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * (mat @ vec)";
  let kernel = "cpu::addmv"; let variants = [InPlace, Out];
  let shape = "addmv(self, mat, vec)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.times(grad, beta)
                      mat  = backward.times(outer(grad, vec.conj()), alpha)
                      vec  = backward.times(mv(mat.t().conj(), grad), alpha) }];
  let backwardNode = "0";
}
def Aten_dot : Op<"aten::dot(Tensor self, Tensor tensor) -> Tensor"> {
  let summary = "Inner product of two vectors";
  let kernel = "cpu::dot"; let variants = [Out];
  let shape = "dot(self, tensor)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self   = grad * tensor.conj()
                      tensor = grad * self.conj() }];
  let backwardNode = "0";
}
def Aten_vdot : Op<"aten::vdot(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Inner product of two vectors, the first conjugated";
  let kernel = "cpu::vdot"; let variants = [Out];
  let shape = "dot(self, other)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self  = grad.conj() * other
                      other = grad * self }];
  let backwardNode = "0";
}
def Aten_inner : Op<"aten::inner(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Sum of products over the last dimension";
  let kernel = "cpu::inner"; let variants = [Out];
  let shape = "inner(self, other)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ self  = backward.inner_left(grad, self, other)
                      other = backward.inner_left(backward.turned(grad, self, other), other, self) }];
}
def Aten_outer : Op<"aten::outer(Tensor self, Tensor vec2) -> Tensor"> {
  let summary = "Outer product of two vectors";
  let kernel = "cpu::outer"; let variants = [Out];
  let shape = "outer(self, vec2)"; let dtype = "promote"; let strides = "contiguous";
  let derivative = [{ self = mv(grad, vec2.conj())
                      vec2 = mv(grad.t(), self.conj()) }];
  let backwardNode = "MulBackward0";
}
def Aten_ger : Op<"aten::ger(Tensor self, Tensor vec2) -> Tensor"> {
  let summary = "Outer product of two vectors";
  let kernel = "cpu::outer"; let variants = [Out];
  let shape = "outer(self, vec2)"; let dtype = "promote"; let strides = "contiguous";
  let derivative = [{ self = mv(grad, vec2.conj())
                      vec2 = mv(grad.t(), self.conj()) }];
  let backwardNode = "MulBackward0";
}
def Aten_addr : Op<"aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "beta * self + alpha * outer(vec1, vec2)";
  let kernel = "cpu::addr"; let variants = [InPlace, Out];
  let shape = "addr(self, vec1, vec2)"; let strides = "dense";
  let derivative = [{ self = backward.times(grad, beta)
                      vec1 = backward.times(mv(grad, vec2.conj().type_as(grad)), alpha)
                      vec2 = backward.times(mv(t(grad), vec1.conj().type_as(grad)), alpha) }];
  let backwardNode = "0";
}
def Aten_linear : Op<"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"> {
  let product = ["input", "weight.t", "bias"];
  let cudaKernel = "cuda::linear(input, weight, bias)";
  let traits = [AffineLayer];
  let summary = "input @ weight.T + bias";
  let weights = ["weight"];
  let kernel = "cpu::linear"; let variants = [Out];
  let shape = "linear(input, weight, bias)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.linear_input(grad, weight)
                      weight = backward.linear_weight(grad, input, weight)
                      bias   = grad }];
  let decomposition = [{
def linear(input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    result = torch.matmul(input, torch.t(weight))
    if bias is not None:
        assert bias.dim() <= result.dim(), "the bias has more dimensions than the product"
        result = result + bias
    return result
  }];
  let backwardNode = "linear";
}

// Products with one matrix that a loop asks for step by step, computed before the loop: hoist-products makes these
// (lib/Kernels/Products/StepProducts.cpp). The weight is k x n, or transposed n x k. They have no gradients.
let traits = [Answers, MadeByPasses], quantized = "takes", devices = "any", dtype = "weight" in {
  def Tsc_step_products : Op<"tsc::step_products(Tensor[] steps, Tensor weight, Tensor? bias, bool transposed, int trips) -> Tensor"> {
    let summary = "The products of all steps, one behind the other, with the bits of single ones; no elements where one by one is the better or the only way";
    let kernel = "cpu::stepProducts";
  }
  def Tsc_step_products_select : Op<"tsc::step_products.select(Tensor self, int dim, Tensor weight, Tensor? bias, bool transposed, int trips) -> Tensor"> {
    let summary = "The same of what select takes from self along dim";
    let kernel = "cpu::stepProductsAlong";
  }
}
def Tsc_step_product : Op<"tsc::step_product(Tensor products, int step) -> Tensor"> {
  let traits = [MadeByPasses];
  let summary = "A copy of one of them";
  let kernel = "cpu::stepProduct";
  let dtype = "products";
}
def Aten_tensordot : Op<"aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"> {
  let cudaKernel = "cuda::tensordot(self, other, dims_self, dims_other)";
  let summary = "Contraction of two tensors over the given dimensions";
  let kernel = "cpu::tensordot"; let variants = [Out];
  let shape = "tensordot(self, other, dims_self, dims_other)"; let dtype = "self";
  let derivative = [{ self  = backward.tensordot_left(grad, self, other, dims_self, dims_other)
                      other = backward.tensordot_right(grad, self, other, dims_self, dims_other) }];
}
def Aten_einsum : Op<"aten::einsum(str equation, Tensor(a)[] tensors, *, int[]? path=None) -> Tensor(b|a)"> {
  let cudaKernel = "cuda::einsum(equation, tensors)";
  let summary = "Sum of products in Einstein's notation";
  let kernel = "cpu::einsum";
  let dtype = "einsum";
  let derivative = [{ tensors = backward.einsum(grad, equation, tensors) }];
}
def Aten_bilinear : Op<"aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"> {
  let summary = "x1 @ weight @ x2 + bias";
  let kernel = "cpu::bilinear";
  let shape = "bilinear(input1, input2, weight, bias)"; let dtype = "input1";
  let derivative = [{ input1 = backward.bilinear_left(grad, input2, weight).reshape(input1.size())
                      input2 = backward.bilinear_left(grad, input1, transpose(weight, 1, 2)).reshape(input2.size())
                      weight = backward.bilinear_weight(grad, input1, input2, weight)
                      bias   = grad }];
}
def Aten__trilinear : Op<"aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor"> {
  let summary = "Sum over products of three expanded tensors";
  let kernel = "cpu::trilinear"; let variants = [Out];
  let derivative = [{ i1 = backward.trilinear(grad, i1, i2, i3, expand1, expand2, expand3, sumdim)
                      i2 = backward.trilinear(grad, i2, i1, i3, expand2, expand1, expand3, sumdim)
                      i3 = backward.trilinear(grad, i3, i1, i2, expand3, expand1, expand2, sumdim) }];
}
def Aten_kron : Op<"aten::kron(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Kronecker product";
  let kernel = "cpu::kron"; let variants = [Out];
  let shape = "kron(self, other)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ self  = backward.kron_left(grad, self, other)
                      other = backward.kron_right(grad, self, other) }];
}
def Aten_chain_matmul : Op<"aten::chain_matmul(Tensor[] matrices) -> Tensor"> {
  let summary = "Product of a chain of matrices in the cheapest order";
  let kernel = "cpu::chainMatmul"; let variants = [Out];
  let shape = "multi_dot(matrices)"; let dtype = "matrices";
  let derivative = [{ matrices = backward.chain(grad, matrices) }];
}
def Aten_linalg_multi_dot : Op<"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor"> {
  let summary = "Product of a chain of matrices in the cheapest order";
  let kernel = "cpu::multiDot"; let variants = [Out];
  let shape = "multi_dot(tensors)"; let dtype = "tensors";
  let derivative = [{ tensors = backward.chain(grad, tensors) }];
}
def Aten_matrix_power : Op<"aten::matrix_power(Tensor self, int n) -> Tensor"> {
  let summary = "Integer power of square matrices";
  let kernel = "cpu::matrixPower"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.matrix_power(grad, self, n) }];
}
def Aten_linalg_matrix_power : Op<"aten::linalg_matrix_power(Tensor self, int n) -> Tensor"> {
  let summary = "Integer power of square matrices";
  let kernel = "cpu::matrixPower"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.matrix_power(grad, self, n) }];
}

// LinearAlgebra.
def Aten_linalg_lu_factor_ex : Op<"aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)"> {
  let summary = "LU factors with partial pivoting, packed";
  let kernel = "cpu::luFactorEx"; let variants = [Out]; let outName = "out"; let outArgs = ["LU", "pivots", "info"];
  let shape = "A; lu_pivots(A); batch_of(A)"; let dtype = "A; Int; Int";
  let derivative = [{ A = backward.lu_packed(grad_LU, LU, pivots, pivot) }];
}
def Aten_linalg_lu_factor : Op<"aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"> {
  let summary = "LU factors with partial pivoting, packed";
  let kernel = "cpu::luFactor"; let variants = [Out]; let outName = "out"; let outArgs = ["LU", "pivots"];
  let shape = "A; lu_pivots(A)"; let dtype = "A; Int";
  let derivative = [{ A = backward.lu_packed(grad_LU, LU, pivots, pivot) }];
}
def Aten__lu_with_info : Op<"aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)"> {
  let summary = "LU factors with partial pivoting, packed";
  let kernel = "cpu::luWithInfo";
  let shape = "self; lu_pivots(self); batch_of(self)"; let dtype = "self; Int; Int";
  let derivative = [{ self = backward.lu_packed(grad_LU, LU, pivots, pivot) }];
}
def Aten_linalg_lu : Op<"aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"> {
  let summary = "P, L and U of a matrix";
  let kernel = "cpu::lu"; let variants = [Out]; let outName = "out"; let outArgs = ["P", "L", "U"];
  let shape = "lu(A, pivot)"; let dtype = "A";
  let derivative = [{ A = backward.lu(grad_L, grad_U, P if pivot else None, L, U) }];
}
def Aten_lu_unpack : Op<"aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)"> {
  let summary = "P, L and U of packed factors";
  let kernel = "cpu::luUnpack"; let variants = [Out]; let outName = "out"; let outArgs = ["P", "L", "U"];
  let shape = "lu_unpack(LU_data, unpack_data, unpack_pivots)"; let dtype = "LU_data";
  let derivative = [{ LU_data = backward.lu_unpack(grad_L, grad_U, LU_data, unpack_data) }];
}
def Aten_lu_solve : Op<"aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor"> {
  let summary = "Solution from packed LU factors";
  let kernel = "cpu::luSolve"; let variants = [Out];
  let shape = "matrix_solve(self, LU_data)"; let dtype = "self";
  let derivative = [{ self    = linalg_lu_solve(LU_data, LU_pivots, grad, left=True, adjoint=True)
                      LU_data = backward.lu_solve(grad, result, LU_data, LU_pivots, True, False) }];
}
def Aten_linalg_ldl_factor : Op<"aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)"> {
  let summary = "L D L^T of a symmetric or Hermitian matrix, pivots as LAPACK's";
  let kernel = "cpu::linalgLdlFactor"; let variants = [Out];
}
def Aten_linalg_ldl_factor_ex : Op<"aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)"> {
  let summary = "As linalg_ldl_factor, and where D is singular";
  let kernel = "cpu::linalgLdlFactorEx"; let variants = [Out];
}
def Aten_linalg_ldl_solve : Op<"aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"> {
  let summary = "Solution of A X = B from the factors of A";
  let kernel = "cpu::linalgLdlSolve"; let variants = [Out];
  let derivative = [{ B = linalg_ldl_solve(LD, pivots, grad, hermitian=True) if hermitian else linalg_ldl_solve(LD, pivots, grad.conj()).conj() }];
}
def Aten_linalg_lu_solve : Op<"aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor"> {
  let summary = "Solution from packed LU factors";
  let kernel = "cpu::luSolveLinalg"; let variants = [Out];
  let shape = "linalg_lu_solve(LU, B, left)"; let dtype = "B";
  let derivative = [{ LU = backward.lu_solve(grad, result, LU, pivots, left, adjoint)
                      B  = linalg_lu_solve(LU, pivots, grad, left=left, adjoint=not adjoint) }];
}
def Aten__linalg_det : Op<"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"> {
  let summary = "Determinant and the LU factors it came from";
  let kernel = "cpu::detWithFactors"; let variants = [Out]; let outName = "result"; let outArgs = ["result", "LU", "pivots"];
  let shape = "batch_of(A); A; lu_pivots(A)"; let dtype = "A; A; Int";
  let derivative = [{ A = backward.det(grad_result, A, result) }];
}
def Aten_det : Op<"aten::det(Tensor self) -> Tensor"> {
  let summary = "Determinant";
  let kernel = "cpu::det";
  let shape = "batch_of(self)"; let dtype = "self";
  let derivative = [{ self = backward.det(grad, self, result) }];
  let backwardNode = "LinalgDetBackward0";
}
def Aten_linalg_det : Op<"aten::linalg_det(Tensor A) -> Tensor"> {
  let summary = "Determinant";
  let kernel = "cpu::det"; let variants = [Out];
  let shape = "batch_of(A)"; let dtype = "A";
  let derivative = [{ A = backward.det(grad, A, result) }];
  let backwardNode = "0";
}
def Aten__linalg_slogdet : Op<"aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"> {
  let summary = "Sign and log of the determinant, and the LU factors";
  let kernel = "cpu::slogdetWithFactors"; let variants = [Out]; let outName = "sign"; let outArgs = ["sign", "logabsdet", "LU", "pivots"];
  let shape = "batch_of(A); batch_of(A); A; lu_pivots(A)"; let dtype = "A; real; A; Int";
  let derivative = [{ A = backward.slogdet(grad_sign, grad_logabsdet, A, sign) }];
}
def Aten_slogdet : Op<"aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)"> {
  let summary = "Sign of the determinant and log of its magnitude";
  let kernel = "cpu::slogdet"; let variants = [Out]; let outName = "out"; let outArgs = ["sign", "logabsdet"];
  let shape = "batch_of(self); batch_of(self)"; let dtype = "self; real";
  let derivative = [{ self = backward.slogdet(grad_sign, grad_logabsdet, self, sign) }];
}
def Aten_linalg_slogdet : Op<"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)"> {
  let summary = "Sign of the determinant and log of its magnitude";
  let kernel = "cpu::slogdet"; let variants = [Out]; let outName = "out"; let outArgs = ["sign", "logabsdet"];
  let shape = "batch_of(A); batch_of(A)"; let dtype = "A; real";
  let derivative = [{ A = backward.slogdet(grad_sign, grad_logabsdet, A, sign) }];
}
def Aten_logdet : Op<"aten::logdet(Tensor self) -> Tensor"> {
  let summary = "Log of the determinant";
  let kernel = "cpu::logdet";
  let shape = "batch_of(self)"; let dtype = "self";
  let derivative = [{ self = backward.of_matrices(grad) * backward.unchecked_inverse(self).mH }];
}
def Aten_linalg_inv : Op<"aten::linalg_inv(Tensor A) -> Tensor"> {
  let summary = "Inverse";
  let kernel = "cpu::inverse"; let variants = [Out];
  let shape = "square(A)"; let dtype = "A";
  let derivative = [{ A = -matmul(adjoint(result), matmul(grad, adjoint(result))) }];
  let backwardNode = "LinalgInvExBackward0";
}
def Aten_inverse : Op<"aten::inverse(Tensor self) -> Tensor"> {
  let summary = "Inverse";
  let kernel = "cpu::inverse"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = -matmul(adjoint(result), matmul(grad, adjoint(result))) }];
  let backwardNode = "LinalgInvExBackward0";
}
def Aten_linalg_inv_ex : Op<"aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"> {
  let summary = "Inverse, with LAPACK's info";
  let kernel = "cpu::invEx"; let variants = [Out]; let outName = "inverse"; let outArgs = ["inverse", "info"];
  let shape = "square(A); batch_of(A)"; let dtype = "A; Int";
  let derivative = [{ A = -matmul(matmul(mH(inverse), grad_inverse), mH(inverse)) }];
}
def Aten__linalg_solve_ex : Op<"aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)"> {
  let summary = "Solution of A X = B with its LU factors";
  let kernel = "cpu::solveExFactors"; let variants = [Out]; let outName = "result"; let outArgs = ["result", "LU", "pivots", "info"];
  let derivative = [{ right = linalg_solve(mH(A), grad_result, left=left)
                      A     = backward.solved_matrix(right, A, result, left)
                      B     = right }];
}
def Aten_linalg_solve_ex : Op<"aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)"> {
  let summary = "Solution of A X = B, with LAPACK's info";
  let kernel = "cpu::solveEx"; let variants = [Out]; let outName = "out"; let outArgs = ["result", "info"];
  let shape = "linalg_solve(A, B, left); batch_of(A)"; let dtype = "B; Int";
  let derivative = [{ right = linalg_solve(mH(A), grad_result, left=left)
                      A     = backward.solved_matrix(right, A, result, left)
                      B     = right }];
}
def Aten_linalg_solve : Op<"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"> {
  let summary = "Solution of A X = B";
  let kernel = "cpu::solve"; let variants = [Out];
  let shape = "linalg_solve(A, B, left)"; let dtype = "B";
  let derivative = [{ A = backward.solve_matrix(grad, A, result, left)
                      B = backward.solve_right(grad, A, left) }];
}
def Aten_linalg_cholesky_ex : Op<"aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"> {
  let summary = "Cholesky factor, with LAPACK's info";
  let kernel = "cpu::choleskyEx"; let variants = [Out]; let outName = "L"; let outArgs = ["L", "info"];
  let shape = "square(self); batch_of(self)"; let dtype = "self; Int";
  let derivative = [{ self = backward.cholesky(grad_L, L, upper) }];
}
def Aten_linalg_cholesky : Op<"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"> {
  let summary = "Cholesky factor";
  let kernel = "cpu::linalgCholesky"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.cholesky(grad, result, upper) }];
  let backwardNode = "LinalgCholeskyExBackward0";
}
def Aten_cholesky : Op<"aten::cholesky(Tensor self, bool upper=False) -> Tensor"> {
  let summary = "Cholesky factor";
  let kernel = "cpu::cholesky"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.cholesky(grad, result, upper) }];
}
def Aten_cholesky_solve : Op<"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"> {
  let summary = "Solution from a Cholesky factor";
  let kernel = "cpu::choleskySolve"; let variants = [Out];
  let shape = "matrix_solve(self, input2)"; let dtype = "self";
  let derivative = [{ self   = cholesky_solve(grad, input2, upper)
                      input2 = backward.cholesky_solve_factor(grad, result, input2, upper) }];
}
def Aten_cholesky_inverse : Op<"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor"> {
  let summary = "Inverse from a Cholesky factor";
  let kernel = "cpu::choleskyInverse"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.cholesky_inverse(grad, result, self, upper) }];
}
def Aten_linalg_solve_triangular : Op<"aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor"> {
  let summary = "Solution of a triangular system";
  let kernel = "cpu::solveTriangular"; let variants = [Out];
  let shape = "linalg_solve_triangular(self, B, left)"; let dtype = "self";
  let derivative = [{ right = linalg_solve_triangular(mH(self), grad, upper=not upper, left=left, unitriangular=unitriangular)
                      self  = backward.triangle(backward.solved_matrix(right, self, result, left), upper, unitriangular)
                      B     = right }];
  let backwardNode = "0";
}
def Aten_triangular_solve : Op<"aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"> {
  let summary = "Solution of a triangular system, and a copy of its matrix";
  let kernel = "cpu::triangularSolve"; let variants = [Out]; let outName = "X"; let outArgs = ["X", "M"];
  let shape = "matrix_solve(self, A);"; let dtype = "self";
  let derivative = [{ self = backward.triangular_right(grad_solution, A, upper, transpose, unitriangular)
                      A    = backward.triangular_matrix(grad_solution, grad_cloned_coefficient, A, solution, upper, transpose, unitriangular) }];
  let backwardNode = "0";
}
def Aten_linalg_qr : Op<"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)"> {
  let summary = "QR factorization";
  let kernel = "cpu::linalgQr"; let variants = [Out]; let outName = "out"; let outArgs = ["Q", "R"];
  let shape = "qr(A, mode)"; let dtype = "A";
  let derivative = [{ A = backward.qr(grad_Q, grad_R, Q, R) }];
}
def Aten_qr : Op<"aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)"> {
  let summary = "QR factorization";
  let kernel = "cpu::qr"; let variants = [Out]; let outName = "Q"; let outArgs = ["Q", "R"];
  let shape = "qr_some(self, some)"; let dtype = "self";
  let derivative = [{ self = backward.qr(grad_Q, grad_R, Q, R) }];
}
def Aten_geqrf : Op<"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"> {
  let summary = "QR factorization as Householder reflectors";
  let kernel = "cpu::geqrf"; let variants = [Out]; let outName = "a"; let outArgs = ["a", "tau"];
  let shape = "self; geqrf_tau(self)"; let dtype = "self";
}
def Aten_orgqr : Op<"aten::orgqr(Tensor self, Tensor input2) -> Tensor"> {
  let summary = "The matrix that Householder reflectors stand for";
  let kernel = "cpu::householderProduct"; let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self   = backward.householder_vectors(grad, self, input2)
                      input2 = backward.householder_tau(grad, self, input2) }];
}
def Aten_linalg_householder_product : Op<"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"> {
  let summary = "The matrix that Householder reflectors stand for";
  let kernel = "cpu::householderProduct"; let variants = [Out];
  let shape = "input"; let dtype = "input";
  let derivative = [{ input = backward.householder_vectors(grad, input, tau)
                      tau   = backward.householder_tau(grad, input, tau) }];
}
def Aten_ormqr : Op<"aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"> {
  let summary = "Product with the matrix that Householder reflectors stand for";
  let kernel = "cpu::ormqr"; let variants = [Out];
  let dtype = "input2";
  let derivative = [{ self   = backward.ormqr_vectors(grad, self, input2, input3, left, transpose)
                      input2 = backward.ormqr_tau(grad, self, input2, input3, left, transpose)
                      input3 = ormqr(self, input2, grad, left, not transpose) }];
}
def Aten__linalg_svd : Op<"aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"> {
  let summary = "Singular values and vectors";
  let kernel = "cpu::svdInternal"; let variants = [Out]; let outName = "U"; let outArgs = ["U", "S", "Vh"];
  let shape = "svd_compute(A, full_matrices, compute_uv)"; let dtype = "A; real; A";
  let derivative = [{ A = backward.svd(grad_U, grad_S, grad_Vh, U, S, Vh, A) }];
}
def Aten_linalg_svd : Op<"aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"> {
  let summary = "Singular values and vectors";
  let kernel = "cpu::linalgSvd"; let variants = [Out]; let outName = "U"; let outArgs = ["U", "S", "Vh"];
  let shape = "svd(A, full_matrices)"; let dtype = "A; real; A";
  let derivative = [{ A = backward.svd(grad_U, grad_S, grad_Vh, U, S, Vh, A) }];
}
def Aten_linalg_svdvals : Op<"aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"> {
  let summary = "Singular values";
  let kernel = "cpu::svdvals"; let variants = [Out];
  let shape = "svdvals(A)"; let dtype = "real";
  let derivative = [{ A = backward.svdvals(grad, A) }];
}
def Aten_svd : Op<"aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"> {
  let summary = "Singular values and vectors";
  let kernel = "cpu::svd"; let variants = [Out]; let outName = "U"; let outArgs = ["U", "S", "V"];
  let shape = "old_svd(self, some, compute_uv)"; let dtype = "self; real; self";
  let derivative = [{ self = backward.svd_old(grad_U, grad_S, grad_V, U, S, V, self, compute_uv) }];
}
def Aten__linalg_eigh : Op<"aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"> {
  let summary = "Eigenvalues and eigenvectors of a Hermitian matrix";
  let kernel = "cpu::eighInternal"; let variants = [Out]; let outName = "eigenvalues"; let outArgs = ["eigenvalues", "eigenvectors"];
  let derivative = [{ A = backward.eigh_or_values(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors, A, UPLO, compute_v) }];
}
def Aten_linalg_eigh : Op<"aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)"> {
  let summary = "Eigenvalues and eigenvectors of a Hermitian matrix";
  let kernel = "cpu::eigh"; let variants = [Out]; let outName = "eigvals"; let outArgs = ["eigvals", "eigvecs"];
  let shape = "eigenvalues(self); self"; let dtype = "real; self";
  let derivative = [{ self = backward.eigh(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors) }];
}
def Aten_linalg_eigvalsh : Op<"aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor"> {
  let summary = "Eigenvalues of a Hermitian matrix";
  let kernel = "cpu::eigvalsh"; let variants = [Out];
  let shape = "eigenvalues(self)"; let dtype = "real";
  let derivative = [{ self = backward.eigvalsh(grad, self, UPLO) }];
}
def Aten_symeig : Op<"aten::symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor eigenvalues, Tensor eigenvectors)"> {
  let summary = "Eigenvalues and eigenvectors of a Hermitian matrix";
  let kernel = "cpu::symeig"; let variants = [Out]; let outName = "e"; let outArgs = ["e", "V"];
  let shape = "eigenvalues(self); symeig_vectors(self, eigenvectors)"; let dtype = "real; self";
  let derivative = [{ self = backward.symeig(grad_eigenvalues, grad_eigenvectors, self, eigenvectors, upper) }];
}
def Aten_linalg_eig : Op<"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"> {
  let summary = "Eigenvalues and right eigenvectors";
  let kernel = "cpu::eig"; let variants = [Out]; let outName = "out"; let outArgs = ["eigenvalues", "eigenvectors"];
  let shape = "eigenvalues(self); self"; let dtype = "complex; complex";
  let derivative = [{ self = backward.eig(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors, self) }];
}
def Aten_linalg_eigvals : Op<"aten::linalg_eigvals(Tensor self) -> Tensor"> {
  let summary = "Eigenvalues";
  let kernel = "cpu::eigvals"; let variants = [Out];
  let shape = "eigenvalues(self)"; let dtype = "complex";
  let derivative = [{ self = backward.eigvals(grad, self) }];
}
def Aten_linalg_pinv : Op<"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor"> {
  let summary = "Pseudo-inverse";
  let kernel = "cpu::pinvRcond"; let variants = [Out];
  let shape = "pinv(self)"; let dtype = "self";
  let derivative = [{ self = backward.pinv(grad, result, self) }];
}
def Aten_linalg_pinv_atol_rtol_float : Op<"aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"> {
  let summary = "Pseudo-inverse";
  let kernel = "cpu::pinvFloat"; let variants = [Out];
  let shape = "pinv(self)"; let dtype = "self";
  let derivative = [{ self = backward.pinv(grad, result, self) }];
}
def Aten_linalg_pinv_atol_rtol_tensor : Op<"aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"> {
  let summary = "Pseudo-inverse";
  let kernel = "cpu::pinvTensor"; let variants = [Out];
  let shape = "pinv(self)"; let dtype = "self";
  let derivative = [{ self = backward.pinv(grad, result, self)
                      atol = None
                      rtol = None }];
}
def Aten_linalg_pinv_rcond_tensor : Op<"aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor"> {
  let summary = "Pseudo-inverse";
  let kernel = "cpu::pinvRcondTensor";
  let shape = "pinv(self)"; let dtype = "self";
  let derivative = [{ self  = backward.pinv(grad, result, self)
                      rcond = None }];
}
def Aten_pinverse : Op<"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"> {
  let summary = "Pseudo-inverse";
  let kernel = "cpu::pinverse";
  let shape = "pinv(self)"; let dtype = "self";
  let derivative = [{ self = backward.pinv(grad, result, self) }];
}
def Aten_linalg_matrix_rank : Op<"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor"> {
  let summary = "Number of singular values above a tolerance";
  let kernel = "cpu::matrixRankTol"; let variants = [Out];
  let shape = "batch_of(self)"; let dtype = "Long";
}
def Aten_linalg_matrix_rank_atol_rtol_float : Op<"aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"> {
  let summary = "Number of singular values above a tolerance";
  let kernel = "cpu::matrixRankFloat"; let variants = [Out];
  let shape = "batch_of(self)"; let dtype = "Long";
}
def Aten_linalg_matrix_rank_atol_rtol_tensor : Op<"aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"> {
  let summary = "Number of singular values above a tolerance";
  let kernel = "cpu::matrixRankTensor"; let variants = [Out];
  let traits = [Detached];
}
def Aten_linalg_matrix_rank_tol_tensor : Op<"aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor"> {
  let summary = "Number of singular values above a tolerance";
  let kernel = "cpu::matrixRankTolTensor";
  let traits = [Detached];
}
def Aten_linalg_lstsq : Op<"aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"> {
  let summary = "Least-squares solution";
  let kernel = "cpu::lstsq"; let variants = [Out]; let outName = "out"; let outArgs = ["solution", "residuals", "rank", "singular_values"];
  let derivative = [{ self = backward.lstsq_matrix(grad_solution, self, b)
                      b    = backward.lstsq_right(grad_solution, self, b) }];
}
def Aten_linalg_matrix_exp : Op<"aten::linalg_matrix_exp(Tensor self) -> Tensor"> {
  let summary = "Matrix exponential";
  let kernel = "cpu::matrixExp"; let variants = [Out];
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.matrix_exp(grad, self) }];
}
def Aten_matrix_exp : Op<"aten::matrix_exp(Tensor self) -> Tensor"> {
  let summary = "Matrix exponential";
  let kernel = "cpu::matrixExp";
  let shape = "square(self)"; let dtype = "self";
  let derivative = [{ self = backward.matrix_exp(grad, self) }];
}
def Aten_linalg_cond : Op<"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor"> {
  let summary = "Condition number";
  let kernel = "cpu::cond"; let variants = [Out];
  let shape = "batch_of(self)"; let dtype = "real";
  let derivative = [{ self = backward.cond(grad, self, p) }];
}
def Aten_linalg_cond_p_str : Op<"aten::linalg_cond.p_str(Tensor self, str p) -> Tensor"> {
  let summary = "Condition number";
  let kernel = "cpu::condStr"; let variants = [Out];
  let shape = "batch_of(self)"; let dtype = "real";
  let derivative = [{ self = backward.cond_named(grad, self, p) }];
}
def Aten_linalg_tensorinv : Op<"aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor"> {
  let summary = "Inverse for tensordot";
  let kernel = "cpu::tensorinv"; let variants = [Out];
  let shape = "tensorinv(self, ind)"; let dtype = "self";
  let derivative = [{ self = backward.tensorinv(grad, self, result, ind) }];
}
def Aten_linalg_tensorsolve : Op<"aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor"> {
  let summary = "Solution of tensordot(A, X) = B";
  let kernel = "cpu::tensorsolve"; let variants = [Out];
  let derivative = [{ self  = backward.tensorsolve_matrix(grad, self, other, dims, result)
                      other = backward.tensorsolve_right(grad, self, other, dims) }];
}
def Aten_linalg_vander : Op<"aten::linalg_vander(Tensor x, *, int? N=None) -> Tensor"> {
  let summary = "Vandermonde matrix";
  let kernel = "cpu::linalgVander";
  let shape = "linalg_vander(x, N)";
  let derivative = [{ x = backward.vander(grad, x) }];
}
def Aten_linalg_cross : Op<"aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor"> {
  let summary = "Cross product";
  let kernel = "cpu::linalgCross"; let variants = [Out];
  let shape = "broadcast"; let dtype = "promote";
  let derivative = [{ self  = linalg_cross(other.conj(), grad, dim=dim)
                      other = linalg_cross(grad, self.conj(), dim=dim) }];
}
def Aten_cross : Op<"aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor"> {
  let summary = "Cross product";
  let kernel = "cpu::cross"; let variants = [Out];
  let shape = "broadcast"; let dtype = "promote";
  let derivative = [{ self  = backward.cross(other.conj(), grad, self, dim)
                      other = backward.cross(grad, self.conj(), self, dim) }];
}
def Aten_linalg_vecdot : Op<"aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor"> {
  let summary = "Inner products along a dimension, the first conjugated";
  let kernel = "cpu::vecdot"; let variants = [Out];
  let shape = "vecdot(x, y, dim)"; let dtype = "promote";
  let derivative = [{ x = unsqueeze(grad, dim).conj() * y + zeros_like(x)
                      y = unsqueeze(grad, dim) * x + zeros_like(y) }];
}
def Aten_linalg_diagonal : Op<"aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"> {
  let summary = "Diagonals of matrices";
  let kernel = "cpu::linalgDiagonal";
  let shape = "diagonal(A, offset, dim1, dim2)"; let dtype = "A";
  let derivative = [{ A = diagonal_scatter(grad.new_zeros(A.size()), grad, offset, dim1, dim2) }];
}
def Aten_trace : Op<"aten::trace(Tensor self) -> Tensor"> {
  let summary = "Sum of the diagonal";
  let kernel = "cpu::trace"; let variants = [Out];
  let shape = "scalar()"; let dtype = "sum"; let strides = "contiguous";
  let derivative = [{ self = grad * eye(self.size(0), self.size(1), dtype=grad.dtype) }];
  let backwardNode = "0";
}
def Aten_cov : Op<"aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"> {
  let summary = "Covariance matrix";
  let kernel = "cpu::cov";
  let shape = "cov(self)";
  let derivative = [{ self     = backward.cov(grad, self, correction, fweights, aweights)
                      aweights = backward.cov_weights(grad, self, result, correction, fweights, aweights) }];
}
def Aten_corrcoef : Op<"aten::corrcoef(Tensor self) -> Tensor"> {
  let summary = "Correlation coefficients";
  let kernel = "cpu::corrcoef";
  let shape = "cov(self)";
  let derivative = [{ self = backward.corrcoef(grad, self, result) }];
}
def Aten__linalg_check_errors : Op<"aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"> {
  let summary = "Reports what LAPACK's info says";
  let kernel = "cpu::linalgCheckErrors";
}
def Aten_linalg_vector_norm : Op<"aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Norm of vectors";
  let kernel = "cpu::vectorNorm"; let variants = [Out];
  let shape = "reduce_all_if_none(self, dim, keepdim)"; let dtype = "dtype,real"; let strides = "dense";
  let decomposition = [{
def linalg_vector_norm(self: Tensor, ord: number, dim: Optional[List[int]], keepdim: bool, dtype: Optional[int]) -> Tensor:
    if dtype is not None:
        return torch.linalg_vector_norm(self.to(dtype), ord, dim, keepdim)
    return torch.norm(self, ord, dim if dim is not None else torch.jit.annotate(List[int], []), keepdim)
  }];
  let derivative = [{ self = backward.vector_norm(grad, self, result, float(ord), backward.dims_or_all(dim), keepdim) }];
  let backwardNode = "0";
}
def Aten_linalg_matrix_norm : Op<"aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Norm of matrices";
  let kernel = "cpu::matrixNorm"; let variants = [Out];
  let shape = "reduce(self, dim, keepdim)"; let dtype = "dtype,real";
  let derivative = [{ self = backward.matrix_norm(grad, backward.as_dtype(self, dtype), result, float(ord), dim, keepdim) }];
}
def Aten_linalg_matrix_norm_str_ord : Op<"aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Norm of matrices";
  let kernel = "cpu::matrixNormStr"; let variants = [Out];
  let shape = "reduce(self, dim, keepdim)"; let dtype = "dtype,real";
  let derivative = [{ self = backward.matrix_norm_named(grad, backward.as_dtype(self, dtype), result, ord, dim, keepdim) }];
}
def Aten_linalg_norm : Op<"aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Norm of vectors or matrices";
  let kernel = "cpu::linalgNorm"; let variants = [Out];
  let shape = "linalg_norm(self, ord, dim, keepdim)"; let dtype = "dtype,real";
  let derivative = [{ self = backward.linalg_norm(grad, backward.as_dtype(self, dtype), result, ord, dim, keepdim) }];
}
def Aten_linalg_norm_ord_str : Op<"aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Norm of vectors or matrices";
  let kernel = "cpu::linalgNormStr"; let variants = [Out];
  let shape = "matrix_norm(self, dim, keepdim)"; let dtype = "dtype,real";
  let derivative = [{ self = backward.matrix_norm_named(grad, backward.as_dtype(self, dtype), result, ord, backward.dims_or_all(dim), keepdim) }];
}
def Aten_norm_Scalar : Op<"aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor"> {
  let summary = "p-norm of all elements";
  let kernel = "cpu::normScalar"; let variants = [Out];
  let shape = "scalar()"; let dtype = "real"; let strides = "contiguous";
  let decomposition = [{
def norm(self: Tensor, p: number) -> Tensor:
    return torch.norm(self, p, torch.jit.annotate(List[int], []), False)
  }];
  let derivative = [{ self = backward.vector_norm(grad, self, result, float(p), backward.dims_or_all(None), False) }];
  let backwardNode = "LinalgVectorNormBackward0";
}
def Aten_norm_ScalarOpt_dim : Op<"aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor"> {
  let summary = "p-norm along dimensions";
  let kernel = "cpu::normDim"; let variants = [Out]; let outName = "out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real"; let strides = "dense";
  let derivative = [{ self = backward.norm(grad, self, result, p, dim, keepdim) }];
  let decomposition = [{
import math

def norm(self: Tensor, p: Optional[number], dim: List[int], keepdim: bool) -> Tensor:
    order = 2.0 if p is None else float(p)
    if self.is_complex():
        self = torch.abs(self)
    if order == math.inf:
        return torch.amax(torch.abs(self), dim, keepdim)
    if order == -math.inf:
        return torch.amin(torch.abs(self), dim, keepdim)
    if order == 0:
        return torch.sum(torch.ne(self, 0).type_as(self), dim, keepdim)
    if order == 1:
        return torch.sum(torch.abs(self), dim, keepdim)
    if order == 2:
        return torch.sqrt(torch.sum(self * self, dim, keepdim))
    return torch.pow(torch.sum(torch.pow(torch.abs(self), order), dim, keepdim), 1 / order)
  }];
  let derivative = [{ self = backward.vector_norm(grad, self, result, float(p) if p is not None else 2., dim, keepdim) }];
  let backwardNode = "LinalgVectorNormBackward0";
}
def Aten_norm_ScalarOpt_dim_dtype : Op<"aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor"> {
  let summary = "p-norm along dimensions";
  let kernel = "cpu::normDimDType"; let variants = [Out]; let outName = "dtype_out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "dtype"; let strides = "dense";
  let derivative = [{ self = backward.norm(grad, self.to(dtype), result, p, dim, keepdim) }];
  let backwardNode = "LinalgVectorNormBackward0";
}
def Aten_norm_ScalarOpt_dtype : Op<"aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"> {
  let summary = "p-norm of all elements";
  let kernel = "cpu::normDType"; let variants = [Out];
  let shape = "scalar()"; let dtype = "dtype"; let strides = "contiguous";
  let derivative = [{ self = backward.norm(grad, self.to(dtype), result, p, [], False) }];
  let backwardNode = "LinalgVectorNormBackward0";
}
def Aten_frobenius_norm : Op<"aten::frobenius_norm(Tensor self) -> Tensor"> {
  let summary = "Frobenius norm";
  let kernel = "cpu::frobeniusNorm";
  let shape = "scalar()"; let dtype = "real"; let strides = "contiguous";
  let derivative = [{ self = backward.norm(grad, self, result, 2, [], False) }];
}
def Aten_frobenius_norm_dim : Op<"aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"> {
  let summary = "Frobenius norm along dimensions";
  let kernel = "cpu::frobeniusNormDim"; let variants = [Out]; let outName = "out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real";
  let derivative = [{ self = backward.norm(grad, self, result, 2, dim, keepdim) }];
}
def Aten_nuclear_norm : Op<"aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor"> {
  let summary = "Sum of singular values";
  let kernel = "cpu::nuclearNorm"; let variants = [Out];
  let shape = "nuclear_norm(self, keepdim)"; let dtype = "real";
  let derivative = [{ self = backward.nuclear(grad, self) }];
}
def Aten_nuclear_norm_dim : Op<"aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor"> {
  let summary = "Sum of singular values";
  let kernel = "cpu::nuclearNormDim"; let variants = [Out];
  let shape = "reduce(self, dim, keepdim)"; let dtype = "real";
  let derivative = [{ self = backward.nuclear_of(grad, self, dim, keepdim) }];
}
def Aten_renorm : Op<"aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor"> {
  let summary = "Scales slices whose norm is above a maximum";
  let kernel = "cpu::renorm"; let variants = [InPlace, Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.renorm(grad, self, p, dim, maxnorm) }];
}
def Aten_dist : Op<"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"> {
  let summary = "p-norm of a difference";
  let kernel = "cpu::dist"; let variants = [Out];
  let shape = "scalar()"; let dtype = "real"; let strides = "contiguous";
  let derivative = [{ self  = backward.norm(grad, self - other, result, p, [], False)
                      other = -backward.norm(grad, self - other, result, p, [], False) }];
  let backwardNode = "0";
}
def Aten_cdist : Op<"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"> {
  let summary = "Distances between rows of two batches";
  let kernel = "cpu::cdist";
  let shape = "cdist(x1, x2)"; let dtype = "promote_float";
  let derivative = [{ x1 = sum(backward.distances(grad, x1, x2, result, p), [-2])
                      x2 = -sum(backward.distances(grad, x1, x2, result, p), [-3]) }];
}
def Aten__cdist_forward : Op<"aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"> {
  let summary = "Distances between rows of two batches";
  let kernel = "cpu::cdistForward"; let variants = [Out];
  let shape = "cdist(x1, x2)"; let dtype = "promote_float";
  let derivative = [{ x1 = sum(backward.distances(grad, x1, x2, result, p), [-2])
                      x2 = -sum(backward.distances(grad, x1, x2, result, p), [-3]) }];
}
def Aten__euclidean_dist : Op<"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"> {
  let summary = "Euclidean distances between rows";
  let kernel = "cpu::euclideanDist"; let variants = [Out];
  let shape = "cdist(x1, x2)"; let dtype = "promote_float";
  let derivative = [{ x1 = sum(backward.distances(grad, x1, x2, result, 2.), [-2])
                      x2 = -sum(backward.distances(grad, x1, x2, result, 2.), [-3]) }];
}
def Aten_pdist : Op<"aten::pdist(Tensor self, float p=2.) -> Tensor"> {
  let summary = "Distances between the rows of one matrix";
  let kernel = "cpu::pdist";
  let shape = "pdist(self)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.pdist(grad, self, result, p) }];
}
def Aten_pairwise_distance : Op<"aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor"> {
  let summary = "Distance between corresponding rows";
  let kernel = "cpu::pairwiseDistance";
  let shape = "pairwise_distance(x1, x2, keepdim)"; let dtype = "real_float";
  let decomposition = [{
def pairwise_distance(x1: Tensor, x2: Tensor, p: float, eps: float, keepdim: bool) -> Tensor:
    return torch.norm(x1 - x2 + eps, p, [-1], keepdim)
  }];
}
def Aten_cosine_similarity : Op<"aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor"> {
  let summary = "Cosine of the angle along a dimension";
  let kernel = "cpu::cosineSimilarity";
  let shape = "cosine_similarity(x1, x2, dim)"; let dtype = "promote_float";
  let derivative = [{ x1 = backward.cosine(grad, x1, x2, dim, eps)
                      x2 = backward.cosine(grad, x2, x1, dim, eps) }];
}
