//===- Scans.cpp - Running sums, products and extrema on a GPU ------------===//
//
// Where there are rows enough, a thread takes one from its beginning to its end, which is
// the processor's order. Long rows are cut into pieces of 2048 elements: what each comes
// to is found first, then what comes before each, and last the elements' results. Pieces
// depend on sizes alone, and so do the bits.
//
//===----------------------------------------------------------------------===//
#include "Scans.h"
#include "tsc/Kernels/Views.h"

using namespace tsc;
using namespace tsc::fuser;

static constexpr int64_t pieceElements = 2048;

// Operands: elements, results, indices, what pieces come to. Numbers: length, inner, piecesOfRow. A state is what some
// neighbours come to.
#define TSC_SCAN_TEXT                                                                                                  \
  R"(
@STATE@
TSC_DEVICE tsc_state tsc_lift(@ITEM@ item, unsigned k) {
  const @REAL@ v = @LOAD@(item);
  return @LIFT@;
}
template <class P> TSC_DEVICE tsc_state tsc_read(const P &p, long long at, unsigned k) {
  return tsc_lift(((const @ITEM@ *)p.at[0])[at], k);
}
template <class P> TSC_DEVICE void tsc_write(const P &p, long long at, const tsc_state &s) {
  ((@OUT@ *)p.at[1])[at] = @EMIT@;
  if (@IS_PLACED@)
    ((long long *)p.at[2])[at] = @PLACE@;
}
template <class P> TSC_DEVICE long long tsc_row_begin(const P &p, unsigned row) {
  const unsigned length = (unsigned)p.number[0], inner = (unsigned)p.number[1], outer = row / inner;
  return (long long)outer * length * inner + (row - outer * inner);
}
// What a thread's 8 elements of a row come to.
template <class P> TSC_DEVICE tsc_state tsc_own(const P &p, long long begin, unsigned first) {
  const unsigned length = (unsigned)p.number[0], inner = (unsigned)p.number[1];
  tsc_state s = tsc_first();
#pragma unroll
  for (unsigned k = first; k != first + 8; ++k)
    if (k < length)
      s = tsc_join(s, tsc_read(p, begin + (long long)k * inner, k));
  return s;
}
)"

static constexpr char rowsText[] = TSC_SCAN_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned length = (unsigned)p.number[0], inner = (unsigned)p.number[1];
  for (unsigned row = 256 * blockIdx.x + threadIdx.x; row < (unsigned)p.count; row += 256 * gridDim.x) {
    const long long begin = tsc_row_begin(p, row);
    tsc_state s = tsc_first();
    for (unsigned k = 0; k < length; ++k) {
      const long long at = begin + (long long)k * inner;
      s = tsc_join(s, tsc_read(p, at, k));
      tsc_write(p, at, s);
    }
  }
}
)";

static constexpr char piecesText[] = TSC_SCAN_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  __shared__ tsc_state states[256];
  const unsigned piecesOfRow = (unsigned)p.number[2];
  for (unsigned piece = blockIdx.x; piece < (unsigned)p.count; piece += gridDim.x) {
    const unsigned row = piece / piecesOfRow, first = (piece - row * piecesOfRow) * 2048 + 8 * threadIdx.x;
    const long long begin = tsc_row_begin(p, row);
    states[threadIdx.x] = tsc_own(p, begin, first);
    __syncthreads();
#pragma unroll 1
    for (unsigned step = 1; step != 256; step *= 2) {
      if (threadIdx.x % (2 * step) == 0)
        states[threadIdx.x] = tsc_join(states[threadIdx.x], states[threadIdx.x + step]);
      __syncthreads();
    }
    if (threadIdx.x == 0)
      ((tsc_state *)p.at[3])[piece] = states[0];
    __syncthreads();
  }
}
)";

/// What pieces come to becomes what comes before each.
static constexpr char carriesText[] = TSC_SCAN_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned piecesOfRow = (unsigned)p.number[2];
  for (unsigned row = 256 * blockIdx.x + threadIdx.x; row < (unsigned)p.count; row += 256 * gridDim.x) {
    tsc_state *pieces = (tsc_state *)p.at[3] + (long long)row * piecesOfRow;
    tsc_state s = tsc_first();
    for (unsigned i = 0; i < piecesOfRow; ++i) {
      const tsc_state own = pieces[i];
      pieces[i] = s;
      s = tsc_join(s, own);
    }
  }
}
)";

static constexpr char resultsText[] = TSC_SCAN_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  __shared__ tsc_state states[2][256];
  const unsigned length = (unsigned)p.number[0], inner = (unsigned)p.number[1], piecesOfRow = (unsigned)p.number[2];
  for (unsigned piece = blockIdx.x; piece < (unsigned)p.count; piece += gridDim.x) {
    const unsigned row = piece / piecesOfRow, first = (piece - row * piecesOfRow) * 2048 + 8 * threadIdx.x;
    const long long begin = tsc_row_begin(p, row);
    states[0][threadIdx.x] = tsc_own(p, begin, first);
    __syncthreads();
    unsigned from = 0;
#pragma unroll 1
    for (unsigned step = 1; step != 256; step *= 2) {
      const tsc_state own = states[from][threadIdx.x];
      states[1 - from][threadIdx.x] = threadIdx.x < step ? own : tsc_join(states[from][threadIdx.x - step], own);
      from = 1 - from;
      __syncthreads();
    }
    tsc_state s = piecesOfRow == 1 ? tsc_first() : ((const tsc_state *)p.at[3])[piece];
    if (threadIdx.x != 0)
      s = tsc_join(s, states[from][threadIdx.x - 1]);
#pragma unroll
    for (unsigned k = first; k != first + 8; ++k)
      if (k < length) {
        const long long at = begin + (long long)k * inner;
        s = tsc_join(s, tsc_read(p, at, k));
        tsc_write(p, at, s);
      }
    __syncthreads();
  }
}
)";

static constexpr char numberState[] = R"(
typedef @WIDE@ tsc_state;
TSC_DEVICE tsc_state tsc_first() { return @FIRST@; }
TSC_DEVICE tsc_state tsc_join(tsc_state a, tsc_state b) { return @JOIN@; }
)";
static constexpr char exponentState[] = R"(
typedef double tsc_state;
TSC_DEVICE tsc_state tsc_first() { return tsc_least(0.0); }
TSC_DEVICE tsc_state tsc_join(tsc_state a, tsc_state b) {
  if (a != a || b != b)
    return a + b;
  const double high = a > b ? a : b, low = a > b ? b : a;
  return low == high && low - low != 0 ? low : high + log1p(exp(low - high));
}
)";
/// The last of equals is kept, and NaN stays once met.
static constexpr char extremumState[] = R"(
struct tsc_state {
  @REAL@ value;
  unsigned at;
  int isThere;
};
TSC_DEVICE tsc_state tsc_first() { return {0, 0, 0}; }
TSC_DEVICE tsc_state tsc_join(const tsc_state &a, const tsc_state &b) {
  if (b.isThere == 0 || (a.isThere != 0 && (b.value @WORSE@ a.value || (b.value == b.value && a.value != a.value))))
    return a;
  return b;
}
)";

/// A scan whose result has the operand's dtype.
static std::optional<Scan> scanOf(Scan::Kind kind, const Tensor &self, int64_t dim) {
  if (!self.defined() || self.dim() == 0)
    return std::nullopt;
  dim += dim < 0 ? self.dim() : 0;
  if (dim < 0 || dim >= self.dim())
    return std::nullopt;
  return Scan{kind, self, dim, self.dtype()};
}

/// Sums and products, whose results are of the dtype with the number `dtype`, if it is given; else those of integers
/// are of Int64.
static std::optional<Scan> convertingScanOf(Scan::Kind kind, const Tensor &self, int64_t dim,
                                            std::optional<int64_t> dtype) {
  auto made = scanOf(kind, self, dim);
  if (!made || (dtype && !isValidDType(*dtype)))
    return std::nullopt;
  const DType from = self.dtype();
  if (dtype)
    made->result = static_cast<DType>(*dtype);
  else if (isIntegral(from, true))
    made->result = DType::Int64;
  const bool fits = isFloating(from)
                        ? isFloating(made->result) && (from != DType::Double || made->result == DType::Double)
                        : isIntegral(made->result, false);
  return fits ? made : std::nullopt;
}

std::optional<Scan> cuda::cumulativeSum(const Tensor &self, int64_t dim, std::optional<int64_t> dtype) {
  return convertingScanOf(Scan::Sum, self, dim, dtype);
}
std::optional<Scan> cuda::cumulativeProduct(const Tensor &self, int64_t dim, std::optional<int64_t> dtype) {
  return convertingScanOf(Scan::Product, self, dim, dtype);
}
std::optional<Scan> cuda::cumulativeLogSumExp(const Tensor &self, int64_t dim) {
  return self.defined() && isFloating(self.dtype()) ? scanOf(Scan::LogSumExp, self, dim) : std::nullopt;
}
std::optional<Scan> cuda::cumulativeMax(const Tensor &self, int64_t dim) { return scanOf(Scan::Max, self, dim); }
std::optional<Scan> cuda::cumulativeMin(const Tensor &self, int64_t dim) { return scanOf(Scan::Min, self, dim); }

Scanner::Form Scanner::formOf(const Scan &scan) {
  static constexpr const char *names[] = {"sum", "product", "logsumexp", "max", "min"};
  const DType dtype = scan.self.dtype();
  Form form{(names[scan.kind] + llvm::Twine("_") + llvm::StringRef(irName(dtype)).lower() + "_" +
             llvm::StringRef(irName(scan.result)).lower())
                .str(),
            {}};
  const bool isExtremum = scan.kind == Scan::Max || scan.kind == Scan::Min, isReal = isFloating(dtype);
  const bool isShort = scan.result == DType::Half || scan.result == DType::BFloat16;
  const bool isProduct = scan.kind == Scan::Product;
  const std::string number = isShort ? "(float)s" : "s";
  auto add = [&](llvm::StringRef mark, std::string by) { form.marks.emplace_back(mark, std::move(by)); };
  // Of these texts some hold marks that are replaced after them.
  add("@STATE@", isExtremum ? extremumState : scan.kind == Scan::LogSumExp ? exponentState : numberState);
  add("@WIDE@", isReal ? "double" : "tsc_word");
  add("@FIRST@", isProduct ? "1" : "0");
  add("@JOIN@", isProduct ? "a * b" : "a + b");
  add("@WORSE@", scan.kind == Scan::Max ? "<" : ">");
  add("@LIFT@", isExtremum ? "{v, k, 1}" : "(tsc_state)v");
  add("@IS_PLACED@", isExtremum ? "true" : "false");
  add("@PLACE@", isExtremum ? "s.at" : "0");
  for (auto &[mark, by] : elementMarks(scan.result)) {
    if (mark == "@STORED@")
      add("@OUT@", by);
    if (mark == "@STORE@")
      add("@EMIT@", by + "(" + (isExtremum ? "s.value" : number) + ")");
  }
  for (auto &[mark, by] : elementMarks(dtype))
    add(mark == "@STORED@" ? "@ITEM@" : mark, by);
  return form;
}

Status Scanner::run(const Form &form, const Tensor &from, int64_t length, int64_t inner, const Tensor &values,
                    const Tensor &indices) {
  const int64_t rows = from.numel() / length, piecesOfRow = (length + pieceElements - 1) / pieceElements;
  constexpr int64_t shortRow = 64, manyRows = 4096, stateBytes = 16;
  const bool byRows = length <= shortRow || rows >= manyRows;
  Tensor states = values; // an operand that is not written
  if (!byRows && piecesOfRow != 1) {
    TSC_ASSIGN_OR_RETURN(states, kernels.empty({rows * piecesOfRow * stateBytes / 8}, DType::Int64));
  }
  HandLaunch launch{{from.data(), values.data(), indices.data(), states.data()}, {}, rows, false};
  for (int64_t number : {length, inner, piecesOfRow})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  auto runPart = [&](const char *part, llvm::StringRef text) {
    return kernels.run("tsc_scan_" + (part + ("_" + form.name)), text, form.marks, launch);
  };
  if (byRows)
    return runPart("rows", rowsText);
  launch.isOfBlocks = true, launch.work = rows * piecesOfRow;
  if (piecesOfRow != 1) {
    TSC_RETURN_IF_ERROR(runPart("pieces", piecesText));
    launch.isOfBlocks = false, launch.work = rows;
    TSC_RETURN_IF_ERROR(runPart("carries", carriesText));
    launch.isOfBlocks = true, launch.work = rows * piecesOfRow;
  }
  return runPart("results", resultsText);
}

StatusOr<bool> Scanner::scan(const Scan &scan, llvm::MutableArrayRef<IValue> results) {
  if (!kernels.isTaken(scan.self))
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor from, kernels.dense(scan.self));
  TSC_ASSIGN_OR_RETURN(Tensor values, kernels.empty(scan.self.sizes(), scan.result));
  Tensor indices = values; // an operand that is not written
  if (results.size() == 2) {
    TSC_ASSIGN_OR_RETURN(indices, kernels.empty(scan.self.sizes(), DType::Int64));
  }
  int64_t inner = 1;
  for (int64_t d = scan.dim + 1; d != scan.self.dim(); ++d)
    inner *= scan.self.size(d);
  TSC_RETURN_IF_ERROR(run(formOf(scan), from, scan.self.size(scan.dim), inner, values, indices));
  results[0] = IValue(std::move(values));
  if (results.size() == 2)
    results[1] = IValue(std::move(indices));
  return true;
}

StatusOr<Tensor> Scanner::countNonzero(const Tensor &dense) {
  TSC_ASSIGN_OR_RETURN(Tensor counts, kernels.empty({dense.numel()}, DType::Int32));
  Form form = formOf({Scan::Sum, dense, 0, DType::Int32});
  form.name = "nonzero_" + llvm::StringRef(irName(dense.dtype())).lower();
  for (auto &[mark, by] : form.marks) {
    if (mark == "@LIFT@")
      by = "(tsc_state)(v != 0)";
    if (mark == "@WIDE@")
      by = "tsc_word";
  }
  TSC_RETURN_IF_ERROR(run(form, dense, dense.numel(), 1, counts, counts));
  return counts;
}
