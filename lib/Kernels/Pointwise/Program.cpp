//===- Program.cpp - Several point-wise operators in one pass -------------===//
//
// A call is planned in three moves: each step's dtype, shape and kernel, as the
// engine finds them (Call.h); then the steps as a list of moves between buffers of
// one block; then the walk, which runs the list for block after block.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Layout.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseProgram.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <deque>

using namespace tsc;
using namespace tsc::pw;

namespace {
/// Where a value of the block lies: in the memory of an operand of the walk, or in a buffer.
struct Place {
  enum Kind : uint8_t { Operand, Buffer, Repeated } kind = Operand; ///< Repeated: one value, in `splats`.
  unsigned index = 0;
  DType dtype = DType::Float;
};

/// Runs a kernel on a block, or, without one, converts a value to another dtype.
struct Move {
  Kernel kernel = nullptr;
  const Uniforms *uniforms = nullptr;
  llvm::SmallVector<Place, 3> from;
  Place to;
};

class Plan {
public:
  Plan(ArrayRef<PointwiseProgram::Step> steps, ArrayRef<unsigned> outputs, ArrayRef<Tensor> inputs,
       ArrayRef<Scalar> numbers)
      : steps(steps), outputSteps(outputs), inputs(inputs), numbers(numbers) {}

  /// False when the steps cannot run block by block.
  StatusOr<bool> prepareSteps();
  Status allocate(std::vector<Tensor> &results);
  void walk();

private:
  struct Value {
    TensorImpl facts; ///< Dtype, sizes and strides of the step's result; no storage.
    Call call;
    bool isRowMajor;
    bool isTruth; ///< A comparison: the kernel gives 0 and 1, which need no rounding to bool.
  };
  PointwiseArg argument(const PointwiseProgram::Operand &operand) const;
  bool readsIntermediate(const PointwiseProgram::Step &step, DType compute, const Op &op) const;
  void listMoves();
  Place placeOf(const PointwiseProgram::Operand &operand) const;
  Place converted(Place from, DType dtype);
  Place newBuffer(DType dtype) { return {Place::Buffer, numBuffers++, dtype}; }
  Place newSplat(const TensorImpl *t, DType dtype);
  void runBlock(const IterationOrder &order, char *buffers, int64_t row, int64_t rows, int64_t start,
                int64_t count) const;

  struct Splat {
    alignas(64) char bytes[splatBytes];
  };
  ArrayRef<PointwiseProgram::Step> steps;
  ArrayRef<unsigned> outputSteps;
  ArrayRef<Tensor> inputs;
  ArrayRef<Scalar> numbers;
  std::deque<Value> values;
  std::vector<Place> valuePlaces;
  std::vector<Move> moves;
  std::deque<Splat> splats;
  llvm::SmallVector<std::pair<Place, Place>, 8> conversions; ///< Done already: from, to.
  llvm::SmallVector<const TensorImpl *, 8> operands;         ///< Of the walk: outputs, then inputs.
  llvm::SmallVector<char *, 8> operandData;
  unsigned numBuffers = 0;
  const IterationOrder *walked = nullptr;
};
} // namespace

PointwiseArg Plan::argument(const PointwiseProgram::Operand &operand) const {
  using O = PointwiseProgram::Operand;
  switch (operand.kind) {
  case O::None: return {};
  case O::Input:
    assert(operand.index < inputs.size() && "an input of the program");
    return PointwiseArg(inputs[operand.index]);
  case O::Step: return PointwiseArg(values[operand.index].facts);
  case O::Number:
    assert(operand.index < numbers.size() && "a number of the program");
    return PointwiseArg(numbers[operand.index]);
  case O::Text: return PointwiseArg(llvm::StringRef(operand.text));
  }
  return {};
}

/// Whether the operator's check looks at elements that only a block will hold.
bool Plan::readsIntermediate(const PointwiseProgram::Step &step, DType compute, const Op &op) const {
  return isIntegral(compute, true) && (op.check == checks::integerDivisor || op.check == checks::roundingMode) &&
         step.operands[1].kind == PointwiseProgram::Operand::Step;
}

StatusOr<bool> Plan::prepareSteps() {
  for (const Tensor &input : inputs)
    if (input.defined() && (isComplex(input.dtype()) || cpu::isLazy(input)))
      return false;
  for (const PointwiseProgram::Step &step : steps) {
    const Op &op = opOf(step.kind);
    llvm::SmallVector<PointwiseArg, 4> args;
    for (const PointwiseProgram::Operand &operand : step.operands)
      args.push_back(argument(operand));
    auto [compute, result] = findDTypes(op, args);
    if (isComplex(compute) || readsIntermediate(step, compute, op))
      return false;
    Value &value = values.emplace_back();
    TSC_RETURN_IF_ERROR(prepare(value.call, op, args, compute));
    TSC_ASSIGN_OR_RETURN(Geometry geometry, resultGeometry(value.call));
    value.facts.strides = geometry.isRowMajor ? contiguousStrides(geometry.sizes) : geometry.strides;
    value.facts.contiguous = isContiguous(geometry.sizes, value.facts.strides);
    value.facts.sizes = std::move(geometry.sizes);
    value.facts.dtype = result;
    TSC_ASSIGN_OR_RETURN(value.facts.count, elementCount(value.facts.sizes));
    value.isRowMajor = geometry.isRowMajor;
    value.isTruth = op.dtypeRule == DTypeRule::Bool && result == DType::Bool;
  }
  // Every output must have the shape of the walk. What steps give broadcasts to it, also where no output needs it.
  const TensorImpl &first = values[outputSteps.front()].facts;
  for (const Value &value : values) {
    if (value.facts.sizes == first.sizes)
      continue;
    StatusOr<Dims> both = broadcastShapes(value.facts.sizes, first.sizes);
    if (!both.ok() || *both != first.sizes)
      return false;
  }
  for (unsigned output : outputSteps)
    if (values[output].facts.sizes != first.sizes)
      return false;
  return true;
}

Status Plan::allocate(std::vector<Tensor> &results) {
  for (unsigned output : outputSteps) {
    const TensorImpl &facts = values[output].facts;
    TSC_ASSIGN_OR_RETURN(Tensor out, values[output].isRowMajor
                                         ? Tensor::empty(facts.sizes, facts.dtype)
                                         : Tensor::emptyStrided(facts.sizes, facts.strides, facts.dtype));
    operands.push_back(out.get());
    operandData.push_back(static_cast<char *>(mutableDataOf(*out.get())));
    results.push_back(std::move(out));
  }
  for (const Tensor &input : inputs) {
    operands.push_back(input.get());
    operandData.push_back(input.defined() ? static_cast<char *>(const_cast<void *>(dataOf(*input.get()))) : nullptr);
  }
  return okStatus();
}

Place Plan::placeOf(const PointwiseProgram::Operand &operand) const {
  if (operand.kind == PointwiseProgram::Operand::Step)
    return valuePlaces[operand.index];
  unsigned index = static_cast<unsigned>(outputSteps.size()) + operand.index;
  return {Place::Operand, index, operands[index]->dtype};
}

Place Plan::newSplat(const TensorImpl *t, DType dtype) {
  Splat &splat = splats.emplace_back();
  if (t)
    fillSplat(splat.bytes, dtype, dataOf(*t), t->dtype);
  else
    std::memset(splat.bytes, 0, splatBytes);
  return {Place::Repeated, static_cast<unsigned>(splats.size() - 1), dtype};
}

/// A place that a kernel of this type can read: contiguous, of the dtype, or repeated.
Place Plan::converted(Place from, DType dtype) {
  bool readable =
      from.kind != Place::Operand || walked->rowStrides()[from.index] == static_cast<int64_t>(itemSize(dtype));
  if (from.kind == Place::Operand && (walked->rowLength() < longRow || walked->isRepeated(from.index)))
    readable = false;
  if (from.dtype == dtype && readable)
    return from;
  for (auto &[source, target] : conversions)
    if (source.kind == from.kind && source.index == from.index && target.dtype == dtype)
      return target;
  Place to;
  if (from.kind == Place::Operand && walked->isRepeated(from.index)) {
    to = newSplat(operands[from.index], dtype);
  } else {
    to = newBuffer(dtype);
    moves.push_back({nullptr, nullptr, {from}, to});
  }
  conversions.push_back({from, to});
  return to;
}

void Plan::listMoves() {
  for (size_t i = 0; i != steps.size(); ++i) {
    Value &value = values[i];
    Move move{value.call.kernel, &value.call.uniforms, {}, {}};
    size_t tensor = 0;
    for (auto [operand, param] : llvm::zip(steps[i].operands, value.call.op->params)) {
      if (param.kind != PointwiseParam::Tensor)
        continue;
      const TensorImpl *t = value.call.tensors[tensor++];
      if (!t) {
        move.from.push_back(newSplat(nullptr, value.call.buffer));
        continue;
      }
      Place place = placeOf(operand);
      if (isRounded(*t, param, value.call.promoted))
        place = converted(place, value.call.promoted);
      move.from.push_back(converted(place, value.call.buffer));
    }
    DType result = value.facts.dtype;
    move.to = newBuffer(value.call.buffer);
    const auto *output = llvm::find(outputSteps, i);
    if (output != outputSteps.end()) {
      Place memory{Place::Operand, static_cast<unsigned>(output - outputSteps.begin()), result};
      if (result == value.call.buffer && walked->rowLength() >= longRow &&
          walked->rowStrides()[memory.index] == static_cast<int64_t>(itemSize(result))) {
        move.to = memory;
        moves.push_back(move);
      } else {
        moves.push_back(move);
        moves.push_back({nullptr, nullptr, {move.to}, memory});
      }
      for (size_t again = memory.index + 1; again != outputSteps.size(); ++again) // the same step twice
        if (outputSteps[again] == i)
          moves.push_back({nullptr, nullptr, {move.to}, {Place::Operand, static_cast<unsigned>(again), result}});
    } else {
      moves.push_back(move);
    }
    Place stored = move.to;
    // A result of a narrower dtype is rounded to it before anybody reads it; a truth value is 0 or 1 in any.
    if (result != value.call.buffer && !value.isTruth) {
      stored = newBuffer(result);
      moves.push_back({nullptr, nullptr, {move.to}, stored});
    }
    valuePlaces.push_back(stored);
  }
}

/// A block is `rows` whole rows from row `row` on, or `count` elements of one row from `start` on.
void Plan::runBlock(const IterationOrder &order, char *buffers, int64_t row, int64_t rows, int64_t start,
                    int64_t count) const {
  int64_t rowCount = count / rows;
  auto memory = [&](Place place, int64_t r) {
    return operandData[place.index] + order.offset(place.index, row + r) + start * order.rowStrides()[place.index];
  };
  auto bufferOf = [&](Place place) { return buffers + size_t{place.index} * blockSize * 8; };
  for (const Move &move : moves) {
    int64_t toSize = static_cast<int64_t>(itemSize(move.to.dtype));
    if (!move.kernel) {
      Place from = move.from.front();
      int64_t fromSize = static_cast<int64_t>(itemSize(from.dtype));
      for (int64_t r = 0; r != rows; ++r) {
        bool toMemory = move.to.kind == Place::Operand, fromMemory = from.kind == Place::Operand;
        char *to = toMemory ? memory(move.to, r) : bufferOf(move.to) + r * rowCount * toSize;
        const char *source = fromMemory                     ? memory(from, r)
                             : from.kind == Place::Repeated ? splats[from.index].bytes
                                                            : bufferOf(from) + r * rowCount * fromSize;
        cpu::convertRow(to, move.to.dtype, toMemory ? order.rowStrides()[move.to.index] : toSize, source, from.dtype,
                        fromMemory                     ? order.rowStrides()[from.index]
                        : from.kind == Place::Repeated ? 0
                                                       : fromSize,
                        rowCount);
      }
      continue;
    }
    const void *in[maxTensors];
    uint8_t advance[maxTensors];
    for (auto [k, from] : llvm::enumerate(move.from)) {
      advance[k] = from.kind != Place::Repeated;
      in[k] = from.kind == Place::Operand    ? memory(from, 0)
              : from.kind == Place::Repeated ? splats[from.index].bytes
                                             : bufferOf(from);
    }
    void *to = move.to.kind == Place::Operand ? memory(move.to, 0) : bufferOf(move.to);
    move.kernel(to, in, advance, move.uniforms->bytes, count);
  }
}

void Plan::walk() {
  IterationOrder order(*operands.front(), ArrayRef(operands).drop_front());
  walked = &order;
  listMoves();
  int64_t length = order.rowLength(), rows = order.numRows();
  int64_t rowsAtOnce = length >= longRow ? 1 : std::max<int64_t>(1, blockSize / length);
  int64_t blocksPerRow = (length + blockSize - 1) / blockSize;
  int64_t blocks = (rows + rowsAtOnce - 1) / rowsAtOnce * blocksPerRow;
  parallelFor(0, blocks, std::max<int64_t>(1, parallelGrain / blockSize), [&](int64_t begin, int64_t end) {
    std::unique_ptr<char[]> buffers(new char[size_t{numBuffers} * blockSize * 8]);
    for (int64_t block = begin; block < end; ++block) {
      int64_t row = block / blocksPerRow * rowsAtOnce, start = block % blocksPerRow * blockSize;
      int64_t rowsHere = std::min(rowsAtOnce, rows - row);
      runBlock(order, buffers.get(), row, rowsHere, start, rowsHere * std::min(blockSize, length - start));
    }
  });
}

unsigned PointwiseProgram::addStep(Step step) {
  assert(step.operands.size() == pointwiseParams(step.kind).size() && "an operand for each parameter");
  assert(llvm::all_of(step.operands,
                      [&](const Operand &operand) {
                        return operand.kind != Operand::Step || operand.index < stepList.size();
                      }) &&
         "steps name earlier steps");
  stepList.push_back(std::move(step));
  return static_cast<unsigned>(stepList.size() - 1);
}

StatusOr<std::vector<Tensor>> PointwiseProgram::run(ArrayRef<Tensor> inputs, ArrayRef<Scalar> numbers) const {
  assert(!outputs.empty() && "a program has outputs");
  Plan plan(stepList, outputs, inputs, numbers);
  TSC_ASSIGN_OR_RETURN(bool fusible, plan.prepareSteps());
  if (!fusible)
    return runUnfused(inputs, numbers);
  std::vector<Tensor> results;
  TSC_RETURN_IF_ERROR(plan.allocate(results));
  if (results.front().numel() != 0)
    plan.walk();
  return results;
}

StatusOr<std::vector<Tensor>> PointwiseProgram::runUnfused(ArrayRef<Tensor> inputs, ArrayRef<Scalar> numbers) const {
  std::vector<Tensor> values;
  for (const Step &step : stepList) {
    llvm::SmallVector<PointwiseArg, 4> args;
    for (const Operand &operand : step.operands)
      switch (operand.kind) {
      case Operand::None: args.emplace_back(); break;
      case Operand::Input: args.emplace_back(inputs[operand.index]); break;
      case Operand::Step: args.emplace_back(values[operand.index]); break;
      case Operand::Number: args.emplace_back(numbers[operand.index]); break;
      case Operand::Text: args.emplace_back(llvm::StringRef(operand.text)); break;
      }
    TSC_ASSIGN_OR_RETURN(Tensor value, pointwise(step.kind, args));
    values.push_back(std::move(value));
  }
  std::vector<Tensor> results;
  for (unsigned output : outputs)
    results.push_back(values[output]);
  return results;
}
