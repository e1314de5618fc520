//===- NestInterpreter.h - A fuser that computes nests in double -*- C++ -*-===//
//
// The smallest device there is: it walks the nests that the planner builds element by
// element and computes each step with the records' bodies in double precision. No
// layout, no code, no order of folds is shared with another fuser.
//
// perturb() moves every real operand and result of a step by one or two units in the
// last place of its type: what that changes is what rounding may change.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_FUSION_NESTINTERPRETER_H
#define TSC_UNITTESTS_FUSION_NESTINTERPRETER_H

#include "tsc/Fusion/GroupFuser.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseCall.h"
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>

namespace tsc::fuser {

/// Threads: one.
class NestInterpreter final : public Fuser, NestDevice, KernelCompiler {
public:
  /// On a device whose memory the processor can read.
  explicit NestInterpreter(const DeviceMemory &where = DeviceMemory::cpu())
      : where(where), groups(*this, *this, {CompileMode::Eager, UINT64_MAX, nullptr, {}}, counts) {}

  std::shared_ptr<FusedGroup> get(const Graph &group) override { return groups.get(group); }
  const FuserCounters &counters() const override { return counts; }
  void finishCompiling() override { groups.finishCompiling(); }
  enum class Perturbation { None, Up, Down, Random };
  /// From now on.
  void perturb(Perturbation how, unsigned seed = 0) {
    perturbation = how;
    random.seed(seed);
  }

  /// Whether numbers came near the limits of float since this was asked last: a body may pass them on its way.
  bool sawExtremes() { return std::exchange(isExtreme, false); }

private:
  const DeviceMemory &memory() const override { return where; }
  bool foldsApart(int64_t rows, int64_t) const override { return rows % 2 == 1; } // as it happens
  LaidOut layOut(FusedNest nest, unsigned) const override {
    LoopNest code = nest.nest;
    return {std::make_unique<Walk>(std::move(nest), *this), std::move(code)};
  }
  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> kernels) override { return kernels.vec(); }
  Status generate(llvm::ArrayRef<Kernel *> kernels) override {
    for (Kernel *kernel : kernels)
      kernel->code = kernel; // a walk needs none
    return okStatus();
  }

  /// A real in `real`, an int or a truth value in `integer`.
  struct Number {
    double real = 0;
    int64_t integer = 0;
  };

  class Walk final : public Launch {
  public:
    Walk(FusedNest fused, const NestInterpreter &owner) : fused(std::move(fused)), owner(owner) {}

    Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const override {
      Run(fused, owner, sources, inputs).all();
      return okStatus();
    }
    int64_t elementsOf(unsigned source) const override {
      int64_t elements = 0;
      for (const FusedNest::Operand &operand : fused.operands)
        if (operand.source == source)
          elements += operand.geometry.numel();
      return elements;
    }
    Dims walkedSizes() const override { return fused.sizes; }
    uint64_t bytesMoved() const override { return 0; }

  private:
    FusedNest fused;
    const NestInterpreter &owner;
  };

  /// One call.
  class Run {
  public:
    Run(const FusedNest &fused, const NestInterpreter &owner, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs)
        : fused(fused), nest(fused.nest), owner(owner), sources(sources), inputs(inputs) {}

    void all() {
      if (fused.results.empty())
        return forEachPlace([](size_t) { return true; }, [&](const Dims &place) { store(place); });
      forEachPlace([&](size_t d) { return !fused.reduced[d]; }, [&](const Dims &place) { storeFolds(place); });
    }

  private:
    using Known = std::map<unsigned, Number>; // steps at one place

    /// Calls f(place) for all places of the dimensions that `moves` chooses.
    template <typename Choose, typename F> void forEachPlace(Choose moves, F f, Dims place = {}) {
      place.resize(fused.sizes.size(), 0);
      std::vector<size_t> dims;
      for (size_t d = 0; d != fused.sizes.size(); ++d)
        if (moves(d)) {
          if (fused.sizes[d] == 0)
            return;
          dims.push_back(d);
        }
      for (;;) {
        f(place);
        size_t k = dims.size();
        while (k-- != 0 && ++place[dims[k]] == fused.sizes[dims[k]])
          place[dims[k]] = 0;
        if (k == static_cast<size_t>(-1))
          return;
      }
    }

    static bool isReal(DType dtype) { return isFloating(dtype); }

    char *address(const FusedNest::Operand &operand, const Dims &place) const {
      int64_t at = operand.geometry.storageOffset();
      for (size_t d = 0; d != place.size(); ++d)
        at += place[d] * operand.geometry.stride(static_cast<int64_t>(d));
      return sources[operand.source] + at * static_cast<int64_t>(itemSize(operand.geometry.dtype()));
    }

    static Number read(const char *from, DType dtype) {
      Number number;
      if (isReal(dtype))
        cpu::convertRow(&number.real, DType::Double, 8, from, dtype, 0, 1);
      else
        cpu::convertRow(&number.integer, DType::Int64, 8, from, dtype, 0, 1);
      return number;
    }
    static void write(char *to, DType dtype, Number number, DType from) {
      if (isReal(from))
        cpu::convertRow(to, dtype, 0, &number.real, DType::Double, 0, 1);
      else
        cpu::convertRow(to, dtype, 0, &number.integer, DType::Int64, 0, 1);
    }
    static Number convert(Number number, DType from, DType to) {
      alignas(8) char bytes[8] = {};
      write(bytes, to, number, from);
      return read(bytes, to);
    }
    static Number fromBits(uint64_t bits, DType dtype) {
      switch (dtype) {
      case DType::Float: return {std::bit_cast<float>(static_cast<uint32_t>(bits)), 0};
      case DType::Double: return {std::bit_cast<double>(bits), 0};
      default: return {0, static_cast<int64_t>(bits)};
      }
    }

    Number rounded(Number number, DType dtype) const {
      if (dtype == DType::Float && !(std::fabs(number.real) < 1e12 && std::fabs(number.real) > 1e-12)) {
        owner.isExtreme |= number.real != 0;
        number.real = static_cast<float>(number.real);
      }
      if (owner.perturbation == Perturbation::None || !isReal(dtype) || !std::isfinite(number.real))
        return number;
      double unit = dtype == DType::Double ? 0x1p-52 : 0x1p-23;
      double units = 1 + static_cast<double>(owner.random() % 1000) / 1000;
      bool isUp =
          owner.perturbation == Perturbation::Up || (owner.perturbation == Perturbation::Random && owner.random() % 2);
      number.real += std::fabs(number.real) * (isUp ? units : -units) * unit;
      return number;
    }

    Number value(unsigned index, const Dims &place, Known &known) {
      if (auto found = known.find(index); found != known.end())
        return found->second;
      Number number = compute(index, place, known);
      known.emplace(index, number);
      return number;
    }

    Number compute(unsigned index, const Dims &place, Known &known) {
      const NestStep &step = nest.steps[index];
      switch (step.kind) {
      case NestStep::Load: return read(address(fused.operands[step.index], place), step.dtype);
      case NestStep::Uniform: return fromBits(fused.numbers[step.index].stored(inputs), step.dtype);
      case NestStep::Constant: return fromBits(step.bits, step.dtype);
      case NestStep::Convert:
        return convert(value(step.inputs[0], place, known), nest.steps[step.inputs[0]].dtype, step.dtype);
      case NestStep::Body: return rounded(body(step, place, known), step.dtype);
      case NestStep::Combine:
        return rounded(
            combine(step.fold, step.dtype, value(step.inputs[0], place, known), value(step.inputs[1], place, known)),
            step.dtype);
      case NestStep::Keep: return value(step.inputs[0], place, known);
      case NestStep::Fold: return rounded(fold(index, place), step.dtype);
      }
      return {};
    }

    Number body(const NestStep &step, const Dims &place, Known &known) {
      constexpr size_t lanes = 8, most = 24; // an operand that is repeated fills a vector
      const bool real = step.compute == DType::Float || step.compute == DType::Double;
      std::array<std::array<uint64_t, lanes>, most> operands{};
      std::array<const void *, most> pointers{};
      std::array<uint8_t, most> steps{};
      std::array<uint64_t, most> uniforms{};
      for (size_t i = 0; i != step.inputs.size(); ++i) {
        Number number = rounded(value(step.inputs[i], place, known), step.compute); // bodies round within, too
        uint64_t bits = real ? std::bit_cast<uint64_t>(number.real) : static_cast<uint64_t>(number.integer);
        if (i < step.numTensors) {
          operands[i].fill(bits);
          pointers[i] = operands[i].data();
        } else {
          uniforms[i - step.numTensors] = bits;
        }
      }
      std::array<uint64_t, lanes> result{};
      eagerKernel(real ? DType::Double : step.compute, step.index)(result.data(), pointers.data(), steps.data(),
                                                                   uniforms.data(), 1);
      Number number = fromBits(result[0], real ? DType::Double : DType::Int64);
      if (real && step.dtype == DType::Bool) // a truth value
        number.integer = number.real != 0;
      return number;
    }

    static Number combine(FoldKind kind, DType dtype, Number a, Number b) {
      auto of = [kind](auto x, auto y) {
        switch (kind) {
        case FoldKind::Product: return static_cast<decltype(x)>(x * y);
        case FoldKind::Max: return x != x || x > y ? x : y;
        case FoldKind::Min: return x != x || x < y ? x : y;
        default: return static_cast<decltype(x)>(x + y);
        }
      };
      if (isReal(dtype))
        return {of(a.real, b.real), 0};
      return {0, static_cast<int64_t>(kind == FoldKind::Max || kind == FoldKind::Min
                                          ? static_cast<uint64_t>(of(a.integer, b.integer))
                                          : of(static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer)))};
    }

    /// The elements along the reduced dimensions of the place, in double.
    Number fold(unsigned index, const Dims &place) {
      Dims first = place;
      for (size_t d = 0; d != first.size(); ++d)
        if (fused.reduced[d])
          first[d] = 0;
      auto [entry, isNew] = folds.try_emplace({index, std::vector<int64_t>(first.begin(), first.end())});
      if (!isNew)
        return entry->second;
      const NestStep &step = nest.steps[index];
      std::optional<Number> total;
      long double sum = 0;       // whose own rounding does not show
      long double magnitude = 1; // of a product in some order, which may leave the range though a factor is zero
      double count = 0;
      forEachPlace([&](size_t d) { return fused.reduced[d]; },
                   [&](const Dims &at) {
                     Known known;
                     Number element = rounded(value(step.inputs[0], at, known), step.dtype); // as it is added
                     total = total ? combine(step.fold, step.dtype, *total, element) : element;
                     sum += element.real;
                     if (step.fold == FoldKind::Product && isReal(step.dtype) && element.real != 0) {
                       magnitude *= std::fabs(element.real);
                       owner.isExtreme |= !(magnitude < 1e30 && magnitude > 1e-30);
                     }
                     ++count;
                   },
                   first);
      if (!total)
        total = step.fold == FoldKind::Product ? Number{1, 1} : Number{};
      if (step.fold == FoldKind::Sum || step.fold == FoldKind::Mean)
        total->real = static_cast<double>(sum);
      if (step.fold == FoldKind::Mean)
        total->real /= count;
      return folds[{index, std::vector<int64_t>(first.begin(), first.end())}] = *total;
    }

    void store(const Dims &place) {
      Known known;
      for (const NestStore &to : nest.stores)
        write(address(fused.operands[to.operand], place), nest.operands[to.operand].dtype, value(to.step, place, known),
              nest.steps[to.step].dtype);
    }

    void storeFolds(const Dims &place) {
      int64_t at = 0;
      double folded = 1;
      for (size_t d = 0; d != place.size(); ++d)
        if (fused.reduced[d])
          folded *= static_cast<double>(fused.sizes[d]);
        else
          at = at * fused.sizes[d] + place[d];
      for (const FusedNest::FoldResult &result : fused.results) {
        Number number = fold(result.nestStep, place);
        if (result.kind == FoldKind::Mean)
          number.real /= folded;
        write(sources[result.source] + at * static_cast<int64_t>(itemSize(result.dtype)), result.dtype, number,
              result.inside);
      }
    }

    const FusedNest &fused;
    const LoopNest &nest;
    const NestInterpreter &owner;
    ArrayRef<char *> sources;
    ArrayRef<const IValue *> inputs;
    std::map<std::pair<unsigned, std::vector<int64_t>>, Number> folds;
  };

  FuserCounters counts;
  Perturbation perturbation = Perturbation::None;
  mutable std::mt19937 random;
  mutable bool isExtreme = false;
  const DeviceMemory &where;
  GroupFuser groups; ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
