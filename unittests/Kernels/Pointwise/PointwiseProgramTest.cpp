//===- PointwiseProgramTest.cpp - Fused and unfused give the same bits ----===//
#include "tsc/Kernels/PointwiseProgram.h"
#include "tsc/Kernels/Views.h"
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
using namespace tsc;
using Operand = PointwiseProgram::Operand;

namespace {
/// Makes programs and operands by chance: any point-wise operators, dtypes, shapes with 0, 1 and primes, views of any
/// strides. The same seed makes the same programs.
class RandomPrograms {
public:
  explicit RandomPrograms(unsigned seed) : random(seed) {}
  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  /// A tensor that broadcasts to `shape`: perhaps with leading dimensions missing, ones, transposed, or strided.
  Tensor tensorFor(ArrayRef<int64_t> shape) {
    static constexpr DType dtypes[] = {DType::Float,    DType::Float, DType::Double, DType::Half,
                                       DType::BFloat16, DType::Bool,  DType::Int64,  DType::Int32,
                                       DType::Int16,    DType::Int8,  DType::UInt8};
    Dims sizes(shape);
    if (below(3) == 0)
      sizes.erase(sizes.begin(), sizes.begin() + below(static_cast<int>(sizes.size()) + 1));
    for (int64_t &size : sizes)
      if (below(4) == 0)
        size = 1;
    Dims physical(sizes);
    bool transposed = sizes.size() > 1 && below(3) == 0, strided = !sizes.empty() && below(4) == 0;
    if (strided)
      physical.back() *= 2;
    if (transposed)
      std::swap(physical[0], physical.back());
    Tensor t = filled(physical, dtypes[below(std::size(dtypes))]);
    if (transposed)
      t = *cpu::transpose(t, 0, -1);
    if (strided)
      t = *cpu::slice(t, transposed ? 0 : -1, std::nullopt, std::nullopt, 2);
    return t.sizes() == ArrayRef<int64_t>(sizes)
               ? t
               : *cpu::slice(filled(sizes, t.dtype()), 0, std::nullopt, std::nullopt, 1);
  }

  Tensor filled(ArrayRef<int64_t> sizes, DType dtype) {
    Tensor t = *Tensor::empty(sizes, dtype);
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, Scalar(below(12) == 0 ? below(200) - 100.0 : below(4000) / 1000.0 - 1.5));
    return t;
  }

  Scalar number() {
    switch (below(4)) {
    case 0: return Scalar(int64_t{below(9) - 4});
    case 1: return Scalar(below(2) == 1);
    default: return Scalar(below(1000) / 250.0 - 2);
    }
  }

  void make(PointwiseProgram &program, std::vector<Tensor> &inputs, std::vector<Scalar> &numbers) {
    static constexpr int64_t lengths[] = {1, 2, 3, 7, 31, 64, 97, 1031}; // only the innermost dimension is long
    Dims shape;
    for (int rank = below(4); rank > 0; --rank)
      shape.push_back(lengths[below(rank == 1 ? 8 : 4)]);
    if (!shape.empty() && below(12) == 0)
      shape[below(static_cast<int>(shape.size()))] = 0;
    for (int n = 1 + below(4); n > 0; --n)
      inputs.push_back(tensorFor(shape));
    int steps = 1 + below(7);
    for (int i = 0; i != steps; ++i) {
      PointwiseProgram::Step step;
      step.kind = static_cast<PointwiseKind>(below(static_cast<int>(PointwiseKind::NumKinds)));
      for (const PointwiseParam &param : pointwiseParams(step.kind)) {
        Operand operand;
        if (param.optional && below(2) == 0) {
        } else if (param.kind == PointwiseParam::Tensor) {
          bool earlier = i > 0 && below(3) != 0;
          operand = {earlier ? Operand::Step : Operand::Input,
                     static_cast<unsigned>(below(earlier ? i : static_cast<int>(inputs.size()))), ""};
        } else if (param.kind == PointwiseParam::Text) {
          operand = {Operand::Text, 0, below(2) ? "none" : "floor"};
        } else {
          operand = {Operand::Number, static_cast<unsigned>(numbers.size()), ""};
          numbers.push_back(param.kind == PointwiseParam::Number ? Scalar(int64_t{1 + below(3)}) : number());
        }
        step.operands.push_back(operand);
      }
      program.addStep(std::move(step));
    }
    program.addOutput(steps - 1);
    for (int i = 0; i + 1 < steps; ++i)
      if (below(4) == 0)
        program.addOutput(i);
  }

private:
  std::mt19937 random;
};
} // namespace

/// The program as text, for the message of a failure.
static std::string describe(const PointwiseProgram &program, ArrayRef<Tensor> inputs) {
  std::string text;
  for (const PointwiseProgram::Step &step : program.steps()) {
    text += "kind " + std::to_string(static_cast<int>(step.kind)) + " (";
    for (const Operand &operand : step.operands)
      text += std::string(1, "_is#t"[operand.kind]) + std::to_string(operand.index) + " ";
    text += ") ";
  }
  for (const Tensor &input : inputs) {
    text += irName(input.dtype()).str() + "[";
    for (int64_t size : input.sizes())
      text += std::to_string(size) + " ";
    text += "] ";
  }
  return text;
}

static bool sameBits(const Tensor &a, const Tensor &b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.strides() != b.strides())
    return false;
  // Results are new and without gaps, so that one run of bytes holds them.
  return a.numel() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.numel()) * itemSize(a.dtype())) == 0;
}

TEST_CASE("PointwiseProgram: block by block gives the bits of operator by operator") {
  unsigned ran = 0;
  for (unsigned seed = 0; seed != 20000; ++seed) {
    RandomPrograms random(seed);
    PointwiseProgram program;
    std::vector<Tensor> inputs;
    std::vector<Scalar> numbers;
    random.make(program, inputs, numbers);
    auto expected = program.runUnfused(inputs, numbers);
    auto found = program.run(inputs, numbers);
    INFO("seed " << seed << ": " << describe(program, inputs));
    REQUIRE(found.ok() == expected.ok());
    if (!found.ok()) {
      CHECK(found.status() == expected.status());
      continue;
    }
    ++ran;
    for (size_t i = 0; i != expected->size(); ++i)
      REQUIRE(sameBits((*found)[i], (*expected)[i]));
  }
  CHECK(ran > 8000); // most programs have no error
}

// The address sanitizer sees what is read beyond the operands.
TEST_CASE("PointwiseProgram: steps that no output needs may have any shape") {
  const Dims others[] = {{0, 97}, {3}, {5, 97}, {97}, {}};
  Tensor x = *Tensor::full({97}, Scalar(2.5), DType::Float);
  for (const Dims &sizes : others) {
    INFO(shapeString(sizes));
    Tensor other = *Tensor::full(sizes, Scalar(true), DType::Bool);
    PointwiseProgram program;
    program.addStep({PointwiseKind::Aten_logical_not, {{Operand::Input, 1, ""}}});
    program.addOutput(program.addStep({PointwiseKind::Aten_neg, {{Operand::Input, 0, ""}}}));
    auto found = program.run({x, other}, {});
    REQUIRE(found.ok());
    CHECK(sameBits(found->front(), *Tensor::full({97}, Scalar(-2.5), DType::Float)));
  }
}
