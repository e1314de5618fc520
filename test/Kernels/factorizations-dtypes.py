# Systems and factors of one dtype, which LAPACK knows; others are errors, with PyTorch's sentences.
# RUN: not tsc-run -i < %s 2>&1 | FileCheck %s
b = torch.tensor([[1.0], [2.0]])
lower = torch.tensor([[2.0, 0.0], [0.5, 1.5]])
whole = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
numbers = torch.ones([2, 2], dtype=torch.int64)
halves = torch.ones([2, 2], dtype=torch.float16)
lu, pivots = torch.linalg.lu_factor(whole)
ld, exchanges = torch.linalg.ldl_factor(whole)
reflectors, tau = torch.geqrf(torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
column = torch.tensor([[1.0], [2.0], [3.0]])

# CHECK: error: RuntimeError: Expected b and A to have the same dtype, but found b of type Float and A of type Double instead.
torch.cholesky_solve(b, lower.double())
# CHECK: error: RuntimeError: Expected b and A to have the same dtype, but found b of type Long and A of type Float instead.
torch.cholesky_solve(b.long(), lower)
# CHECK: error: RuntimeError: "cholesky_solve_cpu" not implemented for 'Long'
torch.cholesky_solve(numbers, numbers)
# CHECK: error: RuntimeError: "cholesky_solve_cpu" not implemented for 'Half'
torch.cholesky_solve(halves, halves)
# CHECK: error: RuntimeError: "cholesky_inverse_out_cpu" not implemented for 'Bool'
torch.cholesky_inverse(numbers.bool())

# CHECK: error: RuntimeError: Expected b and A to have the same dtype, but found b of type Double and A of type Float instead.
torch.triangular_solve(b.double(), lower)
# CHECK: error: RuntimeError: "triangular_solve_cpu" not implemented for 'Int'
torch.triangular_solve(numbers.int(), numbers.int())
# CHECK: error: RuntimeError: "triangular_solve_cpu" not implemented for 'BFloat16'
torch.linalg.solve_triangular(lower.bfloat16(), b, upper=False)

# The right side of this one is converted.
# CHECK: triangular True True
x = torch.linalg.solve_triangular(lower, b.double(), upper=False)
print("triangular", x.dtype == torch.float32, torch.equal(x, torch.linalg.solve_triangular(lower, b, upper=False)))

# CHECK: error: RuntimeError: linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type Half and B of type Float instead
torch.linalg.lu_solve(lu.half(), pivots, b)
# CHECK: error: RuntimeError: "linalg.lu_solve_cpu" not implemented for 'Half'
torch.linalg.lu_solve(lu.half(), pivots, b.half())
# CHECK: error: RuntimeError: torch.linalg.lu_solve: Expected a floating point or complex tensor as input. Got Long
torch.linalg.lu_solve(numbers, pivots, numbers)
# CHECK: error: RuntimeError: linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32
torch.linalg.lu_solve(lu, pivots.long(), b)

# CHECK: error: RuntimeError: Expected b and A to have the same dtype, but found b of type Double and A of type Float instead.
torch.linalg.ldl_solve(ld, exchanges, b.double())
# CHECK: error: RuntimeError: "ldl_solve_kernel_cpu" not implemented for 'Half'
torch.linalg.ldl_solve(ld.half(), exchanges, b.half())
# CHECK: error: RuntimeError: torch.linalg.ldl_solve: Expected pivots to be integers. Got Float
torch.linalg.ldl_solve(ld, exchanges.float(), b)
# CHECK: error: RuntimeError: torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape [1] instead
torch.linalg.ldl_solve(ld, exchanges[:1], b)

# CHECK: error: RuntimeError: "geqrf_cpu" not implemented for 'Long'
torch.geqrf(numbers)
# CHECK: error: RuntimeError: "geqrf_cpu" not implemented for 'Half'
torch.geqrf(halves)
# CHECK: error: RuntimeError: torch.linalg.householder_product: tau dtype Double does not match input dtype Float
torch.linalg.householder_product(reflectors, tau.double())
# CHECK: error: RuntimeError: "orgqr_cpu" not implemented for 'Long'
torch.orgqr(reflectors.long(), tau.long())
# CHECK: error: RuntimeError: torch.ormqr: Expected input and tau to have the same dtype, but input has dtypeFloat and tau has dtype Double
torch.ormqr(reflectors, tau.double(), column)
# CHECK: error: RuntimeError: torch.ormqr: Expected input and other to have the same dtype, but input has dtypeFloat and other has dtype Long
torch.ormqr(reflectors, tau, column.long())
# CHECK: error: RuntimeError: "ormqr_cpu" not implemented for 'Half'
torch.ormqr(reflectors.half(), tau.half(), column.half())

# CHECK: error: RuntimeError: torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype Float and other's dtype Double
torch.linalg.lstsq(whole, b.double())
# CHECK: error: RuntimeError: This function doesn't handle types other than float and double
torch.linalg.lstsq(numbers, numbers)

# What is no number stays none; zeros were an answer that nobody could tell from a true one.
nan = float("nan")
sides = torch.tensor([[1.0], [1.0], [2.0]])
good = torch.tensor([[1.0, 1.0], [1.0, 3.0], [2.0, 1.0]])
bad = torch.tensor([[nan, 1.0], [1.0, 3.0], [2.0, 1.0]])
# CHECK: tall True 1
solution = torch.linalg.lstsq(bad, sides)
print("tall", bool(solution[0].isnan().all()), int(solution[2]))
# CHECK: wide True 1
solution = torch.linalg.lstsq(bad.t(), sides[:2])
print("wide", bool(solution[0].isnan().all()), int(solution[2]))
# CHECK: complex True
print("complex", bool(torch.linalg.lstsq(bad.to(torch.complex64), sides.to(torch.complex64))[0].isnan().all()))
# CHECK: by QR True
print("by QR", bool(torch.linalg.lstsq(bad, sides, driver="gels")[0].isnan().all()))
# CHECK: both True False [1, 2]
solution = torch.linalg.lstsq(torch.stack([bad, good]), torch.stack([sides, sides]))
print("both", bool(solution[0][0].isnan().all()), bool(solution[0][1].isnan().any()), solution[2].tolist())
# CHECK: none True 0
solution = torch.linalg.lstsq(torch.zeros([3, 2]), sides)
print("none", bool((solution[0] == 0).all()), int(solution[2]))
