//===- Accelerator.h - The devices that a program may use -------*- C++ -*-===//
//
//   setAccelerator(context, createCudaAccelerator(options)); // or that of another device
//
// Runtime knows no driver. A host hands one in; tensors may be on its devices then,
// and operators on them run there where the fuser makes a kernel of one, and else on
// the processor, on copies.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_ACCELERATOR_H
#define TSC_RUNTIME_DISPATCH_ACCELERATOR_H

#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <mutex>

namespace tsc {

class Context;
class TraceRecorder;

/// The distribution from which each element of a tensor is drawn.
struct RandomDraw {
  Distribution kind;
  double a = 0;       ///< The least real number, the mean, or the probability with which an element is 1 or is kept.
  double b = 1;       ///< The end of an interval of real numbers, or a standard deviation.
  int64_t from = 0;   ///< The least integer.
  uint64_t range = 0; ///< How many integers there are.
};

/// The seed of the random generators of all devices.
struct DeviceSeed {
  uint64_t seed = Generator::defaultSeed;
  uint64_t number = 0; ///< How often a seed was set: a generator whose last seed has another number starts anew.
};

/// The devices of one kind that a program's tensors may be on, with the code that runs operators there. A driver's
/// library derives from it. The default of each virtual function that is not pure does nothing.
///
/// Threads:   all functions may be called from many threads at once.
/// Ownership: outlives the tensors on its devices and the programs that use it.
class Accelerator {
public:
  virtual ~Accelerator();

  /// Returns the memory of a device, `cuda` or `cuda:N`, which is opened when it is first asked for. Where there is no
  /// such device, returns PyTorch's error.
  StatusOr<const DeviceMemory *> memory(Device device);
  /// Whether memory() was ever called. Before that, no tensor is on a device.
  bool isUsed() const { return used.load(std::memory_order_relaxed); }
  /// Returns the fusion group of a single operator, or null where no kernel can be made of it. `key` is a text that
  /// names the operator and its constants; `make` builds the graph when a key is first asked for.
  std::shared_ptr<FusedGroup> groupOf(Device device, llvm::StringRef key,
                                      llvm::function_ref<std::unique_ptr<Graph>()> make);
  /// Waits until the device has finished all work. Returns an error of that work which was not returned before.
  virtual Status synchronize(Device device);
  /// Runs an operator, such as a product of matrices, with a library of the device. Returns false where it did nothing.
  virtual StatusOr<bool> runLibrary(Device device, const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                                    llvm::MutableArrayRef<IValue> results);
  /// Fills `result` with random numbers, the same that PyTorch draws on the device. For Dropout, `self` is the operand,
  /// and `mask` (bools) receives which elements are kept. Returns false where it did nothing.
  virtual StatusOr<bool> draw(Device device, const RandomDraw &what, const Tensor &result, const Tensor *self = nullptr,
                              const Tensor *mask = nullptr);
  /// Returns a new number for a piece of code, by which beginCall() knows it. No number is given twice.
  uint64_t numberOfCode() { return numCodes.fetch_add(1, std::memory_order_relaxed); }
  /// Says that this thread begins a call of the code with number `code`, which endCall() ends. Work that is launched in
  /// between may be held back until then, to be launched at once.
  virtual void beginCall(uint64_t code, TraceRecorder *trace);
  /// Launches the call's work that is held back. Returns an error of the call's work which was not returned before.
  virtual Status endCall();
  /// Sets the seed of the generators of all devices, as torch.manual_seed does.
  void seed(uint64_t seed);
  /// Is called once with the name of each operator that ran on the processor, on copies of its tensors. May be empty.
  std::function<void(llvm::StringRef name)> copied;
  /// Calls `copied` with the name of such an operator, unless it was called with it before.
  void noteCopied(llvm::StringRef name);

protected:
  /// Returns the seed that was last set.
  DeviceSeed seeded();
  /// Opens a device, or returns PyTorch's error where there is none.
  virtual StatusOr<const DeviceMemory *> open(Device device) = 0;
  /// Returns the fuser that makes kernels for a device, or null.
  virtual Fuser *fuserOf(Device device) = 0;
  /// Drops all groups of single operators. A derived class calls it before it destroys what they use.
  void forgetGroups() { groups.clear(); }

private:
  std::atomic<bool> used{false};
  std::atomic<uint64_t> numCodes{0};
  std::mutex lock; ///< Guards the members below.
  DeviceSeed currentSeed;
  llvm::StringSet<> toldCopied;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

/// Sets the accelerator on whose devices the context's programs may put tensors, or none (null). Call it before code is
/// compiled, and while nobody calls operators of the context.
void setAccelerator(Context &context, std::shared_ptr<Accelerator> accelerator);
/// Returns the context's accelerator, or null.
Accelerator *acceleratorOf(Context &context);

/// Moves every tensor that a value holds to the device of `memory`, in place, so that all who share it find it there.
/// Sparse, nested and quantized tensors stay where they are.
Status placeTensors(const IValue &value, const DeviceMemory &memory);

} // namespace tsc

#endif
