//===- FoldsTest.cpp - Long folds, in chunks and by columns ---------------===//
#include "../Tensor/MadeTensors.h"
#include "HostRunner.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Diagnostics.h"

using namespace tsc;
using namespace tsc::fuser;

static const char *const foldsText = R"(
graph(%x : Tensor, %dims : int[]):
  %0 : bool = prim::Constant[value=0]()
  %1 : NoneType = prim::Constant()
  %2 : Tensor = aten::abs(%x)
  %3 : Tensor = aten::sum(%2, %dims, %0, %1)
  %4 : Tensor = aten::mean(%2, %dims, %0, %1)
  %5 : Tensor = aten::amax(%x, %dims, %0)
  return (%3, %4, %5)
)";

namespace {
/// One group of three folds; each check is of a tensor and dimensions.
class LongFolds {
public:
  LongFolds() : buffer("test.ir", foldsText) {
    auto graphs = parseGraphs(context, buffer, diags);
    REQUIRE(succeeded(graphs));
    fused = runner.get(*graphs->front());
    REQUIRE(fused);
  }

  void add(Tensor x, std::vector<int64_t> dims) {
    auto &test = cases.emplace_back();
    test.inputs = {IValue(std::move(x)), IValue(std::move(dims))};
    run(test); // collects
  }

  void checkAll() {
    runner.build();
    for (Case &test : cases)
      for (unsigned grid : {1u, 7u, 132u}) {
        runner.grid = grid;
        const Tensor &x = test.inputs[0].asTensor();
        std::vector<int64_t> dims(test.inputs[1].toIntList().elements.begin(),
                                  test.inputs[1].toIntList().elements.end());
        INFO(shapeString(x.sizes()) << " grid " << grid << " dim " << dims[0]);
        std::vector<IValue> results = run(test);
        REQUIRE(results[0].isTensor());
        Tensor absolute = *pointwise(PointwiseKind::Aten_abs, {x});
        check(results[0].asTensor(), *cpu::sumDims(absolute, dims, false, std::nullopt));
        check(results[1].asTensor(), *cpu::meanDims(absolute, dims, false, std::nullopt));
        check(results[2].asTensor(), *cpu::amax(x, dims, false));
      }
  }

  HostRunner runner;

private:
  struct Case {
    std::vector<IValue> inputs;
  };
  std::vector<IValue> run(Case &test) {
    const IValue *inputs[] = {&test.inputs[0], &test.inputs[1]};
    std::vector<IValue> results(3);
    CallContext call(context);
    REQUIRE(fused->run(call, inputs, results.data()).ok());
    return results;
  }
  static void check(const Tensor &found, const Tensor &expected) {
    REQUIRE(found.sizes() == expected.sizes());
    for (int64_t i = 0; i != found.numel(); ++i)
      REQUIRE(found.at(i).toDouble() == expected.at(i).toDouble());
  }

  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  std::shared_ptr<FusedGroup> fused;
  std::vector<Case> cases;
};

Tensor numbers(ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(static_cast<double>(i * 7919 % 10007) / 5000 - 1));
  return t;
}
} // namespace

TEST_CASE("FuserCUDA: long folds have the operators' bits on any grid") {
  LongFolds folds;
  folds.add(numbers({100003}), {0});                // one result, chunks of blocks
  folds.add(numbers({40000}, DType::Half), {0});    // the last chunk is not whole
  folds.add(numbers({3, 20000}), {1});              // few rows
  folds.add(numbers({70, 1023}, DType::Half), {1}); // rows enough for vectors, some not aligned
  folds.add(*cpu::slice(numbers({70, 1028}), 1, 1, std::nullopt, 1), {1});
  folds.add(numbers({9000, 40}), {0});                                    // columns in chunks
  folds.add(numbers({2, 5000, 33}, DType::Double), {1});                  // columns, the last ones of a strip
  folds.add(numbers({7, 3, 2000}), {0, 2});                               // runs
  folds.add(numbers({1500, 3, 9}), {0, 2});                               // runs of few elements, in chunks
  folds.add(*cpu::transpose(numbers({50, 3000}), 0, 1), {1});             // rows whose elements stand apart
  folds.add(*cpu::slice(numbers({5, 4096}), 1, 1, std::nullopt, 2), {1}); // with gaps
  folds.runner.combined = false;
  folds.checkAll();
  CHECK(folds.runner.combined);
}
