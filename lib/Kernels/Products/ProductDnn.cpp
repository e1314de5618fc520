//===- ProductDnn.cpp - Products of bfloat16 through oneDNN ---------------===//
#include "ProductDnn.h"
#include "Support/OneDnn.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Tensor.h"
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

using namespace tsc;
using namespace tsc::cpu;
using Desc = dnnl::memory::desc;

bool tsc::cpu::hasBFloat16Products() {
#if defined(__x86_64__)
  static const bool has = simdLevel() == SimdLevel::V4 && __builtin_cpu_supports("avx512bf16") &&
                          __builtin_cpu_supports("avx512vl") && hasOneDnn();
  return has;
#else
  return false;
#endif
}

namespace {
/// A primitive for one shape. Immutable once made; threads share it, each with a buffer of its own.
struct ProductPlan {
  Desc left, right, out, scratch;
  dnnl::matmul primitive;
};
/// Batches, m, n, k, and the strides of the operands.
using Shape = std::array<int64_t, 14>;
} // namespace

static std::shared_ptr<const ProductPlan> makePlan(const Shape &s, DType outType) {
  using Type = dnnl::memory::data_type;
  const auto [batches, m, n, k, aBatch, aRow, aColumn, bBatch, bRow, bColumn, outBatch, outRow, type, unused] = s;
  auto plan = std::make_shared<ProductPlan>();
  const Type result = outType == DType::Float ? Type::f32 : Type::bf16;
  if (batches == 1) {
    plan->left = Desc({m, k}, Type::bf16, dnnl::memory::dims{aRow, aColumn});
    plan->right = Desc({k, n}, Type::bf16, dnnl::memory::dims{bRow, bColumn});
    plan->out = Desc({m, n}, result, dnnl::memory::dims{outRow, 1});
  } else {
    plan->left = Desc({batches, m, k}, Type::bf16, dnnl::memory::dims{aBatch, aRow, aColumn});
    plan->right = Desc({batches, k, n}, Type::bf16, dnnl::memory::dims{bBatch, bRow, bColumn});
    plan->out = Desc({batches, m, n}, result, dnnl::memory::dims{outBatch, outRow, 1});
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::matmul::primitive_desc pd({plan->left, plan->right, plan->out}, attributes, engine());
  if (llvm::StringRef(pd.impl_info_str()).contains("ref"))
    return nullptr;
  plan->scratch = pd.scratchpad_desc();
  plan->primitive = dnnl::matmul(pd);
  return plan;
}

/// Null: oneDNN has none for the shape.
static std::shared_ptr<const ProductPlan> planFor(const Shape &shape, DType outType) {
  static std::mutex &mutex = makeForkSafeMutex();
  static auto &plans = *new std::map<Shape, std::shared_ptr<const ProductPlan>>; // threads may outlive main
  constexpr size_t limit = 1024;
  {
    std::lock_guard lock(mutex);
    if (auto found = plans.find(shape); found != plans.end())
      return found->second;
  }
  std::shared_ptr<const ProductPlan> plan;
  try {
    plan = makePlan(shape, outType);
  } catch (const dnnl::error &) {
  }
  std::lock_guard lock(mutex);
  if (plans.size() >= limit)
    plans.clear();
  return plans.emplace(shape, std::move(plan)).first->second;
}

static bool execute(const ProductPlan &plan, const void *a, const void *b, void *out) {
  SingleThreadedDnn scope;
  try { // oneDNN's C++ interface throws; nothing leaves this file
    dnnl::stream &stream = threadStream();
    std::unordered_map<int, dnnl::memory> arguments = {
        {DNNL_ARG_SRC, dnnl::memory(plan.left, engine(), const_cast<void *>(a))},
        {DNNL_ARG_WEIGHTS, dnnl::memory(plan.right, engine(), const_cast<void *>(b))},
        {DNNL_ARG_DST, dnnl::memory(plan.out, engine(), out)}};
    Tensor buffer;
    if (size_t bytes = plan.scratch.get_size()) {
      StatusOr<Tensor> made = Tensor::empty({static_cast<int64_t>(bytes)}, DType::UInt8);
      if (!made.ok())
        return false;
      buffer = *made;
      arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(plan.scratch, engine(), buffer.mutableData()));
    }
    plan.primitive.execute(stream, arguments);
    stream.wait();
    return true;
  } catch (const dnnl::error &) {
    return false;
  }
}

/// One product or a batch, in pieces of rows, columns or matrices. False: oneDNN has no primitive for it, or failed.
static bool multiplyInPieces(int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a, const MatrixRef &b,
                             const MatrixOut &out, DType outType) {
  const int64_t work = m * n * k;
  // Cut by the shape alone: bits must not depend on how many threads there are.
  const bool byBatch = batches > 1, byRows = m >= n;
  const int64_t length = byBatch ? batches : byRows ? m : n;
  const ProductCut cut(length, batches * work, byBatch ? 1 : ProductCut::leastLength);
  const size_t outItem = itemSize(outType);
  auto planOf = [&](int64_t size) {
    return planFor({byBatch ? size : 1, byBatch || !byRows ? m : size, byBatch || byRows ? n : size, k, a.batch, a.row,
                    a.column, b.batch, b.row, b.column, out.batch, out.row, static_cast<int64_t>(outType), 0},
                   outType);
  };
  const auto [firstBegin, firstSize] = cut[0];
  const auto [lastBegin, lastSize] = cut[cut.count - 1];
  const std::shared_ptr<const ProductPlan> most = planOf(firstSize), last = planOf(lastSize);
  if (!most || !last)
    return false;
  std::atomic<bool> done = true;
  parallelFor(0, cut.count, 1, [&](int64_t first, int64_t end) {
    for (int64_t i = first; i < end && !work::wasStopped(); ++i) {
      const int64_t begin = cut[i].first;
      const int64_t left = byBatch  ? begin * a.batch
                           : byRows ? begin * a.row
                                    : 0,
                    right = byBatch  ? begin * b.batch
                            : byRows ? 0
                                     : begin * b.column,
                    to = byBatch  ? begin * out.batch
                         : byRows ? begin * out.row
                                  : begin;
      if (!execute(i + 1 == cut.count ? *last : *most, static_cast<const BFloat16 *>(a.data) + left,
                   static_cast<const BFloat16 *>(b.data) + right, static_cast<char *>(out.data) + to * outItem))
        done = false;
    }
  });
  return done;
}

/// A product that takes longer than some hundredths of a second is made of tiles with sides of at least so many
/// elements, between which the call is looked at.
static constexpr double longWork = 0x1p33;
static constexpr int64_t tileSide = 768;

static bool multiplyInTiles(int64_t m, int64_t n, int64_t k, const MatrixRef &a, const MatrixRef &b,
                            const MatrixOut &out, DType outType) {
  const int64_t work = m * n * k;
  const ProductCut rows(m, work, tileSide), columns(n, work, tileSide);
  std::atomic<bool> done = true;
  parallelFor(0, rows.count * columns.count, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last && done && !work::wasStopped(); ++i) {
      const auto [row, height] = rows[i / columns.count];
      const auto [column, width] = columns[i % columns.count];
      const MatrixRef left{static_cast<const BFloat16 *>(a.data) + row * a.row, a.row, a.column},
          right{static_cast<const BFloat16 *>(b.data) + column * b.column, b.row, b.column};
      const MatrixOut to{
          static_cast<char *>(out.data) + (row * out.row + column) * static_cast<int64_t>(itemSize(outType)), out.row};
      if (!multiplyInPieces(1, height, width, k, left, right, to, outType)) // the last tile may be a single column
        done = false;
    }
  });
  return done;
}

bool tsc::cpu::multiplyBFloat16(int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a,
                                const MatrixRef &b, const MatrixOut &out, DType outType) {
  assert((outType == DType::BFloat16 || outType == DType::Float) && "sums are of floats, and rounded once or not");
  assert(out.row >= n && "rows of the result do not overlap");
  constexpr int64_t leastWork = int64_t{1} << 15; // below, a primitive's fixed cost shows
  const int64_t work = m * n * k;
  auto isPlain = [](const MatrixRef &r, int64_t rows, int64_t columns) {
    return (r.column == 1 && r.row >= columns) || (r.row == 1 && r.column >= rows);
  };
  if (!hasBFloat16Products() || batches * work < leastWork || m < 1 || n < 2 || k < 2 || !isPlain(a, m, k) ||
      !isPlain(b, k, n) || (batches > 1 && (a.batch == 0 || b.batch == 0)))
    return false;
  if (batches == 1 && static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) > longWork &&
      std::max(m, n) >= 2 * tileSide)
    return multiplyInTiles(m, n, k, a, b, out, outType);
  return multiplyInPieces(batches, m, n, k, a, b, out, outType);
}
