//===- Accelerator.h - The devices that a program may use -------*- C++ -*-===//
//
//   class MyDevices final : public Accelerator {
//     bool serves(DeviceKind kind) const override { return kind == DeviceKind::PrivateUse1; }
//     StatusOr<const DeviceMemory *> open(Device device) override; // the first door: a RemoteMemory
//     StatusOr<bool> runLibrary(…) override;                       // the second: kernels of operators
//     Fuser *fuserOf(Device device) override;                      // the third: kernels of fusion groups
//   };
//   setAccelerator(context, std::make_shared<MyDevices>());
//
// Runtime knows no driver. A host hands one in; tensors may be on its devices then,
// and operators on them run there where the device has a kernel, or its fuser makes
// one, and else on the processor, on copies. docs/adding-a-device.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_ACCELERATOR_H
#define TSC_RUNTIME_DISPATCH_ACCELERATOR_H

#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/Collectives.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <mutex>
#include <vector>

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

/// The devices that a program's tensors may be on, with the code that runs operators there. A driver's library derives
/// from it, for devices of one kind; joinAccelerators() makes one of several. The default of each virtual function that
/// is not pure does nothing.
///
/// Order:     what a thread asks of a device takes place in the order in which it was asked for, but the functions may
///            return before. A copy to the processor (RemoteMemory) waits for it, and so does synchronize(). A block
///            that was given back may be given out again for what is asked for later.
/// Threads:   all functions may be called from many threads at once.
/// Ownership: outlives the tensors on its devices and the programs that use it.
class Accelerator {
public:
  virtual ~Accelerator();

  /// Whether it has devices of a kind.
  virtual bool serves(DeviceKind kind) const = 0;
  /// Returns the memory of a device, which is opened when it is first asked for. Without a number (`cuda`) it is the
  /// one that programs get who name none. Where there is no such device, returns PyTorch's error.
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
  /// Returns a new number for a piece of code, by which beginCall() knows it. A process gives no number twice, so that
  /// accelerators which are also parts of others (joinAccelerators) are never told one number for two pieces of code.
  static uint64_t numberOfCode();
  /// Says that this thread begins a call of the code with number `code`, which endCall() ends. Work that is launched in
  /// between may be held back until then, to be launched at once.
  virtual void beginCall(uint64_t code, TraceRecorder *trace);
  /// Launches the call's work that is held back. Returns an error of the call's work which was not returned before.
  virtual Status endCall();
  /// Returns the fuser that makes kernels for a device, or null. It lives as long as this.
  virtual Fuser *fuserOf(Device device) = 0;
  /// Returns what exchanges the device's tensors with devices of other ranks, or null where there is nothing of the
  /// kind.
  virtual DeviceCollectivesOrWhy collectives(Device device);
  /// Sets the seed of the generators of all devices, as torch.manual_seed does.
  virtual void seed(uint64_t seed);
  /// Is called once with the name of each operator that ran on the processor, on copies of its tensors. May be empty.
  std::function<void(llvm::StringRef name)> copied;
  /// Calls `copied` with the name of such an operator, unless it was called with it before.
  void noteCopied(llvm::StringRef name);

protected:
  /// Returns the seed that was last set.
  DeviceSeed seeded();
  /// Opens a device of a kind that it serves, or returns PyTorch's error where there is none of this number.
  virtual StatusOr<const DeviceMemory *> open(Device device) = 0;
  /// Lets isUsed() say so, where memory() is not the only way to the devices' memory.
  void setUsed() { used.store(true, std::memory_order_relaxed); }
  /// Drops all groups of single operators. A derived class calls it before it destroys what they use.
  void forgetGroups() { groups.clear(); }

private:
  std::atomic<bool> used{false};
  std::mutex lock; ///< Guards the members below.
  DeviceSeed currentSeed;
  llvm::StringSet<> toldCopied;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

/// Returns an accelerator with the devices of all of these, none of which is null. Where two serve one kind of device,
/// the first one does. It shares them, but for `copied`, which is its own.
std::shared_ptr<Accelerator> joinAccelerators(std::vector<std::shared_ptr<Accelerator>> accelerators);

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
