//===- PointwiseTest.cpp - Rows of any length and alignment ----------------===//
#include "../Tensor/MadeTensors.h"
#include "HostRunner.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Diagnostics.h"

using namespace tsc;
using namespace tsc::fuser;

static const char *const rowsText = R"(
graph(%x : Tensor, %w : Tensor, %b : Tensor):
  %0 : int = prim::Constant[value=1]()
  %1 : Tensor = aten::mul(%x, %w)
  %2 : Tensor = aten::add(%1, %b, %0)
  %3 : Tensor = aten::gt(%2, %x)
  return (%2, %3)
)";

namespace {
class Rows {
public:
  Rows() : buffer("test.ir", rowsText) {
    auto graphs = parseGraphs(context, buffer, diags);
    REQUIRE(succeeded(graphs));
    fused = runner.get(*graphs->front());
    REQUIRE(fused);
  }
  void add(Tensor x, Tensor w, Tensor b) {
    cases.push_back({IValue(std::move(x)), IValue(std::move(w)), IValue(std::move(b))});
    run(cases.back());
  }
  void checkAll() {
    runner.build();
    for (auto &inputs : cases)
      for (unsigned grid : {1u, 7u, 132u}) {
        runner.grid = grid;
        const Tensor &x = inputs[0].asTensor(), &w = inputs[1].asTensor(), &b = inputs[2].asTensor();
        INFO(shapeString(x.sizes()) << " offset " << x.storageOffset() << " grid " << grid);
        std::vector<IValue> results = run(inputs);
        REQUIRE(results[0].isTensor());
        Tensor product = *pointwise(PointwiseKind::Aten_mul_Tensor, {x, w});
        Tensor sum = *pointwise(PointwiseKind::Aten_add_Tensor, {product, b, Scalar(1)});
        Tensor greater = *pointwise(PointwiseKind::Aten_gt_Tensor, {sum, x});
        for (int64_t i = 0; i != x.numel(); ++i) {
          REQUIRE(results[0].asTensor().at(i).toDouble() == sum.at(i).toDouble());
          REQUIRE(results[1].asTensor().at(i).toBool() == greater.at(i).toBool());
        }
      }
  }

private:
  std::vector<IValue> run(const std::vector<IValue> &inputs) {
    const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2]};
    std::vector<IValue> results(2);
    CallContext call(context);
    REQUIRE(fused->run(call, pointers, results.data()).ok());
    return results;
  }

  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  HostRunner runner;
  std::shared_ptr<FusedGroup> fused;
  std::vector<std::vector<IValue>> cases;
};

Tensor numbers(ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(static_cast<double>(i * 7919 % 10007) / 5000 - 1));
  return t;
}
/// `length` elements that begin behind the first `offset`.
Tensor shifted(int64_t length, int64_t offset, DType dtype = DType::Float) {
  return *cpu::slice(numbers({length + offset}, dtype), 0, offset, std::nullopt, 1);
}
} // namespace

TEST_CASE("FuserCUDA: rows of any length and alignment have the operators' bits") {
  Rows rows;
  for (int64_t length : {1, 3, 4, 5, 31, 1023, 1024, 1025, 4097})
    for (int64_t offset : {0, 1, 4})
      rows.add(shifted(length, offset), numbers({length}), numbers({1}));
  for (DType dtype : {DType::Float, DType::Half, DType::Double, DType::UInt8})
    rows.add(shifted(70001, 0, dtype), numbers({70001}, dtype), numbers({1}, dtype)); // several vectors a thread
  rows.add(shifted(70001, 1), numbers({70001}), numbers({1}));
  rows.add(numbers({9, 40004}), numbers({40004}), numbers({9, 1}));
  rows.add(*cpu::transpose(numbers({300, 70}), 0, 1), numbers({70, 300}), numbers({300}));
  rows.add(*cpu::slice(numbers({11, 3, 50}), 2, 1, 41, 1), numbers({3, 40}), numbers({11, 1, 1}));
  rows.checkAll();
}

TEST_CASE("FuserCUDA: transposed operands go through shared memory, and have the operators' bits") {
  Rows rows;
  for (DType dtype : {DType::Float, DType::Half, DType::Double, DType::UInt8})
    for (int64_t size : {16, 33, 70})
      rows.add(*cpu::transpose(numbers({size, 45}, dtype), 0, 1), numbers({45, size}, dtype), numbers({45, 1}, dtype));
  rows.add(*cpu::transpose(numbers({5, 40, 31}), 1, 2), numbers({31, 40}), numbers({5, 1, 40}));
  rows.add(*cpu::transpose(numbers({40, 5, 31}), 0, 2), numbers({31, 5, 1}), numbers({40}));
  rows.add(*cpu::transpose(numbers({70, 45}), 0, 1), *cpu::transpose(numbers({70, 45}), 0, 1), numbers({1}));
  rows.checkAll();
}

TEST_CASE("FuserCUDA: fields of records are read in one access, wherever the records begin") {
  auto field = [](int64_t length, int64_t which, int64_t size, int64_t offset) {
    return *cpu::slice(shifted(length * size, offset), 0, which, std::nullopt, size);
  };
  Rows rows;
  for (int64_t length : {1, 5, 256, 1023, 70001})
    for (int64_t offset : {0, 1, 4}) {
      rows.add(field(length, 3, 4, offset), field(length, 1, 2, offset), numbers({1}));
      rows.add(field(length, 0, 4, offset), field(length, 2, 4, offset),
               field(length, 1, 2, 0)); // the last is not read
    }
  rows.checkAll();
}

TEST_CASE("FuserCUDA: offsets beyond 32 bits have kernels of their own") {
  constexpr int64_t apart = int64_t{1} << 31;
  Tensor huge = *Tensor::empty({apart + 8}, DType::UInt8); // of which two pages are touched
  Tensor x = huge.alias({2, 8}, {apart, 1}, 0);
  for (int64_t i = 0; i != 16; ++i)
    x.set(i, Scalar(i));
  Rows rows;
  rows.add(x, numbers({8}, DType::UInt8), numbers({1}, DType::UInt8));
  rows.checkAll();
}
