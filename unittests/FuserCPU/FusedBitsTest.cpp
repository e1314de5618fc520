//===- FusedBitsTest.cpp - Fused code gives the bits of the operators -----===//
#include "../Fusion/RandomGroups.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Parser.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace tsc;

/// Equal bits, except that a NaN is any NaN.
template <typename T> static bool sameElements(const Tensor &a, const Tensor &b) {
  for (int64_t i = 0; i != a.numel(); ++i) {
    T x = a.data<T>()[i], y = b.data<T>()[i];
    bool bothNaN = static_cast<double>(x) != static_cast<double>(x) && static_cast<double>(y) != static_cast<double>(y);
    if (!bothNaN && std::memcmp(&x, &y, sizeof(T)) != 0)
      return false;
  }
  return true;
}

static bool sameTensors(const Tensor &a, const Tensor &b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.strides() != b.strides())
    return false;
  switch (a.dtype()) {
  case DType::Float: return sameElements<float>(a, b);
  case DType::Double: return sameElements<double>(a, b);
  case DType::Half: return sameElements<Half>(a, b);
  case DType::BFloat16: return sameElements<BFloat16>(a, b);
  default:
    return a.numel() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.numel()) * itemSize(a.dtype())) == 0;
  }
}

/// Runs the group as the fuser's code; whether there is any for it.
static bool compareGroup(Fuser &fuser, RandomGroup &group) {
  std::shared_ptr<FusedGroup> code = fuser.get(group.graph);
  if (!code)
    return false;
  std::vector<const IValue *> inputs;
  for (const IValue &input : group.inputs)
    inputs.push_back(&input);
  std::vector<IValue> results(group.expected.size());
  auto ran = code->run(group.call, inputs, results.data());
  REQUIRE(ran.ok());
  for (size_t i = 0; *ran && i != results.size(); ++i) {
    const Tensor &found = results[i].asTensor(), &expected = group.expected[i].asTensor();
    INFO("output " << i << "\n" << toCppString(found) << "\n" << toCppString(expected));
    REQUIRE(sameTensors(found, expected));
  }
  return *ran;
}

/// Groups of these seeds with kernels that are made for them, with those on two threads, and with kernels from the
/// disk.
static void compareFresh(unsigned first, unsigned last, RandomGroup::Contents contents,
                         std::optional<SimdLevel> simd = std::nullopt) {
  llvm::SmallString<128> folder;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("tsc-random", folder));
  REQUIRE(!llvm::sys::fs::setPermissions(folder, llvm::sys::fs::owner_all)); // whatever the umask
  auto remover = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = std::string(folder);
  options.simd = simd;
  options.report = [](const Status &status) { FAIL(status.message()); };
  auto maker = createCpuFuser(options), reader = createCpuFuser(options);
  ThreadPool twoThreads(2);
  Context context;
  unsigned fused = 0;
  for (unsigned seed = first; seed != last; ++seed) {
    RandomGroup group(context, seed, contents);
    if (group.expected.empty())
      continue;
    INFO("seed " << seed << "\n" << describe(group));
    if (!compareGroup(*maker, group))
      continue;
    ++fused;
    ExecutorScope scope(&twoThreads);
    REQUIRE(compareGroup(*maker, group));
    REQUIRE(compareGroup(*reader, group));
  }
  CHECK(fused >= (contents == RandomGroup::Contents::Elementwise ? (last - first) * 2 / 3 : (last - first) / 2));
  CHECK(maker->counters().diskHits == 0);
  CHECK(reader->counters().compilations == 0);
}

using Contents = RandomGroup::Contents;
TEST_CASE("FuserCPU: random groups give the bits of the operators") { compareFresh(0, 200, Contents::Elementwise); }
TEST_CASE("FuserCPU: random groups with reductions give the bits of the operators") {
  compareFresh(0, 200, Contents::WithFolds);
}
TEST_CASE("FuserCPU: code for processors without AVX-512 gives the bits of the operators") {
  if (!machineHas(SimdLevel::V3))
    return;
  compareFresh(200, 300, Contents::Elementwise, SimdLevel::V3);
  compareFresh(200, 300, Contents::WithFolds, SimdLevel::V3);
}

static const char *const rowsText = R"(
graph(%x : Tensor, %w : Tensor, %b : Tensor, %chosen : Tensor, %dims : int[]):
  %0 : bool = prim::Constant[value=1]()
  %1 : NoneType = prim::Constant()
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::tanh(%x)
  %4 : Tensor = aten::mul(%3, %w)
  %5 : Tensor = aten::add(%4, %b, %2)
  %6 : Tensor = aten::sum(%5, %dims, %0, %1)
  %7 : Tensor = aten::div(%5, %6)
  %8 : Tensor = aten::amax(%4, %dims, %0)
  %9 : Tensor = aten::where(%chosen, %7, %8)
  return (%8, %9)
)";

namespace {
/// Rows that have operands of one element a row and folds, and take enough instructions for four vectors at once.
class Rows {
public:
  Rows() : buffer("test.ir", rowsText) {
    auto graphs = parseGraphs(context, buffer, diags);
    REQUIRE(succeeded(graphs));
    CpuFuserOptions options;
    options.mode = CompileMode::Eager;
    options.cacheFolder = "";
    fuser = createCpuFuser(options);
    group = fuser->get(*graphs->front());
    REQUIRE(group);
  }

  /// Fused and operator by operator, on a matrix. False when it could not be fused.
  bool check(const Tensor &x) {
    auto of = [](PointwiseKind kind, std::initializer_list<PointwiseArg> args) { return *pointwise(kind, args); };
    Dims column = {x.sizes()[0], 1};
    Tensor w = numbers({x.sizes()[1]}, 5), b = numbers(column, 11), chosen = *Tensor::full(column, true, DType::Bool);
    chosen.set(0, false);
    w.set(0, Scalar(-0.0));
    std::vector<int64_t> dims = {1};
    IValue inputs[] = {IValue(x), IValue(w), IValue(b), IValue(chosen), IValue(dims)}, results[2];
    const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2], &inputs[3], &inputs[4]};
    CallContext call(context);
    auto ran = group->run(call, pointers, results);
    REQUIRE(ran.ok());
    if (!*ran)
      return false;
    Tensor tanh = of(PointwiseKind::Aten_tanh, {x}), product = of(PointwiseKind::Aten_mul_Tensor, {tanh, w});
    Tensor terms = of(PointwiseKind::Aten_add_Tensor, {product, b, Scalar(1)});
    Tensor sum = *cpu::sumDims(terms, dims, true, std::nullopt), most = *cpu::amax(product, dims, true);
    Tensor shares = of(PointwiseKind::Aten_div_Tensor, {terms, sum});
    REQUIRE(sameTensors(results[0].asTensor(), most));
    REQUIRE(sameTensors(results[1].asTensor(), of(PointwiseKind::Aten_where_self, {chosen, shares, most})));
    return true;
  }

  static Tensor numbers(ArrayRef<int64_t> sizes, int64_t seed) {
    Tensor t = *Tensor::empty(sizes, DType::Float);
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, Scalar(static_cast<double>((i + seed) * 7919 % 1013) / 500 - 0.5));
    return t;
  }

private:
  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  std::shared_ptr<Fuser> fuser;
  std::shared_ptr<FusedGroup> group;
};
} // namespace

// Whole vectors, several side by side, and what is left of a row; with gaps, and without.
TEST_CASE("FuserCPU: rows of any length give the bits of the operators") {
  Rows rows;
  for (int64_t length = 1; length <= 200; ++length)
    for (int64_t gap : {1, 2}) {
      INFO("length " << length << ", every " << gap);
      REQUIRE(rows.check(*cpu::slice(Rows::numbers({3, length * gap}, 0), 1, 0, std::nullopt, gap)));
    }
}

// The last of 64 elements begins before or beyond 2^31 bytes. Only their pages are touched.
TEST_CASE("FuserCPU: elements that are far apart give the bits of the operators") {
  auto isFused = [](int64_t step) {
    Tensor x = *cpu::slice(*Tensor::empty({1, 70 * step}, DType::Float), 1, 0, std::nullopt, step);
    for (int64_t i = 0; i != x.numel(); ++i)
      x.set(i, Scalar(static_cast<double>(i) / 50 - 0.5));
    return Rows().check(x);
  };
  CHECK(isFused(8000000));
  CHECK(isFused(9000000));
}

/// With fresh fusers now and then: a process may map 65,530 pieces of memory, and a kernel takes two or three.
static void compareMany(unsigned count, RandomGroup::Contents contents) {
  constexpr unsigned atOnce = 4000;
  for (unsigned first = 0; first < count; first += atOnce)
    compareFresh(first, first + atOnce, contents);
}
// Minutes; by name or with [long].
TEST_CASE("FuserCPU: 20,000 random groups give the bits of the operators", "[.][long]") {
  compareMany(20000, Contents::Elementwise);
}
TEST_CASE("FuserCPU: 20,000 random groups with reductions", "[.][long]") { compareMany(20000, Contents::WithFolds); }
TEST_CASE("FuserCPU: 4,000 random groups without AVX-512", "[.][long]") {
  if (!machineHas(SimdLevel::V3))
    return;
  compareFresh(0, 2000, Contents::Elementwise, SimdLevel::V3);
  compareFresh(0, 2000, Contents::WithFolds, SimdLevel::V3);
}
