//===- QueuedDevice.h - Devices that somebody brings from outside -*- C++ -*-===//
//
// Devices as somebody makes them who has tsc's public headers and nothing else. What one
// is asked for it does later, in order, when somebody waits. Its memory has addresses at
// which the processor has none: who takes them for the processor's, faults. It has kernels
// of a few operators, and a fuser of groups of a few others.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_DISPATCH_QUEUEDDEVICE_H
#define TSC_UNITTESTS_DISPATCH_QUEUEDDEVICE_H

#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>

namespace tsc::queued {

/// The work that a device was asked for and has not done.
///
/// Threads: everything may be called from many threads.
class Queue {
public:
  using Work = std::function<Status()>;

  void add(Work work) {
    std::lock_guard<std::mutex> guard(lock);
    waiting.push_back(std::move(work));
  }
  /// Does all work in the order in which it was asked for. Returns the first error that was not returned before.
  Status finish() {
    std::lock_guard<std::mutex> guard(lock);
    Status first = okStatus();
    for (const Work &work : waiting)
      if (Status status = work(); first.ok())
        first = std::move(status);
    waiting.clear();
    return first;
  }
  size_t length() const {
    std::lock_guard<std::mutex> guard(lock);
    return waiting.size();
  }

private:
  mutable std::mutex lock;
  std::vector<Work> waiting;
};

/// The memory of a device, which gives blocks of the C library by addresses of its own.
class Memory final : public RemoteMemory {
public:
  Memory(Device device, Queue &queue) : RemoteMemory(device), queue(queue) {}

  /// Returns where the device finds what has this address.
  template <typename T> static T *find(const void *address) {
    return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(address) - offset);
  }

  memory::Block allocate(size_t bytes) const override {
    const size_t capacity = std::max<size_t>((bytes + 63) / 64, 1) * 64;
    void *block = std::aligned_alloc(64, capacity);
    if (!block)
      return {};
    ++live;
    return {reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(block) + offset), capacity};
  }
  /// Frees the block behind the work that may use it.
  void deallocate(void *data, size_t) const override {
    if (!data)
      return;
    --live;
    queue.add([block = find<void>(data)] {
      std::free(block);
      return okStatus();
    });
  }
  void copy(void *to, const void *from, size_t bytes) const override {
    queue.add([=] {
      std::memcpy(find<char>(to), find<char>(from), bytes);
      return okStatus();
    });
  }
  Status copyToHost(void *to, const void *from, size_t bytes) const override {
    TSC_RETURN_IF_ERROR(queue.finish());
    std::memcpy(to, find<char>(from), bytes);
    return okStatus();
  }
  Status copyFromHost(void *to, const void *from, size_t bytes) const override {
    const char *first = static_cast<const char *>(from);
    queue.add([to, staged = std::vector<char>(first, first + bytes)] {
      std::memcpy(find<char>(to), staged.data(), staged.size());
      return okStatus();
    });
    return okStatus();
  }

  mutable std::atomic<int> live{0}; ///< The blocks that were not given back.

private:
  /// No address of a process has this bit: such addresses fault on x86-64 and AArch64.
  static constexpr uintptr_t offset = uintptr_t{1} << 54;
  Queue &queue;
};

/// One device.
struct Unit {
  explicit Unit(Device device) : memory(device, queue) {}
  ~Unit() { (void)queue.finish(); }

  /// Asks for the work of a kernel. `ran` gets its name when it is done.
  void launch(llvm::StringRef name, std::function<void()> kernel) {
    queue.add([this, name = name.str(), kernel = std::move(kernel)] {
      kernel();
      ran.push_back(name);
      return okStatus();
    });
  }
  /// Whether kernels read such a value: a contiguous tensor of floats on this device.
  bool takes(const IValue &value) const {
    if (!value.isTensor() || !value.asTensor().defined())
      return false;
    const Tensor &tensor = value.asTensor();
    return tensor.get()->storage && tensor.device() == memory.device() && tensor.dtype() == DType::Float &&
           tensor.isContiguous();
  }

  Queue queue;
  Memory memory;
  std::vector<std::string> ran; ///< The kernels that were run, in order.
};
using Units = std::vector<std::unique_ptr<Unit>>;

/// Returns the unit that is a device, or null.
inline Unit *unitOf(const Units &units, Device device) {
  auto found = llvm::find_if(units, [&](const auto &unit) { return unit->memory.device() == device; });
  return found == units.end() ? nullptr : found->get();
}

//===----------------------------------------------------------------------===//
// Kernels of operators
//===----------------------------------------------------------------------===//

using Kernel = StatusOr<bool> (*)(Unit &unit, llvm::ArrayRef<const IValue *> args,
                                  llvm::MutableArrayRef<IValue> results);

inline StatusOr<bool> multiplyMatrices(Unit &unit, llvm::ArrayRef<const IValue *> args,
                                       llvm::MutableArrayRef<IValue> results) {
  if (!unit.takes(*args[0]) || !unit.takes(*args[1]))
    return false;
  const Tensor &a = args[0]->asTensor(), &b = args[1]->asTensor();
  if (a.dim() != 2 || b.dim() != 2 || a.size(1) != b.size(0))
    return false; // the operator says what is wrong
  TSC_ASSIGN_OR_RETURN(Tensor product, Tensor::empty({a.size(0), b.size(1)}, DType::Float, unit.memory));
  unit.launch("aten::mm",
              [rows = a.size(0), inner = a.size(1), columns = b.size(1), left = Memory::find<float>(a.data()),
               right = Memory::find<float>(b.data()), to = Memory::find<float>(product.data())] {
                for (int64_t i = 0; i != rows; ++i)
                  for (int64_t j = 0; j != columns; ++j) {
                    float sum = 0;
                    for (int64_t k = 0; k != inner; ++k)
                      sum += left[i * inner + k] * right[k * columns + j];
                    to[i * columns + j] = sum;
                  }
              });
  results[0] = IValue(std::move(product));
  return true;
}

inline StatusOr<bool> rectify(Unit &unit, llvm::ArrayRef<const IValue *> args, llvm::MutableArrayRef<IValue> results) {
  if (!unit.takes(*args[0]))
    return false;
  const Tensor &x = args[0]->asTensor();
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(x.sizes(), DType::Float, unit.memory));
  unit.launch("aten::relu",
              [count = x.numel(), from = Memory::find<float>(x.data()), to = Memory::find<float>(result.data())] {
                for (int64_t i = 0; i != count; ++i)
                  to[i] = from[i] < 0 ? 0 : from[i];
              });
  results[0] = IValue(std::move(result));
  return true;
}

/// Returns the kernel of an operator, or null.
inline Kernel kernelOf(OpKind op) {
  switch (op) {
  case OpKind::Aten_mm: return multiplyMatrices;
  case OpKind::Aten_relu: return rectify;
  default: return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Kernels of fusion groups
//===----------------------------------------------------------------------===//

/// An operator of a group, with the numbers of its operands. Values have numbers: first the inputs that are tensors,
/// then what the steps compute.
struct Step {
  OpKind op;
  unsigned a, b;
};

/// What a group computes, element by element.
struct Steps {
  std::vector<unsigned> tensors, ones; ///< The positions of inputs that are tensors, and of those that have to be 1.
  std::vector<Step> steps;
  std::vector<unsigned> outputs; ///< The numbers of what the group gives.
};

/// Runs the steps for one element after the other, on whichever device the operands are.
class StepsGroup final : public FusedGroup {
public:
  StepsGroup(std::shared_ptr<Units> units, Steps steps, FuserCounters &counters)
      : units(std::move(units)), steps(std::move(steps)), counters(counters) {}

  StatusOr<bool> run(CallContext &, llvm::ArrayRef<const IValue *> all, IValue *results) override {
    llvm::SmallVector<const IValue *, 4> inputs;
    for (unsigned position : steps.tensors)
      inputs.push_back(all[position]);
    Unit *unit = inputs.empty() || !inputs[0]->isTensor() || !inputs[0]->asTensor().defined()
                     ? nullptr
                     : unitOf(*units, inputs[0]->asTensor().device());
    auto isAlike = [&](const IValue *input) {
      return unit->takes(*input) && input->asTensor().sizes() == inputs[0]->asTensor().sizes();
    };
    auto isOne = [&](unsigned position) { return all[position]->isInt() && all[position]->toInt() == 1; };
    if (!unit || !llvm::all_of(inputs, isAlike) || !llvm::all_of(steps.ones, isOne)) {
      ++counters.fallbacks;
      return false;
    }
    const Tensor &first = inputs[0]->asTensor();
    std::vector<const float *> from;
    std::vector<float *> to;
    for (const IValue *input : inputs)
      from.push_back(Memory::find<float>(input->asTensor().data()));
    for (size_t i = 0; i != steps.outputs.size(); ++i) {
      TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(first.sizes(), DType::Float, unit->memory));
      to.push_back(Memory::find<float>(result.data()));
      results[i] = IValue(std::move(result));
    }
    unit->launch("group", [count = first.numel(), from, to, steps = steps] {
      std::vector<float> values;
      for (int64_t i = 0; i != count; ++i) {
        values.clear();
        for (const float *source : from)
          values.push_back(source[i]);
        for (const Step &step : steps.steps)
          values.push_back(compute(step.op, values[step.a], values[step.b]));
        for (size_t k = 0; k != to.size(); ++k)
          to[k][i] = values[steps.outputs[k]];
      }
    });
    ++counters.kernelsRun;
    return true;
  }
  std::optional<uint64_t> bytesRead(llvm::ArrayRef<const IValue *>) override { return std::nullopt; }

private:
  static float compute(OpKind op, float a, float b) {
    switch (op) {
    case OpKind::Aten_add_Tensor: return a + b;
    case OpKind::Aten_mul_Tensor: return a * b;
    case OpKind::Aten_neg: return -a;
    case OpKind::Aten_relu: return a < 0 ? 0 : a;
    default: return 0; // the fuser takes no other
    }
  }

  const std::shared_ptr<Units> units;
  const Steps steps;
  FuserCounters &counters;
};

/// Makes groups of sums, products, neg and relu.
class StepsFuser final : public Fuser {
public:
  explicit StepsFuser(std::shared_ptr<Units> units) : units(std::move(units)) {}

  std::shared_ptr<FusedGroup> get(const Graph &group) override {
    Steps steps;
    llvm::DenseMap<const Value *, unsigned> numbers;
    for (auto [position, input] : llvm::enumerate(group.inputs())) {
      if (llvm::isa<TensorType>(input->type())) {
        steps.tensors.push_back(static_cast<unsigned>(position));
        numbers.try_emplace(input, numbers.size());
      } else if (llvm::all_of(input->uses(), isFactor)) {
        steps.ones.push_back(static_cast<unsigned>(position));
      } else {
        return nullptr;
      }
    }
    for (const Node &node : group.block().nodes()) {
      if (node.kind() == prim::Constant)
        continue;
      const bool isOfTensors =
          isTaken(node) && llvm::all_of(llvm::seq<unsigned>(0, numOperands(node)),
                                        [&](unsigned i) { return numbers.contains(node.input(i)); });
      if (!isOfTensors)
        return nullptr;
      const unsigned a = numbers.lookup(node.input(0));
      steps.steps.push_back({node.opKind(), a, numOperands(node) == 2 ? numbers.lookup(node.input(1)) : a});
      numbers.try_emplace(node.output(), numbers.size());
    }
    for (const Value *output : group.outputs()) {
      if (!numbers.contains(output))
        return nullptr;
      steps.outputs.push_back(numbers.lookup(output));
    }
    return std::make_shared<StepsGroup>(units, std::move(steps), counts);
  }
  const FuserCounters &counters() const override { return counts; }

private:
  /// Whether a use is that of alpha in x + alpha * y.
  static bool isFactor(const Use &use) {
    return use.user()->opKind() == OpKind::Aten_add_Tensor && use.user()->input(2) == use.get();
  }
  static bool isTaken(const Node &node) {
    switch (node.opKind()) {
    case OpKind::Aten_mul_Tensor:
    case OpKind::Aten_neg:
    case OpKind::Aten_relu: return true;
    case OpKind::Aten_add_Tensor: // x + 1 * y; an input that is no constant is looked at when the group runs
      return constantInt(node.input(2)).value_or(1) == 1;
    default: return false;
    }
  }
  static unsigned numOperands(const Node &node) {
    return node.opKind() == OpKind::Aten_mul_Tensor || node.opKind() == OpKind::Aten_add_Tensor ? 2 : 1;
  }

  const std::shared_ptr<Units> units;
  FuserCounters counts;
};

//===----------------------------------------------------------------------===//
// What a host registers
//===----------------------------------------------------------------------===//

/// Some devices of one kind.
///
/// Ownership: outlives the tensors on its devices.
class Devices final : public Accelerator {
public:
  explicit Devices(DeviceKind kind = DeviceKind::PrivateUse1, int count = 2) : kind(kind) {
    for (int i = 0; i != count; ++i)
      units->push_back(std::make_unique<Unit>(Device{kind, static_cast<int16_t>(i)}));
  }
  ~Devices() override { forgetGroups(); }

  Device device(int index) const { return {kind, static_cast<int16_t>(index)}; }
  Unit &unit(int index) { return *(*units)[static_cast<size_t>(index)]; }
  std::shared_ptr<Fuser> fuser() { return ownFuser; }

  bool serves(DeviceKind asked) const override { return asked == kind; }
  Status synchronize(Device device) override {
    Unit *found = unitOf(*units, device);
    return found ? found->queue.finish() : noSuch(device);
  }
  StatusOr<bool> runLibrary(Device device, const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                            llvm::MutableArrayRef<IValue> results) override {
    Unit *found = unitOf(*units, device);
    Kernel kernel = kernelOf(record.kind);
    return found && kernel ? kernel(*found, args, results) : false;
  }
  Fuser *fuserOf(Device) override { return ownFuser.get(); }

private:
  StatusOr<const DeviceMemory *> open(Device asked) override {
    Unit *found = unitOf(*units, device(std::max<int>(asked.index, 0)));
    return found ? StatusOr<const DeviceMemory *>(&found->memory) : noSuch(asked);
  }
  static Status noSuch(Device device) {
    return invalidArgument("there is no device '" + llvm::Twine(device.str()) + "'");
  }

  const DeviceKind kind;
  const std::shared_ptr<Units> units = std::make_shared<Units>();
  const std::shared_ptr<StepsFuser> ownFuser = std::make_shared<StepsFuser>(units);
};

} // namespace tsc::queued

#endif
